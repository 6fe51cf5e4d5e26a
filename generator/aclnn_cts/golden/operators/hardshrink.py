# SPDX-License-Identifier: Apache-2.0
"""aclnnHardshrink: self, and 0 within lambd of it; the spec's clauses tell the cases apart."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``, as it is where it is not 0."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    return {"out": Result(on.exact(scope["self"]), scope)}
