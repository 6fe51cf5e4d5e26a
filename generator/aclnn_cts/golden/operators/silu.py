# SPDX-License-Identifier: Apache-2.0
"""aclnnSilu: out = self / (1 + exp(-self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    return {"out": Result(x / ((-x).exp().stored() + on.exact(1.0)).stored(), scope)}
