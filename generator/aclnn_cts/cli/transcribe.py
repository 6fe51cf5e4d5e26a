# SPDX-License-Identifier: Apache-2.0
"""The command that drafts a spec from an operator's page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import reported
from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import write_text
from aclnn_cts.spec.loading import load_products
from aclnn_cts.suite import find_suite


@reported
def transcribe(
    page: Annotated[Path, typer.Argument(metavar="PAGE.md", help="An operator's page.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The spec to write; printed if absent.")
    ] = None,
    operator: Annotated[
        str | None, typer.Option("--operator", help="Of a page on two operators, the one to draft.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="All that was read of the page, as one JSON document.")
    ] = False,
) -> None:
    """Draft a spec from an operator's page, with a todo for anything uncertain."""
    # Other commands need not pay for the libraries that read pages.
    from aclnn_cts.transcribe.draft import draft  # noqa: PLC0415
    from aclnn_cts.transcribe.reader import read_page  # noqa: PLC0415

    if output is not None and output.exists():
        raise WrongInputError(
            f"{output}: already exists; compare it with the page by `aclnn-cts trace`, or name "
            "another file"
        )
    read = read_page(page, load_products(find_suite()))
    names = [function.name for function in read.functions]
    if output is not None and output.stem.startswith("aclnn"):
        if output.stem not in names or operator not in (None, output.stem):
            raise WrongInputError(
                f"{output}: {page} is about {' and '.join(names)}; name the file after its operator"
            )
        operator = output.stem
    if as_json:
        said = {"format": "aclnn-cts/page/1", **read.model_dump(mode="json")}
        text = json.dumps(said, indent=2, ensure_ascii=False) + "\n"
    else:
        text = draft(read, operator)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_text(output, text)
    todos = "" if as_json else f": {text.count('page line')} todos, each with its place on the page"
    typer.echo(f"{output}{todos}")
