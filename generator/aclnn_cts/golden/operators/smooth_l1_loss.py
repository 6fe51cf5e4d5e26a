# SPDX-License-Identifier: Apache-2.0
"""aclnnSmoothL1Loss: |self - target| less beta / 2, a parabola below beta; its mean or its sum."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced

__all__ = ["align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``result`` for the aligned inputs.

    A device may take the other branch beside beta. There they differ by less than what the
    difference and beta are off.
    """
    scope = {name: widen(inputs[name]) for name in ("self", "target")}
    x, y = map(on.exact, scope.values())
    half, beta = on.exact(0.5), on.scalar(float(attributes["beta"]))
    distance = abs((x - y).stored())
    near = (half * (distance * distance).stored()).stored() / beta
    far = distance - (half * beta).stored()
    losses = select(np.less(distance.value, beta.value), near.stored(), far.stored())
    return (yield from reduced(losses, inputs, scope, attributes, "result"))
