# SPDX-License-Identifier: Apache-2.0
"""Calls of the five operators with realistic data, and what others take for the same results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from aclnn_cts.spec.data_types import DATA_TYPES

Array: TypeAlias = npt.NDArray[Any]

BATCHES, CHANNELS, GROUPS = 2, 8, 4
EPS = 1 / 64
SCALE = 2.0


@dataclass(frozen=True)
class Call:
    """A call and its competitor.

    Attributes:
        title: Names the call in a table.
        operator: The operator.
        inputs: Arrays by parameter name.
        attributes: Attributes by name.
        partner: Returns the outputs by name, in one thread: PyTorch's own gradient, in the type of
            the inputs; of GroupNormSwishGrad, which PyTorch does not have, float64 NumPy.
    """

    title: str
    operator: str
    inputs: Mapping[str, Array]
    attributes: Mapping[str, Any]
    partner: Callable[[], dict[str, Any]]


def calls(numel: int, dtype: str) -> Iterator[Call]:
    """Yield calls with about ``numel`` elements each, [2, 8, side, side], in a floating type."""
    kind, draw = DATA_TYPES[dtype].numpy, np.random.default_rng(1)
    side = math.isqrt(numel // (BATCHES * CHANNELS))
    shape = (BATCHES, CHANNELS, side, side)

    def normal(*shape: int) -> Array:
        return draw.standard_normal(shape, np.float32).astype(kind)

    dy, x = normal(*shape), normal(*shape)
    yield _logit(dy, draw.uniform(1 / 256, 255 / 256, shape).astype(kind))  # no x becomes 0 or 1
    yield _dropout(dy, draw.random(shape, np.float32) < 1 / SCALE)
    yield _prelu(dy, x, normal(CHANNELS))
    yield _max_pool(dy, x, kernel=3, padding=1)
    yield _max_pool(dy, x, kernel=2, padding=0)
    yield _group_norm_swish(dy, x, normal(CHANNELS), normal(CHANNELS))


def _tensor(array: Array) -> torch.Tensor:
    own = getattr(torch, array.dtype.name)
    return torch.from_numpy(array.astype(np.float32)).to(own)  # PyTorch knows no ml_dtypes


def _logit(dy: Array, x: Array) -> Call:
    """3 % of all x lie outside [eps, 1 - eps]."""
    gradient, probability = _tensor(dy), _tensor(x)
    return Call(
        "LogitGrad",
        "aclnnLogitGrad",
        {"x": x, "dy": dy},
        {"eps": EPS},
        lambda: {"out": torch.ops.aten.logit_backward(gradient, probability, EPS)},
    )


def _dropout(dy: Array, keep: npt.NDArray[np.bool_]) -> Call:
    gradient, kept = _tensor(dy), torch.from_numpy(keep)
    mask = np.zeros(-(-dy.size // 128) * 16, np.uint8)
    bits = np.packbits(keep, bitorder="little")
    mask[: bits.size] = bits
    return Call(
        "DropoutBackward",
        "aclnnDropoutBackward",
        {"gradOutput": dy, "mask": mask},
        {"scale": SCALE},
        lambda: {"out": torch.ops.aten.native_dropout_backward(gradient, kept, SCALE)},
    )


def _prelu(dy: Array, x: Array, weight: Array) -> Call:
    gradient, own, slope = _tensor(dy), _tensor(x), _tensor(weight).reshape(-1, 1, 1)
    backward = torch.ops.aten._prelu_kernel_backward  # noqa: SLF001 - the public one is autograd

    def partner() -> dict[str, Any]:
        by_input, by_weight = backward(gradient, own, slope)
        return {"gradInput": by_input, "gradWeight": by_weight.sum((0, 2, 3))}

    inputs = {"gradOutput": dy, "self": x, "weight": weight}
    return Call("PreluBackward", "aclnnPreluBackward", inputs, {}, partner)


def _max_pool(dy: Array, x: Array, kernel: int, padding: int) -> Call:
    """The partner finds the maxima, too, as the golden data do."""
    stride = 2
    height, width = ((extent + 2 * padding - kernel) // stride + 1 for extent in x.shape[2:])
    gradient = np.ascontiguousarray(dy[..., :height, :width])
    given, own = _tensor(gradient), _tensor(x)
    window = [kernel] * 2, [stride] * 2, [padding] * 2, [1, 1], False

    def partner() -> dict[str, Any]:
        _, places = torch.ops.aten.max_pool2d_with_indices(own, *window)
        backward = torch.ops.aten.max_pool2d_with_indices_backward
        return {"gradInput": backward(given, own, *window, places)}

    names = "kernelSize", "stride", "padding", "dilation", "ceilMode"
    return Call(
        f"MaxPool2d {kernel}x{kernel} stride {stride}",
        "aclnnMaxPool2dWithMaskBackward",
        {"gradOutput": gradient, "self": x},
        dict(zip(names, window, strict=True)),
        partner,
    )


def _group_norm_swish(dy: Array, x: Array, gamma: Array, beta: Array) -> Call:
    groups = x.astype(np.float64).reshape(BATCHES, GROUPS, -1)
    mean = groups.mean(2).astype(x.dtype)
    rstd = (1 / np.sqrt(groups.var(2) + 1e-5)).astype(x.dtype)
    inputs = {"dy": dy, "mean": mean, "rstd": rstd, "x": x, "gamma": gamma, "beta": beta}
    wide = {name: array.astype(np.float64) for name, array in inputs.items()}
    attributes = {
        "numGroups": GROUPS,
        "dataFormatOptional": "NCHW",
        "swishScale": 1.0,
        "dgammaIsRequire": True,
        "dbetaIsRequire": True,
    }
    return Call(
        "GroupNormSwishGrad",
        "aclnnGroupNormSwishGrad",
        inputs,
        attributes,
        lambda: group_norm_swish_gradients(**wide),
    )


def group_norm_swish_gradients(
    dy: Array, mean: Array, rstd: Array, x: Array, gamma: Array, beta: Array
) -> dict[str, Array]:
    """Return the gradients with a swishScale of 1, in the type of the inputs."""
    by_group = *mean.shape, x.shape[1] // mean.shape[1], -1
    mean, rstd = mean[..., np.newaxis, np.newaxis], rstd[..., np.newaxis, np.newaxis]
    gamma, beta = gamma.reshape(1, *by_group[1:3], 1), beta.reshape(1, *by_group[1:3], 1)
    normal = (x.reshape(by_group) - mean) * rstd
    z = normal * gamma + beta
    logistic = 1 / (1 + np.exp(-z))
    slope = dy.reshape(by_group) * logistic * (1 + z * (1 - logistic))
    weighted, projected = slope * gamma, slope * normal
    inner = (projected * gamma).mean((2, 3), keepdims=True)
    outer = weighted.mean((2, 3), keepdims=True)
    return {
        "dxOut": (rstd * (weighted - normal * inner - outer)).reshape(x.shape),
        "dgammaOut": projected.sum((0, 3)).reshape(-1),
        "dbetaOut": slope.sum((0, 3)).reshape(-1),
    }


def mixed_rule(actual: Array, golden: Array, rtol: float, atol: float) -> tuple[int, float, float]:
    """Return the mismatches, and the largest absolute and relative error, as vendors' kits do.

    An element matches with |actual - golden| <= atol + rtol * |golden|, or as the same Inf or NaN.
    Both arrays have the output's own type; the rule computes in float32.
    """
    a, e = actual.astype(np.float32, copy=False), golden.astype(np.float32, copy=False)
    with np.errstate(all="ignore"):
        size, error = np.abs(e), np.abs(a - e)
        same = (a == e) | (np.isnan(a) & np.isnan(e))
        matches = same | ((error <= atol + rtol * size) & np.isfinite(e))
        error[same] = 0
        relative = error / (size + np.finfo(np.float32).tiny)
    mismatches = matches.size - int(np.count_nonzero(matches))
    return mismatches, float(error.max()), float(relative.max())
