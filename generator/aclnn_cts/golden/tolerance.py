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

    Attributes:
        output: The type of the output; the last rounding costs half an ulp of it.
        computing: The type in which the device computes.
        storage: The coarsest floating type among the call's tensors.
        roundings: Roundings in ``computing``, those of sums included, each half an ulp of bound.
        storage_roundings: Roundings in ``storage`` besides the last one.
        terms: Terms that are summed up; each may lose a subnormal before it is added.
    """

    output: FloatFormat
    computing: FloatFormat
    storage: FloatFormat
    roundings: float
    storage_roundings: float
    terms: int = 1

    @property
    def relative(self) -> float:
        """The part that scales with the bound."""
        return (
            self.roundings * self.computing.unit_roundoff
            + self.storage_roundings * self.storage.unit_roundoff
        )

    @property
    def absolute(self) -> float:
        """The part that intermediate results below the normal range add."""
        return (
            (self.roundings + self.terms) * self.computing.smallest_subnormal
            + self.storage_roundings * self.storage.smallest_subnormal
        ) / 2


def accumulation_roundings(terms: int, factor: float) -> float:
    """Return the roundings that a sum of ``terms`` terms may show.

    Rounding errors of a sum grow like the square root of its length with overwhelming probability
    (Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019), and never
    faster than its length.
    """
    return min(float(terms), factor * math.sqrt(terms))


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
