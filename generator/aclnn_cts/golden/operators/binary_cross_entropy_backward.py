# SPDX-License-Identifier: Apache-2.0
"""aclnnBinaryCrossEntropyBackward: gradOutput weight (self - target) / (self (1 - self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, Number, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import MEAN, share_of_each
from aclnn_cts.golden.operators.binary_cross_entropy import FILLS

__all__ = ["FILLS", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for the four inputs, which broadcast to its shape."""
    scope = {
        name: widen(inputs[name]) for name in ("gradOutput", "self", "target", "weightOptional")
    }
    gradient, x, target, weight = map(on.exact, scope.values())
    divisor = (x * (on.exact(1.0) - x).stored()).stored()
    slope = ((x - target).stored() / divisor).stored()
    out = _product(gradient, weight, slope)
    if attributes["reduction"] == MEAN:
        share = share_of_each(on.exact(1.0), attributes)
        share_first = _product((gradient * share.stored()).stored(), weight, slope)
        out = either(share_first, out.stored() * share)
    return {"out": Result(out.stored(CONVERTED), scope)}


def _product(gradient: Number, weight: Number, slope: Number) -> Number:
    """Return a product of three, whichever two are multiplied first: that may overflow."""
    weight_first = (gradient * weight).stored() * slope
    slope_first = (gradient * slope).stored() * weight
    return either(either(weight_first, slope_first), gradient * (weight * slope).stored())
