# SPDX-License-Identifier: Apache-2.0
"""Which structural promise explains an operator's failures, seen over the whole run.

A device that ignores a stride returns wrong values, so each such case breaks the formula's
clause; but what is broken is the promise that non-contiguous tensors work. A structural promise
explains the failures of an operator if every case that fails exercises it, while at least three
cases that do not exercise it pass and none of them fails, and at least a quarter of the cases
that exercise it fail: one failing float16 case among forty is no matter of float16. Then it is
named first, but for one sort: a data type, rank or format in which values are wrong was accepted.
What is broken then is the promise on the values, and the type says where: it is named behind.

A promise counts by what the case makes of it: ``x-dtype`` with float16 is another one than with
float32, ``x-non-contiguous`` with a sliced view another one than with a transposed one, and
``x-shape`` with an axis that is stretched another one than with an axis that is lacking. If none
explains the failures alone, all layouts of one tensor are tried together, then several tensors'.

A device that refuses every valid call of an operator does not support it: then the table of
products is what is broken, or a promise that all calls share, such as a mask of uint8. Where it
refuses some, the values that rules and shapes read may explain it: each refused call has a padding
of 1, and no other. If nothing explains which calls are refused, the promises on shapes and
attributes by which they are valid are named behind the failure.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from aclnn_cts.judge.case_features import (
    STRUCTURAL_KINDS,
    SUPPORT,
    VALUE_KINDS,
    Trait,
    structural_traits,
    value_traits,
)
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case
from aclnn_cts.plan.exercised import requirements_met
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

LEAST_PASSES = 3
"""Passing cases without the promise that it takes to call it the explanation."""

LEAST_FAILING_SHARE = 0.25
"""Share of the cases with the promise that must fail. Not all do: a device that ignores one
stride is right wherever that dimension has one element."""

_ATTRIBUTED = ("value", "status")
"""Kinds of failures that a structural promise may explain; memory findings speak for themselves."""

_SAYING_WHERE = ("dtype", "rank", "format")
"""Kinds of promises on what a call must be. Where such a call is accepted and its values are wrong,
they are kept in themselves, unlike a permission such as that of non-contiguous tensors."""


Judged = tuple[Case, CaseVerdict]


def attribute(judged: Sequence[Judged], specs: SpecSet) -> tuple[CaseVerdict, ...]:
    """Return the verdicts in order; promises that explain an operator's failures come first."""
    by_operator: dict[str, list[Judged]] = {}
    for case, verdict in judged:
        if case.expects_success:
            by_operator.setdefault(case.operator, []).append((case, verdict))
    blamed = {
        (operator, kind): _explain(specs.operator(operator), pairs, kind)
        for operator, pairs in by_operator.items()
        for kind in _ATTRIBUTED
    }
    for operator, pairs in by_operator.items():
        if not blamed[operator, "status"]:
            blamed[operator, "status"] = _explain_by_values(specs.operator(operator), pairs)
    return tuple(
        _named(specs.operator(case.operator), case, verdict, blamed)
        if case.expects_success and verdict.verdict is Verdict.FAIL
        else verdict
        for case, verdict in judged
    )


def _named(
    spec: OperatorSpec,
    case: Case,
    verdict: CaseVerdict,
    blamed: dict[tuple[str, str], frozenset[Trait]],
) -> CaseVerdict:
    """Return a failing case's verdict with the promises that explain it."""
    own = (SUPPORT, *structural_traits(spec, case), *value_traits(spec, case))
    values, statuses = (
        blamed[case.operator, kind] if kind in verdict.kinds else frozenset()
        for kind in _ATTRIBUTED
    )
    where = [t for t in own if t in values - statuses and t.kind in _SAYING_WHERE]
    first = [t for t in own if t in values | statuses and t not in where]
    behind = requirements_met(case) if _refused(verdict) and not (first or where) else ()
    names = (trait.clause for trait in first)
    broken = (*names, *verdict.broken, *behind, *(trait.clause for trait in where))
    return replace(verdict, broken=tuple(dict.fromkeys(broken)), only_in=tuple(_common(where)))


def _common(where: Sequence[Trait]) -> Iterator[Common]:
    """Yield each setting once, with the clauses of all tensors that have it."""
    for setting in dict.fromkeys(map(_told, where)):
        yield Common(setting, tuple(each.clause for each in where if _told(each) == setting))


def _told(trait: Trait) -> str:
    return f"rank {trait.setting}" if trait.kind == "rank" else trait.setting


def _explain(spec: OperatorSpec, judged: Sequence[Judged], kind: str) -> frozenset[Trait]:
    """Return the traits that explain the failures of one kind; none if nothing does."""
    if not any(_fails(verdict, kind) for _, verdict in judged):
        return frozenset()
    failing, passing = _sides(judged, kind, functools.partial(structural_traits, spec))
    if (
        kind == "status"
        and len(judged) > LEAST_PASSES
        and all(_refused(verdict) for _, verdict in judged)
    ):
        return frozenset({SUPPORT}) | frozenset.intersection(*failing)
    single = frozenset.intersection(*failing)
    groups = [frozenset({trait}) for trait in single]
    for candidates in (groups, *(_families(failing, family_of) for family_of in _FAMILIES)):
        for trait_kind in STRUCTURAL_KINDS:
            of_kind = [group for group in candidates if trait_kind in {t.kind for t in group}]
            blamed = _tightest(of_kind, passing, len(failing))
            if blamed:
                return blamed
    return frozenset()


def _explain_by_values(spec: OperatorSpec, judged: Sequence[Judged]) -> frozenset[Trait]:
    """Return the values of rules and shapes that all refused calls have and no other call has."""
    if not any(_fails(verdict, "status") for _, verdict in judged):
        return frozenset()
    failing, passing = _sides(judged, "status", functools.partial(value_traits, spec))
    shared = frozenset.intersection(*failing)
    for kind in VALUE_KINDS:
        groups = [frozenset({trait}) for trait in shared if trait.kind == kind]
        blamed = _tightest(groups, passing, len(failing))
        if blamed:
            return blamed
    return frozenset()


def _sides(
    judged: Sequence[Judged], kind: str, traits_of: Callable[[Case], Iterator[Trait]]
) -> tuple[list[frozenset[Trait]], list[frozenset[Trait]]]:
    """Return the traits of the calls that fail in one way, and of those that pass."""
    failing = [frozenset(traits_of(case)) for case, verdict in judged if _fails(verdict, kind)]
    passing = [
        frozenset(traits_of(case))
        for case, verdict in judged
        if verdict.verdict in (Verdict.PASS, Verdict.CONTESTED_ONLY)
    ]
    return failing, passing


def _tightest(
    groups: Sequence[frozenset[Trait]], passing: Sequence[frozenset[Trait]], failing: int
) -> frozenset[Trait]:
    """Return the traits that leave the fewest passing cases which ought to have failed."""
    spared = {group: sum(not group & traits for traits in passing) for group in groups}
    possible = {
        group: count
        for group, count in spared.items()
        if count >= LEAST_PASSES
        and failing >= LEAST_FAILING_SHARE * (failing + len(passing) - count)
    }
    most = max(possible.values(), default=0)
    best = [group for group, count in possible.items() if count == most]
    return frozenset[Trait]().union(*best)


def _one_tensor(trait: Trait) -> tuple[str, ...] | None:
    """All layouts of one tensor."""
    return (trait.clause,) if trait.kind == "non-contiguous" else None


def _one_role(trait: Trait) -> tuple[str, ...] | None:
    """All layouts of the outputs, or of the inputs."""
    return (trait.role,) if trait.kind == "non-contiguous" else None


def _one_setting(trait: Trait) -> tuple[str, ...] | None:
    """One data type, rank or layout of several tensors."""
    return trait.kind, trait.setting


_FAMILIES = (_one_tensor, _one_role, _one_setting)
"""What traits may have in common, the most telling first."""


def _families(
    failing: Sequence[frozenset[Trait]], family_of: Callable[[Trait], tuple[str, ...] | None]
) -> list[frozenset[Trait]]:
    """Return the families of traits that cover all failures."""
    everything = frozenset[Trait]().union(*failing)
    families: dict[tuple[str, ...], set[Trait]] = {}
    for trait in everything:
        family = family_of(trait)
        if family is not None:
            families.setdefault(family, set()).add(trait)
    groups = [frozenset(family) for family in families.values()]
    return [group for group in groups if all(group & traits for traits in failing)]


def _refused(verdict: CaseVerdict) -> bool:
    """Whether phase one refused the call; one that was never made was not refused.

    Nor was one that was accepted in another run: it is not the call that makes the difference.
    """
    return verdict.status not in (None, ACLNN_SUCCESS) and "unsteady" not in verdict.kinds


def _fails(verdict: CaseVerdict, kind: str) -> bool:
    return verdict.verdict is Verdict.FAIL and kind in verdict.kinds
