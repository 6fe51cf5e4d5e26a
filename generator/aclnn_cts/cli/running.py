# SPDX-License-Identifier: Apache-2.0
"""Commands that run cases and judge what came back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    CORES,
    DEFAULT_PRODUCT,
    DEFAULT_TIER,
    EditionName,
    Jobs,
    Operators,
    Product,
    StandardName,
    TierName,
    load,
    reported,
)
from aclnn_cts.console import ConsoleProgress, PlainConsole
from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, Standard
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering_store import CoveringStore
from aclnn_cts.plan.planner import find_cases, plan
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.report.judging import judge_folder
from aclnn_cts.report.model import Report
from aclnn_cts.report.table import summary
from aclnn_cts.run.campaign import Request, run_campaign
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet

_STORIES_SHOWN = 5


def _standard(name: str) -> Standard:
    for standard in STANDARDS:
        if standard == name:
            return standard
    raise unknown_name("standard", name, STANDARDS)


@reported
def run(
    operator: Operators = None,
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    case: Annotated[
        list[str] | None, typer.Option("--case", help="Only this case; may be repeated.")
    ] = None,
    standard: StandardName = DEFAULT_STANDARD,
    cann: Annotated[
        Path | None, typer.Option("--cann", help="Folder of a CANN toolkit: run on hardware.")
    ] = None,
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Run on the built-in simulated device (default).")
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option("--results", help="Results folder [results/PRODUCT-TIER, results/case]."),
    ] = None,
    jobs: Jobs = CORES,
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Build with AddressSanitizer and UBSan.")
    ] = False,
    fault: Annotated[
        str | None,
        typer.Option("--fault", help="Give the simulated device this fault of the catalog."),
    ] = None,
) -> None:
    """Run cases on a device and judge them."""
    if simulator and cann is not None:
        raise WrongInputError("--simulator and --cann exclude each other; give one of them")
    if fault is not None and (cann is not None or sanitize):
        raise WrongInputError("--fault is for the simulated device, without --sanitize")
    suite, specs = load(edition)
    change = load_catalog(suite).change(fault) if fault is not None else None
    gate = _standard(standard)
    cases = _cases(specs, CoveringStore.of(suite), operator, product, tier, case)
    # A case that is run again must not take the place of the run that it comes from.
    folder = results or Path("results") / _folder_name(specs, product, tier, case, fault)
    request = Request(product, tier, gate, cases, folder, jobs, cann, sanitize, change)
    with ConsoleProgress() as progress:
        run_campaign(suite, specs, request, progress)
    _judge_and_exit(folder, gate, jobs)


def _folder_name(
    specs: SpecSet, product: str, tier: str, wanted: Sequence[str] | None, fault: str | None
) -> str:
    """Return the results folder's name; runs of different devices do not replace one another."""
    edition = "" if specs.edition == CURRENT else f"-{specs.edition}"
    harmed = f"-{fault}" if fault else ""
    return ("case" if wanted else f"{product}-{tier}") + edition + harmed


def _cases(
    specs: SpecSet,
    store: CoveringStore,
    operators: Sequence[str] | None,
    product: str,
    tier: str,
    wanted: Sequence[str] | None,
) -> tuple[Case, ...]:
    if wanted and operators:
        raise WrongInputError("--case and --operator exclude each other; a case has its operator")
    if not wanted:
        return plan(specs, product, tier, operators, store)
    return find_cases(specs, wanted, product, tier, store)


@reported
def judge(
    results_dir: Annotated[Path, typer.Argument(help="A results folder.")],
    standard: Annotated[
        str | None, typer.Option("--standard", help="The gate [the run's own].")
    ] = None,
    jobs: Jobs = CORES,
) -> None:
    """Judge the results of an earlier run again."""
    _judge_and_exit(results_dir, _standard(standard) if standard is not None else None, jobs)


def _judge_and_exit(folder: Path, standard: Standard | None, jobs: int) -> None:
    with ConsoleProgress() as progress:
        progress.stage("judge", 0)
        report = judge_folder(folder, standard, jobs, progress.judged)
    _show(report, folder)
    raise typer.Exit(int(report.exit_code))


def _show(report: Report, folder: Path) -> None:
    console = PlainConsole()
    for story in list(report.stories.values())[:_STORIES_SHOWN]:
        console.print(story, markup=False, soft_wrap=True)
        console.print()
    hidden = len(report.stories) - _STORIES_SHOWN
    if hidden > 0:
        console.print(f"… and {hidden} more; `pytest {folder}` shows each")
    console.print(summary(report), soft_wrap=not console.is_terminal)
    for name in ("results.json", "junit.xml"):
        console.print(f"{folder / name}", markup=False, soft_wrap=True)
