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
from dataclasses import dataclass, replace

from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.case_builder import requirements_met
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case, TensorCase
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.structure import PRODUCT_SUPPORT, clause_id

STRUCTURAL_KINDS = ("broadcast", "non-contiguous", "empty", "dtype", "rank", "format")
"""Kinds of structural promises, by which cases differ or are alike; what is rarer is the better
explanation."""

VALUE_KINDS = ("length", "rule", "shape")
"""Kinds of what rules and shapes read, the most telling first."""


@dataclass(frozen=True)
class Trait:
    """What a case makes of one promise, such as ``x-dtype`` with ``float16``.

    Attributes:
        kind: One of the kinds above, or ``product``.
        clause: The promise's id.
        setting: What the case makes of it.
        role: The tensor's role; empty where no tensor is meant.
    """

    kind: str
    clause: str
    setting: str
    role: str = ""


SUPPORT = Trait("product", PRODUCT_SUPPORT, "")
"""What all calls on a product share."""


def structural_traits(spec: OperatorSpec, case: Case) -> Iterator[Trait]:
    """Yield a case's traits; only of promises that the document makes (Case.clauses holds them).

    Args:
        spec: The operator.
        case: One of its calls that must work.
    """
    for parameter in spec.tensors:
        yield from _broadcasts(parameter, case)
    for kind in STRUCTURAL_KINDS:
        for tensor in case.tensors:
            clause = clause_id(tensor.name, kind)
            if clause in case.clauses:
                yield Trait(kind, clause, _setting(kind, tensor), tensor.role)


def _broadcasts(parameter: TensorParameter, case: Case) -> Iterator[Trait]:
    """Yield how a tensor is broadcast: it lacks axes of the other one, or stretches some."""
    rule, clause = parameter.shape, clause_id(parameter.name, "shape")
    if not isinstance(rule, ShapeRule) or rule.broadcasts_to is None or clause not in case.clauses:
        return
    own, other = case.tensor(parameter.name), case.tensor(rule.broadcasts_to)
    lacking = len(other.shape) - len(own.shape)
    if lacking and own.numel > 1:
        yield Trait("broadcast", clause, "fewer", own.role)
    if any(a != b for a, b in zip(own.shape, other.shape[lacking:], strict=True)):
        yield Trait("broadcast", clause, "stretched", own.role)


def _setting(kind: str, tensor: TensorCase) -> str:
    settings = {
        "dtype": tensor.dtype,
        "rank": str(len(tensor.shape)),
        "non-contiguous": tensor.layout,
        "format": tensor.format,
    }
    return settings.get(kind, "")


def value_traits(spec: OperatorSpec, case: Case) -> Iterator[Trait]:
    """Yield the values that rules and shapes read in a call: each by itself, a rule's together.

    Args:
        spec: The operator.
        case: One of its calls that must work.
    """
    for rule in spec.rules:
        values = _values(case, rule.require.names)
        yield Trait("rule", rule.id, repr(sorted(values.items())))
        for name, value in values.items():
            yield Trait("rule", rule.id, f"{name}={value!r}")
            if isinstance(value, tuple):
                yield Trait("length", rule.id, f"len({name})={len(value)}")
    for tensor in spec.tensors:
        clause = clause_id(tensor.name, "shape")
        if clause not in case.clauses:
            continue
        yield Trait("shape", clause, repr(case.tensor(tensor.name).shape))
        dims = tensor.shape if isinstance(tensor.shape, list) else []
        read = {name for dim in dims if not isinstance(dim, str) for name in dim.names}
        for name, value in _values(case, read).items():
            yield Trait("shape", clause, f"{name}={value!r}")


def _values(case: Case, names: frozenset[str] | set[str]) -> dict[str, object]:
    known = {**case.names, **case.attributes}
    return {name: known[name] for name in sorted(names) if name in known}


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
