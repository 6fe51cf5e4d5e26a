# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSiluV2: out = y / (1 + exp(-y)), y being what aclnnGroupNorm returns.

Without activateSilu out is y itself.
"""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums
from aclnn_cts.golden.operators.group_norm import FILLS, align, normalise
from aclnn_cts.golden.operators.group_norm_swish import swish

__all__ = ["FILLS", "align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    outputs = ("out", "meanOut", "rstdOut")
    results = yield from normalise(
        inputs, ("self", "gamma", "beta"), attributes["eps"], outputs, on
    )
    return (
        {**results, "out": swish(results["out"].pass_on())}
        if attributes["activateSilu"]
        else results
    )
