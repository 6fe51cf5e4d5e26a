# SPDX-License-Identifier: Apache-2.0
"""How promises about shapes are broken: their number of dimensions, their extents, emptiness."""

from __future__ import annotations

from collections.abc import Iterator

from aclnn_cts.plan.building import token
from aclnn_cts.plan.requirements import is_shape_allowed
from aclnn_cts.plan.twins import Broken, Change, Twin, with_and_without_followers
from aclnn_cts.spec.models import ErrorClause, ShapeRule, TensorParameter


def rank_above(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes of more dimensions than a tensor may have."""
    for name in error.rank_outside or []:
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
    names = error.rank_outside or []
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
    for name in error.rank_below or []:
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
    for name in error.shape_differs or []:
        tensor = at.spec.tensor(name)
        for broken in _neighbour_shapes(tensor, at.binding.shapes[name]):
            if is_shape_allowed(tensor, broken, at.binding):
                continue
            detail = f"{name}_{token(broken) if broken else 'scalar'}"
            change = {f"shape:{name}": broken}
            yield from with_and_without_followers(at, detail, change, "shape")


def _neighbour_shapes(tensor: TensorParameter, shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield each extent off by one, and other shapes of as many elements."""
    for axis, extent in enumerate(shape):
        for changed in (extent + 1, extent - 1):
            if changed > 0:
                yield (*shape[:axis], changed, *shape[axis + 1 :])
    if isinstance(tensor.shape, str):
        yield (*shape, 1)
    if isinstance(tensor.shape, ShapeRule) and tensor.shape.broadcasts_to is not None:
        yield (2, *shape)  # it broadcasts, but to a larger shape
    if shape != shape[::-1]:
        yield shape[::-1]


def empty(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes without elements."""
    for name in error.empty_tensor or []:
        tensor = at.spec.tensor(name)
        if isinstance(tensor.shape, list) and f"dim:{_first_dim(tensor)}" in at.facts:
            yield name, {f"dim:{_first_dim(tensor)}": 0}
        else:
            shape = at.binding.shapes[name]
            yield name, {f"shape:{name}": (0, *shape[1:]) if shape else (0,)}


def _first_dim(tensor: TensorParameter) -> str:
    first = tensor.shape[0] if isinstance(tensor.shape, list) and tensor.shape else ""
    return first if isinstance(first, str) else first.text
