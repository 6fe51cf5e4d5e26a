# SPDX-License-Identifier: Apache-2.0
"""The formulas against 100 digits on drawn data, every element of them."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracle.exact.agreement import Agreement, agreement_of_formula
from tests.oracle.exact.numbers import Arrays, Values

Draw = st.DrawFn
Call = tuple[Arrays, Values]

TYPES = (np.dtype(np.float32), np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))
SCALES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(1.0, 1e300))

ANY = st.floats(width=32)
FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)
UNIT = st.floats(0, 1, width=32)


def array(values: Any, dtype: npt.DTypeLike, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):
        return np.array(values, np.float32).astype(dtype).reshape(shape)


def drawn(
    draw: Draw, elements: st.SearchStrategy[float], dtype: Any, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    size = math.prod(shape)
    return array(draw(st.lists(elements, min_size=size, max_size=size)), dtype, shape)


def finite(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Replace what a narrower type made infinite."""
    return np.where(np.isfinite(values.astype(np.float64)), values, np.ones((), values.dtype))


def assert_agreement(found: dict[str, Agreement]) -> None:
    assert [str(d) for agreement in found.values() for d in agreement.differences] == []


@st.composite
def logit_calls(draw: Draw) -> Call:
    dtype, size = draw(st.sampled_from(TYPES)), draw(st.integers(1, 6))
    x = drawn(draw, st.one_of(UNIT, ANY), dtype, (size,))
    return {"x": x, "dy": drawn(draw, ANY, dtype, (size,))}, {"eps": -1.0}


@given(logit_calls())
def test_logit_grad(call: Call) -> None:
    """Any x and dy: next to the poles, on them with either sign of 0, Inf and NaN."""
    assert_agreement(agreement_of_formula("aclnnLogitGrad", *call))


@st.composite
def dropout_calls(draw: Draw) -> Call:
    dtype, size = draw(st.sampled_from(TYPES)), draw(st.integers(1, 20))
    octets = draw(st.lists(st.integers(0, 255), min_size=16, max_size=16))
    gradient = drawn(draw, ANY, dtype, (size,))
    return {"gradOutput": gradient, "mask": np.array(octets, np.uint8)}, {"scale": draw(SCALES)}


NANS = {"gradOutput": array([math.nan, 3.0, math.inf], np.float32, (3,))}


OVERFLOWS = {"gradOutput": array([5.8842335e15], np.float32, (1,))}


@example((OVERFLOWS | {"mask": np.ones(16, np.uint8)}, {"scale": 3.0551016245695785e292}))
@example((NANS | {"mask": np.full(16, 255, np.uint8)}, {"scale": 1e300}))
@example((NANS | {"mask": np.zeros(16, np.uint8)}, {"scale": 2.0}))
@given(dropout_calls())
def test_dropout_backward(call: Call) -> None:
    """Any gradient, mask and scale, up to where the product leaves float64."""
    assert_agreement(agreement_of_formula("aclnnDropoutBackward", *call))


@st.composite
def prelu_calls(draw: Draw) -> Call:
    dtype = draw(st.sampled_from(TYPES))
    shape = tuple(draw(st.lists(st.integers(1, 3), min_size=2, max_size=3)))
    channels = draw(st.sampled_from([1, shape[1]]))
    over = tuple(extent if draw(st.booleans()) else 1 for extent in shape)
    inputs = {
        "self": drawn(draw, FINITE, dtype, shape),
        "gradOutput": drawn(draw, ANY, dtype, over),
        "weight": drawn(draw, ANY, dtype, (channels,)),
    }
    return inputs, {}


@given(prelu_calls())
def test_prelu_backward(call: Call) -> None:
    """Broadcast gradients, one weight and one per channel, sums that cancel or overflow."""
    assert_agreement(agreement_of_formula("aclnnPreluBackward", *call))


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0,)])
def test_prelu_sums_over_nothing(shape: tuple[int, ...]) -> None:
    """Empty sums are exactly 0."""
    size = shape[1] if len(shape) > 1 and shape[1] else 1
    empty = np.zeros(shape, np.float32)
    inputs = {"self": empty, "gradOutput": empty, "weight": np.ones(size, np.float32)}
    found = agreement_of_formula("aclnnPreluBackward", inputs, {})
    assert_agreement(found)
    assert found["gradWeight"].compared == size


@st.composite
def pool_calls(draw: Draw) -> Call:
    dtype = draw(st.sampled_from(TYPES))
    kernel, stride = (tuple(draw(st.integers(1, 3)) for _ in range(2)) for _ in range(2))
    padding = tuple(draw(st.integers(0, extent // 2)) for extent in kernel)
    plane = tuple(draw(st.integers(1, 5)) for _ in range(2))
    # One window more than fits: as with ceilMode, the last one may reach beyond the image.
    count = tuple(
        max(1, -(-(extent + 2 * pad - size) // step) + 1)
        for extent, pad, size, step in zip(plane, padding, kernel, stride, strict=True)
    )
    inputs = {
        "self": drawn(
            draw, st.one_of(st.sampled_from([-1.0, 0.0, 1.0]), FINITE), dtype, (1, *plane)
        ),
        "gradOutput": drawn(draw, ANY, dtype, (1, *count)),
    }
    return inputs, pool_values(kernel, stride, padding, count, plane)


def pool_values(*pairs: tuple[int, ...]) -> Values:
    """Return the attributes, and the names that the spec derives from them."""
    derived = ("kH", "kW", "sH", "sW", "pH", "pW", "Ho", "Wo", "H", "W")
    names = {"dH": 1, "dW": 1} | dict(
        zip(derived, (number for pair in pairs for number in pair), strict=True)
    )
    return names | dict(zip(("kernelSize", "stride", "padding"), pairs, strict=False))


PEAK = np.zeros((1, 3, 3), np.float32)
PEAK[0, 1, 1] = 1.0
CANCELLING = array([1e30, 1.0, -1e30, 1e-30], np.float32, (1, 2, 2))


@example(
    ({"self": PEAK, "gradOutput": CANCELLING}, pool_values((2, 2), (1, 1), (0, 0), (2, 2), (3, 3)))
)
@given(pool_calls())
def test_max_pool2d_with_mask_backward(call: Call) -> None:
    """Overlapping, padded, partial and skipping windows; ties; gradients that cancel."""
    found = agreement_of_formula("aclnnMaxPool2dWithMaskBackward", *call)
    assert_agreement(found)


@st.composite
def group_norm_calls(draw: Draw) -> Call:
    dtype, groups = draw(st.sampled_from(TYPES)), draw(st.integers(1, 2))
    batches, channels = draw(st.integers(1, 2)), groups * draw(st.integers(1, 2))
    shape = (batches, channels, draw(st.integers(1, 3)))
    moderate = st.floats(-100, 100, width=32)
    values = draw(st.sampled_from([moderate, FINITE]))
    inputs = {name: finite(drawn(draw, values, dtype, shape)) for name in ("dy", "x")}
    for name in ("mean", "rstd"):
        inputs[name] = finite(drawn(draw, values, dtype, (batches, groups)))
    for name in ("gamma", "beta"):
        inputs[name] = finite(drawn(draw, values, dtype, (channels,)))
    scale = draw(st.sampled_from([1.0, 0.0, -1.0, 1.702, 1e-3, 20.0]))
    return inputs, {"numGroups": groups, "swishScale": scale}


@given(group_norm_calls())
def test_group_norm_swish_grad(call: Call) -> None:
    """Any finite inputs: saturated, cancelling, overflowing in float32, below its range."""
    found = agreement_of_formula("aclnnGroupNormSwishGrad", *call)
    assert_agreement(found)
