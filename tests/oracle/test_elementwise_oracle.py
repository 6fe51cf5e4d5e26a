# SPDX-License-Identifier: Apache-2.0
"""Elementwise formulas against PyTorch's functions and their derivatives in float64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]
import torch.nn.functional as F  # type: ignore[import-not-found, unused-ignore] # noqa: N812
from tests.torch_functions import OF_ONE_TENSOR, TRUTHS

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

Function = Callable[[torch.Tensor], torch.Tensor]


def fast_gelu(x: torch.Tensor) -> torch.Tensor:
    """Return x times the logistic function of 1.702 x."""
    return x * torch.sigmoid(1.702 * x)


def hardsigmoid(x: torch.Tensor) -> torch.Tensor:
    """Return x / 6 + 1 / 2 between 0 and 1; F.hardsigmoid rounds the sixth to float32."""
    return torch.clamp(x / 6 + 0.5, 0, 1)


def gelu_tanh(x: torch.Tensor) -> torch.Tensor:
    """Return gelu in its approximation by a hyperbolic tangent."""
    return F.gelu(x, approximate="tanh")


def swish(x: torch.Tensor, beta: float) -> torch.Tensor:
    """Return x times the logistic function of beta x."""
    return x * torch.sigmoid(beta * x)


def squared_relu(x: torch.Tensor) -> torch.Tensor:
    """Return the square of relu."""
    return torch.relu(x) ** 2


FORWARD: dict[tuple[str, tuple[int, ...]], Function] = {
    **{(name, ()): function for name, function in OF_ONE_TENSOR.items()},
    ("aclnnFastGelu", ()): fast_gelu,
    ("aclnnGelu", ()): gelu_tanh,
    ("aclnnGeluV2", (0,)): F.gelu,
    ("aclnnGeluV2", (1,)): gelu_tanh,
    ("aclnnHardsigmoid", ()): hardsigmoid,
    ("aclnnSquaredRelu", ()): squared_relu,
    ("aclnnThreshold", (1, 7)): partial(F.threshold, threshold=1.0, value=7.0),
}
"""By operator and the values of its attributes."""

WITH_SCALAR: dict[str, tuple[Callable[..., torch.Tensor], str, tuple[float, ...]]] = {
    "aclnnCelu": (F.celu, "alpha", (1.0, 0.3, 2.0)),
    "aclnnHardshrink": (F.hardshrink, "lambd", (0.5, 0.0, 2.5)),
    "aclnnLeakyRelu": (F.leaky_relu, "negativeSlope", (0.01, -0.5, 0.0)),
    "aclnnSwish": (swish, "betaOptional", (1.0, 1.702, -1.5, 0.0)),
    "aclnnSoftshrink": (F.softshrink, "lambd", (0.5, 0.0, 2.5)),
}
BACKWARD: dict[str, Function] = {
    "aclnnFastGeluBackward": fast_gelu,
    "aclnnGeluBackward": F.gelu,
    "aclnnHardsigmoidBackward": hardsigmoid,
    "aclnnHardswishBackward": F.hardswish,
    "aclnnHardswishBackwardV2": F.hardswish,
    "aclnnLogSigmoidBackward": F.logsigmoid,
    "aclnnMishBackward": F.mish,
    "aclnnSiluBackward": F.silu,
}
ENDS = (
    0.0,
    -0.0,
    2.0**-149,
    -(2.0**-126),
    2.9999998,
    -2.9999998,
    3.0000002,
    -3.0000002,
    40.0,
    -40.0,
)
"""Around 0 and the ends of hardswish, where its slope is not defined, and far off."""


def numbers(seed: int) -> np.ndarray:
    """Return the ends among random numbers, all of float32."""
    drawn = np.random.default_rng(seed).normal(0, 4, 5000)
    return np.concatenate([drawn, ENDS]).astype(np.float32)


def agrees(
    spec: OperatorSpec,
    inputs: dict[str, np.ndarray],
    attributes: Mapping[str, float],
    theirs: np.ndarray,
) -> None:
    """Require the value to be within both errors of PyTorch's, which is off by a few ulps."""
    (ours,) = evaluate_whole(spec.formula_source, inputs, attributes).values()
    error = np.broadcast_to(ours.error, theirs.shape)
    few_ulps = 2.0**-49 * np.maximum(np.abs(theirs), np.abs(ours.value))
    # PyTorch's own derivatives cancel, and so does 1 plus a tanh: an ulp of their terms counts.
    terms = 2.0**-49 * np.abs(next(iter(inputs.values())).astype(np.float64))
    with np.errstate(invalid="ignore"):
        near = np.abs(ours.value - theirs) <= error + few_ulps + terms
    assert (near | np.equal(ours.value, theirs) | (np.isnan(ours.value) & np.isnan(theirs))).all()


@pytest.mark.parametrize(("operator", "values"), FORWARD)
def test_values(specs: SpecSet, operator: str, values: tuple[int, ...]) -> None:
    """The formula gives what PyTorch's function gives."""
    spec, x = specs.operator(operator), numbers(1)
    names = [attribute.name for attribute in spec.attributes]
    theirs = FORWARD[operator, values](torch.tensor(x.astype(np.float64))).numpy()
    agrees(spec, {spec.leading: x}, dict(zip(names, values, strict=True)), theirs)


@pytest.mark.parametrize("operator", TRUTHS)
def test_truths(specs: SpecSet, operator: str) -> None:
    """The formula gives what PyTorch's function gives, also of zeros, Inf and NaN."""
    spec, function = specs.operator(operator), TRUTHS[operator]
    values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0**-149], np.float32)
    columns = np.meshgrid(*[values] * len(spec.inputs))
    theirs = function(*map(torch.tensor, columns)).numpy()
    inputs = {tensor.name: column for tensor, column in zip(spec.inputs, columns, strict=True)}
    (ours,) = evaluate_whole(spec.formula_source, inputs, {}).values()
    assert (ours.value == theirs).all()


@pytest.mark.parametrize("operator", WITH_SCALAR)
def test_values_with_a_scalar(specs: SpecSet, operator: str) -> None:
    """The formula gives what PyTorch's function gives, where that is not another clause's 0."""
    function, name, values = WITH_SCALAR[operator]
    for value in values:
        x = numbers(4)
        theirs = function(torch.tensor(x.astype(np.float64)), value).numpy()
        x, theirs = x[theirs != 0], theirs[theirs != 0]
        agrees(specs.operator(operator), {"self": x}, {name: value}, theirs)


@pytest.mark.parametrize(("beta", "threshold"), [(1.0, 20.0), (2.5, 1.0), (-1.5, 0.0), (0.1, -2.0)])
def test_softplus(specs: SpecSet, beta: float, threshold: float) -> None:
    """The formula gives what PyTorch's function gives, on both sides of the threshold."""
    x = numbers(7)
    theirs = F.softplus(torch.tensor(x.astype(np.float64)), beta, threshold).numpy()
    scalars = {"beta": beta, "threshold": threshold}
    agrees(specs.operator("aclnnSoftplus"), {"self": x}, scalars, theirs)


@pytest.mark.parametrize(("beta", "threshold"), [(1.0, 20.0), (2.5, 1.0), (-1.5, 0.0), (0.1, -2.0)])
def test_derivative_of_softplus(specs: SpecSet, beta: float, threshold: float) -> None:
    """The formula gives what PyTorch's derivative gives, on both sides of the threshold."""
    x, gradient = numbers(2), numbers(3)
    doubles = (torch.tensor(each.astype(np.float64)) for each in (gradient, x))
    theirs = torch.ops.aten.softplus_backward(*doubles, beta, threshold)
    inputs = {"gradOutput": gradient, "self": x}
    scalars = {"beta": beta, "threshold": threshold}
    agrees(specs.operator("aclnnSoftplusBackward"), inputs, scalars, theirs.numpy())


@pytest.mark.parametrize("operator", BACKWARD)
def test_derivatives(specs: SpecSet, operator: str) -> None:
    """The formula gives what PyTorch's automatic derivative gives."""
    x, gradient = numbers(2), numbers(3)
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    BACKWARD[operator](leaf).backward(torch.tensor(gradient.astype(np.float64)))
    inputs = {"gradOutput": gradient, "self": x}
    agrees(specs.operator(operator), inputs, {}, leaf.grad.numpy())


@pytest.mark.parametrize("beta", [1.0, 1.702, -1.5, 0.0])
def test_derivative_of_swish(specs: SpecSet, beta: float) -> None:
    """The formula gives what PyTorch's automatic derivative gives."""
    x, gradient = numbers(2), numbers(3)
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    swish(leaf, beta).backward(torch.tensor(gradient.astype(np.float64)))
    inputs = {"gradOutput": gradient, "self": x}
    spec = specs.operator("aclnnSwishBackward")
    agrees(spec, inputs, {"betaOptional": beta}, leaf.grad.numpy())


@pytest.mark.parametrize("slope", [0.01, -0.5, 0.0])
def test_derivative_of_leaky_relu(specs: SpecSet, slope: float) -> None:
    """The formula gives what PyTorch's derivative gives, of the input and of the result."""
    x, gradient = numbers(2), numbers(3)
    doubles = (torch.tensor(each.astype(np.float64)) for each in (gradient, x))
    theirs = torch.ops.aten.leaky_relu_backward(*doubles, slope, slope >= 0)
    inputs = {"gradOutput": gradient, "self": x}
    attributes = {"negativeSlope": slope, "selfIsResult": slope >= 0}
    agrees(specs.operator("aclnnLeakyReluBackward"), inputs, attributes, theirs.numpy())


@pytest.mark.parametrize(
    ("operator", "function"),
    [("aclnnSigmoidBackward", "sigmoid_backward"), ("aclnnTanhBackward", "tanh_backward")],
)
def test_the_slope_from_the_output(specs: SpecSet, operator: str, function: str) -> None:
    """Where the operator has the output instead of the input, it may be any number."""
    gradient, output = numbers(5), numbers(6) / 4
    theirs = getattr(torch.ops.aten, function)(
        torch.tensor(gradient.astype(np.float64)), torch.tensor(output.astype(np.float64))
    )
    inputs = {"gradOutput": gradient, "output": output}
    agrees(specs.operator(operator), inputs, {}, theirs.numpy())


def test_derivative_of_selu(specs: SpecSet) -> None:
    """The formula, which gets the forward result, gives what PyTorch's automatic derivative gives.

    Down to -2, where PyTorch's float64 result still tells by how much it is above its least.
    """
    x, gradient = np.maximum(numbers(5), -2.0), numbers(6)
    x[x == 0] = 1.0
    leaf = torch.tensor(x.astype(np.float64), requires_grad=True)
    result = F.selu(leaf)
    result.backward(torch.tensor(gradient.astype(np.float64)))
    inputs = {"gradOutput": gradient.astype(np.float64), "result": result.detach().numpy()}
    agrees(specs.operator("aclnnSeluBackward"), inputs, {}, leaf.grad.numpy())
