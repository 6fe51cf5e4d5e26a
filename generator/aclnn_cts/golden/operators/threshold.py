# SPDX-License-Identifier: Apache-2.0
"""aclnnThreshold: self above threshold, and value elsewhere."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, reading, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.spec.evaluation import round_outward


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``; threshold may be rounded to a tensor's type first."""
    scope = {"self": widen(inputs["self"])}
    if inputs["self"].dtype.itemsize == 8:
        on = on.exactly
    x, value = on.exact(scope["self"]), on.scalar(float(attributes["value"]))
    threshold = float(attributes["threshold"])
    narrowest = min(on.scalar_types, default=on.storage, key=lambda grid: grid.fraction_bits)
    nearest = min(
        round_outward(threshold, threshold, narrowest), key=lambda end: abs(end - threshold)
    )
    level = reading(on.exact(threshold), on.exact(nearest))
    result = select(np.greater(x.value, level.value), x, value)
    return {"out": Result(result.stored(CONVERTED), scope, shared=value.share)}
