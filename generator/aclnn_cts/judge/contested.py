# SPDX-License-Identifier: Apache-2.0
"""Where the documents contradict themselves: which of two clauses the device follows."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.clashes import clashing_pairs, reached_by_both
from aclnn_cts.golden.expected import Expected
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.clauses import follows
from aclnn_cts.spec.models import ValueClause


@dataclass(frozen=True)
class Contest:
    """Two clauses that cannot both be kept, and what came back where both apply.

    Attributes:
        first: The clause that stands first in the spec.
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
        """The clause that every element follows; None if the device is of two minds."""
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
    reached = contested.reached
    values = widen(actual[where])
    found = []
    for first, second in clashing_pairs(np.unique(reached).tolist(), clauses):
        both = reached_by_both(reached, first, second)
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
                tuple(_others(clauses, here, reached[both], ~(one | two))),
            )
        )
    return tuple(found)


def _others(
    clauses: Sequence[ValueClause],
    followed: Callable[[ValueClause], npt.NDArray[np.bool_]],
    reached: npt.NDArray[np.uint32],
    left: npt.NDArray[np.bool_],
) -> Iterator[tuple[str, int]]:
    """Yield what the elements that are left, which follow neither clause of a pair, follow."""
    for k, clause in enumerate(clauses):
        own = left & (reached >> np.uint32(k) & np.uint32(1)).astype(np.bool_)
        if own.any():
            own &= followed(clause)
        if own.any():
            yield clause.id, int(np.count_nonzero(own))
            left = left & ~own


def merge(contests: Iterable[Contest]) -> tuple[Contest, ...]:
    """Add up contests of the same two clauses, keeping the order of their first appearance."""
    pairs: dict[tuple[str, str], list[Contest]] = {}
    for contest in contests:
        pairs.setdefault((contest.first, contest.second), []).append(contest)
    return tuple(
        Contest(
            *pair,
            sum(each.elements for each in own),
            sum(each.follow_first for each in own),
            sum(each.follow_second for each in own),
            _added_up(own),
        )
        for pair, own in pairs.items()
    )


def _added_up(contests: Iterable[Contest]) -> tuple[tuple[str, int], ...]:
    counts: Counter[str] = Counter()
    for contest in contests:
        counts.update(dict(contest.others))
    return tuple(counts.items())
