# SPDX-License-Identifier: Apache-2.0
"""aclnnGlu: out = a / (1 + exp(-b)) for the halves a and b of self along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return the halves ``a`` and ``b`` of ``self`` along the axis ``dim``."""
    a, b = np.split(inputs["self"], 2, axis=attributes["dim"])
    return {"a": a, "b": b}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {name: widen(inputs[name]) for name in ("a", "b")}
    a, b = map(on.exact, scope.values())
    one = on.exact(1.0)
    divisor = ((-b).exp().stored() + one).stored()
    gated = either(a * (one / divisor).stored(), a / divisor)
    return {"out": Result(gated.stored(CONVERTED), scope)}
