# SPDX-License-Identifier: Apache-2.0
"""aclnnRmsNorm: rstdOut = 1 / sqrt(mean(x^2) + epsilon), and yOut = x * rstdOut * gamma."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either, select
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the inputs, ``rows`` in the shape of rstdOut, and the ``count`` of a row's elements.

    ``gamma`` broadcasts to ``x`` as it is.
    """
    del attributes
    x, gamma = inputs["x"], inputs["gamma"]
    rows = np.zeros((*x.shape[: x.ndim - gamma.ndim], *(1,) * gamma.ndim), np.bool_)
    return {**inputs, "rows": rows, "count": np.array(float(gamma.size))}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return both outputs for the aligned inputs; ``any_of`` and ``all_of`` gather a row."""
    scope = {name: widen(inputs[name]) for name in ("x", "gamma")}
    x, gamma = map(on.exact, scope.values())
    square, count = x * x, on.exact(widen(inputs["count"]))
    outputs = {"yOut": "x", "rstdOut": "rows"}
    sums = yield Terms(
        {"total": (square, "rows"), "shares": (square / count, "rows")},
        scope,
        outputs,
        gathers=dict.fromkeys(outputs, "rows"),
    )
    mean = either(sums["total"] / count, sums["shares"])
    root = (mean + on.round_scalar(attributes["epsilon"])).sqrt()
    # No finite square overflows float64: an Inf is one of the inputs, which no device saturates.
    rstd = select(np.isinf(root.value), on.exact(0.0), on.exact(1.0) / root)
    return {"yOut": x.under(on.keeping) * rstd * gamma, "rstdOut": rstd}
