# SPDX-License-Identifier: Apache-2.0
"""Max pooling with a mask, there and back, against a plain reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tests.simulator.conftest import Device

Array = NDArray[Any]


@dataclass(frozen=True)
class Pool:
    """A pooling of planes (N, C, H, W)."""

    shape: tuple[int, int, int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    ceil: bool

    @property
    def out(self) -> tuple[int, int]:
        """Height and width of the result."""
        extents = []
        for axis in range(2):
            length, pad = self.shape[2 + axis], self.padding[axis]
            room = length + 2 * pad - self.kernel[axis]
            steps = -(-room // self.stride[axis]) if self.ceil else room // self.stride[axis]
            if self.ceil and steps * self.stride[axis] >= length + pad:
                steps -= 1
            extents.append(steps + 1)
        return extents[0], extents[1]

    @property
    def mask_shape(self) -> tuple[int, int, int, int]:
        """The shape of indices."""
        outputs = self.out[0] * self.out[1]
        positions = self.kernel[0] * self.kernel[1]
        return (*self.shape[:2], positions, (-(-outputs // 16) + 1) * 32)

    def maxima(self, x: Array) -> tuple[Array, Array]:
        """The maxima, and their flat positions in the plane."""
        positions = np.zeros((*self.shape[:2], *self.out), dtype=np.int32)
        width = self.shape[3]
        for oh in range(self.out[0]):
            for ow in range(self.out[1]):
                rows = self._window(0, oh)
                columns = self._window(1, ow)
                flat = (rows[:, None] * width + columns[None, :]).reshape(-1)
                values = x.reshape(*self.shape[:2], -1)[:, :, flat]
                positions[:, :, oh, ow] = flat[values.argmax(axis=2)]
        chosen = positions.reshape(*self.shape[:2], -1)
        values = np.take_along_axis(x.reshape(*self.shape[:2], -1), chosen, axis=2)
        return values.reshape(positions.shape), positions

    def _window(self, axis: int, output: int) -> Array:
        first = output * self.stride[axis] - self.padding[axis]
        inside = np.arange(first, first + self.kernel[axis])
        return inside[(inside >= 0) & (inside < self.shape[2 + axis])]

    def attributes(self) -> list[Any]:
        """The attributes in the order of the prototypes."""
        return [list(self.kernel), list(self.stride), list(self.padding), [1, 1], self.ceil]


POOLS = [
    Pool((2, 3, 9, 8), (3, 2), (2, 1), (1, 1), ceil=True),
    Pool((2, 3, 9, 8), (3, 2), (2, 3), (1, 0), ceil=False),
    Pool((1, 2, 6, 6), (2, 2), (1, 1), (0, 0), ceil=False),
    Pool((2, 2, 7, 5), (2, 3), (3, 4), (1, 1), ceil=True),
    Pool((1, 1, 5, 4), (1, 1), (1, 1), (0, 0), ceil=False),
    Pool((1, 1, 1, 1), (1, 1), (2, 2), (0, 0), ceil=True),
]


def small_integers(seed: int, shape: tuple[int, ...], dtype: Any) -> Array:
    """Few values, so that windows have ties."""
    return np.random.default_rng(seed).integers(-4, 5, size=shape).astype(dtype)


def forward(device: Device, pool: Pool, x: Array, style: str = "dense") -> tuple[Array, Array]:
    layout = getattr(device, style)
    out = device.empty_like(layout(np.zeros((*pool.shape[:2], *pool.out), x.dtype), None, "NCHW"))
    indices = device.empty_like(layout(np.zeros(pool.mask_shape, np.int8), None, "NCHW"))
    outcome = device.run(
        "aclnnMaxPool2dWithMask", layout(x, None, "NCHW"), *pool.attributes(), out, indices
    )
    assert outcome.status == 0, outcome.message
    return outcome.views[1], outcome.views[2]


def backward(
    device: Device, pool: Pool, gradient: Array, x: Array, indices: Array, style: str = "dense"
) -> Array:
    layout = getattr(device, style)
    tensors = [layout(tensor, None, "NCHW") for tensor in (gradient, x, indices)]
    outcome = device.run(
        "aclnnMaxPool2dWithMaskBackward",
        *tensors,
        *pool.attributes(),
        device.empty_like(tensors[1]),
    )
    assert outcome.status == 0, outcome.message
    assert outcome.workspace > 0
    return outcome.views[3]


def scattered(pool: Pool, gradient: Array, positions: Array) -> Array:
    planes = np.zeros((pool.shape[0] * pool.shape[1], pool.shape[2] * pool.shape[3]))
    for plane, g, p in zip(
        planes,
        gradient.reshape(len(planes), -1),
        positions.reshape(len(planes), -1),
        strict=True,
    ):
        np.add.at(plane, p, g)
    return planes.reshape(pool.shape)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("product", ["atlas-a2", "atlas-a3", "atlas-training"])
@pytest.mark.parametrize("style", ["dense", "stepped"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_there_and_back(
    device: Callable[[str], Device], pool: Pool, product: str, style: str, dtype: Any
) -> None:
    """Backward brings each gradient to the first maximum; overlapping windows add up."""
    x = small_integers(1, pool.shape, dtype)
    values, positions = pool.maxima(x)
    out, indices = forward(device(product), pool, x, style)
    np.testing.assert_array_equal(out, values)
    gradient = small_integers(2, out.shape, dtype)
    result = backward(device(product), pool, gradient, x, indices, style)
    np.testing.assert_array_equal(result, scattered(pool, gradient, positions))


@pytest.mark.parametrize("pool", POOLS[:4])
def test_positions_in_the_mask(a2: Device, pool: Pool) -> None:
    """On A2 the mask begins with an int32 array of flat positions, and the rest is 0."""
    x = small_integers(3, pool.shape, np.float32)
    _, positions = pool.maxima(x)
    _, indices = forward(a2, pool, x)
    content = indices.tobytes()
    assert content[: positions.nbytes] == positions.tobytes()
    assert not any(content[positions.nbytes :])


@pytest.mark.parametrize("position", [-1, 64, 2**31 - 1, -(2**31)])
def test_positions_outside_are_left_out(a2: Device, position: int) -> None:
    """A damaged mask writes nothing outside gradInput; sound positions beside it still count."""
    pool = Pool((1, 1, 8, 8), (2, 2), (2, 2), (0, 0), ceil=False)
    indices = np.zeros(pool.mask_shape, np.int8)
    positions = indices.reshape(-1).view(np.int32)
    positions[:16] = position
    positions[3] = 9
    x, gradient = np.zeros(pool.shape, np.float32), np.ones((1, 1, 4, 4), np.float32)
    expected = np.zeros(64, np.float32)
    expected[9] = 1.0
    result = backward(a2, pool, gradient, x, indices)
    np.testing.assert_array_equal(result.reshape(-1), expected)


def test_bits_outside_are_left_out(training: Device) -> None:
    """Bits of kernel positions that lie in the padding write nothing."""
    pool = Pool((1, 1, 2, 2), (2, 2), (2, 2), (1, 1), ceil=False)
    indices = np.full(pool.mask_shape, -1, np.int8)
    x, gradient = np.zeros(pool.shape, np.float32), np.ones((1, 1, 2, 2), np.float32)
    result = backward(training, pool, gradient, x, indices)
    np.testing.assert_array_equal(result, np.ones(pool.shape))


def test_training_computes_in_float16(training: Device) -> None:
    """On training products float32 passes through float16, so close values tie."""
    pool = Pool((1, 1, 1, 2), (1, 2), (1, 2), (0, 0), ceil=False)
    x = np.array([[[[1.0, 1.0001]]]], np.float32)
    out, indices = forward(training, pool, x)
    np.testing.assert_array_equal(out, [[[[1.0]]]])
    gradient = np.array([[[[0.1]]]], np.float32)
    result = backward(training, pool, gradient, x, indices)
    np.testing.assert_array_equal(result, [[[[np.float32(np.float16(0.1)), 0.0]]]])


def test_one_number_stands_for_both_axes(a2: Device) -> None:
    """Attributes of length 1 count for both axes, and no stride means that of the kernel."""
    x = small_integers(4, (1, 2, 6, 6), np.float32)
    out = a2.empty_like(a2.dense(np.zeros((1, 2, 3, 3)), np.float32, "NCHW"))
    indices = a2.empty_like(a2.dense(np.zeros((1, 2, 4, 64)), np.int8, "NCHW"))
    outcome = a2.run(
        *("aclnnMaxPool2dWithMask", a2.dense(x, None, "NCHW"), [2], [], [0], [1], False),
        *(out, indices),
    )
    assert outcome.status == 0, outcome.message
    expected = x.reshape(1, 2, 3, 2, 3, 2).max(axis=(3, 5))
    np.testing.assert_array_equal(outcome.views[1], expected)


@pytest.mark.parametrize("layout", ["ND", "NCHW"])
def test_single_sample(a2: Device, layout: str) -> None:
    """A2 takes (C, H, W) too."""
    pool = Pool((1, 3, 6, 5), (2, 2), (1, 2), (1, 1), ceil=False)
    x = small_integers(5, pool.shape, np.float32)
    values, positions = pool.maxima(x)
    out = a2.empty_like(a2.dense(values[0], None, layout))
    indices = a2.empty_like(a2.dense(np.zeros(pool.mask_shape[1:]), np.int8, layout))
    there = a2.run(
        "aclnnMaxPool2dWithMask", a2.dense(x[0], None, layout), *pool.attributes(), out, indices
    )
    assert there.status == 0, there.message
    gradient = small_integers(6, values.shape, np.float32)
    tensors = [a2.dense(t, None, layout) for t in (gradient[0], x[0], there.views[2])]
    back = a2.run(
        "aclnnMaxPool2dWithMaskBackward", *tensors, *pool.attributes(), a2.empty_like(tensors[1])
    )
    assert back.status == 0, back.message
    np.testing.assert_array_equal(back.views[3], scattered(pool, gradient, positions)[0])
