# SPDX-License-Identifier: Apache-2.0
"""aclnnMishBackward: gradOutput times the slope of self * tanh(log(1 + exp(self)))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.operators.mish import gate


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self``, which broadcast to its shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    one, t = on.exact(1.0), gate(x)
    s = (one / ((-x).exp().stored() + one).stored()).stored()
    rest = (x * ((one - (t * t).stored()).stored() * s).stored()).stored()
    slope = (t + rest).stored()
    return {"gradInput": Result((gradient * slope).stored(CONVERTED), scope)}
