# SPDX-License-Identifier: Apache-2.0
"""aclnnPreluBackward: the gradients of y = x where x > 0, weight * x elsewhere.

``gradInput`` is gradOutput where self > 0, gradOutput * weight elsewhere; ``gradWeight`` sums
gradOutput * self over the elements with self <= 0 that one weight was applied to.

Names for the spec's ``when``, both outputs: ``gradOutput``, ``self`` and ``weight``, which
broadcast to self's shape; for ``gradWeight`` they belong inside ``any_of`` or ``all_of``, which
gather the elements that share the weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number, select
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.stage import by_element

ELEMENTWISE = False


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` in the shape of ``self`` and ``gradWeight`` in the shape of ``weight``.

    ``gradOutput`` broadcasts to the shape of ``self``. ``weight`` has one element, or one per
    channel (dimension 1 of ``self``) in any shape. An empty sum is 0. A NaN in ``self``
    belongs to neither case of the formula: the values that it reaches have no meaning.

    A device may run two kernels for gradWeight: one stores the products, another adds them.
    """
    del attributes
    x = widen(inputs["self"])
    gradient = np.broadcast_to(widen(inputs["gradOutput"]), x.shape)
    weight = widen(inputs["weight"])
    spread = spread_weight(weight, x.ndim)
    scope = {"gradOutput": gradient, "self": x, "weight": spread}

    axes = _shared_axes(weight, x.ndim)

    def gather(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        return _reduce(np.broadcast_to(condition, x.shape), rule, axes, weight.shape)

    def total(terms: FloatArray) -> FloatArray:
        return _reduce(terms, np.add, axes, weight.shape)

    def each(dy: Number, x: Number, weight: Number) -> tuple[Number, Number]:
        positive = x.value > 0
        products = (dy * x).stored()
        return select(positive, dy, dy * weight), select(positive, x.on.exact(0.0), products)

    grad_input, terms = by_element(on, each, on.exact(gradient), on.exact(x), on.exact(spread))
    grad_weight = terms.summed(total, x.size // max(weight.size, 1))
    return {
        "gradInput": Result(grad_input, scope),
        "gradWeight": Result(grad_weight, scope, gather),
    }


def spread_weight(weight: FloatArray, rank: int) -> FloatArray:
    """Return ``weight`` shaped so that it broadcasts to a ``self`` of that rank."""
    if weight.size == 1:
        return weight.reshape(())
    return weight.reshape(weight.size, *(1,) * (rank - 2))


def _shared_axes(weight: FloatArray, rank: int) -> tuple[int, ...]:
    """Return the axes of ``self`` along which all elements share one weight."""
    return tuple(axis for axis in range(rank) if weight.size == 1 or axis != 1)


def _reduce(
    array: npt.NDArray[Any], rule: np.ufunc, axes: tuple[int, ...], shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    return np.asarray(rule.reduce(array, axis=axes)).reshape(shape)
