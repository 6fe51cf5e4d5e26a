# SPDX-License-Identifier: Apache-2.0
"""The call that passes beside each that must be refused, and how it is changed into that one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from aclnn_cts.plan.binding import Binding, Facts
from aclnn_cts.spec.models import OperatorSpec


@dataclass(frozen=True)
class Twin:
    """A call that passes.

    Attributes:
        spec: The operator.
        product: The product whose promises count.
        facts: What was chosen for it.
        binding: What the facts come to.
        lengths: The numbers of numbers that each list of them may have, by attribute.
        shapes: The tensors whose shapes are to be broken; None for the most ordinary call, of which
            everything is broken.
    """

    spec: OperatorSpec
    product: str
    facts: Facts
    binding: Binding
    lengths: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shapes: frozenset[str] | None = None

    def to_break(self, names: Sequence[str] | None) -> list[str]:
        """Return those of the tensors whose shapes are to be broken."""
        return [name for name in names or () if self.shapes is None or name in self.shapes]


Change = dict[str, Any]
"""Facts of a call that are other than the twin's."""

Broken = Iterator[tuple[str, Change]]
"""What makes a call wrong, each with a name for the case's id."""


def with_and_without_followers(
    at: Twin, detail: str, change: Change, aspect: Literal["dtype", "shape"]
) -> Broken:
    """Yield a change as it is, and again with the twin's data types or shapes of what follows it.

    With the followers changed, too, a device may refuse the call for one of them, without a look at
    the tensor itself.

    Args:
        at: The twin.
        detail: The change's name.
        change: The change.
        aspect: What is changed.
    """
    yield detail, change
    kept = _followers_kept(at, change, aspect)
    if kept:
        yield f"{detail}_alone", {**change, **kept}


def _followers_kept(at: Twin, change: Change, aspect: Literal["dtype", "shape"]) -> Change:
    """Return the twin's data types or shapes of the tensors that follow a changed one."""
    values: Mapping[str, Any] = at.binding.dtypes if aspect == "dtype" else at.binding.shapes
    followed = {key.removeprefix(f"{aspect}:") for key in change if key.startswith(f"{aspect}:")}
    found: Change = {}
    for tensor in at.spec.tensors:
        source = getattr(tensor, aspect)
        if isinstance(source, str) and source.removesuffix(f".{aspect}") in followed:
            followed.add(tensor.name)
            found[f"{aspect}:{tensor.name}"] = values[tensor.name]
    return found
