# SPDX-License-Identifier: Apache-2.0
"""Events that a program writes, and the records of its cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from aclnn_cts.plan.cases import ExecutionVariant
from aclnn_cts.run.process import read_record
from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.validation_messages import duplicate_key, json_damage


class DeviceEvent(Strict):
    """The program's facts about the device, and its case file's nonce; the first line."""

    event: Literal["device"]
    soc: str
    cann: str
    inf_nan: bool | None
    nonce: str


class BeginEvent(Strict):
    """Written before the case starts; after a crash it is the case's last line."""

    event: Literal["begin"]
    case: str


class _StatusEvent(Strict):
    case: str
    run: int
    status: int
    message: str


class _SideCallEvent(_StatusEvent):
    """One phase of a call beside the measured one; its operator is empty if it is the measured."""

    phase: int
    operator: str = ""


class ProducerEvent(_SideCallEvent):
    """A phase of the operator that produces an input."""

    event: Literal["producer"]


class OtherEvent(_SideCallEvent):
    """A phase of an operator that runs before the runs ``after-others`` and ``among-others``."""

    event: Literal["other"]


class DecoyEvent(_SideCallEvent):
    """A phase of another call of the measured operator, made beside the recorded one.

    If only waiting for the stream failed, its status is that of phase two.
    """

    event: Literal["decoy"]


class NotRepeatableEvent(_StatusEvent):
    """The executor could not be set repeatable; the run ended there."""

    event: Literal["not-repeatable"]


class UnmadeEvent(_StatusEvent):
    """A function failed that a run needs; the run ended there.

    Attributes:
        status: What it returned; -1 if the toolkit lacks it.
        promised: Whether its page promises that it succeeds.
    """

    event: Literal["unmade"]
    function: str
    promised: bool


class _LaunchEvent(Strict):
    """A phase of one launch of the call under test.

    ``launch`` is 0 for one that only prepares the one that is recorded, in the same run.
    """

    case: str
    run: int
    launch: Literal[0, 1] = 1

    @property
    def prepares(self) -> bool:
        """Whether the launch is not the recorded one."""
        return self.launch == 0


class PhaseOneEvent(_LaunchEvent):
    """The outcome of aclnnXGetWorkspaceSize; times in microseconds, workspace in bytes.

    ``workspace`` is null if the function did not set it.
    """

    event: Literal["phase1"]
    status: int
    workspace: int | None
    microseconds: float
    message: str


class PhaseTwoEvent(_LaunchEvent):
    """The outcome of aclnnX and of the stream's synchronisation; times in microseconds."""

    event: Literal["phase2"]
    status: int
    synchronize: int
    microseconds: float
    device_microseconds: float | None
    message: str


class MemoryEvent(_LaunchEvent):
    """Memory that must not change, but did."""

    event: Literal["memory"]
    tensor: str
    kind: Literal["guard-front", "guard-rear", "slack", "gap", "input", "output-touched", "retired"]
    first: int
    count: int
    unit: Literal["byte", "element"]


class HandleEvent(_LaunchEvent):
    """A property of a tensor handle that the call changed."""

    event: Literal["handle"]
    tensor: str
    what: Literal["shape", "strides", "storage", "offset", "format", "data-type"]


class CallsEvent(Strict):
    """Many equal calls in a row, compared with the first.

    Attributes:
        different: Number of calls with another status or other results.
        first: Number of the first of them, from 1; 0 if there is none.
        device_grown: Bytes by which the use of memory has grown, if it did with every look.
        host_grown: Likewise.
    """

    event: Literal["calls"]
    case: str
    run: int
    made: int
    different: int
    first: int
    device_grown: int
    host_grown: int


class RuntimeEvent(Strict):
    """A runtime function that does not do what its page says."""

    event: Literal["runtime"]
    case: str
    run: int
    function: str
    what: str


class OutputEvent(_LaunchEvent):
    """Where in the outputs file the view elements of an output are.

    ``sha256`` is the digest of elements that were not kept, because the case passed.
    """

    event: Literal["output"]
    tensor: str
    offset: int
    bytes: int
    sha256: str = ""


class RepeatEvent(_LaunchEvent):
    """Comparison of an output with that of the first run, and elements that neither run wrote.

    ``again`` is the run's execution variant; None for the second ordinary run. ``missing_before``
    and ``missing`` count elements that hold the poison of their run in the first run alone, and in
    this one alone.
    """

    event: Literal["repeat"]
    again: ExecutionVariant | None = None
    tensor: str
    different: int
    first: int
    unwritten: int
    unwritten_first: int
    missing_before: int = 0
    missing: int = 0


class TimingEvent(Strict):
    """Device times of timed launches; null where unknown."""

    event: Literal["timing"]
    case: str
    microseconds: tuple[float | None, ...]


class ErrorEvent(_StatusEvent):
    """A runtime call outside the operator failed; the case ended there."""

    event: Literal["error"]
    what: str


class EndEvent(Strict):
    """The case is over."""

    event: Literal["end"]
    case: str
    microseconds: float


class FinishedEvent(Strict):
    """The program went through all its cases; the last line."""

    event: Literal["finished"]
    cases: int


CaseEvent = (
    ProducerEvent
    | OtherEvent
    | DecoyEvent
    | NotRepeatableEvent
    | UnmadeEvent
    | PhaseOneEvent
    | PhaseTwoEvent
    | MemoryEvent
    | HandleEvent
    | CallsEvent
    | RuntimeEvent
    | OutputEvent
    | RepeatEvent
    | ErrorEvent
)
Event = Annotated[
    DeviceEvent | BeginEvent | CaseEvent | TimingEvent | EndEvent | FinishedEvent,
    Field(discriminator="event"),
]
_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))


@dataclass
class CaseRecord:
    """The record of one case.

    Attributes:
        events: The case's events in order.
        ended: Whether the case has an ``end`` line.
        microseconds: Time of the whole case on the host.
        timings: Device times of timed launches, in microseconds.
        begun: How many times the case was begun (more than once is a damaged record).
    """

    case: str
    events: list[CaseEvent] = field(default_factory=list)
    ended: bool = False
    microseconds: float = 0.0
    timings: tuple[float, ...] = ()
    begun: int = 1


@dataclass
class ProgramRecord:
    """The record of one program.

    Attributes:
        device: Its facts about the device; None if it did not reach one.
        finished: Whether it completed all cases.
        damaged: Damaged lines as ``LINE: reason``, including a cut-off last line.
    """

    device: DeviceEvent | None = None
    cases: dict[str, CaseRecord] = field(default_factory=dict)
    finished: bool = False
    damaged: list[str] = field(default_factory=list)


def read_events(path: Path) -> ProgramRecord:
    """Read a program's events file; a missing file gives an empty record."""
    record = ProgramRecord()
    if not path.is_file():
        return record
    for number, line in enumerate(read_record(path).splitlines(keepends=True), start=1):
        try:
            event = _ADAPTER.validate_json(line)
            damage = duplicate_key(line)
        except ValidationError as error:
            damage = json_damage(error, "the line")
        if damage:
            record.damaged.append(f"{number}: {damage}")
        else:
            _note(event, record)
    return record


def _note(event: Event, record: ProgramRecord) -> None:
    if isinstance(event, DeviceEvent):
        record.device = event
    elif isinstance(event, FinishedEvent):
        record.finished = True
    elif isinstance(event, BeginEvent):
        known = record.cases.get(event.case)
        if known is None:
            record.cases[event.case] = CaseRecord(event.case)
        else:
            known.begun += 1
    else:
        case = record.cases.setdefault(event.case, CaseRecord(event.case, begun=0))
        if isinstance(event, EndEvent):
            case.ended, case.microseconds = True, event.microseconds
        elif isinstance(event, TimingEvent):
            case.timings = tuple(time for time in event.microseconds if time is not None)
        else:
            case.events.append(event)
