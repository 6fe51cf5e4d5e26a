# SPDX-License-Identifier: Apache-2.0
"""Measuring one output block by block: how far off each element is, and which standard it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.blocks import Block, as_accepted, measurable
from aclnn_cts.judge.metrics import ulp_size
from aclnn_cts.judge.standards import Standard, Yardstick
from aclnn_cts.judge.tally import Mask, Tally

BLOCK = 1 << 15
"""Elements compared at a time: a handful of float64 arrays of them fit a core's cache."""


@dataclass(frozen=True)
class Room:
    """Buffers for one block; fresh ones would go back to the system and be faulted in each time."""

    error: FloatArray
    ulp: FloatArray
    magnitude: FloatArray
    spare: FloatArray

    @classmethod
    def reserve(cls, elements: int) -> Room:
        """Return the room for blocks of at most so many elements."""
        return cls(*np.empty((4, elements)))

    def cut(self, elements: int) -> Room:
        """Return the room for a block of so many elements."""
        return Room(
            self.error[:elements],
            self.ulp[:elements],
            self.magnitude[:elements],
            self.spare[:elements],
        )


@dataclass(frozen=True)
class Part:
    """One block of an output, with what is needed to measure it.

    Attributes:
        start: The flat index of its first element.
        expected: What may come back of its elements.
        block: Its elements, ready to be measured.
        room: Where that may be done.
    """

    start: int
    expected: Expected
    block: Block
    room: Room


def parts_of(actual: npt.NDArray[Any], expected: Expected) -> Iterator[Part]:
    """Yield the blocks of an output; each is to be done with before the next one is asked for."""
    flat, elements = expected.flat(), actual.reshape(-1)
    room = Room.reserve(min(actual.size, BLOCK))
    for start in range(0, actual.size, BLOCK):
        place = slice(start, start + BLOCK)
        part = widen(elements[place])
        promised = as_accepted(part, flat.part(place))
        own = room.cut(part.size)
        yield Part(start, promised, measurable(part, promised, own.error), own)


def measure(part: Part, yardstick: Yardstick, tally: Tally) -> dict[Standard, Mask]:
    """Add a block's figures to the tally; return what each standard finds in order.

    Args:
        part: The block; its errors are their absolute values afterwards.
        yardstick: The numbers of the output's data type.
        tally: The figures of the blocks before it.
    """
    block, room = part.block, part.room
    ulp = ulp_size(block.golden, yardstick.floating, out=room.ulp)
    off = np.divide(block.error, ulp, out=room.spare)
    tally.worst_ulp = max(tally.worst_ulp, float(off.max()), -float(off.min()))
    tally.sum_ulp += float(off.sum())
    tally.sum_abs_ulp += float(np.abs(off, out=off).sum())
    error = np.abs(block.error, out=block.error)
    tally.max_abs = max(tally.max_abs, float(error.max()))
    magnitude = np.abs(block.golden, out=room.magnitude)
    limit = np.multiply(magnitude, yardstick.rtol, out=room.spare)
    limit += yardstick.atol
    matching = error <= limit
    if tally.max_abs > yardstick.hard_limit:
        ulp *= yardstick.hard_limit_ulps
        within = error <= np.maximum(ulp, yardstick.hard_limit, out=ulp)
        tally.beyond_limit |= not within.all()
        tally.matching_beyond_limit += int(np.count_nonzero(matching & ~within))
        matching &= within
    # 0 / 0 is no share: a promised zero that came back has neither error nor tolerance.
    share = np.divide(error, block.tolerance, out=room.spare)
    tally.worst_share = max(tally.worst_share, float(np.fmax.reduce(share)))
    magnitude += yardstick.floor
    relative = np.divide(error, magnitude, out=magnitude)
    tally.sum_relative += float(relative.sum())
    tally.max_relative = max(tally.max_relative, float(relative.max()))
    return {
        "strict": error <= block.tolerance,
        "ecosystem": matching,
        "statistical": relative < yardstick.maximum,
    }
