# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormBackward: the gradients of aclnnGroupNorm.

With xhat = (input - mean) * rstd

- gradBetaOut = sum of gradOut, gradGammaOut = sum of gradOut * xhat, over samples and positions;
- gradInput = rstd * (gamma * gradOut - xhat * inner - outer), where inner and outer are the means
  of gamma * gradOut * xhat and gamma * gradOut over the group.

``mean`` and ``rstd`` are taken as given; they need not be the statistics of ``input``.
"""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Sums, widen
from aclnn_cts.golden.operators import group_norm_swish_grad
from aclnn_cts.golden.operators.group_norm import group
from aclnn_cts.golden.operators.group_norm_swish_grad import gradients


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
    """Return the statistics of the finite elements of ``input``."""
    renamed = {"x": inputs["input"]}, {"numGroups": attributes["group"]}
    return group_norm_swish_grad.derive(name, *renamed)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    return group(inputs, int(attributes["group"]))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return the outputs, wanted or not; ``any_of`` and ``all_of`` gather a group or a channel."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOut", "input", "mean", "rstd", "gamma")}
    gradient, x, mean, rstd, _ = map(on.exact, scope.values())
    # A kernel may fold mean and rstd into one shift.
    normal = either((x - mean) * rstd, x * rstd - mean * rstd).under(on.keeping)
    outputs = ("gradInput", "gradGammaOut", "gradBetaOut")
    count = on.exact(widen(inputs["count"]))
    return (yield from gradients(gradient, normal, count, scope, "input", outputs))
