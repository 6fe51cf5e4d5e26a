# SPDX-License-Identifier: Apache-2.0
"""Compare one output with its expectation, by all standards at once, block by block.

An element that has no error to measure (nothing is promised of it, or it is an Inf or NaN that is
allowed) has error 0; one whose class is not allowed is a mismatch.

For a failing output, reports show single elements and a picture of its errors. The picture has two
dimensions: the last axis runs to the right, all others are folded into rows, and a long vector is
wrapped into lines. A cell may stand for several elements; it shows the share of them that is wrong.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import (
    RULES,
    Expectation,
    Expected,
    FloatArray,
    Outcome,
    Tallied,
    Totals,
    tallies,
)
from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, Yardstick, classify, ulps_off
from aclnn_cts.plan.cases import TensorCase

Mask = npt.NDArray[np.bool_]

SAMPLES = 4
"""Maximum number of failing elements whose indices are kept."""

_VALUE = np.uint8(Outcome.VALUE)
_ZERO = np.uint8(Outcome.ZERO)
_POS_INF = np.uint8(Outcome.POS_INF)
_NEG_INF = np.uint8(Outcome.NEG_INF)
_NAN = np.uint8(Outcome.NAN)
_FINITE = np.uint8(Outcome.FINITE)
_NONE = np.uint8(0)
_ANY = np.uint8(Outcome.ANY)
_SIGNED = np.uint8(Outcome.SIGNED)


@dataclass(frozen=True)
class Comparing:
    """Result of comparing some elements: fields of :class:`Comparison`, failures by standard.

    Attributes:
        yardstick: The numbers of the output's data type.
        dtype: That type.
    """

    yardstick: Yardstick
    dtype: str
    rules: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("measured", "unpromised", "mismatched", "contested", "settled"), "+"),
        **dict.fromkeys(("beyond_limit", "matching_beyond_limit", *STANDARDS), "+"),
        **dict.fromkeys(("sum_ulp", "sum_abs_ulp", "sum_relative"), "+"),
        **dict.fromkeys(("max_abs", "max_relative", "worst_share", "worst_ulp"), "max"),
        "reached": "or",
    }

    @property
    def reads(self) -> Mapping[str, str]:
        """The device's results."""
        return {"actual": self.dtype}

    def __call__(self, arrays: Mapping[str, Any], expected: Expected) -> dict[str, Any]:
        """Return the comparison of each element; numpy's error state is the caller's.

        Where 0 is allowed and came back, or no finite value but 0 is allowed, the golden value
        is 0.
        """
        yardstick, actual = self.yardstick, widen(arrays["actual"])
        expected = _with_accepted(actual, expected)
        allowed, contested = expected.allowed, expected.contested
        promised = np.not_equal(allowed, _ANY)
        finite, is_zero = np.isfinite(actual) & promised, np.equal(actual, 0)
        takes_zero = np.not_equal(allowed & _ZERO, 0)
        is_golden = finite & np.not_equal(allowed & _VALUE, 0) & ~(is_zero & takes_zero)
        is_golden = is_golden & np.isfinite(expected.value)
        measured = is_golden | (finite & takes_zero)
        infinite = np.where(np.equal(actual, np.inf), _POS_INF, _NONE)
        infinite = infinite | np.where(np.equal(actual, -np.inf), _NEG_INF, _NONE)
        classes = infinite | np.where(np.isnan(actual), _NAN, _NONE)
        classes = classes | np.where(finite, _FINITE, _NONE)
        mismatched = promised & ~measured & np.equal(classes & allowed, 0)
        signed = is_zero & promised & np.not_equal(allowed & _SIGNED, 0)
        if signed.any():
            mismatched |= signed & (np.signbit(actual) != np.signbit(expected.value))
        golden = np.where(is_golden, expected.value, 0.0)
        tolerance = np.where(is_golden, expected.tolerance, 0.0)
        error = np.where(measured, actual, 0.0) - golden
        size, magnitude = np.abs(error), np.abs(golden)
        ulp = ulp_at(golden, yardstick.floating)
        off = error / ulp
        matching = size <= magnitude * yardstick.rtol + yardstick.atol
        within = size <= np.maximum(ulp * yardstick.hard_limit_ulps, yardstick.hard_limit)
        relative = size / (magnitude + yardstick.floor)
        return {
            "measured": measured,
            "unpromised": ~promised,
            "mismatched": mismatched,
            "contested": contested,
            "settled": promised & ~contested,
            "beyond_limit": ~within,
            "matching_beyond_limit": matching & ~within,
            "strict": ~(size <= tolerance) | mismatched,
            "ecosystem": ~(matching & within) | mismatched,
            "statistical": ~(relative < yardstick.maximum) | mismatched,
            "sum_ulp": off,
            "sum_abs_ulp": np.abs(off),
            "sum_relative": relative,
            "max_abs": size,
            "max_relative": relative,
            # 0 / 0 is no share: a promised zero that came back has neither error nor tolerance.
            "worst_share": size / tolerance,
            "worst_ulp": np.abs(off),
            "reached": expected.reached,
        }


def _with_accepted(actual: FloatArray, expected: Expected) -> Expected:
    """Return an expectation with an alternative for each element that only that one accepts."""
    others = expected.alternatives
    if others is None:
        return expected
    came_back = actual[others.index]
    is_accepted = _is_accepted(came_back, expected.at(others.index))
    taken = np.flatnonzero(~is_accepted & _is_accepted(came_back, others.expected))
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


@dataclass
class Failures:
    """The elements of one output that break one standard.

    Attributes:
        count: How many.
        first: Flat indices of the first :data:`SAMPLES` of them, row-major.
    """

    count: int = 0
    first: list[int] = field(default_factory=list)

    @property
    def wants_more(self) -> bool:
        """Whether elements fail whose indices are to be kept, and are not."""
        return len(self.first) < min(self.count, SAMPLES)


@dataclass
class Comparison:
    """Sums and extremes over the blocks of one output, and the elements that fail.

    Attributes:
        output: The output's name.
        elements: How many it has.
        yardstick: The numbers of its data type.
        dtype: That type.
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
        beyond_limit: Elements whose error is beyond the hard limit of the ecosystem standard.
        matching_beyond_limit: Elements that match by its mixed tolerance, and are beyond it.
        failures: The elements that break each standard.
    """

    output: str
    elements: int
    yardstick: Yardstick
    dtype: str
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
    beyond_limit: int = 0
    matching_beyond_limit: int = 0
    failures: dict[Standard, Failures] = field(
        default_factory=lambda: {standard: Failures() for standard in STANDARDS}
    )

    def add(self, tallied: Tallied, totals: Totals, actual: npt.NDArray[Any]) -> None:
        """Add a block.

        Args:
            tallied: The block.
            totals: What :class:`Comparing` says of it.
            actual: What came back of all elements, one-dimensional, in the output's own data type.
        """
        for name, rule in Comparing.rules.items():
            if name not in self.failures:
                before = getattr(self, name)
                setattr(self, name, type(before)(RULES[rule](before, totals[name])))
        for standard, failures in self.failures.items():
            failures.count += totals[standard]
        if any(failures.wants_more for failures in self.failures.values()):
            self._find_first(tallied, actual)

    def _find_first(self, tallied: Tallied, actual: npt.NDArray[Any]) -> None:
        """Find the first failing elements, which totals do not tell."""
        with np.errstate(all="ignore"):
            answers = self.question({"actual": actual[tallied.part]}, tallied.block)
        for standard, failures in self.failures.items():
            places = np.flatnonzero(answers[standard])[: SAMPLES - len(failures.first)]
            failures.first += [tallied.start + int(place) for place in places]

    @property
    def question(self) -> Comparing:
        """What the comparison asks of the elements."""
        return Comparing(self.yardstick, self.dtype)

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
        # A number against Inf has an infinite error.
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
    comparison, flat = (
        Comparison(output, actual.size, yardstick, actual.dtype.name),
        actual.reshape(-1),
    )
    for tallied in tallies(expected, comparison.question, {"actual": flat}):
        comparison.add(tallied, tallied.totals, flat)
    return comparison


@dataclass(frozen=True)
class ElementErrors:
    """Errors of consecutive elements of an output; one-dimensional arrays.

    Attributes:
        start: The flat index of the first one.
        expected: Their expectation.
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
    """Yield the errors of an output's elements, by one standard, block by block.

    Other arguments are those of :func:`compare`, which finds the same elements wrong but keeps no
    arrays, to keep passing cases cheap.
    """
    flat, question = actual.reshape(-1), Comparing(yardstick, actual.dtype.name)
    for start, part in expected.blocks():
        with np.errstate(all="ignore"):
            answers = question({"actual": flat[start : start + len(part.value)]}, part)
        promised = part.allowed != _ANY
        wrong, mismatched, ulps = (answers[name] for name in (standard, "mismatched", "worst_ulp"))
        yield ElementErrors(start, part, wrong, mismatched, promised, ulps)


_SPECIAL = {
    Outcome.ZERO: "0",
    Outcome.POS_INF: "+Inf",
    Outcome.NEG_INF: "-Inf",
    Outcome.NAN: "NaN",
    Outcome.FINITE: "a finite number",
}


@dataclass(frozen=True)
class Sample:
    """One failing element.

    Attributes:
        output: The output's name.
        index: Where in the output's view.
        inputs: Values at the same index of the inputs that have the output's shape.
        expected: The expectation, in words.
        got: What came back.
        ulps: Signed error in ulps of the output's type; infinite if a class is wrong.
        tolerance: The strict standard's largest absolute error.
    """

    output: str
    index: tuple[int, ...]
    inputs: tuple[tuple[str, float], ...]
    expected: str
    got: float
    ulps: float
    tolerance: float


def take_samples(
    tensor: TensorCase,
    indices: Sequence[int],
    actual: npt.NDArray[Any],
    expected: Expectation,
    inputs: Mapping[str, npt.NDArray[Any]],
) -> tuple[Sample, ...]:
    """Return the elements at the given flat (row-major) indices of one output."""
    beside = {name: array for name, array in inputs.items() if array.shape == tensor.shape}
    samples = []
    expectations = expected.at(np.array(indices, np.int64))
    for place, flat in enumerate(indices):
        index = tuple(int(part) for part in np.unravel_index(flat, tensor.shape))
        got = widen(actual.reshape(-1)[flat : flat + 1])
        golden = expectations.value[place : place + 1]
        allowed = Outcome(int(expectations.allowed[place]))
        if not allowed & Outcome.VALUE:
            golden = np.array([_golden_of(allowed)])
        samples.append(
            Sample(
                output=tensor.name,
                index=index,
                inputs=tuple((name, _scalar(array[index])) for name, array in beside.items()),
                expected=describe_allowed(allowed, _plain(golden[0])),
                got=_scalar(actual.reshape(-1)[flat]),
                ulps=float(ulps_off(got, golden, tensor.data_type.grid)[0]),
                tolerance=float(expectations.tolerance[place]),
            )
        )
    return tuple(samples)


def describe_allowed(allowed: Outcome, golden: float) -> str:
    """Return the accepted results in words, such as ``1.5`` or ``0 or NaN``."""
    if allowed == Outcome.ANY:
        return "anything"
    if allowed == Outcome.ZERO and golden == 0:
        return "0"
    words = [number(golden)] if allowed & Outcome.VALUE else []
    if allowed & Outcome.INF == Outcome.INF:
        words.append("±Inf")
        allowed &= ~Outcome.INF
    words += [name for bit, name in _SPECIAL.items() if allowed & bit]
    return " or ".join(dict.fromkeys(words))


def number(value: float) -> str:
    """Return a number as text: nine digits distinguish all float32, integers have all digits."""
    if isinstance(value, int):
        return str(value)
    if math.isfinite(value):
        return f"{value:.9g}"
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def _golden_of(allowed: Outcome) -> float:
    """Return the golden value of an element without an allowed finite value."""
    if allowed & Outcome.ZERO:
        return 0.0
    if allowed & Outcome.POS_INF:
        return float("inf")
    return float("-inf") if allowed & Outcome.NEG_INF else float("nan")


def _scalar(value: Any) -> float:
    array = np.asarray(value)
    return int(array) if array.dtype.kind in "iu" else float(widen(array.reshape(1))[0])


def _plain(value: Any) -> float:
    """Return a number of a wide type; as an integer if float would lose digits of it."""
    as_float = float(value)
    return as_float if as_float == value or value != np.rint(value) else int(value)


MOST_CELLS = 32
"""Maximum number of cells per side: enough to show periods, few enough for hundreds of pictures."""

NOTHING = "."
"""A cell after the end of a vector."""

_SHADES = 9
EDGES = (0.0, 0.5, *(2.0**power for power in range(25)))
"""Upper ends of the bins of errors, in ulps; 2^24 ulps of a float32 are an error as large as the
value."""


@dataclass(frozen=True)
class ErrorBin:
    """The elements with errors in a range.

    Attributes:
        ulps: Upper end of the bin; infinite for the last one.
        elements: Number of elements in the bin.
        wrong: Number of these that are wrong.
    """

    ulps: float
    elements: int
    wrong: int


@dataclass(frozen=True)
class Picture:
    """Distribution of the errors of one output.

    Attributes:
        output: The output's name.
        shape: Its view shape.
        rows: Rows of its layout in two dimensions.
        columns: Elements in each.
        wrong: Elements that are wrong.
        another_class: Number of these whose class is not allowed.
        grid: A text per row of cells: :data:`NOTHING`, ``0`` if none of the cell's elements is
            wrong, else 1 to 9 for the ninths of them that are, rounded up.
        histogram: Errors of the other elements of which anything is promised; no bin is empty.
    """

    output: str
    shape: tuple[int, ...]
    rows: int
    columns: int
    wrong: int
    another_class: int
    grid: tuple[str, ...]
    histogram: tuple[ErrorBin, ...]


def draw(output: str, shape: tuple[int, ...], errors: Iterable[ElementErrors]) -> Picture:
    """Return the picture of one output.

    Args:
        output: The output's name.
        shape: Its view shape.
        errors: The errors of its elements, block by block.
    """
    rows, columns = _layout(shape)
    high, wide = min(rows, MOST_CELLS), min(columns, MOST_CELLS)
    totals, wrong_counts = np.zeros((2, high * wide), np.int64)
    counts, wrong = np.zeros((2, len(EDGES) + 1), np.int64)
    another_class = 0
    for block in errors:
        places = np.arange(block.start, block.start + len(block.wrong))
        cells = places // columns * high // rows * wide + places % columns * wide // columns
        totals += np.bincount(cells, minlength=high * wide)
        wrong_counts += np.bincount(cells[block.wrong], minlength=high * wide)
        measured = block.promised & ~block.mismatched
        bins = np.searchsorted(np.array(EDGES), block.ulps, side="left")
        counts += np.bincount(bins[measured], minlength=len(counts))
        wrong += np.bincount(bins[measured & block.wrong], minlength=len(counts))
        another_class += int(np.count_nonzero(block.mismatched))
    shades = -(-wrong_counts * _SHADES // np.maximum(totals, 1))
    signs = [str(shade) if any_ else NOTHING for shade, any_ in zip(shades, totals, strict=True)]
    return Picture(
        output=output,
        shape=shape,
        rows=rows,
        columns=columns,
        wrong=int(wrong_counts.sum()),
        another_class=another_class,
        grid=tuple(
            "".join(signs[start : start + wide]) for start in range(0, len(signs), wide or 1)
        ),
        histogram=tuple(
            ErrorBin(end, int(count), int(bad))
            for end, count, bad in zip((*EDGES, math.inf), counts, wrong, strict=True)
            if count
        ),
    )


def _layout(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the number of rows of an output's picture, and of elements per row."""
    elements = math.prod(shape)
    if len(shape) > 1:
        return math.prod(shape[:-1]), shape[-1]
    if elements <= MOST_CELLS:
        return 1, elements
    # Whole cells to a line, so that a period of the hardware's blocks forms columns.
    columns = MOST_CELLS * math.ceil(elements / MOST_CELLS**2)
    return math.ceil(elements / columns), columns
