# SPDX-License-Identifier: Apache-2.0
"""Tensors of which an array pads the innermost axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.transcribe.page_model import Function


@dataclass(frozen=True)
class Padding:
    """The innermost axes of a tensor, and others whose extents an array adds to.

    Attributes:
        name: The array: the numbers before and after each axis, from the innermost on.
        axes: How many axes it pads.
        source: The tensor without padding.
        results: Those with padding.
        ranks: The ranks of the source.
    """

    name: str
    axes: int
    source: str
    results: tuple[str, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, function: Function) -> Padding | None:
        """Return what a page states of padding; None unless all of its axes are clear."""
        arrays = [each for each in function.parameters if each.type == "aclIntArray*"]
        lengths = [each.length for array in arrays for each in array.intervals if each.length]
        like = [each.name for each in function.parameters if each.count("padded_like")]
        counted_axes = {e.name: e.count("padded") for e in function.parameters if e.count("padded")}
        if len(arrays) != 1 or len(set(lengths)) != 1 or not (like or counted_axes):
            return None
        axes = lengths[0] // 2
        results = (*like, *counted_axes)
        source = next((e for e in function.parameters if e.name == "self" and e.ranks), None)
        if source is None or any(count != axes for count in counted_axes.values()):
            return None
        return cls(arrays[0].name, axes, source.name, results, source.ranks or ())

    def shape(self, name: str) -> list[str]:
        """Return the shape of the source, or of a result."""
        extents = list(enumerate(("W", "H", "D")[: self.axes]))
        if name != self.source:
            added = [f"{e} + {self.name}[{2 * n}] + {self.name}[{2 * n + 1}]" for n, e in extents]
            return ["*outer", *reversed(added)]
        return ["*outer", *(extent for _, extent in reversed(extents))]

    def beyond(self, elements: Sequence[int]) -> list[int]:
        """Return an array that pads one axis by more than any planned extent."""
        return [64 if number in elements else 1 for number in range(2 * self.axes)]

    @property
    def levels(self) -> list[list[int]]:
        return [[1] * 2 * self.axes, [0] * 2 * self.axes, [1, 2] * self.axes]

    @property
    def dims(self) -> dict[str, list[Any]]:
        extents: dict[str, list[Any]] = {each: [5, 9, 4] for each in ("D", "H", "W")[-self.axes :]}
        return {"outer": [[2] * (rank - self.axes) for rank in self.ranks]} | extents
