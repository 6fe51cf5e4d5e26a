# SPDX-License-Identifier: Apache-2.0
"""aclnnMseLossBackward: 2 gradOutput (self - target), divided by a count for the mean."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, Number, either, reading
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``gradOutput``, ``self`` and ``target``, which broadcast to its shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "target")}
    gradient, x, y = map(on.exact, scope.values())
    factor = _factor(attributes, on)
    difference = (x - y).stored()
    as_written = (gradient * difference).stored() * factor
    slope_first = gradient * (difference * factor).stored()
    return {"out": Result(either(as_written, slope_first).stored(CONVERTED), scope)}


def _factor(attributes: Attributes, on: Arithmetic) -> Number:
    """Return 2, for the mean divided by the elements of self, or by those of out."""
    factor = on.exact(2.0)
    if attributes["reduction"] != 1:
        return factor
    counts = (on.exact(float(attributes[name])) for name in ("count", "stretched"))
    return reading(*(factor / count for count in counts))
