# SPDX-License-Identifier: Apache-2.0
"""The gated linear unit and its gradient against PyTorch in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import SpecSet


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
def test_values(specs: SpecSet, dim: int) -> None:
    """Along each axis, counted from either end, and where the exponential overflows."""
    x = np.random.default_rng(7).normal(0, 3, (4, 2, 6))
    x[..., ::3] *= 300
    theirs = torch.nn.functional.glu(torch.tensor(x), dim).numpy()
    formula = specs.operator("aclnnGlu").formula_source
    ours = evaluate_whole(formula, {"self": x}, {"dim": dim})["out"]
    assert ours.value.shape == theirs.shape
    assert np.abs(ours.value - theirs).max() < 1e-12
    assert (ours.error < 1e-12).all()


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
def test_derivatives(dim: int) -> None:
    """The gradient is the automatic derivative, for both halves of each axis."""
    random = np.random.default_rng(7)
    x = torch.tensor(random.normal(0, 3, (4, 2, 6)), requires_grad=True)
    output = torch.nn.functional.glu(x, dim)
    gradient = random.normal(0, 2, tuple(output.shape))
    output.backward(torch.tensor(gradient))
    inputs = {"gradOut": gradient, "self": x.detach().numpy()}
    ours = evaluate_whole("glu_backward", inputs, {"dim": dim})["out"]
    assert np.abs(ours.value - x.grad.numpy()).max() < 1e-14
    assert (ours.error < 1e-13).all()
