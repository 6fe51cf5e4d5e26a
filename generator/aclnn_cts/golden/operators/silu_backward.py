# SPDX-License-Identifier: Apache-2.0
"""aclnnSiluBackward: gradOutput times the slope of self / (1 + exp(-self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, added
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    one = on.exact(1.0)
    s = (one / ((-x).exp().stored() + one).stored()).stored()
    slope = s * added(one, x, -(x * s).stored()).stored()
    return {"gradInput": Result(gradient * slope.stored(), scope)}
