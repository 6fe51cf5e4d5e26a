# SPDX-License-Identifier: Apache-2.0
"""What running a case again says about it: confirmed, broken only in company, or flaky.

A case that broke a promise is run again alone, in a process that ran nothing before. If it breaks
one there, too, its verdict is confirmed. If it does not, what ran before it may be the cause: it is
run once more behind the very cases that ran before it then, and, if it fails again, behind ever
fewer of them, until one is left. If it does not fail again, its verdict is ``flaky``. Nothing is
retried into a pass: each try is recorded, and a verdict that breaks a promise never becomes one
that does not.

A case that was running when its process was ended from outside ran afterwards in a fresh process,
so alone. It may have hung, or been about to crash, because of what ran before it. So if it passes,
it is run once more behind the very cases that it had before it then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.run.process import Purpose

MOST_FAILS = 20
"""Failing cases of an operator and a broken clause that are run again: where so many fail alike,
the next one would tell nothing new. All crashes and timeouts are."""


@dataclass(frozen=True)
class Attempt:
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
        """Whether it broke nothing; False if there is no record of it."""
        return not self.breaks and self.verdict.verdict is not Verdict.MISSING


def suspects_of(verdicts: Sequence[CaseVerdict]) -> Iterator[CaseVerdict]:
    """Yield those that are to be run again."""
    counts: dict[tuple[str, str], int] = {}
    for verdict in verdicts:
        if verdict.verdict is Verdict.FAIL:
            counts[_kind(verdict)] = counts.get(_kind(verdict), 0) + 1
            if counts[_kind(verdict)] <= MOST_FAILS:
                yield verdict
        elif verdict.verdict in (Verdict.CRASH, Verdict.TIMEOUT):
            yield verdict


def _kind(verdict: CaseVerdict) -> tuple[str, str]:
    return verdict.operator, next(iter(verdict.broken), "")


def next_try(before: Sequence[str], attempts: Sequence[Attempt]) -> tuple[str, ...] | None:
    """Return the company in which a case is to be run next; empty for alone, None for no more.

    Args:
        before: Ids of the cases that ran before it in its process.
        attempts: What has been tried.
    """
    if not attempts:
        return ()
    if not _kept_alone(attempts):
        return None
    tried = _tried(attempts)
    company = tuple(before)
    if company and company not in tried:
        return company
    while len(company) > 1 and tried[company]:
        halves = _halves(company)
        unknown = next((half for half in halves if half not in tried), None)
        guilty = next((half for half in halves if tried.get(half)), None)
        if guilty is None:
            return unknown
        company = guilty
    return None


def next_try_of_cut(
    before: Sequence[str], first: CaseVerdict, attempts: Sequence[Attempt]
) -> tuple[str, ...] | None:
    """Return the company in which a case is to be run next that was cut off; None for no more.

    Args:
        before: Ids of the cases that ran before it in the process that was ended.
        first: The verdict on it in its fresh process, where it was alone and broke nothing.
        attempts: What has been tried.
    """
    return next_try(before, [Attempt("alone", (), first), *attempts])


def _halves(company: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both halves, the nearer one first: it is the likelier cause."""
    middle = len(company) // 2
    return company[middle:], company[:middle]


def _kept_alone(attempts: Sequence[Attempt]) -> bool:
    alone = [attempt for attempt in attempts if attempt.purpose == "alone"]
    return any(each.keeps for each in alone) and not any(each.breaks for each in alone)


def _tried(attempts: Sequence[Attempt]) -> dict[tuple[str, ...], bool]:
    """Return for each company whether the case broke a promise in it."""
    tried: dict[tuple[str, ...], bool] = {}
    for attempt in attempts:
        if attempt.purpose == "company":
            tried[attempt.company] = tried.get(attempt.company, False) or attempt.breaks
    return tried


def conclude(
    verdicts: Sequence[CaseVerdict],
    attempts: Mapping[str, Sequence[Attempt]],
    bystanders: Mapping[str, CaseVerdict],
) -> tuple[CaseVerdict, ...]:
    """Return the verdicts, in order, after all that was run again.

    Args:
        verdicts: Those of the batches.
        attempts: What was run again of each case, by its id.
        bystanders: Cases that broke a promise when they were company, by id.
    """
    tried: dict[tuple[str, str], int] = {}
    for verdict in verdicts:
        if verdict.case in attempts:
            tried[_kind(verdict)] = tried.get(_kind(verdict), 0) + 1
    return tuple(
        _conclude(verdict, attempts.get(verdict.case, ()), bystanders, tried.get(_kind(verdict), 0))
        for verdict in verdicts
    )


def _conclude(
    first: CaseVerdict,
    attempts: Sequence[Attempt],
    bystanders: Mapping[str, CaseVerdict],
    others: int,
) -> CaseVerdict:
    if not first.verdict.breaks_promise:
        # A kit's host chooses by itself what it runs again, so nobody need have suspected it.
        broke = bystanders.get(first.case) or _broke_alone(attempts)
        if broke and _is_sound(first):
            return _flaky_in_company(first, broke)
        return _after_cut(first, attempts)
    if not attempts:
        return _not_tried(first, others) if others else first
    if _kept_alone(attempts):
        return _not_alone(replace(first, tries=len(attempts)), attempts)
    if any(attempt.breaks for attempt in attempts):
        return replace(first, tries=len(attempts), confirmed=_broke_alone(attempts) is not None)
    reason = f"run again alone, it left no record: {attempts[-1].verdict.message}"
    return replace(first, tries=len(attempts), remarks=(*first.remarks, reason))


def _broke_alone(attempts: Sequence[Attempt]) -> CaseVerdict | None:
    """Return what a case broke alone, if it did."""
    return next((each.verdict for each in attempts if each.breaks and not each.company), None)


def _after_cut(first: CaseVerdict, attempts: Sequence[Attempt]) -> CaseVerdict:
    """Return the verdict on a case that kept its promises in a process of its own."""
    guilty = [attempt for attempt in attempts if attempt.breaks and attempt.company]
    if not guilty:
        return first
    found = min(guilty, key=lambda attempt: len(attempt.company))
    return _only_after(found.company, replace(found.verdict, tries=len(attempts)))


def _only_after(after: tuple[str, ...], found: CaseVerdict) -> CaseVerdict:
    who = after[0] if len(after) == 1 else f"{len(after)} others, from {after[0]} to {after[-1]}"
    message = f"only after {who}; alone it passes: {found.message}"
    return replace(found, message=message, after=after)


def _is_sound(verdict: CaseVerdict) -> bool:
    return verdict.verdict is not Verdict.MISSING


def _not_tried(first: CaseVerdict, others: int) -> CaseVerdict:
    remark = f"not run again alone; {others} other cases that fail alike were"
    return replace(first, remarks=(*first.remarks, remark))


def _not_alone(first: CaseVerdict, attempts: Sequence[Attempt]) -> CaseVerdict:
    """Return the verdict on a case that broke a promise in its batch, and none alone."""
    guilty = [company for company, breaks in _tried(attempts).items() if breaks]
    if not guilty:
        return _flaky_alone(first, [attempt for attempt in attempts if attempt.company])
    return _only_after(min(guilty, key=len), first)


def _flaky_alone(first: CaseVerdict, behind: Sequence[Attempt]) -> CaseVerdict:
    """Return the verdict on a case that broke nothing alone, nor behind the same cases."""
    unseen = behind and not any(attempt.keeps for attempt in behind)
    how = "alone and behind the same cases" if behind and not unseen else "alone"
    message = f"it broke a promise once, and none when it was run again {how}: {first.message}"
    remarks = first.remarks
    if unseen:
        reason = behind[-1].verdict.message
        remarks = (*remarks, f"run again behind the same cases, it left no record: {reason}")
    return replace(first, verdict=Verdict.FLAKY, message=message, remarks=remarks)


def _flaky_in_company(first: CaseVerdict, broke: CaseVerdict) -> CaseVerdict:
    """Return the verdict on a case that passed, and broke a promise when it was company."""
    message = f"it passes in its batch, but not when it was run again: {broke.message}"
    return replace(broke, verdict=Verdict.FLAKY, message=message, exercised=first.exercised)
