# SPDX-License-Identifier: Apache-2.0
"""The formulas of average pooling against PyTorch in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula import evaluate_whole


@pytest.mark.parametrize("output", [(1, 1), (3, 5), (5, 2), (7, 8), (7, 3), (9, 11)])
@pytest.mark.parametrize("shape", [(2, 3, 7, 8), (3, 7, 8)])
def test_adaptive_avg_pool2d(shape: tuple[int, ...], output: tuple[int, int]) -> None:
    """Out is what PyTorch gives, with Inf and NaN in the windows that hold them."""
    x = np.random.default_rng(18).normal(1, 3, shape)
    x[..., 2, 3], x[..., 5, 7], x[..., 6, 0] = np.inf, np.nan, -np.inf
    values = {"H": shape[-2], "W": shape[-1], "outputSize": output}
    found = evaluate_whole("adaptive_avg_pool2d", {"self": x}, values)["out"]
    theirs = torch.nn.functional.adaptive_avg_pool2d(torch.tensor(x), output).numpy()
    assert np.allclose(found.value, theirs, 1e-14, 1e-14, equal_nan=True)
    assert (found.error <= 1e-13).all()
