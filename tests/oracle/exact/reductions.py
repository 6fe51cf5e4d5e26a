# SPDX-License-Identifier: Apache-2.0
"""Reductions along axes in 100 digits, as their pages write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy.typing as npt
from tests.oracle.exact.numbers import (
    Arrays,
    Elements,
    Exact,
    Index,
    Number,
    Values,
    number,
    single,
    total,
)

Reduction = Callable[[Sequence[Number], Values], Exact]
Oracle = Callable[[Arrays, Values], Elements]


def _row(x: npt.NDArray[Any], axes: Collection[int], index: Index) -> list[Number]:
    """Return the elements that an element of an output stands for; axes may be kept or not."""
    named = {axis % x.ndim for axis in axes}
    others = [axis for axis in range(x.ndim) if axis not in named]
    kept = (
        index if len(index) == len(others) else [index[a] for a in others if len(index) == x.ndim]
    )
    places: list[Any] = [slice(None)] * x.ndim
    for axis, place in zip(others, kept, strict=True):
        places[axis] = place
    return list(map(number, x[tuple(places)].reshape(-1)))


def oracle(axes: Callable[[Values, int], Collection[int]], **outputs: Reduction) -> Oracle:
    """Return the oracle of an operator.

    Args:
        axes: The axes that a call names, from its attributes and the number of dimensions.
        outputs: What becomes of the elements along them.
    """

    def elements(arrays: Arrays, values: Values) -> Elements:
        (x,) = arrays.values()
        named = axes(values, x.ndim)

        def element(reduction: Reduction) -> Callable[[Index], Exact]:
            return lambda index: reduction(_row(x, named, index), values)

        return {name: element(reduction) for name, reduction in outputs.items()}

    return elements


def every(_: Values, rank: int) -> range:
    return range(rank)


def planes(_: Values, rank: int) -> range:
    """Return the axes of a channel."""
    return range(2, rank)


def stated(name: str) -> Callable[[Values, int], Collection[int]]:
    """Return the axes that an attribute names: a number or an array."""
    return lambda values, _: [values[name]] if isinstance(values[name], int) else values[name]


def stated_or_every(name: str, unless: str = "") -> Callable[[Values, int], Collection[int]]:
    """Return the axes that an array names; all of none, unless an attribute says otherwise."""
    return lambda values, rank: values[name] or (() if unless and values[unless] else range(rank))


def largest(row: Sequence[Number], _: Values) -> Exact:
    return single(max(row))


def smallest(row: Sequence[Number], _: Values) -> Exact:
    return single(min(row))


def any_is_true(row: Sequence[Number], _: Values) -> Exact:
    return single(mpmath.mpf(any(element != 0 for element in row)))


def all_are_true(row: Sequence[Number], _: Values) -> Exact:
    return single(mpmath.mpf(all(element != 0 for element in row)))


def mean(row: Sequence[Number], _: Values) -> Exact:
    count = len(row)
    return Exact(mpmath.fsum(row) / count, mpmath.fsum(row, absolute=True) / count)


def added(row: Sequence[Number], _: Values) -> Exact:
    return total(row)


def added_without_nan(row: Sequence[Number], _: Values) -> Exact:
    return total(element for element in row if not mpmath.isnan(element))


def product(row: Sequence[Number], _: Values) -> Exact:
    return single(mpmath.fprod(row))


def logarithm_of_sum(row: Sequence[Number], _: Values) -> Exact:
    """Numbers below 0 have none."""
    added_up = mpmath.fsum(row)
    return Exact(mpmath.log(added_up) if added_up >= 0 else mpmath.nan, None)


def logarithm_of_exponentials(row: Sequence[Number], _: Values) -> Exact:
    return Exact(mpmath.log(mpmath.fsum(map(mpmath.exp, row))), None)


def variance(row: Sequence[Number], values: Values) -> Exact:
    """Divided by the number of elements less a correction, which `unbiased` says is 1."""
    correction = values.get("correction", int(values.get("unbiased", 0)))
    middle = mpmath.fsum(row) / len(row)
    squares = mpmath.fsum((element - middle) ** 2 for element in row)
    degrees = max(len(row) - correction, 0)
    if degrees:
        return Exact(squares / degrees, None)
    return Exact(mpmath.inf if squares > 0 else mpmath.nan, None)


def deviation(row: Sequence[Number], values: Values) -> Exact:
    return Exact(mpmath.sqrt(variance(row, values).value), None)
