# SPDX-License-Identifier: Apache-2.0
"""What the formula of aclnnMaxPool2dWithMaskBackward tells besides values, and its masks.

tests/oracle holds values, and places in masks.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.formula import Result
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.operators import max_pool2d_with_indices_backward as by_places
from aclnn_cts.golden.operators import max_pool2d_with_mask_backward as pooling

Array = npt.NDArray[Any]
Names = dict[str, int]


def names(
    height: int, width: int, kernel: tuple[int, int], stride: tuple[int, int], *pad: int
) -> Names:
    """Return the derived names for floor mode; ``pad`` is padding and, in turn, extra windows."""
    ph, pw, *extra = pad or (0, 0)
    more = extra or [0, 0]
    return {
        "H": height,
        "W": width,
        "dH": 1,
        "dW": 1,
        "kH": kernel[0],
        "kW": kernel[1],
        "sH": stride[0],
        "sW": stride[1],
        "pH": ph,
        "pW": pw,
        "Ho": (height + 2 * ph - kernel[0]) // stride[0] + 1 + more[0],
        "Wo": (width + 2 * pw - kernel[1]) // stride[1] + 1 + more[1],
    }


def backward(gradient: Any, x: Any, attributes: Names) -> Result:
    x = np.array(x, np.float32)
    windows = (*x.shape[:-2], attributes["Ho"], attributes["Wo"])
    inputs = {"self": x, "gradOutput": np.array(gradient, np.float32).reshape(windows)}
    return evaluate_whole("max_pool2d_with_mask_backward", inputs, attributes)["gradInput"]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Array, Array, Names]:
    """Draw self with many ties, gradOutput, and a pooling that floor or ceil mode may have."""
    height, width = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    geometry: Names = {"H": height, "W": width, "dH": 1, "dW": 1}
    for axis, extent in (("H", height), ("W", width)):
        kernel = draw(st.integers(1, 4))
        padding = draw(st.integers(0, kernel // 2))
        stride = draw(st.integers(1, 4))
        span = extent + 2 * padding - kernel
        if span < 0:
            kernel, span = extent + 2 * padding, 0
        windows = span // stride + 1
        if draw(st.booleans()) and span % stride and windows * stride < extent + padding:
            windows += 1
        geometry |= {f"k{axis}": kernel, f"s{axis}": stride, f"p{axis}": padding}
        geometry[f"{axis}o"] = windows
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lead = (draw(st.integers(1, 2)), draw(st.integers(1, 3)))
    x = generator.integers(-3, 4, (*lead, height, width)).astype(np.float32)
    windows_shape = (*lead, geometry["Ho"], geometry["Wo"])
    return generator.standard_normal(windows_shape).astype(np.float32), x, geometry


def test_windows_that_choose_an_element_are_counted() -> None:
    """Three windows choose one element, and none the others."""
    result = backward([1, -4, 2], [[[[0, 1, 9, 1, 0]]]], names(1, 5, (1, 3), (1, 1)))
    assert result.scope["selected"].tolist() == [[[[0, 0, 3, 0, 0]]]]


def test_excluded_inputs_are_counted_where_their_windows_reach() -> None:
    """`unsupported` counts the windows over an element that hold a NaN or -Inf."""
    x = [[[[np.nan, 1, 2, 3, -np.inf]]]]
    result = backward(np.ones(4), x, names(1, 5, (1, 2), (1, 1)))
    assert result.scope["unsupported"].tolist() == [[[[1, 1, 0, 1, 1]]]]


def test_window_of_minus_infinity_keeps_its_gradient_inside() -> None:
    """Even a window of -Inf only, which the document excludes, chooses an element."""
    result = backward([7], [[[[-np.inf]]]], names(1, 1, (2, 2), (1, 1), 1, 1, -1, -1))
    assert result.value.tolist() == [[[[7]]]]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_derived_mask_is_an_int32_array_and_zeros(dtype: npt.DTypeLike) -> None:
    """Positions h * W + w come first, little-endian; the documented shape is filled with zeros."""
    x = np.array([[[[1, 2, 5, 5], [4, 3, 5, 5]], [[9, 0, 0, 0], [0, 0, 0, 8]]]], dtype)
    mask = pooling.derive("indices", {"self": x}, names(2, 4, (2, 2), (2, 2)))
    assert mask.dtype == np.int8
    assert mask.shape == (1, 2, 4, (1 + 1) * 32)
    content = mask.reshape(-1).view("<i4")
    assert content[:4].tolist() == [4, 2, 0, 7]
    assert not content[4:].any()


def test_mask_that_cannot_be_derived_is_refused() -> None:
    """The layout for a 1 x 1 kernel is unknown, and gradOutput follows from nothing."""
    inputs = {"self": np.zeros((1, 1, 2, 2), np.float32)}
    with pytest.raises(WrongInputError, match="two elements and more"):
        pooling.derive("indices", inputs, names(2, 2, (1, 1), (1, 1)))
    with pytest.raises(WrongInputError, match="gradOutput"):
        pooling.derive("gradOutput", inputs, names(2, 2, (2, 2), (1, 1)))


@given(cases(), st.data())
def test_a_part_says_of_its_elements_what_the_whole_says(
    case: tuple[Array, Array, Names], data: st.DataObject
) -> None:
    """Bands of a plane and whole planes, wherever they begin and end."""
    gradient, x, geometry = case
    windows = (*x.shape[:-2], geometry["Ho"], geometry["Wo"])
    inputs = {"self": x, "gradOutput": np.reshape(gradient, windows)}
    formula = data.draw(st.sampled_from([pooling, by_places]))
    if formula is by_places:
        geometry["dH"] = 1 + (geometry["Ho"] == 1)
        inputs["indices"] = by_places.derive("indices", inputs, geometry).astype(np.int32)
    whole, plane = formula.align(inputs, geometry), x.shape[-2] * x.shape[-1]
    first, last = sorted(data.draw(st.lists(st.integers(0, plane), min_size=2, max_size=2)))
    number = data.draw(st.integers(0, x.size // plane - 1))
    ranges = [(number * plane + first, number * plane + last), (number * plane, x.size)]
    for start, stop in ranges:
        if start == stop:
            continue
        inner, names_of_part, offset = formula.part(inputs, geometry, start, stop)
        for name, column in formula.align(inner, names_of_part).items():
            own = column.reshape(-1)[offset : offset + stop - start]
            np.testing.assert_array_equal(own, whole[name].reshape(-1)[start:stop])


def test_given_places_are_those_of_the_second_maxima() -> None:
    """So a device that looks for the first one itself is noticed; a single maximum is itself."""
    x = np.array([[[3.0, 3.0, 1.0, 7.0], [3.0, 0.0, 1.0, 2.0]]], np.float32)
    places = by_places.derive("indices", {"self": x}, names(2, 4, (2, 2), (2, 2)))
    assert places.tolist() == [[[1.0, 3.0]]]
