# SPDX-License-Identifier: Apache-2.0
"""aclnnLogitGrad: dx = dy / (x * (1 - x)) (the document's formula, third case)."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for ``x`` and ``dy`` of one shape.

    Where x lies outside [eps, 1 - eps] the spec's clauses say what comes back instead. A device may
    multiply by the product's reciprocal, divide by the product, or by x and 1 - x in turn; the
    errors of the first and the last cover those of the second.
    """
    del attributes
    scope = {"x": widen(inputs["x"]), "dy": widen(inputs["dy"])}
    x, dy = on.exact(scope["x"]), on.exact(scope["dy"])
    one = on.exact(1.0)
    complement = (one - x).stored()
    product = (x * complement).stored()
    exact = dy.value / product.value
    multiplied = dy.times_reciprocal((one / product).stored(), exact).stored()
    divided = ((dy / x).stored() / complement).stored()
    return {"out": Result(either(multiplied, divided), scope)}
