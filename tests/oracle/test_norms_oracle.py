# SPDX-License-Identifier: Apache-2.0
"""Normalisations against PyTorch in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_rms_norm(axes: int) -> None:
    """YOut is what PyTorch gives; rstdOut is by what it multiplies x where gamma is 1."""
    random = np.random.default_rng(12)
    x = random.normal(1, 3, (4, 3, 5))
    gamma = random.normal(0, 2, x.shape[3 - axes :])
    theirs = torch.nn.functional.rms_norm(
        torch.tensor(x), gamma.shape, torch.tensor(gamma), 1e-3
    ).numpy()
    found = evaluate_whole("rms_norm", {"x": x, "gamma": gamma}, {"epsilon": 1e-3})
    y, rstd = found["yOut"], found["rstdOut"]
    assert rstd.value.shape == (*x.shape[: 3 - axes], *(1,) * axes)
    assert np.allclose(y.value, theirs, 1e-14, 0)
    assert np.allclose(x * rstd.value * gamma, theirs, 1e-14, 0)
    assert (y.error <= 1e-13 * np.abs(theirs)).all()


@pytest.mark.parametrize("axes", [1, 2])
def test_rms_norm_grad(axes: int) -> None:
    """Both gradients are PyTorch's, where rstd is that of x."""
    random = np.random.default_rng(13)
    x = random.normal(1, 3, (4, 3, 5))
    dy = random.normal(0, 1, x.shape)
    gamma = random.normal(0, 2, x.shape[3 - axes :])
    leaves = [torch.tensor(each, requires_grad=True) for each in (x, gamma)]
    torch.nn.functional.rms_norm(leaves[0], gamma.shape, leaves[1], 1e-3).backward(torch.tensor(dy))
    rstd = 1 / np.sqrt((x**2).mean(axis=tuple(range(3 - axes, 3))) + 1e-3)
    found = evaluate_whole("rms_norm_grad", {"dy": dy, "x": x, "rstd": rstd, "gamma": gamma}, {})
    for output, leaf in zip(("dxOut", "dgammaOut"), leaves, strict=True):
        assert np.allclose(found[output].value, leaf.grad.numpy(), 0, 1e-13), output


@pytest.mark.parametrize("offset", [0.0, 1e5])
@pytest.mark.parametrize(("shape", "groups"), [((2, 6), 2), ((3, 8, 2, 5), 4), ((1, 4, 9), 1)])
def test_group_norm(shape: tuple[int, ...], groups: int, offset: float) -> None:
    """Out is what PyTorch gives, and the statistics are NumPy's, also about a large mean."""
    random = np.random.default_rng(14)
    x = random.normal(offset, 3, shape)
    gamma, beta = random.normal(0, 2, (2, shape[1]))
    theirs = torch.nn.functional.group_norm(
        torch.tensor(x), groups, torch.tensor(gamma), torch.tensor(beta), 1e-3
    ).numpy()
    found = evaluate_whole(
        "group_norm", {"self": x, "gamma": gamma, "beta": beta}, {"group": groups, "eps": 1e-3}
    )
    grouped = x.reshape(shape[0], groups, -1)
    within = 1e-14 * max(offset, 10)
    assert np.allclose(found["out"].value, theirs, 0, 10 * within)
    mean, rstd = (found[name].value[..., 0, 0] for name in ("meanOut", "rstdOut"))
    assert np.allclose(mean, grouped.mean(axis=2), 1e-14, within)
    assert np.allclose(rstd, (grouped.var(axis=2) + 1e-3) ** -0.5, 1e-13, 0)


@pytest.mark.parametrize(("shape", "groups"), [((2, 6), 2), ((3, 8, 2, 5), 4), ((1, 4, 9), 1)])
def test_group_norm_backward(shape: tuple[int, ...], groups: int) -> None:
    """All gradients are PyTorch's, where mean and rstd are those of the input."""
    random = np.random.default_rng(17)
    x, gradient = random.normal(1, 3, (2, *shape))
    gamma, beta = random.normal(0, 2, (2, shape[1]))
    leaves = [torch.tensor(each, requires_grad=True) for each in (x, gamma, beta)]
    norm = torch.nn.functional.group_norm(leaves[0], groups, leaves[1], leaves[2], 1e-3)
    norm.backward(torch.tensor(gradient))
    grouped = x.reshape(shape[0], groups, -1)
    inputs = {"gradOut": gradient, "input": x, "gamma": gamma, "mean": grouped.mean(axis=2)}
    inputs["rstd"] = (grouped.var(axis=2) + 1e-3) ** -0.5
    found = evaluate_whole("group_norm_backward", inputs, {"group": groups})
    outputs = ("gradInput", "gradGammaOut", "gradBetaOut")
    for output, leaf in zip(outputs, leaves, strict=True):
        theirs = leaf.grad.numpy()
        assert np.allclose(found[output].value.reshape(theirs.shape), theirs, 0, 1e-13), output


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_layer_norm(axes: int) -> None:
    """Out is what PyTorch gives, and the statistics are NumPy's."""
    random = np.random.default_rng(16)
    x = random.normal(1, 3, (4, 3, 5))
    weight, bias = random.normal(0, 2, (2, *x.shape[3 - axes :]))
    theirs = torch.nn.functional.layer_norm(
        torch.tensor(x), weight.shape, torch.tensor(weight), torch.tensor(bias), 1e-3
    ).numpy()
    inputs = {"input": x, "weightOptional": weight, "biasOptional": bias}
    found = evaluate_whole("layer_norm", inputs, {"normalizedShape": weight.shape, "eps": 1e-3})
    rows = x.reshape(-1, weight.size)
    assert np.allclose(found["out"].value, theirs, 0, 1e-13)
    mean, rstd = (found[f"{name}OutOptional"].value for name in ("mean", "rstd"))
    assert mean.shape == rstd.shape == (*x.shape[: 3 - axes], *(1,) * axes)
    mean, rstd = mean.reshape(-1), rstd.reshape(-1)
    assert np.allclose(mean, rows.mean(axis=1), 1e-14, 1e-14)
    assert np.allclose(rstd, (rows.var(axis=1) + 1e-3) ** -0.5, 1e-13, 0)


@pytest.mark.parametrize("scale", [1.0, -1.5, 20.0])
def test_group_norm_swish(scale: float) -> None:
    """YOut is PyTorch's SiLU of the scaled group norm divided by the scale, or the norm itself."""
    random = np.random.default_rng(15)
    x = random.normal(1, 3, (3, 8, 5))
    gamma, beta = random.normal(0, 2, (2, 8))
    norm = torch.nn.functional.group_norm(
        torch.tensor(x), 4, torch.tensor(gamma), torch.tensor(beta), 1e-3
    )
    inputs = {"x": x, "gamma": gamma, "beta": beta}
    values = {"numGroups": 4, "eps": 1e-3, "swishScale": scale}
    for active, theirs in ((False, norm), (True, torch.nn.functional.silu(scale * norm) / scale)):
        found = evaluate_whole("group_norm_swish", inputs, {**values, "activateSwish": active})
        assert np.allclose(found["yOut"].value, theirs.numpy(), 1e-12, 1e-14), active


def test_group_norm_silu_v2() -> None:
    """Out is PyTorch's SiLU of the group norm, or the norm itself."""
    random = np.random.default_rng(16)
    x = random.normal(1, 3, (3, 8, 5))
    gamma, beta = random.normal(0, 2, (2, 8))
    norm = torch.nn.functional.group_norm(
        torch.tensor(x), 4, torch.tensor(gamma), torch.tensor(beta), 1e-3
    )
    inputs = {"self": x, "gamma": gamma, "beta": beta}
    for active, theirs in ((False, norm), (True, torch.nn.functional.silu(norm))):
        values = {"group": 4, "eps": 1e-3, "activateSilu": active}
        found = evaluate_whole("group_norm_silu", inputs, values)
        assert np.allclose(found["out"].value, theirs.numpy(), 1e-12, 1e-14), active


def test_group_norm_silu() -> None:
    """Out is PyTorch's SiLU of the group norm."""
    x, gamma, beta = np.random.default_rng(17).normal(1, 2, (3, 2, 6))
    inputs = {"self": x, "gamma": gamma[0], "beta": beta[0]}
    values = {"group": 3, "eps": 1e-3}
    found = evaluate_whole("group_norm_silu", inputs, values)
    theirs = torch.nn.functional.silu(
        torch.nn.functional.group_norm(
            torch.tensor(x), 3, torch.tensor(gamma[0]), torch.tensor(beta[0]), 1e-3
        )
    )
    assert np.allclose(found["out"].value, theirs.numpy(), 1e-12, 1e-14)
