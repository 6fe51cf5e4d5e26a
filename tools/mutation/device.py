# SPDX-License-Identifier: Apache-2.0
"""Calls on the simulated device, and what came back of them, bit by bit."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.judge.judge_run import reference_of
from aclnn_cts.judge.records import pair
from aclnn_cts.judge.verdicts import CaseVerdict, Reference, judge_case
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.run.events import CaseEvent, CaseRecord, OutputEvent, read_events
from aclnn_cts.run.executor import Campaign, run_in_turn
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

CASE_SECONDS = 5.0
"""Time that a stream is given; the unharmed device takes milliseconds."""

_NONCE = "0" * 32
"""Of each trial: it runs in a folder that is new and goes with it, so nothing old is near."""

_UNPROMISED = {"case", "microseconds", "device_microseconds", "message", "workspace", "offset"}
"""What of an event is no result: times, words, the size that is asked for, and places in files."""

_KEPT_REFERENCES = 400


@dataclass(frozen=True)
class Calls:
    """Calls of one product and edition that are made together.

    Attributes:
        name: For people: tier, product and edition.
        tier: ``smoke``, ``standard`` or ``random``.
        specs: The specs of the edition.
        product: The product's id.
        cases: The calls.
        data: Where the cases' data stand, by case id.
    """

    name: str
    tier: str
    specs: SpecSet
    product: str
    cases: tuple[Case, ...]
    data: Mapping[str, DataReference]


@dataclass
class Rig:
    """Programs and data, and what each call's result is held against.

    Attributes:
        programs: The folder of the programs.
        store: The folder of the input data.
    """

    programs: Path
    store: Path
    _references: dict[tuple[str, str], Reference] = field(default_factory=dict)

    def results(self, toolkit: Toolkit, calls: Calls) -> dict[str, str]:
        """Return a digest of what came back from each call, by case id."""
        with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
            return _digests(calls, self._run(toolkit, calls, Path(folder), threading.Event()))

    def differing(
        self, toolkit: Toolkit, calls: Calls, healthy: Mapping[str, str], seconds: float
    ) -> str:
        """Return the first call whose result differs; empty if none does, or if time is up."""
        with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
            with _deadline(seconds) as stop:
                found = _digests(calls, self._run(toolkit, calls, Path(folder), stop))
            return next((name for name in healthy if found.get(name) != healthy[name]), "")

    def noticed(
        self, toolkit: Toolkit, calls: Calls, healthy: Mapping[str, str], seconds: float
    ) -> str:
        """Return a call whose verdict is red, or ``time limit``; empty if all are green.

        Args:
            toolkit: The device under trial.
            calls: The calls to make.
            healthy: What comes back from the unharmed device: such results are not judged again.
            seconds: Time for all calls together.
        """
        with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
            with _deadline(seconds) as stop:
                programs = self._run(toolkit, calls, Path(folder), stop)
                if stop.is_set():
                    return "time limit"
            found = _digests(calls, programs)
            suspicious = [c for c in calls.cases if found.get(c.id) != healthy[c.id]]
            return next((c.id for c in suspicious if self._is_red(c, calls, programs)), "")

    def _run(
        self, toolkit: Toolkit, calls: Calls, folder: Path, stop: threading.Event
    ) -> tuple[ProgramRun, ...]:
        campaign = Campaign(
            calls.specs,
            calls.product,
            toolkit,
            self.programs,
            folder,
            self.store,
            calls.data,
            RunConfig(case_seconds=CASE_SECONDS),
            stop=stop,
            nonce=_NONCE,
        )
        return run_in_turn(campaign, calls.cases)

    def _is_red(self, case: Case, calls: Calls, programs: Sequence[ProgramRun]) -> bool:
        found = pair([case], programs, _NONCE).found[case.id]
        if not isinstance(found, CaseVerdict):
            reference = self._reference(case, calls)
            found = judge_case(calls.specs, case, reference, found, "strict")
        return found.verdict.breaks_promise or found.verdict.proves_nothing

    def _reference(self, case: Case, calls: Calls) -> Reference:
        key = (calls.name, case.id)
        if key not in self._references:
            if len(self._references) >= _KEPT_REFERENCES:
                self._references.clear()
            made = reference_of(calls.specs, case, self.store, calls.data.get(case.id))
            self._references[key] = made.kept()
        return self._references[key]


class _deadline:  # noqa: N801 - reads as a statement
    """Sets an event when time is up."""

    def __init__(self, seconds: float) -> None:
        self._event = threading.Event()
        self._timer = threading.Timer(seconds, self._event.set)

    def __enter__(self) -> threading.Event:
        self._timer.start()
        return self._event

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def _digests(calls: Calls, programs: Sequence[ProgramRun]) -> dict[str, str]:
    """Return a digest of each case's results: statuses, memory, and all bits of outputs."""
    cases = {case.id: case for case in calls.cases}
    found = {}
    for program in programs:
        outputs = program.outputs.read_bytes() if program.outputs.is_file() else b""
        for record in read_events(program.events).cases.values():
            found[record.case] = _digest(cases[record.case], record, outputs)
    return found


def _digest(case: Case, record: CaseRecord, outputs: bytes) -> str:
    digest = hashlib.sha256(f"{record.ended} {record.begun}".encode())
    for event in record.events:
        digest.update(_told(event).encode())
        if isinstance(event, OutputEvent):
            data = outputs[event.offset : event.offset + event.bytes]
            digest.update(_with_one_nan(case.tensor(event.tensor), data))
    return digest.hexdigest()


def _with_one_nan(tensor: TensorCase, data: bytes) -> bytes:
    """Return an output's bytes, all NaN as one: the compiler chooses their sign and payload."""
    kind = tensor.data_type.numpy
    if tensor.data_type.floating is None or len(data) % kind.itemsize:
        return data
    values = np.frombuffer(data, kind).copy()
    values[np.isnan(values)] = np.nan
    return values.tobytes()


def _told(event: CaseEvent) -> str:
    return event.model_dump_json(exclude=_UNPROMISED)
