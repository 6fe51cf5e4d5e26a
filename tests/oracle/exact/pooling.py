# SPDX-License-Identifier: Apache-2.0
"""Averages over windows in 100 digits: window by window."""

from __future__ import annotations

import functools
from collections import defaultdict
from fractions import Fraction

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
    total,
)


def adaptive_avg_pool2d(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: the mean of what overlaps with a share of the image."""
    x = inputs["self"]

    def inside(axis: int, place: int) -> list[int]:
        """Return the indices whose unit interval overlaps with that of the window."""
        extent, count = x.shape[axis], values["outputSize"][axis]
        low, high = Fraction(place * extent, count), Fraction((place + 1) * extent, count)
        return [at for at in range(extent) if at + 1 > low and at < high]

    def out(index: Index) -> Exact:
        *plane, row, column = index
        rows, columns = inside(-2, row), inside(-1, column)
        window = [number(x[(*plane, h, w)]) for h in rows for w in columns]
        return _mean(window, len(window))

    return {"out": out}


def max_pool2d_with_indices(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``, the first maximum of a window in row-major order, and where it is."""
    x = inputs["self"]
    kernel, padding, dilation = (values[name] for name in ("kernelSize", "padding", "dilation"))
    stride = values["stride"] or kernel
    height, width = x.shape[-2:]

    def best(index: Index) -> tuple[Number, int]:
        *plane, row, column = index
        found: tuple[Number, int] | None = None
        for m, n in np.ndindex(kernel[0], kernel[-1]):
            h = row * stride[0] - padding[0] + m * dilation[0]
            w = column * stride[-1] - padding[-1] + n * dilation[-1]
            if 0 <= h < height and 0 <= w < width:
                seen = number(x[(*plane, h, w)])
                if found is None or seen > found[0]:
                    found = seen, h * width + w
        assert found is not None
        return found

    return {
        "out": lambda index: single(best(index)[0]),
        "indices": lambda index: single(number(best(index)[1])),
    }


def max_pool2d_with_indices_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``gradInput``: what the windows hand to the element that their index names."""
    del values
    places, gradient = inputs["indices"], inputs["gradOutput"]
    width = inputs["self"].shape[-1]

    @functools.cache
    def received(plane: Index) -> dict[int, list[Number]]:
        found: dict[int, list[Number]] = defaultdict(list)
        for window in np.ndindex(gradient.shape[-2:]):
            found[int(places[(*plane, *window)])].append(number(gradient[(*plane, *window)]))
        return found

    def grad_input(index: Index) -> Exact:
        return total(received(index[:-2]).get(index[-2] * width + index[-1], []))

    return {"gradInput": grad_input}


def avg_pool2d(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: the sum of a window of the plane with its padding, and the page's divisor."""
    x = inputs["self"]
    padding = values["paddings"]
    stride = values["strides"] or values["kernelSize"]

    def out(index: Index) -> Exact:
        *plane, row, column = index
        places, divisor = _window(values, x.shape, row, column, stride, padding)
        return _mean([number(x[(*plane, *place)]) for place in places], divisor)

    return {"out": out}


def avg_pool2d_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``gradInput``: window by window, what each hands to the elements that it holds."""
    x, gradient = inputs["self"], inputs["gradOutput"]
    padding = values["padding"]
    stride = values["stride"] or values["kernelSize"]

    @functools.cache
    def shares(plane: Index) -> dict[tuple[int, int], list[Number]]:
        received: dict[tuple[int, int], list[Number]] = defaultdict(list)
        for row, column in np.ndindex(gradient.shape[-2:]):
            places, divisor = _window(values, x.shape, row, column, stride, padding)
            share = number(gradient[(*plane, row, column)]) / divisor
            for place in places:
                received[place].append(share)
        return received

    def grad_input(index: Index) -> Exact:
        return total(shares(index[:-2]).get((index[-2], index[-1]), []))

    return {"gradInput": grad_input}


def _window(
    values: Values,
    shape: tuple[int, ...],
    row: int,
    column: int,
    stride: tuple[int, ...],
    padding: tuple[int, ...],
) -> tuple[list[tuple[int, int]], int]:
    """Return the places in a plane that a window holds, and what it divides by."""
    # A list of one number stands for both axes.
    kernel, stride, padding = (
        tuple(each) * (3 - len(each)) for each in (values["kernelSize"], stride, padding)
    )
    starts = row * stride[0] - padding[0], column * stride[1] - padding[1]
    rows, columns = (
        [at for at in range(start, start + length) if 0 <= at < extent]
        for start, length, extent in zip(starts, kernel, shape[-2:], strict=True)
    )
    places = [(h, w) for h in rows for w in columns]
    counted = kernel[0] * kernel[1] if values["countIncludePad"] else len(places)
    return places, values["divisorOverride"] or counted


def _mean(terms: list[object], divisor: int) -> Exact:
    return Exact(mpmath.fsum(terms) / divisor, None)
