# SPDX-License-Identifier: Apache-2.0
"""The class of a result, the ulp of a type, and errors in ulps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.judge.standards import classify, ulps_off
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat

FLOATS = ("float16", "bfloat16", "float32")


def every_value(dtype: str) -> npt.NDArray[Any]:
    """Return all 2^16 values of a 16-bit type."""
    return np.arange(1 << 16, dtype=np.uint16).view(DATA_TYPES[dtype].numpy)


def format_of(dtype: str) -> FloatFormat:
    floating = DATA_TYPES[dtype].floating
    assert floating is not None
    return floating


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_ulp_is_the_distance_to_the_next_value(dtype: str) -> None:
    """For each finite value of the type, the ulp is the distance to the next greater magnitude."""
    values = every_value(dtype)
    finite = values[np.isfinite(widen(values))]
    bits = finite.view(np.uint16)
    magnitudes = widen(np.abs(finite))
    above = widen((np.abs(finite).view(np.uint16) + np.uint16(1)).view(finite.dtype))
    floating = format_of(dtype)
    step = np.where(np.isfinite(above), above, 2.0 ** (floating.max_exponent + 1)) - magnitudes
    np.testing.assert_array_equal(ulp_at(widen(finite), floating), step)
    if dtype == "float16":
        below_last = bits & np.uint16(0x7FFF) < np.uint16(0x7BFF)
        nexts = np.nextafter(np.abs(finite[below_last]), np.float16(np.inf))
        np.testing.assert_array_equal(widen(nexts) - magnitudes[below_last], step[below_last])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_neighbour_is_one_ulp_off(dtype: str) -> None:
    """Each finite value's neighbour above is +1 ulp off, and each value is 0 off itself."""
    values = every_value(dtype)[: 1 << 15]
    finite = widen(values[np.isfinite(widen(values))])
    floating = format_of(dtype)
    np.testing.assert_array_equal(ulps_off(finite[1:], finite[:-1], floating), 1.0)
    np.testing.assert_array_equal(ulps_off(finite, finite, floating), 0.0)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(FLOATS))
def test_ulp_follows_its_definition(value: float, dtype: str) -> None:
    """The ulp is 2^(max(floor(log2|v|), e_min) - fraction bits), exact at powers of two."""
    floating = format_of(dtype)
    exponent = math.frexp(value)[1] - 1 if value else floating.min_exponent
    wanted = math.ldexp(1.0, max(exponent, floating.min_exponent) - floating.fraction_bits)
    assert ulp_at(np.array([value]), floating)[0] == wanted
    assert ulp_at(np.array([-value]), floating)[0] == wanted


@given(st.integers(-14, 15))
def test_ulp_doubles_exactly_at_a_power_of_two(exponent: int) -> None:
    """Just below a power of two the ulp is half of that at it."""
    floating = format_of("float16")
    power = 2.0**exponent
    at, below = ulp_at(np.array([power, np.nextafter(power, 0)]), floating)
    assert at == (below if exponent == -14 else 2 * below)


def test_classes() -> None:
    """Every class has its bit; a zero of either sign is a value, too."""
    values = np.array([1.0, 0.0, -0.0, np.inf, -np.inf, np.nan])
    value, zero = Outcome.VALUE, Outcome.VALUE | Outcome.ZERO
    wanted = [value, zero, zero, Outcome.POS_INF, Outcome.NEG_INF, Outcome.NAN]
    assert classify(values).tolist() == [int(bits) for bits in wanted]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_only_a_nan_is_a_nan(dtype: str) -> None:
    """Over all values of a type, exactly the NaNs have the class NAN, and nothing besides."""
    values = widen(every_value(dtype))
    is_nan = classify(values) == int(Outcome.NAN)
    np.testing.assert_array_equal(is_nan, np.isnan(values))


def test_values_that_are_not_finite_are_infinitely_far_off() -> None:
    """Equal classes are 0 off; an Inf or NaN against anything else is infinitely far off."""
    actual = np.array([np.nan, np.inf, -np.inf, np.nan, 1.0, np.inf])
    golden = np.array([np.nan, np.inf, np.inf, 1.0, np.nan, 1.0])
    off = ulps_off(actual, golden, format_of("float32"))
    assert np.abs(off).tolist() == [0, 0, np.inf, np.inf, np.inf, np.inf]
    assert off[2] == -np.inf


def test_integers_stand_on_a_grid_of_one() -> None:
    """An integer that is 3 away is 3 ulps off, however large it is."""
    floating = DATA_TYPES["int32"].grid
    assert ulps_off(np.array([2e9]), np.array([2e9 - 3]), floating)[0] == 3


FINITE = st.floats(allow_nan=False, allow_infinity=False, width=32)


def off(actual: float, golden: float, dtype: str) -> float:
    return float(ulps_off(np.array([actual]), np.array([golden]), format_of(dtype))[0])


@given(FINITE, FINITE, st.sampled_from(FLOATS))
def test_two_values_are_as_far_from_each_other_either_way(a: float, b: float, dtype: str) -> None:
    """Seen from the other side the distance has the other sign, in the other value's ulps."""
    here, there = ulp_at(np.array([a, b]), format_of(dtype))
    assert off(a, b, dtype) * there == -off(b, a, dtype) * here
    assert off(-a, -b, dtype) == -off(a, b, dtype)


@given(FINITE, FINITE, FINITE, st.sampled_from(FLOATS))
def test_what_is_further_off_is_more_ulps_off(
    a: float, b: float, golden: float, dtype: str
) -> None:
    """The distance grows with the value, from below the golden one to above."""
    low, high = sorted((a, b))
    assert off(low, golden, dtype) <= off(high, golden, dtype)
    assert (off(a, golden, dtype) == 0) == (a == golden)


@given(st.integers(0, 2**22), st.integers(0, 2**22), st.integers(0, 2**22), st.integers(-126, 104))
def test_a_detour_is_no_shorter(a: int, b: int, c: int, exponent: int) -> None:
    """Between float32 numbers of one ulp, by way of a third; and each unit is one ulp exactly."""
    x, y, z = (math.ldexp(2**23 + k, exponent - 23) for k in (a, b, c))
    assert off(x, z, "float32") == a - c
    assert abs(off(x, z, "float32")) <= abs(off(x, y, "float32")) + abs(off(y, z, "float32"))


@given(st.floats(-8.0, 8.0), st.floats(0.5, 1.0), st.integers(-40, 40), st.sampled_from(FLOATS))
def test_a_power_of_two_changes_no_distance(
    error: float, golden: float, exponent: int, dtype: str
) -> None:
    """While neither value leaves the normal range: ulps are relative to the exponent."""
    floating = format_of(dtype)
    exponent = max(floating.min_exponent + 2, min(exponent, floating.max_exponent))
    actual = golden + error
    scaled = off(math.ldexp(actual, exponent), math.ldexp(golden, exponent), dtype)
    assert scaled == off(actual, golden, dtype)


@given(st.integers(-3, 3), st.integers(-(2**10), 2**10), st.sampled_from(FLOATS))
def test_below_the_normal_range_all_ulps_are_one(step: int, place: int, dtype: str) -> None:
    """Subnormal numbers and 0 stand on one grid."""
    floating = format_of(dtype)
    place %= 2**floating.fraction_bits
    tiny = floating.smallest_subnormal
    assert off((place + step) * tiny, place * tiny, dtype) == step
