# SPDX-License-Identifier: Apache-2.0
"""Comparison of two judged runs: changed cases and clauses, and gates.

It uses only the content of two results files.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from pydantic import computed_field

from aclnn_cts.errors import ExitCode, NotTrustworthyError, counted
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.drift import (
    AccuracyDrift,
    AccuracySums,
    Tested,
    Thresholds,
    TimeDrift,
    TimeDrifts,
    TimeSums,
)
from aclnn_cts.report.view import run_facts
from aclnn_cts.results.cases import CaseEntry, CaseFile, Cases, Entry
from aclnn_cts.results.document import ClauseState, ResultsDocument, WaiverOutcome, stale_waivers

Gate: TypeAlias = Literal["failing", "unproven", "otherwise", "gone", "accuracy", "time"]
"""Gates of a comparison."""

GATES: tuple[Gate, ...] = get_args(Gate)


@dataclass(frozen=True)
class Options(Thresholds):
    """Minimum sizes of a drift, and which changes count.

    Attributes:
        gate: The gates that cause exit status 1; None for all, but time only if a card ran the
            cases, because the simulated device shares its host with other programs.
        enforce: Whether a requirement that is no longer enforced counts as a failure.
    """

    gate: tuple[Gate, ...] | None = None
    enforce: bool = False


ChangeKind: TypeAlias = Literal[
    "newly-failing", "newly-unproven", "fails-otherwise", "changed", "newly-passing", "gone", "came"
]
"""Changes of a case: it breaks a promise, and in BASE did not, was absent or waived; it no longer
proves anything; it still breaks a promise, but with another verdict or a further clause; its
verdict, clauses or waiver changed in any other way; it broke a promise, and passes; it is only in
BASE; it is only in NEW, and breaks nothing."""


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
        cann: The version of CANN, if known.
        started: When it began.
        failing: Number of cases that break a promise and are not waived.
        waived: Number of cases that break a promise and are waived.
        problems: Problems of its record.
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
    """A fact that differs between the runs; unknown values are empty."""

    name: str
    base: str
    new: str


@dataclass(frozen=True)
class CaseChange:
    """The change of a case.

    Attributes:
        dtype: Data type of the operator's first tensor.
        kind: In one word.
        base: Its verdict in BASE; None if absent.
        new: Its verdict in NEW; None if absent.
        base_broken: Broken clauses in BASE, most specific first.
        new_broken: Broken clauses in NEW.
        message: Its message in NEW; empty for a pass.
        waiver: Id of its waiver in NEW, if any.
        base_unenforced: Unenforced requirements in BASE.
        new_unenforced: Unenforced requirements in NEW.
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
        """The clauses of the change, in NEW or else in BASE."""
        return self.new_broken or self.new_unenforced or self.base_broken or self.base_unenforced

    @property
    def gate(self) -> Gate | None:
        """The gate that counts it; None if it is not worse, or waived."""
        return None if self.waiver is not None else _GATE_OF.get(self.kind)


@dataclass(frozen=True)
class ClauseChange:
    """The change of a clause; the tuples hold ids of cases.

    Attributes:
        base: Its verdict in BASE; None if absent.
        new: Its verdict in NEW; None if absent.
        newly_failing: Cases that newly break it.
        newly_passing: Cases that no longer break it.
        gone: Cases that tested it and are absent in NEW.
        came: Cases that test it and were absent in BASE.
        accuracy: Cases that test it with grown errors.
        time: Cases that test it with grown times.
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
        """Whether its verdict or that of one of its cases changed."""
        return self.base != self.new or bool(self.newly_failing or self.newly_passing)


ComparisonFormat: TypeAlias = Literal["aclnn-cts/comparison/1"]


class RunComparison(Entry):
    """The differences of two judged runs, also as one JSON document.

    Attributes:
        options: The thresholds and gates.
        differences: Differences between the runs.
        notes: Notes for the reader.
        waivers: NEW's waivers with their states.
        cases: The changed cases, and those that came or went.
        accuracy: Drifts of errors, of groups and of cases.
        tested: Number of compared times.
        times: Drifts of times, of groups and of cases.
        clauses: The changed clauses.
    """

    format: ComparisonFormat = "aclnn-cts/comparison/1"
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
        return tuple(change for change in self.cases if change.kind == kind)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def stale(self) -> tuple[str, ...]:
        """NEW's waivers that would hide a recurring failure, with messages."""
        return stale_waivers(self.waivers)

    @computed_field  # type: ignore[prop-decorator]
    @functools.cached_property
    def worse(self) -> dict[Gate, int]:
        """Numbers of regressions by gate, requested or not, without zeros."""
        counts: Counter[Gate] = Counter(filter(None, (change.gate for change in self.cases)))
        counts["accuracy"] = sum(drift.direction == "worse" for drift in self.accuracy)
        counts["time"] = sum(drift.direction == "worse" for drift in self.times)
        return {gate: count for gate, count in counts.items() if count}

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates that cause exit status 1."""
        if self.options.gate is not None:
            return self.options.gate
        return tuple(gate for gate in GATES if gate != "time" or self.new.kind != SIMULATED)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def exit_status(self) -> ExitCode:
        """The exit status: 1 if a requested gate counts a regression.

        3 if a run's record has problems, or a waiver would hide a recurring failure.
        """
        if any(self.worse.get(gate) for gate in self.gates):
            return ExitCode.BROKEN_PROMISE
        if self.base.problems or self.new.problems or self.stale:
            return ExitCode.NOT_TRUSTWORTHY
        return ExitCode.PASSED


def compare_results(
    base: ResultsDocument, new: ResultsDocument, options: Options | None = None
) -> RunComparison:
    """Return the changes of cases and clauses between two runs.

    Args:
        base: The earlier run.
        new: The later run.
        options: The thresholds and gates; None for the defaults.

    Raises:
        NotTrustworthyError: The runs cannot be compared.
    """
    chosen = options or Options()
    require_comparable(base, new)
    reason = _untimed(base, new)
    changes = _Changes(chosen, timed=not reason)
    for before, after in pair_cases(base.cases, new.cases):
        changes.add(before, after)
    if not changes.common:
        raise NotTrustworthyError(
            "BASE and NEW have no case in common; compare runs of the same operators and tier"
        )
    accuracy = changes.accuracy.drifts()
    times = TimeDrifts((), Tested(), reason) if reason else changes.times.drifts()
    return RunComparison(
        base=_side(base),
        new=_side(new),
        options=chosen,
        differences=_differences(base, new),
        notes=(*_notes(base, new, changes), *filter(None, [times.note])),
        waivers=new.waivers,
        cases=(*changes.gone, *changes.cases),
        accuracy=accuracy,
        tested=times.tested,
        times=times.drifts,
        clauses=_clause_changes(base, new, changes, accuracy, times.drifts),
    )


def pair_cases(base: Cases, new: Cases) -> Iterator[tuple[CaseEntry | None, CaseEntry | None]]:
    """Yield each case of NEW with that of the same id in BASE, then those only in BASE."""
    base_cases = CaseFile.of(base)
    unpaired = bytearray(b"\1") * len(base_cases)
    for after in new:
        match = base_cases.find(after.id)
        if match is not None:
            unpaired[match[0] - 1] = 0
        yield (match[1] if match else None), after
    if any(unpaired):
        yield from ((before, None) for place, before in enumerate(base_cases) if unpaired[place])


class _Changes:
    """Collects changes between the cases of two runs.

    Attributes:
        launches: The largest number of timed launches of a case in BASE, and in NEW.
    """

    def __init__(self, options: Options, *, timed: bool) -> None:
        self._options = options
        self._timed = timed
        self.launches = [0, 0]
        self.common = 0
        self.cases: list[CaseChange] = []
        self.gone: list[CaseChange] = []
        self.clauses: dict[_Key, defaultdict[str, list[str]]] = {}
        self.accuracy = AccuracySums(options)
        self.times = TimeSums(options)

    def add(self, base: CaseEntry | None, new: CaseEntry | None) -> None:
        for side, case in enumerate((base, new)):
            if case is not None:
                self.launches[side] = max(self.launches[side], len(case.device_microseconds))
        if new is not None:
            kind = _kind(base, new, enforce=self._options.enforce)
            if kind is not None:
                self.cases.append(_change(kind, new, base, new))
        elif base is not None:
            self.gone.append(_change("gone", base, base, None))
        if base is not None and new is not None:
            self._add_both(base, new)
        else:
            self._add_one(base, new)

    def _add_both(self, base: CaseEntry, new: CaseEntry) -> None:
        self.common += 1
        # the error of a case that breaks a promise is no accuracy, whether it is waived or not
        if not (base.verdict.breaks_promise or new.verdict.breaks_promise):
            self.accuracy.add((base, new))
            if self._timed:
                self.times.add((base, new))
        before, now = ({(each.operator, name) for name in each.broken} for each in (base, new))
        for key in now - before:
            self._note(key, "newly_failing", new)
        for key in before - now:
            self._note(key, "newly_passing", new)

    def _add_one(self, base: CaseEntry | None, new: CaseEntry | None) -> None:
        for case in filter(None, (base, new)):
            for key in tested_by(case):
                self._note(key, "gone" if new is None else "came", case)
                if new is not None and key[1] in case.broken:
                    self._note(key, "newly_failing", case)

    def _note(self, key: _Key, what: str, case: CaseEntry) -> None:
        self.clauses.setdefault(key, defaultdict(list))[what].append(case.id)


def _breaks(entry: CaseEntry) -> bool:
    return entry.verdict.breaks_promise


_DIGEST_SHOWN = 12
"""Number of digits of a shown digest."""

OF_CANN = ("libascendcl", "libnnopbase", "libopapi")
"""Prefixes of CANN's libraries, which all runs record; they distinguish builds."""


def require_comparable(base: ResultsDocument, new: ResultsDocument) -> None:
    """Refuse runs that cannot be compared.

    Raises:
        NotTrustworthyError: They are about different products, were judged by different standards,
            or one of them is empty.
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
        if not len(side.cases):
            raise NotTrustworthyError(f"{name} holds no cases; nothing was tested in it")


def _side(document: ResultsDocument) -> Side:
    """Return the summary of one of the runs."""
    return Side(
        kind=document.device.kind,
        product=document.device.product,
        soc=document.device.soc,
        cann=document.device.cann,
        tier=document.tier,
        started=document.started,
        cases=len(document.cases),
        failing=sum(document.totals.get(v.value, 0) for v in Verdict if v.breaks_promise),
        waived=document.totals.get("waived", 0),
        problems=document.problems,
    )


def _differences(base: ResultsDocument, new: ResultsDocument) -> tuple[Difference, ...]:
    """Return the differences between both runs, the most important first.

    A library that only one of them names counts only if it is CANN's, because a kit records no
    others.
    """
    before, after = (
        {name: fact for name, fact in run_facts(side).items() if name not in _OWN}
        | {"specs": side.suite.specs_sha256[:_DIGEST_SHOWN]}
        | {f"waiver {waiver.id}": waiver.sha256[:_DIGEST_SHOWN] for waiver in side.waivers}
        | {name: digest[:_DIGEST_SHOWN] for name, digest in _libraries(side).items()}
        for side in (base, new)
    )
    alone = _libraries(base).keys() ^ _libraries(new).keys()
    return tuple(
        Difference(name, before.get(name, ""), after.get(name, ""))
        for name in {**before, **after}
        if before.get(name, "") != after.get(name, "")
        and (name not in alone or name.startswith(OF_CANN))
    )


_OWN = ("product", "toolkit", "standard", "started")
"""Facts that are equal in comparable runs, or always differ."""


def _notes(base: ResultsDocument, new: ResultsDocument, changes: _Changes) -> Iterator[str]:
    """Yield notes on the comparison."""
    if base == new:
        yield "BASE and NEW hold the same results"
    if base.suite != new.suite:
        yield "the suites differ: cases came or went with their specs, and may be judged otherwise"
    if base.tier != new.tier:
        yield f"BASE is of the tier {base.tier}, NEW of {new.tier}: cases come or go with the tier"
    if base.edition != new.edition:
        yield (
            f"BASE tests the edition {base.edition}, NEW {new.edition}; compare them with "
            f"`aclnn-cts coverage --against {base.edition} --edition {new.edition}`"
        )
    if names := {*base.contract_only, *new.contract_only}:
        yield (
            f"of {counted(len(names), 'operator')} one run or both tests the contract alone, so "
            "nothing is said about values"
        )
    if new.device.kind == SIMULATED and changes.launches[1]:
        yield (
            "times are those of the simulated device, which shares its host with others: they end "
            "no gate but `--gate time`"
        )
    yield from _launches_differ(*changes.launches)
    if _libraries(base) and _libraries(base) == _libraries(new):
        yield "both runs used the very same libraries, byte for byte"
    for name, side in (("BASE", base), ("NEW", new)):
        for problem in side.problems:
            yield f"{name} is not trustworthy: {problem}"


def _launches_differ(before: int, after: int) -> Iterator[str]:
    if before and after and before != after:
        yield (
            f"timed launches of a case: {before} in BASE, {after} in NEW: the smaller number "
            "bounds what can be seen; give both runs the same --timings"
        )


def _libraries(document: ResultsDocument) -> Mapping[str, str]:
    return {library.name: library.sha256 for library in document.environment.libraries}


def _untimed(base: ResultsDocument, new: ResultsDocument) -> str:
    """Return why the times of two runs cannot be compared, or ""."""
    first, second = base.device, new.device
    if (first.kind, first.soc) == (second.kind, second.soc):
        return ""
    return (
        f"times are not compared: BASE ran on {first.kind} {first.soc}, "
        f"NEW on {second.kind} {second.soc}"
    )


def _kind(base: CaseEntry | None, new: CaseEntry, *, enforce: bool) -> ChangeKind | None:
    """Return the change of a case in NEW; None if nothing changed."""
    if enforce and new.is_unenforced and not (base and (base.is_unenforced or _breaks(base))):
        return "newly-failing"
    if _breaks(new):
        return _among_failing(base, new) if base and _breaks(base) else "newly-failing"
    if base is None:
        return "came"
    if base.verdict is new.verdict:
        return None
    return _among_kept(base, new)


def _among_kept(base: CaseEntry, new: CaseEntry) -> ChangeKind:
    if new.is_unproven and not base.verdict.proves_nothing:
        return "newly-unproven"
    if _breaks(base) and new.verdict is Verdict.PASS:
        return "newly-passing"
    return "changed"


def _among_failing(base: CaseEntry, new: CaseEntry) -> ChangeKind | None:
    if base.waiver is not None and new.waiver is None:
        # its waiver is gone, so it newly fails
        return "newly-failing"
    if base.verdict is not new.verdict or set(new.broken) - set(base.broken):
        return "fails-otherwise"
    if base.waiver != new.waiver or set(base.broken) != set(new.broken):
        return "changed"
    return None


def _change(
    kind: ChangeKind, case: CaseEntry, base: CaseEntry | None, new: CaseEntry | None
) -> CaseChange:
    """Return the change of a case that at least one of the runs has."""
    return CaseChange(
        case=case.id,
        operator=case.operator,
        dtype=case.dtype,
        kind=kind,
        base=base.verdict if base else None,
        new=new.verdict if new else None,
        base_broken=base.broken if base else (),
        new_broken=new.broken if new else (),
        message=new.message if new else "",
        waiver=new.waiver if new else None,
        base_unenforced=base.unenforced if base else (),
        new_unenforced=new.unenforced if new else (),
    )


_Key: TypeAlias = tuple[str, str]
"""Operator and clause."""


def tested_by(case: CaseEntry) -> Iterable[_Key]:
    """Return the clauses that a case tests or breaks."""
    return ((case.operator, name) for name in dict.fromkeys((*case.broken, *case.exercised)))


def _clause_changes(
    base: ResultsDocument,
    new: ResultsDocument,
    changes: _Changes,
    accuracy: Iterable[AccuracyDrift],
    times: Iterable[TimeDrift],
) -> tuple[ClauseChange, ...]:
    """Return the changed clauses, in NEW's order."""
    before, after = base.by_clause, new.by_clause
    less_exact, slower = (
        _cases_by_clause(
            new, {drift.case for drift in drifts if drift.case and drift.direction == "worse"}
        )
        for drifts in (accuracy, times)
    )
    changed = []
    for key in {**after, **before}:
        described = after.get(key) or before[key]
        change = ClauseChange(
            operator=key[0],
            clause=key[1],
            text=described.text,
            place=described.place,
            base=before[key].verdict if key in before else None,
            new=after[key].verdict if key in after else None,
            **{name: tuple(cases) for name, cases in changes.clauses.get(key, {}).items()},
            accuracy=tuple(less_exact.get(key, ())),
            time=tuple(slower.get(key, ())),
        )
        if change.is_news or change.gone or change.came or change.accuracy or change.time:
            changed.append(change)
    return tuple(changed)


def _cases_by_clause(new: ResultsDocument, names: Set[str]) -> Mapping[_Key, Sequence[str]]:
    """Return cases by the clauses that they test."""
    cases: dict[_Key, list[str]] = {}
    for case in new.cases if names else ():
        if case.id in names:
            for key in tested_by(case):
                cases.setdefault(key, []).append(case.id)
    return cases
