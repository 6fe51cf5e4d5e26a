# SPDX-License-Identifier: Apache-2.0
"""Distances of neighbouring numbers, and what a budget of roundings adds up to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat


def floating(dtype: str) -> FloatFormat:
    found = DATA_TYPES[dtype].floating
    assert found is not None
    return found


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
