# SPDX-License-Identifier: Apache-2.0
"""aclnnLogitGrad: dx = dy / (x * (1 - x)) (the document's formula, third case)."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen

ELEMENTWISE = True


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``x`` and ``dy`` of one shape.

    Where x lies outside [eps, 1 - eps] the spec's clauses say what comes back instead. The error
    of a quotient made of a reciprocal covers one that is divided, and (dy / x) / (1 - x), too.
    """
    del attributes
    scope = {"x": widen(inputs["x"]), "dy": widen(inputs["dy"])}
    x, dy = on.exact(scope["x"]), on.exact(scope["dy"])
    one = on.exact(1.0)
    product = (x * (one - x).stored()).stored()
    out = dy.times_reciprocal((one / product).stored(), dy.value / product.value)
    return {"out": Result(out, scope)}
