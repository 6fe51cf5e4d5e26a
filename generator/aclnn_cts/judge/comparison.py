# SPDX-License-Identifier: Apache-2.0
"""Compare one output with its expectation, by all standards at once, block by block.

A block is brought to three arrays (actual, golden, tolerance) in which every element can be
measured by subtraction. An element that has no error to measure (nothing is promised of it, or
it is an Inf or NaN that is allowed) is given error 0; one whose class is not allowed is a
mismatch.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expectation, Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, Yardstick, classify, ulp_size

Mask = npt.NDArray[np.bool_]

SAMPLES = 4
"""Failing elements whose indices are kept."""

_VALUE = np.uint8(Outcome.VALUE)
_ZERO = np.uint8(Outcome.ZERO)
_EITHER = np.uint8(Outcome.VALUE | Outcome.ZERO)
_NON_FINITE = np.uint8(Outcome.NON_FINITE)
_ANY = np.uint8(Outcome.ANY)


@dataclass(frozen=True)
class Block:
    """Some elements of an output in a row, all measurable.

    Attributes:
        start: The flat index of the first one.
        expected: What may come back of them.
        error: actual - golden, signed, float64; finite, unless the subtraction itself overflowed.
        golden: What the error is relative to, float64; finite.
        tolerance: The strict standard's largest absolute error.
        measured: Elements that had an error to measure.
        unpromised: Elements of which nothing is promised.
        mismatch: Elements whose class is not allowed; None if there is none.
    """

    start: int
    expected: Expected
    error: FloatArray
    golden: FloatArray
    tolerance: FloatArray
    measured: int
    unpromised: int = 0
    mismatch: Mask | None = None


def block_of(start: int, actual: npt.NDArray[Any], expected: Expected, room: FloatArray) -> Block:
    """Return a block of an output; it is invalid when the next one is made in the same room.

    Args:
        start: The flat index of its first element.
        actual: What came back of its elements, in the output's own data type.
        expected: What may come back of them.
        room: Where the errors may be written.
    """
    wide = widen(actual)
    accepted = _as_accepted(wide, expected)
    plain = _plain(start, wide, accepted, room[: wide.size])
    return plain if plain is not None else _general(start, wide, accepted)


def _as_accepted(actual: FloatArray, expected: Expected) -> Expected:
    """Return an expectation with an alternative for each element that only that one accepts."""
    others = expected.alternatives
    if others is None:
        return expected
    came_back = actual[others.index]
    own = _is_accepted(came_back, expected.at(others.index))
    taken = np.flatnonzero(~own & _is_accepted(came_back, others.expected))
    if not len(taken):
        return expected
    arrays = {}
    for name in ("value", "tolerance", "allowed"):
        arrays[name] = getattr(expected, name).copy()
        arrays[name][others.index[taken]] = getattr(others.expected, name)[taken]
    return replace(expected, alternatives=None, **arrays)


def _is_accepted(actual: FloatArray, expected: Expected) -> Mask:
    """Return which elements keep the strict standard."""
    classes, allowed = classify(actual), expected.allowed
    near = np.abs(actual - expected.value) <= expected.tolerance
    by_class = (classes & allowed & ~_VALUE) != 0
    return np.asarray(by_class | (allowed == _ANY) | (near & ((allowed & _VALUE) != 0)))


def _plain(start: int, actual: FloatArray, expected: Expected, room: FloatArray) -> Block | None:
    """Return a block without Inf, NaN and unpromised elements; None if it has any.

    With a value that is not finite on either side, the difference is not finite.
    """
    allowed = expected.allowed
    golden, tolerance = expected.value, expected.tolerance
    if not np.equal(allowed, _VALUE).all():
        if np.greater(allowed, _EITHER).any() or not allowed.all():
            return None
        if np.not_equal(allowed & _VALUE, 0).all():
            golden = _nearest_golden(actual, golden, allowed)
        else:
            only_zero = np.equal(allowed, _ZERO)
            golden = _nearest_golden(actual, np.where(only_zero, 0.0, golden), allowed)
            tolerance = np.where(only_zero, 0.0, tolerance)
    error = np.subtract(actual, golden, out=room)
    # A sum is finite only if every part is; a sum of large errors that overflows only costs time.
    if not np.isfinite(error.sum()):
        return None
    return Block(start, expected, error, golden, tolerance, len(actual))


def _nearest_golden(
    actual: FloatArray, golden: FloatArray, allowed: npt.NDArray[np.uint8]
) -> FloatArray:
    """Return 0 as the golden value where 0 is allowed beside the value, and came back."""
    zeros = np.equal(actual, 0)
    zeros &= np.equal(allowed & _ZERO, _ZERO)
    zeros &= np.not_equal(golden, 0)
    return np.where(zeros, 0.0, golden) if zeros.any() else golden


def _general(start: int, actual: FloatArray, expected: Expected) -> Block:
    allowed = expected.allowed
    promised = allowed != _ANY
    classes = classify(actual)
    met = classes & allowed  # VALUE is met as far as the class goes; the error is measured below
    golden_finite = np.isfinite(expected.value)
    is_golden = ((met & _EITHER) == _VALUE) & golden_finite & promised
    by_zero = ((allowed & _ZERO) != 0) & ((classes & _VALUE) != 0) & promised
    measured = is_golden | by_zero
    golden = np.where(is_golden, expected.value, 0.0)
    error = np.where(measured, actual, 0.0)
    error -= golden
    mismatch = promised & ~measured & ((met & _NON_FINITE) == 0)
    return Block(
        start,
        expected,
        error,
        golden,
        tolerance=np.where(is_golden, expected.tolerance, 0.0),
        measured=int(np.count_nonzero(measured)),
        unpromised=len(actual) - int(np.count_nonzero(promised)),
        mismatch=mismatch if mismatch.any() else None,
    )


@dataclass
class Failures:
    """The elements of one output that break one standard.

    Attributes:
        count: How many.
        first: Flat indices of the first :data:`SAMPLES` of them, row-major.
    """

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, mask: Mask, start: int) -> None:
        """Add the failing elements of the block that begins at ``start``."""
        found = np.flatnonzero(mask)
        self.count += len(found)
        self.first += [start + int(index) for index in found[: SAMPLES - len(self.first)]]


@dataclass
class Comparison:
    """Sums and extremes over the blocks of one output, and the elements that fail.

    Attributes:
        output: The output's name.
        elements: How many it has.
        yardstick: The numbers of its data type.
        room: Buffers for one block; fresh ones would go back to the system and be faulted in each
            time.
        measured: Elements that had an error to measure.
        unpromised: Elements of which nothing is promised.
        mismatched: Elements whose class is not allowed.
        contested: Elements on which the documents contradict themselves.
        settled: Elements that are neither contested nor unpromised.
        reached: Union of the clauses that apply to any element (bits of Expected.reached).
        max_abs: Largest absolute error.
        sum_relative: Sum of the relative errors, as the statistical standard defines them.
        max_relative: The largest of them.
        worst_share: Largest error as a share of the strict tolerance.
        worst_ulp: Largest absolute error in ulps.
        sum_ulp: Sum of the signed errors in ulps.
        sum_abs_ulp: Sum of the absolute errors in ulps.
        beyond_limit: Whether any error is beyond the hard limit of the ecosystem standard.
        matching_beyond_limit: Elements that match by its mixed tolerance, and are beyond it.
        failures: The elements that break each standard.
    """

    output: str
    elements: int
    yardstick: Yardstick
    room: FloatArray
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
    failures: dict[Standard, Failures] = field(
        default_factory=lambda: {standard: Failures() for standard in STANDARDS}
    )

    @classmethod
    def begin(cls, output: str, elements: int, yardstick: Yardstick) -> Comparison:
        """Return the comparison of an output of which no block has been compared."""
        return cls(output, elements, yardstick, np.empty((4, 0)))

    def compare(self, start: int, actual: npt.NDArray[Any], expected: Expected) -> None:
        """Compare the elements from a flat index on; arguments as for :func:`block_of`."""
        with np.errstate(all="ignore"):
            self.add(self.block(start, actual, expected))

    def block(self, start: int, actual: npt.NDArray[Any], expected: Expected) -> Block:
        """Return a block of the output; it is invalid when the next one is made."""
        if actual.size > self.room.shape[1]:
            self.room = np.empty((4, actual.size))
        return block_of(start, actual, expected, self.room[0])

    def add(self, block: Block) -> Mapping[Standard, Mask]:
        """Add a block; return which of its elements keep each standard.

        The errors of the block are their absolute values afterwards.
        """
        self._count(block)
        kept = self._measure(block)
        for standard, mask in kept.items():
            if block.mismatch is not None:
                mask &= ~block.mismatch  # noqa: PLW2901 - in place
            if not mask.all():
                self.failures[standard].add(~mask, block.start)
        return kept

    def _count(self, block: Block) -> None:
        expected = block.expected
        self.measured += block.measured
        self.unpromised += block.unpromised
        if block.mismatch is not None:
            self.mismatched += int(np.count_nonzero(block.mismatch))
        self.reached |= int(np.bitwise_or.reduce(expected.reached))
        contested = int(np.count_nonzero(expected.contested))
        self.contested += contested
        open_elements = expected.allowed == _ANY
        if contested:
            open_elements |= expected.contested
        self.settled += len(open_elements) - int(np.count_nonzero(open_elements))

    def _measure(self, block: Block) -> dict[Standard, Mask]:
        """Add the errors of a block; return what keeps each standard, classes aside."""
        yardstick = self.yardstick
        ulp, magnitude, spare = self.room[1:, : len(block.error)]
        ulp = ulp_size(block.golden, yardstick.floating, out=ulp)
        off = np.divide(block.error, ulp, out=spare)
        self.worst_ulp = max(self.worst_ulp, float(off.max()), -float(off.min()))
        self.sum_ulp += float(off.sum())
        self.sum_abs_ulp += float(np.abs(off, out=off).sum())
        error = np.abs(block.error, out=block.error)
        self.max_abs = max(self.max_abs, float(error.max()))
        magnitude = np.abs(block.golden, out=magnitude)
        limit = np.multiply(magnitude, yardstick.rtol, out=spare)
        limit += yardstick.atol
        matching = error <= limit
        if self.max_abs > yardstick.hard_limit:
            ulp *= yardstick.hard_limit_ulps
            within = error <= np.maximum(ulp, yardstick.hard_limit, out=ulp)
            self.beyond_limit |= not within.all()
            self.matching_beyond_limit += int(np.count_nonzero(matching & ~within))
            matching &= within
        # 0 / 0 is no share: a promised zero that came back has neither error nor tolerance.
        share = np.divide(error, block.tolerance, out=spare)
        self.worst_share = max(self.worst_share, float(np.fmax.reduce(share)))
        magnitude += yardstick.floor
        relative = np.divide(error, magnitude, out=magnitude)
        self.sum_relative += float(relative.sum())
        self.max_relative = max(self.max_relative, float(relative.max()))
        return {
            "strict": error <= block.tolerance,
            "ecosystem": matching,
            "statistical": relative < yardstick.maximum,
        }

    @functools.cached_property
    def figures(self) -> Mapping[Standard, Figures]:
        """The figures by standard, once all blocks are added."""
        return {standard: self._figures(standard) for standard in STANDARDS}

    def _figures(self, standard: Standard) -> Figures:
        compared = self.elements - self.unpromised
        failures = self.failures[standard]
        unmatched = failures.count
        if standard == "ecosystem":
            # The published ratio is that of the mixed tolerance; the hard limit is beside it.
            unmatched -= self.matching_beyond_limit
        matched = (compared - unmatched) / compared if compared else 1.0
        # Where a number met Inf, no error is large enough.
        least = math.inf if self.mismatched else 0.0
        measured = max(self.measured, 1)
        mean_relative = self.sum_relative / measured
        return Figures(
            passed=self._is_kept(standard, matched, mean_relative),
            elements=self.elements,
            compared=compared,
            failing=failures.count,
            first_failing=failures.first[0] if failures.first else -1,
            output=self.output,
            matched_ratio=matched,
            max_abs_error=max(self.max_abs, least),
            mean_relative_error=max(mean_relative, least),
            max_relative_error=max(self.max_relative, least),
            worst_ulp=max(self.worst_ulp, least),
            worst_share=max(self.worst_share, least),
            mean_ulp=self.sum_ulp / measured,
            mean_abs_ulp=self.sum_abs_ulp / measured,
        )

    def _is_kept(self, standard: Standard, matched: float, mean_relative: float) -> bool:
        if standard == "strict":
            return self.failures[standard].count == 0
        if self.mismatched:
            return False
        if standard == "ecosystem":
            return matched >= self.yardstick.matched_ratio and not self.beyond_limit
        yardstick = self.yardstick
        return mean_relative < yardstick.threshold and self.max_relative < yardstick.maximum


def compare(
    output: str, actual: npt.NDArray[Any], expected: Expectation, yardstick: Yardstick
) -> Comparison:
    """Compare one output with its expectation.

    Args:
        output: The output's name.
        actual: What came back, in the output's own data type, of the expectation's shape.
        expected: What may come back.
        yardstick: The numbers of the output's data type.
    """
    found, flat = Comparison.begin(output, actual.size, yardstick), actual.reshape(-1)
    for start, block in expected.blocks():
        found.compare(start, flat[start : start + len(block.value)], block)
    return found


@dataclass(frozen=True)
class ElementErrors:
    """What is wrong with some elements of an output in a row; one-dimensional arrays.

    Attributes:
        start: The flat index of the first one.
        expected: What may come back of them.
        wrong: Whether the element breaks the standard.
        mismatched: Whether its class is not allowed, as NaN where a number is promised.
        promised: Whether anything is promised of it.
        ulps: Its absolute error in ulps of the output's type; 0 where it has none to measure.
    """

    start: int
    expected: Expected
    wrong: Mask
    mismatched: Mask
    promised: Mask
    ulps: FloatArray


def errors_of(
    actual: npt.NDArray[Any], expected: Expectation, yardstick: Yardstick, standard: Standard
) -> Iterator[ElementErrors]:
    """Yield what is wrong with the elements of an output, by one standard, block by block.

    Other arguments are those of :func:`compare`, which finds the same elements wrong and keeps no
    array of them: that would cost every passing case.
    """
    found, flat = Comparison.begin("", actual.size, yardstick), actual.reshape(-1)
    for start, part in expected.blocks():
        with np.errstate(all="ignore"):
            block = found.block(start, flat[start : start + len(part.value)], part)
            ulps = np.abs(block.error / ulp_size(block.golden, yardstick.floating))
            wrong = ~found.add(block)[standard]
        none = np.zeros(len(wrong), np.bool_)
        mismatched = none if block.mismatch is None else block.mismatch
        yield ElementErrors(start, part, wrong, mismatched, part.allowed != _ANY, ulps)
