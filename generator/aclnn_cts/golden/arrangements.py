# SPDX-License-Identifier: Apache-2.0
"""Functions of formulas that arrange the elements of an input as the output, by NumPy's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from aclnn_cts.golden.formula import Array, Attributes, Inputs
from aclnn_cts.spec.arrangements import numbers, paddings

Numbers: TypeAlias = Sequence[int]


def _roll(array: Array, shifts: Numbers, dims: Numbers) -> Array:
    if not dims:
        return np.roll(array, shifts[0])
    return np.roll(array, tuple(shifts), tuple(dims))


def _cut(array: Array, *parts: int | Numbers) -> Array:
    every = [slice(None)] * array.ndim
    for start, end, axis, step in zip(*map(numbers, parts), strict=True):
        every[axis] = slice(start, end, step)
    return array[tuple(every)]


def _pad(array: Array, padding: Numbers, value: Any) -> Array:
    pairs = paddings(padding, array.ndim)
    inside = tuple(
        slice(max(-before, 0), extent - max(-behind, 0))
        for extent, (before, behind) in zip(array.shape, pairs, strict=True)
    )
    around = [(max(before, 0), max(behind, 0)) for before, behind in pairs]
    constant = np.asarray(value).astype(array.dtype)
    # np.pad needs axes
    return np.pad(array[inside], around, constant_values=constant) if around else array


def _around(mode: Any) -> Callable[[Array, Numbers], Array]:
    return lambda array, padding: np.pad(array, paddings(padding, array.ndim), mode)


def _beside_diagonal(function: Callable[..., Array]) -> Callable[[Array, int], Array]:
    """Return a function of matrices whose diagonal may be any number, for which NumPy overflows."""

    def arranged(array: Array, diagonal: int) -> Array:
        rows, columns = array.shape[-2:]
        return function(array, min(max(diagonal, -rows), columns))

    return arranged


def _gather(array: Array, dim: int, index: Array) -> Array:
    if not index.ndim:
        return array.reshape(1)[index]
    parts = [slice(extent) for extent in index.shape]
    parts[dim] = slice(None)
    return np.take_along_axis(array[tuple(parts)], index, dim)


def _select(array: Array, dim: int, index: Array) -> Array:
    return np.take(array, np.atleast_1d(index), dim)


def _fill(array: Array, dim: int, index: Array, value: Any) -> Array:
    filled = array.reshape(array.shape or (1,)).copy()
    extent: int = filled.shape[dim]
    inside = (-extent <= index) & (index < extent)
    np.moveaxis(filled, dim, 0)[index[inside]] = np.asarray(value).astype(array.dtype)
    return filled.reshape(array.shape)


def _copy(array: Array, dim: int, index: Array, source: Array) -> Array:
    shape = array.shape or (1,)
    copied = array.reshape(shape).copy()
    slices = np.moveaxis(source.reshape(source.shape or (1,)), dim, 0)
    np.moveaxis(copied, dim, 0)[index.reshape(-1)] = slices
    return copied.reshape(array.shape)


def _update(array: Array, index: Array, source: Array) -> Array:
    updated = array.copy()
    updated[tuple(np.moveaxis(index, -1, 0))] = source
    return updated


def _flatten(array: Array, axis: int) -> Array:
    return array.reshape(math.prod(array.shape[:axis]), math.prod(array.shape[axis:]))


_FUNCTIONS: Mapping[str, Callable[..., Array]] = {
    "permute": np.transpose,
    "flip": lambda array, dims: np.flip(array, tuple(dims)),
    "roll": _roll,
    "repeat": np.tile,
    "interleave": np.repeat,
    "expand": np.broadcast_to,
    "cut": _cut,
    "pad": _pad,
    "reflect": _around("reflect"),
    "replicate": _around("edge"),
    "wrap": _around("wrap"),
    "tril": _beside_diagonal(np.tril),
    "triu": _beside_diagonal(np.triu),
    "flatten": _flatten,
    "matrix": np.diagflat,
    "diagonal": np.diag,
    "gather": _gather,
    "select": _select,
    "take": np.take,
    "slices": lambda array, index: array[tuple(np.moveaxis(index, -1, 0))],
    "fill": _fill,
    "copy": _copy,
    "update": _update,
}


def arrange(
    inputs: Inputs, attributes: Attributes, output: str, arrangement: tuple[str, Sequence[str]]
) -> dict[str, Array]:
    """Return the output of a call by its name.

    Args:
        arrangement: The function, and its arguments: names of inputs and attributes, and numbers.
    """
    function, arguments = arrangement
    values = {**attributes, **inputs}
    known = (values[each] if each in values else int(each) for each in arguments)
    return {output: _FUNCTIONS[function](*known)}
