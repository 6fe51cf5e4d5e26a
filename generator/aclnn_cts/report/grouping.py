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
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry, CaseFile, Cases
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
        cases: The ids of the failing cases, in the run's order.
        failing: Failing cases of the operator, those of other groups included.
        passing_with: Passing cases of the operator and sort that have all the facts, too.
        passing: Passing cases of the operator and sort.
        refusals: Whether its sort is that of calls that must be refused.
        shared: Further facts that all cases of the group have, and few others.
    """

    operator: str
    facts: tuple[str, ...]
    clauses: tuple[tuple[str, int], ...]
    cases: tuple[str, ...]
    failing: int
    passing_with: int
    passing: int
    refusals: bool
    shared: tuple[str, ...] = ()


class _Failure(NamedTuple):
    """What grouping needs to know of a failing case."""

    id: str
    clause: str
    facts: tuple[str, ...]


def groups_of(cases: Cases) -> tuple[Group, ...]:
    """Return the groups of a run's failing cases: by operator, the largest groups first."""
    held = CaseFile.of(cases)
    breaking = [verdict for verdict in Verdict if verdict.breaks_promise]
    failing = dict.fromkeys(case.operator for case in held.where(verdicts=breaking) if case.fails)
    return tuple(
        group
        for operator in failing
        for group in _of_operator(operator, held.where(operator=operator))
    )


class _Side:
    """Cases of which it is asked how many have some facts; a fact is a set of bits, one a case."""

    def __init__(self, facts: Sequence[tuple[str, ...]]) -> None:
        self.size = len(facts)
        bits: dict[str, bytearray] = {}
        for place, own in enumerate(facts):
            for fact in own:
                if fact not in bits:
                    bits[fact] = bytearray(self.size // 8 + 1)
                bits[fact][place >> 3] |= 1 << (place & 7)
        self.facts = {fact: int.from_bytes(each, "little") for fact, each in bits.items()}

    def having(self, facts: _Facts) -> int:
        """Return how many of the cases have all the facts."""
        bits = (1 << self.size) - 1
        for fact in facts:
            bits &= self.facts.get(fact, 0)
        return bits.bit_count()


def _of_operator(operator: str, cases: Iterable[CaseEntry]) -> list[Group]:
    passing: dict[bool, list[tuple[str, ...]]] = {False: [], True: []}
    failing: dict[bool, list[_Failure]] = {False: [], True: []}
    for case in cases:
        refused = MUST_BE_REFUSED in case.facts
        if case.verdict in _KEEPING:
            passing[refused].append(case.facts)
        if case.fails:
            failing[refused].append(_Failure(case.id, case.named_clause, case.facts))
    found = [
        replace(group, operator=operator, failing=sum(map(len, failing.values())), refusals=refused)
        for refused, own in failing.items()
        for group in _of_sort(own, _Side(passing[refused]))
    ]
    return sorted(found, key=lambda group: -len(group.cases))


def _of_sort(failing: list[_Failure], passing: _Side) -> Iterator[Group]:
    """Yield the groups of failing cases of one sort, beside the passing ones."""
    while len(failing) >= LEAST:
        facts = _explanation(_Side([case.facts for case in failing]), passing)
        if not facts:
            break
        own = [case for case in failing if facts <= set(case.facts)]
        failing = [case for case in failing if not facts <= set(case.facts)]
        yield _group(facts, own, passing)
    by_clause: dict[str, list[_Failure]] = {}
    for case in failing:
        by_clause.setdefault(case.clause, []).append(case)
    for own in by_clause.values():
        yield _group(frozenset(), own, passing)


def _group(facts: _Facts, own: Sequence[_Failure], passing: _Side) -> Group:
    """Return a group, without what its operator says of it."""
    clauses = Counter(case.clause for case in own if case.clause)
    common = frozenset.intersection(*(frozenset(case.facts) for case in own))
    rare = {fact for fact in common if passing.having(_Facts({fact})) <= _RARE * passing.size}
    return Group(
        operator="",
        facts=tuple(fact for fact in own[0].facts if fact in facts),
        clauses=tuple(clauses.most_common()),
        cases=tuple(case.id for case in own),
        failing=0,
        passing_with=passing.having(facts),
        passing=passing.size,
        refusals=False,
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


@dataclass
class FirstBroken:
    """A promise that failing cases name first.

    Attributes:
        operator: The operator's name.
        clause: The clause's id; empty for cases that name none.
        first: The first of the cases.
        count: How many there are.
        broken: The clauses that they break, and how many break each.
        others: Those of them that neither come first nor say where.
        where: In what alone the values of these cases are wrong, in words.
    """

    operator: str
    clause: str
    first: CaseEntry
    count: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    where: dict[str, None] = field(default_factory=dict)

    def add(self, case: CaseEntry) -> None:
        """Add a case."""
        self.count += 1
        self.broken.update(case.broken)
        self.others.update(without_where(case.broken[1:], case.only_in))
        self.where |= dict.fromkeys(map(told_common, case.only_in))

    @property
    def only_in(self) -> str:
        """In what alone their values are wrong; empty if nothing is known of it."""
        return "; ".join(self.where)

    @property
    def besides(self) -> str:
        """The other clauses that its cases break, with case counts; empty without any."""
        return ", ".join(f"{name} ({count:,})" for name, count in self.others.most_common())


def first_broken(cases: Iterable[CaseEntry]) -> tuple[FirstBroken, ...]:
    """Return the promises that failing cases name first, in the order of the first of these.

    Cases that pass, or whose failure is waived, are left out. Those that name no clause are under
    the empty name.
    """
    found: dict[tuple[str, str], FirstBroken] = {}
    for case in cases:
        add_broken(found, case)
    return tuple(found.values())


def add_broken(found: dict[tuple[str, str], FirstBroken], case: CaseEntry) -> None:
    """Add a case to the promises that failing cases name first, if it fails."""
    if case.fails:
        key = (case.operator, case.named_clause)
        found.setdefault(key, FirstBroken(*key, case)).add(case)


def tally(found: Iterable[FirstBroken]) -> str:
    """Return how many promises the list names first, and how many more it names behind them.

    Together they are the broken promises that the run's outcome counts.
    """
    listed = tuple(found)
    first = {(each.operator, each.clause) for each in listed if each.clause}
    more = len(broken_promises(listed) - first)
    with_them = "it" if len(first) == 1 else "them"
    return f"{len(first):,} as first broken" + (f", {more:,} more with {with_them}" if more else "")


def broken_promises(found: Iterable[FirstBroken]) -> set[tuple[str, str]]:
    """Return all promises that some cases break: operators and clauses."""
    return {(each.operator, name) for each in found for name in each.broken}
