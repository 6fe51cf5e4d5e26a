# SPDX-License-Identifier: Apache-2.0
"""Distances of neighbouring numbers, and what a budget of roundings adds up to."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerance import (
    Budget,
    accumulation_roundings,
    strict_tolerance,
    ulp_at,
)
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat


def floating(dtype: str) -> FloatFormat:
    found = DATA_TYPES[dtype].floating
    assert found is not None
    return found


BUDGET = Budget(floating("float16"), floating("float32"), floating("bfloat16"), 4.0, 1.0)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_every_finite_value_of_the_short_types(dtype: str) -> None:
    """The distance to the next greater magnitude, found from the bits, for all values there are."""
    kind = DATA_TYPES[dtype].numpy
    infinity = int(np.array([math.inf]).astype(kind).view(np.uint16)[0])
    bits = np.arange(infinity, dtype=np.uint16)
    values, following = widen(bits.view(kind)), widen((bits + np.uint16(1)).view(kind))
    gaps = following - values
    gaps[-1] = gaps[-2]  # beyond the largest finite value the type would go on with the same step
    for sign in (1.0, -1.0):
        assert (ulp_at(sign * values, floating(dtype)) == gaps).all()


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float32_as_numpy_has_it(value: float) -> None:
    """The same as np.spacing in the type itself."""
    found = ulp_at(np.array([value]), floating("float32"))[0]
    if abs(value) < floating("float32").max_finite:
        assert found == abs(np.spacing(np.float32(value)))


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_values_without_neighbours(value: float) -> None:
    """Still a positive number, so that nothing downstream turns into NaN."""
    assert ulp_at(np.array([value]), floating("float16"))[0] > 0


def test_input_is_not_changed() -> None:
    """The values are read only."""
    values = np.array([1.0, 3.0])
    ulp_at(values, floating("float16"))
    assert values.tolist() == [1.0, 3.0]


def test_a_budget_by_hand() -> None:
    """Half an ulp of 1.0 in float16, four float32 roundings and one bfloat16 rounding of 2.0."""
    found = strict_tolerance(np.array([1.0]), np.array([2.0]), BUDGET)[0]
    tiny = (4 * 2.0**-149 + 2.0**-133) / 2
    assert found == 2.0**-11 + 2.0 * (4 * 2.0**-24 + 2.0**-8) + tiny


def test_one_rounding_is_counted_once() -> None:
    """A single rounding into the output's own type is the last one: half an ulp, no more."""
    for dtype in ("float16", "bfloat16", "float32"):
        kind = floating(dtype)
        for budget in (Budget(kind, kind, kind, 1.0), Budget(kind, kind, kind, 0.0, 1.0)):
            found = strict_tolerance(np.array([1.5]), np.array([1.5]), budget)[0]
            assert found == ulp_at(np.array([1.5]), kind)[0] / 2


def test_what_elements_share_is_counted_besides() -> None:
    """A rounded factor adds its roundings, in either type, whatever the output's type is."""
    kind = floating("float16")
    budget = Budget(kind, floating("float32"), kind, 1.0, 1.0, 1.0, 1.0)
    assert budget.shared == 2.0**-24 + 2.0**-11
    assert budget.relative == 2.0**-24 + budget.shared


@given(st.floats(-6e4, 6e4), st.floats(0, 6e4), st.floats(0, 64), st.floats(0, 1e4))
def test_more_roundings_never_tolerate_less(
    value: float, bound: float, roundings: float, more: float
) -> None:
    """The tolerance grows with roundings and bound, and is never below half an ulp."""

    def tolerance(bound: float, roundings: float) -> float:
        budget = replace(BUDGET, roundings=roundings)
        return float(strict_tolerance(np.array([value]), np.array([bound]), budget)[0])

    least = tolerance(bound, roundings)
    assert least >= ulp_at(np.array([value]), BUDGET.output)[0] / 2
    assert tolerance(bound, roundings + more) >= least
    assert tolerance(bound + more, roundings) >= least


@given(st.integers(1, 10**9))
def test_sums_err_like_the_root_of_their_length(terms: int) -> None:
    """Never more than one rounding for each addition, and 4 sqrt(K - 1) for long sums."""
    found = accumulation_roundings(terms, 4.0)
    assert found <= terms - 1
    assert found == (terms - 1 if terms <= 17 else 4 * math.sqrt(terms - 1))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_the_distance_can_be_written_in_place(dtype: str) -> None:
    """The array that is given holds the result, and is what comes back."""
    kind = floating(dtype)
    value = np.array([0.0, 1.0, -3.0, kind.smallest_subnormal, kind.max_finite])
    room = np.full(value.shape, -1.0)
    assert ulp_at(value, kind, out=room) is room
    assert room.tolist() == ulp_at(value, kind).tolist()
    assert room[0] == room[3] == kind.smallest_subnormal
