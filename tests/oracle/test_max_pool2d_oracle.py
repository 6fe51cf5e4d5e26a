# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnMaxPool2dWithMaskBackward against the derivative of PyTorch's pooling."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.operators import max_pool2d_with_mask_backward

Array = npt.NDArray[Any]
Pair = tuple[int, int]

GEOMETRIES = list(
    itertools.product(
        [(1, 1), (2, 2), (3, 2), (2, 3), (4, 4)],
        [(1, 1), (2, 2), (1, 3), (3, 1)],
        [(0, 0), (1, 1), (1, 0), (2, 2)],
        ["floor", "ceil"],
    )
)


def compare(
    x: Array, kernel: Pair, stride: Pair, padding: Pair, rounding: str, special: Array | None
) -> None:
    """Compare both the derivative and the places of the maxima (through the derived mask)."""
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    pooled, places = torch.nn.functional.max_pool2d(
        leaf, kernel, stride, padding, ceil_mode=rounding == "ceil", return_indices=True
    )
    gradient = np.random.default_rng(5).standard_normal(tuple(pooled.shape))
    if special is not None:
        gradient.reshape(-1)[: special.size] = special
    pooled.backward(torch.tensor(gradient))

    attributes = dict(
        zip(
            ("H", "W", "dH", "dW", "kH", "kW", "sH", "sW", "pH", "pW", "Ho", "Wo"),
            (*x.shape[2:], 1, 1, *kernel, *stride, *padding, *pooled.shape[2:]),
            strict=True,
        )
    )
    inputs = {"self": x, "gradOutput": gradient}
    result = evaluate_whole("max_pool2d_with_mask_backward", inputs, attributes)["gradInput"]
    theirs = leaf.grad.numpy()
    finite = np.isfinite(theirs)
    np.testing.assert_array_equal(result.value[~finite], theirs[~finite])
    # Both sides add the gradients up, in any order.
    assert (np.abs(result.value[finite] - theirs[finite]) <= 2 * result.error[finite]).all()
    if kernel != (1, 1):
        mask = max_pool2d_with_mask_backward.derive("indices", inputs, attributes)
        ours = mask.reshape(-1).view("<i4")[: gradient.size]
        np.testing.assert_array_equal(ours, places.numpy().reshape(-1))


@pytest.mark.parametrize(("kernel", "stride", "padding", "rounding"), GEOMETRIES)
def test_overlap_padding_and_ceil_mode(
    kernel: Pair, stride: Pair, padding: Pair, rounding: str
) -> None:
    """Random planes, and planes full of ties, with padding up to half the kernel."""
    padding = (min(padding[0], kernel[0] // 2), min(padding[1], kernel[1] // 2))
    generator = np.random.default_rng(6)
    for shape in ((2, 3, 7, 8), (1, 1, 4, 5), (1, 2, 9, 4)):
        compare(generator.standard_normal(shape), kernel, stride, padding, rounding, None)
        ties = generator.integers(-1, 2, shape).astype(np.float32)
        compare(ties, kernel, stride, padding, rounding, None)


@pytest.mark.parametrize("fill", [0.0, -3e38, np.inf])
def test_constant_planes(fill: float) -> None:
    """All elements tied: the first of each window, the padding never."""
    compare(np.full((1, 1, 5, 5), fill), (3, 3), (2, 2), (1, 1), "ceil", None)


@pytest.mark.parametrize("plane", [(1, 1), (1, 6), (6, 1)])
def test_smallest_planes(plane: Pair) -> None:
    """Planes of one row or column under a window that needs its padding."""
    x = np.arange(float(plane[0] * plane[1])).reshape(1, 1, *plane)
    compare(x, (2, 2), (1, 1), (1, 1), "floor", None)


def test_special_gradients() -> None:
    """Inf, NaN and 0 in gradOutput, where windows overlap and meet."""
    special = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, np.inf, np.inf])
    generator = np.random.default_rng(8)
    for _ in range(20):
        compare(generator.standard_normal((1, 1, 4, 4)), (3, 3), (1, 1), (1, 1), "floor", special)


def test_infinite_maxima() -> None:
    """+Inf in self is an ordinary maximum; several of them tie."""
    x = np.random.default_rng(9).choice([np.inf, 1.0, 0.0], (2, 2, 6, 6))
    compare(x, (3, 3), (1, 1), (1, 1), "floor", None)
