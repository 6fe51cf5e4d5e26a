# SPDX-License-Identifier: Apache-2.0
"""aclnnMaxPool2dWithMaskBackward in 100 digits: window by window, as the forward page lays them."""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import Any

import numpy.typing as npt
from tests.oracle.exact.numbers import (
    Arrays,
    Elements,
    Exact,
    Index,
    Number,
    Values,
    number,
    total,
)

Pair = tuple[int, int]


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``gradInput``: an element sums the gradients of the windows whose maximum it is."""
    x, gradient = inputs["self"], inputs["gradOutput"]
    kernel = _pair(values["kernelSize"])
    stride = _pair(values["stride"]) if len(values["stride"]) else kernel
    padding = _pair(values["padding"])

    @functools.cache
    def shares(plane: Index) -> dict[Pair, list[Number]]:
        """Return the gradients that the elements of a plane receive."""
        received: dict[Pair, list[Number]] = defaultdict(list)
        rows, columns = gradient.shape[-2:]
        for row in range(rows):
            for column in range(columns):
                corner = row * stride[0] - padding[0], column * stride[1] - padding[1]
                chosen = _maximum(x[plane], corner, kernel)
                if chosen is not None:
                    received[chosen].append(number(gradient[(*plane, row, column)]))
        return received

    def grad_input(index: Index) -> Exact:
        return total(shares(index[:-2]).get((index[-2], index[-1]), []))

    return {"gradInput": grad_input}


def _pair(numbers: tuple[int, ...]) -> Pair:
    """Return (vertical, horizontal); one number stands for both."""
    return (numbers[0], numbers[-1])


def _maximum(plane: npt.NDArray[Any], corner: Pair, kernel: Pair) -> Pair | None:
    """Return where a window's maximum stands, the first of equal ones; None in padding alone."""
    best: Pair | None = None
    for row in range(max(corner[0], 0), min(corner[0] + kernel[0], plane.shape[0])):
        for column in range(max(corner[1], 0), min(corner[1] + kernel[1], plane.shape[1])):
            if best is None or float(plane[row, column]) > float(plane[best]):
                best = row, column
    return best
