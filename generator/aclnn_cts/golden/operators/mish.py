# SPDX-License-Identifier: Apache-2.0
"""aclnnMish: out = self * tanh(log(1 + exp(self)))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.operators.softplus import softplus


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    return {"out": Result(x * gate(x), scope)}


def gate(x: Number) -> Number:
    """Return tanh(log(1 + exp(x)))."""
    return softplus(x).stored().tanh().stored()
