# SPDX-License-Identifier: Apache-2.0
"""aclnnHardtanhBackward: gradOutput, and 0 where self is outside min and max."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out``, as it is where the spec's clauses do not make it 0."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    return {"out": Result(on.exact(scope["gradOutput"]), scope)}
