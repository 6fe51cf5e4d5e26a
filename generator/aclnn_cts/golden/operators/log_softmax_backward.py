# SPDX-License-Identifier: Apache-2.0
"""aclnnLogSoftmaxBackward: out = gradOutput - sum(gradOutput) * exp(output)."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, by_rows, widen


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return ``gradOutput`` and ``output`` folded around the axis ``dim``."""
    return by_rows(inputs, attributes["dim"])


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``out`` for the aligned inputs; ``all_of`` gathers a row along the axis."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "output")}
    gradient, output = map(on.exact, scope.values())
    sums = yield Terms(
        {"total": (gradient, "rows")}, scope, outputs={"out": "gradOutput"}, gathers={"out": "rows"}
    )
    total = sums["total"].stored()
    return {"out": gradient - (total * output.exp().stored()).stored()}
