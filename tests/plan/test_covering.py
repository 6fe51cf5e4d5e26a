# SPDX-License-Identifier: Apache-2.0
"""Covering arrays: every combination that some valid row has is in a row; no row breaks a rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aclnn_cts.plan.covering import covering_rows
from aclnn_cts.plan.factors import factors_of, most_elements
from aclnn_cts.plan.validity import can_show_errors, shaping_factors
from aclnn_cts.spec.loading import SpecSet

Levels = Mapping[str, Sequence[Any]]
Check = Callable[[Mapping[str, Any]], bool]


def combinations(row: Mapping[str, Any], strength: int) -> Iterator[tuple[tuple[str, Any], ...]]:
    yield from itertools.combinations(sorted(row.items()), strength)


def every_row(factors: Levels) -> Iterator[dict[str, Any]]:
    for levels in itertools.product(*factors.values()):
        yield dict(zip(factors, levels, strict=True))


def feasible(factors: Levels, strength: int, valid: Check) -> set[tuple[tuple[str, Any], ...]]:
    """Return the combinations of all valid rows, found by trying every row there is."""
    return {
        item for row in every_row(factors) if valid(row) for item in combinations(row, strength)
    }


@st.composite
def spaces(draw: st.DrawFn) -> tuple[dict[str, list[int]], list[dict[str, int]]]:
    """Return factors of some levels, and partial rows that are forbidden (never the first row)."""
    names = "abcdef"[: draw(st.integers(1, 6))]
    factors = {name: list(range(draw(st.integers(1, 4)))) for name in names}
    literal = st.sampled_from(names).flatmap(
        lambda name: st.tuples(st.just(name), st.sampled_from(factors[name]))
    )
    forbidden = draw(st.lists(st.lists(literal, min_size=1, max_size=3).map(dict), max_size=6))
    return factors, [partial for partial in forbidden if any(partial.values())]


FAR = ({name: [0, 1] for name in "abcd"}, [{"a": 0, "b": 1}, {"a": 1, "c": 0}, {"a": 1, "d": 0}])
"""From the ordinary row to one with b = 1 three other factors change."""


@settings(max_examples=150)
@given(spaces(), st.integers(1, 3))
@example(FAR, 1)
def test_every_feasible_combination_is_covered(
    space: tuple[dict[str, list[int]], list[dict[str, int]]], strength: int
) -> None:
    """By brute force: the rows are valid, and hold all that any valid row holds."""
    factors, forbidden = space

    def valid(row: Mapping[str, Any]) -> bool:
        return not any(partial.items() <= row.items() for partial in forbidden)

    strength = min(strength, sum(len(levels) > 1 for levels in factors.values()) or 1)
    rows = covering_rows(factors, strength, tuple(factors), valid)
    assert all(valid(row) for row in rows)
    covered = {item for row in rows for item in combinations(row, strength)}
    # Factors of one level are in every row; the promise is about those that vary.
    varied = {name for name, levels in factors.items() if len(levels) > 1}
    wanted = {
        item
        for item in feasible(factors, strength, valid)
        if all(name in varied for name, _ in item)
    }
    assert wanted <= covered


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 5), min_size=1, max_size=6))
def test_few_rows_and_the_same_again(counts: dict[str, int]) -> None:
    """Pairs take far fewer rows than all combinations do; equal arguments give equal rows."""
    factors = {name: list(range(count)) for name, count in counts.items()}
    rows = covering_rows(factors, 2)
    assert rows == covering_rows(factors, 2)
    most = sorted(counts.values())[-2:]
    assert len(rows) <= 3 * most[0] * most[-1]


def test_one_level_each() -> None:
    """Without anything to vary there is one row."""
    assert covering_rows({"a": [7], "b": ["x"]}, 2) == [{"a": 7, "b": "x"}]


FEW_EXTENTS = {"dim:N": [2], "dim:C": [3, 1], "dim:H": [6, 1], "dim:W": [8, 1, 127]}


@pytest.mark.parametrize(
    ("operator", "fewer"),
    [
        ("aclnnLogitGrad", {}),
        ("aclnnPreluBackward", {}),
        ("aclnnMaxPool2dWithMaskBackward", {**FEW_EXTENTS, "attribute:dilation": [(1, 1)]}),
    ],
)
def test_a_real_operator_has_all_feasible_pairs(
    specs: SpecSet, operator: str, fewer: dict[str, list[Any]]
) -> None:
    """With rules of a real document and a tight bound on sizes: what brute force finds is there."""
    spec, product = specs.operator(operator), specs.product("atlas-a2")
    factors = {**factors_of(spec, product, "smoke"), **fewer}
    bound = shaping_factors(spec, factors)
    valid = can_show_errors(spec, product.id, most_elements("smoke"))
    rows = covering_rows(factors, 2, bound, valid)
    assert all(valid(row) for row in rows)
    covered = {item for row in map(_texts, rows) for item in combinations(row, 2)}
    # What the rules do not read takes every level beside every valid choice of the others.
    ordinary = {name: levels[:1] for name, levels in factors.items() if name not in bound}
    choices = {name: factors[name] for name in bound}
    wanted: set[tuple[tuple[str, Any], ...]] = set()
    for row in filter(valid, every_row({**ordinary, **choices})):
        wanted.update(combinations(_texts({name: row[name] for name in bound}), 2))
    levels = {level for pair in wanted for level in pair}
    wanted |= {
        tuple(sorted((level, (name, str(other)))))
        for name in ordinary
        for other in factors[name]
        for level in levels
    }
    assert wanted <= covered


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    """Levels as text: nan is not a member of a set that holds it, and true equals 1."""
    return {name: str(level) for name, level in row.items()}
