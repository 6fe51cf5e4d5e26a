# SPDX-License-Identifier: Apache-2.0
"""aclnnLogSoftmax: out = self - m - log(sum(exp(self - m))), m the largest along an axis."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums
from aclnn_cts.golden.operators.softmax import FILLS, align, exponentials

__all__ = ["FILLS", "align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    del attributes
    below, _, terms = exponentials(inputs, on)
    sums = yield terms
    return {"out": below - sums["total"].stored().log().stored()}
