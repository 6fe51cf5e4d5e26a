# SPDX-License-Identifier: Apache-2.0
"""Functions of formulas that only move elements of inputs, before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.composites import COUNT, common_name
from aclnn_cts.golden.formula import Attributes, Inputs, by_rows, widen
from aclnn_cts.spec.expression import COMPOSITES

Array = npt.NDArray[Any]


def largest(array: Array, rows: Array) -> Array:
    """Return the largest element of each row, of inputs that are folded around an axis."""
    return np.asarray(widen(array).max(axis=_along(rows), keepdims=True, initial=-math.inf))


def _mean(array: Array, rows: Array) -> Array:
    return np.asarray(widen(array).sum(axis=_along(rows), keepdims=True) / _length(array, rows))


def _along(rows: Array) -> tuple[int, ...]:
    return tuple(axis for axis, extent in enumerate(rows.shape) if extent == 1)


def _length(array: Array, rows: Array) -> int:
    """Return the number of elements of a row; 1 of none."""
    return max(array.size // max(rows.size, 1), 1)


def half(array: Array, axis: int, which: int) -> Array:
    return np.split(array, 2, axis=axis)[which]


def per_channel(weight: Array, rank: int) -> Array:
    """Return one element for all, or one per channel (dimension 1), in that many dimensions."""
    if weight.size == 1:
        return weight.reshape(())
    return weight.reshape(weight.size, *(1,) * (rank - 2))


def channels(weight: Array, array: Array) -> Array:
    return np.broadcast_to(per_channel(weight, array.ndim), array.shape)


def bits(mask: Array, array: Array) -> Array:
    """Return which bits are 1, in the shape of an array; the bits beyond it mean nothing."""
    unpacked = np.unpackbits(mask.reshape(-1), count=array.size, bitorder="little")
    return unpacked.view(np.bool_).reshape(array.shape)


_FUNCTIONS: Mapping[str, Callable[..., Array]] = {
    "largest": largest,
    "half": half,
    "channels": channels,
    "bits": bits,
}


_COMMON: Mapping[str, Callable[[Array, Array], Array]] = {"mean": _mean, "largest": largest}


def move(
    inputs: Inputs,
    attributes: Attributes,
    reads: Collection[str],
    movements: Mapping[str, tuple[str, Sequence[str]]],
    axis: str,
    composites: Collection[tuple[str, str]] = (),
) -> dict[str, Array]:
    """Return the inputs that a formula reads, and the named movements of inputs.

    Args:
        movements: Function and arguments by name: inputs, attributes and whole numbers.
        axis: What names the axis, or several, around which all inputs are folded; empty for none.
        composites: Functions of all elements of an input, of which they need what is common.
    """
    columns = by_rows(inputs, attributes[axis]) if axis else dict(inputs)
    values = {**attributes, **columns}
    if axis:
        values[axis] = columns["rows"]
    movements_by_name = {name: array for name, array in columns.items() if name in (*reads, "rows")}
    for name, (function, arguments) in movements.items():
        movements_by_name[name] = _FUNCTIONS[function](
            *(values[each] if each in values else int(each) for each in arguments)
        )
    for function, name in composites:
        array, rows = columns[name], columns["rows"]
        movements_by_name[common_name(function, name)] = _COMMON[COMPOSITES[function]](array, rows)
        movements_by_name[COUNT] = np.array(float(_length(array, rows)))
    return movements_by_name
