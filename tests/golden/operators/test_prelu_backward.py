# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnPreluBackward against hand-computed values, loops and 100-digit sums."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.formula import UNIT_ROUNDOFF, Result, evaluate_whole

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.lists(st.integers(0, 4), max_size=5).map(tuple)

Array = npt.NDArray[Any]


def backward(gradient: Array, x: Array, weight: Array) -> tuple[Result, Result]:
    inputs = {"gradOutput": gradient, "self": x, "weight": weight}
    results = evaluate_whole("prelu_backward", inputs, {})
    return results["gradInput"], results["gradWeight"]


def array(values: Any) -> npt.NDArray[np.float32]:
    return np.array(values, np.float32)


def random_case(seed: int, shape: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Return gradOutput (some axes broadcast), self (a third of it 0) and a weight of any form."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal(shape) * generator.integers(0, 2, shape)
    cut = generator.integers(0, len(shape) + 1) if 0 not in shape else 0
    axes = [1 if generator.random() < 0.3 else n for n in shape[cut:]]
    channels = shape[1] if len(shape) > 1 else 1
    forms: list[tuple[int, ...]] = [(1,), (), (channels,)]
    if len(shape) > 1:
        forms.append((1, channels) + (1,) * (len(shape) - 2))
    weight = generator.standard_normal(forms[generator.integers(len(forms))])
    return array(generator.standard_normal(axes)), array(x), array(weight)


def slow(gradient: Array, x: Array, weight: Array) -> tuple[Array, Array]:
    """Follow the document's two formulas index by index."""
    gradient = np.broadcast_to(gradient, x.shape)
    grad_input, grad_weight = np.zeros(x.shape), np.zeros(weight.size)
    weights = weight.reshape(-1).astype(np.float64)
    for index in itertools.product(*map(range, x.shape)):
        channel = 0 if weight.size == 1 else index[1]
        g, value = float(gradient[index]), float(x[index])
        if value > 0:
            grad_input[index] = g
        else:
            grad_input[index] = g * weights[channel]
            grad_weight[channel] += g * value
    return grad_input, grad_weight.reshape(weight.shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_each_branch_by_hand(dtype: npt.DTypeLike) -> None:
    """Above 0 the gradient passes; at +0, -0 and below it takes the weight and feeds gradWeight."""
    gradient = np.array([3, 3, 3, 5], dtype)
    x = np.array([1, 0.0, -0.0, -2], dtype)
    grad_input, grad_weight = backward(gradient, x, np.array([0.25], dtype))
    assert grad_input.value.tolist() == [3, 0.75, 0.75, 1.25]
    assert grad_input.error.tolist() == [0, *(UNIT_ROUNDOFF * n for n in (0.75, 0.75, 1.25))]
    assert grad_weight.value.tolist() == [-10]
    assert 10 * UNIT_ROUNDOFF <= grad_weight.error[0] <= 4.01 * 10 * UNIT_ROUNDOFF


def test_one_weight_per_channel_by_hand() -> None:
    """Channel j of gradWeight sums over axis 0 and all axes behind 1."""
    x = -array(np.arange(1, 9)).reshape(2, 2, 2)
    grad_input, grad_weight = backward(np.ones_like(x), x, array([10, 100]))
    assert grad_input.value.tolist() == [[[10, 10], [100, 100]]] * 2
    assert grad_weight.value.tolist() == [-(1 + 2 + 5 + 6), -(3 + 4 + 7 + 8)]


@pytest.mark.parametrize("shape", [(2,), (1, 2), (1, 2, 1)])
def test_gradient_of_the_weight_has_its_shape(shape: tuple[int, ...]) -> None:
    """A weight shaped like self comes back in that shape."""
    _, grad_weight = backward(array([[[1]]]), -np.ones((3, 2, 4), np.float32), np.ones(shape))
    assert grad_weight.value.tolist() == np.full(shape, -12.0).tolist()
    assert grad_weight.error.shape == shape


def test_broadcast_gradient_counts_once_per_element_of_self() -> None:
    """A gradOutput [2] under self [3, 2] contributes three times to gradWeight."""
    grad_input, grad_weight = backward(array([1, 2]), -np.ones((3, 2), np.float32), array(0.5))
    assert grad_input.value.tolist() == [[0.5, 1.0]] * 3
    assert grad_weight.value.shape == ()
    assert grad_weight.value == -9


def test_scalar_self() -> None:
    """Rank 0 is one channel with one element."""
    grad_input, grad_weight = backward(array(4), array(-3), array([0.5]))
    assert (grad_input.value.tolist(), grad_weight.value.tolist()) == (2.0, [-12.0])


@pytest.mark.parametrize(
    ("shape", "weight"), [((0,), (1,)), ((2, 0, 3), (0,)), ((0, 2), (2,)), ((2, 3, 0), (1, 3, 1))]
)
def test_sum_over_nothing_is_zero(shape: tuple[int, ...], weight: tuple[int, ...]) -> None:
    """An empty self gives an empty gradInput and a gradWeight of zeros."""
    x = np.zeros(shape, np.float32)
    grad_input, grad_weight = backward(x, x, np.ones(weight, np.float32))
    assert grad_input.value.shape == shape
    assert grad_weight.value.tolist() == np.zeros(weight).tolist()


def test_non_finite_inputs_follow_the_formula() -> None:
    """Inf * 0 is NaN; above 0 nothing is added, whatever gradOutput is; Inf - Inf is NaN."""
    grad_input, grad_weight = backward(
        array([[np.inf, np.inf, np.inf], [1, -1, 1]]),
        array([[1, 0, -1], [1, -1, -np.inf]]),
        array([0.0, 1.0, -1.0]),
    )
    np.testing.assert_array_equal(grad_input.value, [[np.inf, np.inf, -np.inf], [1, -1, -1]])
    np.testing.assert_array_equal(grad_weight.value, [0, np.nan, -np.inf])


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


@given(SEEDS, SHAPES)
def test_equals_loops_over_the_indices(seed: int, shape: tuple[int, ...]) -> None:
    """The first output is exact; gradWeight differs by the order of its additions only."""
    case = random_case(seed, shape)
    grad_input, grad_weight = backward(*case)
    input_loop, weight_loop = slow(*case)
    np.testing.assert_array_equal(grad_input.value, input_loop)
    assert grad_weight.value.shape == weight_loop.shape
    difference = np.abs(grad_weight.value - weight_loop)
    assert (difference <= 2 * grad_weight.error).all()
    assert (grad_weight.error >= UNIT_ROUNDOFF * np.abs(grad_weight.value)).all()
    products = np.where(case[1] > 0, 0, np.abs(grad_input.value))
    assert (grad_input.error >= UNIT_ROUNDOFF * products).all()


@given(SEEDS, SHAPES)
def test_linear_in_the_gradient(seed: int, shape: tuple[int, ...]) -> None:
    """Doubling gradOutput, which is exact, doubles both results exactly."""
    gradient, x, weight = random_case(seed, shape)
    for single, double in zip(
        backward(gradient, x, weight), backward(2 * gradient, x, weight), strict=True
    ):
        np.testing.assert_array_equal(double.value, 2 * single.value)


@given(SEEDS, st.integers(1, 300))
def test_cancelling_sum_within_its_roundings_of_the_exact_one(seed: int, count: int) -> None:
    """Terms of 1e20 leave about 1: products of float32 are exact, each addition rounds once."""
    generator = np.random.default_rng(seed)
    large = array(generator.standard_normal(count) * 1e10)
    gradient = np.concatenate([large, -large, array([1.0])])
    x = np.concatenate([-np.abs(large), -np.abs(large), array([-0.7])])
    _, grad_weight = backward(gradient, x, array([1.0]))
    with mpmath.workdps(100):
        exact = mpmath.fsum(
            mpmath.mpf(float(g)) * mpmath.mpf(float(v)) for g, v in zip(gradient, x, strict=True)
        )
        error = abs(mpmath.mpf(grad_weight.value[0]) - exact)
        assert error <= grad_weight.error[0]
