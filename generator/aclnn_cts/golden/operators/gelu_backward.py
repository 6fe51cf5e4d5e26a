# SPDX-License-Identifier: Apache-2.0
"""aclnnGeluBackward: gradOutput times Phi(self) + self * phi(self), Phi by the error function."""

from __future__ import annotations

import math
from dataclasses import replace

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.kernel import erfc


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape.

    The value of the distribution function is that of the complement, which keeps its digits far
    below 0.
    """
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    half = on.exact(0.5)
    error = (x / on.rounded(math.sqrt(2))).stored().erf().stored()
    share = replace(half + (half * error).stored(), value=0.5 * erfc(-x.value / math.sqrt(2)))
    bell = (-(half * (x * x).stored()).stored()).exp().stored()
    rest = (x / on.rounded(math.sqrt(2 * math.pi))).stored() * bell
    slope = share.stored() + rest.stored()
    return {"gradInput": Result(gradient * slope.stored(), scope)}
