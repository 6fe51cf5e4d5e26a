# SPDX-License-Identifier: Apache-2.0
"""aclnnSeluBackward: gradOutput times the slope of selu, from the forward result."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, reading, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.operators.selu import ALPHA, SCALE


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``result`` of one shape.

    The page's own formula leaves out the scale that aclnnSelu has.
    """
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "result")}
    gradient, y = map(on.converted, scope.values())
    above = np.greater(y.value, 0)
    scale, alpha = on.rounded(SCALE), on.rounded(ALPHA)
    below = (y + (scale * alpha).stored().addend()).stored()
    scaled = gradient * select(above, scale, below)
    plain = select(above, gradient, gradient * (below / scale).stored())
    return {"gradInput": Result(reading(scaled, plain), scope)}
