# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnGroupNormSwishGrad against hand-computed values and slow exact loops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Result, evaluate_whole
from aclnn_cts.golden.operators import group_norm_swish_grad
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.loading import SpecSet

Array = npt.NDArray[Any]
Inputs = dict[str, Array]

OPERATOR = "aclnnGroupNormSwishGrad"
OUTPUTS = ("dxOut", "dgammaOut", "dbetaOut")
DOUBLE, SINGLE = 2.0**-53, 2.0**-24
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


def exact_loops(inputs: Inputs, groups: int, scale: float) -> dict[str, list[Any]]:
    """Follow the document's formulas element by element in 100 digits; dx with group means."""
    shape = inputs["x"].shape
    batches, channels, size = shape[0], shape[1], math.prod(shape[2:])
    per_group = channels // groups
    number = {
        name: [mpmath.mpf(float(v)) for v in array.reshape(-1)] for name, array in inputs.items()
    }
    dgamma, dbeta = [mpmath.mpf(0)] * channels, [mpmath.mpf(0)] * channels
    dx: list[Any] = []
    for n in range(batches):
        for group in range(groups):
            statistics = n * groups + group
            rows = []
            for c in range(group * per_group, (group + 1) * per_group):
                for k in range((n * channels + c) * size, (n * channels + c + 1) * size):
                    xhat = (number["x"][k] - number["mean"][statistics]) * number["rstd"][
                        statistics
                    ]
                    z = scale * (xhat * number["gamma"][c] + number["beta"][c])
                    denominator = mpmath.exp(-z) + 1
                    new = (z - z / denominator + 1) / denominator * number["dy"][k]
                    dgamma[c] += new * xhat
                    dbeta[c] += new
                    rows.append((number["gamma"][c] * new, xhat))
            inner = mpmath.fsum(w * xhat for w, xhat in rows) / len(rows)
            outer = mpmath.fsum(w for w, _ in rows) / len(rows)
            dx += [number["rstd"][statistics] * (w - xhat * inner - outer) for w, xhat in rows]
    return {"dxOut": dx, "dgammaOut": dgamma, "dbetaOut": dbeta}


def assert_exact(inputs: Inputs, groups: int, scale: float) -> None:
    """Hold all outputs within their stated error of the exact values."""
    results = evaluate(inputs, groups, scale)
    with mpmath.workdps(100):
        for name, exact in exact_loops(inputs, groups, scale).items():
            flat = zip(results[name].value.flat, results[name].error.flat, exact, strict=True)
            for value, stated, wanted in flat:
                error = abs(mpmath.mpf(value) - wanted)
                assert error <= 1.01 * stated, (name, value, wanted, stated)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_two_elements_by_hand(dtype: npt.DTypeLike) -> None:
    """With gamma = 0 and beta = 0 the slope is s(0) = 1/2.

    xhat is 1 and -1/2, dYNew is 1 and 2: dbeta = 1 + 2, dgamma = 1 - 1, dx = 0.
    """
    one, nothing = np.ones((1, 1), dtype), np.zeros(1, dtype)
    inputs = {
        "dy": np.array([[[2, 4]]], dtype),
        "x": np.array([[[2, 0.5]]], dtype),
        "mean": one,
        "rstd": one,
        "gamma": nothing,
        "beta": nothing,
    }
    results = evaluate(inputs, 1, 1.0)
    assert results["dbetaOut"].value.tolist() == [3.0]
    assert results["dgammaOut"].value.tolist() == [0.0]
    assert results["dxOut"].value.tolist() == [[[0.0, 0.0]]]


def test_means_over_the_group_by_hand() -> None:
    """With swishScale = 0 the slope is 1/2, and dx follows from the two group means.

    xhat = 1, 3; gamma = 2: weighted = 2 * (3, 5) = (6, 10); outer = 8, inner = (6 + 30) / 2 = 18;
    dx = 4 * (6 - 18 - 8, 10 - 54 - 8).
    """
    inputs = {
        "dy": np.array([[6.0, 10.0]], np.float32),
        "x": np.array([[0.25, 0.75]], np.float32),
        "mean": np.zeros((1, 1), np.float32),
        "rstd": np.array([[4.0]], np.float32),
        "gamma": np.array([2.0, 2.0], np.float32),
        "beta": np.array([7.0, -7.0], np.float32),
    }
    results = evaluate(inputs, 1, 0.0)
    assert results["dxOut"].value.tolist() == [[-80.0, -208.0]]
    assert results["dgammaOut"].value.tolist() == [3.0, 15.0]
    assert results["dbetaOut"].value.tolist() == [3.0, 5.0]


@pytest.mark.parametrize(("z", "slope"), [(-1e4, 0.0), (-800.0, 0.0), (800.0, 1.0), (1e4, 1.0)])
def test_slope_far_from_zero(z: float, slope: float) -> None:
    """Where exp would overflow, the slope is its limit, with the error of taking z from z."""
    inputs = random_inputs(1, (1, 1, 1), 1) | {
        "dy": np.ones((1, 1, 1), np.float32),
        "gamma": np.zeros(1, np.float32),
        "beta": np.array([z], np.float32),
    }
    dbeta = evaluate(inputs, 1, 1.0)["dbetaOut"]
    assert dbeta.value.tolist() == [slope]
    assert dbeta.error[0] <= 5 * abs(z) * DOUBLE * max(slope, 1e-27)


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


def test_nan_stays_in_its_group_and_channel() -> None:
    """A NaN in x reaches dx of its own group only, and its own channel of dgamma and dbeta."""
    inputs = random_inputs(5, (2, 4, 3), 2)
    inputs["x"][0, 1, 1] = np.nan
    results = evaluate(inputs, 2, 1.0)
    assert np.isnan(results["dxOut"].value[0, :2]).all()
    assert np.isfinite(results["dxOut"].value[0, 2:]).all()
    assert np.isfinite(results["dxOut"].value[1]).all()
    for name in ("dgammaOut", "dbetaOut"):
        assert np.isnan(results[name].value).tolist() == [False, True, False, False]


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


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(1, 2), st.integers(1, 3), st.integers(1, 2), st.integers(1, 3)),
    st.sampled_from([-2.0, 0.0, 1.0, 1.702, 30.0]),
)
def test_random_data_against_exact_loops(
    seed: int, sizes: tuple[int, int, int, int], scale: float
) -> None:
    """Every output is within its stated error of 100-digit loops."""
    batches, groups, per_group, size = sizes
    assert_exact(random_inputs(seed, (batches, groups * per_group, size), groups), groups, scale)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("trap", ["mean", "beta", "saturated", "large"])
def test_cancellation_against_exact_loops(trap: str, seed: int) -> None:
    """Take x near mean, beta against xhat * gamma, z of +-40 and +-300, and gradients of 1e20."""
    inputs = random_inputs(seed, (2, 4, 3), 2)
    if trap == "mean":
        inputs["mean"] += np.float32(1000)
        inputs["x"] += np.float32(1000)
    elif trap == "beta":
        inputs["x"][...] = inputs["x"] * np.float32(1e-3) + np.float32(50)
        inputs["mean"][...] = 0
        inputs["rstd"][...] = 1
        inputs["beta"] = -50 * inputs["gamma"]
    elif trap == "saturated":
        inputs["beta"] = np.array([40, -40, 300, -300], np.float32)
    else:
        inputs["dy"] *= np.float32(1e20)
    assert_exact(inputs, 2, 1.0)


@given(st.integers(0, 2**32 - 1))
def test_linear_in_the_gradient(seed: int) -> None:
    """Doubling dy doubles all results exactly, and their errors."""
    inputs = random_inputs(seed, (2, 4, 3), 2)
    single, double = evaluate(inputs, 2, 1.0), evaluate(inputs | {"dy": 2 * inputs["dy"]}, 2, 1.0)
    for name in OUTPUTS:
        np.testing.assert_array_equal(double[name].value, 2 * single[name].value)
        np.testing.assert_allclose(double[name].error, 2 * single[name].error, rtol=1e-12)


def float32_device(inputs: Inputs, groups: int, scale: float) -> dict[str, Array]:
    """Compute the document's steps in float32."""
    n, c, size = inputs["x"].shape
    dy, x = (inputs[name].reshape(n, groups, c // groups, size) for name in ("dy", "x"))
    mean, rstd = (inputs[name].reshape(n, groups, 1, 1) for name in ("mean", "rstd"))
    gamma, beta = (inputs[name].reshape(1, groups, c // groups, 1) for name in ("gamma", "beta"))
    xhat = (x - mean) * rstd
    z = np.float32(scale) * (xhat * gamma + beta)
    with np.errstate(over="ignore"):
        denominator = np.exp(-z) + np.float32(1)
    new = (z - z / denominator + np.float32(1)) / denominator * dy
    weighted = new * gamma
    inner = (weighted * xhat).mean(axis=(2, 3), keepdims=True, dtype=np.float32)
    outer = weighted.mean(axis=(2, 3), keepdims=True, dtype=np.float32)
    return {
        "dxOut": (rstd * (weighted - xhat * inner - outer)).reshape(n, c, size),
        "dgammaOut": (new * xhat).sum(axis=(0, 3), dtype=np.float32).reshape(c),
        "dbetaOut": new.sum(axis=(0, 3), dtype=np.float32).reshape(c),
    }


@pytest.mark.parametrize("offset", [0.0, 30.0, 1000.0])
@pytest.mark.parametrize("spread", [1.0, 10.0, 200.0])
@pytest.mark.parametrize("seed", range(4))
def test_float32_arithmetic_stays_within_its_error(
    seed: int, spread: float, offset: float, specs: SpecSet
) -> None:
    """The error of a device is not too small: honest float32 arithmetic keeps within it."""
    inputs = random_inputs(seed, (2, 8, 16), 2)
    for name in ("x", "mean"):
        inputs[name] += np.float32(offset)
    inputs["gamma"] *= np.float32(spread)
    device = float32_device(inputs, 2, 1.0)
    for name, result in evaluate(inputs, 2, 1.0, device_of(specs)).items():
        assert (np.abs(device[name] - result.value) <= result.error).all(), name


@pytest.mark.parametrize("seed", range(4))
def test_error_of_a_device_is_of_the_size_of_the_values(seed: int, specs: SpecSet) -> None:
    """It is not vacuous: on ordinary data it is some ten roundings of the terms.

    The 32 terms of a channel, of random sign, leave a sum that is sqrt(32) smaller than they are.
    """
    inputs = random_inputs(seed, (2, 8, 16), 2)
    for name, result in evaluate(inputs, 2, 1.0, device_of(specs)).items():
        ratio = np.median(result.error) / np.sqrt(np.mean(result.value**2)) / SINGLE
        assert ratio < 50 * math.sqrt(32), (name, ratio)


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
