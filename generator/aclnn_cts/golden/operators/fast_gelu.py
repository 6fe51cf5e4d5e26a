# SPDX-License-Identifier: Apache-2.0
"""aclnnFastGelu: out = self / (1 + exp(-1.702 * self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    grown = (on.rounded(-1.702) * x).stored().exp().stored()
    return {"out": Result(x / (grown + on.exact(1.0)).stored(), scope)}
