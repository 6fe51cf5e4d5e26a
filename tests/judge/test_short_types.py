# SPDX-License-Identifier: Apache-2.0
"""The judge's arithmetic over all 2^16 values of float16 and of bfloat16.

What is right is worked out here from the bits, by the definition of the formats (IEEE 754-2019,
3.4; bfloat16 likewise), with integers alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.golden.arithmetic import Arithmetic
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerances import ulp_at, value_outcome
from aclnn_cts.judge.comparison import Comparison, compare
from aclnn_cts.judge.standards import classify, ulps_off, yardstick_of
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import Interval, hold
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

FloatArray = npt.NDArray[np.float64]

LAYOUTS = {"float16": (10, 15), "bfloat16": (7, 127)}
"""Fraction bits, and the exponent's bias."""

SHORT = pytest.mark.parametrize("dtype", list(LAYOUTS))


@dataclass(frozen=True)
class Decoded:
    """All 2^16 values of a type by their bits.

    Attributes:
        stored: In the type itself.
        values: In float64, decoded by hand.
        ulps: Distances of neighbours, by the exponent field; of no meaning for Inf and NaN.
        is_nan: Exponent of all ones and a fraction.
        is_inf: Exponent of all ones and no fraction.
    """

    stored: npt.NDArray[Any]
    values: FloatArray
    ulps: FloatArray
    is_nan: npt.NDArray[np.bool_]
    is_inf: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, dtype: str) -> Decoded:
        """Decode all bit patterns of a type."""
        fraction_bits, bias = LAYOUTS[dtype]
        bits = np.arange(1 << 16, dtype=np.uint16)
        wide = bits.astype(np.int64)
        fraction = wide & ((1 << fraction_bits) - 1)
        field = (wide & 0x7FFF) >> fraction_bits
        top = 2 * bias + 1
        significand = fraction + np.where(field > 0, 1 << fraction_bits, 0)
        exponent = np.maximum(field, 1) - bias - fraction_bits
        values = np.ldexp(significand.astype(np.float64), exponent)
        values = np.where(wide >> 15, -values, values)
        is_inf, is_nan = (field == top) & (fraction == 0), (field == top) & (fraction != 0)
        values[is_inf] = np.where(wide[is_inf] >> 15, -np.inf, np.inf)
        values[is_nan] = np.nan
        stored = bits.view(DATA_TYPES[dtype].numpy)
        return cls(stored, values, np.ldexp(1.0, exponent), is_nan, is_inf)

    def ladder(self) -> FloatArray:
        """Return all finite values in ascending order, with one 0."""
        return np.unique(self.values[np.isfinite(self.values)])


def format_of(dtype: str) -> FloatFormat:
    floating = DATA_TYPES[dtype].floating
    assert floating is not None
    return floating


def expectation(values: FloatArray, dtype: str) -> Expected:
    """Return what the judge expects where the formula gives these values and no clause speaks."""
    expected = Expected.blank(values.shape)
    with np.errstate(all="ignore"):
        on = Arithmetic(format_of("float32"), format_of(dtype))
        tolerance, own, outcome = value_outcome(on.exact(values), format_of(dtype))
    expected.value[...], expected.tolerance[...], expected.own[...] = values, tolerance, own
    expected.allowed[...] = expected.formula[...] = outcome
    expected.reached[...], expected.contested[...], expected.undecided[...] = 0, False, False
    return expected


def judged(actual: npt.NDArray[Any], golden: FloatArray, dtype: str) -> Comparison:
    precision = load_specs(find_suite()).precision
    return compare("out", actual, expectation(golden, dtype), yardstick_of(dtype, precision))


def failing(actual: npt.NDArray[Any], golden: FloatArray, dtype: str) -> int:
    return judged(actual, golden, dtype).failures["strict"].count


@SHORT
def test_values_are_widened_exactly(dtype: str) -> None:
    """Every pattern, as its bits say; the sign of 0 is kept, and every NaN stays one."""
    decoded = Decoded.of(dtype)
    wide = widen(decoded.stored)
    np.testing.assert_array_equal(wide, decoded.values)
    signed = ~decoded.is_nan
    np.testing.assert_array_equal(np.signbit(wide[signed]), np.signbit(decoded.values[signed]))


@SHORT
def test_every_value_has_the_class_that_its_bits_say(dtype: str) -> None:
    """NaN, either Inf, zero and value: no pattern has another class, or two of them."""
    decoded = Decoded.of(dtype)
    wanted = np.full(1 << 16, int(Outcome.VALUE))
    wanted[decoded.values == 0] |= int(Outcome.ZERO)
    wanted[decoded.is_nan] = int(Outcome.NAN)
    wanted[decoded.is_inf] = np.where(
        decoded.values[decoded.is_inf] > 0, int(Outcome.POS_INF), int(Outcome.NEG_INF)
    )
    np.testing.assert_array_equal(classify(widen(decoded.stored)), wanted)
    assert int(decoded.is_inf.sum()) == 2


@SHORT
def test_every_ulp_is_what_the_exponent_field_says(dtype: str) -> None:
    """Of each finite value, subnormal ones and either zero included."""
    decoded = Decoded.of(dtype)
    finite = np.isfinite(decoded.values)
    found = ulp_at(decoded.values[finite], format_of(dtype))
    np.testing.assert_array_equal(found, decoded.ulps[finite])


@SHORT
@pytest.mark.parametrize("steps", [1, 2, 3, 5, 17])
def test_every_distance_to_the_kth_neighbour(dtype: str, steps: int) -> None:
    """K steps are k ulps; towards 0 across a power of two, where steps are halved, fewer."""
    ladder = Decoded.of(dtype).ladder()
    floating = format_of(dtype)
    golden, actual = ladder[:-steps], ladder[steps:]
    ulps = np.diff(ladder)
    # The distance is the sum of the steps between, in ulps of the golden value.
    travelled = sum(ulps[k : len(ladder) - steps + k] for k in range(steps))
    unit = ulp_at(golden, floating)
    np.testing.assert_array_equal(ulps_off(actual, golden, floating), travelled / unit)
    np.testing.assert_array_equal(ulps_off(-actual, -golden, floating), -travelled / unit)
    same = unit == ulp_at(actual, floating)
    positive = same & (golden >= 0)
    assert (ulps_off(actual, golden, floating)[positive] == steps).all()
    assert positive.sum() > len(golden) / 3


@SHORT
def test_each_value_passes_as_itself_and_no_neighbour_does(dtype: str) -> None:
    """A representable value has one right result: both neighbours are found to be wrong.

    Except the one below a power of two, which is just half an ulp of it away.
    """
    ladder = Decoded.of(dtype).ladder()
    stored = ladder.astype(DATA_TYPES[dtype].numpy)
    assert failing(stored, ladder, dtype) == 0
    for actual, golden, inward in (
        (stored[1:], ladder[:-1], ladder[:-1] < 0),
        (stored[:-1], ladder[1:], ladder[1:] > 0),
    ):
        floating = format_of(dtype)
        power = np.frexp(np.abs(golden))[0] == 0.5
        excused = inward & power & (np.abs(golden) > floating.smallest_normal)
        assert int(excused.sum()) == floating.max_exponent - floating.min_exponent
        assert failing(actual, golden, dtype) == len(golden) - int(excused.sum())
        assert failing(actual[excused], golden[excused], dtype) == 0


@SHORT
def test_both_neighbours_of_each_midpoint_pass_and_the_next_do_not(dtype: str) -> None:
    """A tie may be rounded either way (the type's or away from zero), and no further."""
    ladder = Decoded.of(dtype).ladder()
    stored = ladder.astype(DATA_TYPES[dtype].numpy)
    middles = (ladder[:-1] + ladder[1:]) / 2
    assert failing(stored[1:], middles, dtype) == 0
    assert failing(stored[:-1], middles, dtype) == 0
    assert failing(stored[2:], middles[:-1], dtype) == len(middles) - 1
    assert failing(stored[:-2], middles[1:], dtype) == len(middles) - 1


@SHORT
def test_zero_passes_for_a_result_below_half_the_smallest_number_only(dtype: str) -> None:
    """A device that flushes what it should round to a subnormal is found out."""
    tiny = format_of(dtype).smallest_subnormal
    golden = np.array([tiny / 2, -tiny / 4, tiny * 0.75, -tiny, 0.0])
    zeros = np.zeros(1, DATA_TYPES[dtype].numpy)
    wrong = [failing(zeros, golden[k : k + 1], dtype) for k in range(5)]
    assert wrong == [0, 0, 1, 1, 0]


@SHORT
def test_which_values_round_to_infinity(dtype: str) -> None:
    """From the largest number and half its ulp on, Inf is right; below, the largest number is.

    A value that carries no error of its own is rounded once, so the threshold is sharp.
    """
    floating, kind = format_of(dtype), DATA_TYPES[dtype].numpy
    largest, limit = floating.max_finite, floating.overflow
    half = ulp_at(np.array([largest]), floating)[0] / 2
    assert Fraction(limit) == Fraction(largest) + Fraction(half)
    below, beyond = np.nextafter(limit - half, 0), limit + 2 * half * 1.01
    for sign in (1.0, -1.0):
        infinite, finite = np.array([sign * np.inf], kind), np.array([sign * largest], kind)
        wrong_sign = np.array([-sign * np.inf], kind)
        for value, inf_is_wrong, finite_is_wrong in (
            (below, 1, 0),
            (np.nextafter(limit, 0), 1, 0),
            (limit, 0, 1),
            (beyond, 0, 1),
            (np.inf, 0, 1),
        ):
            golden = np.array([sign * value])
            assert failing(infinite, golden, dtype) == inf_is_wrong, value
            assert failing(finite, golden, dtype) == finite_is_wrong, value
            if dtype == "float16":  # bfloat16 ends where float32 does, and what overflows there
                assert failing(wrong_sign, golden, dtype) == 1  # may become anything


@SHORT
def test_no_value_but_a_nan_passes_for_a_nan(dtype: str) -> None:
    """Every pattern against NaN, against either Inf and against numbers."""
    decoded = Decoded.of(dtype)
    everything = len(decoded.stored)
    for golden, right in (
        (np.nan, decoded.is_nan),
        (np.inf, decoded.values == np.inf),
        (-np.inf, decoded.values == -np.inf),
        (1.5, decoded.values == 1.5),
        (0.0, decoded.values == 0.0),
    ):
        wrong = failing(decoded.stored, np.full(everything, golden), dtype)
        assert wrong == everything - int(right.sum()), golden


@SHORT
def test_numbers_that_the_device_holds_in_the_type(dtype: str) -> None:
    """A held value is itself; a midpoint is between its neighbours; beyond the range, up to Inf."""
    floating = format_of(dtype)
    ladder = Decoded.of(dtype).ladder()
    middles = (ladder[:-1] + ladder[1:]) / 2
    assert all(hold(v, floating) == Interval(v, v, floating) for v in ladder.tolist())
    found = [hold(middle, floating) for middle in middles.tolist()]
    pairs = zip(ladder[:-1].tolist(), ladder[1:].tolist(), strict=True)
    assert found == [Interval(low, high, floating) for low, high in pairs]
    beyond = math.nextafter(floating.max_finite, math.inf)
    assert hold(beyond, floating) == Interval(floating.max_finite, math.inf, floating)
