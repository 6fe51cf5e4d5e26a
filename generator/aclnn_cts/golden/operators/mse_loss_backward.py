# SPDX-License-Identifier: Apache-2.0
"""aclnnMseLossBackward: 2 gradOutput (self - target), divided by a count for the mean."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import share_of_each


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``gradOutput``, ``self`` and ``target``, which broadcast to its shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "target")}
    gradient, x, y = map(on.exact, scope.values())
    factor = share_of_each(on.exact(2.0), attributes)
    difference = (x - y).stored()
    as_written = (gradient * difference).stored() * factor
    slope_first = gradient * (difference * factor).stored()
    return {"out": Result(either(as_written, slope_first).stored(CONVERTED), scope)}
