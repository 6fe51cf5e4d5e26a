# SPDX-License-Identifier: Apache-2.0
"""Common causes of failures: a broken promise that they share, or common features of their cases.

*Promises.* A device that ignores a stride returns wrong values, so each such case breaks the
formula's clause; but what is broken is the promise that non-contiguous tensors work. A structural
promise explains the failures of an operator if every case that fails exercises it, while at least
three cases that do not exercise it pass and none of them fails, and at least a quarter of the cases
that exercise it fail: one failing float16 case among forty does not blame float16. Then it is named
first, with one exception: if values are wrong in a data type, rank or format, the type was
accepted. Then only the promise on the values is broken, and the type says where (``only_in``).

A promise is taken with the case's setting: ``x-dtype`` with float16 differs from ``x-dtype`` with
float32, ``x-non-contiguous`` with a sliced view from one with a transposed view, and ``x-shape``
with a stretched axis from one with a missing axis. If no single promise explains the failures, all
layouts of one tensor are tried together, then those of several tensors.

A device that refuses every valid call of an operator does not support it, which breaks the table of
products, or a promise that all calls share, such as a mask of uint8. If it refuses some, values in
rules and shapes may explain it: all refused calls, and no others, have a padding of 1. If nothing
explains which calls are refused, the promises on shapes and attributes that make them valid are
named after the failure. None of this holds where a refused call passes alone in a new process: then
the state of the runtime explains the refusals, and not the calls.

*Groups.* For each operator, valid calls and refused calls are examined separately, because most
refusals never reach the failing code. Of each sort, the search is for the fact that best separates
failing cases from passing ones: the one with the largest F1 score, the harmonic mean of the share
of failing cases that have it and the share of failing cases among those that have it. Further facts
are added while they exclude passing cases and hardly any failing ones ("bfloat16 and x stepped").
The host and the card on which a case ran are facts, too. The cases with all these facts form a
group, and the search continues with the rest. A fact counts only if it is significant: if the
failing cases were drawn at random, as many of them would have it in fewer than one of a thousand
draws, corrected for the number of facts tried. If facts explain little, and the status that phase
one returned explains more, it makes the group. Other cases are grouped by the clause that they
break.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from aclnn_cts.judge.regions import Region, joined
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.case_builder import met_requirements
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case
from aclnn_cts.report.cases import CaseEntry, CaseFile, Cases
from aclnn_cts.report.features import MUST_BE_REFUSED, RETURNS, Feature, features_of, value_features
from aclnn_cts.run.process import UNKNOWN_DEVICE
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT

STRUCTURAL_KINDS = ("broadcast", "non-contiguous", "empty", "dtype", "rank", "format")
"""Kinds of structural promises by which cases may differ; rarer ones explain better."""

VALUE_KINDS = ("length", "rule", "shape")
"""Kinds of values in rules and shapes, the most specific first."""

LEAST_PASSES = 3
"""Minimum number of passing cases without a promise that explains failures."""

LEAST_FAILING_SHARE = 0.25
"""Minimum share of failures among the cases with the promise. Not all fail: a device that ignores a
stride is right if that dimension has one element."""

SUPPORT = Feature("", "product", PRODUCT_SUPPORT)
"""The clause that all calls on a product share."""

_ATTRIBUTED = ("value", "status")
"""Kinds of failures that a structural promise may explain; memory findings need no explanation."""

_SAYING_WHERE = ("dtype", "rank", "format")
"""Kinds of promises on the form of a call. If such a call is accepted with wrong values, they are
kept, unlike a permission such as that of non-contiguous tensors."""

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

_KEEPING = (Verdict.PASS, Verdict.CONTESTED_ONLY)

F = TypeVar("F", Feature, str)
Features = frozenset[Feature]


class _Side(Generic[F]):
    """Cases by features; each feature is a set of bits, one per case."""

    def __init__(self, cases: Sequence[Collection[F]]) -> None:
        self.size = len(cases)
        bits: dict[F, bytearray] = {}
        for place, own in enumerate(cases):
            for feature in own:
                if feature not in bits:
                    bits[feature] = bytearray(self.size // 8 + 1)
                bits[feature][place >> 3] |= 1 << (place & 7)
        self.features: dict[F, int] = {
            each: int.from_bytes(held, "little") for each, held in bits.items()
        }

    def having(self, features: Iterable[F]) -> int:
        bits = (1 << self.size) - 1
        for feature in features:
            bits &= self.features.get(feature, 0)
        return bits.bit_count()

    def having_any(self, features: Iterable[F]) -> int:
        bits = 0
        for feature in features:
            bits |= self.features.get(feature, 0)
        return bits.bit_count()


Judged = tuple[Case, CaseVerdict]


def attribute(judged: Sequence[Judged], specs: SpecSet) -> tuple[CaseVerdict, ...]:
    """Return the verdicts in order; promises that explain an operator's failures come first."""
    by_operator: dict[str, list[Judged]] = {}
    for case, verdict in judged:
        if case.expects_success:
            by_operator.setdefault(case.operator, []).append((case, verdict))
    explicable = {
        operator: [pair for pair in pairs if not _refused_by_state(pair[1], stuck=stuck)]
        for operator, pairs in by_operator.items()
        for stuck in [any(_refused_by_state(verdict) for _, verdict in pairs)]
    }
    blamed = {
        (operator, kind): _promises(specs.operator(operator), pairs, kind)
        for operator, pairs in explicable.items()
        for kind in _ATTRIBUTED
    }
    known = {id(verdict) for pairs in explicable.values() for _, verdict in pairs}
    return tuple(
        _named(specs.operator(case.operator), case, verdict, blamed)
        if verdict.verdict is Verdict.FAIL and id(verdict) in known
        else verdict
        for case, verdict in judged
    )


def _structural(spec: OperatorSpec, case: Case) -> list[Feature]:
    """Return the structural promises that a case exercises, kind by kind."""
    own = [each for each in features_of(spec, case) if each.clause]
    return sorted(own, key=lambda each: STRUCTURAL_KINDS.index(each.kind))


def _named(
    spec: OperatorSpec, case: Case, verdict: CaseVerdict, blamed: dict[tuple[str, str], Features]
) -> CaseVerdict:
    """Return a failing case's verdict with the promises that explain it."""
    own = (SUPPORT, *_structural(spec, case), *value_features(spec, case))
    values, statuses = (
        blamed[case.operator, kind] if kind in _kinds(verdict) else frozenset()
        for kind in _ATTRIBUTED
    )
    where = [each for each in own if each in values - statuses and each.kind in _SAYING_WHERE]
    first = [each for each in own if each in values | statuses and each not in where]
    behind = met_requirements(case) if _refused(verdict) and not (first or where) else ()
    names = (each.clause for each in first)
    broken = (*names, *verdict.broken, *behind)
    settings: dict[str, list[str]] = {}
    for each in where:
        setting = f"rank {each.setting}" if each.kind == "rank" else each.setting
        settings.setdefault(setting, []).append(each.clause)
    only_in = tuple(Common(setting, tuple(clauses)) for setting, clauses in settings.items())
    return replace(verdict, broken=tuple(dict.fromkeys(broken)), only_in=only_in)


def _promises(spec: OperatorSpec, judged: Sequence[Judged], kind: str) -> Features:
    """Return the promises that explain the failures of one kind, if any."""
    failing = [case for case, verdict in judged if kind in _kinds(verdict)]
    passing = [
        case
        for case, verdict in judged
        if verdict.verdict in _KEEPING or (verdict.biased and verdict.kinds == {"value"})
    ]
    if not failing:
        return frozenset()
    fails, passes = (
        _Side([_structural(spec, case) for case in cases]) for cases in (failing, passing)
    )
    single = _shared(fails)
    is_refused = kind == "status"
    if (
        is_refused
        and len(judged) > LEAST_PASSES
        and all(_refused(verdict) for _, verdict in judged)
    ):
        return frozenset({SUPPORT}).union(*single)
    for groups in (single, *(_families(fails, family_of) for family_of in _FAMILIES)):
        if blamed := _tightest(groups, STRUCTURAL_KINDS, passes, len(failing)):
            return blamed
    if not is_refused:
        return frozenset()
    # values in rules and shapes that exactly the refused calls have
    fails, passes = (
        _Side([set(value_features(spec, case)) for case in cases]) for cases in (failing, passing)
    )
    return _tightest(_shared(fails), VALUE_KINDS, passes, len(failing))


def _shared(side: _Side[Feature]) -> list[Features]:
    return [frozenset({each}) for each in side.features if side.having([each]) == side.size]


def _tightest(
    groups: Sequence[Features], kinds: Sequence[str], passing: _Side[Feature], failing: int
) -> Features:
    """Return the promises of one kind that leave the fewest passing cases that should have failed.

    Args:
        groups: Promises that together explain all failures.
        kinds: Kinds of promises to try one after another.
    """
    for kind in kinds:
        possible: dict[int, list[Features]] = {}
        for group in groups:
            having = passing.having_any(group)
            spared = passing.size - having
            enough = spared >= LEAST_PASSES and failing >= LEAST_FAILING_SHARE * (failing + having)
            if enough and any(each.kind == kind for each in group):
                possible.setdefault(spared, []).append(group)
        if possible:
            return frozenset[Feature]().union(*possible[max(possible)])
    return frozenset()


Family = Callable[[Feature], tuple[str, ...]]

_FAMILIES: tuple[Family, ...] = (
    # All layouts of one tensor, of the outputs, or of the inputs; one data type, rank or layout of
    # several tensors. An empty family matches nothing.
    lambda each: (each.clause,) if each.kind == "non-contiguous" else (),
    lambda each: (each.role,) if each.kind == "non-contiguous" else (),
    lambda each: (each.kind, each.setting),
)
"""Families of promises, the most specific first."""


def _families(failing: _Side[Feature], family_of: Family) -> list[Features]:
    """Return the families of promises that cover all failures."""
    families: dict[tuple[str, ...], set[Feature]] = {}
    for each in failing.features:
        families.setdefault(family_of(each), set()).add(each)
    groups = [frozenset(family) for key, family in families.items() if key]
    return [group for group in groups if failing.having_any(group) == failing.size]


def _refused(verdict: CaseVerdict) -> bool:
    """Whether phase one refused the call in every run; false if it was never made."""
    return verdict.status not in (None, ACLNN_SUCCESS) and "unsteady" not in verdict.kinds


def _refused_by_state(verdict: CaseVerdict, *, stuck: bool = False) -> bool:
    """Whether a valid call was refused that is accepted alone in a new process.

    Args:
        stuck: Whether such a call was found, which speaks for all that were not run alone.
    """
    return _refused(verdict) and bool(verdict.after or (stuck and not verdict.tries))


def _kinds(verdict: CaseVerdict) -> frozenset[str]:
    """Return the kinds of the failures that a case shows by itself."""
    if verdict.verdict is not Verdict.FAIL:
        return frozenset()
    return verdict.kinds - {"value"} if verdict.biased else verdict.kinds


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
    held = CaseFile.of(cases)
    breaking = [verdict for verdict in Verdict if verdict.breaks_promise]
    failing = dict.fromkeys(case.operator for case in held.where(verdicts=breaking) if case.fails)
    return tuple(
        group
        for operator in failing
        for group in _of_operator(operator, held.where(operator=operator))
    )


def _of_operator(operator: str, cases: Iterable[CaseEntry]) -> list[Group]:
    passing: dict[bool, list[tuple[str, ...]]] = {False: [], True: []}
    failing: dict[bool, list[_Failure]] = {False: [], True: []}
    for case in cases:
        refused = MUST_BE_REFUSED in case.facts
        facts = (*case.facts, *_places(case))
        if case.verdict in _KEEPING:
            passing[refused].append(facts)
        if case.fails:
            failing[refused].append(_Failure(case.id, case.named_clause, facts, case.regions))
    found = [
        replace(group, operator=operator, failing=sum(map(len, failing.values())), refusals=refused)
        for refused, own in failing.items()
        for group in _of_sort(own, _Side(passing[refused]))
    ]
    return sorted(found, key=lambda group: -len(group.cases))


def _places(case: CaseEntry) -> Iterator[str]:
    """Yield the host and card of a case, unless all cases ran in one place."""
    if case.host:
        yield f"on host {case.host}"
        if case.card != UNKNOWN_DEVICE:
            yield f"on card {case.card} of host {case.host}"


def _of_sort(failing: list[_Failure], passing: _Side[str]) -> Iterator[Group]:
    """Yield the groups of failing cases of one sort, beside the passing ones."""
    if len(failing) >= LEAST and _region(failing):
        facts = _explanation(_Side([case.facts for case in failing]), passing)
        shared = all(facts <= set(case.facts) for case in failing)
        yield _group(facts if shared else _Facts(), failing, passing)
        return
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


def _group(facts: _Facts, own: Sequence[_Failure], passing: _Side[str]) -> Group:
    """Return a group, without its operator's figures."""
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
        region=_region(own),
    )


def _region(own: Sequence[_Failure]) -> Region | None:
    """Return the region of an input's values that all wrong elements share, if significant."""
    found = joined([case.regions for case in own])
    tried = max((len(case.regions) for case in own), default=0)
    best = min(found, key=lambda region: region.chance, default=None)
    return best if best is not None and best.chance * tried < CHANCE else None


def _explanation(failing: _Side[str], passing: _Side[str]) -> _Facts:
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


def _further(chosen: _Facts, failing: _Side[str], passing: _Side[str]) -> Iterator[_Facts]:
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


def _score(facts: _Facts, failing: _Side[str], passing: _Side[str]) -> float:
    """Return the F1 score of predicting failures from the facts."""
    hits = failing.having(facts)
    return 2 * hits / (failing.size + hits + passing.having(facts))


def _is_no_accident(facts: _Facts, failing: _Side[str], passing: _Side[str]) -> bool:
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
    ways = (
        math.exp(_log_ways(marked, k) + _log_ways(total - marked, drawn - k) - whole)
        for whole in (_log_ways(total, drawn),)
        for k in range(max(hits, drawn - (total - marked)), min(marked, drawn) + 1)
    )
    return min(1.0, sum(ways))


def _log_ways(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)
