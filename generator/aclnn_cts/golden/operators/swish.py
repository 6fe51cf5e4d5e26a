# SPDX-License-Identifier: Apache-2.0
"""aclnnSwish: out = self / (1 + exp(-beta * self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``."""
    scope = {"self": widen(inputs["self"])}
    x, beta = on.exact(scope["self"]), on.scalar(float(attributes["betaOptional"]))
    divisor = ((-(beta * x)).stored().exp().stored() + on.exact(1.0)).stored()
    return {"out": Result(x / divisor, scope)}
