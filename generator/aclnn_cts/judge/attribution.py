# SPDX-License-Identifier: Apache-2.0
"""Checks over all verdicts of a run: the promise that explains failures, and rounding bias.

A device that ignores a stride returns wrong values, so each such case breaks the formula's
clause; but what is broken is the promise that non-contiguous tensors work. A structural promise
explains the failures of an operator if every case that fails exercises it, while at least three
cases that do not exercise it pass and none of them fails, and at least a quarter of the cases
that exercise it fail: one failing float16 case among forty does not blame float16. Then it is
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

Bias (:mod:`aclnn_cts.judge.bias`) belongs to no single element. It is reported in the cases that
add most to it: they fail, by the value clauses that their rounded elements are promised by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.judge.bias import (
    DIRECTIONS,
    Direction,
    PooledRounding,
    Rounding,
    describe,
    pooled,
)
from aclnn_cts.judge.clauses import broken_values, reached_numbers
from aclnn_cts.judge.standards import Standard
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
"""Kinds of what rules and shapes read, the most specific first."""

LEAST_PASSES = 3
"""Passing cases without the promise that it takes to call it the explanation."""

LEAST_FAILING_SHARE = 0.25
"""Share of the cases with the promise that must fail. Not all do: a device that ignores one
stride is right wherever that dimension has one element."""

BLAMED = 3
"""Cases in which a bias is reported."""

_ATTRIBUTED = ("value", "status")
"""Kinds of failures that a structural promise may explain; memory findings speak for themselves."""

_SAYING_WHERE = ("dtype", "rank", "format")
"""Kinds of promises on what a call must be. Where such a call is accepted and its values are wrong,
they are kept in themselves, unlike a permission such as that of non-contiguous tensors."""

Judged = tuple[Case, CaseVerdict]


def seen_together(
    judged: Sequence[Judged], specs: SpecSet, standard: Standard
) -> tuple[tuple[CaseVerdict, ...], tuple[PooledRounding, ...]]:
    """Apply the checks that need all verdicts of an operator; return verdicts, and rounding.

    Args:
        judged: All cases of an operator with their verdicts.
        specs: All specs.
        standard: The standard that decides.
    """
    return find_bias(attribute(judged, specs), specs, standard)


@dataclass(frozen=True)
class Trait:
    """One promise and the case's setting of it, such as ``x-dtype`` with ``float16``.

    Attributes:
        kind: One of the kinds above, or ``product``.
        clause: The promise's id.
        setting: The case's setting of it.
        role: The tensor's role; empty where no tensor is meant.
    """

    kind: str
    clause: str
    setting: str
    role: str = ""


Traits = frozenset[Trait]

SUPPORT = Trait("product", PRODUCT_SUPPORT, "")
"""The trait that all calls on a product share."""


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
    return tuple(
        _named(specs.operator(case.operator), case, verdict, blamed)
        if case.expects_success and verdict.verdict is Verdict.FAIL
        else verdict
        for case, verdict in judged
    )


def _named(
    spec: OperatorSpec, case: Case, verdict: CaseVerdict, blamed: dict[tuple[str, str], Traits]
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
    settings: dict[str, list[str]] = {}
    for trait in where:
        setting = f"rank {trait.setting}" if trait.kind == "rank" else trait.setting
        settings.setdefault(setting, []).append(trait.clause)
    only_in = tuple(Common(setting, tuple(clauses)) for setting, clauses in settings.items())
    return replace(verdict, broken=tuple(dict.fromkeys(broken)), only_in=only_in)


def _explain(spec: OperatorSpec, judged: Sequence[Judged], kind: str) -> Traits:
    """Return the traits that explain the failures of one kind; none if nothing does."""
    failing = [case for case, verdict in judged if _fails(verdict, kind)]
    passing = [
        case
        for case, verdict in judged
        if verdict.verdict in (Verdict.PASS, Verdict.CONTESTED_ONLY)
    ]
    if not failing:
        return frozenset()

    def sides(traits_of: Callable[[OperatorSpec, Case], Iterator[Trait]]) -> list[list[Traits]]:
        return [[frozenset(traits_of(spec, case)) for case in own] for own in (failing, passing)]

    fails, passes = sides(structural_traits)
    shared = frozenset.intersection(*fails)
    is_refused = kind == "status"
    if (
        is_refused
        and len(judged) > LEAST_PASSES
        and all(_refused(verdict) for _, verdict in judged)
    ):
        return shared | {SUPPORT}
    single = [frozenset({trait}) for trait in shared]
    for groups in (single, *(_families(fails, family_of) for family_of in _FAMILIES)):
        if blamed := _tightest(groups, STRUCTURAL_KINDS, passes, len(failing)):
            return blamed
    if not is_refused:
        return frozenset()
    # Values of rules and shapes that all refused calls have and no other call has.
    fails, passes = sides(value_traits)
    single = [frozenset({trait}) for trait in frozenset.intersection(*fails)]
    return _tightest(single, VALUE_KINDS, passes, len(failing))


def _tightest(
    groups: Sequence[Traits], kinds: Sequence[str], passing: Sequence[Traits], failing: int
) -> Traits:
    """Return the traits of one kind that leave the fewest passing cases that should have failed.

    Args:
        groups: Traits that explain all failures together.
        kinds: Kinds of traits to try one after another.
        passing: The traits of each passing case.
        failing: How many cases fail.
    """
    for kind in kinds:
        possible: dict[int, list[Traits]] = {}
        for group in groups:
            spared = sum(not group & traits for traits in passing)
            reached = failing + len(passing) - spared
            enough = spared >= LEAST_PASSES and failing >= LEAST_FAILING_SHARE * reached
            if enough and any(trait.kind == kind for trait in group):
                possible.setdefault(spared, []).append(group)
        if possible:
            return frozenset[Trait]().union(*possible[max(possible)])
    return frozenset()


Family = Callable[[Trait], tuple[str, ...]]

_FAMILIES: tuple[Family, ...] = (
    # All layouts of one tensor; those of the outputs, or of the inputs; one data type, rank or
    # layout of several tensors. An empty family holds nothing.
    lambda trait: (trait.clause,) if trait.kind == "non-contiguous" else (),
    lambda trait: (trait.role,) if trait.kind == "non-contiguous" else (),
    lambda trait: (trait.kind, trait.setting),
)
"""What traits may have in common, the most specific first."""


def _families(failing: Sequence[Traits], family_of: Family) -> list[Traits]:
    """Return the families of traits that cover all failures."""
    families: dict[tuple[str, ...], set[Trait]] = {}
    for trait in frozenset[Trait]().union(*failing):
        families.setdefault(family_of(trait), set()).add(trait)
    groups = [frozenset(family) for key, family in families.items() if key]
    return [group for group in groups if all(group & traits for traits in failing)]


def _refused(verdict: CaseVerdict) -> bool:
    """Whether phase one refused the call; one that was never made was not refused.

    Nor was one that was accepted in another run: it is not the call that makes the difference.
    """
    return verdict.status not in (None, ACLNN_SUCCESS) and "unsteady" not in verdict.kinds


def _fails(verdict: CaseVerdict, kind: str) -> bool:
    return verdict.verdict is Verdict.FAIL and kind in verdict.kinds


def find_bias(
    verdicts: Sequence[CaseVerdict], specs: SpecSet, standard: Standard
) -> tuple[tuple[CaseVerdict, ...], tuple[PooledRounding, ...]]:
    """Return the verdicts, with the failures that bias makes of some, and the figures.

    Only cases that keep every element's budget are pooled: larger errors are not rounding.

    Args:
        verdicts: Of all cases of a run.
        specs: All specs.
        standard: The standard that decides; bias breaks the strict one only.
    """
    pools: dict[tuple[str, str, str], dict[str, Rounding]] = {}
    for verdict in verdicts:
        figures = verdict.standards.get("strict")
        for part in verdict.rounding if figures is not None and figures.passed else ():
            key = (verdict.operator, part.output, part.dtype)
            pools.setdefault(key, {})[verdict.case] = part
    found: list[PooledRounding] = []
    after = {verdict.case: verdict for verdict in verdicts}
    for (operator, _, _), cases in sorted(pools.items()):
        whole = pooled(cases.values())
        found.append(PooledRounding.of(operator, whole))
        biased = [direction for direction in DIRECTIONS if whole.is_biased(direction)]
        if biased:
            strongest = max(biased, key=lambda direction: abs(whole.bias(direction)))
            for case in _most_biased(cases, whole, strongest):
                reached = cases[case].reached
                after[case] = _blame(after[case], whole, strongest, reached, specs, standard)
    return tuple(after[verdict.case] for verdict in verdicts), tuple(found)


def _most_biased(cases: Mapping[str, Rounding], whole: Rounding, direction: Direction) -> list[str]:
    """Return the cases that add most to a bias."""
    at, sign = DIRECTIONS.index(direction), 1 if whole.bias(direction) > 0 else -1
    return sorted(cases, key=lambda case: (-sign * cases[case].sums[at], case))[:BLAMED]


def _blame(
    verdict: CaseVerdict,
    whole: Rounding,
    direction: Direction,
    reached: int,
    specs: SpecSet,
    standard: Standard,
) -> CaseVerdict:
    figures = {**verdict.standards, "strict": replace(verdict.standards["strict"], passed=False)}
    text = describe(whole, direction)
    if standard != "strict":
        return replace(verdict, standards=figures, remarks=(*verdict.remarks, text))
    clauses = specs.operator(verdict.operator).clauses
    broken = broken_values(dict.fromkeys(reached_numbers(reached), whole.elements), clauses)
    return replace(
        verdict,
        verdict=verdict.verdict if verdict.verdict.breaks_promise else Verdict.FAIL,
        broken=tuple(dict.fromkeys((*verdict.broken, *broken))),
        standards=figures,
        message="; ".join(filter(None, (verdict.message, text))),
        kinds=verdict.kinds | {"value"},
    )
