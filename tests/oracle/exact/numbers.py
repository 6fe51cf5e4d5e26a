# SPDX-License-Identifier: Apache-2.0
"""Numbers of 100 digits, and what an oracle says about one element."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt

DIGITS = 100
"""Decimal digits of every operation; float64 has 16."""

Number: TypeAlias = Any
"""An ``mpmath.mpf``; Inf and NaN included."""

Index: TypeAlias = tuple[int, ...]
Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]
Values: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Exact:
    """What the mathematics says about one element.

    Attributes:
        value: The result.
        magnitude: The sum of the magnitudes of the terms that it is the sum of; its own where
            nothing is summed; None if the operator adds up in several steps, where no single
            number says by how much it cancels.
    """

    value: Number
    magnitude: Number | None


Elements: TypeAlias = Mapping[str, Callable[[Index], Exact]]
"""By output: from an element's index to what is exact there."""


def number(value: Any) -> Number:
    """Return a number of any type of real numbers as it is."""
    if isinstance(value, np.integer):
        return mpmath.mpf(int(value))
    nearest = float(value)
    if isinstance(value, np.longdouble) and math.isfinite(nearest):
        return mpmath.mpf(nearest) + float(value - nearest)
    return _of_float(nearest)


@functools.lru_cache(1 << 16)
def _of_float(value: float) -> Number:
    """Return a float as it is; sums ask for the same elements again and again."""
    return mpmath.mpf(value)


def single(value: Number) -> Exact:
    """Return a result that is not a sum."""
    return Exact(value, abs(value))


def total(terms: Iterable[Number]) -> Exact:
    """Return a sum; over nothing it is 0."""
    listed = list(terms)
    return Exact(mpmath.fsum(listed), mpmath.fsum(listed, absolute=True))
