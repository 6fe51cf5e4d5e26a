# SPDX-License-Identifier: Apache-2.0
"""The formulas of aclnnPrelu and aclnnPreluBackward against PyTorch's PReLU and its derivatives."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import SpecSet

Array = npt.NDArray[Any]


def compare(gradient: Array, x: Array, weight: Array) -> None:
    """Hold gradInput exactly, gradWeight within the roundings of its additions."""
    results = evaluate_whole(
        "prelu_backward", {"gradOutput": gradient, "self": x, "weight": weight}, {}
    )
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    slope = torch.tensor(weight.reshape(-1).astype(np.float64), requires_grad=True)
    full = np.broadcast_to(gradient, x.shape).astype(np.float64)
    torch.nn.functional.prelu(leaf, slope).backward(torch.tensor(full))
    np.testing.assert_array_equal(results["gradInput"].value, leaf.grad.numpy())

    ours, theirs = results["gradWeight"], slope.grad.numpy().reshape(weight.shape)
    assert ours.value.shape == weight.shape
    finite = np.isfinite(theirs)
    np.testing.assert_array_equal(ours.value[~finite], theirs[~finite])
    difference = np.abs(ours.value[finite] - theirs[finite])
    assert (difference <= 2 * ours.error[finite]).all()


@pytest.mark.parametrize("per_channel", ["one", "flat", "shaped"])
@pytest.mark.parametrize("rank", range(9))
def test_every_rank_and_form_of_the_weight(rank: int, per_channel: str) -> None:
    """Ranks 0 to 8; one weight, one per channel, and one per channel in self's rank."""
    generator = np.random.default_rng(rank)
    shape = (3, 4, 2, 3, 1, 2, 2, 2)[:rank]
    x = generator.standard_normal(shape).astype(np.float32)
    channels = shape[1] if rank > 1 else 1
    forms = {
        "one": (1,),
        "flat": (channels,),
        "shaped": (1, channels, *(1,) * (rank - 2)) if rank > 1 else (),
    }
    weight = generator.standard_normal(forms[per_channel]).astype(np.float32)
    compare(generator.standard_normal(shape).astype(np.float32), x, np.asarray(weight))


@pytest.mark.parametrize("axes", [(), (1,), (5,), (4, 1), (1, 4, 5), (3, 1, 5), (1, 1, 1)])
def test_broadcast_gradients(axes: tuple[int, ...]) -> None:
    """Take every form of gradOutput that broadcasts to self."""
    generator = np.random.default_rng(9)
    gradient = np.asarray(generator.standard_normal(axes))
    compare(gradient, generator.standard_normal((3, 4, 5)), generator.standard_normal(4))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 3, 0), (2, 0, 3)])
def test_empty_tensors(shape: tuple[int, ...]) -> None:
    """An empty self gives empty gradients, and zeros for one weight."""
    compare(np.zeros(shape), np.zeros(shape), np.ones(1))


def test_zeros_of_both_signs_take_the_weight() -> None:
    """The branch is x > 0 strictly, at the neighbours of 0 as well."""
    tiny = 2.0**-149
    x = np.array([[0.0, -0.0, tiny, -tiny]], np.float32)
    compare(np.ones((1, 4)), x, np.array([0.5, 0.5, 0.5, 0.5]))


def test_special_values_of_each_input() -> None:
    """Inf, NaN and 0 in gradOutput and weight, Inf and 0 in self; NaN in self is not promised."""
    specials = [np.inf, -np.inf, np.nan, 0.0, 1.5, -1.5]
    numbers = [np.inf, -np.inf, 0.0, 1.5, -1.5]
    rows = np.array(list(itertools.product(specials, numbers, specials)), np.float32)
    compare(rows[None, :, 0], rows[None, :, 1], rows[:, 2].copy())


@pytest.mark.parametrize("weights", [1, 4])
@pytest.mark.parametrize("shape", [(3, 4), (2, 4, 5), (3, 4, 4, 4)])
def test_the_forward_operator(specs: SpecSet, shape: tuple[int, ...], weights: int) -> None:
    """One weight, or one per channel, in the second dimension."""
    generator = np.random.default_rng(7)
    x, weight = generator.standard_normal(shape), generator.standard_normal(weights)
    formula = specs.operator("aclnnPrelu").formula_source
    (ours,) = evaluate_whole(formula, {"self": x, "weight": weight}, {}).values()
    theirs = torch.nn.functional.prelu(torch.tensor(x), torch.tensor(weight)).numpy()
    np.testing.assert_array_equal(ours.value, theirs)
