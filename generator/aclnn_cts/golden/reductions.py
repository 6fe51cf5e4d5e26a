# SPDX-License-Identifier: Apache-2.0
"""Reductions of many numbers to one: sums, products, extremes, and whether any or all are true.

Each adds up what it needs of its terms block by block, as :class:`Total` does for sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from aclnn_cts.golden.arithmetic import ORDERS, Arithmetic, Number, Reduce, Total
from aclnn_cts.golden.expected import FloatArray, Real
from aclnn_cts.golden.outcomes import (
    ANY_INF,
    EXTREME,
    NAN,
    NEG_INF,
    POS_INF,
    ZERO,
    Bits,
    extremes_of,
)


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


_MARGIN = 2.0**-6
"""Margin at the ends of a type's range for the errors of partial products."""


@dataclass(frozen=True)
class Product:
    """The product of numbers, multiplied in any order. Arrays have one element per reduction.

    Attributes:
        value: Of the values.
        negative: The number of negative terms.
        most: The sum of the binary logarithms of finite terms above 1 in magnitude.
        least: That of those below 1, but for 0.
        share: The sum of the relative errors of terms.
        extremes: Bits of the Inf, NaN and 0 among the terms.
        open: Those of terms that may be Inf, NaN or 0 and need not.
    """

    value: FloatArray
    negative: FloatArray
    most: FloatArray
    least: FloatArray
    share: FloatArray
    extremes: Bits
    open: Bits

    @classmethod
    def zero(cls, count: int, real: Real = np.float64) -> Self:
        nothing: Any = np.zeros((4, count), real)
        bits = np.zeros((2, count), np.uint8)
        return cls(np.ones(count, real), *nothing, *bits)

    @classmethod
    def of(cls, terms: Number, reduce: Reduce) -> Self:
        a = terms.operand.result
        exact = extremes_of(a.value) | ((a.value == 0) * ZERO).astype(np.uint8)
        bits = np.zeros_like(exact) if a.extremes is None else a.extremes & ~exact
        size = np.abs(a.value)
        power = np.log2(np.where(np.isfinite(size) & (size > 0), size, 1.0))
        share = np.where(np.greater(a.total, 0), a.total / size, 0.0)
        return cls(
            reduce(np.multiply, a.value),
            reduce(np.add, (a.value < 0).astype(size.dtype)),
            reduce(np.add, np.maximum(power, 0.0)),
            reduce(np.add, np.minimum(power, 0.0)),
            reduce(np.add, np.broadcast_to(share, a.value.shape)),
            reduce(np.bitwise_or, exact),
            reduce(np.bitwise_or, bits),
        )

    def add(self, places: npt.NDArray[np.int64], other: Self) -> None:
        np.multiply.at(self.value, places, other.value)
        sums = (self.negative, other.negative), (self.most, other.most), (self.least, other.least)
        for part, its in (*sums, (self.share, other.share)):
            np.add.at(part, places, its)
        for bits, its_bits in ((self.extremes, other.extremes), (self.open, other.open)):
            np.bitwise_or.at(bits, places, its_bits)

    def number(self, on: Arithmetic, terms: int) -> Number:
        value, finite = self._value, np.equal(self.extremes & EXTREME, 0)
        if terms <= 1:
            error = np.where(finite, np.abs(value) * self.share, 0.0)
            bits = (self.extremes & EXTREME) | self.open
            return Number(on, value, error, extremes=bits if bits.any() else None)
        size = np.where(np.isfinite(value), np.abs(value), 0.0)
        # the last of the multiplications rounds the result
        roundings = (terms - 2) * on.computing.unit_roundoff if on.ulps_of("multiply") else 0.0
        error = size * (self.share + roundings)
        bits = extremes_of(value)
        if ORDERS in on.allowed:
            least, most = on.computing.min_exponent, on.computing.max_exponent + 1
            beyond, below = self.most >= most - _MARGIN, self.least <= least + _MARGIN
            signs = np.where(value < 0, NEG_INF, np.where(value > 0, POS_INF, NAN))
            bits = bits | beyond * signs | (below & (beyond | ~finite)) * NAN
            vanishes = below & (on.flushes | (self.least < least - 20))
            bits = bits | vanishes * ZERO
            error = error + below * (size + on.computing.smallest_subnormal)
        bits = bits | np.not_equal(self.open, 0) * (ANY_INF | NAN | ZERO)
        extremes = np.asarray(bits, np.uint8) if bits.any() else None
        return Number(on, value).result_of("multiply", value, error, 0.0, extremes)

    @property
    def _value(self) -> FloatArray:
        """The product, also where a partial one is beyond the type of golden values."""
        most = float(np.log2(np.finfo(self.value.dtype).max)) - 1
        is_lost = (self.most > most) | (self.least < 64 - most)
        sign = np.where(self.negative % 2 == 1, -1.0, 1.0)
        value = np.where(is_lost, sign * np.exp2(self.most + self.least), self.value)
        zero, infinite = (np.not_equal(self.extremes & bits, 0) for bits in (ZERO, ANY_INF))
        value = np.where(zero, 0.0, np.where(infinite, sign * np.inf, value))
        return np.where((zero & infinite) | np.not_equal(self.extremes & NAN, 0), np.nan, value)


class AnyHolds(Largest):
    """Whether a condition holds for any; terms are 1 and 0."""

    nothing: ClassVar[float] = 0.0


class AllHold(Smallest):
    """Whether a condition holds for all; terms are 1 and 0."""

    nothing: ClassVar[float] = -1.0


ACCUMULATORS: Mapping[str, type[Accumulator]] = {
    "sum": Total,
    "prod": Product,
    "amax": Largest,
    "amin": Smallest,
    "any": AnyHolds,
    "all": AllHold,
}
"""By the name of the reduction in formulas."""
