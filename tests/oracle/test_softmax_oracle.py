# SPDX-License-Identifier: Apache-2.0
"""Softmax, its logarithm, and their gradients against PyTorch in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole

FORWARD = {"softmax_backward": torch.softmax, "log_softmax_backward": torch.log_softmax}


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("formula", ["softmax", "log_softmax"])
def test_values(formula: str, dim: int) -> None:
    """Also where the exponentials of the elements overflow."""
    x = np.random.default_rng(7).normal(0, 3, (4, 5, 6)) + 1000
    theirs = getattr(torch, formula)(torch.tensor(x), dim).numpy()
    ours = evaluate_whole(formula, {"self": x}, {"dim": dim})["out"]
    assert np.abs(ours.value - theirs).max() < 1e-14
    assert (ours.error < 1e-13).all()


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("formula", FORWARD)
def test_derivatives(formula: str, dim: int) -> None:
    """For outputs of the forward function they are its automatic derivative."""
    random = np.random.default_rng(7)
    x = torch.tensor(random.normal(0, 3, (4, 5, 6)), requires_grad=True)
    output, gradient = FORWARD[formula](x, dim), random.normal(0, 2, (4, 5, 6))
    output.backward(torch.tensor(gradient))
    inputs = {"gradOutput": gradient, "output": output.detach().numpy()}
    ours = evaluate_whole(formula, inputs, {"dim": dim})["out"]
    assert np.abs(ours.value - x.grad.numpy()).max() < 1e-14
    assert (ours.error < 1e-13).all()
