# SPDX-License-Identifier: Apache-2.0
"""How a tensor's view lies in its storage: strides, offset and storage shape by layout name.

Each layout changes one thing against a contiguous tensor (the common document on non-contiguous
tensors: a tensor is a shape, strides and an offset). A layout that a shape cannot have (a
transposed vector) falls back to one that it can; the returned layout tells which.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """A view in its storage, all figures in elements.

    Attributes:
        name: The layout's name.
        strides: One stride for each dimension of the view.
        offset: Distance of the first element from the start of the storage.
        storage: The storage shape.
    """

    name: str
    strides: tuple[int, ...]
    offset: int
    storage: tuple[int, ...]


Shape = tuple[int, ...]


def contiguous_strides(shape: Sequence[int]) -> Shape:
    """Return the row-major strides of a shape."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return tuple(strides)


def contiguous(shape: Shape) -> Layout:
    """Lay the elements one behind the other."""
    return Layout("contiguous", contiguous_strides(shape), 0, shape)


def _permuted(name: str, shape: Shape, order: Sequence[int]) -> Layout:
    """Store the axes in ``order`` (outermost first) and view them in the natural order."""
    storage = tuple(shape[axis] for axis in order)
    stored_strides = contiguous_strides(storage)
    strides = [0] * len(shape)
    for position, axis in enumerate(order):
        strides[axis] = stored_strides[position]
    return Layout(name, tuple(strides), 0, storage)


def transposed(shape: Shape) -> Layout:
    """Swap the two innermost axes in storage."""
    if len(shape) < 2:
        return stepped(shape)
    order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
    return _permuted("transposed", shape, order)


def transposed_outer(shape: Shape) -> Layout:
    """Swap the two outermost axes in storage."""
    if len(shape) < 3:
        return transposed(shape)
    return _permuted("transposed-outer", shape, [1, 0, *range(2, len(shape))])


def reversed_axes(shape: Shape) -> Layout:
    """Store the axes in the opposite order."""
    if len(shape) < 3:
        return transposed(shape)
    return _permuted("reversed", shape, range(len(shape) - 1, -1, -1))


def sliced(shape: Shape) -> Layout:
    """Cut the view out of a larger storage, at an offset that is not a multiple of 32 bytes."""
    if not shape:
        return Layout("sliced", (), 1, (3,))
    storage = (
        (*shape[:-1], shape[-1] + 4)
        if len(shape) == 1
        else (shape[0] + 1, *shape[1:-1], shape[-1] + 4)
    )
    strides = contiguous_strides(storage)
    offset = 3 + (strides[0] if len(shape) > 1 else 0)
    return Layout("sliced", strides, offset, storage)


_TAIL = 19
"""Elements behind an embedded view: more than the slack that an allocation has."""


def embedded(shape: Shape) -> Layout:
    """Put a contiguous view at the start of a longer storage.

    What stands behind the view belongs to somebody else. So a write one element too far shows,
    which in an allocation of its own would land in the slack that the runtime adds.
    """
    return Layout("embedded", contiguous_strides(shape), 0, (math.prod(shape) + _TAIL,))


def shifted(shape: Shape) -> Layout:
    """Put a contiguous view into longer storage, at an offset not a multiple of 32 bytes."""
    return Layout("shifted", contiguous_strides(shape), 3, (math.prod(shape) + 3 + _TAIL,))


_DISTANCE = 2**16 + 5
"""Elements between neighbours of a distant axis: more than 16 bits count."""


def distant(shape: Shape) -> Layout:
    """Leave more than 2^16 elements between slices of the outermost axis and before the first."""
    if len(shape) < 2:
        return shifted(shape)
    strides = (_DISTANCE, *contiguous_strides(shape[1:]))
    return Layout("distant", strides, _DISTANCE, ((shape[0] + 1) * _DISTANCE,))


def distant_inner(shape: Shape) -> Layout:
    """Leave more than 2^16 elements between neighbours along the innermost axis."""
    if len(shape) < 2:
        return stepped(shape)
    strides = (*contiguous_strides(shape[:-1]), _DISTANCE)
    return Layout("distant-inner", strides, 0, (shape[-1] * _DISTANCE,))


def stepped(shape: Shape) -> Layout:
    """Use every second element of the innermost axis."""
    return _stepped("stepped", shape, [len(shape) - 1])


def stepped_outer(shape: Shape) -> Layout:
    """Use every third element of the outermost axis."""
    if len(shape) < 2:
        return stepped(shape)
    return _stepped("stepped-outer", shape, [0])


def stepped_middle(shape: Shape) -> Layout:
    """Use every third element of all axes between the outermost and the innermost."""
    if len(shape) < 3:
        return stepped_outer(shape)
    return _stepped("stepped-middle", shape, range(1, len(shape) - 1))


def stepped_all(shape: Shape) -> Layout:
    """Use every second or third element of every axis."""
    if len(shape) < 2:
        return stepped(shape)
    return _stepped("stepped-all", shape, range(len(shape)))


def _stepped(name: str, shape: Shape, axes: Sequence[int]) -> Layout:
    if not shape:
        return sliced(shape)
    steps = [1] * len(shape)
    for axis in axes:
        steps[axis] = 2 if axis == len(shape) - 1 else 3
    storage = tuple(extent * step for extent, step in zip(shape, steps, strict=True))
    strides = contiguous_strides(storage)
    return Layout(
        name,
        tuple(stride * step for stride, step in zip(strides, steps, strict=True)),
        0,
        storage,
    )


def expanded(shape: Shape) -> Layout:
    """Repeat one slice along the outermost axis that has more than one element (stride 0)."""
    return _expanded("expanded", shape, range(len(shape)))


def expanded_inner(shape: Shape) -> Layout:
    """Repeat one slice along the innermost axis that has more than one element (stride 0)."""
    return _expanded("expanded-inner", shape, range(len(shape) - 1, -1, -1))


def _expanded(name: str, shape: Shape, axes: Sequence[int]) -> Layout:
    axis = next((at for at in axes if shape[at] > 1), None)
    if axis is None:
        return sliced(shape)
    storage = tuple(1 if at == axis else extent for at, extent in enumerate(shape))
    strides = contiguous_strides(storage)
    return Layout(
        name, tuple(0 if at == axis else stride for at, stride in enumerate(strides)), 0, storage
    )


LAYOUTS: dict[str, Callable[[Shape], Layout]] = {
    "contiguous": contiguous,
    "embedded": embedded,
    "transposed": transposed,
    "sliced": sliced,
    "stepped": stepped,
    "expanded": expanded,
    "transposed-outer": transposed_outer,
    "reversed": reversed_axes,
    "stepped-outer": stepped_outer,
    "stepped-middle": stepped_middle,
    "stepped-all": stepped_all,
    "shifted": shifted,
    "distant": distant,
    "distant-inner": distant_inner,
    "expanded-inner": expanded_inner,
}

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
)
DEEP_INPUT_LAYOUTS = (*DEEP_OUTPUT_LAYOUTS, "expanded", "expanded-inner")


def lay_out(name: str, shape: Shape) -> Layout:
    """Return the layout of that name for a shape, or the nearest that the shape can have."""
    if math.prod(shape) == 0 and name.startswith("expanded"):
        return sliced(shape)
    return LAYOUTS[name](shape)


def is_constant(layout: Layout, shape: Shape) -> bool:
    """Whether all of several elements are one and the same in memory."""
    several = [stride for extent, stride in zip(shape, layout.strides, strict=True) if extent > 1]
    return bool(several) and not any(several)


def layout_meanings() -> dict[str, str]:
    """Return what each layout is, in words: the first sentence of what makes it."""
    sentences = {name: (rule.__doc__ or "").split("\n")[0] for name, rule in LAYOUTS.items()}
    return {name: text[:1].lower() + text[1:].rstrip(".") for name, text in sentences.items()}
