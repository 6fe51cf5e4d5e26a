# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSilu: out = y / (1 + exp(-y)), y being what aclnnGroupNorm returns."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums
from aclnn_cts.golden.operators import group_norm_silu_v2
from aclnn_cts.golden.operators.group_norm import FILLS, align

__all__ = ["FILLS", "align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    active = {**attributes, "activateSilu": True}
    return (yield from group_norm_silu_v2.evaluate(inputs, active, on))
