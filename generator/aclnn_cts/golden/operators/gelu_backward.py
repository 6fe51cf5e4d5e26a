# SPDX-License-Identifier: Apache-2.0
"""aclnnGeluBackward: gradOutput times the slope of gelu, or of gelu as a hyperbolic tangent."""

from __future__ import annotations

import math
from dataclasses import replace

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number, reading
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.kernel import erfc


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    slope = reading(with_erf(x), with_tanh(x))
    return {"gradInput": Result(gradient * slope.stored(), scope)}


def with_erf(x: Number) -> Number:
    """Return Phi(x) + x phi(x), Phi by the error function.

    The value of Phi is that of the complement, which keeps its digits far below 0.
    """
    on, half = x.on, x.on.exact(0.5)
    error = (x / on.rounded(math.sqrt(2))).stored().erf().stored()
    share = replace(half + (half * error).stored(), value=0.5 * erfc(-x.value / math.sqrt(2)))
    bell = (-(half * (x * x).stored()).stored()).exp().stored()
    rest = (x / on.rounded(math.sqrt(2 * math.pi))).stored() * bell
    return share.stored() + rest.stored()


def with_tanh(x: Number) -> Number:
    """Return (1 + t) / 2 + x (1 - t^2) u' / 2, t = tanh(u), u = sqrt(2 / pi) (x + 0.044715 x^3)."""
    on, one, half = x.on, x.on.exact(1.0), x.on.exact(0.5)
    root = on.rounded(math.sqrt(2 / math.pi))
    square = (on.rounded(0.044715) * (x * x).stored()).stored()
    u = (root * (x + (square * x).stored()).stored()).stored()
    t = u.tanh().stored()
    share = (half * (one + t).stored()).stored()
    steepness = (root * (one + (on.exact(3.0) * square).stored()).stored()).stored()
    bell = (one - (t * t).stored()).stored()
    return share + (((half * x).stored() * bell).stored() * steepness).stored()
