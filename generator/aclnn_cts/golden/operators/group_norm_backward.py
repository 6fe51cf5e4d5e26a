# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormBackward: the gradients of aclnnGroupNorm.

With xhat = (input - mean) * rstd

- gradBetaOut = sum of gradOut, gradGammaOut = sum of gradOut * xhat, over samples and positions;
- gradInput = rstd * (gamma * gradOut - xhat * inner - outer), where inner and outer are the means
  of gamma * gradOut * xhat and gamma * gradOut over the group.

``mean`` and ``rstd`` are taken as given; they need not be the statistics of ``input``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, add_numbers, either
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.golden.operators import group_norm_swish_grad


def derive(name: str, inputs: Inputs, attributes: Attributes) -> npt.NDArray[Any]:
    """Return the statistics of the finite elements of ``input``."""
    renamed = {"x": inputs["input"]}, {"numGroups": attributes["group"]}
    return group_norm_swish_grad.derive(name, *renamed)


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs so that they broadcast to [samples, groups, channels of a group, the rest].

    ``size`` is how many elements a group has.
    """
    samples, channels, *inner = inputs["input"].shape
    groups = int(attributes["group"])
    per_group, length = channels // groups, math.prod(inner)
    whole, statistic = (samples, groups, per_group, length), (samples, groups, 1, 1)
    shapes = {"gradOut": whole, "input": whole, "mean": statistic, "rstd": statistic}
    shapes["gamma"] = (1, groups, per_group, 1)
    aligned = {name: inputs[name].reshape(shape) for name, shape in shapes.items()}
    return {**aligned, "size": np.array(float(max(per_group * length, 1)))}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return the outputs, wanted or not; ``any_of`` and ``all_of`` gather a group or a channel."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOut", "input", "mean", "rstd", "gamma")}
    gradient, x, mean, rstd, gamma = map(on.exact, scope.values())
    # A kernel may fold mean and rstd into one shift.
    normal = either((x - mean) * rstd, x * rstd - mean * rstd).under(on.keeping)
    weighted = gradient * gamma
    sums = yield Terms(
        {
            "gradGammaOut": (gradient * normal, "gamma"),
            "gradBetaOut": (gradient, "gamma"),
            "inner": (weighted * normal, "mean"),
            "outer": (weighted, "mean"),
        },
        scope,
        outputs={"gradInput": "input", "gradGammaOut": "gamma", "gradBetaOut": "gamma"},
        gathers={"gradInput": "mean", "gradGammaOut": "gamma", "gradBetaOut": "gamma"},
    )
    inner, outer = (sums[name].under(on.keeping) for name in ("inner", "outer"))
    size = on.exact(widen(inputs["size"]))
    return {"gradInput": rstd * add_numbers(weighted, -((normal * inner) / size), -(outer / size))}
