# SPDX-License-Identifier: Apache-2.0
"""aclnnLayerNorm: out = (input - meanOut) * rstdOut * weight + bias, row by row.

A row is all elements along the axes of normalizedShape. meanOut is its mean, and rstdOut 1 /
sqrt(variance + eps). Modes of aclnnLayerNormWithImplMode other than 0 may compute in float16: that
of 2 does, and the page calls it the least precise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.operators.group_norm import FILLS, normalise
from aclnn_cts.spec.data_types import DATA_TYPES

__all__ = ["FILLS", "align", "evaluate"]

_NAMES = ("input", "weightOptional", "biasOptional")


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs, the ``mean`` of each row and the ``count`` of its elements."""
    x, count = widen(inputs["input"]), max(math.prod(attributes["normalizedShape"]), 1)
    axes = tuple(range(-len(attributes["normalizedShape"]), 0))
    mean = x.sum(axis=axes, keepdims=True) / count
    return {**inputs, "mean": mean, "count": np.array(float(count))}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    outputs = ("out", "meanOutOptional", "rstdOutOptional")
    if attributes.get("implMode"):
        on = on.narrow(DATA_TYPES["float16"].grid)
    return (yield from normalise(inputs, _NAMES, attributes["eps"], outputs, on))
