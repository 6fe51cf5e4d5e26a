# SPDX-License-Identifier: Apache-2.0
"""Operators as PyTorch's kernels compute them, in the data types of a call.

A kernel gets the inputs in the order of the prototype, None for an absent one, then the attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found, unused-ignore]
import torch.nn.functional as F  # type: ignore[import-not-found, unused-ignore] # noqa: N812
from tests.torch_functions import OF_ONE_TENSOR, TRUTHS

from aclnn_cts.spec.data_types import DATA_TYPES

Array = npt.NDArray[Any]
Kernel = Callable[..., Any]
"""Returns a tensor, or several in the order of the outputs."""

aten = torch.ops.aten
_REDUCTIONS = ("none", "mean", "sum")


def _loss(function: Callable[..., torch.Tensor]) -> Kernel:
    """Return a loss whose first attribute is the reduction."""
    return lambda x, target, reduction: function(x, target, reduction=_REDUCTIONS[reduction])


def _swish(x: torch.Tensor, beta: float | None) -> torch.Tensor:
    return x / (1 + torch.exp(-(1.0 if beta is None else float(beta)) * x))


def _swish_backward(gradient: torch.Tensor, x: torch.Tensor, beta: float | None) -> torch.Tensor:
    rate = 1.0 if beta is None else float(beta)
    s = torch.sigmoid(rate * x)
    return gradient * (s + rate * x * s * (1 - s))


def _elu_backward(gradient: torch.Tensor, x: torch.Tensor, *attributes: Any) -> Any:
    return aten.elu_backward(gradient, *attributes, x)


def _avg_pool2d(x: torch.Tensor, *attributes: Any) -> Any:
    """Return averages; a divisor of 0 is none, and nothing says how to multiply matrices."""
    *windows, divisor, _ = attributes
    return aten.avg_pool2d(x, *windows, divisor or None)


def _log_sigmoid_backward(gradient: torch.Tensor, x: torch.Tensor, _: torch.Tensor) -> Any:
    """Return the gradient; PyTorch's buffer is not what callers pass, which the page ignores."""
    return aten.log_sigmoid_backward(gradient, x, aten.log_sigmoid_forward(x)[1])


def _of_integers(divide: Kernel) -> Kernel:
    """Return a kernel of quotients; an integer, which it does not divide by 0, remains itself."""

    def divided(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if x.is_floating_point() or y.is_floating_point():
            return divide(x, y)
        return torch.where(y == 0, x, divide(x, torch.where(y == 0, 1, y)))

    return divided


KERNELS: Mapping[str, Kernel] = {
    **OF_ONE_TENSOR,
    **TRUTHS,
    "aclnnAdaptiveAvgPool2d": F.adaptive_avg_pool2d,
    "aclnnAvgPool2d": _avg_pool2d,
    "aclnnBinaryCrossEntropy": aten.binary_cross_entropy,
    "aclnnBinaryCrossEntropyBackward": aten.binary_cross_entropy_backward,
    "aclnnBinaryCrossEntropyWithLogits": aten.binary_cross_entropy_with_logits,
    "aclnnCelu": F.celu,
    "aclnnElu": aten.elu,
    "aclnnEluBackward": _elu_backward,
    "aclnnGelu": lambda x: F.gelu(x, approximate="tanh"),
    "aclnnGeluBackward": aten.gelu_backward,
    "aclnnGeluV2": lambda x, way: F.gelu(x, approximate=("none", "tanh")[way]),
    "aclnnGlu": F.glu,
    "aclnnGluBackward": aten.glu_backward,
    "aclnnGroupNorm": aten.native_group_norm,
    "aclnnHardshrink": F.hardshrink,
    "aclnnHardshrinkBackward": aten.hardshrink_backward,
    "aclnnHardsigmoid": F.hardsigmoid,
    "aclnnHardsigmoidBackward": aten.hardsigmoid_backward,
    "aclnnHardswishBackward": aten.hardswish_backward,
    "aclnnHardswishBackwardV2": aten.hardswish_backward,
    "aclnnHardtanhBackward": aten.hardtanh_backward,
    "aclnnL1Loss": _loss(F.l1_loss),
    "aclnnLayerNorm": lambda x, weight, bias, shape, eps: aten.native_layer_norm(
        x, shape, weight, bias, eps
    ),
    "aclnnLeakyRelu": F.leaky_relu,
    "aclnnLeakyReluBackward": aten.leaky_relu_backward,
    "aclnnLogSigmoidBackward": _log_sigmoid_backward,
    "aclnnLogSoftmax": torch.log_softmax,
    "aclnnLogSoftmaxBackward": lambda g, y, dim: aten._log_softmax_backward_data(
        g, y, dim, y.dtype
    ),
    "aclnnLogit": torch.logit,
    "aclnnLogitGrad": lambda x, gradient, eps: aten.logit_backward(gradient, x, eps),
    "aclnnMaxPool2dWithIndices": aten.max_pool2d_with_indices,
    "aclnnMishBackward": aten.mish_backward,
    "aclnnMseLoss": _loss(F.mse_loss),
    "aclnnMseLossBackward": aten.mse_loss_backward,
    "aclnnPrelu": torch.prelu,
    "aclnnSigmoidBackward": aten.sigmoid_backward,
    "aclnnSiluBackward": aten.silu_backward,
    "aclnnSmoothL1Loss": aten.smooth_l1_loss,
    "aclnnSmoothL1LossBackward": aten.smooth_l1_loss_backward,
    "aclnnSoftMarginLoss": _loss(F.soft_margin_loss),
    "aclnnSoftMarginLossBackward": aten.soft_margin_loss_backward,
    "aclnnSoftmax": torch.softmax,
    "aclnnSoftmaxBackward": lambda g, y, dim: aten._softmax_backward_data(g, y, dim, y.dtype),
    "aclnnSoftplus": F.softplus,
    "aclnnSoftplusBackward": aten.softplus_backward,
    "aclnnSoftshrink": F.softshrink,
    "aclnnSoftshrinkBackward": aten.softshrink_backward,
    "aclnnSquaredRelu": lambda x: torch.relu(x) ** 2,
    "aclnnSwish": _swish,
    "aclnnSwishBackward": _swish_backward,
    "aclnnTanhBackward": aten.tanh_backward,
    "aclnnThreshold": F.threshold,
    "aclnnThresholdBackward": aten.threshold_backward,
    "aclnnAdd": lambda x, y, alpha: torch.add(x, y, alpha=alpha),
    "aclnnAddV3": lambda y, x, alpha: torch.add(x, y, alpha=alpha),
    "aclnnAddcdiv": lambda x, y, z, value: torch.addcdiv(x, y, z, value=value),
    "aclnnAddcmul": lambda x, y, z, value: torch.addcmul(x, y, z, value=value),
    "aclnnAdds": lambda x, y, alpha: torch.add(x, y, alpha=alpha),
    "aclnnAtan2": torch.atan2,
    "aclnnClamp": torch.clamp,
    "aclnnClampMax": torch.clamp_max,
    "aclnnClampMaxTensor": torch.minimum,
    "aclnnClampMin": torch.clamp_min,
    "aclnnClampMinTensor": torch.maximum,
    # where the limits cross, torch.clamp takes the upper one and the page's formula the lower one
    "aclnnClampTensor": lambda x, least, most: torch.maximum(torch.minimum(x, most), least),
    "aclnnDiv": torch.div,
    "aclnnDivs": torch.div,
    "aclnnInplaceBitwiseAndScalar": torch.bitwise_and,
    "aclnnInplaceBitwiseAndTensor": torch.bitwise_and,
    "aclnnInplaceAdds": lambda x, y, alpha: torch.add(x, y, alpha=alpha),
    "aclnnLogAddExp": torch.logaddexp,
    "aclnnLogAddExp2": torch.logaddexp2,
    "aclnnXLogYScalarOther": torch.xlogy,
    "aclnnXLogYScalarSelf": lambda y, x: torch.xlogy(x, y),
    "aclnnXLogYTensor": torch.xlogy,
    "aclnnFloorDivide": _of_integers(torch.floor_divide),
    "aclnnFloorDivides": torch.floor_divide,
    "aclnnFmodTensor": _of_integers(torch.fmod),
    "aclnnRemainderTensorTensor": _of_integers(torch.remainder),
    "aclnnRemainderTensorScalar": lambda x, y: torch.remainder(x, y) if y else x,
    "aclnnRemainderScalarTensor": lambda y, x: _of_integers(torch.remainder)(torch.tensor(x), y),
    "aclnnLerp": torch.lerp,
    "aclnnLerps": torch.lerp,
    "aclnnMaximum": torch.maximum,
    "aclnnMinimum": torch.minimum,
    "aclnnMul": torch.mul,
    "aclnnMuls": torch.mul,
    "aclnnPowScalarTensor": lambda y, x: torch.pow(x, y),
    "aclnnPowTensorScalar": torch.pow,
    "aclnnPowTensorTensor": torch.pow,
    "aclnnRsub": lambda x, y, alpha: torch.rsub(x, y, alpha=alpha),
    "aclnnRsubs": lambda x, y, alpha: torch.rsub(x, y, alpha=alpha),
    "aclnnSub": lambda x, y, alpha: torch.sub(x, y, alpha=alpha),
    "aclnnSubs": lambda x, y, alpha: torch.sub(x, y, alpha=alpha),
    "aclnnBitwiseAndScalar": torch.bitwise_and,
    "aclnnBitwiseAndTensor": torch.bitwise_and,
    "aclnnBitwiseNot": torch.bitwise_not,
    "aclnnBitwiseOrScalar": torch.bitwise_or,
    "aclnnBitwiseOrTensor": torch.bitwise_or,
    "aclnnBitwiseXorScalar": torch.bitwise_xor,
    "aclnnBitwiseXorTensor": torch.bitwise_xor,
    "aclnnEqScalar": torch.eq,
    "aclnnNeScalar": torch.ne,
    "aclnnGeScalar": torch.ge,
    "aclnnGtScalar": torch.gt,
    "aclnnLeScalar": torch.le,
    "aclnnLtScalar": torch.lt,
}


@dataclass(frozen=True)
class Difference:
    """Elements for which PyTorch's kernel is no right device.

    Attributes:
        reason: Where page and kernel differ.
        where: Returns a mask of the elements, or whether the call is meant, from the inputs in
            float64, the attributes and the operator's leading data type.
    """

    reason: str
    where: Callable[[Mapping[str, Array], Mapping[str, Any], str], Any]


def _near(x: Array, *bounds: float) -> Any:
    return np.any([np.isclose(x, bound, rtol=1e-2) for bound in bounds], axis=0)


def _is_normal(x: Array, dtype: str) -> Any:
    grid = DATA_TYPES[dtype].grid
    return (np.abs(x) >= grid.smallest_normal) & (np.abs(x) < grid.overflow)


_IN_HALVES = "each step is rounded to the halves' type, by a formula that is not the page's"
_ERF = "PyTorch's error function is a polynomial, off by some 1e-7"
CLAMP = 1e-12
EDGE = 3.0
HALF = 0.5
LARGE = 1e38
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")

DIFFERENCES: Mapping[str, Difference] = {
    "aclnnBinaryCrossEntropyBackward": Difference(
        f"PyTorch bounds x * (1 - x) by 1e-12; {_IN_HALVES}",
        lambda x, _, dtype: (dtype != "float32") | (x["self"] * (1 - x["self"]) < CLAMP),
    ),
    "aclnnBinaryCrossEntropyWithLogits": Difference(_IN_HALVES, lambda *a: a[2] != "float32"),
    "aclnnErf": Difference(_ERF, lambda x, *_: np.abs(x["self"]) < HALF),
    "aclnnFloorDivide": Difference(
        f"quotients of and by Inf are those of Python's numbers; {_IN_HALVES}",
        lambda x, _, dtype: (
            (dtype in ("float16", "bfloat16")) | ~(np.isfinite(x["self"]) & np.isfinite(x["other"]))
        ),
    ),
    "aclnnFloorDivides": Difference(
        "PyTorch's quotient of Inf is NaN, as that of Python's numbers",
        lambda x, *_: ~np.isfinite(x["self"]),
    ),
    "aclnnGeluBackward": Difference(_ERF, lambda x, *_: x["self"] < 1),
    "aclnnGeluV2": Difference(
        f"{_ERF}, and not finite near the largest numbers",
        lambda x, a, _: (a["approximate"] == 0) & ~((x["x"] >= HALF) & (x["x"] < LARGE)),
    ),
    "aclnnHardshrinkBackward": Difference(
        "the page treats a lambd below 0 as 0", lambda _, a, __: a["lambd"] < 0
    ),
    "aclnnHardswish": Difference(
        "PyTorch computes x * 6 / 6 above 3, and -Inf * 0 for -Inf",
        lambda x, *_: (x["self"] > EDGE) | (x["self"] == -np.inf),
    ),
    "aclnnHardswishBackward": Difference(
        "the page counts -3 and 3 to the middle",
        lambda x, *_: np.abs(x["self"]) == EDGE,
    ),
    "aclnnHardtanhBackward": Difference(
        "the page counts min and max to the middle",
        lambda x, a, _: (x["self"] == a["min"]) | (x["self"] == a["max"]),
    ),
    "aclnnLerp": Difference(
        "for weights beyond 1/2 PyTorch computes end - (end - start) * (1 - weight)",
        lambda x, *_: np.abs(x["weight"]) >= HALF,
    ),
    "aclnnLerps": Difference(
        "for weights beyond 1/2 PyTorch computes end - (end - start) * (1 - weight)",
        lambda _, a, __: abs(a["weight"]) >= HALF,
    ),
    "aclnnLogitGrad": Difference(
        "the page has sentences on eps of its own, and compares with eps as it is, not rounded",
        lambda x, a, _: (
            not -LARGE <= a["eps"] < HALF
            or -HALF < a["eps"] < 0
            or _near(x["x"], a["eps"], 1 - a["eps"])
        ),
    ),
    "aclnnMseLossBackward": Difference(
        "PyTorch rounds 2 / count to a half, the page's factor is none of the tensors' type",
        lambda _, a, dtype: dtype != "float32" and a["reduction"] == 1,
    ),
    "aclnnSigmoidBackward": Difference(
        "PyTorch's order of the product has partial products beyond the range of float16",
        lambda x, _, dtype: (
            dtype == "float16" and ~_is_normal(x["gradOutput"] * (1 - x["output"]), dtype)
        ),
    ),
    "aclnnSmoothL1LossBackward": Difference(
        "without a beta PyTorch takes -1 as the sign of 0",
        lambda x, a, _: a["beta"] == 0 and x["self"] == x["target"],
    ),
    "aclnnSoftMarginLossBackward": Difference(_IN_HALVES, lambda *a: a[2] != "float32"),
    "aclnnSwishBackward": Difference(_IN_HALVES, lambda *a: a[2] != "float32"),
    "aclnnThreshold": Difference(
        "scalars with a fraction are converted to the type of integer tensors",
        lambda _, a, dtype: dtype in _INTEGERS and any(each % 1 for each in a.values()),
    ),
}
"""By operator; the one in place has those of the other."""
