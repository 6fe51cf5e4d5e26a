# SPDX-License-Identifier: Apache-2.0
"""Layouts: every view lies in its storage, and its elements share nothing unless they repeat."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.plan.layouts import (
    CONTIGUOUS_LAYOUTS,
    DEEP_INPUT_LAYOUTS,
    DEEP_OUTPUT_LAYOUTS,
    INPUT_LAYOUTS,
    OUTPUT_LAYOUTS,
    Layout,
    contiguous_strides,
    is_contiguous,
    lay_out,
)
from aclnn_cts.spec.names import LAYOUT_NAMES

NAMES = st.sampled_from(sorted(LAYOUT_NAMES))
SHAPES = st.lists(st.integers(0, 4), max_size=5).map(tuple)
FULL_SHAPES = st.lists(st.integers(1, 4), max_size=5).map(tuple)


def places(shape: tuple[int, ...], layout: Layout) -> list[int]:
    """Return where in the storage each view element stands, in row-major order."""
    return [
        layout.offset + sum(at * step for at, step in zip(index, layout.strides, strict=True))
        for index in itertools.product(*map(range, shape))
    ]


@given(NAMES, SHAPES)
def test_every_element_lies_in_the_storage(name: str, shape: tuple[int, ...]) -> None:
    """No layout of any shape, empty ones included, reaches outside its storage."""
    layout = lay_out(name, shape)
    assert len(layout.strides) == len(shape)
    assert layout.offset >= 0
    size = math.prod(layout.storage)
    assert all(0 <= place < size for place in places(shape, layout))


@given(NAMES, SHAPES)
def test_elements_are_distinct_unless_expanded(name: str, shape: tuple[int, ...]) -> None:
    """Two elements of a view share a place only in layouts that say so by their name."""
    layout = lay_out(name, shape)
    found = places(shape, layout)
    if layout.name.startswith("expanded"):
        assert 0 in layout.strides
        repeated = math.prod(e for e, s in zip(shape, layout.strides, strict=True) if s == 0)
        assert len(set(found)) * repeated == len(found)
    else:
        assert len(set(found)) == len(found)


@given(NAMES, FULL_SHAPES)
def test_the_name_tells_what_the_layout_is(name: str, shape: tuple[int, ...]) -> None:
    """A fallback has its own name, and asking for that name gives the same layout again."""
    layout = lay_out(name, shape)
    assert layout.name in LAYOUT_NAMES
    assert lay_out(layout.name, shape) == layout
    plain = layout.strides == contiguous_strides(shape) and layout.offset == 0
    if layout.name in CONTIGUOUS_LAYOUTS:
        assert plain
    elif all(extent > 1 for extent in shape):
        assert not plain


@pytest.mark.parametrize(
    ("wanted", "shape", "given_instead"),
    [
        ("transposed", (5,), "stepped"),
        ("half-rows", (5,), "shifted"),
        ("transposed", (), "sliced"),
        ("transposed-outer", (2, 3), "transposed"),
        ("reversed", (2, 3), "transposed"),
        ("reversed", (4,), "stepped"),
        ("stepped", (), "sliced"),
        ("stepped-outer", (5,), "stepped"),
        ("expanded", (1, 1), "sliced"),
        ("expanded", (0, 3), "sliced"),
        ("expanded-inner", (), "sliced"),
    ],
)
def test_what_a_shape_cannot_have(wanted: str, shape: tuple[int, ...], given_instead: str) -> None:
    """Vectors and scalars cannot be transposed, empty tensors cannot repeat."""
    assert lay_out(wanted, shape).name == given_instead


def test_hand_made_layouts() -> None:
    """Strides, offset and storage of one shape in each layout, worked out by hand."""
    shape = (2, 3)
    assert lay_out("contiguous", shape) == Layout("contiguous", (3, 1), 0, (2, 3))
    assert lay_out("transposed", shape) == Layout("transposed", (1, 2), 0, (3, 2))
    assert lay_out("sliced", shape) == Layout("sliced", (7, 1), 10, (3, 7))
    assert lay_out("sliced", (0, 3)) == Layout("sliced", (7, 1), 10, (2, 7))
    assert lay_out("sliced", (2, 0, 1)) == Layout("sliced", (5, 5, 1), 8, (3, 1, 5))
    assert lay_out("stepped", shape) == Layout("stepped", (6, 2), 0, (2, 6))
    assert lay_out("stepped-outer", shape) == Layout("stepped-outer", (9, 1), 0, (6, 3))
    assert lay_out("expanded", shape) == Layout("expanded", (0, 1), 0, (1, 3))
    assert lay_out("expanded-inner", shape) == Layout("expanded-inner", (1, 0), 0, (2, 1))
    assert lay_out("half-rows", (2, 4)) == Layout("half-rows", (8, 1), 4, (2, 8))
    assert lay_out("loose-ones", (1, 2, 3)) == Layout("loose-ones", (77, 3, 1), 0, (1, 2, 3))
    assert lay_out("loose-ones", shape) == Layout("contiguous", (3, 1), 0, (2, 3))
    assert lay_out("first-half", (2, 4)) == Layout("first-half", (8, 1), 0, (2, 8))
    assert lay_out("second-half", (2, 4)) == Layout("second-half", (8, 1), 4, (2, 8))
    assert lay_out("second-half", (3,)) == Layout("second-half", (1,), 3, (6,))
    assert lay_out("reversed", (2, 3, 4)) == Layout("reversed", (1, 2, 6), 0, (4, 3, 2))
    assert lay_out("transposed-outer", (2, 3, 4)) == Layout(
        "transposed-outer", (4, 8, 1), 0, (3, 2, 4)
    )


@given(FULL_SHAPES)
def test_a_slice_starts_off_a_block(shape: tuple[int, ...]) -> None:
    """A sliced view begins at no multiple of 32 bytes in a type of two or four bytes.

    A storage row may make the offset a multiple for some shapes; it never does so for vectors.
    """
    layout = lay_out("sliced", shape[:1])
    assert layout.offset * 2 % 32
    assert layout.offset * 4 % 32


@given(FULL_SHAPES)
def test_an_embedded_view_has_somebody_behind_it(shape: tuple[int, ...]) -> None:
    """More than the 32 bytes of slack stand behind the view, in the storage itself."""
    layout = lay_out("embedded", shape)
    assert math.prod(layout.storage) - math.prod(shape) >= 32 // 2


def test_outputs_never_repeat() -> None:
    """An output that shares places has no meaning; inputs have every layout."""
    assert not any(name.startswith("expanded") for name in DEEP_OUTPUT_LAYOUTS)
    # any stride is right only where an extent is 1, so the planner makes that layout there
    assert {*DEEP_INPUT_LAYOUTS, "loose-ones"} == set(LAYOUT_NAMES)
    assert set(INPUT_LAYOUTS) == {*OUTPUT_LAYOUTS, "expanded"}


@pytest.mark.parametrize(
    ("shape", "strides", "said"),
    [
        ((4, 1), (1, 4), True),  # transposed, and yet the same elements in the same order
        ((1, 3), (17, 1), True),
        ((0, 3), (9, 2), True),
        ((4, 2), (1, 4), False),
        ((3,), (2,), False),
    ],
)
def test_strides_that_nobody_takes_do_not_count(
    shape: tuple[int, ...], strides: tuple[int, ...], *, said: bool
) -> None:
    """A device that takes such a tensor for contiguous is right."""
    assert is_contiguous(shape, strides) is said
