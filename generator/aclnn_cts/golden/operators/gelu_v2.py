# SPDX-License-Identifier: Apache-2.0
"""aclnnGeluV2: y = x * Phi(x), or its approximation with a tanh."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.operators.gelu import with_erf, with_tanh


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``y`` for ``x``."""
    scope = {"x": widen(inputs["x"])}
    chosen = with_tanh if attributes["approximate"] == 1 else with_erf
    return {"y": Result(chosen(on.exact(scope["x"])), scope)}
