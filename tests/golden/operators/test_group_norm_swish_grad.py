# SPDX-License-Identifier: Apache-2.0
"""What the formula of aclnnGroupNormSwishGrad tells besides values, which tests/oracle holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Result
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.operators import group_norm_swish_grad
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.loading import SpecSet

Array = npt.NDArray[Any]
Inputs = dict[str, Array]

OPERATOR = "aclnnGroupNormSwishGrad"
OUTPUTS = ("dxOut", "dgammaOut", "dbetaOut")
FLOAT32 = FloatFormat(23, -126, 127)


def device_of(specs: SpecSet) -> Arithmetic:
    """Return how a correct device may compute the operator in float32."""
    [ids, *others] = [item.allowances for item in specs.operator(OPERATOR).precision]
    assert all(other == ids for other in others)
    return Arithmetic.of((specs.allowances[name] for name in ids), FLOAT32, FLOAT32)


def evaluate(
    inputs: Inputs, groups: int, scale: float, on: Arithmetic = FLOAT64
) -> Mapping[str, Result]:
    attributes = {"numGroups": groups, "swishScale": scale}
    return evaluate_whole("group_norm_swish_grad", inputs, attributes, on)


def random_inputs(seed: int, shape: tuple[int, ...], groups: int) -> Inputs:
    generator = np.random.default_rng(seed)
    channels, statistics = shape[1:2], (shape[0], groups)
    return {
        "dy": generator.standard_normal(shape).astype(np.float32),
        "x": generator.standard_normal(shape).astype(np.float32),
        "mean": generator.standard_normal(statistics).astype(np.float32),
        "rstd": generator.uniform(0.5, 2, statistics).astype(np.float32),
        "gamma": generator.standard_normal(channels).astype(np.float32),
        "beta": generator.standard_normal(channels).astype(np.float32),
    }


def test_channels_and_groups_gather_their_own_elements() -> None:
    """any_of reaches a whole group of dx and one channel of dgamma."""
    inputs = random_inputs(2, (2, 4, 3), 2)
    results = evaluate(inputs, 2, 1.0)
    condition = np.zeros((2, 4, 3), np.bool_)
    condition[1, 2, 0] = True
    wanted = np.zeros_like(condition)
    wanted[1, 2:] = True
    from_group, from_channel = results["dxOut"].gather, results["dgammaOut"].gather
    assert from_group is not None
    assert from_channel is not None
    np.testing.assert_array_equal(from_group(condition, np.logical_or), wanted)
    assert not from_group(condition, np.logical_and).any()
    assert from_channel(condition, np.logical_or).tolist() == [False, False, True, False]
    # A condition on gamma alone has one value per channel.
    positive = results["dxOut"].scope["gamma"] > -np.inf
    assert from_group(positive, np.logical_and).shape == (2, 4, 3)
    assert from_channel(positive, np.logical_and).tolist() == [True] * 4


def test_scope_broadcasts_to_x() -> None:
    """The statistics meet the elements of their group, gamma and beta those of their channel."""
    inputs = random_inputs(3, (2, 4, 3), 2)
    scope = evaluate(inputs, 2, 1.5)["dxOut"].scope
    spread = {name: np.broadcast_to(array, (2, 4, 3)) for name, array in scope.items()}
    assert set(spread) == {*inputs, "argument"}
    assert spread["mean"][1, 1, 2] == inputs["mean"][1, 0]
    assert spread["rstd"][0, 2, 0] == inputs["rstd"][0, 1]
    assert spread["gamma"][1, 3, 1] == inputs["gamma"][3]
    normal = (spread["x"] - spread["mean"]) * spread["rstd"]
    argument = 1.5 * (normal * spread["gamma"] + spread["beta"])
    np.testing.assert_array_equal(spread["argument"], argument)


def test_statistics_may_have_any_shape_with_the_right_count() -> None:
    """The statistics are counted, not shaped; the results have the shapes of x and gamma."""
    inputs = random_inputs(4, (2, 4), 2)
    flat = inputs | {name: inputs[name].reshape(-1) for name in ("mean", "rstd")}
    for name in OUTPUTS:
        np.testing.assert_array_equal(
            evaluate(inputs, 2, 1.0)[name].value, evaluate(flat, 2, 1.0)[name].value
        )
    assert evaluate(inputs, 2, 1.0)["dxOut"].value.shape == (2, 4)


def test_intermediate_results_beyond_float32_may_become_inf_or_nan(specs: SpecSet) -> None:
    """Where xhat * gamma exceeds float32, the device may have come to Inf or NaN."""
    inputs = random_inputs(6, (1, 2, 2), 2)
    inputs["x"][0, 0, 0] = 1e30
    inputs["gamma"][0] = 1e10
    results = evaluate(inputs, 2, 1.0, device_of(specs))
    of_dx, of_dbeta = results["dxOut"].number.extremes, results["dbetaOut"].number.extremes
    assert of_dx is not None
    assert of_dbeta is not None
    assert (of_dx[0] != 0).all(axis=1).tolist() == [True, False]
    assert (of_dx[0, 1] == 0).all()
    assert (of_dbeta != 0).tolist() == [True, False]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_derived_statistics_are_those_of_x(dtype: Any) -> None:
    """Mean and inverse deviation of each group, rounded to the type of x."""
    x = random_inputs(5, (2, 6, 7), 3)["x"].astype(dtype)
    groups = x.astype(np.float64).reshape(2, 3, 14)
    attributes = {"numGroups": 3}
    mean = group_norm_swish_grad.derive("mean", {"x": x}, attributes)
    rstd = group_norm_swish_grad.derive("rstd", {"x": x}, attributes)
    assert (mean.dtype, mean.shape, rstd.shape) == (x.dtype, (2, 3), (2, 3))
    fraction_bits = {"float32": 23, "float16": 10, "bfloat16": 7}[x.dtype.name]
    half_ulp = 2.0 ** -(fraction_bits + 1)
    true_mean = groups.mean(axis=-1)
    true_rstd = 1 / np.sqrt(groups.var(axis=-1) + 1e-5)
    assert np.all(np.abs(mean.astype(np.float64) - true_mean) <= half_ulp * np.abs(true_mean) * 2)
    assert np.all(np.abs(rstd.astype(np.float64) - true_rstd) <= half_ulp * true_rstd * 2)


def test_only_statistics_can_be_derived() -> None:
    """Gamma follows from nothing."""
    with pytest.raises(WrongInputError, match="gamma cannot be derived"):
        group_norm_swish_grad.derive("gamma", {"x": np.zeros((1, 1))}, {"numGroups": 1})
