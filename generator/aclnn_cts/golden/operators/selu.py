# SPDX-License-Identifier: Apache-2.0
"""aclnnSelu: scale * (max(0, self) + min(0, alpha * (exp(self) - 1)))."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen

ALPHA = 1.6732632423543772848170429916717
SCALE = 1.0507009873554804934193349852946


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``; the value below 0 is that of expm1, which loses no digits."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.converted(scope["self"])
    below = on.rounded(ALPHA) * (x.exp().stored() - on.exact(1.0)).stored()
    below = replace(below, value=ALPHA * np.expm1(x.value))
    result = on.rounded(SCALE) * select(np.greater_equal(x.value, 0), x, below.stored())
    return {"out": Result(result, scope)}
