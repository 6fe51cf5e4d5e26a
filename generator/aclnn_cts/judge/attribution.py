# SPDX-License-Identifier: Apache-2.0
"""Which structural promise explains an operator's failures, seen over the whole run.

A device that ignores a stride returns wrong values, so each such case breaks the formula's
clause; but what is broken is the promise that non-contiguous tensors work. A structural promise
explains the failures of an operator if every case that fails exercises it, while at least three
cases that do not exercise it pass and none of them fails, and at least a quarter of the cases
that exercise it fail: one failing float16 case among forty is no matter of float16. Then it is
named first.

A promise counts by what the case makes of it: ``x-dtype`` with float16 is another one than with
float32, and ``x-non-contiguous`` with a sliced view another one than with a transposed one. If none
explains the failures alone, all layouts of one tensor are tried together, then several tensors'.

A device that refuses every valid call of an operator does not support it: then the table of
products is what is broken, or a promise that all calls share, such as a mask of uint8. Where it
refuses some, and nothing explains which, the promises on shapes and attributes by which the calls
are valid are named behind the failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case, TensorCase
from aclnn_cts.plan.exercised import requirements_met
from aclnn_cts.spec.structure import PRODUCT_SUPPORT, clause_id

LEAST_PASSES = 3
"""Passing cases without the promise that it takes to call it the explanation."""

LEAST_FAILING_SHARE = 0.25
"""Share of the cases with the promise that must fail. Not all do: a device that ignores one
stride is right wherever that dimension has one element."""

_KINDS = ("non-contiguous", "empty", "dtype", "rank")
"""Kinds of structural promises in which cases differ; what is rarer is the better explanation."""

_ATTRIBUTED = ("value", "status")
"""Kinds of failures that a structural promise may explain; memory findings speak for themselves."""


@dataclass(frozen=True)
class _Trait:
    """What a case makes of one structural promise, such as ``x-dtype`` with ``float16``."""

    kind: str
    clause: str
    setting: str
    role: str


_SUPPORT = _Trait("product", PRODUCT_SUPPORT, "", "call")

Judged = tuple[Case, CaseVerdict]


def attribute(judged: Sequence[Judged]) -> tuple[CaseVerdict, ...]:
    """Return the verdicts in order; structural promises that explain failures come first."""
    by_operator: dict[str, list[Judged]] = {}
    for case, verdict in judged:
        if case.expects_success:
            by_operator.setdefault(case.operator, []).append((case, verdict))
    blamed = {
        (operator, kind): _explain(pairs, kind)
        for operator, pairs in by_operator.items()
        for kind in _ATTRIBUTED
    }
    return tuple(_put_first(case, verdict, blamed) for case, verdict in judged)


def _put_first(
    case: Case, verdict: CaseVerdict, blamed: dict[tuple[str, str], frozenset[_Trait]]
) -> CaseVerdict:
    if not case.expects_success or verdict.verdict is not Verdict.FAIL:
        return verdict
    guilty: frozenset[_Trait] = frozenset()
    for kind in _ATTRIBUTED:
        if kind in verdict.kinds:
            guilty |= blamed[case.operator, kind]
    names = [trait.clause for trait in (_SUPPORT, *_traits(case)) if trait in guilty]
    behind = requirements_met(case) if _refused(verdict) and not names else ()
    return replace(verdict, broken=tuple(dict.fromkeys((*names, *verdict.broken, *behind))))


def _traits(case: Case) -> Iterator[_Trait]:
    """Yield a case's traits; only of promises that the document makes (Case.clauses holds them)."""
    for kind in _KINDS:
        for tensor in case.tensors:
            clause = clause_id(tensor.name, kind)
            if clause in case.clauses:
                yield _Trait(kind, clause, _setting(kind, tensor), tensor.role)


def _setting(kind: str, tensor: TensorCase) -> str:
    settings = {
        "dtype": tensor.dtype,
        "rank": str(len(tensor.shape)),
        "non-contiguous": tensor.layout,
    }
    return settings.get(kind, "")


def _explain(judged: Sequence[Judged], kind: str) -> frozenset[_Trait]:
    """Return the traits that explain the failures of one kind; none if nothing does."""
    failing = [frozenset(_traits(case)) for case, verdict in judged if _fails(verdict, kind)]
    if not failing:
        return frozenset()
    if (
        kind == "status"
        and len(judged) > LEAST_PASSES
        and all(_refused(verdict) for _, verdict in judged)
    ):
        return frozenset({_SUPPORT}) | frozenset.intersection(*failing)
    passing = [
        frozenset(_traits(case))
        for case, verdict in judged
        if verdict.verdict in (Verdict.PASS, Verdict.CONTESTED_ONLY)
    ]
    single = frozenset.intersection(*failing)
    groups = [frozenset({trait}) for trait in single]
    for candidates in (groups, *(_families(failing, family_of) for family_of in _FAMILIES)):
        for trait_kind in _KINDS:
            of_kind = [group for group in candidates if trait_kind in {t.kind for t in group}]
            blamed = _tightest(of_kind, passing, len(failing))
            if blamed:
                return blamed
    return frozenset()


def _tightest(
    groups: Sequence[frozenset[_Trait]], passing: Sequence[frozenset[_Trait]], failing: int
) -> frozenset[_Trait]:
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
    return frozenset[_Trait]().union(*best)


def _one_tensor(trait: _Trait) -> tuple[str, ...] | None:
    """All layouts of one tensor."""
    return (trait.clause,) if trait.kind == "non-contiguous" else None


def _one_role(trait: _Trait) -> tuple[str, ...] | None:
    """All layouts of the outputs, or of the inputs."""
    return (trait.role,) if trait.kind == "non-contiguous" else None


def _one_setting(trait: _Trait) -> tuple[str, ...] | None:
    """One data type, rank or layout of several tensors."""
    return trait.kind, trait.setting


_FAMILIES = (_one_tensor, _one_role, _one_setting)
"""What traits may have in common, the most telling first."""


def _families(
    failing: Sequence[frozenset[_Trait]], family_of: Callable[[_Trait], tuple[str, ...] | None]
) -> list[frozenset[_Trait]]:
    """Return the families of traits that cover all failures."""
    everything = frozenset[_Trait]().union(*failing)
    families: dict[tuple[str, ...], set[_Trait]] = {}
    for trait in everything:
        family = family_of(trait)
        if family is not None:
            families.setdefault(family, set()).add(trait)
    groups = [frozenset(family) for family in families.values()]
    return [group for group in groups if all(group & traits for traits in failing)]


def _refused(verdict: CaseVerdict) -> bool:
    """Whether phase one refused the call; one that was never made was not refused."""
    return verdict.status not in (None, ACLNN_SUCCESS)


def _fails(verdict: CaseVerdict, kind: str) -> bool:
    return verdict.verdict is Verdict.FAIL and kind in verdict.kinds
