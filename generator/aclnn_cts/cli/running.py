# SPDX-License-Identifier: Apache-2.0
"""The command that runs cases and judges what came back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from aclnn_cts.cli.options import (
    CORES,
    DEFAULT_PRODUCT,
    DEFAULT_TIER,
    CannFolder,
    DeviceNumbers,
    EditionName,
    Jobs,
    Operators,
    StandardName,
    TierName,
    WaiverFile,
    load,
    refuse_contradiction,
    reported,
    say,
    standard_of,
)
from aclnn_cts.cli.showing import show_and_exit
from aclnn_cts.console import ConsoleProgress
from aclnn_cts.errors import WrongInputError
from aclnn_cts.judge.confirming import Confirmation
from aclnn_cts.judge.session import Gate, recorded_standard
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering_store import CoveringStore
from aclnn_cts.plan.planner import find_cases, plan
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.report.judging import publish
from aclnn_cts.report.waiving import accepted_in
from aclnn_cts.run.campaign import Request, resume_campaign, run_campaign
from aclnn_cts.run.claim import claim_to_withdraw
from aclnn_cts.run.devices import parse_devices
from aclnn_cts.run.folder import open_interrupted
from aclnn_cts.run.target import Wish, choose_target
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite


@reported
def run(
    context: typer.Context,
    operator: Operators = None,
    product: Annotated[
        str | None,
        typer.Option("--product", help=f"The product [that of the device; {DEFAULT_PRODUCT}]."),
    ] = None,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    case: Annotated[
        list[str] | None, typer.Option("--case", help="Only this case; may be repeated.")
    ] = None,
    standard: StandardName = DEFAULT_STANDARD,
    cann: CannFolder = None,
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Run on the built-in simulated device.")
    ] = False,
    devices: DeviceNumbers = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results", help="Results folder [results/PRODUCT-TIER or results/case, then -FAULT]."
        ),
    ] = None,
    jobs: Jobs = CORES,
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Build with AddressSanitizer and UBSan.")
    ] = False,
    fault: Annotated[
        str | None,
        typer.Option("--fault", help="Give the simulated device this fault of the catalog."),
    ] = None,
    case_timeout: Annotated[
        float | None,
        typer.Option("--case-timeout", min=0.1, help="Seconds that a case may take [60]."),
    ] = None,
    batch_timeout: Annotated[
        float | None,
        typer.Option("--batch-timeout", min=1.0, help="Seconds that a program may take [3600]."),
    ] = None,
    waivers: WaiverFile = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Finish the interrupted run in --results.")
    ] = False,
    timings: Annotated[
        int,
        typer.Option("--timings", min=0, max=10000, help="Launches of each call, to time it."),
    ] = 0,
) -> None:
    """Run cases on a device and judge them."""
    if results is not None:
        claim_to_withdraw(results)
    numbers = parse_devices(devices) if devices is not None else ()
    if resume:
        _resume(context, results, _Going(numbers, jobs, waivers))
    refuse_contradiction(cann, simulator, fault)
    if fault is not None and sanitize:
        raise WrongInputError("--fault and --sanitize exclude each other; give one of them")
    suite, specs = load(edition)
    change = load_catalog(suite).change(fault) if fault is not None else None
    gate = standard_of(standard)
    acceptance = accepted_in(waivers, specs) if waivers is not None else None
    wish = Wish(cann, simulator or fault is not None, product, numbers)
    target = choose_target(suite, specs, wish, os.environ, DEFAULT_PRODUCT, say)
    cases = _cases(specs, CoveringStore.of(suite), operator, target.product, tier, case)
    # A case that is run again must not take the place of the run that it comes from.
    folder = results or Path("results") / _folder_name(specs, target.product, tier, case, fault)
    request = Request(
        product=target.product,
        tier=tier,
        standard=gate,
        cases=cases,
        results=folder,
        jobs=jobs,
        cann=target.cann,
        sanitize=sanitize,
        change=change,
        devices=target.devices,
        case_seconds=case_timeout,
        batch_seconds=batch_timeout,
        timings=timings,
    )
    with ConsoleProgress() as progress:
        confirmation = Confirmation(Gate(suite, gate, jobs), progress.stage, progress.step)
        done = run_campaign(suite, specs, request, progress, confirmation)
        report = publish(done, confirmation.gate, confirmation.judged, acceptance)
    show_and_exit(report)


@dataclass(frozen=True)
class _Going:
    """What may be given when a run goes on: none of it changes what is run.

    Attributes:
        devices: Numbers of the devices; those of the run if empty.
        jobs: Processes that judge.
        waivers: The file of waivers.
    """

    devices: tuple[int, ...]
    jobs: int
    waivers: Path | None


_WITH_RESUME = ("resume", "results", "devices", "jobs", "waivers")


def _resume(context: typer.Context, results: Path | None, going: _Going) -> NoReturn:
    """Finish an interrupted run: what it asked for stands in its folder."""
    if results is None:
        raise WrongInputError("--resume needs --results: name the folder of the interrupted run")
    for name in context.params:
        if name not in _WITH_RESUME and _was_given(context, name):
            raise WrongInputError(
                f"--resume and --{name.replace('_', '-')} exclude each other; "
                "the folder says what was asked for"
            )
    found = open_interrupted(results, find_suite())
    if going.devices:
        found = replace(found, asked=replace(found.asked, devices=going.devices))
    suite, specs = load(found.edition)
    fault = found.device.fault
    change = load_catalog(suite).change(fault) if fault else None
    acceptance = accepted_in(going.waivers, specs) if going.waivers is not None else None
    gate = Gate(suite, recorded_standard(found), going.jobs)
    with ConsoleProgress() as progress:
        confirmation = Confirmation(gate, progress.stage, progress.step)
        done = resume_campaign(suite, specs, found, change, progress, confirmation)
        report = publish(done, gate, confirmation.judged, acceptance)
    show_and_exit(report)


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP")


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
