# SPDX-License-Identifier: Apache-2.0
"""aclnnRelu: self above 0, and 0 elsewhere."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``, exactly."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    return {"out": Result(select(np.greater(x.value, 0), x, on.exact(0.0)), scope)}
