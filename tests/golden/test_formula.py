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
from aclnn_cts.golden.formula import Result, additions, evaluate_whole, formula_module, widen
from aclnn_cts.golden.operators import group_norm_swish_grad as group_norm
from aclnn_cts.golden.operators import max_pool2d_with_mask_backward as pool


@pytest.mark.parametrize(
    ("terms", "sums", "rounded"),
    [(0, 1, 0), (1, 1, 0), (2, 1, 1), (10, 1, 9), (10, 2, 4), (10, 10, 0), (0, 0, 0), (3, 0, 2)],
)
def test_a_sum_rounds_once_less_than_it_has_terms(terms: int, sums: int, rounded: int) -> None:
    """The first term comes as it is; several sums share the terms."""
    assert additions(terms, sums) == rounded


def test_additions_are_of_one_sum_if_nothing_else_is_said() -> None:
    """All terms go into one sum."""
    assert additions(10) == 9


def test_the_stated_error() -> None:
    """So many half ulps of the bound, and one percent for errors of errors; none if exact."""
    value, bound = np.array([1.0, 2.0]), np.array([4.0, math.inf])
    result = Result(value, bound, {}, roundings=5)
    assert result.error.tolist() == [4.0 * 1.01 * 5 * 2.0**-53, math.inf]
    assert Result(value, bound, {}, roundings=0).error.tolist() == [0.0, 0.0]


def test_each_step_rounds_once_more() -> None:
    """Sums take over what their worse operand is off by, products what both are."""
    one = group_norm._Computed.exact(np.array([3.0, -4.0]))
    assert one.roundings == 0
    two, three = one + one, (one + one) - one
    assert (two.roundings, three.roundings) == (1, 2)
    assert (one + three).roundings == (three - one).roundings == 3
    assert (two * three).roundings == 1 + 2 + 1
    assert two.divided_by(3).roundings == 2
    summed = two.summed(lambda values: values.sum(keepdims=True), 2)
    assert (summed.roundings, summed.value.tolist()) == (2, [-2.0])


@pytest.mark.parametrize(
    ("kernel", "stride", "most"),
    [((3, 2), (1, 1), 6), ((3, 2), (2, 2), 2), ((2, 2), (2, 2), 1), ((5, 1), (2, 3), 3)],
)
def test_windows_that_overlap(kernel: tuple[int, int], stride: tuple[int, int], most: int) -> None:
    """An element lies in so many windows at most, and its sum rounds once less."""
    names = dict(zip(("kH", "kW", "sH", "sW"), (*kernel, *stride), strict=True))
    extents = {f"{axis}o": (12 - kernel[k]) // stride[k] + 1 for k, axis in enumerate("HW")}
    attributes = {**names, "pH": 0, "pW": 0, **extents}
    x = np.arange(144.0, dtype=np.float32).reshape(1, 1, 12, 12)
    gradient = np.ones((1, 1, extents["Ho"], extents["Wo"]), np.float32)
    inputs = {"self": x, "gradOutput": gradient}
    assert pool._Windows.over(x.astype(np.float64), attributes).overlapping == most
    assert pool.evaluate(inputs, attributes)["gradInput"].roundings == most - 1


def test_exact_formulas_and_sums_say_so() -> None:
    """One product of two short numbers is exact; a weight's gradient rounds when it adds up."""
    inputs = {
        "gradOutput": np.ones((2, 3, 5), np.float32),
        "self": -np.ones((2, 3, 5), np.float32),
        "weight": np.ones(3, np.float32),
    }
    found = evaluate_whole("prelu_backward", inputs, {})
    assert found["gradInput"].roundings == 0
    assert found["gradWeight"].roundings == 2 * 5 - 1


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
    assert formula_module("logit_grad").ELEMENTWISE is True
    with pytest.raises(WrongInputError, match=r"operators/no_such\.py"):
        formula_module("no_such")


def test_peaks_are_the_finite_terms() -> None:
    """Where a partial sum may overflow is told by the magnitudes of the finite terms alone."""
    huge = np.float32(3e38)
    names = {"kH": 1, "kW": 2, "sH": 1, "sW": 1, "pH": 0, "pW": 0, "Ho": 1, "Wo": 2}
    x = np.array([[[[1.0, 3.0, 2.0]]]], np.float32)
    for second, bound in ((-huge, 2.0), (np.float32(-math.inf), math.inf)):
        gradient = np.array([[[[huge, second]]]], np.float32)
        found = evaluate_whole("max_pool2d_with_mask_backward", {
            "self": x, "gradOutput": gradient
        }, names)["gradInput"]  # fmt: skip
        assert found.peak is not None
        finite = 2.0 if math.isfinite(second) else 1.0
        assert (found.peak / float(huge)).tolist() == [[[[0.0, finite, 0.0]]]]
        assert found.bound[0, 0, 0, 1] / float(huge) == bound
        inputs = {
            "self": np.array([[-1.0], [-1.0]], np.float32),
            "gradOutput": gradient.reshape(2, 1),
            "weight": np.ones(1, np.float32),
        }
        weight = evaluate_whole("prelu_backward", inputs, {})["gradWeight"]
        assert weight.peak is not None
        assert (weight.peak / float(huge)).tolist() == [finite]
        assert weight.bound[0] / float(huge) == bound
