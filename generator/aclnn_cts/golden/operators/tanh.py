# SPDX-License-Identifier: Apache-2.0
"""aclnnTanh: out = (exp(self) - exp(-self)) / (exp(self) + exp(-self))."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``self``; the quotient as the document writes it loses digits near 0."""
    del attributes
    scope = {"self": widen(inputs["self"])}
    x = on.converted(scope["self"])
    grown, shrunk = x.exp().stored(), (-x).exp().stored()
    quotient = (grown - shrunk).stored() / (grown + shrunk).stored()
    return {"out": Result(either(x.tanh(), quotient).stored(CONVERTED), scope)}
