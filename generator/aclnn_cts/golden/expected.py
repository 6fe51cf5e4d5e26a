# SPDX-License-Identifier: Apache-2.0
"""Expectations: the accepted results of each element."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.spec.data_types import DATA_TYPES

FloatArray = npt.NDArray[np.float64]
"""Arrays of the type of :func:`real_of`."""

Mask: TypeAlias = npt.NDArray[np.bool_]

Real: TypeAlias = type[np.floating[Any]]


def real_of(dtypes: Iterable[str]) -> Real:
    """Return the type of golden data: float64, or a wider one.

    Args:
        dtypes: The data types of a call's tensors.

    Raises:
        NotTrustworthyError: This host has no type with enough digits.
    """
    wide = sorted(set(_WIDE) & set(dtypes))
    if not wide:
        return np.float64
    if np.finfo(np.longdouble).nmant < _WIDE_FRACTION:
        raise NotTrustworthyError(
            f"no golden data for {wide[0]}: NumPy's longdouble is no wider than float64 here; "
            "run on x86-64 or AArch64 Linux, or leave out the operators that take it"
        )
    return np.longdouble


_WIDE = tuple(name for name, data_type in DATA_TYPES.items() if data_type.is_wide)
_WIDE_FRACTION = 63
"""Fraction bits of a type that holds all 64-bit integers."""

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]
Totals: TypeAlias = Mapping[str, Any]
"""Numbers by name."""

BLOCK = 1 << 16
"""Elements per block, so that several float64 arrays fit a core's cache."""


class Outcome(IntFlag):
    """Classes of results, as bits.

    A finite result satisfies VALUE if it is within the tolerance of the expected value, ZERO if it
    is +0 or -0, and FINITE in any case. Outputs without a formula have only FINITE. With SIGNED, a
    0 must have the expected sign.
    """

    VALUE = 1
    ZERO = 2
    POS_INF = 4
    NEG_INF = 8
    NAN = 16
    FINITE = 32
    SIGNED = 64
    INF = POS_INF | NEG_INF
    NON_FINITE = INF | NAN
    ANY = VALUE | ZERO | NON_FINITE | FINITE
    """All bits: the documents promise nothing about the element."""


STATED = {
    "zero": Outcome.ZERO,
    "nan": Outcome.NAN,
    "inf": Outcome.INF,
    "non-finite": Outcome.NON_FINITE,
    "any": Outcome.ANY,
    "random-bits": Outcome.FINITE,  # the judge tests all elements together
}
"""The outcomes that a value clause's ``expect`` names; the formula determines those of
``value``."""


RULES = {"+": np.add, "max": np.fmax, "min": np.fmin, "or": np.bitwise_or}
"""Reductions of numbers, conditions or bits; NaN is neither largest nor least."""

_STARTS: Mapping[str, float | int] = {"+": 0.0, "max": 0.0, "min": math.inf, "or": 0}
"""Initial value of each reduction."""


def _reduce(rule: str, array: npt.NDArray[Any]) -> Any:
    """Return a rule's reduction of all elements of an array."""
    if array.dtype == np.bool_:
        return int(np.count_nonzero(array))
    result = RULES[rule].reduce(array, initial=_STARTS[rule])
    return float(result) if array.dtype.kind == "f" else result.item()


class Question(Hashable, Protocol):
    """A computation over all elements of an output; hashable."""

    @property
    def reads(self) -> Mapping[str, str]:
        """Data types of the arrays that it reads besides the expectation, by name."""

    @property
    def rules(self) -> Mapping[str, str]:
        """The reductions of its results, by name."""

    def __call__(self, arrays: Mapping[str, Any], expected: Expected) -> Mapping[str, Any]:
        """Return numbers, conditions or bits of each element, by name.

        Args:
            arrays: The arrays of :attr:`reads`.
            expected: The expectation.
        """


@dataclass(frozen=True)
class Questions:
    """Several named questions combined."""

    named: tuple[tuple[str, Question], ...]

    @property
    def reads(self) -> Mapping[str, str]:
        """Data types of all arrays, by question and name."""
        return {
            f"{n} {name}": kind
            for n, question in self.named
            for name, kind in question.reads.items()
        }

    @property
    def rules(self) -> Mapping[str, str]:
        """The reductions of all results."""
        return {
            f"{n} {name}": rule
            for n, question in self.named
            for name, rule in question.rules.items()
        }

    def __call__(self, arrays: Mapping[str, Any], expected: Expected) -> Mapping[str, Any]:
        """Return the results, by question and name."""
        return {
            f"{n} {name}": answer
            for n, question in self.named
            for name, answer in question(
                {m: arrays[f"{n} {m}"] for m in question.reads}, expected
            ).items()
        }

    def split(self, totals: Totals) -> dict[str, Totals]:
        """Return the totals of each question."""
        return {
            n: {name: totals[f"{n} {name}"] for name in question.rules}
            for n, question in self.named
        }


class Expectation(Protocol):
    """The expectation for one output, in memory or evaluated on demand."""

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
        """Yield all elements in order, at most :data:`BLOCK` at a time, each with its first index.

        Several threads work ahead.
        """

    def whole(self) -> Expected:
        """Return all elements in the output's shape, about 36 bytes each."""


_ARRAYS: Mapping[str, Any] = {
    "value": None,
    "allowed": np.uint8,
    "own": None,
    "tolerance": None,
    "reached": np.uint64,
    "contested": np.bool_,
    "undecided": np.bool_,
    "formula": np.uint8,
}
"""Types of the arrays of an expectation, in the order of their declaration; None for that of golden
data."""

_arrays_of = operator.attrgetter(*_ARRAYS)


@dataclass(frozen=True)
class Expected:
    """The expectation for one output; all arrays have the output's view shape.

    Attributes:
        value: The exact result in float64 (NaN or Inf where the formula gives them).
        allowed: Bits of :class:`Outcome`.
        own: Error that the element's own operations may add to a last rounding of half an ulp.
        tolerance: The strict standard's largest absolute error.
        reached: Bit k is set where value clause k of the spec applies (after overrides).
        contested: Where clauses contradict each other, so that each outcome is accepted.
        undecided: Where the device's rounding determines whether some clause applies.
        formula: Bits of :class:`Outcome` that satisfy the formula's value, regardless of clauses.
        alternatives: Alternative expectations of some elements; None if there are none.
        shared: Largest relative error of a factor that is the same for the whole call.
    """

    value: FloatArray
    allowed: npt.NDArray[np.uint8]
    own: FloatArray
    tolerance: FloatArray
    reached: npt.NDArray[np.uint64]
    contested: Mask
    undecided: Mask
    formula: npt.NDArray[np.uint8]
    alternatives: Alternatives | None = None
    shared: float = 0.0

    @classmethod
    def blank(cls, shape: tuple[int, ...], real: Real = np.float64) -> Expected:
        """Return uninitialised arrays to be filled block by block."""
        arrays: Any = (np.empty(shape, kind or real) for kind in _ARRAYS.values())
        return cls(*arrays)

    @classmethod
    def of_blocks(
        cls, shape: tuple[int, ...], real: Real, blocks: Iterable[tuple[int, Expected]]
    ) -> Expected:
        """Return the expectation of blocks, each with its first index."""
        whole, others = cls.blank(shape, real), []
        into = whole.flat()
        for start, block in blocks:
            into.put(slice(start, start + len(block.value)), block)
            if block.alternatives is not None:
                index, expected = block.alternatives.index, block.alternatives.expected
                others.append(Alternatives(index + start, expected))
        return replace(whole, alternatives=Alternatives.join(others))

    @classmethod
    def finite(cls, shape: tuple[int, ...], reached: int = 0) -> Expected:
        """Return the expectation that all elements are finite numbers.

        Args:
            reached: Bits of the value clauses that apply to all of them.
        """
        blank = cls.blank(shape)
        for array in blank.arrays:
            array[...] = 0
        blank.reached[...] = reached
        blank.tolerance[...] = np.inf
        blank.allowed[...] = blank.formula[...] = Outcome.FINITE
        return blank

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The arrays, in the order in which they are declared."""
        arrays: tuple[npt.NDArray[Any], ...] = _arrays_of(self)
        return arrays

    def reach_of(self, *numbers: int) -> Mask:
        """Return where all of some value clauses, given by number, apply."""
        bits = np.uint64(sum(1 << number for number in numbers))
        return np.asarray(self.reached & bits == bits)

    def reshape(self, shape: tuple[int, ...]) -> Expected:
        """Return a view in another shape; the arrays are contiguous."""
        return self._apply(lambda array: array.reshape(shape))

    def flat(self) -> Expected:
        """Return a one-dimensional view; the arrays are contiguous."""
        return self._apply(lambda array: array.reshape(-1))

    def part(self, part: slice) -> Expected:
        """Return a view of the elements from one flat index to another."""
        view = self._apply(lambda array: array.reshape(-1)[part])
        if self.alternatives is None:
            return view
        start, stop, _ = part.indices(self.value.size)
        return replace(view, alternatives=self.alternatives.part(start, stop))

    def at(self, index: npt.NDArray[np.int64]) -> Expected:
        """Return the elements at flat indices; with alternatives if the indices ascend."""
        elements = self._apply(lambda array: array.reshape(-1)[index])
        if self.alternatives is None:
            return elements
        return replace(elements, alternatives=self.alternatives.at(index))

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's view shape."""
        return self.value.shape

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all elements in order, :data:`BLOCK` at a time, each with its first index."""
        del threads  # nothing to evaluate
        flat = self.flat()
        for start in range(0, self.value.size, BLOCK):
            yield start, flat.part(slice(start, start + BLOCK))

    def tally(self, question: Question, arrays: Arrays) -> Totals:
        """Return a question's answer for all elements; one-dimensional."""
        with np.errstate(all="ignore"):
            answers = question(arrays, self)
        return {name: _reduce(rule, answers[name]) for name, rule in question.rules.items()}

    def whole(self) -> Expected:
        """Return the expectation itself."""
        return self

    def put(self, index: Any, other: Expected) -> None:
        """Overwrite the elements at an index, as NumPy arrays do."""
        for array, values in zip(self.arrays, other.arrays, strict=True):
            array[index] = values

    def has_alternatives(self) -> Mask:
        """Return which elements of a one-dimensional expectation have alternatives."""
        mask = np.zeros(self.value.shape, np.bool_)
        if self.alternatives is not None:
            mask[self.alternatives.index] = True
        return mask

    def _apply(self, change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Expected:
        fields: Any = (*map(change, self.arrays), self.alternatives, self.shared)
        return Expected(*fields)


@dataclass(frozen=True)
class Alternatives:
    """Alternative expectations of elements, for inputs whose subnormal numbers count as 0.

    Attributes:
        index: Flat, row-major indices of the elements, ascending; an element may have several.
        expected: One expectation for each, one-dimensional.
    """

    index: npt.NDArray[np.int64]
    expected: Expected

    @classmethod
    def join(cls, parts: Sequence[Alternatives]) -> Alternatives | None:
        """Join several; None if they are empty."""
        if not sum(len(part.index) for part in parts):
            return None
        index = np.concatenate([part.index for part in parts])
        order = np.argsort(index, kind="stable")
        columns = zip(*(part.expected.arrays for part in parts), strict=True)
        arrays: Any = (np.concatenate(column)[order] for column in columns)
        return cls(index[order], Expected(*arrays))

    def part(self, start: int, stop: int) -> Alternatives | None:
        """Return those of the elements from ``start`` to ``stop``, with indices from ``start``."""
        first, last = np.searchsorted(self.index, (start, stop))
        if first == last:
            return None
        part = slice(int(first), int(last))
        return Alternatives(self.index[part] - start, self.expected.part(part))

    def at(self, index: npt.NDArray[np.int64]) -> Alternatives | None:
        """Return those of the elements at ascending indices, with indices into these."""
        places = np.searchsorted(index, self.index)
        positions = np.flatnonzero(index[np.minimum(places, len(index) - 1)] == self.index)
        return (
            Alternatives(places[positions], self.expected.at(positions)) if len(positions) else None
        )


@dataclass(frozen=True)
class Tallied:
    """A question's totals over a block.

    Attributes:
        start: The flat index of its first element.
        block: The expectation of its elements.
        totals: The totals.
    """

    start: int
    block: Expected
    totals: Totals

    @property
    def part(self) -> slice:
        """The flat indices of its elements."""
        return slice(self.start, self.start + len(self.block.value))


def tallies(
    expected: Expectation, question: Question, arrays: Arrays, threads: int = 1
) -> Iterator[Tallied]:
    """Yield a question's answers for all elements, by block, in order.

    Args:
        arrays: The one-dimensional arrays that it reads.
        threads: Number of threads that work ahead.
    """
    for start, block in expected.blocks(threads):
        block_arrays = {
            name: array[start : start + len(block.value)] for name, array in arrays.items()
        }
        yield Tallied(start, block, block.tally(question, block_arrays))
