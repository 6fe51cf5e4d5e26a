# SPDX-License-Identifier: Apache-2.0
"""The possible values of a number, by element, as bits.

Inf, NaN and a 0 in the number's place have the bits of :class:`Outcome`, finite numbers bits for
their sign. What an operation may give follows from what it gives for a sample of each class.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import FloatArray, Outcome

Bits: TypeAlias = npt.NDArray[np.uint8]

VALUE, ZERO, ANY = map(np.uint8, (Outcome.VALUE, Outcome.ZERO, Outcome.ANY))
SIGNED = np.uint8(Outcome.SIGNED)
POS_INF, NEG_INF, NAN = map(np.uint8, (Outcome.POS_INF, Outcome.NEG_INF, Outcome.NAN))
POSITIVE, NEGATIVE, NOTHING = map(np.uint8, (32, 64, 128))
EITHER = VALUE | ZERO
ANY_INF = POS_INF | NEG_INF
EXTREME = ANY_INF | NAN
FINITE = POSITIVE | NEGATIVE | NOTHING

_CLASSES = (POSITIVE, NEGATIVE, NOTHING, POS_INF, NEG_INF, NAN)
_SAMPLES = np.array([1.0, -1.0, 0.0, math.inf, -math.inf, math.nan])


def _classes_of(values: FloatArray) -> Bits:
    """Return the class of each number."""
    finite = np.select([values > 0, values < 0], [POSITIVE, NEGATIVE], NOTHING)
    return np.where(np.isfinite(values), finite, extremes_of(values)).astype(np.uint8)


def extremes_of(value: FloatArray) -> Bits:
    """Return the bits of the values that are not finite."""
    bits = (value == np.inf) * POS_INF | (value == -np.inf) * NEG_INF | np.isnan(value) * NAN
    return np.asarray(bits, np.uint8)


def join(one: Bits | None, other: Bits | None) -> Bits | None:
    """Return the outcomes of either; None if there are none."""
    if one is None or other is None:
        return other if one is None else one
    return np.bitwise_or(one, other)


def sums_of(bits: Bits) -> Bits:
    """Return Inf and NaN of a sum of terms with these outcomes."""
    both = (bits & ANY_INF) == ANY_INF
    return np.asarray((bits & EXTREME) | both * NAN, np.uint8)


_BITS = np.arange(256)
_HOLDS = [(_BITS & bit) != 0 for bit in _CLASSES]


def _table(values: FloatArray) -> Bits:
    """Return a function's outcomes by those of its operand, from its values for the samples."""
    outcomes = [holds * bit for holds, bit in zip(_HOLDS, _classes_of(values), strict=True)]
    return np.asarray(np.bitwise_or.reduce(outcomes), np.uint8)


def _table_of_products() -> Bits:
    """Return the outcomes of a product by those of its factors."""
    zero, finite = (_BITS & ZERO) != 0, (_BITS & FINITE) != 0
    in_place = np.logical_and.outer(zero, finite)
    table = np.asarray((in_place | in_place.T) * ZERO, np.uint8)
    for holds, sample in zip(_HOLDS, _SAMPLES, strict=True):
        table[holds] |= _table(sample * _SAMPLES)
    return table & ~NOTHING


_ZEROS = np.asarray(_BITS & ZERO, np.uint8)
with np.errstate(invalid="ignore"):
    _NEGATIVES, _ABSOLUTES = (_table(rule(_SAMPLES)) | _ZEROS for rule in (np.negative, np.abs))
    _PRODUCTS = _table_of_products()


def negatives(bits: Bits) -> Bits:
    """Return the outcomes of negated numbers."""
    return np.asarray(_NEGATIVES[bits])


def absolutes(bits: Bits) -> Bits:
    """Return the outcomes of magnitudes."""
    return np.asarray(_ABSOLUTES[bits])


def inverses(bits: Bits) -> Bits:
    """Return the outcomes of inverses; that of 0 is Inf of either sign."""
    same = bits & (POSITIVE | NEGATIVE | NAN)
    infinite = ((bits & NOTHING) != 0) * ANY_INF
    zero = ((bits & ANY_INF) != 0) * (NOTHING | ZERO)
    return np.asarray(same | infinite | zero, np.uint8)


def products(a: Bits, b: Bits, value: FloatArray) -> Bits:
    """Return the Inf, NaN and 0 of products.

    And their signs where their values do not have them, although both factors may be finite and not
    0.
    """
    bits, hidden = _PRODUCTS[a, b], (value == 0) | np.isinf(value)
    return np.asarray(np.where(hidden, bits, bits & (EXTREME | ZERO)))


def with_hidden(
    extremes: Bits | None, value: FloatArray, known: npt.NDArray[np.bool_]
) -> Bits | None:
    """Return the outcomes with those of positive numbers beyond the type of golden values.

    Args:
        extremes: The outcomes; None if there are none.
        value: The values.
        known: Where the exact number is not Inf, and not 0 either if the value is 0.
    """
    small, large = known & (value == 0), known & (value == np.inf)
    if not (small | large).any():
        return extremes
    bits = small * (ZERO | POSITIVE) | large * (POS_INF | POSITIVE)
    return join(extremes, np.asarray(bits, np.uint8))
