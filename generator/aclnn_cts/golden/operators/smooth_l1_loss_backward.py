# SPDX-License-Identifier: Apache-2.0
"""aclnnSmoothL1LossBackward: gradOut times (self - target) / beta, between -1 and 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number, reading, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import gradient_by


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for the three inputs, which broadcast to its shape.

    The page derives for a beta of 1, and names beta as where the loss bends.
    """
    scope = {name: widen(inputs[name]) for name in ("gradOut", "self", "target")}
    gradient, x, y = map(on.exact, scope.values())
    one, difference = on.exact(1.0), (x - y).stored()
    beta = reading(on.scalar(float(attributes["beta"])), one)
    slope = _slope(difference, beta).stored()
    return {"gradInput": Result(gradient_by(slope, gradient, attributes), scope)}


def _slope(difference: Number, beta: Number) -> Number:
    """Return the difference as a share of beta, and its sign where it is not below beta.

    Where a rounding may decide between the two, either is that share.
    """
    size, one = abs(difference), difference.on.exact(1.0)
    share = difference / beta
    bounded = replace(share, value=np.minimum(np.maximum(share.value, -1.0), 1.0))
    nothing = np.equal(size.value, 0.0)
    sign = select(nothing, difference, one.with_sign_of(difference))
    return select(np.less(size.value, 2.0 * beta.value), bounded, sign)
