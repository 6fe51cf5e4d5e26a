# SPDX-License-Identifier: Apache-2.0
"""aclnnMish: out = self * tanh(log(1 + exp(self)))."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``.

    The value is that of log1p, which keeps its digits far below 0.
    """
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    softplus = (x.exp().stored() + on.exact(1.0)).stored().log().stored()
    value = np.maximum(x.value, 0.0) + np.log1p(np.exp(-np.abs(x.value)))
    gate = replace(softplus, value=value).tanh()
    return {"out": Result(x * gate.stored(), scope)}
