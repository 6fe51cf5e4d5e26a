# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnMaxPool2dWithMaskBackward against hand-computed values and slow loops."""

from __future__ import annotations

import itertools
import math
from typing import Any

import ml_dtypes
import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.formula import UNIT_ROUNDOFF, Result, evaluate_whole
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


def slow_maxima(x: Array, a: Names) -> dict[tuple[int, ...], tuple[int, ...] | None]:
    """Return, window by window, where the first of its largest elements lies."""
    found: dict[tuple[int, ...], tuple[int, ...] | None] = {}
    for n, c, i, j in itertools.product(*map(range, x.shape[:2]), range(a["Ho"]), range(a["Wo"])):
        rows = range(i * a["sH"] - a["pH"], i * a["sH"] - a["pH"] + a["kH"])
        columns = range(j * a["sW"] - a["pW"], j * a["sW"] - a["pW"] + a["kW"])
        places = [
            (n, c, h, w)
            for h, w in itertools.product(rows, columns)
            if 0 <= h < x.shape[2] and 0 <= w < x.shape[3]
        ]
        found[n, c, i, j] = max(places, key=lambda place: float(x[place])) if places else None
    return found


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


def test_separate_windows_by_hand() -> None:
    """Each 2 x 2 window hands its gradient to its largest element, the others get 0."""
    x = [[[[1, 2, 5, 5], [4, 3, 5, 5]]]]
    result = backward([10, -20], x, names(2, 4, (2, 2), (2, 2)))
    assert result.value.tolist() == [[[[0, 0, -20, 0], [10, 0, 0, 0]]]]
    assert not result.error.any()
    assert result.scope["selected"].tolist() == [[[[0, 0, 1, 0], [1, 0, 0, 0]]]]


def test_overlapping_windows_add_up() -> None:
    """An element that three windows choose gets the sum, with the error of two additions."""
    result = backward([1, -4, 2], [[[[0, 1, 9, 1, 0]]]], names(1, 5, (1, 3), (1, 1)))
    assert result.value.tolist() == [[[[0, 0, -1, 0, 0]]]]
    assert np.flatnonzero(result.error).tolist() == [2]
    assert 7 * UNIT_ROUNDOFF <= result.error.max() <= 2 * 7 * UNIT_ROUNDOFF
    assert result.scope["selected"].tolist() == [[[[0, 0, 3, 0, 0]]]]


def test_first_of_equal_maxima_in_row_major_order() -> None:
    """In a plane of equal elements the upper left one of each window wins; -0 and +0 are equal."""
    result = backward(
        np.ones(4), [[[[-0.0, 0, 0], [0, 0, 0], [0, 0, 0]]]], names(3, 3, (2, 2), (1, 1))
    )
    assert result.value.tolist() == [[[[1, 1, 0], [1, 1, 0], [0, 0, 0]]]]


def test_padding_never_wins() -> None:
    """Windows that begin in the padding choose among the elements, be they ever so small."""
    x = [[[[-3e38, -2e38], [-2e38, -3e38]]]]
    result = backward([1, 2, 4, 8], x, names(2, 2, (2, 2), (2, 2), 1, 1))
    assert result.value.tolist() == [[[[1, 2], [4, 8]]]]


def test_last_window_of_ceil_mode_reaches_beyond_the_plane() -> None:
    """With ceilMode the last window may hold fewer elements."""
    result = backward([1, 2], [[[[3, 1, 2]]]], names(1, 3, (1, 2), (1, 2), 0, 0, 0, 1))
    assert result.value.tolist() == [[[[1, 0, 2]]]]


def test_stride_larger_than_kernel_skips_elements() -> None:
    """Elements between windows get 0, and no window selects them."""
    result = backward([1, 2], [[[[1, 9, 9, 2]]]], names(1, 4, (1, 1), (1, 3)))
    assert result.value.tolist() == [[[[1, 0, 0, 2]]]]
    assert (result.value[result.scope["selected"] == 0] == 0).all()


def test_infinite_gradients_that_meet() -> None:
    """Inf and -Inf on one element give NaN, as their sum does."""
    result = backward([np.inf, -np.inf], [[[[0, 9, 0]]]], names(1, 3, (1, 2), (1, 1)))
    np.testing.assert_array_equal(result.value, [[[[0, np.nan, 0]]]])


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


@given(cases())
def test_equals_loops_over_the_windows(case: tuple[Array, Array, Names]) -> None:
    """Value and `selected` are what a loop adds up window by window, in 100 digits."""
    gradient, x, geometry = case
    result = backward(gradient, x, geometry)
    overlapping = math.prod(-(-geometry[f"k{a}"] // geometry[f"s{a}"]) for a in "HW")
    terms: dict[tuple[int, ...], list[float]] = {}
    for window, place in slow_maxima(x, geometry).items():
        if place is not None:
            terms.setdefault(place, []).append(float(gradient[window]))
    with mpmath.workdps(100):
        for place in np.ndindex(*x.shape):
            met = terms.get(place, [])
            assert result.scope["selected"][place] == len(met)
            error = abs(mpmath.mpf(result.value[place]) - mpmath.fsum(met))
            assert error <= 1.01 * result.error[place]
            assert result.error[place] <= overlapping * UNIT_ROUNDOFF * math.fsum(map(abs, met))


@given(cases())
def test_derived_mask_holds_the_places_of_the_loop(case: tuple[Array, Array, Names]) -> None:
    """The mask's positions are those that gradInput uses."""
    _, x, geometry = case
    if geometry["kH"] * geometry["kW"] == 1:
        geometry = geometry | {"kH": 2, "Ho": max(1, geometry["Ho"] - 1)}
    mask = pooling.derive("indices", {"self": x}, geometry)
    places = [
        -1 if p is None else p[2] * x.shape[3] + p[3] for p in slow_maxima(x, geometry).values()
    ]
    assert mask.reshape(-1).view("<i4")[: len(places)].tolist() == places


@given(cases())
def test_linear_in_the_gradient(case: tuple[Array, Array, Names]) -> None:
    """Doubling gradOutput doubles the result and its stated error exactly."""
    gradient, x, geometry = case
    single, double = backward(gradient, x, geometry), backward(2 * gradient, x, geometry)
    np.testing.assert_array_equal(double.value, 2 * single.value)
    np.testing.assert_array_equal(double.error, 2 * single.error)


def test_cancelling_windows_within_their_additions_of_the_exact_sum() -> None:
    """1e30 and -1e30 beside 1 on one element: the error scales with the terms, not the value."""
    gradient = [1e30, 1, -1e30]
    result = backward(gradient, [[[[0, 1, 9, 1, 0]]]], names(1, 5, (1, 3), (1, 1)))
    with mpmath.workdps(100):
        exact = mpmath.fsum(float(np.float32(g)) for g in gradient)
        error = abs(mpmath.mpf(result.value[0, 0, 0, 2]) - exact)
        assert error <= result.error[0, 0, 0, 2] <= 2.01 * 2e30 * UNIT_ROUNDOFF


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
