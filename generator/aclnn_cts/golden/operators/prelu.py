# SPDX-License-Identifier: Apache-2.0
"""aclnnPrelu: max(0, self) + weight * min(0, self), one weight for all or for each channel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.operators.prelu_backward import spread_weight


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return ``self``, and ``weight`` in its shape."""
    del attributes
    weight = spread_weight(inputs["weight"], inputs["self"].ndim)
    return {**inputs, "weight": np.broadcast_to(weight, inputs["self"].shape)}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self`` and ``weight`` of one shape."""
    del attributes
    scope = {name: widen(inputs[name]) for name in ("self", "weight")}
    x, weight = map(on.exact, scope.values())
    result = select(np.greater_equal(x.value, 0), x, (x * weight).stored(CONVERTED))
    return {"out": Result(result, scope)}
