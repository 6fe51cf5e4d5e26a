# SPDX-License-Identifier: Apache-2.0
"""The command that says how every clause is tested."""

from __future__ import annotations

from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    CORES,
    EditionName,
    Jobs,
    Operators,
    SpecFolders,
    TierName,
    load,
    reported,
)
from aclnn_cts.console import ConsoleProgress, PlainConsole, print_json
from aclnn_cts.report.coverage import (
    ClauseCoverage,
    CoverageQuestion,
    covered,
    exit_code,
)
from aclnn_cts.report.coverage_text import coverage_json, coverage_tables
from aclnn_cts.spec.edition_models import CURRENT

Products = Annotated[
    list[str] | None, typer.Option("--product", help="Only this product; may be repeated.")
]


@reported
def coverage(
    operator: Operators = None,
    folders: SpecFolders = None,
    product: Products = None,
    tier: TierName = "standard",
    edition: EditionName = CURRENT,
    first: Annotated[
        bool,
        typer.Option("--first", help="Evaluate cases only until each value clause has one."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    jobs: Jobs = CORES,
) -> None:
    """Count the cases that test each clause, and explain gaps."""
    suite, specs = load(edition, folders)
    operators = tuple(spec.operator for spec in specs.tested_named(operator or None))
    products = tuple(specs.product(name).id for name in product or specs.products)
    question = CoverageQuestion(suite, specs.edition, operators, products, tier, first)
    found = gather(question, jobs)
    if as_json:
        print_json(coverage_json(specs, found))
    else:
        console = PlainConsole()
        console.print(coverage_tables(specs, found), soft_wrap=not console.is_terminal)
    raise typer.Exit(int(exit_code(found)))


def gather(question: CoverageQuestion, jobs: int) -> tuple[ClauseCoverage, ...]:
    """Return the rule map asked for; shows progress."""
    with ConsoleProgress() as progress:
        return covered(question, jobs, progress.reached)
