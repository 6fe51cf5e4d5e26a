# SPDX-License-Identifier: Apache-2.0
"""Softmax, its logarithm, and their gradients against PyTorch in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import SpecSet

FORWARD = {"aclnnSoftmax": torch.softmax, "aclnnLogSoftmax": torch.log_softmax}


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("operator", FORWARD)
def test_values(specs: SpecSet, operator: str, dim: int) -> None:
    """Also where the exponentials of the elements overflow."""
    x = np.random.default_rng(7).normal(0, 3, (4, 5, 6)) + 1000
    theirs = FORWARD[operator](torch.tensor(x), dim).numpy()
    formula = specs.operator(operator).formula_source
    ours = evaluate_whole(formula, {"self": x}, {"dim": dim})["out"]
    assert np.abs(ours.value - theirs).max() < 1e-14
    assert (ours.error < 1e-13).all()


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("operator", FORWARD)
def test_derivatives(specs: SpecSet, operator: str, dim: int) -> None:
    """For outputs of the forward function they are its automatic derivative."""
    random = np.random.default_rng(7)
    x = torch.tensor(random.normal(0, 3, (4, 5, 6)), requires_grad=True)
    output, gradient = FORWARD[operator](x, dim), random.normal(0, 2, (4, 5, 6))
    output.backward(torch.tensor(gradient))
    inputs = {"gradOutput": gradient, "output": output.detach().numpy()}
    formula = specs.operator(f"{operator}Backward").formula_source
    ours = evaluate_whole(formula, inputs, {"dim": dim})["out"]
    assert np.abs(ours.value - x.grad.numpy()).max() < 1e-14
    assert (ours.error < 1e-13).all()
