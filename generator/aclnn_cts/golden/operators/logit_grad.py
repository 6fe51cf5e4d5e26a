# SPDX-License-Identifier: Apache-2.0
"""aclnnLogitGrad: dx = dy / (x * (1 - x)) (the document's formula, third case)."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen

ELEMENTWISE = True

_ROUNDINGS = 3
"""1 - x, its product with x, and the quotient; each is relative to what it rounds, and x itself is
exact, so they add up relative to the value."""


def evaluate(inputs: Inputs, attributes: Attributes) -> dict[str, Result]:
    """Return ``out`` for ``x`` and ``dy`` of one shape.

    Where x lies outside [eps, 1 - eps] the spec's clauses say what comes back instead.
    """
    del attributes
    x, dy = widen(inputs["x"]), widen(inputs["dy"])
    value = dy / (x * (1 - x))
    return {"out": Result(value, np.abs(value), {"x": x, "dy": dy}, roundings=_ROUNDINGS)}
