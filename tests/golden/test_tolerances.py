# SPDX-License-Identifier: Apache-2.0
"""Which outcomes satisfy the formula's value, near 0 and near the end of a type's range."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.arithmetic import Arithmetic, Number
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.tolerances import value_outcome
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat

TYPES = ("float16", "bfloat16", "float32")


def format_of(dtype: str) -> FloatFormat:
    floating = DATA_TYPES[dtype].floating
    assert floating is not None
    return floating


def rounded(value: Fraction, floating: FloatFormat) -> float:
    """Round to nearest, ties to even, with integers alone (IEEE 754-2019, 4.3.1)."""
    magnitude, sign = abs(value), -1.0 if value < 0 else 1.0
    if magnitude == 0:
        return 0.0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, floating.min_exponent) - floating.fraction_bits)
    nearest = round(magnitude / step) * step
    if nearest > Fraction(floating.max_finite):
        return sign * math.inf
    return sign * float(nearest)


def outcome(value: float, bound: float, dtype: str) -> tuple[Outcome, float]:
    """Return what satisfies a value, and its tolerance, for errors of four roundings of a bound."""
    single = format_of("float32")
    on = Arithmetic(single, format_of(dtype))
    error = np.array([4 * bound * single.unit_roundoff])
    with np.errstate(all="ignore"):
        number = Number(on, np.array([value]), error)
        tolerance, _, found = value_outcome(number, format_of(dtype))
    return Outcome(int(found[0])), float(tolerance[0])


def test_only_several_operations_can_be_rearranged() -> None:
    """A product alone, and a copy, have one order; a product of a quotient has another."""
    single = format_of("float32")
    strict = Arithmetic(single, single)
    loose = replace(strict, rearranged=2 * 2 * single.unit_roundoff)

    def tolerances(on: Arithmetic) -> list[float]:
        x, y = on.exact(np.array([1.5])), on.exact(np.array([3.0]))
        return [float(value_outcome(made, single)[0][0]) for made in (x, x * y, x / y * x)]

    ulps = [(a - b) / 2.0**-23 for a, b in zip(tolerances(loose), tolerances(strict), strict=True)]
    assert ulps == [0.0, 0.0, pytest.approx(2 * 0.75)]


def accepts(found: Outcome, tolerance: float, actual: float, value: float) -> bool:
    """Whether a result satisfies an outcome, by the definition of its bits."""
    if math.isnan(actual):
        return Outcome.NAN in found
    if math.isinf(actual):
        return (Outcome.POS_INF if actual > 0 else Outcome.NEG_INF) in found
    if actual == 0 and Outcome.ZERO in found:
        return True
    return Outcome.VALUE in found and abs(actual - value) <= tolerance


@given(st.floats(allow_nan=False, width=64), st.sampled_from(TYPES))
def test_a_correctly_rounded_result_is_always_right(value: float, dtype: str) -> None:
    """Whatever the value: ordinary, subnormal, at the end of the range, beyond it, infinite."""
    exact = value if math.isinf(value) else rounded(Fraction(value), format_of(dtype))
    assert accepts(*outcome(value, abs(value), dtype), exact, value)


@given(st.floats(allow_nan=False, allow_infinity=False, width=64), st.sampled_from(TYPES))
def test_a_result_beyond_the_tolerance_is_always_wrong(value: float, dtype: str) -> None:
    """Twice the budget off, the other sign, and NaN, where no intermediate result overflows."""
    floating = format_of(dtype)
    if abs(value) > floating.max_finite / 4:
        value = math.fmod(value, floating.max_finite / 4)
    found, tolerance = outcome(value, abs(value), dtype)
    for actual in (value + 2.01 * tolerance, value - 2.01 * tolerance, math.nan, math.inf):
        if actual != 0 or value != 0:
            assert not accepts(found, tolerance, actual, value)


@pytest.mark.parametrize("dtype", TYPES)
def test_the_threshold_is_where_rounding_turns_to_infinity(dtype: str) -> None:
    """The next smaller float64 rounds to the largest number; the threshold itself is a tie up."""
    floating = format_of(dtype)
    limit = floating.overflow
    assert rounded(Fraction(limit), floating) == math.inf
    assert rounded(Fraction(np.nextafter(limit, 0)), floating) == floating.max_finite
    if dtype != "bfloat16":  # NumPy has no bfloat16, and ml_dtypes rounds by way of float32
        kind = DATA_TYPES[dtype].numpy
        with np.errstate(over="ignore"):
            assert np.array([limit]).astype(kind)[0] == np.inf
            assert np.array([np.nextafter(limit, 0)]).astype(kind)[0] == floating.max_finite


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_is_near_the_threshold_may_go_either_way(dtype: str, sign: float) -> None:
    """Within tolerance of it both are right: the largest number, and Inf of the same sign."""
    floating = format_of(dtype)
    limit = floating.overflow
    for value in (sign * limit, sign * np.nextafter(limit, 0), sign * np.nextafter(limit, np.inf)):
        found = outcome(float(value), limit, dtype)
        assert accepts(*found, sign * math.inf, float(value))
        assert accepts(*found, sign * floating.max_finite, float(value))
        if dtype == "float16":  # in the others the bound itself may leave float32, and then NaN
            assert not accepts(*found, -sign * math.inf, float(value))


def test_next_to_the_threshold_the_second_largest_number_is_wrong() -> None:
    """Only the largest one is let in beside Inf; the tolerance does not grow towards 0."""
    floating = format_of("float16")
    below = floating.max_finite - 32.0
    for value in (floating.max_finite, floating.overflow):
        found, tolerance = outcome(value, value, "float16")
        assert accepts(found, tolerance, floating.max_finite, value)
        assert not accepts(found, tolerance, below, value)


def test_far_beyond_the_threshold_only_infinity_is_right() -> None:
    """A float16 result of 2^17 cannot have become the largest number."""
    found = outcome(2.0**17, 2.0**17, "float16")
    assert found[0] == Outcome.POS_INF


@pytest.mark.parametrize("value", [0.0, -0.0])
def test_an_exact_zero_is_right_with_either_sign(value: float) -> None:
    """Both as a value and as a zero."""
    found = outcome(value, 0.0, "float16")
    assert found[0] == Outcome.VALUE | Outcome.ZERO
    assert accepts(*found, 0.0, value)
    assert accepts(*found, -0.0, value)


@pytest.mark.parametrize("value", [0.5, -0.5])
def test_a_tolerance_beyond_the_range(value: float) -> None:
    """A small value of large terms may have become Inf of either sign."""
    found, _ = outcome(value, 2.0**42, "float16")
    assert found & Outcome.INF == Outcome.INF
