# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftMarginLossBackward: gradOutput times -target / (1 + exp(target self))."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Error, Number, either
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import gradient_by


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for the three inputs, which broadcast to its shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "target")}
    gradient, x, y = map(on.exact, scope.values())
    slope = (-y * (y * x).stored().through(_fraction, _steepest)).stored()
    return {"out": Result(gradient_by(slope, gradient, attributes), scope)}


def _fraction(product: Number) -> Number:
    """Return 1 / (1 + exp(product)).

    The derivative of the logarithm is either that of 1 + exp(-product) by the chain rule, whose
    exponential may overflow, or that fraction reduced.
    """
    one = product.on.exact(1.0)
    reduced = one / (product.exp().stored() + one).stored()
    power = (-product).exp().stored()
    chain = power / (power + one).stored()
    return either(reduced.stored(), chain.stored())


def _steepest(product: FloatArray, off: Error) -> FloatArray:
    """Return the largest slope of the fraction: e^-p / (1 + e^-p)^2 falls off from 0 on."""
    power: FloatArray = np.exp(-np.maximum(np.abs(product) - off, 0.0))
    return power / ((1 + power) * (1 + power))
