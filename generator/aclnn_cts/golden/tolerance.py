# SPDX-License-Identifier: Apache-2.0
"""The strict standard's tolerance: derived from the number of roundings, scaled by the bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.spec.data_types import FloatFormat

_EXPONENT_BITS = np.uint64(0x7FF0_0000_0000_0000)


@dataclass(frozen=True)
class Budget:
    """What an output element's error may add up to.

    The last rounding, into the output's type, costs half an ulp of the value. Where that type is
    also the one that an intermediate result was rounded to last, the two are one rounding: it is
    counted once.

    Attributes:
        output: The type of the output.
        computing: The type in which the device computes.
        storage: The type in which intermediate results are kept.
        roundings: Roundings in ``computing``, those of sums included, each half an ulp of bound.
        storage_roundings: Roundings in ``storage``.
        call_roundings: Roundings in ``computing`` of a factor that all elements share.
        call_storage_roundings: Roundings in ``storage`` of such a factor.
        terms: Terms that are summed up; where there are several, each may lose a subnormal before
            it is added.
    """

    output: FloatFormat
    computing: FloatFormat
    storage: FloatFormat
    roundings: float
    storage_roundings: float = 0.0
    call_roundings: float = 0.0
    call_storage_roundings: float = 0.0
    terms: int = 1

    @property
    def before(self) -> float:
        """Roundings in ``computing`` before the last one into the output's type."""
        return self.roundings if self.computing != self.output else max(0.0, self.roundings - 1)

    @property
    def stored_before(self) -> float:
        """Roundings in ``storage`` before the last one into the output's type."""
        count = self.storage_roundings
        return count if self.storage != self.output else max(0.0, count - 1)

    @property
    def shared(self) -> float:
        """The part that scales with the bound and is the same share of it for all elements."""
        return (
            self.call_roundings * self.computing.unit_roundoff
            + self.call_storage_roundings * self.storage.unit_roundoff
        )

    @property
    def relative(self) -> float:
        """The part that scales with the bound."""
        return (
            self.before * self.computing.unit_roundoff
            + self.stored_before * self.storage.unit_roundoff
            + self.shared
        )

    @property
    def absolute(self) -> float:
        """The part that intermediate results below the normal range add."""
        lost = self.terms if self.terms > 1 else 0
        return (
            (self.before + lost) * self.computing.smallest_subnormal
            + self.stored_before * self.storage.smallest_subnormal
        ) / 2


def accumulation_roundings(terms: int, factor: float) -> float:
    """Return the roundings that a sum of ``terms`` terms may show; none for a single term.

    A sum of K terms takes K - 1 additions. Their rounding errors grow like the square root of their
    number with overwhelming probability (Higham and Mary, "A new approach to probabilistic rounding
    error analysis", 2019), and never faster than their number.
    """
    additions = max(terms - 1, 0)
    return min(float(additions), factor * math.sqrt(additions))


def ulp_at(value: FloatArray, floating: FloatFormat, out: FloatArray | None = None) -> FloatArray:
    """Return the distance of neighbouring numbers of a type around each value.

    It is 2^(max(floor(log2|v|), e_min) - fraction bits), read off the exponent bits of the float64,
    so it is exact at powers of two, for subnormals and at 0.

    Args:
        value: float64, contiguous; values that are not finite give an unspecified positive number.
        floating: The type; its ulp is asked for wherever the value lies, also above its range.
        out: Where to write the result; of the value's shape, contiguous.
    """
    ulp: FloatArray = np.empty(value.shape) if out is None else out
    np.bitwise_and(value.view(np.uint64), _EXPONENT_BITS, out=ulp.view(np.uint64))
    ulp *= 2.0**-floating.fraction_bits
    return np.maximum(ulp, floating.smallest_subnormal, out=ulp)


def strict_tolerance(value: FloatArray, bound: FloatArray, budget: Budget) -> FloatArray:
    """Return the largest absolute error of each element; arrays of one shape, contiguous."""
    tolerance = ulp_at(np.ascontiguousarray(value), budget.output)
    tolerance *= 0.5
    tolerance += bound * budget.relative + budget.absolute
    return tolerance
