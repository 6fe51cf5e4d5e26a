# SPDX-License-Identifier: Apache-2.0
"""The command about what the documents leave open; it runs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.cli.promises import gather, read_results_about
from aclnn_cts.console import print_json
from aclnn_cts.coverage.findings import list_findings
from aclnn_cts.coverage.reached_cases import CoverageQuestion
from aclnn_cts.documents.findings_document import RENDERERS, FindingsDocument, with_answers
from aclnn_cts.errors import WrongInputError, one_of
from aclnn_cts.files import write_text
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import SpecSet


def documents(
    results: Annotated[
        Path | None,
        typer.Argument(help="Also say what the device of this run does.", show_default=False),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="md, html or json.")] = "md",
    family: Annotated[
        list[str] | None,
        typer.Option("--family", help="Only this family of documents; may be repeated."),
    ] = None,
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    product: options.Product = DEFAULT_PRODUCT,
    tier: options.TierName = options.DEFAULT_TIER,
    edition: options.EditionName = CURRENT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write an index and a page per family."),
    ] = None,
    jobs: options.Jobs = options.CORES,
) -> None:
    """List where the documents contradict themselves, and what they leave open, for their writers.

    Findings that touch most planned calls come first.
    """
    one_of("format", form, ("md", "html", "json"))
    suite, specs = options.load(edition, folders)
    operators = _select(specs, operator, family)
    at = specs.product(product).id
    run = (
        None
        if results is None
        else read_results_about(
            results, at, specs.edition, f"documents {results}", f"--format {form}"
        )
    )
    question = CoverageQuestion(suite, specs.edition, operators, (at,), tier)
    findings = list_findings(suite, specs, operators, gather(question, jobs))
    document = FindingsDocument(
        edition=specs.edition,
        product=at,
        tier=tier,
        run=str(results or ""),
        findings=with_answers(findings, run) if run else findings,
    )
    if output is not None:
        _write(document, form, output)
    elif form == "json":
        print_json(document.model_dump(mode="json"))
    else:
        typer.echo(RENDERERS[form](document, document.families, index=True), nl=False)


def _select(
    specs: SpecSet, operators: list[str] | None, families: list[str] | None
) -> tuple[str, ...]:
    """Return the selected operators of the selected families."""
    known_families = sorted({spec.document.family for spec in specs.tested_operators})
    wanted_families = {
        one_of("family", name, known_families) for name in families or known_families
    }
    selected = specs.select_tested(operators or None)
    names = tuple(spec.operator for spec in selected if spec.document.family in wanted_families)
    if not names:
        raise WrongInputError(
            f"none of the operators is of the family {' or '.join(sorted(wanted_families))}; "
            "leave out --family, or --operator"
        )
    return names


def _write(document: FindingsDocument, form: str, folder: Path) -> None:
    """Write an index and a page per family, or one JSON document."""
    if form == "json":
        files = {"documents.json": document.model_dump_json(indent=1) + "\n"}
    else:
        render, suffix = RENDERERS[form], f".{form}"
        files = {f"index{suffix}": render(document, (), index=True, suffix=suffix)}
        for name in document.families:
            files[name + suffix] = render(document, (name,), index=False, suffix=suffix)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_text(folder / name, text)
        typer.echo(folder / name)
