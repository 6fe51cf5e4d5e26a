# SPDX-License-Identifier: Apache-2.0
"""aclnnRmsNormGrad: the gradients of x * rstd * gamma, where rstd is 1 / sqrt(mean(x^2) + eps).

With xhat = x * rstd, dgammaOut sums dy * xhat over the rows, and dxOut is
(dy * gamma - xhat * mean(dy * gamma * xhat)) * rstd, the mean taken over a row. ``rstd`` is used as
it is given.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, either
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Sums, Terms, widen

_MEAN_FLOOR = 1e-6
"""Added to a mean before the root, as the forward operator's default does."""


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
    """Return the reciprocal root mean squares of the finite elements of ``x``, as ``rstd``.

    Raises:
        WrongInputError: Another input is asked for.
    """
    del attributes
    if name != "rstd":
        raise WrongInputError(f"{name} cannot be derived: only rstd follows from x")
    x = widen(inputs["x"])
    normalised_axes = tuple(range(x.ndim - inputs["gamma"].ndim, x.ndim))
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.where(np.isfinite(x), x, 0.0) ** 2
        mean = (
            squares.mean(axis=normalised_axes)
            if squares.size
            else np.zeros(x.shape[: normalised_axes[0]])
        )
        rounded: Array = (1 / np.sqrt(mean + _MEAN_FLOOR)).astype(np.float32)
    return rounded


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the inputs so that they broadcast to ``x``, and the ``count`` of a row's elements."""
    del attributes
    rstd, gamma = inputs["rstd"], inputs["gamma"]
    count = np.array(float(max(gamma.size, 1)))
    return {**inputs, "rstd": rstd.reshape(*rstd.shape, *(1,) * gamma.ndim), "count": count}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return both outputs for the aligned inputs.

    ``any_of`` and ``all_of`` gather a row for dxOut, and what meets in a sum for dgammaOut.
    """
    del attributes
    scope = {name: widen(inputs[name]) for name in ("dy", "x", "rstd", "gamma")}
    dy, x, rstd, gamma = map(on.exact, scope.values())
    normal, weighted = x * rstd, dy * gamma
    product, count = weighted * normal, on.exact(widen(inputs["count"]))
    sums = yield Terms(
        {
            "dgammaOut": (dy * normal, "gamma"),
            "inner": (product, "rstd"),
            "shares": (product / count, "rstd"),
        },
        scope,
        outputs={"dxOut": "x", "dgammaOut": "gamma"},
        gathers={"dxOut": "rstd", "dgammaOut": "gamma"},
    )
    mean = either(sums["inner"] / count, sums["shares"])
    return {"dxOut": (weighted - normal * mean) * rstd}
