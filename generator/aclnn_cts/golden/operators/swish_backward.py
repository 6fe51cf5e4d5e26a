# SPDX-License-Identifier: Apache-2.0
"""aclnnSwishBackward: gradOutput times the slope of self / (1 + exp(-beta * self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape.

    The page writes the slope in two ways, which differ in the intermediate results.
    """
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    beta, one = on.scalar(float(attributes["betaOptional"])), on.exact(1.0)
    bx = (beta * x).stored()
    s = (one / ((-bx).exp().stored() + one).stored()).stored()
    slope = s * (one + (bx * (one - s).stored()).stored()).stored()
    swish = (beta * (x * s).stored()).stored()
    other = swish + (s * (one - swish).stored()).stored()
    return {"gradInput": Result(gradient * either(slope.stored(), other.stored()), scope)}
