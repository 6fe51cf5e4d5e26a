# SPDX-License-Identifier: Apache-2.0
"""aclnnHardsigmoidBackward: gradOutput times the slope of min(max(self / 6 + 1 / 2, 0), 1)."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``gradOutput`` and ``self`` of one shape.

    The page gives no formula: this is the derivative, 0 at the ends -3 and 3, which have none.
    """
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    inside = (x.value > -3) & (x.value < 3)
    quotient = (gradient / on.exact(6.0)).stored(CONVERTED)
    return {"out": Result(select(inside, quotient, on.exact(0.0)), scope)}
