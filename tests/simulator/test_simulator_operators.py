# SPDX-License-Identifier: Apache-2.0
"""What the operators compute, against the documents' formulas in float64."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tests.simulator.conftest import Device, Tensor

Array = NDArray[Any]
Layout = Callable[..., "Tensor"]

# Half an ulp of the output type is at most this part of the value,
HALF_ULP = {
    np.dtype(np.float32): 2.0**-24,
    np.dtype(np.float16): 2.0**-11,
    np.dtype(ml_dtypes.bfloat16): 2.0**-8,
}
# or, among the subnormal values, at most this.
HALF_SUBNORMAL = 2.0**-25
DTYPES = list(HALF_ULP)


@pytest.fixture(params=["dense", "stepped"])
def layout(request: pytest.FixtureRequest, a2: Device) -> Layout:
    """How tensors lie in memory."""
    chosen: Layout = getattr(a2, request.param)
    return chosen


def normal(seed: int, *shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def wide(values: Array) -> Array:
    return np.asarray(values, dtype=np.float64)


def assert_rounded(actual: Array, expected: Array, terms: int = 8) -> None:
    """One rounding to the output type, and `terms` roundings in float32."""
    tolerance = HALF_ULP[actual.dtype] + terms * 2.0**-24
    scale = np.max(np.abs(expected), initial=0.0) if terms > 8 else np.abs(expected)
    smallest = HALF_SUBNORMAL if actual.dtype == np.float16 else 1e-30
    within = np.abs(wide(actual) - expected) <= tolerance * scale + smallest
    assert within.all(), (actual[~within], expected[~within])


@pytest.mark.parametrize("dtype", DTYPES)
def test_logit_grad_inside(a2: Device, layout: Layout, dtype: Any) -> None:
    """Between eps and 1 - eps the result is dy / (x * (1 - x)), and outside it is 0."""
    x = np.random.default_rng(1).random((5, 7, 301)).astype(dtype)
    dy = normal(2, 5, 7, 301, dtype=dtype)
    out = a2.empty_like(layout(x))
    outcome = a2.run("aclnnLogitGrad", layout(x), layout(dy), 0.25, out)
    outside = (wide(x) < 0.25) | (wide(x) > 0.75)
    with np.errstate(divide="ignore"):
        expected = np.where(outside, 0.0, wide(dy) / (wide(x) * (1.0 - wide(x))))
    assert outcome.status == 0
    assert_rounded(outcome.views[2], expected)


@pytest.mark.parametrize(
    ("eps", "x", "expected"),
    [
        (-1.0, [-0.5, 1.5, 0.5, 0.0, 1.0], [np.nan, np.nan, 4.0, np.inf, np.inf]),
        (0.0, [-0.5, 1.5, 0.5, 0.0], [0.0, 0.0, 4.0, np.inf]),
        (0.25, [0.25, 0.75, 0.125, 0.875], [16 / 3, 16 / 3, 0.0, 0.0]),
        (2.0, [0.5, 1.0], [0.0, 0.0]),
        (np.inf, [0.5, np.inf, np.nan], [0.0, 0.0, np.nan]),
        (np.nan, [0.5, 0.0], [np.nan, np.nan]),
    ],
)
def test_logit_grad_at_the_edges(
    a2: Device, eps: float, x: list[float], expected: list[float]
) -> None:
    """Eps below 0 gives NaN outside [0, 1], other eps give 0 outside [eps, 1 - eps]."""
    values = a2.dense(x, np.float32)
    ones = a2.dense(np.ones(len(x)), np.float32)
    outcome = a2.run("aclnnLogitGrad", values, ones, eps, a2.empty_like(values))
    np.testing.assert_allclose(outcome.views[2], expected, rtol=3e-7)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,)])
def test_small_shapes(a2: Device, shape: tuple[int, ...]) -> None:
    """Scalars and empty tensors go through both phases."""
    x = a2.dense(np.full(shape, 0.5), np.float32)
    outcome = a2.run("aclnnLogitGrad", x, x, -1.0, a2.empty_like(x))
    assert outcome.status == 0
    np.testing.assert_array_equal(outcome.views[2], np.full(shape, 2.0))


def test_expanded_input(a2: Device) -> None:
    """An input with stride 0 repeats its element."""
    column = a2.dense([0.5, 0.25], np.float32)
    x = dataclasses.replace(column, shape=(2, 3), strides=(1, 0))
    dy = a2.dense(np.ones((2, 3)), np.float32)
    outcome = a2.run("aclnnLogitGrad", x, dy, -1.0, a2.empty_like(dy))
    np.testing.assert_allclose(outcome.views[2], [[4.0] * 3, [16 / 3] * 3], rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("out_dtype", DTYPES)
def test_dropout_backward(a2: Device, layout: Layout, dtype: Any, out_dtype: Any) -> None:
    """Bit k % 8 of byte k // 8 decides on element k, least significant first."""
    gradient = normal(3, 9, 121, dtype=dtype)
    mask = np.random.default_rng(4).integers(0, 256, 9 * 128 // 8, dtype=np.uint8)
    out = a2.empty_like(layout(gradient), out_dtype)
    outcome = a2.run("aclnnDropoutBackward", layout(gradient), layout(mask), 1.25, out)
    bits = np.unpackbits(mask, bitorder="little")[: gradient.size].reshape(gradient.shape)
    assert outcome.status == 0
    assert_rounded(outcome.views[2], wide(gradient) * 1.25 * bits)


@pytest.mark.parametrize(("scale", "factor"), [(0.0, 0.0), (1.0, 1.0)])
def test_dropout_without_mask(a2: Device, scale: float, factor: float) -> None:
    """Scale 0 zeroes every element and scale 1 keeps every element, whatever the mask says."""
    gradient = normal(5, 200)
    mask = a2.dense(np.full(32, 0x0F), np.uint8)
    out = a2.empty_like(a2.dense(gradient))
    outcome = a2.run("aclnnDropoutBackward", a2.dense(gradient), mask, scale, out)
    np.testing.assert_array_equal(outcome.views[2], gradient * np.float32(factor))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("shape", "weight_shape", "grad_shape"),
    [
        ((4, 5, 6), (5,), (4, 5, 6)),
        ((4, 5, 6), (1, 5, 1), (5, 1)),
        ((4, 5, 6), (1,), (6,)),
        ((300, 7), (7,), (300, 1)),
        ((1000,), (1,), (1000,)),
        ((), (), ()),
    ],
)
def test_prelu_backward(
    a2: Device,
    layout: Layout,
    dtype: Any,
    shape: tuple[int, ...],
    weight_shape: tuple[int, ...],
    grad_shape: tuple[int, ...],
) -> None:
    """Element by element for gradInput; gradWeight summed over all axes but that of the weight."""
    x, weight = normal(6, *shape, dtype=dtype), normal(7, *weight_shape, dtype=dtype)
    gradient = normal(8, *grad_shape, dtype=dtype)
    arguments = [layout(gradient), layout(x), layout(weight)]
    outputs = [a2.empty_like(arguments[1]), a2.empty_like(arguments[2])]
    outcome = a2.run("aclnnPreluBackward", *arguments, *outputs)
    assert outcome.status == 0
    full = np.broadcast_to(wide(gradient), shape)
    per_channel = weight.size > 1
    w = wide(weight).reshape((1, -1) + (1,) * (len(shape) - 2)) if per_channel else wide(weight)
    terms = np.where(wide(x) > 0, 0.0, full * wide(x))
    axes = tuple(axis for axis in range(len(shape)) if axis != 1 or not per_channel)
    assert_rounded(outcome.views[3], np.where(wide(x) > 0, full, full * w.reshape(w.shape or ())))
    assert_rounded(outcome.views[4], terms.sum(axis=axes).reshape(weight_shape), terms=64)


def test_prelu_backward_at_zero(a2: Device) -> None:
    """Zero of either sign takes the branch of the weight."""
    x, one = a2.dense([0.0, -0.0, 1.0], np.float32), a2.dense([1.0] * 3, np.float32)
    weight = a2.dense([0.5], np.float32)
    outcome = a2.run("aclnnPreluBackward", one, x, weight, a2.empty_like(x), a2.empty_like(weight))
    np.testing.assert_array_equal(outcome.views[3], [0.5, 0.5, 1.0])


def group_norm_swish_grad(
    tensors: dict[str, Array], groups: int, scale: float
) -> tuple[Array, Array, Array]:
    dy, mean, rstd, x, gamma, beta = (wide(tensor) for tensor in tensors.values())
    samples, channels = x.shape[:2]
    flat = x.reshape(samples, channels, -1)
    per_channel = [np.repeat(t, channels // groups, axis=1)[:, :, None] for t in (mean, rstd)]
    normalised = (flat - per_channel[0]) * per_channel[1]
    y = normalised * gamma[None, :, None] + beta[None, :, None]
    sigmoid = 1.0 / (1.0 + np.exp(-scale * y))
    dy_new = dy.reshape(flat.shape) * sigmoid * (1.0 + scale * y * (1.0 - sigmoid))
    weighted = dy_new * gamma[None, :, None]

    def group_mean(values: Array) -> Array:
        means = values.reshape(samples, groups, -1).mean(axis=2)
        return np.repeat(means, channels // groups, axis=1)[:, :, None]

    dx = per_channel[1] * (
        weighted - normalised * group_mean(weighted * normalised) - group_mean(weighted)
    )
    dgamma, dbeta = (dy_new * normalised).sum(axis=(0, 2)), dy_new.sum(axis=(0, 2))
    return dx.reshape(x.shape), dgamma, dbeta


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(2, 6, 5, 7), (3, 4), (1, 12, 300)])
def test_group_norm_swish_grad(
    a2: Device, layout: Layout, dtype: Any, shape: tuple[int, ...]
) -> None:
    """The documented formula with the group sums divided by the elements of a group."""
    samples, channels, groups = shape[0], shape[1], 2
    tensors = {
        "dy": normal(10, *shape, dtype=dtype),
        "mean": normal(11, samples, groups, dtype=dtype),
        "rstd": np.abs(normal(12, samples, groups, dtype=dtype)) + np.ones(1, dtype),
        "x": normal(13, *shape, dtype=dtype),
        "gamma": normal(14, channels, dtype=dtype),
        "beta": normal(15, channels, dtype=dtype),
    }
    outputs = [a2.empty_like(a2.dense(tensors[name])) for name in ("x", "gamma", "gamma")]
    inputs = [layout(tensor) for tensor in tensors.values()]
    outcome = a2.run(
        "aclnnGroupNormSwishGrad", *inputs, *(groups, "NCHW", 1.5, True, True), *outputs
    )
    assert outcome.status == 0
    assert outcome.workspace > 0
    expected = group_norm_swish_grad(tensors, groups, 1.5)
    for actual, value in zip(outcome.views[6:], expected, strict=True):
        assert_rounded(actual, value, terms=64)


@pytest.mark.parametrize("required", [(True, False), (False, True), (False, False)])
def test_group_norm_swish_grad_leaves_out(a2: Device, required: tuple[bool, bool]) -> None:
    """A gradient that is not required is not written."""
    x = a2.dense(normal(16, 2, 4, 3))
    statistics, channel = a2.dense(normal(17, 2, 2)), a2.dense(normal(18, 4))
    out, small = a2.empty_like(x), a2.empty_like(channel)
    outcome = a2.run(
        *("aclnnGroupNormSwishGrad", x, statistics, statistics, x, channel, channel),
        *(2, None, 1.0, *required, out, small, small),
    )
    assert outcome.status == 0
    for written, view in zip(required, outcome.views[7:], strict=True):
        assert (view.tobytes() != small.storage.tobytes()) == written


@pytest.mark.parametrize("product", ["atlas-training"])
def test_training_products_saturate(device: Callable[[str], Device], product: str) -> None:
    """Without Inf and NaN a result beyond the type's range is its largest value, NaN is 0."""
    training = device(product)
    gradient = training.dense([1e30, -1e30, np.nan, 1.0], np.float32)
    mask = training.dense(np.full(16, 0xFF), np.uint8)
    half = training.empty_like(gradient, np.float16)
    outcome = training.run("aclnnDropoutBackward", gradient, mask, 2.0, half)
    np.testing.assert_array_equal(outcome.views[2], [65504.0, -65504.0, 0.0, 2.0])
