# SPDX-License-Identifier: Apache-2.0
"""Selection of reruns and their results: confirmed, dependent on other cases, or flaky.

A case that broke a promise is run again alone, in a process that ran nothing before. If it breaks
one there, too, its verdict is confirmed. If it does not, the cases before it may be the cause: it
is rerun after the same cases, and, if it fails again, after fewer and fewer of them, until one is
left. If it does not fail again, its verdict is ``flaky``. Nothing is retried into a pass: each
rerun is recorded, and a verdict that breaks a promise never becomes one that does not.

A case that was running when its process was terminated from outside then runs alone in a new
process. It may have hung because of the cases before it. So if it passes, it is rerun after the
same cases, and a remark says that its first record was cut off.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import msgpack

from aclnn_cts.errors import counted
from aclnn_cts.judge.records import Pairing
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import Batch, Task
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.schedule import Purpose
from aclnn_cts.spec.clause_models import CALL_INDEPENDENCE

MOST_FAILS = 20
"""Maximum number of reruns per operator and broken clause, because more equal failures show nothing
new. All crashes and timeouts are rerun."""

REMARK = (
    "its process was terminated while it ran, with the run or at the batch's time limit; "
    "its first outcome is unknown"
)


@dataclass(frozen=True)
class Rerun:
    """A rerun of a case.

    Attributes:
        purpose: Whether alone or in company.
        company: Ids of the cases that run before it.
    """

    purpose: Purpose
    company: tuple[str, ...]
    verdict: CaseVerdict

    @property
    def breaks(self) -> bool:
        """Whether it broke a promise again."""
        return self.verdict.verdict.breaks_promise

    @property
    def keeps(self) -> bool:
        """Whether it kept all promises; False without a record."""
        return not self.breaks and self.verdict.verdict is not Verdict.MISSING


@dataclass
class Reruns:
    """The judged reruns of an operator.

    Attributes:
        by_case: The reruns of each case, by id, in order.
        bystanders: Cases that broke a promise when they were company, by id.
        problems: Problems of the records.
        programs: Number of processes.
    """

    by_case: dict[str, list[Rerun]] = field(default_factory=dict)
    bystanders: dict[str, CaseVerdict] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    programs: int = 0

    def add(self, program: ProgramRun, verdicts: Mapping[str, CaseVerdict]) -> None:
        """Add a process, with the verdicts on its cases by id."""
        self.programs += 1
        for name, verdict in verdicts.items():
            if name == program.about:
                rerun = Rerun(program.purpose, program.company, verdict)
                self.by_case.setdefault(name, []).append(rerun)
            elif verdict.verdict.breaks_promise:
                self.bystanders.setdefault(name, verdict)


@dataclass(frozen=True)
class Suspect:
    """A case to rerun.

    Attributes:
        first: The verdict on it by its batch.
        place: Its index among all cases of the run.
        before: Ids of the cases that ran before it in its process.
    """

    first: CaseVerdict
    place: int
    before: tuple[str, ...]


_PACKED = msgpack.Decoder(tuple[CaseVerdict, ...])


class Judged:
    """The verdicts of a run, each case by itself.

    Verdicts on suspects are kept, all others are packed into 90 bytes instead of 2,700.

    Attributes:
        suspects: The cases to rerun, by id, in the run's order.
        reruns: The reruns so far, by operator.
        problems: Problems of the batches' records.
    """

    def __init__(self) -> None:
        self.suspects: dict[str, Suspect] = {}
        self.reruns: dict[str, Reruns] = {}
        self.problems: list[str] = []
        self._packed: dict[str, bytes] = {}
        self._count = 0

    def add(
        self,
        operator: str,
        pairing: Pairing,
        verdicts: Sequence[CaseVerdict],
        reruns: Reruns,
        cut: Mapping[str, tuple[str, ...]],
    ) -> None:
        """Add the cases of an operator.

        Args:
            pairing: The records of its batches.
            verdicts: The batch's verdict on each case, in the run's order.
            cut: The result of :func:`interrupted_cases`.
        """
        suspected = {verdict.case for verdict in suspects_of(verdicts)}
        for place, first in enumerate(verdicts, start=self._count):
            if first.case in suspected or first.case in cut:
                is_cut = not first.verdict.breaks_promise
                before = cut[first.case] if is_cut else pairing.before(first.case)
                self.suspects[first.case] = Suspect(first, place, before)
        self.reruns[operator] = reruns
        self.problems += pairing.problems
        self._packed[operator] = zlib.compress(msgpack.encode(verdicts), 1)
        self._count += len(verdicts)

    def verdicts(self, operator: str) -> tuple[CaseVerdict, ...]:
        """Return the verdicts on the cases of an operator by their batches, in the run's order."""
        return _PACKED.decode(zlib.decompress(self._packed[operator]))

    def groups(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the groups of cases to rerun, by id, in order.

        Crashes come last, because they may cost the device.
        """
        crashes = tuple(
            n for n, each in self.suspects.items() if each.first.verdict is Verdict.CRASH
        )
        return tuple(name for name in self.suspects if name not in crashes), crashes

    def due(self, run: RunFolder, group: Sequence[str]) -> Iterator[Task]:
        """Yield the next rerun of each case that needs one.

        Args:
            run: The run, after all batches.
            group: One of :meth:`groups`.
        """
        for name in group:
            suspect = self.suspects[name]
            first, operator = suspect.first, suspect.first.operator
            reruns = self.reruns[operator].by_case.get(name, [])
            # a cut-off case has already run alone in a new process
            alone = [] if first.verdict.breaks_promise else [Rerun("alone", (), first)]
            company = next_company(suspect.before, [*alone, *reruns])
            if company is not None:
                planned = run.cases.of(operator)
                batch = f"{operator}-case{suspect.place:05}-again{len(reruns)}"
                cases = tuple(planned[each].case for each in (*company, name))
                yield Task(Batch(batch, operator, cases), "company" if company else "alone")


def interrupted_cases(
    programs: Iterable[ProgramRun], planned: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the cases that were cut off with their process, and the cases before each.

    A case that was cut off again in its new process had none before it.

    Args:
        programs: Processes of batches.
        planned: Ids of the cases that they may have run.
    """
    before: dict[str, tuple[str, ...]] = {}
    for program in programs:
        if program.cut in planned:
            begun = tuple(name for name in read_events(program.events).cases if name in planned)
            before[program.cut] = max(before.get(program.cut, ()), begun, key=len)
    return before


def suspects_of(verdicts: Sequence[CaseVerdict]) -> Iterator[CaseVerdict]:
    """Yield the cases to rerun."""
    counts: Counter[tuple[str, str]] = Counter()
    for verdict in verdicts:
        if verdict.verdict is Verdict.FAIL:
            counts[_kind(verdict)] += 1
            if counts[_kind(verdict)] <= MOST_FAILS:
                yield verdict
        elif verdict.verdict in (Verdict.CRASH, Verdict.TIMEOUT):
            yield verdict


def _kind(verdict: CaseVerdict) -> tuple[str, str]:
    return verdict.operator, next(iter(verdict.broken), "")


def next_company(before: Sequence[str], reruns: Sequence[Rerun]) -> tuple[str, ...] | None:
    """Return the cases to rerun together with a case; empty to run it alone, None when done.

    Args:
        before: Ids of the cases that ran before it in its process.
    """
    if not reruns:
        return ()
    if not _passes_alone(reruns):
        return None
    tried = _tries(reruns)
    company = tuple(before)
    if company and company not in tried:
        return company
    while len(company) > 1 and tried[company]:
        middle = len(company) // 2
        halves = company[middle:], company[:middle]  # the nearer one is the likelier cause
        unknown = next((half for half in halves if half not in tried), None)
        guilty = next((half for half in halves if tried.get(half)), None)
        if guilty is None:
            return unknown
        company = guilty
    return None


def _passes_alone(reruns: Sequence[Rerun]) -> bool:
    alone = [rerun for rerun in reruns if rerun.purpose == "alone"]
    return any(each.keeps for each in alone) and not any(each.breaks for each in alone)


def _tries(reruns: Sequence[Rerun]) -> dict[tuple[str, ...], bool]:
    """Return whether the case broke a promise, for each company."""
    tried: dict[tuple[str, ...], bool] = {}
    for rerun in reruns:
        if rerun.purpose == "company":
            tried[rerun.company] = tried.get(rerun.company, False) or rerun.breaks
    return tried


def conclude(
    verdicts: Sequence[CaseVerdict], reruns: Reruns, cut: Collection[str] = ()
) -> tuple[CaseVerdict, ...]:
    """Return the verdicts, in order, after all reruns.

    Args:
        verdicts: Those of the batches.
        cut: The cases before each cut-off case, by id.
    """
    tried = Counter(_kind(verdict) for verdict in verdicts if verdict.case in reruns.by_case)
    concluded = []
    for first in verdicts:
        reruns_of_case = reruns.by_case.get(first.case, ())
        if first.verdict.breaks_promise:
            verdict = _after_failure(first, reruns_of_case, tried[_kind(first)])
        else:
            verdict = _after_pass(first, reruns_of_case, reruns.bystanders.get(first.case))
        if first.case in cut and not verdict.verdict.breaks_promise:
            verdict = replace(verdict, remarks=(*verdict.remarks, REMARK))
        concluded.append(verdict)
    return tuple(concluded)


def _after_pass(
    first: CaseVerdict, reruns: Sequence[Rerun], as_company: CaseVerdict | None
) -> CaseVerdict:
    """Return the verdict on a case that passed in its batch.

    A kit's host chooses its reruns itself, so the case need not be a suspect.
    """
    broke = as_company or _broke_alone(reruns)
    if broke and first.verdict is not Verdict.MISSING:
        message = f"it passes in its batch, but not when rerun: {broke.message}"
        return replace(broke, verdict=Verdict.FLAKY, message=message, exercised=first.exercised)
    guilty = [rerun for rerun in reruns if rerun.breaks and rerun.company]
    if not guilty:
        return first
    cause = min(guilty, key=lambda rerun: len(rerun.company))
    return _only_after(cause.company, replace(cause.verdict, tries=len(reruns)))


def _after_failure(first: CaseVerdict, reruns: Sequence[Rerun], others: int) -> CaseVerdict:
    """Return the verdict on a case that broke a promise in its batch.

    Args:
        others: Number of reruns of cases with the same failure.
    """
    if not reruns:
        remark = f"not rerun alone; {counted(others, 'case')} with the same failure instead"
        return replace(first, remarks=(*first.remarks, remark)) if others else first
    first = replace(first, tries=len(reruns))
    if _passes_alone(reruns):
        guilty = [company for company, breaks in _tries(reruns).items() if breaks]
        return _only_after(min(guilty, key=len), first) if guilty else _flaky(first, reruns)
    if any(rerun.breaks for rerun in reruns):
        return replace(first, confirmed=_broke_alone(reruns) is not None)
    reason = f"rerun alone, it left no record: {reruns[-1].verdict.message}"
    return replace(first, remarks=(*first.remarks, reason))


def _broke_alone(reruns: Sequence[Rerun]) -> CaseVerdict | None:
    """Return the promises that a case broke alone."""
    return next((each.verdict for each in reruns if each.breaks and not each.company), None)


def _only_after(after: tuple[str, ...], found: CaseVerdict) -> CaseVerdict:
    who = after[0] if len(after) == 1 else f"{len(after)} others, from {after[0]} to {after[-1]}"
    message = f"only after {who}; alone it passes: {found.message}"
    broken = tuple(dict.fromkeys((*found.broken, CALL_INDEPENDENCE)))
    return replace(found, message=message, after=after, broken=broken)


def _flaky(first: CaseVerdict, reruns: Sequence[Rerun]) -> CaseVerdict:
    """Return the verdict on a case that passed alone and after the same cases."""
    behind = [rerun for rerun in reruns if rerun.company]
    unseen = behind and not any(rerun.keeps for rerun in behind)
    how = "alone and after the same cases" if behind and not unseen else "alone"
    message = f"it broke a promise once, and none when rerun {how}: {first.message}"
    remarks = first.remarks
    if unseen:
        reason = behind[-1].verdict.message
        remarks = (*remarks, f"rerun after the same cases, it left no record: {reason}")
    return replace(first, verdict=Verdict.FLAKY, message=message, remarks=remarks)
