# SPDX-License-Identifier: Apache-2.0
"""Tensors of too many or too few dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from aclnn_cts.errors import counted
from aclnn_cts.violations.kind import (
    Broken,
    Change,
    Check,
    Kind,
    names_by,
    with_and_without_followers,
)

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec, TensorParameter
    from aclnn_cts.violations.rows import Row

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

DIMENSIONS = "dimensions"
"""The key of the bound in specs."""


class _Rank(Kind):
    """A bound of the number of dimensions.

    Attributes:
        side: On which side of the bound a rank is wrong, as in ids.
        end: The place of the bound in a range of ranks.
    """

    side: ClassVar[str]
    end: ClassVar[Literal[0, 1]]

    column = "dimensions"
    further: ClassVar = {
        DIMENSIONS: (
            Annotated[int, Field(ge=0)] | None,
            Field(
                None,
                description="The number of dimensions that the row states as the bound of "
                "`rank_outside` or `rank_below`; each tensor's own if absent.",
            ),
        )
    }
    kinds = ("rank", "shape")
    is_of_shapes = True

    def id_of(self, row: Row) -> str:
        bounds = [self.bound_in(row, name) for name in row.names or [""]]
        return f"rank-{self.side}-{_NUMBERS[(min, max)[self.end](bounds)]}"

    def requirement(self, row: Row, name: str) -> object:
        return counted(self.bound_in(row, name), "dimension")

    def bound_in(self, row: Row, name: str) -> int:
        """Return the bound that a row states, or the tensor's own."""
        limit = row.stated.get(DIMENSIONS)
        if isinstance(limit, int) and limit in range(len(_NUMBERS)):
            return limit
        return row.rank(name)[self.end]

    def bound(self, error: ErrorClause, tensor: TensorParameter) -> int:
        """Return the greatest or the least rank that a clause leaves a tensor."""
        limit: int | None = error.dimensions
        ranks = tensor.rank or (1, tensor.ranks[1])
        return ranks[self.end] if limit is None else limit


class RankOutside(_Rank):
    key = "rank_outside"
    description = "One dimension too many."
    compared = "at most {}"
    side, end = "above", 1

    def derived_value(self, row: Row) -> list[str]:
        return row.with_column("rank")

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in at.to_break(error.names):
            tensor = at.spec.tensor(name)
            rank = self.bound(error, tensor) + 1
            change = _reshape(at, tensor, rank)
            broken = Broken(name, f"{name}_rank{rank}", change)
            yield from with_and_without_followers(at, broken, "shape")
            if tensor.rule and at.allows_shape(name, (1,)):
                # one element is right in any number of dimensions
                change = at.with_what_follows({f"shape:{name}": (1,) * rank})
                yield Broken(name, f"{name}_one_rank{rank}", change)
        if at.shapes is None:
            yield from self._together(at, error)

    def _together(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        """Yield one more dimension for all tensors whose dimensions have names.

        The names tie their shapes together, so one changed tensor would be refused for its shape.
        """
        tensors = [at.spec.tensor(name) for name in error.names]
        if len(tensors) > 1 and any(tensor.has_named_dims for tensor in tensors):
            rank = max(self.bound(error, tensor) for tensor in tensors) + 1
            shapes = {name: _pad(at.binding.shapes[name], rank) for name in error.names}
            change: Change = {f"shape:{name}": shape for name, shape in shapes.items()}
            yield Broken("", f"all_rank{rank}", change)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        tensor = call.spec.tensor(name)
        return len(call.binding.shapes[name]) > self.bound(error, tensor)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        """Yield checks of both bounds."""
        for (least, greatest), names in names_by(spec.tensors, _ranks).items():
            yield Check("Rank", names, (("number", least), ("number", greatest)))


def _ranks(tensor: TensorParameter) -> tuple[int, int] | None:
    """Return least and greatest rank; each dimension besides a spread one has an axis."""
    return tensor.rank and (max(tensor.rank[0], tensor.named_axes), tensor.rank[1])


class RankBelow(_Rank):
    key = "rank_below"
    description = "One dimension too few."
    compared = "at least {}"
    side, end = "below", 0

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in at.to_break(error.names):
            rank = self.bound(error, at.spec.tensor(name)) - 1
            shape = at.binding.shapes[name]
            less = at.with_what_follows({f"shape:{name}": shape[:rank]})
            yield Broken(name, f"{name}_rank{rank}", less)
            if rank:  # the same number of elements on fewer axes
                merged = (*shape[: rank - 1], math.prod(shape[rank - 1 :]))
                change = at.with_what_follows({f"shape:{name}": merged})
                yield Broken(name, f"{name}_merged", change)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        tensor = call.spec.tensor(name)
        return len(call.binding.shapes[name]) < self.bound(error, tensor)


def _reshape(at: Twin, tensor: TensorParameter, rank: int) -> Change:
    """Return the change that gives a tensor a rank, by its spread dimension if it has one."""
    shape = at.binding.shapes[tensor.name]
    if (spread := at.spread_of(tensor)) is not None:
        fact, spread_shape = spread
        return {fact: _pad(spread_shape, rank - len(shape) + len(spread_shape))}
    return {f"shape:{tensor.name}": _pad(shape, rank)}


def _pad(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return the shape with this rank; new extents are 1, so no element is added."""
    return (*shape[:1], *(1,) * (rank - len(shape)), *shape[1:])
