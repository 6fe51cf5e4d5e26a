# SPDX-License-Identifier: Apache-2.0
"""Which promises a failing element breaks, and which of two that contradict the device follows."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.outcomes import CLASSES, clashing_pairs
from aclnn_cts.judge.standards import classify
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ValueClause
from aclnn_cts.spec.structure import all_clause_texts


def reached_numbers(bits: int) -> tuple[int, ...]:
    """Return the numbers of the value clauses whose bits are set, in the spec's order."""
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def follows(clause: ValueClause, actual: FloatArray, expected: Expected) -> npt.NDArray[np.bool_]:
    """Return which elements came back as a clause says, whatever other clauses say of them.

    Args:
        clause: A clause that reaches all of them.
        actual: What came back, widened; one-dimensional.
        expected: What may come back, of the same elements.
    """
    if clause.expect != "value":
        return (classify(actual) & np.uint8(CLASSES[clause.expect])).astype(np.bool_)
    other_class = classify(actual) & expected.formula & ~np.uint8(Outcome.VALUE)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(actual - expected.value) <= expected.tolerance
    # The tolerance of an infinite value is infinite, too.
    near &= np.isfinite(actual) & np.isfinite(expected.value)
    return np.asarray(near | (other_class != 0))


def broken_by(
    wrong: npt.NDArray[np.bool_],
    actual: npt.NDArray[Any],
    expected: Expected,
    clauses: Sequence[ValueClause],
) -> Mapping[int, int]:
    """Return how many failing elements break each clause, by its number.

    A clause that reaches an element, and that the element keeps, is not broken by it. Where an
    element keeps each clause by itself, as far as the strict tolerance tells, all are named.

    Args:
        wrong: Which elements fail; one-dimensional.
        actual: What came back.
        expected: What may come back.
        clauses: The spec's value clauses.
    """
    failing = expected.flat().at(np.flatnonzero(wrong))
    got = widen(actual.reshape(-1)[wrong])
    none = np.zeros(len(got), np.bool_)
    reached = [failing.reached_by(number) for number in range(len(clauses))]
    broken = [
        own & ~follows(clause, got, failing) if clause.expect != "any" and own.any() else none
        for clause, own in zip(clauses, reached, strict=True)
    ]
    kept = ~np.logical_or.reduce(broken, initial=False)
    counts = {
        number: int(np.count_nonzero(broken[number] | (own & kept)))
        for number, own in enumerate(reached)
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


def clause_texts(specs: SpecSet, operator: str) -> dict[str, tuple[str, str]]:
    """Return text and place of every clause of an operator, by id."""
    return all_clause_texts(specs.operator(operator), specs.common)


@dataclass(frozen=True)
class Contest:
    """Two clauses that cannot both be kept, and what came back where both apply.

    Attributes:
        first: The clause that comes first in the spec.
        second: The other one.
        elements: Elements to which both apply.
        follow_first: Elements that came back as the first clause says.
        follow_second: Elements that came back as the second one says.
        others: Further clauses that reach elements which follow neither of the two, and how many of
            these came back as they say; an element counts for the first of them alone.
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
        clauses: The spec's value clauses; bit k of ``expected.reached`` stands for the k-th.
    """
    where = expected.contested
    if not where.any():
        return ()
    contested = expected.flat().at(np.flatnonzero(where))
    values = widen(actual[where])
    found = []
    for first, second in clashing_pairs(np.unique(contested.reached).tolist(), clauses):
        both = contested.reached_by(first, second)
        here = functools.partial(
            follows, actual=values[both], expected=contested.at(np.flatnonzero(both))
        )
        one, two = here(clauses[first]), here(clauses[second])
        found.append(
            Contest(
                clauses[first].id,
                clauses[second].id,
                int(np.count_nonzero(both)),
                int(np.count_nonzero(one)),
                int(np.count_nonzero(two)),
                tuple(_others(clauses, here, contested.at(np.flatnonzero(both)), ~(one | two))),
            )
        )
    return tuple(found)


def _others(
    clauses: Sequence[ValueClause],
    followed: Callable[[ValueClause], npt.NDArray[np.bool_]],
    contested: Expected,
    left: npt.NDArray[np.bool_],
) -> Iterator[tuple[str, int]]:
    """Yield what the elements that are left, which follow neither clause of a pair, follow."""
    for k, clause in enumerate(clauses):
        own = left & contested.reached_by(k)
        if own.any():
            own &= followed(clause)
        if own.any():
            yield clause.id, int(np.count_nonzero(own))
            left = left & ~own


def merge(contests: Iterable[Contest]) -> tuple[Contest, ...]:
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
