# SPDX-License-Identifier: Apache-2.0
"""What may come back, element by element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import IntFlag
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


class Outcome(IntFlag):
    """The classes into which a result falls, as bits.

    A finite result satisfies VALUE if it is within the tolerance of the expected value, and ZERO
    if it is +0 or -0.
    """

    VALUE = 1
    ZERO = 2
    POS_INF = 4
    NEG_INF = 8
    NAN = 16
    INF = POS_INF | NEG_INF
    NON_FINITE = INF | NAN
    ANY = VALUE | ZERO | NON_FINITE
    """All bits: the documents promise nothing about the element (any finite value passes, too)."""


STATED = {
    "zero": Outcome.ZERO,
    "nan": Outcome.NAN,
    "inf": Outcome.INF,
    "non-finite": Outcome.NON_FINITE,
    "any": Outcome.ANY,
}
"""The outcomes that a value clause's ``expect`` names; ``value`` is for the formula to say."""


@dataclass(frozen=True)
class Expected:
    """The expectation for one output; all arrays have the output's view shape.

    Attributes:
        value: The exact result in float64 (NaN or Inf where the formula gives them).
        allowed: Bits of :class:`Outcome`.
        bound: The magnitude that rounding errors scale with: the formula on absolute values.
        tolerance: The strict standard's largest absolute error.
        reached: Bit k is set where value clause k of the spec applies (after overrides).
        contested: Where clauses contradict each other and each outcome is accepted.
        undecided: Where a rounding of the device decides whether some clause applies.
        formula: Bits of :class:`Outcome` that satisfy the formula's value, whatever clauses say.
    """

    value: FloatArray
    allowed: npt.NDArray[np.uint8]
    bound: FloatArray
    tolerance: FloatArray
    reached: npt.NDArray[np.uint32]
    contested: npt.NDArray[np.bool_]
    undecided: npt.NDArray[np.bool_]
    formula: npt.NDArray[np.uint8]

    @classmethod
    def blank(cls, shape: tuple[int, ...]) -> Expected:
        """Return uninitialised arrays to be filled block by block."""
        return cls(
            np.empty(shape),
            np.empty(shape, np.uint8),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape, np.uint32),
            np.empty(shape, np.bool_),
            np.empty(shape, np.bool_),
            np.empty(shape, np.uint8),
        )

    def flat(self) -> Expected:
        """Return a one-dimensional view; the arrays are contiguous."""
        return self._each(lambda array: array.reshape(-1))

    def part(self, part: slice | npt.NDArray[np.intp]) -> Expected:
        """Return some elements of a one-dimensional expectation; a view, if it is a slice."""
        return self._each(lambda array: array[part])

    def _each(self, change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Expected:
        return Expected(**{field.name: change(getattr(self, field.name)) for field in fields(self)})
