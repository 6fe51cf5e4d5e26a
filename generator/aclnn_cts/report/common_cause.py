# SPDX-License-Identifier: Apache-2.0
"""Groups of failing cases by what they have in common.

For each operator, valid calls and refused calls are examined separately, because most
refusals never reach the failing code. Of each sort, the search is for the fact that best separates
failing cases from passing ones: the one with the largest F1 score, the harmonic mean of the share
of failing cases that have it and the share of failing cases among those that have it. Further facts
are added while they exclude passing cases and hardly any failing ones ("bfloat16 and x stepped").
The host and the card on which a case ran are facts, too. The cases with all these facts form a
group, and the search continues with the rest. A fact counts only if it is significant: if the
failing cases were drawn at random, as many of them would have it in fewer than one of a thousand
draws, corrected for the number of facts tried. If facts explain little, and the status that phase
one returned explains more, it makes the group. Other cases are grouped by the clause that they
break. An error status that all cases of a group returned, and no passing one, comes first of its
facts: it says how they fail, not only when.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from aclnn_cts.judge.attribution import KEEPING, CaseSets
from aclnn_cts.judge.features import RETURNS
from aclnn_cts.judge.regions import Region, join
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.results.cases import CaseEntry, CaseFile, Cases

LEAST = 2
"""Minimum size of a group by facts; a group by a clause may have one case."""

CHANCE = 1e-3
"""Significance of what failing cases have in common, over all facts that were tried (Bonferroni's
correction of Fisher's exact test)."""

_MOST_FACTS = 3
_KEPT = 0.9
"""Minimum share of the failing cases with a further fact."""

_SPARED = 0.5
"""Maximum share of the passing cases with a further fact."""

_CLEAR = 0.8
"""Minimum F1 score of a fact about calls that takes precedence over what they returned."""

_RARE = 0.5
"""Maximum share of passing cases with a fact that all cases of a reported group share."""

_Facts = frozenset[str]


@dataclass(frozen=True)
class Group:
    """Failing cases of one operator that have something in common.

    Attributes:
        facts: The facts that make the group; empty if only a clause puts the cases together.
        clauses: The clauses that they name first, with counts, most frequent first.
        cases: The ids of the failing cases, in the run's order.
        failing: Failing cases of the operator, including other groups.
        passing_with: Passing cases of the operator and sort with all the facts.
        passing: Passing cases of the operator and sort.
        refusals: Whether its calls must be refused.
        shared: Further facts that all cases of the group and few others have.
        region: Where in the values of an input all wrong elements lie, and no right ones; None if
            nowhere.
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
    region: Region | None = None


class _Failure(NamedTuple):
    """The data of a failing case that grouping needs."""

    id: str
    clause: str
    facts: tuple[str, ...]
    regions: tuple[Region, ...]


def groups_of(cases: Cases) -> tuple[Group, ...]:
    """Return the groups of a run's failing cases: by operator, the largest groups first."""
    file = CaseFile.of(cases)
    breaking = [verdict for verdict in Verdict if verdict.breaks_promise]
    failing = dict.fromkeys(case.operator for case in file.where(verdicts=breaking) if case.fails)
    return tuple(
        group
        for operator in failing
        for group in _of_operator(operator, file.where(operator=operator))
    )


def _of_operator(operator: str, cases: Iterable[CaseEntry]) -> list[Group]:
    passing: dict[bool, list[tuple[str, ...]]] = {False: [], True: []}
    failing: dict[bool, list[_Failure]] = {False: [], True: []}
    for case in cases:
        refused = case.basis is not None
        facts = (*case.facts, *_places(case))
        if case.verdict in KEEPING:
            passing[refused].append(facts)
        if case.fails:
            failing[refused].append(_Failure(case.id, case.named_clause, facts, case.regions))
    groups = [
        replace(group, operator=operator, failing=sum(map(len, failing.values())), refusals=refused)
        for refused, failures in failing.items()
        for group in _of_sort(failures, CaseSets(passing[refused]))
    ]
    return sorted(groups, key=lambda group: -len(group.cases))


def _places(case: CaseEntry) -> Iterator[str]:
    """Yield the host and card of a case, unless all cases ran in one place."""
    if case.host:
        yield f"on host {case.host}"
        if case.card >= 0:
            yield f"on card {case.card} of host {case.host}"


def _of_sort(failing: list[_Failure], passing: CaseSets[str]) -> Iterator[Group]:
    """Yield the groups of failing cases of one sort, beside the passing ones."""
    if len(failing) >= LEAST and _region(failing):
        facts = _explanation(CaseSets([case.facts for case in failing]), passing)
        shared = all(facts <= set(case.facts) for case in failing)
        yield _group(facts if shared else _Facts(), failing, passing)
        return
    while len(failing) >= LEAST:
        facts = _explanation(CaseSets([case.facts for case in failing]), passing)
        if not facts:
            break
        members = [case for case in failing if facts <= set(case.facts)]
        failing = [case for case in failing if not facts <= set(case.facts)]
        yield _group(facts, members, passing)
    by_clause: dict[str, list[_Failure]] = {}
    for case in failing:
        by_clause.setdefault(case.clause, []).append(case)
    for members in by_clause.values():
        yield _group(frozenset(), members, passing)


def _group(facts: _Facts, members: Sequence[_Failure], passing: CaseSets[str]) -> Group:
    """Return a group, without its operator's figures."""
    clauses = Counter(case.clause for case in members if case.clause)
    common = frozenset.intersection(*(frozenset(case.facts) for case in members))
    facts |= {fact for fact in common if _is_error(fact) and not passing.having(_Facts({fact}))}
    rare = {fact for fact in common if passing.having(_Facts({fact})) <= _RARE * passing.size}
    return Group(
        operator="",
        facts=tuple(
            sorted(facts, key=lambda fact: (not _is_error(fact), members[0].facts.index(fact)))
        ),
        clauses=tuple(clauses.most_common()),
        cases=tuple(case.id for case in members),
        failing=0,
        passing_with=passing.having(facts),
        passing=passing.size,
        refusals=False,
        shared=tuple(fact for fact in members[0].facts if fact in rare - facts)
        if len(members) >= LEAST and passing.size
        else (),
        region=_region(members),
    )


def _is_error(fact: str) -> bool:
    return fact.startswith(RETURNS) and fact != f"{RETURNS}ACLNN_SUCCESS"


def _region(members: Sequence[_Failure]) -> Region | None:
    """Return the region of an input's values that all wrong elements share, if significant."""
    regions = join([case.regions for case in members])
    most_regions = max((len(case.regions) for case in members), default=0)
    best = min(regions, key=lambda region: region.chance, default=None)
    return best if best is not None and best.chance * most_regions < CHANCE else None


def _explanation(failing: CaseSets[str], passing: CaseSets[str]) -> _Facts:
    """Return the facts that best separate failing from passing cases, if significant."""
    best: dict[bool, tuple[float, _Facts]] = {False: (0.0, _Facts()), True: (0.0, _Facts())}
    for fact in failing.features:
        score, kind = _score(_Facts({fact}), failing, passing), fact.startswith(RETURNS)
        if score > best[kind][0]:
            best[kind] = score, _Facts({fact})
    chosen = max(best.values(), key=lambda each: each[0])[1]
    if best[False][0] >= _CLEAR:
        chosen = best[False][1]
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


def _further(chosen: _Facts, failing: CaseSets[str], passing: CaseSets[str]) -> Iterator[_Facts]:
    """Yield the chosen facts with one more that excludes many passing and few failing cases."""
    hits, false = failing.having(chosen), passing.having(chosen)
    for fact in failing.features:
        facts = chosen | {fact}
        if (
            fact in chosen
            or fact.startswith(RETURNS)
            or failing.having(facts) < max(LEAST, _KEPT * hits)
        ):
            continue
        if false and passing.having(facts) <= _SPARED * false:
            yield facts


def _score(facts: _Facts, failing: CaseSets[str], passing: CaseSets[str]) -> float:
    """Return the F1 score of predicting failures from the facts."""
    hits = failing.having(facts)
    return 2 * hits / (failing.size + hits + passing.having(facts))


def _is_no_accident(facts: _Facts, failing: CaseSets[str], passing: CaseSets[str]) -> bool:
    hits, false = failing.having(facts), passing.having(facts)
    if hits < LEAST:
        return False
    chance = tail(hits, hits + false, failing.size, failing.size + passing.size)
    return chance * len(failing.features) < CHANCE


def tail(hits: int, marked: int, drawn: int, total: int) -> float:
    """Return the probability of at least ``hits`` hits in a random draw (hypergeometric).

    Args:
        hits: Marked items among those drawn.
        marked: Marked items in total.
        drawn: Number of draws without replacement.
    """
    all_ways = _log_ways(total, drawn)
    ways = (
        math.exp(_log_ways(marked, k) + _log_ways(total - marked, drawn - k) - all_ways)
        for k in range(max(hits, drawn - (total - marked)), min(marked, drawn) + 1)
    )
    return min(1.0, sum(ways))


def _log_ways(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)
