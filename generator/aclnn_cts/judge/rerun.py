# SPDX-License-Identifier: Apache-2.0
"""Which cases are rerun, and what reruns say: confirmed, broken only in company, or flaky.

A case that broke a promise is run again alone, in a process that ran nothing before. If it breaks
one there, too, its verdict is confirmed. If it does not, what ran before it may be the cause: it is
run once more behind the very cases that ran before it then, and, if it fails again, behind ever
fewer of them, until one is left. If it does not fail again, its verdict is ``flaky``. Nothing is
retried into a pass: each rerun is recorded, and a verdict that breaks a promise never becomes one
that does not.

A case that was running when its process was ended from outside ran afterwards in a fresh process,
so alone. It may have hung, or been about to crash, because of what ran before it. So if it passes,
it is run once more behind the very cases that it had before it then, and a remark says that its
first record was cut off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aclnn_cts.judge.records import Pairing
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import Batch, Task
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.process import ProgramRun, Purpose

MOST_FAILS = 20
"""Failing cases of an operator and a broken clause that are run again: where so many fail alike,
the next one would tell nothing new. All crashes and timeouts are."""

REMARK = (
    "it was running when its process was ended, with the run or because the batch's time was up; "
    "what it did then was not recorded"
)


@dataclass(frozen=True)
class Rerun:
    """A case that was run again.

    Attributes:
        purpose: Whether alone or in company.
        company: Ids of the cases that were to run before it.
        verdict: The verdict on it there.
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
        """Whether it broke nothing; False without a record."""
        return not self.breaks and self.verdict.verdict is not Verdict.MISSING


@dataclass
class Reruns:
    """All that was run again, as far as it was judged.

    Attributes:
        by_case: The reruns of each case, by id, in order.
        bystanders: Cases that broke a promise when they were company, by id.
        problems: What is wrong with the records.
        programs: How many processes that is.
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
class Judged:
    """The verdicts of a run, each case by itself.

    Attributes:
        pairing: The records of the batches.
        verdicts: The verdict on each case by its batch, by id.
        reruns: What was found in the reruns so far.
    """

    pairing: Pairing
    verdicts: Mapping[str, CaseVerdict]
    reruns: Reruns = field(default_factory=Reruns)


class RerunQueue:
    """The reruns that are due in a run.

    Args:
        run: The run; no process of a batch is started any more.
        judged: What was found in it; reruns are added from outside.
    """

    def __init__(self, run: RunFolder, judged: Judged) -> None:
        self._cases = {case.id: case for case in run.cases}
        self._places = {case.id: number for number, case in enumerate(run.cases)}
        self._judged = judged
        self._cut = _cut_off(run)

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the cases to rerun, by id, in the order in which groups of them are to be done.

        A crash may cost the device: all that can be learnt without is learnt before.
        """
        verdicts = self._judged.verdicts
        suspects = [each.case for each in suspects_of([verdicts[name] for name in self._cases])]
        crashes = tuple(each for each in suspects if verdicts[each].verdict is Verdict.CRASH)
        others = (each for each in suspects if verdicts[each].verdict is not Verdict.CRASH)
        return tuple(dict.fromkeys((*others, *self._cut))), crashes

    def due(self, group: Sequence[str]) -> Iterator[Task]:
        """Yield the next rerun of each case, as far as one is due."""
        for name in group:
            first, reruns = self._judged.verdicts[name], self._judged.reruns.by_case.get(name, [])
            if first.verdict.breaks_promise:
                company = next_company(self._judged.pairing.before(name), reruns)
            else:  # it was cut off, and has run alone in its fresh process
                alone = Rerun("alone", (), first)
                company = next_company(self._cut[name], [alone, *reruns])
            if company is not None:
                operator, own = first.operator, (*company, name)
                batch = f"{operator}-case{self._places[name]:05}-again{len(reruns)}"
                cases = tuple(self._cases[each] for each in own)
                yield Task(Batch(batch, operator, cases), "company" if company else "alone")


def _cut_off(run: RunFolder) -> dict[str, tuple[str, ...]]:
    """Return the cases that were running when their process was ended, and what ran before each.

    One that was cut off again, in the fresh process, ran behind nothing then.
    """
    planned = {case.id for case in run.cases}
    before: dict[str, tuple[str, ...]] = {}
    for program in run.programs:
        if program.purpose == "batch" and program.cut in planned:
            own = tuple(name for name in read_events(program.events).cases if name in planned)
            before[program.cut] = max(before.get(program.cut, ()), own, key=len)
    return before


def suspects_of(verdicts: Sequence[CaseVerdict]) -> Iterator[CaseVerdict]:
    """Yield those that are to be run again."""
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
        reruns: What has been tried.
    """
    if not reruns:
        return ()
    if not _kept_alone(reruns):
        return None
    tried = _tried(reruns)
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


def _kept_alone(reruns: Sequence[Rerun]) -> bool:
    alone = [rerun for rerun in reruns if rerun.purpose == "alone"]
    return any(each.keeps for each in alone) and not any(each.breaks for each in alone)


def _tried(reruns: Sequence[Rerun]) -> dict[tuple[str, ...], bool]:
    """Return for each company whether the case broke a promise in it."""
    tried: dict[tuple[str, ...], bool] = {}
    for rerun in reruns:
        if rerun.purpose == "company":
            tried[rerun.company] = tried.get(rerun.company, False) or rerun.breaks
    return tried


def conclude(
    verdicts: Sequence[CaseVerdict], reruns: Reruns, cut: Collection[str] = ()
) -> tuple[CaseVerdict, ...]:
    """Return the verdicts, in order, after all that was run again.

    Args:
        verdicts: Those of the batches.
        reruns: What was run again.
        cut: Cases whose first record was cut off, by id.
    """
    tried = Counter(_kind(verdict) for verdict in verdicts if verdict.case in reruns.by_case)
    concluded = []
    for first in verdicts:
        own = reruns.by_case.get(first.case, ())
        if first.verdict.breaks_promise:
            verdict = _after_failure(first, own, tried[_kind(first)])
        else:
            verdict = _after_pass(first, own, reruns.bystanders.get(first.case))
        if first.case in cut and not verdict.verdict.breaks_promise:
            verdict = replace(verdict, remarks=(*verdict.remarks, REMARK))
        concluded.append(verdict)
    return tuple(concluded)


def _after_pass(
    first: CaseVerdict, reruns: Sequence[Rerun], as_company: CaseVerdict | None
) -> CaseVerdict:
    """Return the verdict on a case that broke nothing in its batch.

    A kit's host chooses by itself what it runs again, so nobody need have suspected it.
    """
    broke = as_company or _broke_alone(reruns)
    if broke and first.verdict is not Verdict.MISSING:
        message = f"it passes in its batch, but not when it was run again: {broke.message}"
        return replace(broke, verdict=Verdict.FLAKY, message=message, exercised=first.exercised)
    guilty = [rerun for rerun in reruns if rerun.breaks and rerun.company]
    if not guilty:
        return first
    found = min(guilty, key=lambda rerun: len(rerun.company))
    return _only_after(found.company, replace(found.verdict, tries=len(reruns)))


def _after_failure(first: CaseVerdict, reruns: Sequence[Rerun], others: int) -> CaseVerdict:
    """Return the verdict on a case that broke a promise in its batch.

    Args:
        first: The verdict there.
        reruns: Its reruns.
        others: How many cases that fail alike were run again.
    """
    if not reruns:
        remark = f"not run again alone; {others} other cases that fail alike were"
        return replace(first, remarks=(*first.remarks, remark)) if others else first
    first = replace(first, tries=len(reruns))
    if _kept_alone(reruns):
        guilty = [company for company, breaks in _tried(reruns).items() if breaks]
        return _only_after(min(guilty, key=len), first) if guilty else _flaky(first, reruns)
    if any(rerun.breaks for rerun in reruns):
        return replace(first, confirmed=_broke_alone(reruns) is not None)
    reason = f"run again alone, it left no record: {reruns[-1].verdict.message}"
    return replace(first, remarks=(*first.remarks, reason))


def _broke_alone(reruns: Sequence[Rerun]) -> CaseVerdict | None:
    """Return what a case broke alone, if it did."""
    return next((each.verdict for each in reruns if each.breaks and not each.company), None)


def _only_after(after: tuple[str, ...], found: CaseVerdict) -> CaseVerdict:
    who = after[0] if len(after) == 1 else f"{len(after)} others, from {after[0]} to {after[-1]}"
    message = f"only after {who}; alone it passes: {found.message}"
    return replace(found, message=message, after=after)


def _flaky(first: CaseVerdict, reruns: Sequence[Rerun]) -> CaseVerdict:
    """Return the verdict on a case that broke nothing alone, nor behind the same cases."""
    behind = [rerun for rerun in reruns if rerun.company]
    unseen = behind and not any(rerun.keeps for rerun in behind)
    how = "alone and behind the same cases" if behind and not unseen else "alone"
    message = f"it broke a promise once, and none when it was run again {how}: {first.message}"
    remarks = first.remarks
    if unseen:
        reason = behind[-1].verdict.message
        remarks = (*remarks, f"run again behind the same cases, it left no record: {reason}")
    return replace(first, verdict=Verdict.FLAKY, message=message, remarks=remarks)
