# SPDX-License-Identifier: Apache-2.0
"""aclnnKlDivBackward: -target gradOutput, divided by a count for the means."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import MEAN, gradient_by

_BATCH_MEAN = 3


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs in the shape of ``out``, also where only self has it."""
    del attributes
    return dict(zip(inputs, np.broadcast_arrays(*inputs.values()), strict=True))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for the aligned inputs; self does not count."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "target")}
    gradient, target = on.exact(scope["gradOutput"]), on.exact(scope["target"])
    if attributes["logTarget"]:
        target = target.exp().stored()
    if attributes["reduction"] == _BATCH_MEAN:
        attributes = {"reduction": MEAN, "count": attributes["batch"]}
    return {"out": Result(gradient_by(-target, gradient, attributes), scope)}
