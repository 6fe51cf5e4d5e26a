# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftMarginLoss: log(1 + exp(-target self)), its mean or its sum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced

__all__ = ["align", "evaluate"]


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``out`` for the aligned inputs.

    The value of a loss is that of max(-z, 0) + log1p(exp(-|z|)), which loses no digits; the error
    is that of the document's operations.
    """
    scope = {name: widen(inputs[name]) for name in ("self", "target")}
    x, y = map(on.exact, scope.values())
    product = (y * x).stored()
    losses = ((-product).exp().stored() + on.exact(1.0)).stored().log()
    z = product.value
    value = np.maximum(-z, 0.0) + np.log1p(np.exp(-np.abs(z)))
    return (yield from reduced(replace(losses, value=value).stored(), inputs, scope, attributes))
