# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnGroupNormSwishGrad against PyTorch's group norm and sigmoid."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole

Array = npt.NDArray[Any]
Inputs = dict[str, Array]


def inputs_of(seed: int, shape: tuple[int, ...], groups: int, offset: float = 0.0) -> Inputs:
    """Return float64 inputs with the true statistics of x (eps = 0)."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal(shape) * 2 + offset
    grouped = x.reshape(shape[0], groups, -1)
    return {
        "dy": generator.standard_normal(shape),
        "x": x,
        "mean": grouped.mean(axis=2),
        "rstd": 1 / grouped.std(axis=2),
        "gamma": generator.standard_normal(shape[1]),
        "beta": generator.standard_normal(shape[1]),
    }


def forward(leaves: dict[str, torch.Tensor], groups: int, scale: float) -> torch.Tensor:
    y = torch.nn.functional.group_norm(
        leaves["x"], groups, leaves["gamma"], leaves["beta"], eps=0.0
    )
    return y * torch.sigmoid(scale * y)


def compare(inputs: Inputs, groups: int, scale: float) -> None:
    attributes = {"numGroups": groups, "swishScale": scale}
    results = evaluate_whole("group_norm_swish_grad", inputs, attributes)
    leaves = {
        name: torch.tensor(inputs[name], requires_grad=True) for name in ("x", "gamma", "beta")
    }
    forward(leaves, groups, scale).backward(torch.tensor(inputs["dy"]))
    # PyTorch takes mean * rstd from x * rstd, which cancels where the mean is large.
    cancelled = 1 + np.abs(inputs["mean"] * inputs["rstd"]).max()
    for output, name in (("dxOut", "x"), ("dgammaOut", "gamma"), ("dbetaOut", "beta")):
        error = np.abs(results[output].value - leaves[name].grad.numpy())
        assert (error <= 2 * cancelled * results[output].error).all(), output


@pytest.mark.parametrize("scale", [1.0, 1.702, 0.0, -1.0, 20.0])
@pytest.mark.parametrize(
    ("shape", "groups"),
    [((2, 6), 2), ((1, 4, 1), 1), ((3, 6, 5), 3), ((2, 8, 3, 4), 4), ((2, 4, 1, 3, 1, 2, 1, 2), 2)],
)
def test_random_inputs(shape: tuple[int, ...], groups: int, scale: float) -> None:
    """Ranks 2 to 8, one and several groups, swish of either sign, and none (scale 0)."""
    compare(inputs_of(7, shape, groups), groups, scale)


@pytest.mark.parametrize("groups", [1, 6])
def test_one_group_and_one_channel_per_group(groups: int) -> None:
    """The ends of numGroups."""
    compare(inputs_of(8, (2, 6, 11), groups), groups, 1.0)


def test_cancellation_between_x_and_mean() -> None:
    """A mean of a thousand standard deviations."""
    compare(inputs_of(9, (2, 4, 9), 2, offset=2000.0), 2, 1.0)


def test_saturated_swish() -> None:
    """Arguments of +-40 and +-900, where exp overflows even in float64."""
    inputs = inputs_of(10, (2, 4, 9), 2) | {"beta": np.array([40.0, -40.0, 900.0, -900.0])}
    compare(inputs, 2, 1.0)


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("name", ["dy", "x", "mean", "rstd", "gamma", "beta"])
def test_special_values_stay_where_autograd_keeps_them(name: str, special: float) -> None:
    """A non-finite input spoils exactly the elements that it spoils in PyTorch's explicit graph."""
    inputs = inputs_of(11, (2, 4, 3), 2)
    inputs[name].reshape(-1)[-1] = special
    results = evaluate_whole("group_norm_swish_grad", inputs, {"numGroups": 2, "swishScale": 1.0})
    leaves = {key: torch.tensor(value, requires_grad=True) for key, value in inputs.items()}
    statistics = {key: leaves[key].repeat_interleave(2, 1)[..., None] for key in ("mean", "rstd")}
    normal = (leaves["x"] - statistics["mean"]) * statistics["rstd"]
    y = normal * leaves["gamma"][:, None] + leaves["beta"][:, None]
    # The derivative through given statistics: as if mean and rstd followed x.
    (y * torch.sigmoid(y)).backward(leaves["dy"].detach())
    for output, key in (("dgammaOut", "gamma"), ("dbetaOut", "beta")):
        theirs = leaves[key].grad.numpy()
        np.testing.assert_array_equal(np.isfinite(results[output].value), np.isfinite(theirs))
    group = np.isfinite(results["dxOut"].value).reshape(2, 2, -1)
    assert group[0, 0].all()
    assert not group[1, 1].all()


def test_zeros_of_each_input() -> None:
    """All of one input 0, where the statistics allow it."""
    for name in ("dy", "gamma", "beta"):
        inputs = inputs_of(12, (2, 4, 3), 2)
        inputs[name][...] = 0
        compare(inputs, 2, 1.0)
