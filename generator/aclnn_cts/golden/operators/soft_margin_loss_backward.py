# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftMarginLossBackward: gradOutput times -target / (1 + exp(target self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import MEAN, share_of_each


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for the three inputs, which broadcast to its shape.

    The derivative of the logarithm is either that of 1 + exp(-target self) by the chain rule, whose
    exponential may overflow, or that fraction reduced.
    """
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "target")}
    gradient, x, y = map(on.exact, scope.values())
    one, product = on.exact(1.0), (y * x).stored()
    reduced = one / (product.exp().stored() + one).stored()
    power = (-product).exp().stored()
    chain = power / (power + one).stored()
    slope = (-y * either(reduced.stored(), chain.stored())).stored()
    if attributes["reduction"] != MEAN:
        return {"out": Result((gradient * slope).stored(CONVERTED), scope)}
    share = share_of_each(one, attributes)
    slope_first = (gradient * slope).stored() * share
    share_first = (gradient * share.stored()).stored() * slope
    return {"out": Result(either(slope_first, share_first).stored(CONVERTED), scope)}
