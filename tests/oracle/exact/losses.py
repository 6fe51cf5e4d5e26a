# SPDX-License-Identifier: Apache-2.0
"""Losses of elements, their mean and their sum in 100 digits, as their pages write them."""

from __future__ import annotations

from collections.abc import Callable

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
from tests.oracle.exact.numbers import (
    Arrays,
    Elements,
    Exact,
    Index,
    Number,
    Values,
    number,
    single,
)


def _reduced(
    loss: Callable[..., Number], *scalars: str, output: str = "out"
) -> Callable[[Arrays, Values], Elements]:
    """Return the oracle of a loss that the attribute reduction may add up or average.

    Args:
        scalars: The attributes that the loss takes after the elements.
    """

    def elements(arrays: Arrays, values: Values) -> Elements:
        inputs = np.broadcast_arrays(*arrays.values())
        more = [number(values[name]) for name in scalars]

        def element(index: Index) -> Exact:
            return single(loss(*(number(array[index]) for array in inputs), *more))

        def whole(_: Index) -> Exact:
            rows = zip(*(array.reshape(-1) for array in inputs), strict=True)
            losses = [loss(*map(number, row), *more) for row in rows]
            total = mpmath.fsum(losses)
            return single(total / len(losses) if values["reduction"] == 1 else total)

        return {output: whole if values["reduction"] else element}

    return elements


def _smooth(x: Number, y: Number, beta: Number) -> Number:
    distance = abs(x - y)
    return distance**2 / (2 * beta) if distance < beta else distance - beta / 2


l1_loss = _reduced(lambda x, y: abs(x - y))
mse_loss = _reduced(lambda x, y: (x - y) ** 2)
binary_cross_entropy = _reduced(
    lambda x, y, w: -w * (y * mpmath.log(x) + (1 - y) * mpmath.log(1 - x))
)
soft_margin_loss = _reduced(lambda x, y: mpmath.log1p(mpmath.exp(-y * x)))
smooth_l1_loss = _reduced(_smooth, "beta", output="result")


def _with_logits(x: Number, target: Number, weight: Number, positive: Number) -> Number:
    own, other = -mpmath.log1p(mpmath.exp(-x)), -mpmath.log1p(mpmath.exp(x))
    return -weight * (positive * target * own + (1 - target) * other)


def binary_cross_entropy_with_logits(arrays: Arrays, values: Values) -> Elements:
    """Return the losses; of two weights that may be null, the first given one comes first."""
    names = ("self", "target", "weightOptional", "posWeightOptional")
    return _reduced(_with_logits)({name: arrays[name] for name in names}, values)


def nll_loss(arrays: Arrays, values: Values) -> Elements:
    """Return the losses, their sum or their weighted mean, and the sum of the weights."""
    rows = arrays["self"].reshape(-1, arrays["self"].shape[-1])
    classes = [int(each) for each in arrays["target"].reshape(-1)]
    weights = [number(each) for each in arrays["weight"]]
    pairs = [
        (weights[own] * (own != values["ignoreIndex"]), number(row[own]))
        for own, row in zip(classes, rows, strict=True)
    ]
    total = mpmath.fsum(weight for weight, _ in pairs)

    def element(index: Index) -> Exact:
        weight, x = pairs[index[0]]
        return single(-weight * x)

    def whole(_: Index) -> Exact:
        found = -mpmath.fsum(weight * x for weight, x in pairs)
        return single(found / total if values["reduction"] == 1 else found)

    return {
        "out": whole if values["reduction"] else element,
        "totalWeightOut": lambda _: single(total),
    }


def nll_loss_backward(arrays: Arrays, values: Values) -> Elements:
    """Return the gradient at the class of each sample."""
    gradient = arrays["gradOutput"].reshape(-1)
    total = number(arrays["totalWeight"][0]) if values["reduction"] == 1 else number(1.0)

    def element(index: Index) -> Exact:
        own = number(gradient[index[0] if gradient.size > 1 else 0])
        return single(-own * number(arrays["weight"][index[-1]]) / total)

    return {"out": element}
