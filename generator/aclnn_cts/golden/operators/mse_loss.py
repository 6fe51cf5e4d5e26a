# SPDX-License-Identifier: Apache-2.0
"""aclnnMseLoss: (self - target)^2, its mean or its sum."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced

__all__ = ["align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    scope = {name: widen(inputs[name]) for name in ("self", "target")}
    x, y = map(on.exact, scope.values())
    difference = (x - y).stored()
    return (yield from reduced((difference * difference).stored(), inputs, scope, attributes))
