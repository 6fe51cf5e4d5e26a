# SPDX-License-Identifier: Apache-2.0
"""Running the cases: each operator's program over its case file, several at a time.

A case that takes its program down is known from the events: it was begun and did not end. The
program is started again for the cases after it, so that one bad case costs itself alone.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from aclnn_cts.emit.case_file import case_file_text
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.events import read_events
from aclnn_cts.run.folder import ProgramRun, digest_of
from aclnn_cts.run.process import watch
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

OnProgress = Callable[[str, int], None]

_CASE_SECONDS = 60.0
"""Time that a stream is given for a case: the largest takes a second or two on the simulated
device, and far less on a card."""

FAULTY_SECONDS = 10.0
"""The same for a device that was given a fault: a hang is expected there."""

FAULTY_TIMEOUTS = 3
"""Cases that do not end, after which a faulty device is known well enough."""

_SILENCE_FACTOR = 1.5
"""By how much longer a program may record nothing: the harness itself ends a stream in time."""

_MOST_RESTARTS = 50


@dataclass(frozen=True)
class Campaign:
    """What is to be run, and where.

    Attributes:
        specs: All specs.
        product: The product's id.
        toolkit: What the programs were built against.
        programs: The folder of the programs.
        folder: The results folder.
        store: The folder of the input data.
        references: Where each case's data stand, by case id.
        case_seconds: Time that a stream is given, for each case.
        most_timeouts: After so many cases of an operator that do not end, the others are left out.
        stop: Set when the run is to end: all programs are ended, and no further one is started.
    """

    specs: SpecSet
    product: str
    toolkit: Toolkit
    programs: Path
    folder: Path
    store: Path
    references: Mapping[str, DataReference]
    case_seconds: float = _CASE_SECONDS
    most_timeouts: int = _MOST_RESTARTS
    stop: threading.Event = field(default_factory=threading.Event)


def run_cases(
    campaign: Campaign, cases: Sequence[Case], jobs: int, on_progress: OnProgress
) -> tuple[ProgramRun, ...]:
    """Run all cases; return how each process ended, operators in the order of the cases.

    Args:
        campaign: Where and with what.
        cases: The cases.
        jobs: How many programs run at a time.
        on_progress: Called with an operator and the number of its cases that have ended.

    Raises:
        NotTrustworthyError: A program cannot be started, or the disk is full.
        WrongInputError: The results folder cannot be written to.
    """
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        by_operator.setdefault(case.operator, []).append(case)
    # The longest first, so that no worker waits for a long one at the end.
    longest_first = sorted(by_operator, key=lambda name: -_elements(by_operator[name]))
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        waiting = {
            name: pool.submit(_run_operator, campaign, name, by_operator[name], on_progress)
            for name in longest_first
        }
        try:
            return tuple(run for name in by_operator for run in waiting[name].result())
        except BaseException:
            # After Ctrl-C, or when one program cannot run, nobody wants the others' results.
            campaign.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _elements(cases: Sequence[Case]) -> int:
    return sum(1000 + tensor.numel for case in cases for tensor in case.tensors)


def _run_operator(
    campaign: Campaign, operator: str, cases: Sequence[Case], on_progress: OnProgress
) -> list[ProgramRun]:
    runs: list[ProgramRun] = []
    pending = list(cases)
    done = 0
    while pending and len(runs) <= _MOST_RESTARTS and not campaign.stop.is_set():
        progress = functools.partial(_report, on_progress, operator, done)
        run = _run_program(campaign, operator, pending, len(runs), progress)
        runs.append(run)
        if sum(each.timed_out for each in runs) >= campaign.most_timeouts:
            break
        begun = set(read_events(run.events).cases)
        left = [case for case in pending if case.id not in begun]
        done += len(pending) - len(left)
        if run.exit_code == 0 or len(left) == len(pending):
            break
        pending = left
    return runs


def _report(on_progress: OnProgress, operator: str, before: int, ended: int) -> None:
    on_progress(operator, before + ended)


def _run_program(
    campaign: Campaign,
    operator: str,
    cases: Sequence[Case],
    number: int,
    on_progress: Callable[[int], None],
) -> ProgramRun:
    name = operator if number == 0 else f"{operator}-{number}"
    folder = campaign.folder
    case_file = folder / "cases" / f"{name}.txt"
    events, outputs = folder / "events" / f"{name}.jsonl", folder / "outputs" / f"{name}.bin"
    text = case_file_text(campaign.specs, operator, _with_data(campaign, cases))
    write_text(case_file, text)
    for path in (events, outputs):
        path.parent.mkdir(exist_ok=True)
    command = [
        str(campaign.programs / operator),
        "--cases", str(case_file),
        "--data", str(campaign.store),
        "--events", str(events),
        "--outputs", str(outputs),
        "--timeout-ms", str(int(campaign.case_seconds * 1000)),
    ]  # fmt: skip
    try:
        ended = watch(
            command,
            _environment(campaign),
            events,
            campaign.case_seconds * _SILENCE_FACTOR,
            on_progress,
            campaign.stop,
        )
    except OSError as error:
        raise NotTrustworthyError(f"{command[0]}: cannot be started: {error}") from None
    return ProgramRun(
        operator=operator,
        exit_code=ended.exit_code,
        timed_out=ended.timed_out,
        seconds=ended.seconds,
        stderr=ended.stderr,
        events=events,
        outputs=outputs,
        events_sha256=digest_of(events),
        outputs_sha256=digest_of(outputs),
    )


def _with_data(campaign: Campaign, cases: Sequence[Case]) -> Iterator[tuple[Case, DataReference]]:
    return ((case, campaign.references[case.id]) for case in cases)


def _environment(campaign: Campaign) -> dict[str, str]:
    environment = dict(os.environ)
    if campaign.toolkit.kind == "simulator":
        product = campaign.specs.product(campaign.product)
        environment["ACLNN_SIM_SOC"] = product.simulated_soc
        environment["ACLNN_SIM_EDITION"] = campaign.specs.edition
    if campaign.toolkit.fault:
        # The programs were linked with the unharmed device, whose libraries have the same names.
        usual = environment.get("LD_LIBRARY_PATH", "")
        own = str(campaign.toolkit.root / "lib64")
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, (own, usual)))
    return environment
