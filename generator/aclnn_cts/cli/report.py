# SPDX-License-Identifier: Apache-2.0
"""The command that makes a page of one or several runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import AllureFolder, reported
from aclnn_cts.report.allure import require_allure, write_allure
from aclnn_cts.report.junit import write_junit_by_operator
from aclnn_cts.report.page import FILE_NAME, write_page
from aclnn_cts.report.results import read_results
from aclnn_cts.report.view import labelled


@reported
def report(
    results: Annotated[
        list[Path],
        typer.Argument(help="Results folders, or their results.json.", show_default=False),
    ],
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", help="Earlier results to compare with: folder or results.json."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        FILE_NAME
    ),
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit", metavar="FOLDER", help="Also write JUnit files here, one per operator."
        ),
    ] = None,
    allure: AllureFolder = None,
    enforce: Annotated[
        bool,
        typer.Option(
            "--enforce",
            help="Show a requirement that is not enforced as a failure; the status stays 0.",
        ),
    ] = False,
) -> None:
    """Write one HTML page of one or several runs."""
    if allure is not None:
        require_allure()
    base = None if baseline is None else read_results(baseline)
    documents = [read_results(path) for path in results]
    if enforce:
        documents = [each.model_copy(update={"enforce": True}) for each in documents]
    # A results file is named after its folder.
    folders = [path if path.is_dir() else path.parent for path in results]
    names = [folder.resolve().name for folder in folders]
    if allure is not None:
        for document, folder in zip(documents, folders, strict=True):
            write_allure(document, folder, allure)
    typer.echo(write_page(documents, output, base, names))
    if junit is not None:
        for run in labelled(documents, names):
            for path in write_junit_by_operator(run, junit):
                typer.echo(path)
