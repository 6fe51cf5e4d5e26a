# SPDX-License-Identifier: Apache-2.0
"""Shapes that do not fit those of the other tensors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aclnn_cts.violations.kind import Broken, Kind, with_and_without_followers
from aclnn_cts.violations.ranks import RankBelow, RankOutside
from aclnn_cts.violations.storage import EmptyTensor, with_extent

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import TensorParameter
    from aclnn_cts.violations.rows import Row

_HIGH_RANK = 5
"""From this rank on extents repeat, so other axes' extents give no further shapes."""


class ShapeDiffers(Kind):
    key = "shape_differs"
    description = "A wrong shape: extents, axes or elements differ."
    id = "shape-differs"
    column = "{}, remarks on the shape"
    compared = "the shape {}"
    kinds = ("shape",)
    is_of_shapes = True
    is_sampled = True
    has_neighbours = True

    def requirement(self, row: Row, name: str) -> object:
        return row.source(name, "shape")

    def derived_value(self, row: Row) -> list[str]:
        return row.with_column("shape")

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in at.to_break(error.names):
            tensor = at.spec.tensor(name)
            for shape in dict.fromkeys(_neighbour_shapes(at, tensor)):
                if not at.allows_shape(name, shape) and not _is_covered_elsewhere(
                    at, tensor, shape
                ):
                    detail = f"{name}_{at.token(shape) if shape else 'scalar'}"
                    broken = Broken(name, detail, {f"shape:{name}": shape})
                    yield from with_and_without_followers(at, broken, "shape")

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        listed = isinstance(call.spec.tensor(name).shape, list)
        if listed and call.no_shapes_follow:
            return False
        return not call.allows_shape(name, call.binding.shapes[name])


def _is_covered_elsewhere(at: Twin, tensor: TensorParameter, shape: tuple[int, ...]) -> bool:
    """Whether other clauses refuse a shape, or its rank is contradictory in the document."""
    about = [error for error in at.spec.errors if tensor.name in error.names]
    if math.prod(shape) == 0 and any(isinstance(error.kind, EmptyTensor) for error in about):
        return True
    least, greatest = tensor.ranks
    if len(shape) < least and any(isinstance(error.kind, RankBelow) for error in about):
        return True
    if isinstance(tensor.shape, str) and shape == (*at.binding.shapes[tensor.name], 1):
        return False
    beyond = (
        error.kind.bound(error, tensor) for error in about if isinstance(error.kind, RankOutside)
    )
    return len(shape) > max(beyond, default=greatest) or (
        len(shape) < least and at.leaves_unbroken(tensor.name, "rank")
    )


def _neighbour_shapes(at: Twin, tensor: TensorParameter) -> Iterator[tuple[int, ...]]:
    """Yield shapes near a tensor's own, each preserving some property.

    Each extent off by one or replaced by 1, 0, or another tensor's extent; another axis resized;
    the same number of elements in other dimensions (swapped, merged, split, an extent of 1 more or
    less); one axis more or less; one element; the largest tensor's shape.
    """
    shape = at.binding.shapes[tensor.name]
    for axis, extent in enumerate(shape):
        near = (extent + 1, extent - 1)
        yield from (with_extent(shape, axis, changed) for changed in near if changed > 0)
    if isinstance(tensor.shape, str):
        yield (*shape, 1)
    if tensor.name in at.spec.resize_rules:
        yield from _resize_elsewhere(
            at.binding.shapes[at.spec.resize_rules[tensor.name].tensor], shape
        )
    yield shape[::-1]
    for axis, extent in enumerate(shape):
        part = next((extent // n for n in range(2, extent) if extent % n == 0), 1)
        yield from (with_extent(shape, axis, changed) for changed in (1, 0, part))
        yield (*shape[:axis], *shape[axis + 1 :])
    yield from ((1, *shape), (*shape[:1], 1, *shape[1:]), (*shape, 1))
    yield from ((2, *shape), (*shape, 2), (1, 1, *shape), (1, *shape, 1))
    for axis in range(len(shape) - 1):
        one, two = shape[axis : axis + 2]
        yield (*shape[:axis], two, one, *shape[axis + 2 :])
        yield (*shape[:axis], one * two, *shape[axis + 2 :])
    yield from _split(shape)
    yield (math.prod(shape),)
    yield from ((), (1,), (1,) * len(shape), (1,) * (len(shape) + 1))
    if at.shapes is not None and len(shape) >= _HIGH_RANK:
        return
    largest = max(at.binding.shapes.values(), key=math.prod)
    yield from (largest, (math.prod(largest),))
    for extent in dict.fromkeys(largest):
        yield (extent,)
        yield from (with_extent(shape, axis, extent) for axis in range(len(shape)))


def _resize_elsewhere(source: tuple[int, ...], shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield a shape with the share of ``shape`` in the elements of another, along each axis."""
    for axis, extent in enumerate(source if all(source) else ()):
        yield with_extent(source, axis, extent * math.prod(shape) // math.prod(source))


def _split(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the shape with its first composite extent split in two."""
    for axis, extent in enumerate(shape):
        factor = next((n for n in range(2, extent) if extent % n == 0), None)
        if factor is not None:
            yield (*shape[:axis], factor, extent // factor, *shape[axis + 1 :])
            return
