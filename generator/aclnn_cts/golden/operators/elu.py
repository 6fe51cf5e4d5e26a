# SPDX-License-Identifier: Apache-2.0
"""aclnnElu: scale * self above 0, else alpha * scale * (exp(self * inputScale) - 1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``; the value below 0 is that of expm1, which loses no digits."""
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    names = ("alpha", "scale", "inputScale")
    alpha, scale, rate = (on.scalar(float(attributes[name])) for name in names)
    factor = (alpha * scale).stored()
    below = factor * ((x * rate).stored().exp().stored() - on.exact(1.0)).stored()
    below = replace(below, value=factor.value * np.expm1(x.value * rate.value))
    result = select(np.greater(x.value, 0), scale * x, below)
    return {"out": Result(result.stored(CONVERTED), scope, shared=alpha.share + scale.share)}
