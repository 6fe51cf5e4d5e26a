# SPDX-License-Identifier: Apache-2.0
"""How promises about shapes are broken: their number of dimensions, their extents, emptiness."""

from __future__ import annotations

import math
from collections.abc import Iterator

from aclnn_cts.plan.case_builder import token
from aclnn_cts.plan.requirements import is_shape_allowed
from aclnn_cts.plan.twins import Broken, Change, Twin, with_and_without_followers
from aclnn_cts.spec.models import ErrorClause, ShapeRule, TensorParameter
from aclnn_cts.spec.structure import clause_id

_HIGH_RANK = 5
"""From here on extents repeat, and those of other axes are no further shapes."""


def rank_above(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes of more dimensions than a tensor may have."""
    for name in at.to_break(error.rank_outside):
        tensor = at.spec.tensor(name)
        greatest = (tensor.rank or (0, 8))[1]
        shape = at.binding.shapes[name]
        change = _reshaped(at, tensor, _padded(shape, greatest + 1))
        yield from with_and_without_followers(at, f"{name}_rank{greatest + 1}", change, "shape")
        if isinstance(tensor.shape, ShapeRule) and is_shape_allowed(tensor, (1,), at.binding):
            # Whatever its number of dimensions, one element is no wrong number of elements.
            yield f"{name}_one_rank{greatest + 1}", {f"shape:{name}": (1,) * (greatest + 1)}
    yield from _rank_above_together(at, error)


def _rank_above_together(at: Twin, error: ErrorClause) -> Broken:
    """Yield one more dimension for all tensors whose dimensions have names.

    These names tie their shapes together: one tensor alone would be refused for its shape.
    """
    names = error.rank_outside or [] if at.shapes is None else []
    if len(names) > 1 and any(_has_named_dims(at.spec.tensor(name)) for name in names):
        rank = max(len(at.binding.shapes[name]) for name in names) + 1
        shapes = {name: _padded(at.binding.shapes[name], rank) for name in names}
        yield f"all_rank{rank}", {f"shape:{name}": shape for name, shape in shapes.items()}


def _has_named_dims(tensor: TensorParameter) -> bool:
    """Whether a fixed number of dimensions is listed, none of which spreads."""
    dims = tensor.shape
    return isinstance(dims, list) and not any(isinstance(dim, str) for dim in dims)


def _padded(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return the shape with so many dimensions, the new ones of extent 1: no element is added."""
    return (*shape[:1], *(1,) * (rank - len(shape)), *shape[1:])


def rank_below(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes of fewer dimensions than a tensor must have."""
    for name in at.to_break(error.rank_below):
        tensor = at.spec.tensor(name)
        rank = (tensor.rank or (1, 8))[0] - 1
        yield f"{name}_rank{rank}", {f"shape:{name}": at.binding.shapes[name][:rank]}


def _reshaped(at: Twin, tensor: TensorParameter, shape: tuple[int, ...]) -> Change:
    """Return the change that gives a tensor a shape: by its spread dimension if it has one."""
    dims = tensor.shape
    if isinstance(dims, list) and dims and isinstance(dims[-1], str):
        spread = at.binding.shapes[tensor.name][len(dims) - 1 :]
        return {f"dim:{dims[-1].removeprefix('*')}": _padded(spread, len(shape) - len(dims) + 1)}
    return {f"shape:{tensor.name}": shape}


def shape_differs(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes that do not fit those of the other tensors."""
    for name in at.to_break(error.shape_differs):
        tensor = at.spec.tensor(name)
        for broken in dict.fromkeys(_neighbour_shapes(at, tensor)):
            if is_shape_allowed(tensor, broken, at.binding) or _told_elsewhere(at, tensor, broken):
                continue
            detail = f"{name}_{token(broken) if broken else 'scalar'}"
            change = {f"shape:{name}": broken}
            yield from with_and_without_followers(at, detail, change, "shape")


def _told_elsewhere(at: Twin, tensor: TensorParameter, shape: tuple[int, ...]) -> bool:
    """Whether other clauses refuse a shape, or a document contradicts itself about its rank."""
    if math.prod(shape) == 0 and _named(at, "empty_tensor", tensor):
        return True
    least, greatest = tensor.rank or (0, 8)
    if len(shape) < least and _named(at, "rank_below", tensor):
        return True
    if isinstance(tensor.shape, str) and shape == (*at.binding.shapes[tensor.name], 1):
        return False
    return len(shape) > greatest or (
        len(shape) < least
        and any(
            item.clause == clause_id(tensor.name, "rank") and item.missing == "negative"
            for item in at.spec.one_sided
        )
    )


def _named(at: Twin, field: str, tensor: TensorParameter) -> bool:
    return any(tensor.name in (getattr(error, field) or ()) for error in at.spec.errors)


def _neighbour_shapes(at: Twin, tensor: TensorParameter) -> Iterator[tuple[int, ...]]:
    """Yield shapes near a tensor's own, in each way that keeps something whole.

    Each extent off by one; 1, 0, or another tensor's extent in its place; as many elements in other
    dimensions (swapped, merged, split, one of 1 more or less); one axis more or less; one element;
    the largest tensor's shape.
    """
    shape = at.binding.shapes[tensor.name]
    for axis, extent in enumerate(shape):
        for changed in (extent + 1, extent - 1):
            if changed > 0:
                yield _with(shape, axis, changed)
    if isinstance(tensor.shape, str):
        yield (*shape, 1)
    yield shape[::-1]
    for axis, extent in enumerate(shape):
        part = next((extent // n for n in range(2, extent) if extent % n == 0), 1)
        yield from (_with(shape, axis, changed) for changed in (1, 0, part))
        yield (*shape[:axis], *shape[axis + 1 :])
    yield (1, *shape)
    yield (*shape[:1], 1, *shape[1:])
    yield (*shape, 1)
    yield (2, *shape)
    yield (*shape, 2)
    yield (1, 1, *shape)
    yield (1, *shape, 1)
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
        yield from (_with(shape, axis, extent) for axis in range(len(shape)))


def _with(shape: tuple[int, ...], axis: int, extent: int) -> tuple[int, ...]:
    return (*shape[:axis], extent, *shape[axis + 1 :])


def _split(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the shape with the first extent that is a product as two."""
    for axis, extent in enumerate(shape):
        factor = next((n for n in range(2, extent) if extent % n == 0), None)
        if factor is not None:
            yield (*shape[:axis], factor, extent // factor, *shape[axis + 1 :])
            return


def empty(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes without elements: an extent of 0 in each place."""
    broken = [(name, list(_empty_shapes(at, name))) for name in at.to_break(error.empty_tensor)]
    for name, changes in broken:
        yield name, changes[0]
    for name, changes in broken:
        yield from ((f"{name}_{n}", change) for n, change in enumerate(changes) if n)


def _empty_shapes(at: Twin, name: str) -> Iterator[Change]:
    tensor = at.spec.tensor(name)
    shape = at.binding.shapes[name]
    dims = tensor.shape if isinstance(tensor.shape, list) else []
    facts = [f"dim:{dim if isinstance(dim, str) else dim.text}".replace("*", "") for dim in dims]
    if facts and facts[0] in at.facts:
        yield from (change for fact in facts for change in _emptied(at, fact))
    else:
        shapes = [_with(shape, axis, 0) for axis in range(len(shape))] or [(0,)]
        yield from ({f"shape:{name}": changed} for changed in shapes)


def _emptied(at: Twin, fact: str) -> Iterator[Change]:
    """Yield the dimension of a fact with an extent of 0; each of the several of a spread one."""
    extents = at.facts.get(fact)
    if isinstance(extents, tuple):
        yield from ({fact: _with(extents, axis, 0)} for axis in range(len(extents)))
    elif extents is not None:
        yield {fact: 0}
