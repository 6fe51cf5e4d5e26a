# SPDX-License-Identifier: Apache-2.0
"""aclnnLayerNorm: out = (input - meanOut) * rstdOut * weight + bias, row by row.

A row is all elements along the axes of normalizedShape. meanOut is its mean, and rstdOut 1 /
sqrt(variance + eps). Modes of aclnnLayerNormWithImplMode other than 0 may compute in float16: that
of 2 does, and the page calls it the least precise.
"""

from __future__ import annotations

import math

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums
from aclnn_cts.golden.operators.group_norm import FILLS, normalise, with_means
from aclnn_cts.spec.data_types import DATA_TYPES

__all__ = ["FILLS", "align", "evaluate"]


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the inputs, the ``mean`` of each row and the ``count`` of its elements."""
    shape = attributes["normalizedShape"]
    count = np.array(float(max(math.prod(shape), 1)))
    return with_means({**inputs, "count": count}, tuple(range(-len(shape), 0)))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    names = ("input", "weightOptional", "biasOptional")
    outputs = ("out", "meanOutOptional", "rstdOutOptional")
    if attributes.get("implMode"):
        on = on.narrow(DATA_TYPES["float16"].grid)
    return (yield from normalise(inputs, names, attributes["eps"], outputs, on))
