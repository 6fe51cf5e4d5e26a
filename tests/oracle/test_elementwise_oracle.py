# SPDX-License-Identifier: Apache-2.0
"""Elementwise formulas against PyTorch's functions and their derivatives in float64."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]
import torch.nn.functional as F  # type: ignore[import-not-found, unused-ignore] # noqa: N812

from aclnn_cts.golden.formula import evaluate_whole
from aclnn_cts.spec.loading import SpecSet

Function = Callable[[torch.Tensor], torch.Tensor]


def fast_gelu(x: torch.Tensor) -> torch.Tensor:
    """Return x times the logistic function of 1.702 x."""
    return x * torch.sigmoid(1.702 * x)


def hardsigmoid(x: torch.Tensor) -> torch.Tensor:
    """Return x / 6 + 1 / 2 between 0 and 1; F.hardsigmoid rounds the sixth to float32."""
    return torch.clamp(x / 6 + 0.5, 0, 1)


FORWARD: dict[str, Function] = {
    "aclnnFastGelu": fast_gelu,
    "aclnnLogSigmoid": F.logsigmoid,
    "aclnnSilu": F.silu,
}
WITH_SCALAR: dict[str, tuple[Callable[..., torch.Tensor], str, tuple[float, ...]]] = {
    "aclnnLeakyRelu": (F.leaky_relu, "negativeSlope", (0.01, -0.5, 0.0)),
    "aclnnSoftshrink": (F.softshrink, "lambd", (0.5, 0.0, 2.5)),
}
BACKWARD: dict[str, Function] = {
    "aclnnFastGeluBackward": fast_gelu,
    "aclnnHardsigmoidBackward": hardsigmoid,
    "aclnnHardswishBackward": F.hardswish,
    "aclnnHardswishBackwardV2": F.hardswish,
}
ENDS = (
    0.0,
    -0.0,
    2.0**-149,
    -(2.0**-126),
    2.9999998,
    -2.9999998,
    3.0000002,
    -3.0000002,
    40.0,
    -40.0,
)
"""Around 0 and the ends of hardswish, where its slope is not defined, and far off."""


def numbers(seed: int) -> np.ndarray:
    """Return the ends among random numbers, all of float32."""
    drawn = np.random.default_rng(seed).normal(0, 4, 5000)
    return np.concatenate([drawn, ENDS]).astype(np.float32)


def agrees(
    operator: str,
    specs: SpecSet,
    inputs: dict[str, np.ndarray],
    theirs: np.ndarray,
    attributes: dict[str, float] | None = None,
) -> None:
    """Require the value to be within both errors of PyTorch's, which is off by a few ulps."""
    (ours,) = evaluate_whole(specs.operator(operator).golden, inputs, attributes or {}).values()
    error = np.broadcast_to(ours.error, theirs.shape)
    few_ulps = 2.0**-49 * np.maximum(np.abs(theirs), np.abs(ours.value))
    # PyTorch's own derivatives cancel: an ulp of the gradient is an ulp of their terms.
    terms = 2.0**-49 * np.abs(inputs.get("gradOutput", np.zeros(())).astype(np.float64))
    assert (np.abs(ours.value - theirs) <= error + few_ulps + terms).all()


@pytest.mark.parametrize("operator", FORWARD)
def test_values(specs: SpecSet, operator: str) -> None:
    """The formula gives what PyTorch's function gives."""
    x = numbers(1)
    agrees(
        operator, specs, {"self": x}, FORWARD[operator](torch.tensor(x.astype(np.float64))).numpy()
    )


@pytest.mark.parametrize("operator", WITH_SCALAR)
def test_values_with_a_scalar(specs: SpecSet, operator: str) -> None:
    """The formula gives what PyTorch's function gives, where that is not another clause's 0."""
    function, name, values = WITH_SCALAR[operator]
    for value in values:
        x = numbers(4)
        theirs = function(torch.tensor(x.astype(np.float64)), value).numpy()
        x, theirs = x[theirs != 0], theirs[theirs != 0]
        agrees(operator, specs, {"self": x}, theirs, {name: value})


@pytest.mark.parametrize("operator", BACKWARD)
def test_derivatives(specs: SpecSet, operator: str) -> None:
    """The formula gives what PyTorch's automatic derivative gives."""
    x, gradient = numbers(2), numbers(3)
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    BACKWARD[operator](leaf).backward(torch.tensor(gradient.astype(np.float64)))
    agrees(operator, specs, {"self": x, "gradOutput": gradient}, leaf.grad.numpy())
