# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNorm: out = (self - meanOut) * rstdOut * gamma + beta.

meanOut is the mean of a group, and rstdOut 1 / sqrt(variance + eps), where the variance is the mean
of the squares of self - meanOut.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either
from aclnn_cts.golden.data import Block, uniform
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.spec.data_types import FloatFormat


def _spread(block: Block, _: FloatFormat) -> FloatArray:
    """Values that lie ever further apart: large groups of any others have alike statistics."""
    place = np.arange(block.start, block.stop) / max(math.prod(block.shape), 1)
    return (1 + 7 * place) * uniform(block.bits, -1.0, 3.0)


FILLS = {"own-spread": _spread}


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs so that they broadcast to [samples, groups, channels of a group, the rest].

    ``mean`` is that of each group, and ``count`` how many elements a group has.
    """
    samples, channels, *rest = inputs["self"].shape
    groups = int(attributes["group"])
    own, length = channels // groups, math.prod(rest)
    x = inputs["self"].reshape(samples, groups, own, length)
    count = max(own * length, 1)
    return {
        "self": x,
        **{name: inputs[name].reshape(1, groups, own, 1) for name in ("gamma", "beta")},
        "mean": widen(x).sum(axis=(2, 3), keepdims=True) / count,
        "count": np.array(float(count)),
    }


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return the outputs for the aligned inputs; ``any_of`` and ``all_of`` gather a group."""
    scope = {name: widen(inputs[name]) for name in ("self", "gamma", "beta")}
    x, gamma, beta = map(on.exact, scope.values())
    count, middle = on.exact(widen(inputs["count"])), on.exact(widen(inputs["mean"]))
    square = (x - middle) * (x - middle)
    outputs = {"out": "self", "meanOut": "mean", "rstdOut": "mean"}
    sums = yield Terms(
        {
            "total": (x, "mean"),
            "shares": (x / count, "mean"),
            "squares": (square, "mean"),
            "square shares": (square / count, "mean"),
        },
        scope,
        outputs,
        gathers=dict.fromkeys(outputs, "mean"),
    )
    mean = either(sums["total"] / count, sums["shares"]).stored()
    # About a mean that is off by d, the mean of the squares is larger by the square of d.
    off = mean - on.exact(mean.value)
    variance = either(sums["squares"] / count, sums["square shares"]) + off * off
    rstd = (on.exact(1.0) / (variance + on.rounded(attributes["eps"])).sqrt()).stored()
    normal = ((x - mean) * rstd).stored()
    return {"out": (normal * gamma).stored() + beta, "meanOut": mean, "rstdOut": rstd}
