# SPDX-License-Identifier: Apache-2.0
"""PyTorch's functions by operator: of one tensor, and conditions.

In float64 they are an oracle of the formulas, in the tensors' own types a device.
"""

from __future__ import annotations

from collections.abc import Callable

import torch  # type: ignore[import-not-found, unused-ignore]
import torch.nn.functional as F  # type: ignore[import-not-found, unused-ignore] # noqa: N812

OF_ONE_TENSOR: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "aclnnAbs": torch.abs,
    "aclnnAcos": torch.acos,
    "aclnnAcosh": torch.acosh,
    "aclnnAsin": torch.asin,
    "aclnnAsinh": torch.asinh,
    "aclnnAtan": torch.atan,
    "aclnnAtanh": torch.atanh,
    "aclnnCeil": torch.ceil,
    "aclnnCos": torch.cos,
    "aclnnCosh": torch.cosh,
    "aclnnErf": torch.erf,
    "aclnnErfc": torch.erfc,
    "aclnnExp": torch.exp,
    "aclnnExp2": torch.exp2,
    "aclnnExpm1": torch.expm1,
    "aclnnFloor": torch.floor,
    "aclnnFrac": torch.frac,
    "aclnnHardswish": F.hardswish,
    "aclnnLog": torch.log,
    "aclnnLog10": torch.log10,
    "aclnnLog1p": torch.log1p,
    "aclnnLog2": torch.log2,
    "aclnnLogSigmoid": F.logsigmoid,
    "aclnnMish": F.mish,
    "aclnnNeg": torch.neg,
    "aclnnReciprocal": torch.reciprocal,
    "aclnnRelu": torch.relu,
    "aclnnRound": torch.round,
    "aclnnRsqrt": torch.rsqrt,
    "aclnnSelu": F.selu,
    "aclnnSigmoid": torch.sigmoid,
    "aclnnSign": torch.sign,
    "aclnnSilu": F.silu,
    "aclnnSin": torch.sin,
    "aclnnSinc": torch.sinc,
    "aclnnSinh": torch.sinh,
    "aclnnSqrt": torch.sqrt,
    "aclnnSquare": torch.square,
    "aclnnTan": torch.tan,
    "aclnnTanh": torch.tanh,
    "aclnnTrunc": torch.trunc,
}
TRUTHS: dict[str, Callable[..., torch.Tensor]] = {
    "aclnnEqTensor": torch.eq,
    "aclnnGeTensor": torch.ge,
    "aclnnGtTensor": torch.gt,
    "aclnnLeTensor": torch.le,
    "aclnnLtTensor": torch.lt,
    "aclnnLogicalAnd": torch.logical_and,
    "aclnnLogicalOr": torch.logical_or,
    "aclnnLogicalXor": torch.logical_xor,
    "aclnnLogicalNot": torch.logical_not,
    "aclnnIsFinite": torch.isfinite,
    "aclnnIsInf": torch.isinf,
    "aclnnIsNegInf": torch.isneginf,
    "aclnnIsPosInf": torch.isposinf,
    "aclnnSignbit": torch.signbit,
}
"""Conditions on one tensor or two; those in place have the same formula."""
