# SPDX-License-Identifier: Apache-2.0
"""aclnnThresholdBackward: gradOutput where self is above threshold, else 0."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out``, which is gradOutput wherever the spec's clauses do not make it 0."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    return {"out": Result(on.exact(scope["gradOutput"]), scope)}
