# SPDX-License-Identifier: Apache-2.0
"""Failing cases are grouped by what they have in common, and by nothing that is an accident."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.report.pages import Documents, Entries

from aclnn_cts.judge.features import MUST_BE_REFUSED, facts_of
from aclnn_cts.judge.regions import Region
from aclnn_cts.judge.verdicts import Common
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.common_cause import groups_of, tail
from aclnn_cts.report.page.failures import failing_groups
from aclnn_cts.report.totals import FirstBroken, Sums, tally
from aclnn_cts.report.view import label_runs
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.spec.loading import SpecSet

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


def test_a_bad_card_is_found(entry: Entries) -> None:
    """Where only one card fails, the group is that card's, not that of its host."""
    found = [
        each.model_copy(update={"host": f"lab-{number % 2}", "card": number // 2 % 4})
        for number, each in enumerate(cases(entry, lambda _: False))
    ]
    bad = [
        entry(each.id, "fail", facts=each.facts, host=each.host, card=each.card)
        if (each.host, each.card) == ("lab-1", 3)
        else each
        for each in found
    ]
    (group,) = groups_of(bad)
    assert group.facts == ("on card 3 of host lab-1",)
    assert (len(group.cases), group.passing_with) == (12, 0)


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


def test_a_status_groups_what_no_fact_explains(entry: Entries) -> None:
    """A data type that is merely frequent gives way to the status that all returned."""
    status = "phase one returns ACLNN_ERR_INNER"
    made = [entry(f"f{n}", "fail", facts=("float32", status)) for n in range(12)]
    made += [entry(f"g{n}", "fail", facts=("float16", status)) for n in range(6)]
    made += [entry(f"p{n}", facts=("float32",)) for n in range(10)]
    made += [entry(f"q{n}", facts=("float16",)) for n in range(40)]
    assert [group.facts for group in groups_of(made)] == [(status,)]
    stepped = [entry(f"s{n}", "fail", facts=("stepped", status)) for n in range(12)]
    (group,) = groups_of([*stepped, *(entry(f"p{n}", facts=("float32",)) for n in range(20))])
    assert (group.facts, group.shared) == ((status, "stepped"), ())
    accepted = "phase one returns ACLNN_SUCCESS"
    refusals = [
        entry(f"r{n}", "fail", basis="status", facts=(MUST_BE_REFUSED, "null", accepted))
        for n in range(9)
    ]
    right = (entry(f"p{n}", basis="status", facts=(MUST_BE_REFUSED, "rank")) for n in range(20))
    (group,) = groups_of([*refusals, *right])
    assert group.facts == ("null",)


def small(greatest: float, wrong: int = 5) -> Region:
    return Region("x", "value", 0.0, greatest, None, 1e-3, wrong=wrong, right=20)


def test_a_region_makes_one_group(entry: Entries, results_document: Documents) -> None:
    """Elements that are wrong only where x is small are one finding, whatever else differs."""
    made = [
        entry(f"f{n}.{time}", "fail", facts=(fact,), broken=(clause,), regions=(small(10.0**-n),))
        for n, fact, clause in ((4, "float16", "formula"), (5, "float32", "mean"))
        for time in range(4)
    ]
    made += [entry(f"p{n}", facts=("bfloat16",)) for n in range(30)]
    (group,) = groups_of(made)
    assert (group.facts, group.clauses) == ((), (("formula", 4), ("mean", 4)))
    (shown,) = failing_groups(label_runs([results_document(cases=tuple(made))]), lambda _: 0)
    where = "elements are wrong only where x is at most 0.0001 (right from 0.001)"
    numbers = "8 of 8 failing cases, beside 30 passing calls that must work"
    assert shown.figures == f"{numbers}; {where}"
    for other in ((), (small(0.1),), (replace(small(1e-4), input="y"),)):
        found = groups_of([*made, entry("other", "fail", facts=("int8",), regions=other)])
        assert len(found) > 1, other


def test_a_region_by_chance_is_not_told(entry: Entries) -> None:
    """A single wrong element always lies somewhere."""
    few = replace(small(1e-4), wrong=1)
    (group,) = groups_of([entry("a", "fail", regions=(few,)), entry("b")])
    assert group.region is None


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


def refusals(entry: Entries, verdict: str = "pass", number: int = 60) -> Iterator[CaseEntry]:
    for n in range(number):
        yield entry(f"refused{n}", verdict, facts=(MUST_BE_REFUSED, "whole"), basis="status")


def calls(entry: Entries, verdict: str, fact: str, number: int = 20) -> Iterator[CaseEntry]:
    for n in range(number):
        yield entry(f"{verdict}.{fact}.{n}", verdict, facts=(fact,))


def test_where_all_calls_fail_no_fact_tells_them_apart(entry: Entries) -> None:
    """Refusals pass for another reason: what they are not is not an explanation."""
    (group,) = groups_of(
        [*calls(entry, "fail", "tail"), *calls(entry, "fail", "whole"), *refusals(entry)]
    )
    assert (group.facts, group.clauses[0][0], group.passing) == ((), "formula", 0)
    assert not group.refusals
    assert group.shared == ()


def test_only_passing_calls_of_the_sort_are_counted(
    entry: Entries, results_document: Documents
) -> None:
    """A hundred refusals that have the fact, too, do not speak against it; the page says so."""
    cases = (*calls(entry, "fail", "whole"), *calls(entry, "pass", "tail"), *refusals(entry))
    (group,) = failing_groups(label_runs([results_document(cases=cases)]), lambda _: 0)
    assert group.group.facts == ("whole",)
    assert group.figures == (
        "20 of 20 failing cases; none of 20 passing calls that must work has it"
    )


def test_refusals_that_fail_have_groups_of_their_own(
    entry: Entries, results_document: Documents
) -> None:
    """They are never told together with calls whose values are wrong."""
    cases = (*calls(entry, "fail", "tail", 3), *refusals(entry, "fail", 2))
    found = failing_groups(label_runs([results_document(cases=cases)]), lambda _: 0)
    assert [each.figures for each in found] == [
        "3 of 5 failing cases; no call that must work passes",
        "2 of 5 failing cases; no call that must be refused passes",
    ]


def first_broken(cases: Iterable[CaseEntry]) -> tuple[FirstBroken, ...]:
    return tuple(Sums(cases).broken.values())


WHERE = Common("bfloat16", ("x-dtype", "dy-dtype"))


def test_each_line_tells_what_stands_with_it(entry: Entries) -> None:
    """The first clause heads the line; a type says where, and is not a clause among the others."""
    broken = ("formula", "determinism", "x-dtype", "dy-dtype")
    (found,) = first_broken(
        [entry(name, "fail", broken=broken, only_in=(WHERE,)) for name in ("a", "b")]
    )
    assert (found.clause, found.first.id, found.count) == ("formula", "a", 2)
    assert found.only_in == "bfloat16 (x-dtype, dy-dtype)"
    assert found.besides == "determinism (2)"


def test_the_tally_adds_up_to_all_broken_promises(entry: Entries) -> None:
    """A promise that heads a line counts there alone, though other cases break it, too."""
    told = [("a", ("x", "y")), ("b", ("y", "z", "w")), ("c", ())]
    found = first_broken([entry(name, "fail", broken=broken) for name, broken in told])
    assert tally(found) == "2 as first broken, 2 more with them"
    assert tally(first_broken([entry("a", "fail", broken=("x", "y"))])) == (
        "1 as first broken, 1 more with it"
    )
    assert tally(first_broken([entry("a", "fail", broken=("x",))])) == "1 as first broken"


def told(bench: Any, case: Case) -> tuple[str, ...]:
    return facts_of(bench.specs.operator(case.operator), case)


Planned = Callable[..., tuple[Case, ...]]


def test_a_plain_case(bench: Any) -> None:
    """Data type, layout, tails, attributes and scene are told, each once."""
    facts = told(bench, bench.case("c", [0.5] * 9, [1.0] * 9))
    assert facts == (
        "float32",
        "all contiguous",
        "out of rank 1",
        "number of elements of out not a multiple of 16",
        "size of out not a multiple of 32 bytes",
        "rows of out not a multiple of 32 bytes",
        "eps = -1.0",
        "scene pairs",
        "x filled with uniform",
        "dy filled with uniform",
    )


def test_a_stepped_input(bench: Any) -> None:
    """How a view lies in its storage is told besides its layout's name."""
    facts = told(bench, bench.case("c", [0.5] * 4, [1.0] * 4, layout="stepped"))
    assert {"an input not contiguous", "x stepped", "x with steps along its last axis"} <= set(
        facts
    )
    assert "all contiguous" not in facts


def test_a_refusal_is_told_as_one(bench: Any) -> None:
    """Calls that must be refused can be told from those that must work."""
    assert told(bench, bench.refusal("r"))[0] == MUST_BE_REFUSED
    assert MUST_BE_REFUSED not in told(bench, bench.case("c", [0.5], [1.0]))


@pytest.mark.parametrize("size", [16, 32])
def test_whole_blocks_have_no_tail(bench: Any, size: int) -> None:
    """Nothing is left over of a tensor that fills its blocks."""
    facts = told(bench, bench.case("c", [0.5] * size, [1.0] * size))
    assert not [fact for fact in facts if "multiple" in fact]


def test_every_planned_case_has_facts(planned: Planned, specs: SpecSet) -> None:
    """No case of a tier breaks the facts, and no fact of it is told twice."""
    for case in planned("atlas-a2", "smoke"):
        facts = facts_of(specs.operator(case.operator), case)
        assert len(facts) == len(set(facts)) >= 4
        assert f"scene {case.scene}" in facts
