# SPDX-License-Identifier: Apache-2.0
"""Reach of a case's data: where they test a value clause, positively or negatively.

An element is *positive* evidence for a clause if the clause certainly applies and a device that
breaks it would be caught. It is *negative* evidence if the clause does not apply and a device that
applies it nevertheless would be caught. Both follow from what the judge would accept, not from the
purpose of the case.

A clause that promises a case of the formula (``expect: value``) differs in one respect: the formula
gives the right case everywhere, so the result of a device that confuses cases is unknown. For such
a clause, an element where another clause must be kept is also negative evidence.

A clause that leaves the outcome open (``expect: any``) cannot be broken. Its positive evidence are
elements where it certainly applies, its negative evidence elements where it does not apply and not
everything is allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aclnn_cts.golden.expectations import call_key, expect_case
from aclnn_cts.golden.expected import STATED, Expected, Mask
from aclnn_cts.golden.inputs import Draw, make_inputs
from aclnn_cts.golden.outcomes import ANY, EITHER, VALUE, ZERO
from aclnn_cts.golden.tolerances import clashing_pairs
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import Cases
from aclnn_cts.spec.clause_models import ValueClause
from aclnn_cts.spec.edition_diff import values_differ
from aclnn_cts.spec.loading import SpecSet


@dataclass(frozen=True)
class Reach:
    """The clauses that the data of one or several cases reach, by id.

    Attributes:
        positive: Clauses with positive evidence.
        negative: Clauses with negative evidence.
        applied: Number of elements to which each clause applies or may apply.
        contested: Number of these on which it contradicts another clause.
        clashes: Numbers of elements by pair of contradicting clauses.
    """

    positive: frozenset[str] = frozenset()
    negative: frozenset[str] = frozenset()
    applied: Mapping[str, int] = field(default_factory=dict)
    contested: Mapping[str, int] = field(default_factory=dict)
    clashes: Mapping[tuple[str, str], int] = field(default_factory=dict)


def reach_of(draw: Draw) -> Reach:
    """Return the reach of a case's data; empty for a refused call."""
    case = draw.case
    if not case.expects_success:
        return Reach()
    spec = draw.specs.operator(case.operator)
    inf_nan = draw.specs.product(case.product).inf_nan
    return join(
        reach_of_output(
            draw.expectations[output.name].whole(),
            spec.clauses,
            frozenset(spec.clauses_of(output.parameter, inf_nan=inf_nan)),
        )
        for output in case.outputs
        if output.name in draw.expectations
    )


def reach_of_output(
    expected: Expected, clauses: Sequence[ValueClause], speaking: frozenset[int]
) -> Reach:
    """Return the reach of one output's elements.

    Args:
        expected: What may come back.
        clauses: The spec's value clauses; bit k of ``expected.reached`` means the k-th.
        speaking: Numbers of the clauses about the output.
    """
    flat = expected.flat()
    certain: set[str] = set()
    outside: set[str] = set()
    applied: Counter[str] = Counter()
    contested: Counter[str] = Counter()
    for number in sorted(speaking):
        clause = clauses[number]
        applies = flat.reach_of(number)
        applied[clause.id] = int(np.count_nonzero(applies))
        contested[clause.id] = int(np.count_nonzero(applies & flat.contested))
        if positive_elements(flat, clause, applies).any():
            certain.add(clause.id)
        if negative_elements(flat, clause, applies).any():
            outside.add(clause.id)
    clashes = dict(_clashes(flat, clauses))
    return Reach(frozenset(certain), frozenset(outside), +applied, +contested, clashes)


def positive_elements(expected: Expected, clause: ValueClause, applies: Mask) -> Mask:
    """Return the elements at which a device that breaks the clause would be caught.

    For a clause that leaves the outcome open, return the elements to which it certainly applies.
    """
    mask = applies & ~expected.contested & ~expected.undecided & ~expected.has_alternatives()
    if clause.expect == "any":
        return mask
    allowed = expected.allowed
    mask &= allowed != ANY
    if clause.expect == "value":
        mask &= (allowed & ~expected.formula) == 0
        mask &= _shows_value(expected)
    else:
        mask &= (allowed & ~np.uint8(STATED[clause.expect])) == 0
    return mask


def negative_elements(expected: Expected, clause: ValueClause, applies: Mask) -> Mask:
    """Return the elements at which a device that applies the clause too widely would be caught."""
    allowed = expected.allowed
    mask = ~applies & ~expected.contested & ~expected.has_alternatives()
    mask &= allowed != ANY
    if clause.expect == "value":
        mask &= (allowed & expected.formula) == 0
        # a tiny value may be rounded to the promised 0
        mask &= ((allowed & ZERO) == 0) | ~_is_small(expected)
        mask |= _decided_by_others(expected, applies)
    elif clause.expect != "any":
        mask &= (allowed & np.uint8(STATED[clause.expect])) == 0
    if clause.expect == "zero":
        mask &= ((allowed & VALUE) == 0) | ~_is_small(expected)
    return mask


def _decided_by_others(expected: Expected, applies: Mask) -> Mask:
    """Return where a clause does not apply, and others do and must be kept."""
    settled = ~expected.contested & ~expected.undecided & (expected.reached != 0)
    decisive = _shows_value(expected) | (expected.allowed == ZERO)
    return np.asarray(~applies & settled & (expected.allowed != ANY) & decisive)


def _is_small(expected: Expected) -> Mask:
    """Return where 0 and the formula's value are indistinguishable."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(expected.value) <= expected.tolerance)


def _shows_value(expected: Expected) -> Mask:
    """Return where a device that returns 0 instead of the value would be caught."""
    finite = expected.allowed & EITHER
    with np.errstate(invalid="ignore"):
        large = expected.tolerance < np.abs(expected.value)
    decisive: Any = (finite == 0) | ((finite == VALUE) & large)
    return np.asarray(decisive)


def _clashes(
    expected: Expected, clauses: Sequence[ValueClause]
) -> Iterator[tuple[tuple[str, str], int]]:
    if not expected.contested.any():
        return
    contested = expected.at(np.flatnonzero(expected.contested))
    for first, second in clashing_pairs(np.unique(contested.reached).tolist(), clauses):
        both = contested.reach_of(first, second)
        yield (clauses[first].id, clauses[second].id), int(np.count_nonzero(both))


def join(parts: Iterator[Reach] | Sequence[Reach]) -> Reach:
    """Return the joint reach of several outputs or cases."""
    positive: set[str] = set()
    negative: set[str] = set()
    applied: Counter[str] = Counter()
    contested: Counter[str] = Counter()
    clashes: Counter[tuple[str, str]] = Counter()
    for part in parts:
        positive |= part.positive
        negative |= part.negative
        applied.update(part.applied)
        contested.update(part.contested)
        clashes.update(part.clashes)
    return Reach(frozenset(positive), frozenset(negative), applied, contested, clashes)


def differing_outcomes(before: SpecSet, after: SpecSet, operator: str, cases: Cases) -> int:
    """Return the number of calls with elements whose allowed outcomes differ.

    A call that is a case on several products counts and is evaluated once. Data are made only if
    the inputs of the outcomes differ.

    Args:
        cases: Its cases that both editions have.
    """
    if not values_differ(before.operator(operator), after.operator(operator)):
        return 0
    distinct = {
        (call_key(before, case), call_key(after, case)): case
        for outcome in cases.values()
        for case in outcome
        if case.expects_success
    }
    return sum(_differs(before, after, case) for case in distinct.values())


def _differs(before: SpecSet, after: SpecSet, case: Case) -> bool:
    inputs = make_inputs(after, case)
    old, new = expect_case(before, case, inputs), expect_case(after, case, inputs)
    return any(
        not np.array_equal(old[name].whole().allowed, new[name].whole().allowed) for name in new
    )
