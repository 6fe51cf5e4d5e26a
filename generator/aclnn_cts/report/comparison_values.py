# SPDX-License-Identifier: Apache-2.0
"""What a comparison of two judged runs finds; plain values, the same for every form of output.

Also from where on a difference between two runs is news, which news ends with exit status 1, and
whether two runs can be compared at all.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.clauses import ClauseState
from aclnn_cts.report.document import ResultsDocument
from aclnn_cts.report.waiver_states import WaiverOutcome, stale_waivers

Gate: TypeAlias = Literal["failing", "unproven", "otherwise", "gone", "accuracy", "time"]
"""What can end a comparison with exit status 1."""

GATES: tuple[Gate, ...] = get_args(Gate)


@dataclass(frozen=True)
class Options:
    """From where on a difference is news.

    Attributes:
        accuracy_factor: An error has drifted if it is more than so many times BASE's …
        accuracy_floor: … and differs from it by more than this, in ulps of the output's type.
        time_factor: A time has drifted if it is, beyond chance, more than so many times BASE's …
        time_floor: … and the medians differ by more than this, in microseconds: events of the
            runtime tell no finer times.
        significance: The chance, at most, that any drift in time is reported where no case is
            slower by the factor; over all cases together, and over all groups together.
        gate: What ends the comparison with exit status 1; None for all of it, but time only if a
            card ran the cases: what plays the simulated device shares its host with others.
        enforce: Whether a requirement that is not enforced any more counts as a failure.
    """

    accuracy_factor: float = 1.5
    accuracy_floor: float = 0.1
    time_factor: float = 1.1
    time_floor: float = 0.5
    significance: float = 0.01
    gate: tuple[Gate, ...] | None = None
    enforce: bool = False


ChangeKind: TypeAlias = Literal[
    "newly-failing",
    "newly-unproven",
    "fails-otherwise",
    "changed",
    "newly-passing",
    "gone",
    "came",
]
"""What became of a case, in this order: it breaks a promise, and did not in BASE, or was not in it,
or was waived there; it proved something, and proves nothing any more; it breaks a promise still,
but with another verdict or a clause more; its verdict, its clauses or its waiver changed in any
other way; it broke a promise, and passes; it is in BASE only; it is in NEW only, and breaks
nothing."""

Direction: TypeAlias = Literal["worse", "better"]

SIMULATED = "simulator"
"""Kind of the device that needs no card."""

_GATE_OF: Mapping[ChangeKind, Gate] = {
    "newly-failing": "failing",
    "newly-unproven": "unproven",
    "fails-otherwise": "otherwise",
    "gone": "gone",
}


@dataclass(frozen=True)
class Side:
    """One of the two runs.

    Attributes:
        kind: ``simulator`` or ``hardware``.
        product: The product whose promises were tested.
        soc: The SoC that ran it.
        cann: The version of CANN, as far as it is known.
        tier: The tier.
        started: When it began.
        cases: How many cases it holds.
        failing: How many of them break a promise and are not waived.
        waived: How many of them break a promise and are waived.
        problems: What was wrong with its record.
    """

    kind: str
    product: str
    soc: str
    cann: str
    tier: str
    started: str
    cases: int
    failing: int
    waived: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """A fact about both runs that is not the same; empty where it is not known."""

    name: str
    base: str
    new: str


@dataclass(frozen=True)
class CaseChange:
    """What became of a case.

    Attributes:
        case: The case's id.
        operator: The operator's name.
        dtype: Data type of the operator's first tensor.
        kind: In one word.
        base: Its verdict in BASE; None if it is not in it.
        new: Its verdict in NEW; None if it is not in it.
        base_broken: The clauses that it broke in BASE, most specific first.
        new_broken: Those that it breaks in NEW.
        message: NEW's sentence about it; empty for a pass.
        waiver: Id of the waiver that holds for it in NEW, if one does.
        base_unenforced: The requirements that the device did not enforce in BASE.
        new_unenforced: Those that it does not enforce in NEW.
    """

    case: str
    operator: str
    dtype: str
    kind: ChangeKind
    base: Verdict | None
    new: Verdict | None
    base_broken: tuple[str, ...]
    new_broken: tuple[str, ...]
    message: str
    waiver: str | None
    base_unenforced: tuple[str, ...] = ()
    new_unenforced: tuple[str, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that it is about in NEW, else those in BASE."""
        return self.new_broken or self.new_unenforced or self.base_broken or self.base_unenforced

    @property
    def gate(self) -> Gate | None:
        """The gate that it is held against; None if it is no worse than before, or is waived."""
        return None if self.waiver is not None else _GATE_OF.get(self.kind)


@dataclass(frozen=True)
class AccuracyDrift:
    """An error that grew or shrank.

    Attributes:
        case: The case's id; None for all cases of the operator and data type.
        operator: The operator's name.
        dtype: Data type of the operator's first tensor.
        figure: ``worst`` is the largest error, ``mean`` the mean of the absolute errors.
        base: Its size in BASE, in ulps of the output's type.
        new: Its size in NEW.
        direction: ``worse`` if it grew.
    """

    case: str | None
    operator: str
    dtype: str
    figure: Literal["worst", "mean"]
    base: float
    new: float
    direction: Direction


@dataclass(frozen=True)
class TimeDrift:
    """A time on the device that grew or shrank, beyond chance.

    Attributes:
        case: The case's id; None for all cases of the operator and data type.
        operator: The operator's name.
        dtype: Data type of the operator's first tensor.
        base: Median in BASE, in microseconds; of a group the median over its cases' medians.
        new: The same in NEW.
        ratio: Of a case, that of the medians; of a group the median over its cases' ratios.
        p_value: How probable at least so large a difference is without a drift by the factor,
            corrected for the number of cases or groups that were tested.
        samples: Launches in BASE and in NEW; of a group its cases, twice.
        direction: ``worse`` if it is slower.
    """

    case: str | None
    operator: str
    dtype: str
    base: float
    new: float
    ratio: float
    p_value: float
    samples: tuple[int, int]
    direction: Direction


@dataclass(frozen=True)
class Tested:
    """How many times could be compared.

    Attributes:
        cases: Cases with enough launches on both sides.
        groups: Operators and data types with enough cases.
    """

    cases: int = 0
    groups: int = 0


@dataclass(frozen=True)
class ClauseChange:
    """What became of a clause; the tuples hold ids of cases.

    Attributes:
        operator: The operator's name.
        clause: The clause's id.
        text: What it says.
        place: Where in the documents it stands.
        base: BASE's verdict on it; None if BASE does not know it.
        new: NEW's verdict on it; None if NEW does not know it.
        newly_failing: Cases that break it, and did not.
        newly_passing: Cases that broke it, and do not any more.
        gone: Cases that tested it and are not in NEW.
        came: Cases that test it and were not in BASE.
        accuracy: Cases that test it and whose errors grew.
        time: Cases that test it and became slower.
    """

    operator: str
    clause: str
    text: str
    place: str
    base: ClauseState | None
    new: ClauseState | None
    newly_failing: tuple[str, ...] = ()
    newly_passing: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    accuracy: tuple[str, ...] = ()
    time: tuple[str, ...] = ()

    @property
    def is_news(self) -> bool:
        """Whether its verdict changed, or that of a case about it."""
        return self.base != self.new or bool(self.newly_failing or self.newly_passing)


@dataclass(frozen=True)
class RunComparison:
    """What differs between two judged runs.

    Attributes:
        base: The earlier run.
        new: The later run.
        options: From where on a difference is news.
        differences: What was not the same about both runs.
        notes: What to keep in mind, each a sentence.
        waivers: NEW's waivers, and what became of each.
        cases: The cases whose verdict, clauses or waiver changed, and those that came or went.
        accuracy: Errors that drifted, of groups and of cases.
        tested: How many times could be compared.
        times: Times that drifted, of groups and of cases.
        clauses: The clauses for which anything changed.
    """

    base: Side
    new: Side
    options: Options
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    waivers: tuple[WaiverOutcome, ...]
    cases: tuple[CaseChange, ...]
    accuracy: tuple[AccuracyDrift, ...]
    tested: Tested
    times: tuple[TimeDrift, ...]
    clauses: tuple[ClauseChange, ...]

    def of_kind(self, kind: ChangeKind) -> tuple[CaseChange, ...]:
        """Return the changes of one kind."""
        return tuple(change for change in self.cases if change.kind == kind)

    @property
    def stale(self) -> tuple[str, ...]:
        """NEW's waivers that would hide a failure that came back, each with a sentence."""
        return stale_waivers(self.waivers)

    @functools.cached_property
    def worse(self) -> Mapping[Gate, int]:
        """How much got worse, by gate, whether it is asked for or not; without what is 0."""
        return Counter(self._worse())

    def _worse(self) -> Iterator[Gate]:
        yield from filter(None, (change.gate for change in self.cases))
        for drift in self.accuracy:
            if drift.direction == "worse":
                yield "accuracy"
        for time in self.times:
            if time.direction == "worse":
                yield "time"

    @property
    def gates(self) -> tuple[Gate, ...]:
        """What ends the comparison with exit status 1."""
        if self.options.gate is not None:
            return self.options.gate
        return tuple(gate for gate in GATES if gate != "time" or self.new.kind != SIMULATED)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status: 1 if anything got worse that is asked for.

        3 if a run's record has problems, or a waiver would hide a failure that came back.
        """
        if any(self.worse.get(gate) for gate in self.gates):
            return ExitCode.BROKEN_PROMISE
        if self.base.problems or self.new.problems or self.stale:
            return ExitCode.NOT_TRUSTWORTHY
        return ExitCode.PASSED


_DIGEST_SHOWN = 12
"""Digits of a digest that a person reads."""

_OF_CANN = ("libascendcl", "libnnopbase", "libopapi")
"""How the names of CANN's libraries begin that each run records, be it a kit's or not."""


def require_comparable(base: ResultsDocument, new: ResultsDocument) -> None:
    """Refuse two runs whose verdicts say nothing about each other.

    Raises:
        NotTrustworthyError: They are about different products, were judged by different standards,
            one of them is empty, or they have no case in common.
    """
    if base.device.product != new.device.product:
        raise NotTrustworthyError(
            f"BASE is about {base.device.product}, NEW about {new.device.product}: they promise "
            "different things; compare runs of one product"
        )
    if base.standard != new.standard:
        raise NotTrustworthyError(
            f"BASE was judged by the standard {base.standard}, NEW by {new.standard}; judge one of "
            f"them again: `aclnn-cts judge FOLDER --standard {base.standard}`"
        )
    for name, side in (("BASE", base), ("NEW", new)):
        if not side.cases:
            raise NotTrustworthyError(f"{name} holds no cases; nothing was tested in it")
    if not {case.id for case in base.cases} & {case.id for case in new.cases}:
        raise NotTrustworthyError(
            "BASE and NEW have no case in common; compare runs of the same operators and tier"
        )


def side_of(document: ResultsDocument) -> Side:
    """Return what there is to say about one of the runs."""
    failing = [case for case in document.cases if case.verdict.breaks_promise]
    waived = sum(case.waiver is not None for case in failing)
    return Side(
        kind=document.device.kind,
        product=document.device.product,
        soc=document.device.soc,
        cann=document.device.cann,
        tier=document.tier,
        started=document.started,
        cases=len(document.cases),
        failing=len(failing) - waived,
        waived=waived,
        problems=document.problems,
    )


def differences(base: ResultsDocument, new: ResultsDocument) -> tuple[Difference, ...]:
    """Return what was not the same about both runs, what counts most first.

    A library that only one of them names counts if it is CANN's: a kit records no others.
    """
    before, after = ({**dict(_facts(side)), **_shown(_libraries(side))} for side in (base, new))
    alone = _libraries(base).keys() ^ _libraries(new).keys()
    return tuple(
        Difference(name, before.get(name, ""), after.get(name, ""))
        for name in {**before, **after}
        if before.get(name, "") != after.get(name, "")
        and (name not in alone or name.startswith(_OF_CANN))
    )


def _facts(document: ResultsDocument) -> Iterator[tuple[str, str]]:
    device, environment = document.device, document.environment
    yield "CANN", device.cann
    yield "toolkit", environment.toolkit_version
    yield "driver", environment.driver
    yield "firmware", environment.firmware
    yield "device", device.kind
    yield "fault", device.fault
    yield "variant", device.variant
    yield "SoC", device.soc
    yield "tier", document.tier
    yield "edition", document.edition
    yield "suite", document.suite.version
    yield "specs", document.suite.specs_sha256[:_DIGEST_SHOWN]
    yield "host", environment.host
    yield "architecture", environment.architecture
    yield "compiler", environment.compiler
    yield "devices", ",".join(map(str, environment.devices))


def _shown(libraries: Mapping[str, str]) -> dict[str, str]:
    return {name: digest[:_DIGEST_SHOWN] for name, digest in libraries.items()}


def notes(base: ResultsDocument, new: ResultsDocument) -> Iterator[str]:
    """Yield what to keep in mind about the comparison, each a sentence."""
    if base == new:
        yield "BASE and NEW hold the same results"
    if base.suite != new.suite:
        yield "the suites differ: cases came or went with their specs, and may be judged otherwise"
    if base.tier != new.tier:
        yield f"BASE is of the tier {base.tier}, NEW of {new.tier}: cases come or go with the tier"
    if base.edition != new.edition:
        yield (
            f"BASE tests the edition {base.edition}, NEW {new.edition}: "
            f"`aclnn-cts diff --edition {base.edition} --edition {new.edition}` says what differs"
        )
    if new.device.kind == SIMULATED and any(case.device_microseconds for case in new.cases):
        yield (
            "times are those of the simulated device, which shares its host with others: they end "
            "no gate but `--gate time`"
        )
    yield from _launches_differ(base, new)
    if _libraries(base) and _libraries(base) == _libraries(new):
        yield "both runs used the very same libraries, byte for byte"
    for name, side in (("BASE", base), ("NEW", new)):
        for problem in side.problems:
            yield f"{name} is not trustworthy: {problem}"


def _launches_differ(base: ResultsDocument, new: ResultsDocument) -> Iterator[str]:
    before, after = (
        max((len(case.device_microseconds) for case in side.cases), default=0)
        for side in (base, new)
    )
    if before and after and before != after:
        yield (
            f"BASE timed {before} launches of a case, NEW {after}: the smaller number bounds what "
            "can be seen; give both runs the same --timings"
        )


def _libraries(document: ResultsDocument) -> Mapping[str, str]:
    return {library.name: library.sha256 for library in document.environment.libraries}


def untimed(base: ResultsDocument, new: ResultsDocument) -> str:
    """Return why the times of two runs say nothing about each other; empty if they do."""
    first, second = base.device, new.device
    if (first.kind, first.soc) == (second.kind, second.soc):
        return ""
    return (
        f"times are not compared: BASE ran on {first.kind} {first.soc}, "
        f"NEW on {second.kind} {second.soc}"
    )
