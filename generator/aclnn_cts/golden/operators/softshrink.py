# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftshrink: self moved by lambd towards 0, and 0 within lambd of it."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``.

    Within lambd of 0 it is what the outer case would give, as a rounding of lambd decides which
    case an element at the threshold belongs to; the spec's clauses tell the cases apart.
    """
    scope = {"self": widen(inputs["self"])}
    x, lambd = on.exact(scope["self"]), on.scalar(float(attributes["lambd"]))
    moved = select(np.greater(x.value, 0), x - lambd, x + lambd)
    return {"out": Result(moved, scope)}
