# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnDropoutBackward against PyTorch's derivative of a masked product."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

Array = npt.NDArray[Any]


@pytest.fixture(scope="module")
def spec(specs: SpecSet) -> OperatorSpec:
    return specs.operator("aclnnDropoutBackward")


def ours(spec: OperatorSpec, gradient: Array, keep: Array, scale: float) -> Array:
    bits = np.zeros(-(-gradient.size // 128) * 128, np.bool_)
    bits[: gradient.size] = keep.reshape(-1)
    inputs = {"gradOutput": gradient, "mask": np.packbits(bits, bitorder="little")}
    return evaluate_whole(spec.formula_source, inputs, {"scale": scale})["out"].value


def theirs(gradient: Array, keep: Array, scale: float) -> Array:
    """Derive where(keep, x * scale, 0) in float64; the constant branch passes nothing on."""
    leaf = torch.zeros(gradient.shape, dtype=torch.float64, requires_grad=True)
    kept = torch.where(torch.tensor(keep), leaf * scale, torch.zeros((), dtype=torch.float64))
    kept.backward(torch.tensor(gradient.astype(np.float64)))
    derivative: Array = leaf.grad.numpy()
    return derivative


@pytest.mark.parametrize("scale", [1.25, 2.0, 10 / 3, 1e6])
@pytest.mark.parametrize("shape", [(1,), (127,), (129,), (3, 5, 7), (2, 1, 2, 1, 3, 1, 2, 5)])
def test_random_masks(spec: OperatorSpec, shape: tuple[int, ...], scale: float) -> None:
    """One product each: equal bit for bit."""
    generator = np.random.default_rng(3)
    gradient = generator.standard_normal(shape).astype(np.float32)
    keep = generator.random(shape) < 0.7
    np.testing.assert_array_equal(ours(spec, gradient, keep, scale), theirs(gradient, keep, scale))


def test_native_dropout_backward(spec: OperatorSpec) -> None:
    """PyTorch's own operator for the same purpose says the same."""
    generator = np.random.default_rng(4)
    gradient = generator.standard_normal((13, 17))
    keep = generator.random((13, 17)) < 0.5
    native = torch.ops.aten.native_dropout_backward(
        torch.tensor(gradient), torch.tensor(keep), 2.5
    ).numpy()
    np.testing.assert_array_equal(ours(spec, gradient, keep, 2.5), native)


def test_special_values_kept_and_special_scales(spec: OperatorSpec) -> None:
    """Inf and NaN pass where kept; scale 1 with everything kept is the identity."""
    gradient = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 3e38, 1e-45], np.float32)
    keep = np.ones(7, np.bool_)
    for scale in (1.0, 2.0):
        np.testing.assert_array_equal(
            ours(spec, gradient, keep, scale), theirs(gradient, keep, scale)
        )
    finite = gradient[3:]
    np.testing.assert_array_equal(ours(spec, finite, keep[3:], 0.0), theirs(finite, keep[3:], 0.0))
