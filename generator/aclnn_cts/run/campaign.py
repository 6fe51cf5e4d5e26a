# SPDX-License-Identifier: Apache-2.0
"""A whole run: data, build, programs, and the record of it all in the results folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from aclnn_cts import __version__
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.build import build_parts, build_programs, build_simulator
from aclnn_cts.run.claim import claimed, clear
from aclnn_cts.run.compiler import find_compiler
from aclnn_cts.run.events import read_events
from aclnn_cts.run.execute import FAULTY_SECONDS, FAULTY_TIMEOUTS, Campaign, run_cases
from aclnn_cts.run.faulty import Change, build_faulty
from aclnn_cts.run.folder import Device, ProgramRun, RunFolder
from aclnn_cts.run.toolkit import Toolkit, real_toolkit
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class Request:
    """What the user asked for.

    Attributes:
        product: The product's id.
        tier: The tier.
        standard: The standard that gates.
        cases: The cases to run.
        results: The results folder.
        jobs: How many programs run at a time.
        cann: A real toolkit's folder; None for the simulated device.
        sanitize: Build simulator and programs with AddressSanitizer and UBSan.
        change: What makes the simulated device a faulty one; None for the unharmed one.
    """

    product: str
    tier: str
    standard: str
    cases: tuple[Case, ...]
    results: Path
    jobs: int
    cann: Path | None = None
    sanitize: bool = False
    change: Change | None = None


class Progress(Protocol):
    """Where a run says what it is doing."""

    def stage(self, name: str, steps: int) -> None:
        """Begin a stage of so many steps (0 if unknown)."""

    def step(self, done: int) -> None:
        """Say how many steps of the stage are done."""


def run_campaign(suite: Suite, specs: SpecSet, request: Request, progress: Progress) -> RunFolder:
    """Make the data, build, run all cases, and record everything.

    Raises:
        NotTrustworthyError: Something would not build or start; see the message.
        WrongInputError: A folder is not what it should be.
    """
    with claimed(request.results):
        progress.stage("build", 0)
        toolkit, programs = _build(suite, request)
        progress.stage("data", len(request.cases))
        store = suite.cache / "data"
        references = DataStore(store).provide(specs, _counted(request.cases, progress))
        clear(request.results)
        run = RunFolder(
            path=request.results,
            suite_version=__version__,
            specs_sha256=specs_digest(suite),
            device=Device(toolkit.kind, request.product, "", "", toolkit.fault),
            tier=request.tier,
            standard=request.standard,
            cases=request.cases,
            programs=(),
            state="running",
            store=store,
            references=references,
            edition=specs.edition,
        )
        run.save()
        campaign = Campaign(
            specs, request.product, toolkit, programs, request.results, store, references
        )
        if toolkit.fault:
            campaign = replace(campaign, case_seconds=FAULTY_SECONDS, most_timeouts=FAULTY_TIMEOUTS)
        progress.stage("run", len(request.cases))
        try:
            runs = run_cases(campaign, request.cases, request.jobs, _summed(progress))
        except OSError as error:
            raise explain(error, request.results) from None
        device = _device(specs, request, toolkit, runs)
        run = replace(run, programs=runs, device=device, state="complete")
        run.save()
    return run


def _build(suite: Suite, request: Request) -> tuple[Toolkit, Path]:
    options = ("-DACLNN_CTS_SANITIZE=ON",) if request.sanitize else ()
    compiler = find_compiler()
    if request.cann is None:
        toolkit = build_simulator(suite, compiler, options)
    else:
        toolkit = real_toolkit(request.cann)
    programs = build_programs(suite, compiler, toolkit, options)
    if request.change is not None:
        toolkit = build_faulty(suite, build_parts(suite, compiler), request.change)
    return toolkit, programs


def _counted(cases: Sequence[Case], progress: Progress) -> Iterator[Case]:
    for number, case in enumerate(cases):
        progress.step(number)
        yield case


def _summed(progress: Progress) -> Callable[[str, int], None]:
    ended: dict[str, int] = {}

    def note(operator: str, count: int) -> None:
        ended[operator] = count
        progress.step(sum(ended.values()))

    return note


def _device(
    specs: SpecSet, request: Request, toolkit: Toolkit, runs: Sequence[ProgramRun]
) -> Device:
    """Return what the programs learnt of the device.

    Raises:
        NotTrustworthyError: The device is another product than the cases are for.
    """
    event = next(
        (record.device for run in runs if (record := read_events(run.events)).device), None
    )
    if event is None:
        reason = next((run.stderr.splitlines()[-1] for run in runs if run.stderr), "")
        raise NotTrustworthyError(
            f"no program reached a device, so nothing was tested{': ' + reason if reason else ''}"
        )
    found = next(
        (
            product.id
            for product in specs.products.values()
            if event.soc.startswith(tuple(product.soc_prefixes))
        ),
        None,
    )
    if found != request.product:
        raise NotTrustworthyError(
            f"the device says it is {event.soc}, which is {found or 'no known product'}; "
            f"the cases are for {request.product}: run with --product {found or 'of the device'}"
        )
    return Device(toolkit.kind, request.product, event.soc, event.cann, toolkit.fault)
