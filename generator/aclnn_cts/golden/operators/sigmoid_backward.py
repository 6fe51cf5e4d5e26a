# SPDX-License-Identifier: Apache-2.0
"""aclnnSigmoidBackward: gradOutput * output * (1 - output)."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``output`` of one shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "output")}
    gradient, y = map(on.exact, scope.values())
    rest = (on.exact(1.0) - y).stored()
    as_written = (gradient * y).stored() * rest
    slope_first = gradient * (y * rest).stored()
    return {"gradInput": Result(either(as_written, slope_first).stored(CONVERTED), scope)}
