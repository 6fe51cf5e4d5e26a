# SPDX-License-Identifier: Apache-2.0
"""aclnnCelu: max(0, self) + min(0, alpha * (exp(self / alpha) - 1))."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``: one of the two terms is 0, for either sign of alpha.

    The value below 0 is that of expm1, which loses no digits.
    """
    scope = {"self": widen(inputs["self"])}
    x, alpha = on.exact(scope["self"]), on.scalar(float(attributes["alpha"]))
    grown = (x / alpha).stored().exp().stored()
    below = alpha * (grown - on.exact(1.0)).stored()
    below = replace(below, value=alpha.value * np.expm1(x.value / alpha.value))
    result = select(np.greater_equal(x.value, 0), x, below.stored(CONVERTED))
    return {"out": Result(result, scope, shared=alpha.share)}
