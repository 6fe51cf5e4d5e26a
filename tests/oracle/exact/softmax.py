# SPDX-License-Identifier: Apache-2.0
"""Softmax, its logarithm, and their gradients in 100 digits, as their pages write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import (
    DIGITS,
    Arrays,
    Elements,
    Exact,
    Index,
    Number,
    Values,
    number,
)


def _row(inputs: Arrays, values: Values, index: Index) -> Iterator[tuple[Number, ...]]:
    """Yield what each input has at the places along the axis dim through an element."""
    axis = values["dim"] % max(len(index), 1)
    places: tuple[int | slice, ...] = (
        (*index[:axis], slice(None), *index[axis + 1 :]) if index else index
    )
    for elements in zip(*(each[places].reshape(-1) for each in inputs.values()), strict=True):
        yield tuple(map(number, elements))


def _summed(
    inputs: Arrays, values: Values, term: Callable[..., Number]
) -> Callable[[Index], Number]:
    """Return the sum of a term over the row of an element; each row is added up once."""
    totals: dict[Index, Number] = {}

    def total(index: Index) -> Number:
        axis = values["dim"] % max(len(index), 1)
        row = (*index[:axis], *index[axis + 1 :])
        if row not in totals:
            totals[row] = mpmath.fsum(term(*each) for each in _row(inputs, values, index))
        return totals[row]

    return total


def softmax(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: exp(self) / sum(exp(self))."""
    total = _summed(inputs, values, mpmath.exp)
    return {
        "out": lambda index: Exact(mpmath.exp(number(inputs["self"][index])) / total(index), None)
    }


def log_softmax(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: log(exp(self) / sum(exp(self)))."""
    total = _summed(inputs, values, mpmath.exp)

    def out(index: Index) -> Exact:
        # Of numbers near the largest double, the difference begins behind 308 digits.
        with mpmath.workdps(DIGITS + 308):
            return Exact(number(inputs["self"][index]) - mpmath.log(total(index)), None)

    return {"out": out}


def softmax_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: gradOutput * output - sum(gradOutput * output) * output."""
    total = _summed(inputs, values, lambda gradient, output: gradient * output)

    def out(index: Index) -> Exact:
        own, output = number(inputs["gradOutput"][index]), number(inputs["output"][index])
        return Exact(own * output - total(index) * output, None)

    return {"out": out}


def log_softmax_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: gradOutput - sum(gradOutput) * exp(output)."""
    total = _summed(inputs, values, lambda gradient, _: gradient)

    def out(index: Index) -> Exact:
        own, output = number(inputs["gradOutput"][index]), number(inputs["output"][index])
        return Exact(own - total(index) * mpmath.exp(output), None)

    return {"out": out}
