# SPDX-License-Identifier: Apache-2.0
"""aclnnLeakyRelu: max(0, self) + negativeSlope * min(0, self)."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``: one of the two terms is 0."""
    scope = {"self": widen(inputs["self"])}
    x, slope = on.exact(scope["self"]), on.scalar(float(attributes["negativeSlope"]))
    result = select(np.greater_equal(x.value, 0), x, (x * slope).stored(CONVERTED))
    return {"out": Result(result, scope, shared=slope.share)}
