# SPDX-License-Identifier: Apache-2.0
"""aclnnHardswish: 0 up to -3, self from 3 on, and self * (self + 3) / 6 between."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    between = (x * (x + on.exact(3.0)).stored()).stored() / on.exact(6.0)
    below, above = x.value <= -3, x.value >= 3
    beyond = select(below, on.exact(0.0), x)
    return {"out": Result(select(below | above, beyond, between.stored(CONVERTED)), scope)}
