# SPDX-License-Identifier: Apache-2.0
"""The command that holds specs against the pages that they transcribe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aclnn_cts.cli.options import EditionName, Operators, SpecFolders, reported, suite_with
from aclnn_cts.console import print_json
from aclnn_cts.errors import ExitCode, WrongInputError
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import load_specs

if TYPE_CHECKING:
    from aclnn_cts.transcribe.trace import Finding, Traced


@reported
def trace(
    pages: Annotated[
        Path,
        typer.Option(
            "--pages", envvar="ACLNN_CTS_PAGES", help="The folder that holds the operators' pages."
        ),
    ],
    operator: Operators = None,
    folders: SpecFolders = None,
    edition: EditionName = CURRENT,
    review: Annotated[
        bool, typer.Option("--review", help="Print each sentence beside the clauses on it, too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Compare specs with pages."""
    # Other commands need not pay for the libraries that read pages.
    from aclnn_cts.transcribe.reader import read_page  # noqa: PLC0415
    from aclnn_cts.transcribe.trace import trace as hold_against  # noqa: PLC0415

    specs = load_specs(suite_with(folders), edition)
    found: list[tuple[Path, Traced]] = []
    for spec in specs.tested_named(operator or None):
        path = _page_of(pages, spec.operator)
        try:
            page = read_page(path, specs.products)
            found.append((path, hold_against(spec, page, specs.edition)))
        except WrongInputError as error:
            if str(error).startswith(f"{path}:"):
                raise
            raise WrongInputError(f"{path}: {error}") from None
    if as_json:
        print_json(
            {
                "format": "aclnn-cts/trace/1",
                "edition": specs.edition,
                "operators": {t.operator: [_as_json(f) for f in t.findings] for _, t in found},
            }
        )
    else:
        for path, traced in found:
            for line in (*(_reviewed(traced) if review else ()), *_lines(path, traced)):
                typer.echo(line)
    if any(traced.findings for _, traced in found):
        raise typer.Exit(ExitCode.BROKEN_PROMISE)


def _page_of(folder: Path, operator: str) -> Path:
    """Return an operator's page: it is named after it, alone or with another one's name."""
    if not folder.is_dir():
        raise WrongInputError(f"{folder}: is not a folder; give the folder of the pages")
    found = sorted(
        path
        for path in folder.rglob("aclnn*")
        if path.suffix in (".md", ".txt") and operator in path.stem.split("&")
    )
    if len(found) != 1:
        several = f"several pages of {operator}: {', '.join(map(str, found))}"
        raise WrongInputError(
            f"{folder}: {several if found else f'no page {operator}.md'}; name one operator with "
            "--operator, or another folder"
        )
    return found[0]


def _lines(path: Path, traced: Traced) -> Iterator[str]:
    if not traced.findings:
        yield f"{traced.operator}: spec and page agree"
    for each in traced.findings:
        line = 1 if each.place is None else each.place.line
        mark = f" [{each.fingerprint}]" if each.fingerprint else ""
        yield f"{path}:{line}: {traced.operator}: {each.kind}: {each.about}: {each.text}{mark}"


def _reviewed(traced: Traced) -> Iterable[str]:
    for sentence, keys in traced.pairs:
        yield f"{', '.join(keys):30} {sentence.place}: {sentence.text}"


def _as_json(finding: Finding) -> dict[str, object]:
    return asdict(finding) | {"place": finding.place and finding.place.model_dump()}
