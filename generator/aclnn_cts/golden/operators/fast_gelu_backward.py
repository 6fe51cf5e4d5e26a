# SPDX-License-Identifier: Apache-2.0
"""aclnnFastGeluBackward: gradOutput times the slope of self / (1 + exp(-1.702 * self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    one = on.exact(1.0)
    argument = (on.rounded(-1.702) * x).stored()
    s = (one / (argument.exp().stored() + one).stored()).stored()
    slope = ((((s - one).stored() * argument).stored() + one).stored() * s).stored()
    return {"gradInput": Result(gradient * slope, scope)}
