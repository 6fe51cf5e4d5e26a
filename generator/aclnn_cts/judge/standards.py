# SPDX-License-Identifier: Apache-2.0
"""Criteria for an element: its class, the three precision standards, and the value clauses.

``strict``: every element is within its own tolerance and of an allowed class. ``ecosystem``: an
element matches if |actual - golden| <= atol + rtol * |golden|; at least 99 % match, and no
absolute error is above the hard limit or 32 ulp, whichever is larger. ``statistical``: with
relative error |actual - golden| / (|golden| + floor) the mean is below a threshold, and the
maximum below ten times the threshold. ``specs/precision.yaml`` has the numbers.

The two public standards say nothing about results that are not finite, about contradictory
documents and about elements without a promise. All standards have these rules in common: the
documents must allow an element's class (NaN, +Inf, -Inf, finite), else the standard is broken,
whatever its ratio; elements without a promise are counted and not compared; where 0 is allowed
and came back, the error is 0; where 0 is the only finite value allowed, the golden value is 0.

Beside the standards are the clauses that promise values: which of them a failing element breaks,
and which of two that contradict each other the device follows.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerances import CLASSES, clashing_pairs, ulp_at
from aclnn_cts.spec.clause_models import ValueClause
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.models import MixedTolerance, PrecisionStandards

Standard: TypeAlias = Literal["strict", "ecosystem", "statistical"]
STANDARDS: tuple[Standard, ...] = ("strict", "ecosystem", "statistical")
DEFAULT_STANDARD: Standard = "strict"

_EXACT = MixedTolerance(rtol=0.0, atol=0.0, hard_limit=0.0)
"""For data types that the public standards do not cover (integers, bool)."""


@dataclass(frozen=True)
class Yardstick:
    """The criteria for one output's data type.

    Attributes:
        floating: How the type rounds.
        rtol: Of the ecosystem standard.
        atol: Of the ecosystem standard.
        hard_limit: Largest absolute error of the ecosystem standard …
        hard_limit_ulps: … or this many ulps, whichever is larger.
        matched_ratio: Least share of matching elements, 0 to 1.
        floor: Term that the statistical standard adds to the golden magnitude.
        threshold: Bound of the mean relative error.
        maximum: Bound of the largest relative error.
    """

    floating: FloatFormat
    rtol: float
    atol: float
    hard_limit: float
    hard_limit_ulps: float
    matched_ratio: float
    floor: float
    threshold: float
    maximum: float


def yardstick_of(dtype: str, precision: PrecisionStandards) -> Yardstick:
    """Return the criteria for a data type; types that a standard does not cover must be exact."""
    tolerance = precision.ecosystem.tolerances.get(dtype)
    mixed = tolerance or _EXACT
    # An exact result has relative error 0, which is below the smallest positive number.
    threshold = precision.statistical.thresholds.get(dtype, math.ulp(0.0))
    return Yardstick(
        floating=DATA_TYPES[dtype].grid,
        rtol=mixed.rtol,
        atol=mixed.atol,
        hard_limit=mixed.hard_limit,
        hard_limit_ulps=precision.ecosystem.hard_limit_ulps if tolerance else 0.0,
        matched_ratio=precision.ecosystem.matched_ratio,
        floor=precision.statistical.floor,
        threshold=threshold,
        maximum=threshold * precision.statistical.maximum_factor,
    )


@dataclass(frozen=True)
class Figures:
    """Result of one standard for one output, or (see :func:`worst`) for a whole case.

    Attributes:
        passed: Whether the standard is kept.
        compared: Elements with a promise.
        failing: Elements that break the standard.
        first_failing: Flat index of the first of them in row-major order; -1 if there is none.
        output: The output that ``first_failing`` belongs to.
        matched_ratio: Share of the compared elements that do not fail, 0 to 1.
        mean_relative_error: As the statistical standard defines it.
        max_relative_error: As the statistical standard defines it.
        worst_ulp: Largest absolute error in ulps of the output's type at the golden value.
        worst_share: Largest error as a share of the strict tolerance; above 1 breaks it.
        mean_ulp: Mean of the signed errors in ulps: a rounding bias shows here.
        mean_abs_ulp: Mean of the absolute errors in ulps: a loss of accuracy shows here.
    """

    passed: bool
    elements: int
    compared: int
    failing: int
    first_failing: int
    output: str
    matched_ratio: float
    max_abs_error: float
    mean_relative_error: float
    max_relative_error: float
    worst_ulp: float
    worst_share: float
    mean_ulp: float
    mean_abs_ulp: float

    def as_json(self) -> dict[str, object]:
        """Return the figures under the names of the results file; ``pass`` comes first."""
        fields_by_name = {item.name: getattr(self, item.name) for item in fields(self)}
        return {"pass": fields_by_name.pop("passed"), **fields_by_name}


def worst(figures: Iterable[Figures]) -> Figures:
    """Return the figures of a whole case from those of its outputs (at least one).

    Counts add up; errors and the ratio are those of the worst output; a case keeps a standard if
    every output keeps it.
    """
    parts = list(figures)
    broken = next((part for part in parts if part.failing), parts[0])
    return Figures(
        passed=all(part.passed for part in parts),
        elements=sum(part.elements for part in parts),
        compared=sum(part.compared for part in parts),
        failing=sum(part.failing for part in parts),
        first_failing=broken.first_failing,
        output=broken.output,
        matched_ratio=min(part.matched_ratio for part in parts),
        mean_ulp=max((part.mean_ulp for part in parts), key=abs),
        **{name: max(getattr(part, name) for part in parts) for name in _LARGEST},
    )


_LARGEST = (
    *("max_abs_error", "mean_relative_error", "max_relative_error"),
    *("worst_ulp", "worst_share", "mean_abs_ulp"),
)
"""Errors that are maximised over the outputs of a case."""


_ZERO = np.uint8(Outcome.ZERO)
_POS_INF = np.uint8(Outcome.POS_INF)
_NEG_INF = np.uint8(Outcome.NEG_INF)
_NAN = np.uint8(Outcome.NAN)


def classify(actual: FloatArray) -> npt.NDArray[np.uint8]:
    """Return the class of each element as bits of :class:`Outcome`, same shape.

    A finite element has VALUE, and also ZERO if it is +0 or -0; the others have one bit. A
    NaN is always NAN.
    """
    classes = np.isfinite(actual).view(np.uint8)  # True is 1 is VALUE
    if not classes.all():
        classes |= np.equal(actual, np.inf).view(np.uint8) * _POS_INF
        classes |= np.equal(actual, -np.inf).view(np.uint8) * _NEG_INF
        classes |= np.isnan(actual).view(np.uint8) * _NAN
    classes |= np.equal(actual, 0).view(np.uint8) * _ZERO
    return classes


def ulps_off(actual: FloatArray, golden: FloatArray, floating: FloatFormat) -> FloatArray:
    """Return the signed error in ulps of the type at the golden value, same shape.

    Two NaN, and two equal infinities, are 0 off; any other pair with a value that is not finite is
    infinitely far off.
    """
    golden = np.ascontiguousarray(golden)
    with np.errstate(all="ignore"):
        off: FloatArray = (actual - golden) / ulp_at(golden, floating)
    apart = ~(np.isfinite(actual) & np.isfinite(golden))
    same = (actual == golden) | (np.isnan(actual) & np.isnan(golden))
    off[apart] = np.where(
        same[apart], 0.0, np.where(actual[apart] < golden[apart], -np.inf, np.inf)
    )
    return off


def reached_numbers(bits: int) -> tuple[int, ...]:
    """Return the numbers of the value clauses whose bits are set, in the spec's order."""
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def follows(clause: ValueClause, actual: FloatArray, expected: Expected) -> npt.NDArray[np.bool_]:
    """Return which elements satisfy a clause, regardless of other clauses.

    Args:
        clause: A clause that reaches all of them.
        actual: The results, widened; one-dimensional.
        expected: The expectation of the same elements.
    """
    if clause.expect != "value":
        return (classify(actual) & np.uint8(CLASSES[clause.expect])).astype(np.bool_)
    other_class = classify(actual) & expected.formula & ~np.uint8(Outcome.VALUE)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(actual - expected.value) <= expected.tolerance
    # The tolerance of an infinite value is infinite, too.
    near &= np.isfinite(actual) & np.isfinite(expected.value)
    return np.asarray(near | (other_class != 0))


def broken_counts(
    wrong: npt.NDArray[np.bool_],
    actual: npt.NDArray[Any],
    expected: Expected,
    clauses: Sequence[ValueClause],
) -> Mapping[int, int]:
    """Return how many failing elements break each clause, by its number.

    A clause that reaches an element, and that the element keeps, is not broken by it. If an element
    keeps each clause by itself within the strict tolerance, all are named.

    Args:
        wrong: Which elements fail; one-dimensional.
        expected: What may come back.
        clauses: The spec's value clauses.
    """
    failing = expected.flat().at(np.flatnonzero(wrong))
    got = widen(actual.reshape(-1)[wrong])
    none = np.zeros(len(got), np.bool_)
    reached = [failing.reach_of(number) for number in range(len(clauses))]
    broken = [
        applies & ~follows(clause, got, failing)
        if clause.expect != "any" and applies.any()
        else none
        for clause, applies in zip(clauses, reached, strict=True)
    ]
    unbroken = ~np.logical_or.reduce(broken, initial=False)
    counts = {
        number: int(np.count_nonzero(broken[number] | (applies & unbroken)))
        for number, applies in enumerate(reached)
    }
    return {number: count for number, count in counts.items() if count}


def broken_values(broken: Mapping[int, int], clauses: Sequence[ValueClause]) -> tuple[str, ...]:
    """Return the value clauses that failing elements break, most specific first.

    A clause that states an exception (anything but the formula's value) is more specific than one
    that promises the formula; among equals, the one that more elements break comes first, and then
    the one that the document makes an exception to others. A clause that promises nothing cannot be
    broken.

    Args:
        broken: How many failing elements break each clause, by its number.
        clauses: The spec's value clauses.
    """
    order = sorted(
        (number for number in broken if clauses[number].expect != "any"),
        key=lambda number: (
            clauses[number].expect == "value",
            -broken[number],
            not clauses[number].overrides,
            number,
        ),
    )
    return tuple(clauses[number].id for number in order)


@dataclass(frozen=True)
class Contest:
    """Two clauses that cannot both be kept, and the results where both apply.

    Attributes:
        first: The clause that comes first in the spec.
        elements: Elements to which both apply.
        follow_first: Elements that satisfy the first clause.
        follow_second: Elements that satisfy the second one.
        others: Further clauses, with the number of elements that satisfy them but neither of the
            two; an element counts only for the first.
    """

    first: str
    second: str
    elements: int
    follow_first: int
    follow_second: int
    others: tuple[tuple[str, int], ...] = ()

    @property
    def reading(self) -> str | None:
        """The clause that every element follows; None without one."""
        followed = {self.first: self.follow_first, self.second: self.follow_second}
        whole = [name for name, count in followed.items() if count == self.elements]
        return whole[0] if len(whole) == 1 else None


def find_contests(
    actual: npt.NDArray[Any], expected: Expected, clauses: Sequence[ValueClause]
) -> tuple[Contest, ...]:
    """Return the contests of one output, in the order of the spec's clauses.

    Args:
        actual: What came back, of the expectation's shape.
        expected: What may come back.
        clauses: The spec's value clauses; bit k of ``expected.reached`` means the k-th.
    """
    where = expected.contested
    if not where.any():
        return ()
    contested = expected.flat().at(np.flatnonzero(where))
    values = widen(actual[where])
    contests = []
    for first, second in clashing_pairs(np.unique(contested.reached).tolist(), clauses):
        both = contested.reach_of(first, second)
        here = functools.partial(
            follows, actual=values[both], expected=contested.at(np.flatnonzero(both))
        )
        one, two = here(clauses[first]), here(clauses[second])
        contests.append(
            Contest(
                clauses[first].id,
                clauses[second].id,
                int(np.count_nonzero(both)),
                int(np.count_nonzero(one)),
                int(np.count_nonzero(two)),
                tuple(_others(clauses, here, contested.at(np.flatnonzero(both)), ~(one | two))),
            )
        )
    return tuple(contests)


def _others(
    clauses: Sequence[ValueClause],
    followed: Callable[[ValueClause], npt.NDArray[np.bool_]],
    contested: Expected,
    remaining: npt.NDArray[np.bool_],
) -> Iterator[tuple[str, int]]:
    """Yield the clauses followed by elements that follow neither clause of a pair."""
    for k, clause in enumerate(clauses):
        followers = remaining & contested.reach_of(k)
        if followers.any():
            followers &= followed(clause)
        if followers.any():
            yield clause.id, int(np.count_nonzero(followers))
            remaining = remaining & ~followers


def merge_contests(contests: Iterable[Contest]) -> tuple[Contest, ...]:
    """Add up contests of the same two clauses, keeping the order of their first appearance."""
    merged: dict[tuple[str, str], Contest] = {}
    for each in contests:
        pair = each.first, each.second
        before = merged.get(pair, Contest(*pair, 0, 0, 0))
        others = Counter(dict(before.others))
        others.update(dict(each.others))
        merged[pair] = Contest(
            *pair,
            before.elements + each.elements,
            before.follow_first + each.follow_first,
            before.follow_second + each.follow_second,
            tuple(others.items()),
        )
    return tuple(merged.values())
