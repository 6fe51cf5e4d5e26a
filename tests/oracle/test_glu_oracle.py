# SPDX-License-Identifier: Apache-2.0
"""The gated linear unit against PyTorch in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula import evaluate_whole


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
def test_values(dim: int) -> None:
    """Along each axis, counted from either end, and where the exponential overflows."""
    x = np.random.default_rng(7).normal(0, 3, (4, 2, 6))
    x[..., ::3] *= 300
    theirs = torch.nn.functional.glu(torch.tensor(x), dim).numpy()
    ours = evaluate_whole("glu", {"self": x}, {"dim": dim})["out"]
    assert ours.value.shape == theirs.shape
    assert np.abs(ours.value - theirs).max() < 1e-12
    assert (ours.error < 1e-12).all()
