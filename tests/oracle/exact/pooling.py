# SPDX-License-Identifier: Apache-2.0
"""Averages over windows in 100 digits: window by window."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Values, number


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


def avg_pool2d(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: the sum of a window of the plane with its padding, and the page's divisor."""
    x = inputs["self"]
    kernel, padding = values["kernelSize"], values["paddings"]
    stride = values["strides"] or kernel

    def inside(axis: int, place: int) -> list[int]:
        start = place * stride[axis] - padding[axis]
        return [at for at in range(start, start + kernel[axis]) if 0 <= at < x.shape[axis]]

    def out(index: Index) -> Exact:
        *plane, row, column = index
        window = [number(x[(*plane, h, w)]) for h in inside(-2, row) for w in inside(-1, column)]
        divisor = len(window)
        if values["countIncludePad"]:
            divisor = kernel[0] * kernel[-1]
        return _mean(window, values["divisorOverride"] or divisor)

    # A list of one number stands for both axes.
    kernel, stride, padding = (tuple(each) * (3 - len(each)) for each in (kernel, stride, padding))
    return {"out": out}


def _mean(terms: list[object], divisor: int) -> Exact:
    return Exact(mpmath.fsum(terms) / divisor, None)
