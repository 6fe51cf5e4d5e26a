# SPDX-License-Identifier: Apache-2.0
"""Comparing one output with its expectation, by all standards at once, block by block."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.blocks import Block, measurable
from aclnn_cts.judge.metrics import ulp_size
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, Yardstick

BLOCK = 1 << 15
"""Elements compared at a time: a handful of float64 arrays of them fit a core's cache."""

SAMPLES = 4
"""Failing elements whose indices are kept."""

_ANY = np.uint8(Outcome.ANY)

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Failures:
    """The elements of one output that break one standard.

    Attributes:
        count: How many.
        first: Flat indices of the first :data:`SAMPLES` of them, row-major.
        reached: How many there are by the clauses that apply to them (bits of Expected.reached).
    """

    count: int
    first: tuple[int, ...]
    reached: Mapping[int, int]


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


@dataclass(frozen=True)
class _Room:
    """Buffers for one block; fresh ones would go back to the system and be faulted in each time."""

    error: FloatArray
    ulp: FloatArray
    magnitude: FloatArray
    spare: FloatArray

    @classmethod
    def reserve(cls, elements: int) -> _Room:
        return cls(*np.empty((4, elements)))

    def cut(self, elements: int) -> _Room:
        """Return the room for a block of so many elements."""
        return _Room(
            self.error[:elements],
            self.ulp[:elements],
            self.magnitude[:elements],
            self.spare[:elements],
        )


@dataclass
class _Failing:
    count: int = 0
    first: list[int] = field(default_factory=list)
    reached: Counter[int] = field(default_factory=Counter)

    def note(self, mask: Mask, start: int, reached: npt.NDArray[np.uint32]) -> None:
        """Add the failing elements of the block that begins at ``start``."""
        found = np.flatnonzero(mask)
        self.count += len(found)
        self.first += [start + int(index) for index in found[: SAMPLES - len(self.first)]]
        values, counts = np.unique(reached[mask], return_counts=True)
        self.reached.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))


@dataclass
class _Tally:
    """Running sums and extremes over the blocks of one output."""

    measured: int = 0
    unpromised: int = 0
    mismatched: int = 0
    contested: int = 0
    settled: int = 0
    reached: int = 0
    max_abs: float = 0.0
    sum_relative: float = 0.0
    max_relative: float = 0.0
    worst_share: float = 0.0
    worst_ulp: float = 0.0
    sum_ulp: float = 0.0
    sum_abs_ulp: float = 0.0
    beyond_limit: bool = False
    matching_beyond_limit: int = 0
    failing: dict[Standard, _Failing] = field(
        default_factory=lambda: {standard: _Failing() for standard in STANDARDS}
    )

    @property
    def mean_relative(self) -> float:
        """The mean relative error of the elements that could be measured."""
        return self.sum_relative / max(self.measured, 1)

    def told(self, error: float) -> float:
        """Return an error; Inf after a mismatch: where a number met Inf, none is large enough."""
        return math.inf if self.mismatched else error


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
    tally = _Tally()
    room = _Room.reserve(min(actual.size, BLOCK))
    with np.errstate(all="ignore"):
        for start, part, expectation in _blocks(actual.reshape(-1), expected):
            buffers = room.cut(part.size)
            block = measurable(widen(part), expectation, buffers.error)
            _count(expectation, tally)
            _add(block, tally)
            kept = _measure(block, yardstick, buffers, tally)
            for standard, mask in kept.items():
                failing = tally.failing[standard]
                _note_failures(failing, mask, block.mismatch, start, expectation.reached)
    return _conclude(name, actual.size, yardstick, tally)


@dataclass(frozen=True)
class ElementErrors:
    """What is wrong with each element of one output; one-dimensional arrays, row-major.

    Attributes:
        wrong: Whether the element breaks the standard.
        mismatched: Whether its class is not allowed, as NaN where a number is promised.
        promised: Whether anything is promised of it.
        ulps: Its absolute error in ulps of the output's type; 0 where it has none to measure.
    """

    wrong: Mask
    mismatched: Mask
    promised: Mask
    ulps: FloatArray


def errors_of(
    actual: npt.NDArray[Any], expected: Expected, yardstick: Yardstick, standard: Standard
) -> ElementErrors:
    """Return what is wrong with each element of an output.

    Arguments but the last are those of :func:`compare`, which finds the same elements wrong and
    keeps no array of them: that would cost every passing case.
    """
    wrong, mismatched = np.zeros((2, actual.size), np.bool_)
    ulps = np.zeros(actual.size)
    room = _Room.reserve(min(actual.size, BLOCK))
    with np.errstate(all="ignore"):
        for start, part, expectation in _blocks(actual.reshape(-1), expected):
            buffers, here = room.cut(part.size), slice(start, start + part.size)
            block = measurable(widen(part), expectation, buffers.error)
            ulps[here] = np.abs(block.error / ulp_size(block.golden, yardstick.floating))
            wrong[here] = ~_measure(block, yardstick, buffers, _Tally())[standard]
            if block.mismatch is not None:
                mismatched[here] = block.mismatch
    promised = expected.allowed.reshape(-1) != _ANY
    return ElementErrors(wrong | mismatched, mismatched, promised, ulps)


def _blocks(
    actual: npt.NDArray[Any], expected: Expected
) -> Iterator[tuple[int, npt.NDArray[Any], Expected]]:
    flat = expected.flat()
    for start in range(0, actual.size, BLOCK):
        part = slice(start, start + BLOCK)
        yield start, actual[part], flat.part(part)


def _count(expected: Expected, tally: _Tally) -> None:
    tally.reached |= int(np.bitwise_or.reduce(expected.reached))
    contested = int(np.count_nonzero(expected.contested))
    tally.contested += contested
    open_elements = expected.allowed == _ANY
    if contested:
        open_elements |= expected.contested
    tally.settled += len(open_elements) - int(np.count_nonzero(open_elements))


def _add(block: Block, tally: _Tally) -> None:
    tally.measured += block.measured
    tally.unpromised += block.unpromised
    if block.mismatch is not None:
        tally.mismatched += int(np.count_nonzero(block.mismatch))


def _measure(
    block: Block, yardstick: Yardstick, room: _Room, tally: _Tally
) -> dict[Standard, Mask]:
    """Add a block's figures to the tally; return what each standard finds in order."""
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


def _note_failures(
    failing: _Failing,
    kept: Mask,
    mismatch: Mask | None,
    start: int,
    reached: npt.NDArray[np.uint32],
) -> None:
    if mismatch is not None:
        kept &= ~mismatch
    if not kept.all():
        failing.note(~kept, start, reached)


def _conclude(name: str, elements: int, yardstick: Yardstick, tally: _Tally) -> Comparison:
    return Comparison(
        figures={
            standard: _figures(name, elements, standard, yardstick, tally) for standard in STANDARDS
        },
        failures={
            standard: Failures(found.count, tuple(found.first), dict(found.reached))
            for standard, found in tally.failing.items()
        },
        reached=tally.reached,
        contested=tally.contested,
        unpromised=tally.unpromised,
        settled=tally.settled,
    )


def _figures(
    name: str, elements: int, standard: Standard, yardstick: Yardstick, tally: _Tally
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


def _is_kept(standard: Standard, matched: float, yardstick: Yardstick, tally: _Tally) -> bool:
    if standard == "strict":
        return tally.failing[standard].count == 0
    if tally.mismatched:
        return False
    if standard == "ecosystem":
        return matched >= yardstick.matched_ratio and not tally.beyond_limit
    return tally.mean_relative < yardstick.threshold and tally.max_relative < yardstick.maximum
