# SPDX-License-Identifier: Apache-2.0
"""Reductions of many numbers to one: sums, extremes, and whether a condition holds for any or all.

Each adds up what it needs of its terms block by block, as :class:`Total` does for sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from aclnn_cts.golden.arithmetic import Arithmetic, Number, Reduce, Total
from aclnn_cts.golden.expected import FloatArray, Real
from aclnn_cts.golden.outcomes import NAN, NEG_INF, POS_INF, ZERO, Bits


class Accumulator(Protocol):
    """What is known of reductions while their terms are taken block by block."""

    @classmethod
    def zero(cls, count: int, real: Real = np.float64) -> Self:
        """Return the reductions of no terms."""

    @classmethod
    def of(cls, terms: Number, reduce: Reduce) -> Self:
        """Return the reductions of some terms."""

    def add(self, places: npt.NDArray[np.int64], other: Self) -> None:
        """Take in some reductions, each at its index."""

    def number(self, on: Arithmetic, terms: int) -> Number:
        """Return the reductions, of at most ``terms`` terms each."""


@dataclass(frozen=True)
class Largest:
    """The largest of numbers; NaN if one is NaN. Arrays have one element per reduction.

    Attributes:
        nothing: The largest of no numbers.
        value: Of the values.
        least: Of the least that each may be.
        most: Of the most.
        extremes: Bits of the possible Inf and NaN of terms, and of a 0 in place of the value.
    """

    nothing: ClassVar[float] = -np.inf

    value: FloatArray
    least: FloatArray
    most: FloatArray
    extremes: Bits

    @classmethod
    def zero(cls, count: int, real: Real = np.float64) -> Self:
        ends: Any = np.full((3, count), -np.inf, real)
        value, least, most = ends
        return cls(value, least, most, np.zeros(count, np.uint8))

    @classmethod
    def of(cls, terms: Number, reduce: Reduce) -> Self:
        a = terms.operand.result
        bits = np.broadcast_to(np.uint8(0) if a.extremes is None else a.extremes, a.value.shape)
        may_be_zero = np.not_equal(bits & ZERO, 0)
        least, most = np.subtract(a.value, a.total), np.add(a.value, a.total)
        least = np.where(may_be_zero, np.minimum(least, 0.0), least)
        most = np.where(may_be_zero, np.maximum(most, 0.0), most)
        value, least, most = (reduce(np.maximum, end) for end in (a.value, least, most))
        return cls(value, least, most, reduce(np.bitwise_or, bits))

    def add(self, places: npt.NDArray[np.int64], other: Self) -> None:
        parts = (self.value, other.value), (self.least, other.least), (self.most, other.most)
        for part, its in parts:
            np.maximum.at(part, places, its)
        np.bitwise_or.at(self.extremes, places, other.extremes)

    def number(self, on: Arithmetic, terms: int) -> Number:
        del terms
        value = np.where(np.isneginf(self.value), self.nothing, self.value)
        # a flushed number is 0, and nothing between
        is_zero = [np.not_equal(self.extremes & ZERO, 0) & (end == 0) for end in self._ends]
        down, up = (
            np.where(zero, 0.0, abs(value - end))
            for zero, end in zip(is_zero, self._ends, strict=True)
        )
        error: Any = np.where(np.isfinite(value), np.fmax(down, up), 0.0)
        extremes = self.extremes & (POS_INF | NAN) | np.isneginf(value) * NEG_INF
        extremes = np.asarray(extremes | np.logical_or(*is_zero) * ZERO, np.uint8)
        error = error if error.any() else 0.0
        return Number(on, value, error, extremes=extremes if extremes.any() else None)

    @property
    def _ends(self) -> tuple[FloatArray, FloatArray]:
        return self.least, self.most


class Smallest(Largest):
    """The smallest of numbers, kept as the largest of their negatives."""

    @classmethod
    def of(cls, terms: Number, reduce: Reduce) -> Self:
        return super().of(-terms, reduce)

    def number(self, on: Arithmetic, terms: int) -> Number:
        return -super().number(on, terms)


class AnyHolds(Largest):
    """Whether a condition holds for any; terms are 1 and 0."""

    nothing: ClassVar[float] = 0.0


class AllHold(Smallest):
    """Whether a condition holds for all; terms are 1 and 0."""

    nothing: ClassVar[float] = -1.0


ACCUMULATORS: Mapping[str, type[Accumulator]] = {
    "sum": Total,
    "amax": Largest,
    "amin": Smallest,
    "any": AnyHolds,
    "all": AllHold,
}
"""By the name of the reduction in formulas."""
