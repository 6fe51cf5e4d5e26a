# SPDX-License-Identifier: Apache-2.0
"""aclnnBinaryCrossEntropyWithLogits: the cross entropy of sigmoid(self), or its mean or sum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number, either
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced
from aclnn_cts.golden.operators.binary_cross_entropy import FILLS
from aclnn_cts.golden.operators.softplus import softplus

__all__ = ["FILLS", "align", "evaluate"]

_FAR = 690.0
"""From here on float64 has no digits for 1 less the sigmoid."""


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Yield what is to be added up, and return ``out``.

    Far out the logarithms are those of softplus. A device may form the sigmoid, as the document
    does, or take one logarithm: that of 1 - s is log(s) - self.
    """
    names = ("self", "target", "weightOptional", "posWeightOptional")
    scope = {name: widen(inputs[name]) for name in names}
    x, target, weight, positive = map(on.exact, scope.values())
    one = on.exact(1.0)
    curve = softplus(-abs(x))
    own, other = (on.exact(np.minimum(each.value, 0.0)) - curve for each in (x, -x))
    rest = (one - target).stored()
    plain = positive * target * own + rest * other
    single = ((positive - one) * target + one) * own - rest * x
    log, log_of_rest = _as_written(x)
    written = ((positive * target).stored() * log).stored() + (rest * log_of_rest).stored()
    losses = (either(either(plain, written), single).stored() * -weight).stored()
    return (yield from reduced(losses, inputs, scope, attributes))


def _as_written(x: Number) -> tuple[Number, Number]:
    """Return log(s) and log(1 - s), where s is the sigmoid, with the errors of the sigmoid's.

    Far out, 1 - s is nothing but the error of s.
    """
    one = x.on.exact(1.0)
    sigmoid = (one / ((-x).exp().stored() + one).stored()).stored()
    rest = (one - sigmoid).stored()
    rest = replace(rest, value=np.maximum(1.0 / (1.0 + np.exp(x.value)), np.exp(-_FAR)))
    other = rest.log().settled.absolute
    beyond = np.where(np.greater(x.value, _FAR), np.abs(x.value), 0.0)
    return sigmoid.log().stored(), replace(other, error=other.error + beyond).stored()
