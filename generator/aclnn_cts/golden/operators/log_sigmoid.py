# SPDX-License-Identifier: Apache-2.0
"""aclnnLogSigmoid: out = log(1 / (1 + exp(-self)))."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``.

    The value is that of min(x, 0) - log1p(exp(-|x|)), which loses no digits; the error is that of
    the document's operations.
    """
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.exact(scope["self"])
    grown = ((-x).exp().stored() + on.exact(1.0)).stored()
    result = (on.exact(1.0) / grown).stored().log()
    value = np.minimum(x.value, 0.0) - np.log1p(np.exp(-np.abs(x.value)))
    return {"out": Result(replace(result, value=value), scope)}
