# SPDX-License-Identifier: Apache-2.0
"""aclnnLogit: out = ln(z / (1 - z)), z being input between eps and 1 - eps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``input``.

    The value of 1 - z is eps, and not 1 - (1 - eps), which may have lost its digits.
    """
    scope = {"input": widen(inputs["input"])}
    x, one, bound = on.exact(scope["input"]), on.exact(1.0), float(attributes["eps"])
    if bound < 0:
        return {"out": Result((x / (one - x).stored()).stored().log(), scope)}
    bound = abs(bound)  # of -0, whose reciprocal is below 0
    eps = on.rounded(bound)
    below, above = np.less(x.value, bound), np.greater(x.value, 1 - bound)
    z = select(below, eps.stored(), select(above, (one - eps).stored(), x))
    complement = one - z
    value = np.where(below | ~above, complement.value, bound)
    odds = z / replace(complement, value=value).stored()
    return {"out": Result(odds.stored().log(), scope)}
