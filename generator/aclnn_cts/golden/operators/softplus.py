# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftplus: out = log(1 + exp(beta * self)) / beta, and self where beta * self is large."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, Number, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``."""
    scope = {"self": widen(inputs["self"])}
    x, beta = on.exact(scope["self"]), on.scalar(float(attributes["beta"]))
    scaled = (beta * x).stored()
    curved = softplus(scaled).stored() / beta
    above = np.greater(scaled.value, float(attributes["threshold"]))
    return {"out": Result(select(above, x, curved).stored(CONVERTED), scope)}


def softplus(x: Number) -> Number:
    """Return log(1 + exp(x)).

    The value is that of max(x, 0) + log1p(exp(-|x|)), which loses no digits; the error is that of
    the operations as the documents write them.
    """
    as_written = (x.exp().stored() + x.on.exact(1.0)).stored().log()
    value = np.maximum(x.value, 0.0) + np.log1p(np.exp(-np.abs(x.value)))
    return replace(as_written, value=value)
