# SPDX-License-Identifier: Apache-2.0
"""aclnnEluBackward: gradOutput times the slope of elu, from its input or its result."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``selfOrResult`` of one shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "selfOrResult")}
    gradient, x = map(on.exact, scope.values())
    names = ("alpha", "scale", "inputScale")
    alpha, scale, rate = (on.scalar(float(attributes[name])) for name in names)
    factor = (alpha * scale).stored()
    if attributes["isResult"]:
        below = rate * (x + factor.addend()).stored()
    else:
        below = (rate * factor).stored() * (x * rate).stored().exp().stored()
    slope = select(np.greater(x.value, 0), scale, below.stored())
    share = alpha.share + scale.share + rate.share
    return {"gradInput": Result((gradient * slope).stored(CONVERTED), scope, shared=share)}
