# SPDX-License-Identifier: Apache-2.0
"""Layouts of a view in its storage: strides, offset and storage shape by name.

Each layout changes one thing against a contiguous tensor (the common document on non-contiguous
tensors: a tensor is a shape, strides and an offset). If a shape cannot have a layout (a transposed
vector), the nearest possible one is returned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """A view in its storage, all figures in elements.

    Attributes:
        strides: One stride for each dimension of the view.
        offset: Distance of the first element from the start of the storage.
    """

    name: str
    strides: tuple[int, ...]
    offset: int
    storage: tuple[int, ...]

    def holds(self, shape: Sequence[int]) -> bool:
        """Whether a view of this shape lies within the storage."""
        if len(shape) != len(self.strides):
            return False
        last = self.offset + sum((n - 1) * s for n, s in zip(shape, self.strides, strict=True))
        return 0 in shape or last < math.prod(self.storage)


Shape = tuple[int, ...]


def contiguous_strides(shape: Sequence[int]) -> Shape:
    """Return the row-major strides of a shape."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return tuple(strides)


def is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements are adjacent in order; the stride of an extent of 1 does not count."""
    steps = zip(shape, strides, contiguous_strides(shape), strict=True)
    return 0 in shape or all(extent == 1 or stride == usual for extent, stride, usual in steps)


def contiguous(shape: Shape) -> Layout:
    """Place the elements one after another."""
    return Layout("contiguous", contiguous_strides(shape), 0, shape)


_TAIL = 19
"""Elements after an embedded view: more than the slack of an allocation."""

_DISTANCE = 2**16 + 5
"""Elements between neighbours of a distant axis: more than fit into 16 bits."""

_ANY_STRIDE = 77
"""A stride that is no product of the extents of other axes."""

_FALLBACKS = {
    "transposed": (2, "stepped"),
    "transposed-outer": (3, "transposed"),
    "reversed": (3, "transposed"),
    "stepped": (1, "sliced"),
    "stepped-outer": (2, "stepped"),
    "stepped-middle": (3, "stepped-outer"),
    "stepped-all": (2, "stepped"),
    "distant": (2, "shifted"),
    "distant-inner": (2, "stepped"),
    "half-rows": (2, "shifted"),
}
"""The least number of dimensions of a layout, and its replacement below that."""


CONTIGUOUS_LAYOUTS = ("contiguous", "embedded")
OUTPUT_LAYOUTS = (*CONTIGUOUS_LAYOUTS, "transposed", "sliced", "stepped")
INPUT_LAYOUTS = (*OUTPUT_LAYOUTS, "expanded")
DEEP_OUTPUT_LAYOUTS = (
    *OUTPUT_LAYOUTS,
    "transposed-outer",
    "reversed",
    "stepped-outer",
    "stepped-middle",
    "stepped-all",
    "shifted",
    "distant",
    "distant-inner",
    "half-rows",
)
HALVES = ("first-half", "second-half")
"""The layouts of two tensors in one storage, of at least one dimension."""
DEEP_INPUT_LAYOUTS = (*DEEP_OUTPUT_LAYOUTS, "expanded", "expanded-inner")


def lay_out(name: str, shape: Shape) -> Layout:
    """Return the layout of that name for a shape, or the nearest that the shape can have."""
    repeatable = [axis for axis, extent in enumerate(shape) if extent > 1] if all(shape) else []
    if name.startswith("expanded") and not repeatable:
        name = "sliced"
    while name in _FALLBACKS and len(shape) < _FALLBACKS[name][0]:
        name = _FALLBACKS[name][1]
    if name.startswith("stepped"):
        return _step(name, shape)
    if name.startswith("expanded"):
        return _expand(name, shape, repeatable[-1 if name == "expanded-inner" else 0])
    return _OTHERS[name](shape)


def _embed(shape: Shape) -> Layout:
    """Put other data after the view in its storage.

    They show a write one element too far, which would otherwise land in the slack of the
    allocation.
    """
    return Layout("embedded", contiguous_strides(shape), 0, (math.prod(shape) + _TAIL,))


def _shift(shape: Shape) -> Layout:
    return Layout("shifted", contiguous_strides(shape), 3, (math.prod(shape) + 3 + _TAIL,))


def _slice(shape: Shape) -> Layout:
    if not shape:
        return Layout("sliced", (), 1, (3,))
    more = 1 if len(shape) > 1 else 0
    wider = (*shape[:-1], shape[-1] + 4)
    whole = [max(extent, 1) for extent in wider]
    storage = (whole[0] + more, *whole[1:])
    strides = contiguous_strides(storage)
    return Layout("sliced", strides, 3 + more * strides[0], storage)


def _half_rows(shape: Shape) -> Layout:
    """Use the second half of each row, as the gate of a gated activation is."""
    storage = (*shape[:-1], 2 * shape[-1])
    return Layout("half-rows", contiguous_strides(storage), shape[-1], storage)


def _half(name: str, shape: Shape, number: int) -> Layout:
    """Use one half of each row; another tensor has the other half."""
    halves = _half_rows(shape)
    return Layout(name, halves.strides, number * halves.offset, halves.storage)


def _loose_ones(shape: Shape) -> Layout:
    """Give axes of one element a stride that no element depends on."""
    strides = zip(shape, contiguous_strides(shape), strict=True)
    loose = tuple(_ANY_STRIDE if extent == 1 else stride for extent, stride in strides)
    return Layout("loose-ones" if 1 in shape else "contiguous", loose, 0, shape)


def _distant(shape: Shape) -> Layout:
    strides = (_DISTANCE, *contiguous_strides(shape[1:]))
    return Layout("distant", strides, _DISTANCE, ((shape[0] + 1) * _DISTANCE,))


def _distant_inner(shape: Shape) -> Layout:
    strides = (*contiguous_strides(shape[:-1]), _DISTANCE)
    return Layout("distant-inner", strides, 0, (shape[-1] * _DISTANCE,))


def _permute(name: str, shape: Shape, order: Sequence[int]) -> Layout:
    """Store the axes in ``order`` (outermost first) and view them in the natural order."""
    storage = tuple(shape[axis] for axis in order)
    stored = dict(zip(order, contiguous_strides(storage), strict=True))
    return Layout(name, tuple(stored[axis] for axis in range(len(shape))), 0, storage)


def _step(name: str, shape: Shape) -> Layout:
    """Use every second element of the innermost axis, or every third of others."""
    inner = len(shape) - 1
    axes = {
        "stepped": range(inner, inner + 1),
        "stepped-outer": range(1),
        "stepped-middle": range(1, inner),
        "stepped-all": range(inner + 1),
    }[name]
    steps = [(2 if axis == inner else 3) if axis in axes else 1 for axis in range(inner + 1)]
    storage = tuple(extent * step for extent, step in zip(shape, steps, strict=True))
    strides = zip(contiguous_strides(storage), steps, strict=True)
    return Layout(name, tuple(stride * step for stride, step in strides), 0, storage)


def _expand(name: str, shape: Shape, repeated: int) -> Layout:
    """Repeat one slice along an axis (stride 0)."""
    storage = tuple(1 if axis == repeated else extent for axis, extent in enumerate(shape))
    strides = list(contiguous_strides(storage))
    strides[repeated] = 0
    return Layout(name, tuple(strides), 0, storage)


_OTHERS: dict[str, Callable[[Shape], Layout]] = {
    "contiguous": contiguous,
    "embedded": _embed,
    "shifted": _shift,
    "sliced": _slice,
    "half-rows": _half_rows,
    "loose-ones": _loose_ones,
    HALVES[0]: lambda s: _half(HALVES[0], s, 0),
    HALVES[1]: lambda s: _half(HALVES[1], s, 1),
    "distant": _distant,
    "distant-inner": _distant_inner,
    "transposed": lambda s: _permute("transposed", s, [*range(len(s) - 2), len(s) - 1, len(s) - 2]),
    "transposed-outer": lambda s: _permute("transposed-outer", s, [1, 0, *range(2, len(s))]),
    "reversed": lambda s: _permute("reversed", s, range(len(s) - 1, -1, -1)),
}


def is_constant(layout: Layout, shape: Shape) -> bool:
    """Whether a view has several elements, which are all the same in memory."""
    several = [stride for extent, stride in zip(shape, layout.strides, strict=True) if extent > 1]
    return bool(several) and not any(several)
