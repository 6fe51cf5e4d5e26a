# SPDX-License-Identifier: Apache-2.0
"""Calls of several operators whose data hold all special values among ordinary ones."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import BLOCK

SIZE = BLOCK + 1001
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-40, 6e-8, 1e-6, 0.5, 65504.0, 3e38)
TYPES = {"float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
SUMS = ("aclnnPreluBackward", "aclnnGroupNormSwishGrad")

_CHANNELS, _GROUPS = 8, 4
_STATISTICS = {"mean": 0.25, "rstd": 0.75}
_POOLING = {"kernelSize": [3, 2], "stride": [2, 3], "padding": [1, 1], "dilation": [1, 1]}
_ATTRIBUTES: dict[str, dict[str, Any]] = {
    "aclnnLogitGrad": {"eps": 1e-6},
    "aclnnDropoutBackward": {"scale": 2.3},
    "aclnnPreluBackward": {},
    "aclnnGroupNormSwishGrad": {
        "numGroups": _GROUPS,
        "dataFormat": "NCHW",
        "swishScale": 1.0,
        "dgammaIsRequire": True,
        "dbetaIsRequire": True,
    },
    "aclnnMaxPool2dWithMaskBackward": {**_POOLING, "ceilMode": False},
}


def data(seed: int, dtype: str) -> npt.NDArray[Any]:
    """Return ordinary numbers with all special ones among them."""
    found = np.random.default_rng(seed).standard_normal(SIZE).astype(np.float32)
    found[seed : seed + 400 * len(SPECIAL) : 400] = SPECIAL
    found[BLOCK + seed] = np.nan
    with np.errstate(over="ignore"):
        return found.astype(TYPES[dtype])


def special_call(
    operator: str, dtype: str, shape: tuple[int, ...] = (SIZE,)
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return inputs and attributes of a call whose largest tensors have a shape."""
    kind, count, attributes = TYPES[dtype], math.prod(shape), _ATTRIBUTES[operator]
    x, dy = (data(seed, dtype)[:count].reshape(shape) for seed in (1, 2))
    if operator == "aclnnLogitGrad":
        return {"x": x, "dy": dy}, attributes
    if operator == "aclnnDropoutBackward":
        mask = np.random.default_rng(3).integers(0, 256, -(-count // 128) * 16, dtype=np.uint8)
        return {"gradOutput": x, "mask": mask}, attributes
    if operator == "aclnnMaxPool2dWithMaskBackward":
        kernel, stride = _POOLING["kernelSize"], _POOLING["stride"]
        extents = ((n + 2 - k) // s + 1 for n, k, s in zip(shape[2:], kernel, stride, strict=True))
        windows = (*shape[:2], *extents)
        return {"self": x, "gradOutput": dy.reshape(-1)[: math.prod(windows)].reshape(windows)}, (
            attributes
        )
    weight = np.linspace(-1, 1, _CHANNELS).astype(kind)
    if operator == "aclnnPreluBackward":
        return {"gradOutput": dy, "self": x, "weight": weight}, attributes
    x, dy = (np.where(np.isfinite(each), each, kind(2)) for each in (x, dy))
    known = {name: np.full((shape[0], _GROUPS), own, kind) for name, own in _STATISTICS.items()}
    return {"dy": dy, "x": x, **known, "gamma": weight, "beta": weight / 4}, attributes
