# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftMarginLossBackward: gradOutput times -target / (1 + exp(target self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import gradient_by


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
    return {"out": Result(gradient_by(slope, gradient, attributes), scope)}
