# SPDX-License-Identifier: Apache-2.0
"""Failing cases put together by what they have in common.

For each operator, calls that must work and calls that must be refused are looked at apart: most
refusals never reach the code that fails, so they would say much of what passes and nothing of why.
Of each sort, the fact is sought that tells failing cases best from passing ones: the one with
the largest F1 score, the harmonic mean of the share of failing cases that have it and the share of
failing cases among those that have it. Further facts are added while they spare passing cases and
lose hardly any failing one ("bfloat16 and x stepped"). The cases that have all of them are one
group, and the rest is looked at again. A fact counts only if it is not an accident: with as many
failing cases drawn at random, as many would have it in fewer than one of a thousand draws,
however many facts were tried. Cases that nothing puts together are grouped by the clause that they
break.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.facts import MUST_BE_REFUSED
from aclnn_cts.report.failure_message import told_common, without_where

NO_CLAUSE = "without a clause"
"""Placeholder for the clause of failing cases that name none."""

LEAST = 2
"""Cases that facts can make a group of; what only a clause puts together may be one alone."""

CHANCE = 1e-3
"""Probability below which what failing cases have in common is called no accident, over all facts
that were tried (Bonferroni's correction of Fisher's exact test)."""

_MOST_FACTS = 3
_KEPT = 0.9
"""Share of the failing cases that must have a further fact."""

_SPARED = 0.5
"""Share of the passing cases that a further fact may leave at most."""

_RARE = 0.5
"""A fact that all cases of a group share is told if at most this share of passing ones has it."""

_KEEPING = (Verdict.PASS, Verdict.CONTESTED_ONLY)

_Facts = frozenset[str]


@dataclass(frozen=True)
class Group:
    """Failing cases of one operator that have something in common.

    Attributes:
        operator: The operator's name.
        facts: The facts that make the group; empty if only a clause puts the cases together.
        clauses: The clauses that they name first, and how many of them do, the most often named
            first; those that name none are left out.
        cases: The failing cases, in the run's order.
        failing: Failing cases of the operator, those of other groups included.
        passing_with: Passing cases of the operator and sort that have all the facts, too.
        passing: Passing cases of the operator and sort.
        shared: Further facts that all cases of the group have, and few others.
    """

    operator: str
    facts: tuple[str, ...]
    clauses: tuple[tuple[str, int], ...]
    cases: tuple[CaseEntry, ...]
    failing: int
    passing_with: int
    passing: int
    shared: tuple[str, ...] = ()

    @property
    def refusals(self) -> bool:
        """Whether its sort is that of calls that must be refused."""
        return _must_be_refused(self.cases[0])


def by_promise(cases: Iterable[CaseEntry]) -> dict[tuple[str, str], list[CaseEntry]]:
    """Return failing cases by operator and the clause that they name first, in their order.

    Cases that pass, or whose failure is waived, are left out. Those that name no clause are under
    the empty name.
    """
    failures: dict[tuple[str, str], list[CaseEntry]] = {}
    for case in cases:
        if case.fails:
            failures.setdefault((case.operator, case.named_clause), []).append(case)
    return failures


def groups_of(cases: Sequence[CaseEntry]) -> tuple[Group, ...]:
    """Return the groups of a run's failing cases: by operator, the largest groups first."""
    return tuple(
        group
        for operator in dict.fromkeys(case.operator for case in cases)
        for group in _of_operator([c for c in cases if c.operator == operator])
    )


class _Side:
    """Cases of which it is asked how many have some facts; a fact is a set of bits, one a case."""

    def __init__(self, cases: Sequence[CaseEntry]) -> None:
        self.size = len(cases)
        self.facts: dict[str, int] = {}
        for place, case in enumerate(cases):
            for fact in case.facts:
                self.facts[fact] = self.facts.get(fact, 0) | 1 << place

    def having(self, facts: _Facts) -> int:
        """Return how many of the cases have all the facts."""
        bits = (1 << self.size) - 1
        for fact in facts:
            bits &= self.facts.get(fact, 0)
        return bits.bit_count()


def _of_operator(cases: Sequence[CaseEntry]) -> list[Group]:
    failing = sum(case.fails for case in cases)
    found = [
        group
        for refused in (False, True)
        for group in _of_sort([c for c in cases if _must_be_refused(c) is refused], failing)
    ]
    return sorted(found, key=lambda group: -len(group.cases))


def _must_be_refused(case: CaseEntry) -> bool:
    return MUST_BE_REFUSED in case.facts


def _of_sort(cases: Sequence[CaseEntry], failing: int) -> Iterator[Group]:
    """Yield the groups of cases of one sort.

    Args:
        cases: All cases of the sort.
        failing: Failing cases of the operator, of whatever sort.
    """
    passing = _Side([case for case in cases if case.verdict in _KEEPING])
    rest = [case for case in cases if case.fails]
    while len(rest) >= LEAST:
        facts = _explanation(_Side(rest), passing)
        if not facts:
            break
        own = [case for case in rest if facts <= set(case.facts)]
        rest = [case for case in rest if not facts <= set(case.facts)]
        yield _group(facts, own, failing, passing)
    for own in by_promise(rest).values():
        yield _group(frozenset(), own, failing, passing)


def _group(facts: _Facts, own: Sequence[CaseEntry], failing: int, passing: _Side) -> Group:
    clauses = Counter(case.named_clause for case in own if case.named_clause)
    common = frozenset.intersection(*(frozenset(case.facts) for case in own))
    rare = {fact for fact in common if passing.having(_Facts({fact})) <= _RARE * passing.size}
    return Group(
        operator=own[0].operator,
        facts=tuple(fact for fact in own[0].facts if fact in facts),
        clauses=tuple(clauses.most_common()),
        cases=tuple(own),
        failing=failing,
        passing_with=passing.having(facts),
        passing=passing.size,
        shared=tuple(fact for fact in own[0].facts if fact in rare - facts)
        if len(own) >= LEAST and passing.size
        else (),
    )


def _explanation(failing: _Side, passing: _Side) -> _Facts:
    """Return the facts that tell failing cases best from passing ones; none if by chance."""
    chosen = max(
        (_Facts({fact}) for fact in failing.facts),
        key=lambda facts: _score(facts, failing, passing),
        default=_Facts(),
    )
    if not chosen or not _is_no_accident(chosen, failing, passing):
        return _Facts()
    while len(chosen) < _MOST_FACTS:
        further = max(
            _further(chosen, failing, passing),
            key=lambda facts: _score(facts, failing, passing),
            default=None,
        )
        if further is None:
            break
        chosen = further
    return chosen


def _further(chosen: _Facts, failing: _Side, passing: _Side) -> Iterator[_Facts]:
    """Yield the chosen facts with one more each that spares many passing cases and loses few."""
    hits, false = failing.having(chosen), passing.having(chosen)
    for fact in failing.facts:
        facts = chosen | {fact}
        if fact in chosen or failing.having(facts) < max(LEAST, _KEPT * hits):
            continue
        if false and passing.having(facts) <= _SPARED * false:
            yield facts


def _score(facts: _Facts, failing: _Side, passing: _Side) -> float:
    """Return the F1 score of predicting failures from the facts."""
    hits = failing.having(facts)
    return 2 * hits / (failing.size + hits + passing.having(facts))


def _is_no_accident(facts: _Facts, failing: _Side, passing: _Side) -> bool:
    hits, false = failing.having(facts), passing.having(facts)
    if hits < LEAST:
        return False
    chance = tail(hits, hits + false, failing.size, failing.size + passing.size)
    return chance * len(failing.facts) < CHANCE


def tail(hits: int, marked: int, drawn: int, total: int) -> float:
    """Return the probability of at least ``hits`` hits in a random draw (hypergeometric).

    Args:
        hits: Marked ones among those drawn.
        marked: Marked ones of all.
        drawn: How many are drawn, without putting back.
        total: How many there are.
    """
    ways = (
        math.exp(_log_ways(marked, k) + _log_ways(total - marked, drawn - k) - whole)
        for whole in (_log_ways(total, drawn),)
        for k in range(max(hits, drawn - (total - marked)), min(marked, drawn) + 1)
    )
    return min(1.0, sum(ways))


def _log_ways(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)


@dataclass(frozen=True)
class FirstBroken:
    """A promise that failing cases name first.

    Attributes:
        operator: The operator's name.
        clause: The clause's id; empty for cases that name none.
        cases: The failing cases, in the run's order.
        only_in: In what alone the values of these cases are wrong, in words; empty if nothing is
            known of it.
    """

    operator: str
    clause: str
    cases: tuple[CaseEntry, ...]
    only_in: str

    @property
    def besides(self) -> str:
        """The other clauses that its cases break, with case counts; empty without any."""
        counts = Counter(
            name for case in self.cases for name in without_where(case.broken[1:], case.only_in)
        )
        return ", ".join(f"{name} ({count:,})" for name, count in counts.most_common())


def first_broken(cases: Iterable[CaseEntry]) -> tuple[FirstBroken, ...]:
    """Return the list, in the order of the first failing cases."""
    return tuple(
        FirstBroken(
            operator,
            clause,
            tuple(own),
            "; ".join(dict.fromkeys(told_common(each) for case in own for each in case.only_in)),
        )
        for (operator, clause), own in by_promise(cases).items()
    )


def tally(found: Sequence[FirstBroken]) -> str:
    """Return how many promises the list names first, and how many more it names behind them.

    Together they are the broken promises that the run's outcome counts.
    """
    first = {(each.operator, each.clause) for each in found if each.clause}
    every = {(e.operator, name) for e in found for case in e.cases for name in case.broken}
    more = len(every - first)
    with_them = "it" if len(first) == 1 else "them"
    return f"{len(first):,} as first broken" + (f", {more:,} more with {with_them}" if more else "")
