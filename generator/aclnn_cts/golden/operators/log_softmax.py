# SPDX-License-Identifier: Apache-2.0
"""aclnnLogSoftmax: out = self - m - log(sum(exp(self - m))), m the largest along an axis."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.golden.operators.softmax import FILLS, align

__all__ = ["FILLS", "align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``out`` for the aligned inputs; ``all_of`` gathers a row along the axis."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    below = (on.exact(scope["self"]) - on.exact(widen(inputs["most"]))).stored()
    power = below.exp().stored()
    sums = yield Terms(
        {"total": (power, "rows")}, scope, outputs={"out": "self"}, gathers={"out": "rows"}
    )
    return {"out": below - sums["total"].stored().log().stored()}
