# SPDX-License-Identifier: Apache-2.0
"""Losses against PyTorch in float64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]
import torch.nn.functional as F  # type: ignore[import-not-found, unused-ignore] # noqa: N812

from aclnn_cts.golden.formula import broadcast
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.loading import SpecSet

BETA = 1.5
LOSSES: Mapping[str, Callable[..., torch.Tensor]] = {
    "aclnnL1Loss": F.l1_loss,
    "aclnnMseLoss": F.mse_loss,
    "aclnnSmoothL1Loss": partial(F.smooth_l1_loss, beta=BETA),
    "aclnnSoftMarginLoss": F.soft_margin_loss,
}
GRADIENTS: Mapping[str, Callable[..., torch.Tensor]] = {
    "aclnnL1LossBackward": F.l1_loss,
    "aclnnMseLossBackward": F.mse_loss,
    "aclnnSmoothL1LossBackward": partial(F.smooth_l1_loss, beta=BETA),
    "aclnnSoftMarginLossBackward": F.soft_margin_loss,
}
REDUCTIONS = ("none", "mean", "sum")


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_weights(specs: SpecSet, reduction: str) -> None:
    """A weight counts as PyTorch's does."""
    random, shape = np.random.default_rng(12), (7, 5)
    inputs = {name: random.uniform(0.01, 0.99, shape) for name in ("self", "target", "weight")}
    x, y, weight = map(torch.tensor, inputs.values())
    theirs = F.binary_cross_entropy(x, y, weight, reduction=reduction).numpy()
    attributes = {"reduction": REDUCTIONS.index(reduction)}
    spec = specs.operator("aclnnBinaryCrossEntropy")
    ours = evaluate_whole(spec.formula_source, broadcast(spec, inputs), attributes)["out"]
    assert np.allclose(ours.value, theirs, 1e-14, 1e-15)


@pytest.mark.filterwarnings("ignore:reduction:UserWarning")  # its mean is not that of batches
@pytest.mark.parametrize("log_target", [False, True])
@pytest.mark.parametrize("reduction", [*REDUCTIONS, "batchmean"])
def test_derivative_of_divergence(specs: SpecSet, reduction: str, *, log_target: bool) -> None:
    """The formula gives what PyTorch's automatic derivative gives."""
    random, shape = np.random.default_rng(14), (7, 5)
    x = torch.tensor(random.normal(-1, 1, shape)).requires_grad_()
    target = torch.tensor(random.uniform(0.01, 0.99, shape))
    gradient = torch.tensor(random.normal(0, 3, shape if reduction == "none" else ()))
    F.kl_div(x, target, reduction=reduction, log_target=log_target).backward(gradient)
    inputs = {"gradOutput": gradient.numpy(), "self": x.detach().numpy(), "target": target.numpy()}
    spec = specs.operator("aclnnKlDivBackward")
    attributes = {"reduction": [*REDUCTIONS, "batchmean"].index(reduction), "batch": 7, "count": 35}
    attributes["logTarget"] = log_target
    ours = evaluate_whole(spec.formula_source, broadcast(spec, inputs), attributes)["out"]
    assert x.grad is not None
    assert np.allclose(ours.value, x.grad.numpy(), 1e-14, 1e-15)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_likelihood(specs: SpecSet, reduction: str) -> None:
    """Each sample counts with the weight of its class, and one class not at all."""
    random = np.random.default_rng(16)
    x, weight = random.normal(-2, 1, (9, 4)), random.random(4)
    inputs = {"self": x, "target": np.arange(9) % 4, "weight": weight}
    loss = partial(F.nll_loss, ignore_index=2, reduction=reduction)
    theirs = loss(*map(torch.tensor, inputs.values())).numpy()
    attributes = {"reduction": REDUCTIONS.index(reduction), "ignoreIndex": 2}
    ours = evaluate_whole(specs.operator("aclnnNLLLoss").formula_source, inputs, attributes)["out"]
    counts = theirs != 0  # another clause's 0
    assert np.allclose(ours.value[counts], theirs[counts], 1e-14, 1e-15)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_gradient_of_likelihood(specs: SpecSet, reduction: str) -> None:
    """The gradient is PyTorch's at the class of each sample that counts."""
    random, target = np.random.default_rng(18), np.arange(9) % 4
    x, weight = torch.tensor(random.normal(-2, 1, (9, 4)), requires_grad=True), random.random(4)
    loss = F.nll_loss(
        x, torch.tensor(target), torch.tensor(weight), ignore_index=2, reduction=reduction
    )
    gradient = random.normal(0, 1, loss.shape)
    loss.backward(torch.tensor(gradient))
    inputs = {"gradOutput": np.asarray(gradient), "self": x.detach().numpy(), "target": target}
    inputs |= {"weight": weight, "totalWeight": weight[target[target != 2]].sum(keepdims=True)}
    attributes = {"reduction": REDUCTIONS.index(reduction), "ignoreIndex": 2}
    golden = specs.operator("aclnnNLLLossBackward").formula_source
    ours = evaluate_whole(golden, inputs, attributes)["out"].value
    counts = (np.arange(4) == target[:, np.newaxis]) & (target != 2)[:, np.newaxis]
    assert x.grad is not None
    assert np.allclose(np.where(counts, ours, 0.0), x.grad.numpy(), 1e-14, 1e-15)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_weights_of_logits(specs: SpecSet, reduction: str) -> None:
    """Both weights count as PyTorch's do, the one of them stretched."""
    random, shape = np.random.default_rng(15), (7, 5)
    x, target, weight = (
        random.normal(0, 9, shape),
        random.uniform(0, 1, shape),
        random.random((7, 1)),
    )
    positive = random.uniform(0.1, 3, shape)
    tensors = map(torch.tensor, (x, target, weight))
    loss = partial(F.binary_cross_entropy_with_logits, pos_weight=torch.tensor(positive))
    theirs = partial(loss, reduction=reduction)(*tensors).numpy()
    names = ("self", "target", "weightOptional", "posWeightOptional")
    spec = specs.operator("aclnnBinaryCrossEntropyWithLogits")
    inputs = broadcast(spec, dict(zip(names, (x, target, weight, positive), strict=True)))
    attributes = {"reduction": REDUCTIONS.index(reduction)}
    ours = evaluate_whole(spec.formula_source, inputs, attributes)["out"]
    assert np.allclose(ours.value, theirs, 1e-13, 1e-13)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_derivative_of_binary_cross_entropy(specs: SpecSet, reduction: str) -> None:
    """The formula gives what PyTorch's automatic derivative gives, between the ends."""
    random, shape = np.random.default_rng(13), (7, 5)
    inputs = {name: random.uniform(0.01, 0.99, shape) for name in ("self", "target", "weight")}
    x, y, weight = map(torch.tensor, inputs.values())
    gradient = torch.tensor(random.normal(0, 3, shape if reduction == "none" else ()))
    F.binary_cross_entropy(x.requires_grad_(), y, weight, reduction=reduction).backward(gradient)
    spec = specs.operator("aclnnBinaryCrossEntropyBackward")
    inputs = {"gradOutput": gradient.numpy(), **inputs, "weightOptional": inputs.pop("weight")}
    attributes = {"reduction": REDUCTIONS.index(reduction), "count": x.numel()}
    ours = evaluate_whole(spec.formula_source, broadcast(spec, inputs), attributes)["out"]
    assert x.grad is not None
    assert np.allclose(ours.value, x.grad.numpy(), 1e-13, 1e-15)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("operator", LOSSES)
def test_values(specs: SpecSet, operator: str, reduction: str) -> None:
    """The formula gives what PyTorch's loss gives, also of inputs that are stretched."""
    random, spec = np.random.default_rng(11), specs.operator(operator)
    x, y = random.normal(0, 3, (7, 1, 5)), random.normal(0, 3, (4, 1))
    inputs = broadcast(spec, {"self": x, "target": y})
    tensors = (torch.tensor(np.ascontiguousarray(array)) for array in inputs.values())
    theirs = LOSSES[operator](*tensors, reduction=reduction).numpy()
    attributes = {"reduction": REDUCTIONS.index(reduction), "beta": BETA}
    (ours,) = evaluate_whole(spec.formula_source, inputs, attributes).values()
    assert ours.value.shape == theirs.shape
    assert np.allclose(ours.value, theirs, 1e-14, 1e-15)  # PyTorch adds 1 to small exponentials
    assert (ours.error <= 1e-13 * np.maximum(theirs, 1)).all()


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("operator", GRADIENTS)
def test_gradients(specs: SpecSet, operator: str, reduction: str) -> None:
    """The formula gives what PyTorch derives from its loss."""
    random, spec = np.random.default_rng(12), specs.operator(operator)
    gradient, x, y = (random.normal(0, 3, (7, 5)) for _ in range(3))
    if reduction != "none":
        gradient = np.full_like(gradient, gradient[0, 0])
    variable = torch.tensor(x, requires_grad=True)
    loss = GRADIENTS[operator](variable, torch.tensor(y), reduction=reduction)
    theirs = torch.autograd.grad(
        loss, variable, torch.tensor(gradient if loss.dim() else gradient[0, 0])
    )[0].numpy()
    attributes = {"reduction": REDUCTIONS.index(reduction), "beta": BETA}
    attributes |= {"count": x.size, "stretched": x.size}
    inputs = {spec.inputs[0].name: gradient, "self": x, "target": y}
    (ours,) = evaluate_whole(spec.formula_source, inputs, attributes).values()
    assert np.allclose(ours.value, theirs, 1e-13, 0)
    assert (ours.error <= 1e-13 * np.abs(theirs)).all()
