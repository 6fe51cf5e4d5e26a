# SPDX-License-Identifier: Apache-2.0
"""Thresholds that a device rounds are intervals: what is certain of them, and what is possible."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.evaluating import number, truth_of

from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import Interval, Scope, hold, holds, round_outward
from aclnn_cts.spec.expression import ExpressionError, parse

FLOAT32 = DATA_TYPES["float32"].floating or pytest.fail("float32 is floating")


def test_a_threshold_between_two_float32_numbers() -> None:
    """Elements at the two float32 neighbours of eps = 0.1 may fall on either side, others not."""
    near = np.float32(0.1)
    below, above = np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(1))
    x = np.array([np.nextafter(below, np.float32(0)), below, near, above], np.float32)
    truth = truth_of("x < eps", x=x.astype(np.float64), eps=hold(0.1, FLOAT32))
    # float32(0.1) lies above 0.1: eps is one of `below` and `near`.
    np.testing.assert_array_equal(truth.certain, [True, False, False, False])
    np.testing.assert_array_equal(truth.possible, [True, True, False, False])


def test_a_representable_threshold_is_exact() -> None:
    """Nothing rounds eps = 0.25 or 1 - 0.25, so that no element is undecided."""
    x = np.array([0.25, 0.75, np.nextafter(0.75, 1)])
    truth = truth_of("eps <= x <= 1 - eps", x=x, eps=hold(0.25, FLOAT32))
    assert truth.is_exact
    np.testing.assert_array_equal(truth.certain, [True, True, False])


def test_what_is_computed_from_a_representable_threshold_is_rounded_too() -> None:
    """1 - 2**-30 is not a float32 number; a device compares with 1 or with the number below it."""
    x = np.array([0.5, 1 - 2.0**-24, 1.0])
    truth = truth_of("x > 1 - eps", x=x, eps=hold(2.0**-30, FLOAT32))
    np.testing.assert_array_equal(truth.certain, [False, False, False])
    np.testing.assert_array_equal(truth.possible, [False, False, True])


def test_equality_within_an_interval() -> None:
    """A value between the ends may be equal; one beyond them cannot be."""
    eps = hold(0.1, FLOAT32)
    equal, different = truth_of("eps == x", eps=eps, x=0.1), truth_of("eps != x", eps=eps, x=0.1)
    assert (bool(equal.certain), bool(equal.possible)) == (False, True)
    assert (bool(different.certain), bool(different.possible)) == (False, True)
    assert not truth_of("eps == 1", eps=eps).possible
    assert truth_of("eps != 1", eps=eps).certain


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_without_neighbours_are_held_exactly(value: float) -> None:
    """Inf and NaN do not round."""
    assert str(hold(value, FLOAT32)) == str(value)


def test_a_value_beyond_the_type_may_become_infinite() -> None:
    """1e39 in float32 is the largest finite value or Inf; both readings of isinf are possible."""
    eps = hold(1e39, FLOAT32)
    assert isinstance(eps, Interval)
    assert (eps.low, eps.high) == (FLOAT32.max_finite, math.inf)
    truth = truth_of("isinf(eps)", eps=eps)
    assert (truth.certain, truth.possible) == (False, True)
    assert hold(-1e39, FLOAT32) == Interval(-math.inf, -FLOAT32.max_finite, FLOAT32)


def test_arithmetic_of_arrays_with_a_rounded_attribute_is_refused() -> None:
    """Rather no answer than one that forgets a rounding."""
    with pytest.raises(ExpressionError, match="not supported"):
        number("x * eps", x=np.ones(2), eps=hold(0.1, FLOAT32))


def test_negation_turns_an_interval_round() -> None:
    """-eps has the mirrored ends."""
    eps = hold(0.1, FLOAT32)
    assert isinstance(eps, Interval)
    assert number("-eps", eps=eps) == Interval(-eps.high, -eps.low, FLOAT32)


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["float32", "float16", "bfloat16"]),
)
def test_rounding_outward_is_narrow_and_holds_the_value(value: float, dtype: str) -> None:
    """The ends are neighbours in the type (or one number), with the value between them."""
    kind = DATA_TYPES[dtype]
    assert kind.floating is not None
    low, high = round_outward(value, value, kind.floating)
    assert low <= value <= high
    for end in (low, high):
        assert math.isinf(end) or _round_trips(end, kind.floating)
    if math.isfinite(low) and math.isfinite(high) and low != high:
        assert high - low <= 2.0 ** (-kind.floating.fraction_bits) * max(
            abs(value), kind.floating.smallest_normal
        )


def _round_trips(value: float, kind: FloatFormat) -> bool:
    """Whether the type has the number."""
    if value == 0:
        return True
    exponent = max(math.frexp(value)[1] - 1, kind.min_exponent)
    return (value / math.ldexp(1.0, exponent - kind.fraction_bits)).is_integer()


@given(st.floats(0, 1), st.floats(-0.5, 1.5, width=32))
def test_the_device_is_never_outside_what_is_possible(eps: float, x: float) -> None:
    """A device that compares in float32 gives an answer between `certain` and `possible`."""
    held = np.float32(eps)
    device = bool(np.float32(x) >= held) and bool(np.float32(x) <= np.float32(1) - held)
    truth = truth_of("eps <= x <= 1 - eps", eps=hold(eps, FLOAT32), x=x)
    assert device or not truth.certain
    assert truth.possible or not device


def test_holds_needs_certainty() -> None:
    """A rule over an undecided comparison does not hold."""
    eps = hold(0.1, FLOAT32)
    assert holds(parse("eps > 0"), Scope({"eps": eps}))
    assert not holds(parse("eps == 0.1"), Scope({"eps": eps}))
