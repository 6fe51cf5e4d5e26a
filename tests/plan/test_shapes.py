# SPDX-License-Identifier: Apache-2.0
"""Shapes to try: every rank, blocks and their neighbours, and what broadcasts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.plan.binding import UnboundError, broadcast_shape, broadcast_together
from aclnn_cts.plan.factors import (
    EMPTY_SHAPES,
    FURTHER_SHAPES,
    SMALL_SHAPES,
    free_shapes,
    traversal_shapes,
)
from aclnn_cts.spec.evaluation import broadcastable
from aclnn_cts.spec.names import BROADCASTS, MUTUAL_BROADCASTS


def test_each_shape_once_and_each_rank() -> None:
    """The small shapes alone hold every rank from 0 to 8; no shape stands twice."""
    assert {len(shape) for shape in SMALL_SHAPES} == set(range(9))
    every = (*SMALL_SHAPES, *FURTHER_SHAPES, *EMPTY_SHAPES)
    assert len(set(every)) == len(every)


@pytest.mark.parametrize("block", [8, 16])
def test_blocks_have_both_neighbours(block: int) -> None:
    """Vectors one below, at and one above a block of 32 bytes are there (float32 and float16)."""
    vectors = {shape[0] for shape in (*SMALL_SHAPES, *FURTHER_SHAPES) if len(shape) == 1}
    assert {block - 1, block, block + 1} <= vectors


def test_sizes() -> None:
    """Small shapes stay small, one shape crosses on-chip tiles, empty shapes are empty."""
    assert max(map(math.prod, SMALL_SHAPES)) <= 256
    assert max(map(math.prod, FURTHER_SHAPES)) > 65536
    assert {math.prod(shape) for shape in EMPTY_SHAPES} == {0}


@given(st.integers(0, 8), st.integers(0, 8))
def test_only_allowed_ranks(least: int, greatest: int) -> None:
    """What is offered has a rank that the document allows, and nothing allowed is left out."""
    offered = free_shapes((least, greatest), SMALL_SHAPES)
    assert offered == tuple(s for s in SMALL_SHAPES if least <= len(s) <= greatest)


@given(st.sampled_from(BROADCASTS), st.lists(st.integers(0, 5), max_size=5).map(tuple))
def test_variants_broadcast_to_their_target(variant: str, target: tuple[int, ...]) -> None:
    """NumPy, whose rule is the same, broadcasts each variant to exactly the target."""
    shape = broadcast_shape(variant, target)
    assert np.broadcast_shapes(shape, target) == target


@given(st.sampled_from((*BROADCASTS, *MUTUAL_BROADCASTS)), st.lists(st.integers(0, 5), max_size=5))
def test_mutual_variants_broadcast_with_the_other_tensor(variant: str, other: list[int]) -> None:
    """NumPy broadcasts each variant with the other tensor, to the shape that outputs get."""
    shapes = broadcast_shape(variant, tuple(other)), tuple(other)
    assert broadcastable(*shapes)
    assert broadcast_together(shapes) == np.broadcast_shapes(*shapes)


@given(st.lists(st.lists(st.integers(0, 3), max_size=3).map(tuple), min_size=2, max_size=4))
def test_shapes_broadcast_as_numpy_says(shapes: list[tuple[int, ...]]) -> None:
    """Any number of shapes broadcast exactly where NumPy broadcasts them."""
    try:
        expected = np.broadcast_shapes(*shapes)
    except ValueError:
        assert not broadcastable(*shapes)
    else:
        assert broadcastable(*shapes)
        assert broadcast_together(shapes) == expected


def test_a_tensor_has_at_most_eight_dimensions() -> None:
    """Beside a tensor of eight dimensions there is none with one more."""
    with pytest.raises(UnboundError):
        broadcast_shape("more", (1,) * 8)


def test_the_traversal_has_all_extents_in_all_axes() -> None:
    """2^k and 2^k - 1 up to 2^20, each rank, and no shape above 2^21 elements."""
    shapes = traversal_shapes((0, 4))
    assert {len(shape) for shape in shapes} == {1, 2, 3, 4}
    extents = {extent for shape in shapes for extent in shape}
    assert {2**k for k in range(21)} | {2**k - 1 for k in range(1, 21)} <= extents
    assert max(map(math.prod, shapes)) <= 2**21
    assert len(set(shapes)) == len(shapes)
