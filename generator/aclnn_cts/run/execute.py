# SPDX-License-Identifier: Apache-2.0
"""Running a batch: one process, and further ones for what is left when it dies.

A case that takes its program down is known from the events: it was begun and did not end. The
program is started again for the cases after it, so that one bad case costs itself alone.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from aclnn_cts.emit.case_file import case_file_text
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.emit.nonce import new_nonce
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.batches import Half, batches_of, cut_back, find_half
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import OnProgress, Task
from aclnn_cts.run.libraries import loader_environment
from aclnn_cts.run.process import Limits, ProcessFiles, watch
from aclnn_cts.run.program_run import BAD_INPUT, NO_RUNTIME, ProgramRun
from aclnn_cts.run.run_config import Asked
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

MOST_TIMEOUTS = 6
"""When so many cases of a batch have hung, its others are not run: each hang costs a minute."""

FAULTY_TIMEOUTS = 3
"""When so many cases have hung, a faulty device is known well enough."""

RUNNER = "ACLNN_CTS_RUNNER_PID"
"""Tells a program the process that must not outlive it (harness/src/runner_bond.h)."""

_SILENCE_FACTOR = 1.5
"""For how many times a case's limit a program may be silent: the harness ends a stream at one."""

_CANNOT_WRITE = "choose a place that is writable and has room"
"""How a program's sentence about its own files ends (harness/src/result_files.cpp)."""


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
        asked: How it is to be run.
        most_timeouts: After so many cases of a batch that do not end, the others are left out.
        nonce: The run's own, which the programs repeat in their events.
        stop: Set when the run is to end: all programs are ended, and no further one is started.
    """

    specs: SpecSet
    product: str
    toolkit: Toolkit
    programs: Path
    folder: Path
    store: Path
    references: Mapping[str, DataReference]
    asked: Asked = field(default_factory=Asked)
    most_timeouts: int = MOST_TIMEOUTS
    nonce: str = field(default_factory=new_nonce)
    stop: threading.Event = field(default_factory=threading.Event)


def run_in_turn(campaign: Campaign, cases: Sequence[Case]) -> tuple[ProgramRun, ...]:
    """Run cases on device 0, one process at a time, to learn about a device that may be faulty.

    An operator of which ``most_timeouts`` cases did not end is known well enough: its others are
    left out. So is what is left of a batch whose device is refused.

    Raises:
        NotTrustworthyError: A program cannot be started, or the disk is full.
        WrongInputError: The results folder cannot be written to.
    """
    runs: list[ProgramRun] = []
    timeouts: dict[str, int] = {}
    for batch in batches_of(cases):
        left: Task | None = Task(batch, timeouts=timeouts.get(batch.operator, 0))
        while left is not None and not campaign.stop.is_set():
            if left.timeouts >= campaign.most_timeouts:
                break
            runs.append(run_program(campaign, left, 0, _silent))
            if found_no_device(runs[-1]):
                break
            timeouts[batch.operator] = left.timeouts + runs[-1].timed_out
            left = rest_of(campaign, left, runs[-1])
    return tuple(runs)


def _silent(ended: int) -> None:
    del ended


def rest_of(campaign: Campaign, task: Task, run: ProgramRun) -> Task | None:
    """Return what is left of a task after a process; None if it is done, or cannot be."""
    record = read_events(run.events)
    if run.exit_code == 0 and record.finished:
        return None
    if found_no_device(run):
        return task.left(task.batch.cases)
    left = [case for case in task.batch.cases if case.id not in record.cases]
    # A program that dies before its first case would do so for ever.
    if task.purpose != "batch" or not left or len(left) == len(task.batch.cases):
        return None
    rest = task.left(left, timeouts=int(run.timed_out))
    return None if rest.timeouts >= campaign.most_timeouts else rest


def found_no_device(run: ProgramRun) -> bool:
    """Whether the program never had its device: the runtime refused it, or did not answer."""
    waited = run.exit_code == NO_RUNTIME or run.timed_out
    return waited and read_events(run.events).device is None


def run_program(campaign: Campaign, task: Task, device: int, on_progress: OnProgress) -> ProgramRun:
    """Run one process over the cases of a task.

    Raises:
        NotTrustworthyError: It cannot be started, or cannot write its results.
        WrongInputError: The results folder cannot be written to.
    """
    files = ProcessFiles.of(campaign.folder, task.name)
    _place(campaign, task, files)
    # What is run again is run to its end: a limit that ends it would say nothing about its case.
    whole = campaign.asked.batch_seconds if task.purpose == "batch" else math.inf
    limits = Limits(campaign.asked.case_seconds * _SILENCE_FACTOR, whole)
    command = _command(campaign, task, files, device)
    environment = _environment(campaign)
    try:
        ended = watch(command, environment, files.events, limits, on_progress, campaign.stop)
    except OSError as error:
        raise NotTrustworthyError(f"{command[0]}: cannot be started: {error}") from None
    if ended.exit_code == BAD_INPUT and _CANNOT_WRITE in ended.stderr:
        raise NotTrustworthyError(ended.stderr)
    # A batch whose time is up is no fault of the case that it came to.
    half = find_half(files.events, files.outputs) if ended.over_limit else Half()
    cut = ""
    if half.ended:
        cut_back(files.events, half)
        cut, ended = half.cut, replace(ended, exit_code=None, timed_out=False)
    return ProgramRun.ended(task.assignment, ended, files, files.digests(), device, cut)


def _place(campaign: Campaign, task: Task, files: ProcessFiles) -> None:
    """Write the case file, and make room for events and outputs where there are none."""
    pairs = ((case, campaign.references[case.id]) for case in task.batch.cases)
    text = case_file_text(
        campaign.specs, task.batch.operator, pairs, campaign.nonce, campaign.asked.timings
    )
    write_text(files.cases, text)
    try:
        for path in (files.events, files.outputs):
            path.parent.mkdir(exist_ok=True)
            # An interrupted attempt's record would hide that this one grows.
            path.unlink(missing_ok=True)
    except OSError as error:
        raise explain(error, campaign.folder) from None


def _command(campaign: Campaign, task: Task, files: ProcessFiles, device: int) -> list[str]:
    return [
        str(campaign.programs / task.batch.operator),
        "--cases", str(files.cases),
        "--data", str(campaign.store),
        "--events", str(files.events),
        "--outputs", str(files.outputs),
        "--device", str(device),
        "--timeout-ms", str(int(campaign.asked.case_seconds * 1000)),
    ]  # fmt: skip


def _environment(campaign: Campaign) -> dict[str, str]:
    environment = {**os.environ, RUNNER: str(os.getpid())}
    if campaign.toolkit.kind == "simulator":
        product = campaign.specs.product(campaign.product)
        environment["ACLNN_SIM_SOC"] = product.simulated_soc
        environment["ACLNN_SIM_EDITION"] = campaign.specs.edition
    # The programs may have been linked with another device's libraries of the same names.
    return loader_environment(campaign.toolkit, environment)
