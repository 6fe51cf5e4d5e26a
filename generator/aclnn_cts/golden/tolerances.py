# SPDX-License-Identifier: Apache-2.0
"""Tolerances, and the outcomes that the formula's value and the clauses allow.

The tolerance includes the rounding to the output's type. Clauses are applied as bytes of all ones
or all zeros, which are vectorised, unlike NumPy's ``where=``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from aclnn_cts.golden.arithmetic import Error, Number
from aclnn_cts.golden.expected import STATED, Expected, FloatArray, Outcome
from aclnn_cts.golden.outcomes import (
    ANY,
    EXTREME,
    NAN,
    NEG_INF,
    POS_INF,
    SIGNED,
    VALUE,
    ZERO,
    Bits,
)
from aclnn_cts.spec.clause_models import ValueClause
from aclnn_cts.spec.data_types import FloatFormat, IntegerFormat
from aclnn_cts.spec.evaluation import Scope, Truth, evaluate_condition
from aclnn_cts.spec.expression import Expression

_EXPONENT_BITS = np.uint64(0x7FF0_0000_0000_0000)


def ulp_at(value: FloatArray, floating: FloatFormat) -> FloatArray:
    """Return the distance of neighbouring numbers of a type around each value.

    It is 2^(max(floor(log2|v|), e_min) - fraction bits), taken from the exponent, so it is exact at
    powers of two, for subnormals and at 0.

    Args:
        value: Values that are not finite give an unspecified positive number.
        floating: The type; values may exceed its range.
    """
    value = np.asarray(value, order="C")
    if value.dtype != np.float64:
        _, exponent = np.frexp(value)
        power = np.ldexp(np.ones_like(value), exponent - (1 + floating.fraction_bits))
        return np.maximum(np.where(value == 0, 0, power), floating.smallest_subnormal)
    ulp: FloatArray = np.empty(value.shape)
    np.bitwise_and(value.view(np.uint64), _EXPONENT_BITS, out=ulp.view(np.uint64))
    ulp *= 2.0**-floating.fraction_bits
    return np.maximum(ulp, floating.smallest_subnormal, out=ulp)


def tolerance_of(number: Number, output: FloatFormat) -> tuple[FloatArray, Error]:
    """Return the largest absolute error of each element, and the part that is its own.

    The last operation's rounding and that into the output's type are one if the types are the same.
    The own part is what the element's operations may add to a last rounding of half an ulp, without
    roundings in the storage type and the error of a factor that the whole call shares.

    Args:
        number: The formula's number, contiguous.
    """
    size = np.abs(number.value)
    before, error = number.total, number.error
    ulps = number.ulps
    if np.any(before):
        # another order of operations may round more often; exact results stay exact
        on = number.on
        least = np.maximum(size, on.computing.smallest_normal)
        rearranged = np.where(np.greater(before, 0), least * on.rearranged, 0.0)
        before, error = before + rearranged, error + rearranged
    if number.grid is not None and number.grid != output:
        last = ulps * ulp_at(size + before, number.grid)
        before = before + last
        error = error + last if number.grid == number.on.computing else error
        ulps = 0.5
    ulp = ulp_at(size + before, output)
    more = np.maximum(ulps, 0.5) - 0.5
    if np.any(more) and number.grid == number.on.computing:
        error = error + np.where(np.greater(more, 0), more * ulp, 0.0)  # an ulp may be Inf
    return ulp * (more + 0.5) + before, error


def value_outcome(number: Number, output: FloatFormat) -> tuple[FloatArray, Error, Bits]:
    """Return tolerance, own error, and the outcomes that satisfy each value.

    ZERO also satisfies a value of exactly 0, and one that may be flushed. Inf or the largest finite
    value (up to which the tolerance is widened) satisfy a value near the overflow threshold. The
    outcomes of intermediate overflows satisfy values that may overflow on the way.

    Args:
        number: The formula's number.
        output: The type in which the output is stored.
    """
    if isinstance(output, IntegerFormat):
        return _integer_outcome(number, output)
    number = number.in_any_order
    tolerance, error = tolerance_of(number, output)
    magnitude = np.abs(number.value)
    smallest = 0.0
    if number.on.flushes:
        smallest = max(output.smallest_normal, number.grid.smallest_normal if number.grid else 0.0)
    is_zero = (magnitude == 0) | (magnitude - tolerance < smallest)
    outcome: Bits = np.multiply(is_zero, ZERO) | VALUE
    # one pass finds whether a block has only ordinary values; NaN fails it, too
    if not (magnitude + tolerance).max(initial=0.0) < output.overflow:
        outcome, tolerance = np.array(outcome), np.array(tolerance)
        _mark_extremes(outcome, tolerance, number.value, output)
    extremes = number.extremes
    if number.grid is not None and number.grid != output:
        extremes = number.overflown(number.grid, number.total)
    if extremes is not None:
        outcome = outcome | (extremes & (EXTREME | ZERO))
    if number.on.copies:
        # a 0 in place of what is not copied may have either sign, as the product with one has
        outcome = outcome | np.multiply((magnitude == 0) & np.signbit(number.value), SIGNED)
    return tolerance, error, outcome


def _integer_outcome(number: Number, output: IntegerFormat) -> tuple[FloatArray, Error, Bits]:
    """As :func:`value_outcome` for integers, which have no tolerance without errors.

    A fraction may be rounded to either neighbour, because no page says which; a formula that
    truncates has none. Values that may lie beyond the type have no promise.
    """
    settled = number.operand.result
    value, error, extremes = settled.value, settled.total, settled.extremes
    tolerance = np.maximum(value - np.floor(value - error), np.ceil(value + error) - value)
    inside = (value - tolerance >= output.least) & (value + tolerance <= output.most)
    zero = np.multiply(np.abs(value) <= tolerance, ZERO)
    if extremes is not None:
        inside, zero = inside & np.equal(extremes & ~ZERO, 0), zero | (extremes & ZERO)
    outcome = np.where(inside, zero | VALUE, ANY)
    return np.where(inside, tolerance, 0.0), 0.0, outcome


def _mark_extremes(
    outcome: Bits, tolerance: FloatArray, value: FloatArray, output: FloatFormat
) -> None:
    limit, magnitude = output.overflow, np.asarray(np.abs(value))
    infinity = np.where(value > 0, POS_INF, NEG_INF)
    # rounding to nearest gives Inf from the threshold on
    before = tolerance - 0.5 * ulp_at(magnitude, output)
    near = np.asarray((magnitude + before >= limit) & (magnitude - before < limit))
    outcome[near] |= infinity[near]
    # a tolerance above the value also reaches Inf of the other sign
    far = near & (before - magnitude >= limit)
    outcome[far] |= POS_INF | NEG_INF
    # beyond the threshold, the tolerance reaches exactly to the largest finite value
    tolerance[near] = np.maximum(tolerance[near], magnitude[near] - output.max_finite)
    beyond = (magnitude - before >= limit) | np.isinf(value)
    outcome[beyond] = infinity[beyond]
    outcome[np.isnan(value)] = NAN


_STATED = {expect: np.uint8(outcome) for expect, outcome in STATED.items()}


@dataclass(frozen=True)
class ClauseSet:
    """The value clauses that apply to one output of one call.

    Attributes:
        clauses: By their bit in ``Expected.reached``.
        settled: Conditions that scalars decide for all elements.
        silences: Conditions of elements of which nothing is promised.
    """

    clauses: Mapping[int, ValueClause]
    settled: Mapping[int, Truth] = field(default_factory=dict)
    silences: Sequence[Expression] = ()

    @classmethod
    def of(
        cls, clauses: Mapping[int, ValueClause], scope: Scope, silences: Sequence[Expression] = ()
    ) -> ClauseSet:
        """Return the clauses that can apply, given the scalars.

        Args:
            clauses: By number.
            scope: Values of attributes, dimensions and derived names.
            silences: Conditions of elements of which nothing is promised.
        """
        settled = {
            number: evaluate_condition(clause.when, scope)
            for number, clause in clauses.items()
            if clause.when.names <= scope.values.keys()
        }
        possible = {
            number: clause
            for number, clause in clauses.items()
            if number not in settled or bool(settled[number].possible)
        }
        open_ones = tuple(
            when
            for when in silences
            if not when.names <= scope.values.keys() or evaluate_condition(when, scope).possible
        )
        return cls(possible, settled, open_ones)

    def conditions(self, scope: Scope) -> dict[int, Truth]:
        """Return where each clause applies after overrides, without clauses that apply nowhere."""
        raw: dict[int, Truth] = {}
        for number, clause in self.clauses.items():
            truth = self.settled.get(number) or evaluate_condition(clause.when, scope)
            if np.any(truth.possible):
                raw[number] = truth
        numbers = {self.clauses[number].id: number for number in raw}
        effective = dict(raw)
        for number, truth in raw.items():
            for overridden in self.clauses[number].overrides:
                if overridden in numbers:
                    effective[numbers[overridden]] &= ~truth
        return effective

    def silent(self, scope: Scope) -> Any:
        """Return the outcomes that are accepted where nothing is promised; 0 elsewhere."""
        allowed: Any = np.uint8(0)
        for when in self.silences:
            allowed = allowed | (ANY & _bytes(evaluate_condition(when, scope).possible))
        return allowed


def expectation_of(
    number: Number, clauses: ClauseSet, scope: Scope, output: FloatFormat, shared: float
) -> Expected:
    """Return the expectation of some elements, by the formula and by the clauses.

    Args:
        number: The formula's number.
        scope: Scalars, and the formula's arrays.
        output: The type in which the output is stored.
        shared: Largest relative error of a factor that is the same for the whole call.
    """
    tolerance, error, outcome = value_outcome(number, output)
    if (whole := number.on.whole) is not None:
        # of a division by 0, too
        is_held = (number.value >= whole.least) & (number.value <= whole.most)
        outcome = np.where(is_held, outcome, ANY)
    applying: list[tuple[str, Any]] = []
    union: Any = np.uint8(0)
    reached: Any = np.uint64(0)
    undecided: Any = False
    for place, truth in clauses.conditions(scope).items():
        expect, applies = clauses.clauses[place].expect, _bytes(truth.possible)
        applying.append((expect, applies))
        union = union | (_STATED.get(expect, outcome) & applies)
        reached = reached | np.multiply(truth.possible, np.uint64(1 << place))
        if not truth.is_exact:
            undecided = undecided | np.not_equal(truth.possible, truth.certain)
    common = agreed = _common(applying, outcome)
    if not _NON_FINITE.isdisjoint(expect for expect, _ in applying):
        # outcomes that only allowances add are no common part, because no device need use them
        agreed = _common(applying, outcome & _class_of(number.value, output))
    if np.any(undecided):
        common, agreed = np.where(undecided, union, common), np.where(undecided, union, agreed)
    contested = np.equal(agreed, 0)
    if contested.any():
        common = np.where(contested, union, common)
    if clauses.silences:
        silent = clauses.silent(scope)
        common = np.where(np.equal(silent, ANY), ANY, common | silent)
    arrays: dict[str, Any] = {"value": number.value, "allowed": common, "own": error}
    arrays |= {"tolerance": tolerance, "reached": reached, "contested": contested}
    return Expected(**arrays, undecided=undecided, formula=outcome, shared=shared)


_NON_FINITE = {"nan", "inf", "non-finite"}


def _class_of(value: Any, output: FloatFormat) -> Any:
    """Return the outcomes of the class into which each exact value falls."""
    infinite = np.where(np.equal(value, value), POS_INF | NEG_INF, NAN)
    return np.where(np.less(np.abs(value), output.overflow), VALUE | ZERO, infinite)


def _common(applying: Iterable[tuple[str, Any]], outcome: Any) -> Any:
    """Return the outcomes that all clauses allow, given those of the formula's value."""
    common = outcome | ANY
    for expect, applies in applying:
        common = common & (_STATED.get(expect, outcome) | ~applies)
    return common


def _bytes(condition: Any) -> Any:
    """Return a condition as bytes: 255 where it holds, 0 elsewhere."""
    if np.ndim(condition) == 0:
        return np.uint8(255 if condition else 0)
    return np.negative(np.ascontiguousarray(condition).view(np.uint8))


CLASSES = {"value": Outcome.VALUE, **STATED}
"""The outcomes of a value clause's ``expect``, for a finite value of the formula."""


def clashing_pairs(
    combinations_reached: Iterable[int], clauses: Sequence[ValueClause]
) -> list[tuple[int, int]]:
    """Return the pairs of clauses that contradict each other, in the spec's order.

    Three clauses may contradict each other although any two of them agree: then all pairs count.

    Args:
        combinations_reached: Bits of ``Expected.reached`` of contested elements.
        clauses: The spec's value clauses.
    """
    pairs: set[tuple[int, int]] = set()
    for bits in combinations_reached:
        both = list(combinations([k for k in range(len(clauses)) if bits >> k & 1], 2))
        apart = [
            (i, j) for i, j in both if not CLASSES[clauses[i].expect] & CLASSES[clauses[j].expect]
        ]
        pairs.update(apart or both)
    return sorted(pairs)
