# SPDX-License-Identifier: Apache-2.0
"""aclnnHardsigmoid: self / 6 + 1 / 2, clipped to [0, 1]; of integers without its fraction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``; near its ends a device may be on either side of them."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.converted(scope["self"])
    line = ((x / on.exact(6.0)).stored() + on.exact(0.5)).stored().settled.absolute
    clipped = np.minimum(np.maximum(line.value, 0.0), 1.0)
    beyond = (line.value + line.total < 0) | (line.value - line.total > 1)
    result = select(beyond, on.exact(clipped), replace(line, value=clipped))
    return {"out": Result(result.truncated() if on.integers else result, scope)}
