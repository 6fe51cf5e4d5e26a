# SPDX-License-Identifier: Apache-2.0
"""Failing cases are grouped by what they have in common, and by nothing that is an accident."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable

import pytest

from aclnn_cts.report.grouping import groups_of, tail
from aclnn_cts.report.results import CaseEntry

Entries = Callable[..., CaseEntry]
TYPES = ("float16", "float32", "bfloat16")
LAYOUTS = ("contiguous", "stepped", "transposed", "sliced")
TAILS = ("whole", "tail")


def cases(entry: Entries, wrong: Callable[[set[str]], bool], times: int = 4) -> list[CaseEntry]:
    """Return cases with all combinations of some facts; those fail that a fault makes wrong."""
    made = []
    for number in range(times):
        for facts in itertools.product(TYPES, LAYOUTS, TAILS):
            verdict = "fail" if wrong(set(facts)) else "pass"
            name = f"{'.'.join(facts)}.{number}"
            made.append(entry(name, verdict, facts=(*facts, "always")))
    return made


@pytest.mark.parametrize("fact", ["float16", "stepped", "tail"])
def test_the_fact_that_explains_is_found(entry: Entries, fact: str) -> None:
    """All failing cases and no passing one have it: it alone makes the group."""
    (group,) = groups_of(cases(entry, lambda facts: fact in facts))
    assert group.facts == (fact,)
    assert (len(group.cases), group.failing, group.passing_with) == (
        group.failing,
        group.failing,
        0,
    )
    assert group.clauses[0][0] == "formula"


def test_two_facts_together_are_found(entry: Entries) -> None:
    """A fault that takes both shows as both."""
    (group,) = groups_of(cases(entry, lambda facts: {"float16", "stepped"} <= facts))
    assert set(group.facts) == {"float16", "stepped"}
    assert group.passing_with == 0


def test_two_faults_make_two_groups(entry: Entries) -> None:
    """What one fact does not explain is looked at again."""
    groups = groups_of(cases(entry, lambda facts: bool({"bfloat16", "sliced"} & facts)))
    assert {group.facts for group in groups} >= {("bfloat16",), ("sliced",)}
    assert sum(len(group.cases) for group in groups) == groups[0].failing


def test_accidents_are_not_told(entry: Entries) -> None:
    """Failures drawn blindly share nothing that is told as a cause; their clause groups them."""
    for seed in range(20):
        drawn = random.Random(seed)  # noqa: S311 - no secret
        found = groups_of(cases(entry, functools.partial(_blindly, drawn), times=3))
        assert [group.facts for group in found] == [()], seed


def _blindly(drawn: random.Random, _: set[str]) -> bool:
    return drawn.random() < 0.1


def test_a_single_failure_is_grouped_by_its_clause(entry: Entries) -> None:
    """One case has nothing in common with others."""
    (group,) = groups_of([entry("a", "crash", broken=()), entry("b", facts=("x",))])
    assert (group.facts, group.clauses, group.shared) == ((), (), ())


def test_what_all_share_is_told_besides(entry: Entries) -> None:
    """A fact that goes with the first one everywhere is not lost; one that all cases have is."""
    made = [entry(f"f{n}", "fail", facts=("one", "two", "always")) for n in range(9)]
    made += [entry(f"p{n}", facts=("always",)) for n in range(20)]
    (group,) = groups_of(made)
    assert group.facts == ("one",)
    assert group.shared == ("two",)


def test_waived_failures_are_in_no_group(entry: Entries) -> None:
    """They are accepted, and told elsewhere."""
    assert groups_of([entry("a", "fail", waiver="known")]) == ()


def test_operators_are_looked_at_apart(entry: Entries) -> None:
    """One operator's failures say nothing about another's cases."""
    made = [entry(f"a{n}", "fail", operator="aclnnA", facts=("x",)) for n in range(3)]
    made += [entry(f"b{n}", "fail", operator="aclnnB", facts=("y",)) for n in range(3)]
    assert [group.operator for group in groups_of(made)] == ["aclnnA", "aclnnB"]


@pytest.mark.parametrize(
    ("hits", "marked", "drawn", "total"), [(3, 5, 4, 20), (0, 3, 3, 9), (4, 4, 4, 8)]
)
def test_the_chance_is_the_hypergeometric_one(
    hits: int, marked: int, drawn: int, total: int
) -> None:
    """It agrees with counting all draws."""
    draws = itertools.combinations(range(total), drawn)
    counted = [sum(one < marked for one in draw) >= hits for draw in draws]
    assert math.isclose(tail(hits, marked, drawn, total), sum(counted) / len(counted))
