# SPDX-License-Identifier: Apache-2.0
"""aclnnSigmoid: out = 1 / (1 + exp(-self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {"self": widen(inputs["self"])}
    x, one = on.exact(scope["self"]), on.exact(1.0)
    return {"out": Result(one / ((-x).exp().stored() + one).stored(), scope)}
