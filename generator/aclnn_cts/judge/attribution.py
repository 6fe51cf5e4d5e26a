# SPDX-License-Identifier: Apache-2.0
"""Attribution: the broken promise that the failures of an operator share.

A device that ignores a stride returns wrong values, so each such case breaks the
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
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from aclnn_cts.judge.features import Feature, features_of, value_features
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.case_builder import met_requirements
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case
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

KEEPING = (Verdict.PASS, Verdict.CONTESTED_ONLY)

F = TypeVar("F", Feature, str)
Features = frozenset[Feature]


class CaseSets(Generic[F]):
    """Cases by features; each feature is a set of bits, one per case."""

    def __init__(self, cases: Sequence[Collection[F]]) -> None:
        self.size = len(cases)
        bits: dict[F, bytearray] = {}
        for place, features in enumerate(cases):
            for feature in features:
                if feature not in bits:
                    bits[feature] = bytearray(self.size // 8 + 1)
                bits[feature][place >> 3] |= 1 << (place & 7)
        self.features: dict[F, int] = {
            each: int.from_bytes(bits_of_feature, "little")
            for each, bits_of_feature in bits.items()
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
        operator: [pair for pair in pairs if not _is_refused_by_state(pair[1], stuck=stuck)]
        for operator, pairs in by_operator.items()
        for stuck in [any(_is_refused_by_state(verdict) for _, verdict in pairs)]
    }
    blamed = {
        (operator, kind): _promises(specs.operator(operator), pairs, kind)
        for operator, pairs in explicable.items()
        for kind in _ATTRIBUTED
    }
    verdict_ids = {id(verdict) for pairs in explicable.values() for _, verdict in pairs}
    return tuple(
        _explain(specs.operator(case.operator), case, verdict, blamed)
        if verdict.verdict is Verdict.FAIL and id(verdict) in verdict_ids
        else verdict
        for case, verdict in judged
    )


def _structural(spec: OperatorSpec, case: Case) -> list[Feature]:
    """Return the structural promises that a case exercises, kind by kind."""
    features = [each for each in features_of(spec, case) if each.clause]
    return sorted(features, key=lambda each: STRUCTURAL_KINDS.index(each.kind))


def _explain(
    spec: OperatorSpec, case: Case, verdict: CaseVerdict, blamed: dict[tuple[str, str], Features]
) -> CaseVerdict:
    """Return a failing case's verdict with the promises that explain it."""
    features = (SUPPORT, *_structural(spec, case), *value_features(spec, case))
    values, statuses = (
        blamed[case.operator, kind] if kind in _kinds(verdict) else frozenset()
        for kind in _ATTRIBUTED
    )
    where = [each for each in features if each in values - statuses and each.kind in _SAYING_WHERE]
    first = [each for each in features if each in values | statuses and each not in where]
    behind = met_requirements(case) if _is_refused(verdict) and not (first or where) else ()
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
        if verdict.verdict in KEEPING or (verdict.biased and verdict.kinds == {"value"})
    ]
    if not failing:
        return frozenset()
    fails, passes = (
        CaseSets([_structural(spec, case) for case in cases]) for cases in (failing, passing)
    )
    single = _common_features(fails)
    is_refused = kind == "status"
    all_refused = all(_is_refused(verdict) for _, verdict in judged)
    if is_refused and all_refused and len(judged) > LEAST_PASSES:
        return frozenset({SUPPORT}).union(*single)
    for groups in (single, *(_families(fails, family_of) for family_of in _FAMILIES)):
        if blamed := _tightest(groups, STRUCTURAL_KINDS, passes, len(failing)):
            return blamed
    return _values_of_refused(spec, failing, passing) if is_refused else frozenset()


def _values_of_refused(
    spec: OperatorSpec, refused: Sequence[Case], accepted: Sequence[Case]
) -> Features:
    """Return the values in rules and shapes that exactly the refused calls have."""
    fails, passes = (
        CaseSets([set(value_features(spec, case)) for case in cases])
        for cases in (refused, accepted)
    )
    return _tightest(_common_features(fails), VALUE_KINDS, passes, len(refused))


def _common_features(side: CaseSets[Feature]) -> list[Features]:
    return [frozenset({each}) for each in side.features if side.having([each]) == side.size]


def _tightest(
    groups: Sequence[Features], kinds: Sequence[str], passing: CaseSets[Feature], failing: int
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


def _families(failing: CaseSets[Feature], family_of: Family) -> list[Features]:
    """Return the families of promises that cover all failures."""
    families: dict[tuple[str, ...], set[Feature]] = {}
    for each in failing.features:
        families.setdefault(family_of(each), set()).add(each)
    groups = [frozenset(family) for key, family in families.items() if key]
    return [group for group in groups if failing.having_any(group) == failing.size]


def _is_refused(verdict: CaseVerdict) -> bool:
    """Whether phase one refused the call in every run; false if it was never made."""
    return verdict.status not in (None, ACLNN_SUCCESS) and "unsteady" not in verdict.kinds


def _is_refused_by_state(verdict: CaseVerdict, *, stuck: bool = False) -> bool:
    """Whether a valid call was refused that is accepted alone in a new process.

    Args:
        stuck: Whether such a call was found, which speaks for all that were not run alone.
    """
    return _is_refused(verdict) and bool(verdict.after or (stuck and not verdict.tries))


def _kinds(verdict: CaseVerdict) -> frozenset[str]:
    """Return the kinds of the failures that a case shows by itself."""
    if verdict.verdict is not Verdict.FAIL:
        return frozenset()
    return verdict.kinds - {"value"} if verdict.biased else verdict.kinds
