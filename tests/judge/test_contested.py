# SPDX-License-Identifier: Apache-2.0
"""Where clauses contradict each other: which of them a device follows, element by element."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from aclnn_cts.golden.expected import Expected
from aclnn_cts.judge.standards import Contest, classify, find_contests, merge_contests
from aclnn_cts.spec.clause_models import ValueClause

INF, NAN = math.inf, math.nan


def clause(expect: str) -> ValueClause:
    where = {"section": "function", "item": "formula"}
    content: dict[str, Any] = {"id": f"says-{expect}", "text": "A sentence.", "where": where}
    return ValueClause.model_validate({**content, "expect": expect})


CLAUSES = [clause("value"), clause("zero"), clause("nan"), clause("inf")]


def expectation(value: list[float], reached: list[int], tolerance: float = 0.5) -> Expected:
    """Return an expectation whose elements are contested where two clauses reach them."""
    expected = Expected.blank((len(value),))
    expected.value[...] = value
    expected.tolerance[...] = tolerance
    expected.reached[...] = reached
    expected.formula[...] = np.where(np.isfinite(value), 1, classify(expected.value))
    expected.contested[...] = [bits.bit_count() > 1 for bits in reached]
    return expected


def found(actual: list[float], expected: Expected) -> tuple[Contest, ...]:
    return find_contests(np.array(actual, np.float32), expected, CLAUSES)


@pytest.mark.parametrize(
    ("value", "actual", "follows"),
    [
        (2.0, 2.0, True),
        (2.0, 2.5, True),  # at the tolerance
        (2.0, 1.5, True),
        (2.0, 2.75, False),
        (2.0, NAN, False),
        (2.0, INF, False),  # not near an overflow
        (INF, INF, True),
        (INF, -INF, False),
        (INF, NAN, False),
        (NAN, NAN, True),
        (NAN, 1.0, False),
    ],
)
@pytest.mark.filterwarnings("error")
def test_following_the_formula(value: float, actual: float, *, follows: bool) -> None:
    """What came back follows the value if it is near it, or of a class that the formula gives."""
    (contest,) = found([actual], expectation([value], [0b0011]))
    assert (contest.first, contest.second) == ("says-value", "says-zero")
    assert (contest.elements, contest.follow_first) == (1, int(follows))


def test_an_overflow_that_the_formula_allows_follows_it() -> None:
    """Near the largest number the formula's value may come back as Inf of its sign."""
    expected = expectation([60000.0, -60000.0, 60000.0], [0b0011] * 3)
    expected.formula[...] = [5, 9, 5]
    (contest,) = found([INF, -INF, -INF], expected)
    assert contest.follow_first == 2


def test_only_contested_elements_of_the_pair_count() -> None:
    """An element that one clause reaches alone, or that another pair contests, is left out."""
    expected = expectation([2.0] * 6, [0b0011, 0b0001, 0b0011, 0b0101, 0b0011, 0b1100])
    contests = found([0.0, 0.0, 2.0, NAN, 7.0, INF], expected)
    assert contests == (
        Contest("says-value", "says-zero", 3, 1, 1),
        Contest("says-value", "says-nan", 1, 0, 1),
        Contest("says-nan", "says-inf", 1, 0, 1),
    )


def test_a_third_clause_that_is_followed_is_named() -> None:
    """Where three clauses meet, an element that follows none of two may follow the third one.

    It counts for one clause only, and not where one of the two is followed as well.
    """
    expected = expectation([2.0] * 4, [0b0111, 0b0111, 0b0111, 0b0011])
    contests = {(c.first, c.second): c for c in found([0.0, NAN, 2.0, NAN], expected)}
    between = contests["says-value", "says-zero"]
    assert (between.elements, between.follow_first, between.follow_second) == (4, 1, 1)
    assert between.others == (("says-nan", 1),)
    assert contests["says-zero", "says-nan"].others == (("says-value", 1),)


def test_third_clauses_of_several_outputs_add_up() -> None:
    """By their ids; the order is that of their first appearance."""
    told = [
        Contest("a", "b", 3, 1, 0, (("c", 2),)),
        Contest("a", "b", 3, 0, 0, (("d", 1), ("c", 1))),
    ]
    assert merge_contests(told) == (Contest("a", "b", 6, 1, 0, (("c", 3), ("d", 1))),)


def test_shapes_do_not_matter() -> None:
    """Outputs of any rank are looked at; without contested elements there is no contest."""
    expected = expectation([2.0] * 4, [0b0011] * 4)
    shaped = expected._apply(lambda array: array.reshape(2, 2))
    actual = np.array([[0.0, 2.0], [0.0, 0.0]], np.float16)
    assert find_contests(actual, shaped, CLAUSES) == (Contest("says-value", "says-zero", 4, 1, 3),)
    assert found([0.0], expectation([2.0], [0b0001])) == ()


def test_contests_of_several_outputs_add_up() -> None:
    """The same two clauses are one contest; their order is that of the first appearance."""
    first, other = Contest("a", "b", 3, 1, 2), Contest("a", "c", 5, 5, 0)
    merged = merge_contests([first, other, Contest("a", "b", 10, 4, 6)])
    assert merged == (Contest("a", "b", 13, 5, 8), other)
    assert merge_contests([]) == ()


@pytest.mark.parametrize(
    ("first", "second", "reading"), [(3, 0, "a"), (0, 3, "b"), (3, 3, None), (2, 1, None)]
)
def test_the_reading(first: int, second: int, reading: str | None) -> None:
    """A device follows a clause if every element does, and not the other as well."""
    assert Contest("a", "b", 3, first, second).reading == reading
