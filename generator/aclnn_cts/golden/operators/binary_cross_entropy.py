# SPDX-License-Identifier: Apache-2.0
"""aclnnBinaryCrossEntropy: -weight (target log(self) + (1 - target) log(1 - self)), or its mean."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced

__all__ = ["align", "evaluate"]

FILLS = {"own-labels": lambda block, _: (block.bits >> np.uint64(63)).astype(np.float64)}
"""Each element 0 or 1."""


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    scope = {name: widen(inputs[name]) for name in ("self", "target", "weight")}
    x, target, weight = map(on.exact, scope.values())
    one = on.exact(1.0)
    own = (target * x.log().stored()).stored()
    other = ((one - target).stored() * (one - x).stored().log().stored()).stored()
    losses = ((own + other).stored() * -weight).stored()
    return (yield from reduced(losses, inputs, scope, attributes))
