# SPDX-License-Identifier: Apache-2.0
"""Tensors without elements, and tensors that are not contiguous."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aclnn_cts.violations.kind import Broken, Change, Check, Kind

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec


class EmptyTensor(Kind):
    key = "empty_tensor"
    description = "A tensor without elements."
    id = "no-empty-tensors"
    column = "{}, remark on empty tensors"
    refused = "an empty {} is refused"
    required = "{} {are} not empty"
    kinds = ("empty", "shape")
    is_of_shapes = True

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        shapes = [(name, list(_empty_shapes(at, name))) for name in at.to_break(error.names)]
        for name, changes in shapes:
            yield Broken(name, name, changes[0])
        for name, changes in shapes:
            for number, change in enumerate(changes[1:], 1):
                yield Broken(name, f"{name}_{number}", change)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        return call.case.tensor(name).numel == 0

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        errors = (error for error in spec.errors if error.kind is self)
        if names := tuple(name for error in errors for name in error.names):
            yield Check("NotEmpty", names)


def _empty_shapes(at: Twin, name: str) -> Iterator[Change]:
    """Yield shapes without elements: an extent of 0 in each place."""
    tensor = at.spec.tensor(name)
    shape = at.binding.shapes[name]
    dims = tensor.shape if isinstance(tensor.shape, list) else []
    facts = [f"dim:{dim if isinstance(dim, str) else dim.text}".replace("*", "") for dim in dims]
    if facts and facts[0] in at.facts:
        yield from (change for fact in facts for change in _empty(at, fact))
        return
    shapes = [with_extent(shape, axis, 0) for axis in range(len(shape))] or [(0,)]
    yield from ({f"shape:{name}": changed} for changed in shapes)
    if tensor.rule and (source := tensor.rule.trailing_of):
        yield {f"shape:{source}": with_extent(at.binding.shapes[source], -len(shape), 0)}


def _empty(at: Twin, fact: str) -> Iterator[Change]:
    """Yield a fact's dimension with an extent of 0, for a spread one in each place."""
    extents = at.facts.get(fact)
    if isinstance(extents, tuple):
        yield from ({fact: with_extent(extents, axis, 0)} for axis in range(len(extents)))
    elif extents is not None:
        yield {fact: 0}


def with_extent(shape: tuple[int, ...], axis: int, extent: int) -> tuple[int, ...]:
    """Return the shape with another extent along an axis, counted from either end."""
    axis %= len(shape)
    return (*shape[:axis], extent, *shape[axis + 1 :])


class NonContiguous(Kind):
    key = "non_contiguous"
    description = "A tensor that is not contiguous."
    id = "contiguous-only"
    column = "{}, column of non-contiguous tensors"
    refused = "a non-contiguous {} is refused"
    required = "{} {are} contiguous"

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in error.names:
            for layout in ("transposed", "stepped", "sliced"):
                # a slice of a vector has an offset, but adjacent elements
                if not at.is_contiguous_in(layout, name):
                    yield Broken(name, f"{name}_{layout}", {f"layout:{name}": layout})

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        return not call.is_contiguous(name)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        if names := tuple(tensor.name for tensor in spec.tensors if not tensor.non_contiguous):
            yield Check("Contiguous", names)
