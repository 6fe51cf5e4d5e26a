# SPDX-License-Identifier: Apache-2.0
"""Gradients of softmax and of its logarithm in 100 digits, as their pages write them."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Number, Values, number


def _row(inputs: Arrays, values: Values, index: Index) -> Iterator[tuple[Number, Number]]:
    """Yield gradOutput and output of the elements along the axis dim through an element."""
    shape, dim = inputs["output"].shape, values["dim"]
    axis = dim % max(len(shape), 1)
    for place in range(shape[axis] if shape else 1):
        other = (*index[:axis], place, *index[axis + 1 :]) if shape else index
        yield number(inputs["gradOutput"][other]), number(inputs["output"][other])


def softmax_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: gradOutput * output - sum(gradOutput * output) * output."""

    def out(index: Index) -> Exact:
        total = mpmath.mpf(0)
        for gradient, output in _row(inputs, values, index):
            total += gradient * output
        own, output = number(inputs["gradOutput"][index]), number(inputs["output"][index])
        return Exact(own * output - total * output, None)

    return {"out": out}


def log_softmax_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: gradOutput - sum(gradOutput) * exp(output)."""

    def out(index: Index) -> Exact:
        total = mpmath.mpf(0)
        for gradient, _ in _row(inputs, values, index):
            total += gradient
        own, output = number(inputs["gradOutput"][index]), number(inputs["output"][index])
        return Exact(own - total * mpmath.exp(output), None)

    return {"out": out}
