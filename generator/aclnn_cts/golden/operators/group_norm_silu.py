# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSilu and aclnnGroupNormSiluV2: out = y / (1 + exp(-y)), y as by aclnnGroupNorm.

Without activateSilu, an attribute of the latter, out is y itself.
"""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums
from aclnn_cts.golden.operators import group_norm
from aclnn_cts.golden.operators.group_norm import FILLS, align
from aclnn_cts.golden.operators.group_norm_swish import swish

__all__ = ["FILLS", "align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    results = yield from group_norm.evaluate(inputs, attributes, on)
    if attributes.get("activateSilu", True):
        results["out"] = swish(results["out"].pass_on())
    return results
