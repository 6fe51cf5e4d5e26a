# SPDX-License-Identifier: Apache-2.0
"""What the formula of aclnnPreluBackward tells besides values, which tests/oracle holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.golden.formula import Result
from aclnn_cts.golden.formula_modules import evaluate_whole

Array = npt.NDArray[Any]


def backward(gradient: Array, x: Array, weight: Array) -> tuple[Result, Result]:
    inputs = {"gradOutput": gradient, "self": x, "weight": weight}
    results = evaluate_whole("prelu_backward", inputs, {})
    return results["gradInput"], results["gradWeight"]


def array(values: Any) -> npt.NDArray[np.float32]:
    return np.array(values, np.float32)


@pytest.mark.parametrize("shape", [(2,), (1, 2), (1, 2, 1)])
def test_gradient_of_the_weight_has_its_shape(shape: tuple[int, ...]) -> None:
    """A weight shaped like self comes back in that shape."""
    _, grad_weight = backward(array([[[1]]]), -np.ones((3, 2, 4), np.float32), np.ones(shape))
    assert grad_weight.value.tolist() == np.full(shape, -12.0).tolist()
    assert grad_weight.error.shape == shape


def test_gather_collects_the_elements_that_share_a_weight() -> None:
    """any_of and all_of look at one channel each, or at everything for a single weight."""
    x = array([[-1, 2], [np.nan, 4]])
    condition = np.isnan(x)
    for weight, some in ((array([1, 1]), [True, False]), (array([1]), [True])):
        _, grad_weight = backward(array([[1, 1]]), x, weight)
        gather = grad_weight.gather
        assert gather is not None
        assert gather(condition, np.logical_or).tolist() == some
        assert gather(condition, np.logical_and).tolist() == [False] * weight.size
        assert gather(np.array([[True]]), np.logical_and).tolist() == [True] * weight.size


def test_scope_broadcasts_to_self() -> None:
    """The conditions read gradOutput and weight as they meet each element."""
    grad_input, _ = backward(array([1, 2]), array([[1, 2], [3, 4]]), array([5, 6]))
    spread = {name: np.broadcast_to(a, (2, 2)).tolist() for name, a in grad_input.scope.items()}
    assert spread == {
        "gradOutput": [[1, 2], [1, 2]],
        "self": [[1, 2], [3, 4]],
        "weight": [[5, 6], [5, 6]],
    }
