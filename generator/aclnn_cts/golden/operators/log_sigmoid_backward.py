# SPDX-License-Identifier: Apache-2.0
"""aclnnLogSigmoidBackward: gradInput = gradOutput * (1 / (1 + exp(self)))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape; ``buffer`` is not used."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    one = on.exact(1.0)
    slope = one / (x.exp().stored() + one).stored()
    return {"gradInput": Result(gradient * slope.stored(), scope)}
