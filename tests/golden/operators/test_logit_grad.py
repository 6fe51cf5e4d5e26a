# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnLogitGrad against hand-computed and 100-digit values."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.formula import UNIT_ROUNDOFF, Result
from aclnn_cts.golden.operators import logit_grad


def out(x: npt.ArrayLike, dy: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> Result:
    inputs: dict[str, npt.NDArray[Any]] = {"x": np.array(x, dtype), "dy": np.array(dy, dtype)}
    with np.errstate(all="ignore"):
        return logit_grad.evaluate(inputs, {"eps": -1.0})["out"]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_hand_computed_values_in_every_data_type(dtype: npt.DTypeLike) -> None:
    """1 / (1/2 * 1/2) = 4, 3 / (1/4 * 3/4) = 16, and outside [0, 1] the quotient is negative."""
    result = out([0.5, 0.25, 2.0, 0.5], [1.0, 3.0, 1.0, 0.0], dtype)
    assert result.value.tolist() == [4.0, 16.0, -0.5, 0.0]
    size = UNIT_ROUNDOFF * np.abs(result.value)
    assert ((size <= result.error) & (result.error <= 8 * size)).all()


def test_poles_and_special_values() -> None:
    """0 and 1 are poles; 0 / 0 and anything of NaN is NaN; an infinite x makes the quotient 0."""
    result = out([0.0, 1.0, 0.0, np.nan, np.inf, 0.5], [1.0, -1.0, 0.0, 1.0, 1.0, np.inf])
    np.testing.assert_array_equal(result.value, [np.inf, -np.inf, np.nan, np.nan, -0.0, np.inf])


def test_scope_holds_the_widened_inputs() -> None:
    """The spec's conditions read x and dy."""
    result = out([0.5], [3.0], np.float16)
    assert {name: array.tolist() for name, array in result.scope.items()} == {
        "x": [0.5],
        "dy": [3.0],
    }


@given(st.floats(2.0**-100, 1.0, width=32, exclude_max=True), st.floats(-1e3, 1e3, width=32))
def test_linear_in_the_gradient(x: float, dy: float) -> None:
    """Doubling dy, which is exact, doubles the result and its stated error exactly."""
    single, double = out([x], [dy]), out([x], [2 * dy])
    assert double.value[0] == 2 * single.value[0]
    assert double.error[0] == 2 * single.error[0]


@given(
    st.floats(2.0**-100, 1.0, width=32, exclude_max=True),
    st.floats(-(2.0**100), 2.0**100, width=32),
)
def test_within_three_roundings_of_the_exact_value(x: float, dy: float) -> None:
    """1 - x, the product and the quotient round once each, also where x is next to 1."""
    result = out([x], [dy])
    with mpmath.workdps(100):
        exact = mpmath.mpf(dy) / (mpmath.mpf(x) * (1 - mpmath.mpf(x)))
        error = abs(mpmath.mpf(result.value[0]) - exact)
        assert error <= 3.01 * UNIT_ROUNDOFF * abs(exact)
        assert error <= 1.01 * result.error[0]
