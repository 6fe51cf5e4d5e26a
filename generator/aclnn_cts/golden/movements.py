# SPDX-License-Identifier: Apache-2.0
"""Functions of formulas that only move elements of inputs, before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.formula import Attributes, Inputs, by_rows, widen

Array = npt.NDArray[Any]


def largest(array: Array, rows: Array) -> Array:
    """Return the largest element of each row, of inputs that are folded around an axis."""
    along = tuple(axis for axis, extent in enumerate(rows.shape) if extent == 1)
    return np.asarray(widen(array).max(axis=along, keepdims=True, initial=-math.inf))


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


def move(
    inputs: Inputs,
    attributes: Attributes,
    reads: Collection[str],
    movements: Mapping[str, tuple[str, Sequence[str]]],
    axis: str,
) -> dict[str, Array]:
    """Return the inputs that a formula reads, and the named movements of inputs.

    Args:
        movements: Function and arguments by name: inputs, attributes and whole numbers.
        axis: What names the axis, or several, around which all inputs are folded; empty for none.
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
    return movements_by_name
