# SPDX-License-Identifier: Apache-2.0
"""aclnnHardswishBackward: gradOutput times the slope of hardswish."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``gradOutput`` and ``self`` of one shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    slope = ((x / on.exact(3.0)).stored() + on.exact(0.5)).stored()
    below, above = x.value < -3, x.value > 3
    beyond = select(below, on.exact(0.0), gradient)
    return {"out": Result(select(below | above, beyond, gradient * slope), scope)}
