# SPDX-License-Identifier: Apache-2.0
"""Numbers known up to a rounding, and conditions that such a rounding may decide.

An attribute that the device holds in a narrower type (``eps`` as float32) is an *interval*: all the
values that rounding may have made of it. A comparison with an interval has three outcomes: surely
true, surely false, or decided by how the device rounds. :class:`Truth` keeps the first and the
third apart, so that an element whose branch depends on a rounding may take either branch.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.expression import ExpressionError

Boolean = bool | np.bool_ | npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Interval:
    """A number known up to the rounding to ``held_in``: ``low <= number <= high``; NaN is exact."""

    low: float
    high: float
    held_in: FloatFormat


@dataclass(frozen=True)
class Truth:
    """A condition: where it surely holds, and where it may hold (a superset)."""

    certain: Boolean
    possible: Boolean

    @classmethod
    def exact(cls, value: Boolean) -> Truth:
        """Return a condition that no rounding decides."""
        return cls(value, value)

    @property
    def is_exact(self) -> bool:
        """Whether no element is decided by a rounding."""
        return self.certain is self.possible

    def __invert__(self) -> Truth:
        if self.is_exact:
            return Truth.exact(np.logical_not(self.certain))
        return Truth(np.logical_not(self.possible), np.logical_not(self.certain))

    def __and__(self, other: Truth) -> Truth:
        return _combine(np.logical_and, self, other)

    def __or__(self, other: Truth) -> Truth:
        return _combine(np.logical_or, self, other)


def _combine(rule: Callable[[Any, Any], Any], left: Truth, right: Truth) -> Truth:
    certain = rule(left.certain, right.certain)
    if left.is_exact and right.is_exact:
        return Truth.exact(certain)
    return Truth(certain, rule(left.possible, right.possible))


def round_outward(low: float, high: float, held_in: FloatFormat) -> tuple[float, float]:
    """Return the narrowest interval with ends in ``held_in`` that holds ``low`` and ``high``."""
    return _neighbour(low, held_in, math.floor), _neighbour(high, held_in, math.ceil)


def _neighbour(value: float, held_in: FloatFormat, rounding: Callable[[float], int]) -> float:
    if value == 0 or not math.isfinite(value):
        return value
    exponent = max(math.frexp(value)[1] - 1, held_in.min_exponent)
    step = math.ldexp(1.0, exponent - held_in.fraction_bits)
    rounded = rounding(value / step) * step
    if abs(rounded) > held_in.max_finite:
        # Either the device saturates or it overflows: the outward end is infinite.
        outward = (rounding is math.ceil) == (value > 0)
        return math.copysign(math.inf if outward else held_in.max_finite, value)
    return rounded


def hold(value: float, held_in: FloatFormat) -> float | Interval:
    """Return ``value`` as a device that stores it in ``held_in`` may see it.

    A value that ``held_in`` represents is an interval, too: what is computed from it (``1 - eps``)
    is rounded as well.
    """
    if not math.isfinite(value):
        return value
    return Interval(*round_outward(value, value, held_in), held_in)


_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def classify(test: Callable[[Any], Any], value: Any) -> Truth:
    """Return the outcome of isnan, isinf or isfinite; an interval may end in infinity."""
    outcomes = [test(end) for end in ends_of(value)]
    if len(outcomes) == 1:
        return Truth.exact(outcomes[0])
    return Truth(bool(all(outcomes)), bool(any(outcomes)))


def middle(value: Any) -> Any:
    """Return one end of an interval, where its width does not matter."""
    return value.low if isinstance(value, Interval) else value


def arithmetic(rule: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Return what a device may make of arithmetic with an interval, rounded to its ``held_in``.

    Raises:
        ExpressionError: One operand is an interval and the other an array.
    """
    if not isinstance(left, Interval) and not isinstance(right, Interval):
        return rule(left, right)
    if np.ndim(middle(left)) or np.ndim(middle(right)):
        raise ExpressionError("arithmetic of an array with a rounded attribute is not supported")
    held_in = left.held_in if isinstance(left, Interval) else right.held_in
    ends = [float(rule(a, b)) for a in ends_of(left) for b in ends_of(right)]
    if any(math.isnan(end) for end in ends):
        return math.nan
    return Interval(*round_outward(min(ends), max(ends), held_in), held_in)


def ends_of(value: Any) -> tuple[Any, ...]:
    """Return the ends of an interval, or the value itself where there is but one."""
    if not isinstance(value, Interval):
        return (value,)
    return (value.low,) if value.low == value.high else (value.low, value.high)


def compare(kind: type[ast.cmpop], left: Any, right: Any) -> Truth:
    """Return where a comparison surely holds and where it may hold."""
    rule = _COMPARISONS[kind]
    outcomes = [rule(a, b) for a in ends_of(left) for b in ends_of(right)]
    if len(outcomes) == 1:
        return Truth.exact(outcomes[0])
    if kind in (ast.Eq, ast.NotEq):
        # Equality may hold strictly between the ends, where neither end shows it.
        overlap = np.logical_and(
            np.less_equal(ends_of(left)[0], ends_of(right)[-1]),
            np.less_equal(ends_of(right)[0], ends_of(left)[-1]),
        )
        equal = Truth(np.zeros_like(overlap), overlap)
        return equal if kind is ast.Eq else ~equal
    return Truth(
        functools.reduce(np.logical_and, outcomes), functools.reduce(np.logical_or, outcomes)
    )
