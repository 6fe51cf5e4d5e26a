# SPDX-License-Identifier: Apache-2.0
"""aclnnMish: out = self * tanh(log(1 + exp(self)))."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    return {"out": Result(x * gate(x), scope)}


def gate(x: Number) -> Number:
    """Return tanh(log(1 + exp(x))).

    The value is that of log1p, which keeps its digits far below 0.
    """
    softplus = (x.exp().stored() + x.on.exact(1.0)).stored().log().stored()
    value = np.maximum(x.value, 0.0) + np.log1p(np.exp(-np.abs(x.value)))
    return replace(softplus, value=value).tanh().stored()
