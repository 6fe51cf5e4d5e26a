# SPDX-License-Identifier: Apache-2.0
"""What may come back, element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.kernel import Trace

FloatArray = npt.NDArray[np.float64]


BLOCK = 1 << 15
"""Elements that are worked off at a time: some float64 arrays of them fit a core's cache."""


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


class Expectation(Protocol):
    """The expectation for one output, in memory or worked out when it is asked for."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's view shape."""

    @property
    def shared(self) -> float:
        """Largest relative error of a factor that is the same for the whole call."""

    def part(self, part: slice) -> Expected:
        """Return a range of the elements, row-major."""

    def at(self, index: npt.NDArray[np.int64]) -> Expected:
        """Return the elements at flat, ascending indices."""

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all elements in order, :data:`BLOCK` at a time, each with its first index.

        A block is valid until the next one is asked for. Threads work ahead.
        """

    def whole(self) -> Expected:
        """Return all elements in the output's shape: some 36 bytes for each."""


_ARRAYS = (
    "value",
    "allowed",
    "own",
    "tolerance",
    "reached",
    "contested",
    "undecided",
    "formula",
)


@dataclass(frozen=True)
class Expected:
    """The expectation for one output; all arrays have the output's view shape.

    Attributes:
        value: The exact result in float64 (NaN or Inf where the formula gives them).
        allowed: Bits of :class:`Outcome`.
        own: What the element's own operations may add to a last rounding of half an ulp.
        tolerance: The strict standard's largest absolute error.
        reached: Bit k is set where value clause k of the spec applies (after overrides).
        contested: Where clauses contradict each other and each outcome is accepted.
        undecided: Where a rounding of the device decides whether some clause applies.
        formula: Bits of :class:`Outcome` that satisfy the formula's value, whatever clauses say.
        alternatives: What some elements may satisfy instead; None if there is nothing.
        shared: Largest relative error of a factor that is the same for the whole call.
    """

    value: FloatArray
    allowed: npt.NDArray[np.uint8]
    own: FloatArray
    tolerance: FloatArray
    reached: npt.NDArray[np.uint64]
    contested: npt.NDArray[np.bool_]
    undecided: npt.NDArray[np.bool_]
    formula: npt.NDArray[np.uint8]
    alternatives: Alternatives | None = None
    shared: float = 0.0

    @classmethod
    def blank(cls, shape: tuple[int, ...]) -> Expected:
        """Return uninitialised arrays to be filled block by block."""
        return cls(
            np.empty(shape),
            np.empty(shape, np.uint8),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape, np.uint64),
            np.empty(shape, np.bool_),
            np.empty(shape, np.bool_),
            np.empty(shape, np.uint8),
        )

    @classmethod
    def traced(cls, trace: Trace, names: Sequence[str], prefix: str = "") -> Expected:
        """Return an expectation with symbols for the arrays that a loop reads."""
        blank = cls.blank((0,))
        symbols: dict[str, Any] = {
            name: trace.input(prefix + name, getattr(blank, name).dtype.name) for name in names
        }
        return replace(blank, **symbols)

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The arrays, in the order in which they are declared."""
        return tuple(self.named.values())

    @property
    def named(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name, in the order in which they are declared."""
        return {name: getattr(self, name) for name in _ARRAYS}

    def reached_by(self, *numbers: int) -> npt.NDArray[np.bool_]:
        """Return where all of some value clauses, given by their numbers in the spec, apply."""
        bits = np.uint64(sum(1 << number for number in numbers))
        return np.asarray(self.reached & bits == bits)

    def shaped(self, shape: tuple[int, ...]) -> Expected:
        """Return a view in another shape; the arrays are contiguous."""
        return self._each(lambda array: array.reshape(shape))

    def flat(self) -> Expected:
        """Return a one-dimensional view; the arrays are contiguous."""
        return self._each(lambda array: array.reshape(-1))

    def part(self, part: slice) -> Expected:
        """Return a view of the elements from one flat index to another."""
        found = self._each(lambda array: array.reshape(-1)[part])
        if self.alternatives is None:
            return found
        start, stop, _ = part.indices(self.value.size)
        return replace(found, alternatives=self.alternatives.part(start, stop))

    def at(self, index: npt.NDArray[np.int64]) -> Expected:
        """Return the elements at flat indices; with alternatives if the indices ascend."""
        found = self._each(lambda array: array.reshape(-1)[index])
        if self.alternatives is None:
            return found
        return replace(found, alternatives=self.alternatives.at(index))

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's view shape."""
        return self.value.shape

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all elements in order, :data:`BLOCK` at a time, each with its first index."""
        del threads  # there is nothing to work out
        flat = self.flat()
        for start in range(0, self.value.size, BLOCK):
            yield start, flat.part(slice(start, start + BLOCK))

    def whole(self) -> Expected:
        """Return the expectation itself."""
        return self

    def put(self, index: Any, other: Expected) -> None:
        """Overwrite the elements at an index, as of NumPy arrays."""
        for name in _ARRAYS:
            getattr(self, name)[index] = getattr(other, name)

    def has_alternatives(self) -> npt.NDArray[np.bool_]:
        """Return for which elements of a one-dimensional expectation there are alternatives."""
        found = np.zeros(self.value.shape, np.bool_)
        if self.alternatives is not None:
            found[self.alternatives.index] = True
        return found

    def _each(self, change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Expected:
        arrays: dict[str, Any] = {name: change(getattr(self, name)) for name in _ARRAYS}
        return replace(self, **arrays)


@dataclass(frozen=True)
class Alternatives:
    """What elements may satisfy instead: results for inputs whose subnormal numbers count as 0.

    Attributes:
        index: Flat, row-major indices of the elements, ascending; an element may have several.
        expected: One expectation for each, one-dimensional.
    """

    index: npt.NDArray[np.int64]
    expected: Expected

    @classmethod
    def joined(cls, parts: Sequence[Alternatives]) -> Alternatives | None:
        """Return several in one; None if they are empty."""
        if not sum(len(part.index) for part in parts):
            return None
        index = np.concatenate([part.index for part in parts])
        order = np.argsort(index, kind="stable")
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(part.expected, name) for part in parts])[order]
            for name in _ARRAYS
        }
        return cls(index[order], Expected(**arrays))

    def part(self, start: int, stop: int) -> Alternatives | None:
        """Return those of the elements from ``start`` to ``stop``, counted from ``start``."""
        first, last = np.searchsorted(self.index, (start, stop))
        if first == last:
            return None
        own = slice(int(first), int(last))
        return Alternatives(self.index[own] - start, self.expected.part(own))

    def at(self, index: npt.NDArray[np.int64]) -> Alternatives | None:
        """Return those of the elements at ascending indices, counted by their place in these."""
        places = np.searchsorted(index, self.index)
        own = np.flatnonzero(index[np.minimum(places, len(index) - 1)] == self.index)
        return Alternatives(places[own], self.expected.at(own)) if len(own) else None
