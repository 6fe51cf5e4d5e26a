# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnLogitGrad against the automatic derivative of torch.logit in float64."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

Array = npt.NDArray[Any]

FORMULA = load_specs(find_suite()).operator("aclnnLogitGrad").formula_source


def both(x: Array, dy: Array, eps: float | None) -> tuple[Array, Array, Array]:
    """Return our value, its stated error and PyTorch's derivative."""
    with np.errstate(all="ignore"):
        attributes = {"eps": -1.0 if eps is None else eps}
        ours = evaluate_whole(FORMULA, {"x": x, "dy": dy}, attributes)["out"]
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    torch.logit(leaf, eps).backward(torch.tensor(dy.astype(np.float64)))
    return ours.value, ours.error, leaf.grad.numpy()


def assert_equal(value: Array, error: Array, theirs: Array) -> None:
    finite = np.isfinite(theirs)
    np.testing.assert_array_equal(value[~finite], theirs[~finite])
    difference = np.abs(value[finite] - theirs[finite])
    assert (difference <= 2 * error[finite]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_random_inputs_in_the_unit_interval(dtype: npt.DTypeLike) -> None:
    """Inside [0, 1] without eps both are dy / (x * (1 - x))."""
    generator = np.random.default_rng(1)
    x = generator.random(5000).astype(dtype)
    assert_equal(*both(x, generator.standard_normal(5000).astype(dtype), None))


@pytest.mark.parametrize("eps", [0.0, 1e-6, 0.1, 0.25, 0.5])
def test_random_inputs_between_eps_and_its_complement(eps: float) -> None:
    """With eps >= 0 the formula's third case holds on [eps, 1 - eps], both ends included."""
    generator = np.random.default_rng(2)
    x = np.concatenate([generator.uniform(eps, 1 - eps, 2000), [eps, 1 - eps]])
    assert_equal(*both(x, generator.standard_normal(2002), eps))


def test_boundary_inputs() -> None:
    """The neighbours of 0 and 1, subnormal numbers and the poles themselves."""
    ends = np.array([0.0, 2.0**-149, 2.0**-126, 0.5, 1.0], np.float32)
    x = np.concatenate(
        [ends, np.nextafter(ends[:1], np.float32(1)), np.nextafter(ends, np.float32(0))]
    )
    for dy in (1.0, -1.0, 0.0, 3e38, 2.0**-149):
        assert_equal(*both(x, np.full_like(x, dy), None))


def test_special_values_of_either_input() -> None:
    """Inf, NaN and 0 in dy, NaN and the poles in x: the same class, and the same sign."""
    specials = [np.inf, -np.inf, np.nan, 0.0, 1.0, -1.0]
    pairs = np.array(list(itertools.product([0.0, 0.25, 1.0, np.nan], specials)), np.float32)
    assert_equal(*both(pairs[:, 0].copy(), pairs[:, 1].copy(), None))
