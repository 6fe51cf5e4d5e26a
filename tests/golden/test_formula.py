# SPDX-License-Identifier: Apache-2.0
"""What formulas state about their own rounding, and how inputs are widened."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import FLOAT64
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.formula import Result, has_sums, widen
from aclnn_cts.golden.formula_modules import formula_module


@pytest.mark.parametrize(
    ("kernel", "stride", "most"),
    [((3, 2), (1, 1), 6), ((3, 2), (2, 2), 2), ((2, 2), (2, 2), 1), ((5, 1), (2, 3), 3)],
)
def test_windows_that_overlap(kernel: tuple[int, int], stride: tuple[int, int], most: int) -> None:
    """An element lies in so many windows at most."""
    names = dict(zip(("kH", "kW", "sH", "sW"), (*kernel, *stride), strict=True))
    assert windows.overlapping(names) == most


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_widening_keeps_every_value(dtype: npt.DTypeLike) -> None:
    """All short numbers and special ones; a NaN stays one, signalling or not, without a warning."""
    kind: np.dtype[Any] = np.dtype(dtype)
    if kind.itemsize == 2:
        numbers = np.arange(1 << 16, dtype=np.uint16).view(kind)
    else:
        numbers = np.array([0.0, -0.0, 1.5, math.inf, -math.inf, 1e-45, 3e38, math.nan], kind)
        signalling = np.array([0x7F800001], np.uint32).view(kind)
        numbers = np.concatenate([numbers, signalling])
    wide = widen(numbers)
    assert wide.dtype == np.float64
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(wide, numbers.astype(np.float32).astype(np.float64))
        assert np.array_equal(wide.astype(kind), numbers, equal_nan=True)
    assert np.signbit(wide[wide == 0]).tolist() == [False, True]


def test_a_bare_view_of_a_bfloat16_is_widened_too() -> None:
    """A record read from a file shows the type as raw bytes."""
    numbers = np.array([1.5, -2.0], ml_dtypes.bfloat16)
    assert widen(numbers.view("V2")).tolist() == [1.5, -2.0]


def test_a_missing_formula_is_named() -> None:
    """The sentence says which file is to be written."""
    assert not has_sums(formula_module("glu_backward"))
    with pytest.raises(WrongInputError, match=r"operators/no_such\.py"):
        formula_module("no_such")


def test_errors_of_infinite_values_raise_no_warnings() -> None:
    """`aclnn-cts generate` asks for them, and would print the warnings."""
    with np.errstate(all="ignore"):
        number = FLOAT64.exact(np.array([-np.inf, np.inf, 1.0])) * FLOAT64.exact(2.0)
    with np.errstate(all="raise"):
        assert np.isfinite(Result(number, {}).error).all()


def test_a_magnitude_keeps_its_error_and_loses_its_sign() -> None:
    """The error is that of the number; -Inf becomes Inf, and NaN stays."""
    with np.errstate(all="ignore"):
        number = FLOAT64.exact(np.array([-3.0, 3.0, -np.inf, np.nan])) * FLOAT64.exact(0.1)
        size = abs(number)
        assert size.value[:3].tolist() == [3.0 * 0.1, 3.0 * 0.1, np.inf]
        assert Result(size, {}).error.tolist() == Result(number, {}).error.tolist()
        assert size.result.extremes is not None
        assert size.result.extremes.tolist() == [0, 0, Outcome.POS_INF, Outcome.NAN]
