# SPDX-License-Identifier: Apache-2.0
"""aclnnL1LossBackward: gradOutput, signed as self - target, and for the mean a share of it."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import MEAN, share_of_each


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for the three inputs, which broadcast to its shape."""
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "target")}
    gradient, x, y = map(on.exact, scope.values())
    share = gradient
    if attributes["reduction"] == MEAN:
        share = gradient * share_of_each(on.exact(1.0), attributes)
    signed = share.with_sign_of((x - y).stored())
    return {"gradInput": Result(signed.stored(CONVERTED), scope)}
