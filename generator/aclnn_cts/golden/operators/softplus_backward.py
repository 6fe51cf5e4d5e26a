# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftplusBackward: gradOutput / (1 + exp(-beta * self)), and gradOutput above threshold."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    beta, one = on.scalar(float(attributes["beta"])), on.exact(1.0)
    scaled = (beta * x).stored()
    divisor = ((-scaled).exp().stored() + one).stored()
    curved = either(gradient * (one / divisor).stored(), gradient / divisor)
    # The same quotient after its terms were multiplied by the inverse exponential.
    power = scaled.exp()
    curved = either(curved, gradient * power / (power + one))
    above = np.greater(scaled.value, float(attributes["threshold"]))
    return {"gradInput": Result(select(above, gradient, curved), scope)}
