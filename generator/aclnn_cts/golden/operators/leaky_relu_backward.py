# SPDX-License-Identifier: Apache-2.0
"""aclnnLeakyReluBackward: gradOutput, times negativeSlope where self is not above 0."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``gradOutput`` and ``self`` of one shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self")}
    gradient, x = map(on.exact, scope.values())
    slope = on.scalar(float(attributes["negativeSlope"]))
    result = select(np.greater(x.value, 0), gradient, (gradient * slope).stored(CONVERTED))
    return {"out": Result(result, scope, shared=slope.share)}
