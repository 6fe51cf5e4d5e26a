# SPDX-License-Identifier: Apache-2.0
"""aclnnSquaredRelu: out = max(0, input)^2."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {"input": widen(inputs["input"])}
    x = on.exact(scope["input"])
    relu = select(x.value <= 0, on.exact(0.0), x)
    return {"out": Result(relu * relu, scope)}
