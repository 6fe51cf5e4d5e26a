# SPDX-License-Identifier: Apache-2.0
"""Comparing one output with its expectation, by all standards at once, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.blocks import Block, as_accepted, measurable
from aclnn_cts.judge.metrics import ulp_size
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, Yardstick
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


@dataclass(frozen=True)
class Failures:
    """The elements of one output that break one standard.

    Attributes:
        count: How many.
        first: Flat indices of the first :data:`~aclnn_cts.judge.tally.SAMPLES` of them, row-major.
    """

    count: int
    first: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """What the comparison of one output found.

    Attributes:
        figures: By standard.
        failures: By standard.
        reached: Union of the clauses that apply to any element (bits of Expected.reached).
        contested: Elements on which the documents contradict themselves.
        unpromised: Elements of which nothing is promised.
        settled: Elements that are neither contested nor unpromised.
    """

    figures: Mapping[Standard, Figures]
    failures: Mapping[Standard, Failures]
    reached: int
    contested: int
    unpromised: int
    settled: int


def compare(
    name: str, actual: npt.NDArray[Any], expected: Expected, yardstick: Yardstick
) -> Comparison:
    """Compare one output with its expectation.

    Args:
        name: The output's name.
        actual: What came back, in the output's own data type, of the expectation's shape.
        expected: What may come back.
        yardstick: The numbers of the output's data type.
    """
    tally = Tally()
    with np.errstate(all="ignore"):
        for part in parts_of(actual, expected):
            tally.count(part.expected)
            tally.add(part.block)
            kept = measure(part, yardstick, tally)
            tally.note_failures(kept, part.block.mismatch, part.start)
    return _conclude(name, actual.size, yardstick, tally)


def _conclude(name: str, elements: int, yardstick: Yardstick, tally: Tally) -> Comparison:
    return Comparison(
        figures={
            standard: _figures(name, elements, standard, yardstick, tally) for standard in STANDARDS
        },
        failures={
            standard: Failures(found.count, tuple(found.first))
            for standard, found in tally.failing.items()
        },
        reached=tally.reached,
        contested=tally.contested,
        unpromised=tally.unpromised,
        settled=tally.settled,
    )


def _figures(
    name: str, elements: int, standard: Standard, yardstick: Yardstick, tally: Tally
) -> Figures:
    compared = elements - tally.unpromised
    failing = tally.failing[standard]
    unmatched = failing.count
    if standard == "ecosystem":
        # The published ratio is that of the mixed tolerance alone; the hard limit stands beside it.
        unmatched -= tally.matching_beyond_limit
    matched = (compared - unmatched) / compared if compared else 1.0
    return Figures(
        passed=_is_kept(standard, matched, yardstick, tally),
        elements=elements,
        compared=compared,
        failing=failing.count,
        first_failing=failing.first[0] if failing.first else -1,
        output=name,
        matched_ratio=matched,
        max_abs_error=tally.told(tally.max_abs),
        mean_relative_error=tally.told(tally.mean_relative),
        max_relative_error=tally.told(tally.max_relative),
        worst_ulp=tally.told(tally.worst_ulp),
        worst_share=tally.told(tally.worst_share),
        mean_ulp=tally.sum_ulp / max(tally.measured, 1),
        mean_abs_ulp=tally.sum_abs_ulp / max(tally.measured, 1),
    )


def _is_kept(standard: Standard, matched: float, yardstick: Yardstick, tally: Tally) -> bool:
    if standard == "strict":
        return tally.failing[standard].count == 0
    if tally.mismatched:
        return False
    if standard == "ecosystem":
        return matched >= yardstick.matched_ratio and not tally.beyond_limit
    return tally.mean_relative < yardstick.threshold and tally.max_relative < yardstick.maximum
