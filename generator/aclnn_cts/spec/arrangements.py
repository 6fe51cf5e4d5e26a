# SPDX-License-Identifier: Apache-2.0
"""The shapes that arrangements give.

Each function has the name and the arguments of a formula's, with shapes for inputs, and raises
ValueError for arguments that do not go with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Shape: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = Sequence[int]


def numbers(value: int | Numbers) -> Numbers:
    """Return the numbers of an array, or a number as the only one."""
    return (value,) if isinstance(value, int) else value


def paddings(padding: Numbers, rank: int) -> list[tuple[int, int]]:
    """Return what is before and behind each axis.

    Raises:
        ValueError: There is not a pair for each axis, or there are more pairs.
    """
    pairs = [*zip(padding[::2], padding[1::2], strict=True)]
    return [*[(0, 0)] * (rank - len(pairs)), *pairs[::-1]]


def _axes(shape: Shape, axes: Numbers) -> list[int]:
    if not all(-len(shape) <= axis < len(shape) for axis in axes):
        raise ValueError(f"{len(shape)} axes are not {axes}")
    return [axis % len(shape) for axis in axes]


def _different(shape: Shape, dims: Numbers) -> list[int]:
    axes = _axes(shape, dims)
    if len({*axes}) < len(axes):
        raise ValueError(f"{dims} names an axis twice")
    return axes


def _permute(shape: Shape, dims: Numbers) -> Shape:
    axes = _different(shape, dims)
    if len(axes) != len(shape):
        raise ValueError(f"{dims} is no order of {len(shape)} axes")
    return tuple(shape[axis] for axis in axes)


def _flip(shape: Shape, dims: Numbers) -> Shape:
    _different(shape, dims)
    return shape


def _roll(shape: Shape, shifts: Numbers, dims: Numbers) -> Shape:
    _axes(shape, dims)
    if len(shifts) != (len(dims) or 1):
        raise ValueError(f"{shifts} are no shifts along {dims}")
    return shape


def _repeat(shape: Shape, repeats: Numbers) -> Shape:
    padded = (*(1,) * (len(repeats) - len(shape)), *shape)
    if min(repeats, default=0) < 0:
        raise ValueError(f"{repeats} are no numbers of copies")
    return tuple(extent * times for extent, times in zip(padded, repeats, strict=True))


def _interleave(shape: Shape, repeats: int, dim: int | None = None) -> Shape:
    if repeats < 0:
        raise ValueError(f"{repeats} is no number of copies")
    if dim is None:
        return (math.prod(shape) * repeats,)
    (axis,) = _axes(shape, [dim])
    return (*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :])


def _expand(shape: Shape, size: Numbers) -> Shape:
    before = len(size) - len(shape)
    if before < 0 or any(n not in (1, to) for n, to in zip(shape, size[before:], strict=True)):
        raise ValueError(f"{shape} does not broadcast to {size}")
    return tuple(size)


def _cut(
    shape: Shape,
    starts: int | Numbers,
    ends: int | Numbers,
    axes: int | Numbers,
    steps: int | Numbers,
) -> Shape:
    extents = [*shape]
    named = _different(shape, numbers(axes))
    parts = zip(named, numbers(starts), numbers(ends), numbers(steps), strict=True)
    for axis, start, end, step in parts:
        extents[axis] = len(range(*slice(start, end, step).indices(shape[axis])))
    return tuple(extents)


def _pad(shape: Shape, padding: Numbers, *_: object) -> Shape:
    pairs = zip(shape, paddings(padding, len(shape)), strict=True)
    padded = tuple(before + extent + behind for extent, (before, behind) in pairs)
    if min(padded, default=0) < 0:
        raise ValueError(f"{padding} leaves less than nothing of {shape}")
    return padded


def _same(shape: Shape, *_: object) -> Shape:
    return shape


def _flatten(shape: Shape, axis: int) -> Shape:
    (at,) = _axes(shape, [axis]) if shape else (0,)
    return math.prod(shape[:at]), math.prod(shape[at:])


def _matrix(shape: Shape, diagonal: int) -> Shape:
    return (math.prod(shape) + abs(diagonal),) * 2


def _gather(shape: Shape, dim: int, index: Shape) -> Shape:
    _with_elements(shape, places_along("gather", shape, dim, index), index)
    return index


def _select(shape: Shape, dim: int, index: Shape) -> Shape:
    _with_elements(shape, places_along("select", shape, dim, index), index)
    (axis,) = _axes(shape, [dim])
    return (*shape[:axis], *(index or (1,)), *shape[axis + 1 :])


def _take(shape: Shape, index: Shape) -> Shape:
    _with_elements(shape, places_along("take", shape, index), index)
    return index


def _slices(shape: Shape, index: Shape) -> Shape:
    extents = places_along("slices", shape, index)
    _with_elements(shape, extents, index)
    return (*index[:-1], *shape[len(extents) :])


def _fill(shape: Shape, dim: int, index: Shape, value: object) -> Shape:
    del index, value
    _axes(shape or (1,), [dim])
    return shape


def _copy(shape: Shape, dim: int, index: Shape, source: Shape) -> Shape:
    (extent,) = places_along("copy", shape, dim, index)
    if math.prod(index) > extent or len(source) != len(shape):
        raise ValueError(f"{source} are no slices for {index} different places")
    return shape


def _update(shape: Shape, index: Shape, source: Shape) -> Shape:
    extents = places_along("update", shape, index)
    if math.prod(index[:-1]) > math.prod(extents) or source != _slices(shape, index):
        raise ValueError(f"{source} are no slices for {index} different places")
    return shape


def places_along(function: str, shape: Shape, *others: Any) -> Shape:
    """Return the extents that bound the places of an index, in turn.

    Args:
        others: The other arguments.

    Raises:
        ValueError: The input has no such axes.
    """
    if function == "take":
        return (math.prod(shape),)
    if function in ("slices", "update"):
        index = others[0]
        if not index or not 0 < index[-1] <= len(shape):
            raise ValueError(f"{index} are no places along {len(shape)} axes")
        return shape[: index[-1]]
    (axis,) = _axes(shape or (1,), [others[0]])
    return ((shape or (1,))[axis],)


def _with_elements(shape: Shape, extents: Shape, index: Shape) -> None:
    if 0 in extents and 0 not in index:
        raise ValueError(f"{shape} has no elements at any place")


def _diagonal(shape: Shape, diagonal: int) -> Shape:
    if len(shape) == 1:
        return _matrix(shape, diagonal)
    rows, columns = shape
    first, behind = max(-diagonal, 0), max(diagonal, 0)
    return (max(min(rows - first, columns - behind), 0),)


SHAPES: Mapping[str, Callable[..., Shape]] = {
    "permute": _permute,
    "flip": _flip,
    "roll": _roll,
    "repeat": _repeat,
    "interleave": _interleave,
    "expand": _expand,
    "cut": _cut,
    **dict.fromkeys(("pad", "reflect", "replicate", "wrap"), _pad),
    **dict.fromkeys(("tril", "triu"), _same),
    "flatten": _flatten,
    "matrix": _matrix,
    "diagonal": _diagonal,
    "gather": _gather,
    "select": _select,
    "take": _take,
    "slices": _slices,
    "fill": _fill,
    "copy": _copy,
    "update": _update,
}
"""By the name of the arrangement."""
