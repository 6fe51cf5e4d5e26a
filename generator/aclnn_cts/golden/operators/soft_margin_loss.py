# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftMarginLoss: log(1 + exp(-target self)), its mean or its sum."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced
from aclnn_cts.golden.operators.softplus import softplus

__all__ = ["align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``out`` for the aligned inputs."""
    scope = {name: widen(inputs[name]) for name in ("self", "target")}
    x, y = map(on.exact, scope.values())
    product = (y * x).stored()
    losses = softplus(-product).stored()
    return (yield from reduced(losses, inputs, scope, attributes))
