# SPDX-License-Identifier: Apache-2.0
"""aclnnGelu: out = self * Phi(self), and the same as a tanh, which differs by up to 5e-4."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number, either, reading
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.kernel import erfc


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    return {"out": Result(reading(with_tanh(x), with_erf(x)), scope)}


def with_erf(x: Number) -> Number:
    """Return x times the normal distribution function, by way of 1 plus the error function.

    The value is that of the complement, which keeps its digits far below 0.
    """
    on = x.on
    root = on.rounded(math.sqrt(2))
    share = on.exact(0.5) * ((x / root).stored().erf().stored() + on.exact(1.0)).stored()
    value = x.value * 0.5 * erfc(-x.value / math.sqrt(2))
    return replace(x * share.stored(), value=value)


def with_tanh(x: Number) -> Number:
    """Return x / 2 * (1 + tanh(u)) for u = sqrt(2 / pi) * (x + 0.044715 x^3), or x / (1 + e^-2u).

    The value is that of the second, which keeps its digits far below 0.
    """
    on, one = x.on, x.on.exact(1.0)
    cube = (on.rounded(0.044715) * ((x * x).stored() * x).stored()).stored()
    u = (on.rounded(math.sqrt(2 / math.pi)) * (x + cube).stored()).stored()
    as_written = (on.exact(0.5) * x).stored() * (u.tanh().stored() + one).stored()
    quotient = x / ((-(u + u)).exp().stored() + one).stored()
    value = x.value / (1.0 + np.exp(-2 * u.value))
    return replace(either(as_written, quotient), value=value)
