# SPDX-License-Identifier: Apache-2.0
"""Reductions along axes against PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.spec.loading import SpecSet

SHAPE = (4, 5, 6)
AXES = ([0], [1], [-1], [0, 2], [-2, 0], [0, 1, 2])
Theirs = Callable[[torch.Tensor, list[int]], torch.Tensor]
BY_AXES: Mapping[tuple[str, str], Theirs] = {
    ("aclnnAmax", "dim"): torch.amax,
    ("aclnnAmin", "dim"): torch.amin,
    ("aclnnMaxV2", "dims"): torch.amax,
    ("aclnnAll", "dim"): torch.all,
    ("aclnnAny", "dim"): torch.any,
    ("aclnnMeanV2", "dim"): torch.mean,
    ("aclnnMean", "dim"): torch.mean,
    ("aclnnReduceSum", "dims"): torch.sum,
    ("aclnnReduceNansum", "dim"): torch.nansum,
    ("aclnnReduceLogSum", "axes"): lambda x, axes: torch.sum(x, axes).log(),
    ("aclnnLogSumExp", "dim"): torch.logsumexp,
    ("aclnnVar", "dim"): lambda x, axes: torch.var(x, axes, correction=0),
    ("aclnnVarCorrection", "dim"): lambda x, axes: torch.var(x, axes, correction=0),
    ("aclnnStd", "dim"): lambda x, axes: torch.std(x, axes, correction=0),
}
"""By operator, and the attribute that names the axes."""

KEPT = ("keepDim", "keepdim", "keepDims")
EMPTY = ("noopWithEmptyDims", "noopWithEmptyAxes")


def _expected(
    specs: SpecSet, operator: str, x: np.ndarray[Any, Any], attributes: Mapping[str, Any]
) -> Mapping[str, np.ndarray[Any, Any]]:
    spec = specs.operator(operator)
    every = {each.name: each.name in attributes.get("kept", ()) for each in spec.attributes}
    values = {**every, **{n: value for n, value in attributes.items() if n in every}}
    expectations = expect_call(specs, operator, {spec.inputs[0].name: x}, values, "ascend-950")
    return {name: each.whole().value for name, each in expectations.items()}


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("operator", BY_AXES)
def test_along_axes(
    specs: SpecSet, operator: tuple[str, str], axes: list[int], *, kept: bool
) -> None:
    """Also the shapes of outputs, with axes of one element or without them."""
    name, attribute = operator
    x = np.random.default_rng(7).uniform(0.5, 9, SHAPE).round(3)
    x[:, 1:3, 2] = 0
    theirs = BY_AXES[operator](torch.tensor(x), axes).to(torch.float64).numpy()
    if kept:
        theirs = np.expand_dims(theirs, tuple(axis % 3 for axis in axes))
    (ours,) = _expected(specs, name, x, {attribute: axes, "kept": KEPT if kept else ()}).values()
    assert ours.shape == theirs.shape
    assert np.allclose(np.asarray(ours, np.float64), theirs, rtol=1e-14, atol=0)


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize("operator", [("aclnnMaxV2", "dims"), ("aclnnMeanV2", "dim")])
def test_without_axes(specs: SpecSet, operator: tuple[str, str], *, empty: bool) -> None:
    """No axes are all, or none if the call says so."""
    name, attribute = operator
    x = np.random.default_rng(7).uniform(0.5, 9, SHAPE)
    theirs = x if empty else BY_AXES[operator](torch.tensor(x), [0, 1, 2]).numpy()
    (ours,) = _expected(specs, name, x, {attribute: [], **dict.fromkeys(EMPTY, empty)}).values()
    assert ours.shape == theirs.shape
    assert np.allclose(np.asarray(ours, np.float64), theirs, rtol=1e-14, atol=0)


@pytest.mark.parametrize("correction", [0, 1, 3])
@pytest.mark.parametrize("operator", ["aclnnVarMean", "aclnnStdMeanCorrection"])
def test_moments(specs: SpecSet, operator: str, correction: int) -> None:
    """Both outputs, and what is subtracted from the number of elements."""
    x = np.random.default_rng(7).normal(3, 2, SHAPE)
    theirs = {"aclnnVarMean": torch.var_mean, "aclnnStdMeanCorrection": torch.std_mean}[operator]
    values = {"dim": (1,), "correction": correction, "keepdim": True}
    found = expect_call(specs, operator, {"self": x}, values, "ascend-950")
    for ours, expected in zip(
        found.values(), theirs(torch.tensor(x), 1, correction=correction, keepdim=True), strict=True
    ):
        assert np.allclose(np.asarray(ours.whole().value, np.float64), expected, rtol=1e-14, atol=0)


@pytest.mark.parametrize("dim", [0, -1, 1])
def test_products(specs: SpecSet, dim: int) -> None:
    x = np.random.default_rng(7).uniform(-2, 2, SHAPE)
    (ours,) = _expected(specs, "aclnnProdDim", x, {"dim": dim, "kept": ("keepDim",)}).values()
    theirs = torch.prod(torch.tensor(x), dim, keepdim=True)
    assert np.allclose(np.asarray(ours, np.float64), theirs, rtol=1e-14, atol=0)
    (whole,) = _expected(specs, "aclnnProd", x, {}).values()
    assert np.allclose(np.asarray(whole, np.float64), torch.prod(torch.tensor(x)), rtol=1e-14)


@pytest.mark.parametrize("operator", ["aclnnAminmax", "aclnnAminmaxDim"])
def test_both_extremes(specs: SpecSet, operator: str) -> None:
    x = np.random.default_rng(7).uniform(-9, 9, SHAPE)
    dim: Any = (1,) if operator == "aclnnAminmax" else 1
    ours = _expected(specs, operator, x, {"dim": dim})
    assert np.array_equal(ours["minOut"], torch.amin(torch.tensor(x), 1))
    assert np.array_equal(ours["maxOut"], torch.amax(torch.tensor(x), 1))


def test_of_channels(specs: SpecSet) -> None:
    x = np.random.default_rng(7).uniform(-9, 9, (2, 3, *SHAPE))
    theirs = torch.amax(torch.tensor(x), (2, 3, 4), keepdim=True).numpy()
    ours = _expected(specs, "aclnnGlobalMaxPool", x, {})["out"]
    assert ours.shape == theirs.shape
    assert np.allclose(np.asarray(ours, np.float64), theirs, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("operator", ["aclnnMax", "aclnnMin"])
def test_of_all_elements(specs: SpecSet, operator: str) -> None:
    x = np.random.default_rng(7).integers(-90, 90, SHAPE)
    theirs = {"aclnnMax": torch.max, "aclnnMin": torch.min}[operator](torch.tensor(x)).item()
    assert _expected(specs, operator, x, {})["out"].tolist() == [theirs]
