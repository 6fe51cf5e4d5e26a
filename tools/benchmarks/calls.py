# SPDX-License-Identifier: Apache-2.0
"""Calls of the five first operators with realistic data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.spec.data_types import DATA_TYPES

Array: TypeAlias = npt.NDArray[Any]

BATCHES, CHANNELS, GROUPS = 2, 8, 4
EPS = 1 / 64
SCALE = 2.0


@dataclass(frozen=True)
class Call:
    """A call.

    Attributes:
        inputs: Arrays by parameter name.
        attributes: Attributes by name.
    """

    operator: str
    inputs: Mapping[str, Array]
    attributes: Mapping[str, Any]


def calls(numel: int, dtype: str) -> Iterator[Call]:
    """Yield calls with about ``numel`` elements each, [2, 8, side, side], in a floating type."""
    kind, draw = DATA_TYPES[dtype].numpy, np.random.default_rng(1)
    side = math.isqrt(numel // (BATCHES * CHANNELS))
    shape = (BATCHES, CHANNELS, side, side)

    def normal(*shape: int) -> Array:
        return draw.standard_normal(shape, np.float32).astype(kind)

    dy, x = normal(*shape), normal(*shape)
    # 3 % of all x lie outside [eps, 1 - eps], and none becomes 0 or 1
    probability = draw.uniform(1 / 256, 255 / 256, shape).astype(kind)
    yield Call("aclnnLogitGrad", {"x": probability, "dy": dy}, {"eps": EPS})
    mask = np.zeros(-(-dy.size // 128) * 16, np.uint8)
    bits = np.packbits(draw.random(shape, np.float32) < 1 / SCALE, bitorder="little")
    mask[: bits.size] = bits
    yield Call("aclnnDropoutBackward", {"gradOutput": dy, "mask": mask}, {"scale": SCALE})
    inputs = {"gradOutput": dy, "self": x, "weight": normal(CHANNELS)}
    yield Call("aclnnPreluBackward", inputs, {})
    yield _max_pool(dy, x, kernel=3, padding=1)
    yield _max_pool(dy, x, kernel=2, padding=0)
    yield _group_norm_swish(dy, x, normal(CHANNELS), normal(CHANNELS))


def _max_pool(dy: Array, x: Array, kernel: int, padding: int) -> Call:
    stride = 2
    height, width = ((extent + 2 * padding - kernel) // stride + 1 for extent in x.shape[2:])
    names = "kernelSize", "stride", "padding", "dilation", "ceilMode"
    window = [kernel] * 2, [stride] * 2, [padding] * 2, [1, 1], False
    return Call(
        "aclnnMaxPool2dWithMaskBackward",
        {"gradOutput": np.ascontiguousarray(dy[..., :height, :width]), "self": x},
        dict(zip(names, window, strict=True)),
    )


def _group_norm_swish(dy: Array, x: Array, gamma: Array, beta: Array) -> Call:
    groups = x.astype(np.float64).reshape(BATCHES, GROUPS, -1)
    mean = groups.mean(2).astype(x.dtype)
    rstd = (1 / np.sqrt(groups.var(2) + 1e-5)).astype(x.dtype)
    attributes = {
        "numGroups": GROUPS,
        "dataFormatOptional": "NCHW",
        "swishScale": 1.0,
        "dgammaIsRequire": True,
        "dbetaIsRequire": True,
    }
    inputs = {"dy": dy, "mean": mean, "rstd": rstd, "x": x, "gamma": gamma, "beta": beta}
    return Call("aclnnGroupNormSwishGrad", inputs, attributes)
