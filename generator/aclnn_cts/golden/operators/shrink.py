# SPDX-License-Identifier: Apache-2.0
"""aclnnShrink: self moved by bias towards 0, and 0 within lambd of it."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``; the spec's clauses tell where it is 0."""
    scope = {"self": widen(inputs["self"])}
    x, bias = on.exact(scope["self"]), on.scalar(float(attributes["bias"]))
    return {"out": Result(select(np.greater(x.value, 0), x - bias, x + bias), scope)}
