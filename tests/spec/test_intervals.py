# SPDX-License-Identifier: Apache-2.0
"""Numbers that a device holds in a narrower type: every value that rounding may make of them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import Interval, hold, round_outward

SINGLE = DATA_TYPES["float32"].floating
assert SINGLE is not None

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def is_held(value: float, floating: FloatFormat) -> bool:
    """Whether a number is one of the type's, by its definition."""
    if math.isinf(value):
        return True
    if abs(value) > floating.max_finite:
        return False
    exponent = max(math.frexp(value)[1] - 1 if value else -2000, floating.min_exponent)
    step = Fraction(2) ** (exponent - floating.fraction_bits)
    return (Fraction(value) / step).denominator == 1


@given(FINITE, st.sampled_from(["float16", "bfloat16", "float32"]))
def test_the_ends_are_numbers_of_the_type_around_the_value(value: float, dtype: str) -> None:
    """Neighbours, or both the value itself; no number of the type lies between them."""
    floating = DATA_TYPES[dtype].floating
    assert floating is not None
    held = hold(value, floating)
    assert isinstance(held, Interval)
    assert held.low <= value <= held.high
    assert is_held(held.low, floating)
    assert is_held(held.high, floating)
    assert (held.low == held.high) == is_held(value, floating)
    if held.low < held.high and math.isfinite(held.low) and math.isfinite(held.high):
        assert not is_held((held.low + held.high) / 2, floating)


@given(FINITE)
def test_what_the_type_makes_of_a_value_lies_in_the_interval(value: float) -> None:
    """Rounded to nearest, as NumPy does; cut off or rounded up, as other devices may."""
    assert SINGLE is not None
    held = hold(value, SINGLE)
    assert isinstance(held, Interval)
    with np.errstate(over="ignore"):
        nearest = float(np.float32(value))
    assert nearest in (held.low, held.high)


@given(FINITE, st.sampled_from(["float16", "bfloat16", "float32"]))
def test_intervals_are_mirrored_at_zero(value: float, dtype: str) -> None:
    """A device that rounds away from zero does so on either side of it."""
    floating = DATA_TYPES[dtype].floating
    assert floating is not None
    low, high = round_outward(value, value, floating)
    assert round_outward(-value, -value, floating) == (-high, -low)


@given(FINITE, FINITE)
def test_a_wider_interval_holds_a_narrower_one(one: float, other: float) -> None:
    """Rounding outward never crosses."""
    assert SINGLE is not None
    low, high = sorted((one, other))
    ends = round_outward(low, high, SINGLE)
    for value in (one, other):
        inner = round_outward(value, value, SINGLE)
        assert ends[0] <= inner[0] <= inner[1] <= ends[1]
