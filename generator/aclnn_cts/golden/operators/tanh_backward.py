# SPDX-License-Identifier: Apache-2.0
"""aclnnTanhBackward: gradOutput * (1 - output^2)."""

from __future__ import annotations

from dataclasses import replace

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``output`` of one shape.

    The value is that of (1 - output) (1 + output), which keeps its digits where output is nearly 1.
    """
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "output")}
    gradient, y = map(on.exact, scope.values())
    slope = on.exact(1.0) - (y * y).stored()
    slope = replace(slope, value=(1 - y.value) * (1 + y.value))
    return {"gradInput": Result(gradient * slope.stored(), scope)}
