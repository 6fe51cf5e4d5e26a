# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSwish: yOut = y / (1 + exp(-swishScale * y)), y being what aclnnGroupNorm returns.

Without activateSwish yOut is y itself.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Error, Number
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Sums
from aclnn_cts.golden.operators.group_norm import FILLS, group, normalise, with_means

__all__ = ["FILLS", "align", "evaluate"]


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    return with_means(group(inputs, int(attributes["numGroups"])), (2, 3))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    outputs = ("yOut", "meanOut", "rstdOut")
    results = yield from normalise(inputs, ("x", "gamma", "beta"), attributes["eps"], outputs, on)
    if attributes["activateSwish"]:
        results["yOut"] = swish(results["yOut"].pass_on(), float(attributes["swishScale"]))
    return results


def swish(y: Number, scale: float = 1.0) -> Number:
    """Return y / (1 + exp(-scale * y)) for a number that carries an error."""

    def quotient(own: Number) -> Number:
        argument = own if scale == 1.0 else own.on.round_scalar(scale) * own
        return own / ((-argument).exp() + own.on.exact(1.0))

    def steepest(value: FloatArray, error: Error) -> FloatArray:
        argument = scale * value
        logistic = 1 / (1 + np.exp(-argument))
        slope = np.abs(logistic * (1 + argument * (1 - logistic)))
        # The slope changes by at most half the change of the argument, and is below 1.1.
        least: FloatArray = np.minimum(slope + abs(scale) / 2 * error, 1.1)
        return least

    return y.through(quotient, steepest)
