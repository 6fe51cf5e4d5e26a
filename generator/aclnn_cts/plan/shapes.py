# SPDX-License-Identifier: Apache-2.0
"""Shapes to try where the document leaves the shape free.

A block on the device is 32 bytes: 8 float32 or 16 float16 elements. Extents one below, at and one
above such blocks find wrong tails; prime extents find wrong strides; one shape of some 66,000
elements is larger than a core's on-chip tile in every data type.
"""

from __future__ import annotations

from collections.abc import Sequence

Shape = tuple[int, ...]

SMALL_SHAPES: tuple[Shape, ...] = (
    (4, 9),
    (),
    (1,),
    (7,),
    (8,),
    (17,),
    (31,),
    (129,),
    (1, 1),
    (3, 16),
    (2, 33),
    (5, 3, 7),
    (2, 1, 15),
    (2, 3, 4, 5),
    (1, 3, 2, 17),
    (2, 3, 1, 2, 9),
    (2, 1, 3, 1, 2, 7),
    (1, 2, 1, 3, 2, 1, 5),
    (2, 1, 2, 1, 3, 2, 1, 3),
)
"""Every rank from 0 to 8; few elements, so that the checked-in golden data stay small."""

FURTHER_SHAPES: tuple[Shape, ...] = (
    (9,),
    (15,),
    (16,),
    (32,),
    (33,),
    (63,),
    (255,),
    (256,),
    (1021,),
    (4099,),
    (16, 16),
    (127, 3),
    (1, 257),
    (33, 1),
    (61, 67),
    (8, 16, 32),
    (13, 1, 31),
    (3, 5, 7, 11),
    (16, 3, 8, 8),
    (2, 2, 3, 5, 13),
    (3, 2, 2, 2, 3, 11),
    (1, 3, 2, 1, 2, 4, 17),
    (2, 2, 2, 2, 2, 2, 2, 15),
    (1, 1, 1, 1, 1, 1, 1, 1),
    (257, 259),
)
"""Tails around blocks of 32 bytes, primes, and one shape that crosses on-chip tiles."""

EMPTY_SHAPES: tuple[Shape, ...] = (
    (0,),
    (3, 0),
    (0, 5),
    (2, 0, 4),
    (2, 3, 0, 1),
    (0, 0),
    (1, 2, 0, 2, 1),
    (2, 1, 1, 0, 1, 3),
    (1, 0, 2, 1, 1, 1, 2),
    (1, 1, 0, 1, 1, 1, 1, 2),
)


def free_shapes(rank: tuple[int, int], shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return those of ``shapes`` whose rank the document allows."""
    least, greatest = rank
    return tuple(shape for shape in shapes if least <= len(shape) <= greatest)


_STANDARD_MOST_ELEMENTS = 2**21


def traversal_shapes(rank: tuple[int, int]) -> tuple[Shape, ...]:
    """Return the shapes of the public precision standard's traversal.

    For each rank, 2^k and 2^k - 1 for k up to 20 (operator precision standard, section 1.2) go to
    the axes in turn; the other axes are 1 or 2, and no shape has more than 2^21 elements.
    """
    shapes: list[Shape] = []
    for dimensions in range(max(rank[0], 1), rank[1] + 1):
        for power in range(21):
            for extent in {2**power, max(2**power - 1, 1)}:
                axis = power % dimensions
                other = 2 if extent * 2 ** (dimensions - 1) <= _STANDARD_MOST_ELEMENTS else 1
                shapes.append(tuple(extent if at == axis else other for at in range(dimensions)))
    return tuple(dict.fromkeys(shapes))


def broadcast_shape(variant: str, target: Shape) -> Shape:
    """Return a shape that broadcasts to ``target`` (common document on broadcasting).

    Args:
        variant: One of :data:`aclnn_cts.spec.names.BROADCASTS`.
        target: The shape to reach.
    """
    if not target or variant == "full":
        return target
    if variant == "inner-one":
        return (*target[:-1], 1)
    if variant == "outer-one":
        return (1, *target[1:])
    if variant == "fewer":
        return target[1:]
    return (1,) * len(target)
