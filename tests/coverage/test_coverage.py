# SPDX-License-Identifier: Apache-2.0
"""The rule map: what counts, what is missing, and which reasons hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from aclnn_cts.coverage.clause_coverage import ClauseCoverage, cover, exit_code
from aclnn_cts.coverage.coverage_text import (
    MOST_OPERATORS,
    clause_story,
    coverage_json,
    coverage_tables,
)
from aclnn_cts.coverage.promises import promises_of
from aclnn_cts.coverage.reached_cases import ReachedCase, reached_case
from aclnn_cts.errors import ExitCode
from aclnn_cts.golden.inputs import settle
from aclnn_cts.golden.reach import Reach, reach_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OneSided
from aclnn_cts.spec.quarantine import Quarantine, QuarantineEntry

OPERATOR = "aclnnLogitGrad"
PRODUCT = "atlas-a2"


def mapped(
    specs: SpecSet, *cases: ReachedCase, product: str = PRODUCT
) -> dict[str, ClauseCoverage]:
    return {each.promise.clause: each for each in cover(specs, OPERATOR, {product: cases})}


def changed(specs: SpecSet, **changes: Any) -> SpecSet:
    """Return the specs with some fields of the operator changed."""
    spec = specs.operator(OPERATOR).model_copy(update=changes)
    operators: Mapping[str, Any] = {**specs.operators, OPERATOR: spec}
    return replace(specs, operators=operators)


def of_types(case: Case, **types: str) -> Case:
    """Return a case in which some tensors have another data type."""
    tensors = (replace(each, dtype=types.get(each.name, each.dtype)) for each in case.tensors)
    return replace(case, tensors=tuple(tensors))


def reached(specs: SpecSet, case: Case) -> ReachedCase:
    """Return what a case counts for, by its data."""
    return reached_case(specs, case, reach_of(settle(specs, case)))


def test_values_count_by_their_data(bench: Any) -> None:
    """A case counts once for each clause and direction that its data reach."""
    case = bench.case("LogitGrad.a.1", [0.5, 0.4, 1.5], [1.0, 1.0, 1.0])
    found = mapped(bench.specs, reached(bench.specs, case))
    # The data come from the case's own recipe, uniform in (-1, 1): nothing is outside for sure.
    assert found["formula"].positive + found["formula"].negative >= 1
    made = ReachedCase(case, Reach(frozenset({"formula"}), frozenset({"eps-one"})))
    found = mapped(bench.specs, made, made)
    assert (found["formula"].positive, found["formula"].negative) == (2, 0)
    assert (found["eps-one"].positive, found["eps-one"].negative) == (0, 2)
    assert found["formula"].gaps == {"negative": (PRODUCT,)}
    assert found["formula"].state == "uncovered"


def test_quarantined_cases_count_for_no_value(bench: Any) -> None:
    """No value of them is judged, so no device would be caught by them."""
    case = bench.case("LogitGrad.special.float32.3.0123456789", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0])
    trusted = reached(bench.specs, case)
    assert trusted.reach.positive
    entry = QuarantineEntry.model_validate(
        {
            "operator": case.operator,
            "case": "LogitGrad.special.*",
            "reason": "the formula rounds twice",
            "found": "2026-11-21",
            "measured": "out[0]: golden 1.0, exact 2.0",
        }
    )
    specs = replace(bench.specs, quarantine=Quarantine(quarantined=[entry]))
    assert reached(specs, case).reach == Reach()


def test_a_dead_clause_is_uncovered(bench: Any) -> None:
    """A clause whose condition holds for no element is not covered by cases that claim it."""
    specs: SpecSet = bench.specs
    clauses = [
        c.model_copy(update={"when": parse("x < 0 and x > 0")})
        if c.id == "eps-negative-outside"
        else c
        for c in specs.operator(OPERATOR).clauses
    ]
    specs = changed(specs, clauses=clauses)
    case = bench.case("LogitGrad.a.1", [0.5], [1.0], clauses=("eps-negative-outside",))
    found = mapped(specs, reached(specs, case))["eps-negative-outside"]
    assert found.positive == 0
    assert "positive" in found.gaps
    assert exit_code([found]) is ExitCode.BROKEN_PROMISE


def test_errors_count_refusals_and_their_twins(bench: Any) -> None:
    """Negative are the refused calls, positive their twins, as far as they are planned."""
    twin = bench.case("twin", [0.5], [1.0])
    refusals = [of_types(bench.refusal(name), dy="float16") for name in ("one", "two")]
    alone = mapped(bench.specs, *map(ReachedCase, refusals))["dtype-differs"]
    assert (alone.positive, alone.negative) == (0, 2)
    assert alone.gaps == {"positive": (PRODUCT,)}
    both = mapped(bench.specs, *map(ReachedCase, [twin, *refusals]))["dtype-differs"]
    assert (both.positive, both.negative, both.state) == (1, 2, "covered")


def test_an_error_that_no_call_breaks_alone(bench: Any) -> None:
    """A device that does not check it refuses each call for another error: a gap, or a reason."""
    twin = bench.case("twin", [0.5], [1.0])
    both = of_types(bench.refusal("both"), x="double", dy="float16")
    alone = of_types(bench.refusal("alone"), dy="float16")
    cases = [ReachedCase(each) for each in (twin, both)]
    clause = "dtype-differs"
    found = mapped(bench.specs, *cases)[clause]
    assert (found.positive, found.negative, found.state) == (1, 1, "uncovered")
    assert found.gaps == {"negative": (PRODUCT,)}
    assert found.lacks == (f"no call breaks it alone on {PRODUCT}",)
    told = f"uncovered: {OPERATOR}/{clause}: no call breaks it alone on {PRODUCT}"
    assert told in shown(bench.specs, [found])
    stated = OneSided(clause=clause, missing="negative", reason="the other says it, too")
    specs = changed(bench.specs, one_sided=[stated])
    found = mapped(specs, *cases)[clause]
    assert (found.state, found.reasons) == (
        "covered",
        ("no call breaks it alone: the other says it, too",),
    )
    assert mapped(specs, *cases, ReachedCase(alone))[clause].state == "stale"
    few = mapped(bench.specs, *cases, ReachedCase(alone))[clause]
    assert (few.state, few.remarks) == ("covered", ("fragile: at most 2 calls break it",))
    more = [ReachedCase(of_types(bench.refusal(str(n)), dy="float16")) for n in range(4)]
    assert mapped(bench.specs, *cases, *more)[clause].remarks == ()


def test_requirements_count_by_the_calls(bench: Any) -> None:
    """Working calls hold a requirement, refused ones list it if their data violate it."""
    kept = bench.case("kept", [0.5], [1.0])
    broken = replace(bench.refusal("broken"), clauses=("dtype-differs", "x-dtype"))
    found = mapped(bench.specs, ReachedCase(kept), ReachedCase(broken))
    assert (found["x-dtype"].positive, found["x-dtype"].negative) == (1, 1)
    assert found["x-dtype"].state == "covered"
    assert found["x-rank"].gaps == {"positive": (PRODUCT,), "negative": (PRODUCT,)}


def test_a_tensor_that_must_be_null_needs_no_other_call(specs: SpecSet) -> None:
    """On the products of the rule, which says so of scales2Optional."""
    spec = specs.operator("aclnnAddLayerNormQuantV2")
    needs = {each.clause: each.needs.keys() for each in promises_of(specs, spec)}
    assert needs["scales2-optional-shape"] == {"ascend-950"}
    assert needs["scales2-optional-absent"] == needs["scales1-optional-shape"] > {"ascend-950"}


def test_permissions_and_determinism_have_no_negative(bench: Any) -> None:
    """No call stands outside a permission: the reason is derived."""
    case = bench.case("LogitGrad.a.1", [0.5], [1.0], layout="stepped")
    found = mapped(bench.specs, ReachedCase(case))
    for name in ("x-non-contiguous", "determinism"):
        assert found[name].state == "covered"
        assert found[name].reasons
    assert found["x-empty"].state == "uncovered"  # a reason for one direction covers nothing


def test_common_clauses_take_the_stated_reason(bench: Any) -> None:
    """Without a sentence in common.yaml, the missing direction is a gap."""
    case = ReachedCase(bench.case("LogitGrad.a.1", [0.5], [1.0]))
    specs: SpecSet = bench.specs
    told = tuple(c.model_copy(update={"no_negative": "no call"}) for c in specs.common)
    silent = tuple(c.model_copy(update={"no_negative": None}) for c in specs.common)
    assert mapped(replace(specs, common=told), case)["two-phase"].state == "covered"
    assert mapped(replace(specs, common=silent), case)["two-phase"].state == "uncovered"


@pytest.mark.parametrize(("product", "gaps"), [
    ("atlas-a2", {"positive": ("atlas-a2",)}),
    ("atlas-inference", {"negative": ("atlas-inference",)}),
])  # fmt: skip
def test_product_support(bench: Any, product: str, gaps: dict[str, tuple[str, ...]]) -> None:
    """A supported product needs calls that work, an unsupported one a refusal."""
    assert mapped(bench.specs, product=product)["product-support"].gaps == gaps
    refused = ReachedCase(replace(bench.refusal("one"), product="atlas-inference"))
    found = mapped(bench.specs, refused, product="atlas-inference")
    assert found["product-support"].state == "covered"
    assert found["x-dtype"].products == ()


def test_contested_only_is_covered(bench: Any) -> None:
    """A clause that contradicts another one wherever it applies has a computed reason."""
    case = bench.case("LogitGrad.a.1", [0.5], [1.0])
    reach = Reach(
        negative=frozenset({"eps-one"}),
        applied={"eps-one": 7},
        contested={"eps-one": 7},
        clashes={("eps-outside", "eps-one"): 7},
    )
    found = mapped(bench.specs, ReachedCase(case, reach))["eps-one"]
    assert (found.positive, found.contested, found.state) == (0, 1, "covered")
    assert found.clashes == {"eps-outside": 7}
    assert found.reasons == (
        "no positive case: contradicts eps-outside wherever it applies (7 elements in 1 case): "
        "either outcome is accepted",
    )
    applied = replace(reach, applied={"eps-one": 8})
    assert mapped(bench.specs, ReachedCase(case, applied))["eps-one"].state == "uncovered"


def test_products_without_inf_and_nan(bench: Any) -> None:
    """A clause about Inf or NaN is not held against a product that has neither; it says so."""
    products = dict.fromkeys(bench.specs.products, "supported")
    specs = changed(bench.specs, products=products)
    found = mapped(specs, product="atlas-training")["eps-nan"]
    assert found.state == "not promised"
    assert "neither Inf nor NaN" in found.reasons[0]


def test_stated_reasons_and_stale_ones(bench: Any) -> None:
    """A reason closes a gap; where cases exist all the same, it is stale on any product."""
    stated = OneSided(
        clause="formula", missing="negative", reason="it is everywhere", products=None
    )
    specs = changed(bench.specs, one_sided=[stated])
    case = bench.case("LogitGrad.a.1", [0.5], [1.0])
    inside = ReachedCase(case, Reach(frozenset({"formula"})))
    outside = ReachedCase(case, Reach(frozenset({"formula"}), frozenset({"formula"})))
    found = mapped(specs, inside)["formula"]
    assert (found.state, found.reasons) == ("covered", ("no negative case: it is everywhere",))
    assert mapped(specs, outside)["formula"].state == "stale"
    assert exit_code([mapped(specs, outside)["formula"]]) is ExitCode.BROKEN_PROMISE
    reached = {PRODUCT: [outside], "atlas-a3": [inside]}
    both = {c.promise.clause: c for c in cover(specs, OPERATOR, reached)}  # type: ignore[arg-type]
    assert both["formula"].state == "stale"
    named = stated.model_copy(update={"products": ["atlas-a3"]})
    specs = changed(bench.specs, one_sided=[named])
    both = {c.promise.clause: c for c in cover(specs, OPERATOR, reached)}  # type: ignore[arg-type]
    assert both["formula"].state == "covered"


def test_nothing_promised_is_not_covered(bench: Any) -> None:
    """A clause that is promised on none of the products counts for nothing; none at all, less."""
    case = ReachedCase(bench.case("LogitGrad.a.1", [0.5], [1.0]))
    silent = cover(bench.specs, OPERATOR, {"unmentioned": ()})
    assert {clause.state for clause in silent} == {"not promised"}
    assert exit_code(silent) is exit_code([]) is ExitCode.NOT_TRUSTWORTHY
    assert "no clause is promised on the products asked for" in shown(bench.specs, silent)
    promised = mapped(bench.specs, case)["two-phase"]
    assert promised.state == "covered"
    assert exit_code([promised, *silent]) is ExitCode.PASSED
    text = shown(bench.specs, [promised, *silent[:2]])
    assert "1 of 1 clause covered; 2 further are not promised" in text


def shown(specs: SpecSet, coverage: Sequence[ClauseCoverage], *, verbose: bool = False) -> str:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(coverage_tables(specs, coverage, verbose=verbose))
    return captured.get()


def test_very_many_operators_are_counted_by_family(specs: SpecSet) -> None:
    """Unless each one is asked for; the hint names the option."""
    names = [spec.operator for spec in specs.tested_operators][: MOST_OPERATORS + 1]
    coverage = [clause for name in names for clause in cover(specs, name, {PRODUCT: ()})]
    short, whole = (shown(specs, coverage, verbose=verbose) for verbose in (False, True))
    rows = re.compile(rf"^ *(?:{'|'.join(names)}) ", re.MULTILINE)
    assert (len(rows.findall(short)), len(rows.findall(whole))) == (0, len(names))
    families = {specs.operator(name).document.family for name in names}
    assert all(re.search(rf"^ *{family} ", short, re.MULTILINE) for family in families)
    assert ("--verbose" in short, "--verbose" in whole) == (True, False)


def test_several_operators_take_a_row_each(specs: SpecSet) -> None:
    """Thousands of clauses are not read: what is uncovered is named below the counts."""
    names = ("aclnnLogitGrad", "aclnnGeGlu")
    coverage = [clause for name in names for clause in cover(specs, name, {PRODUCT: ()})]
    text = shown(specs, coverage)
    for name in names:
        states = [clause.state for clause in coverage if clause.promise.operator == name]
        counts = [states.count(state) for state in ("uncovered", "stale", "covered")]
        (row,) = re.findall(rf"^ *{name} .*", text, re.MULTILINE)
        assert list(map(int, re.findall(r"\b\d+\b", row)))[:3] == counts
        uncovered = set(re.findall(rf"^uncovered: {name}/([\w-]+)", text, re.MULTILINE))
        assert len(uncovered) == counts[0] > 0


def test_a_requirement_that_no_call_breaks_alone(bench: Any) -> None:
    """Refusals may be owed to a requirement that is broken, too: a remark, and no gap."""
    kept = bench.case("kept", [0.5], [1.0], clauses=("x-rank", "dy-shape"))
    both, alone = (
        replace(bench.refusal(name), clauses=("dtype-differs", *broken, "inputs-unchanged"))
        for name, broken in (("both", ("x-rank", "dy-shape")), ("alone", ("dy-shape",)))
    )
    cases = [ReachedCase(each) for each in (kept, both, alone)]
    reached = {PRODUCT: tuple(cases)}
    coverage = {each.promise.clause: each for each in cover(bench.specs, OPERATOR, reached)}
    rank, shape = coverage["x-rank"], coverage["dy-shape"]
    assert (rank.negative, rank.alone, shape.negative, shape.alone) == (1, 0, 2, 1)
    remark = "no call breaks it alone: another requirement (dy-shape) is broken, too"
    assert (rank.remarks, shape.remarks) == ((remark,), ())
    assert (rank.state, rank.gaps) == ("covered", {})
    assert coverage["formula"].alone is None
    assert coverage["x-dtype"].alone == 0
    assert coverage["x-dtype"].remarks == ()  # no call breaks it at all: a gap says so
    assert remark in shown(bench.specs, [rank])
    assert f"  remark:       {remark}" in clause_story(bench.specs, rank, "smoke", str.join)
    entry = coverage_json(bench.specs, [rank])["clauses"][0]
    assert (entry["negative_alone"], entry["remarks"]) == (0, [remark])


def test_contradictions_are_added_up_where_they_are_the_reason(bench: Any) -> None:
    """A product with another reason adds nothing to the counts of a contradiction."""
    stated = OneSided(
        clause="eps-one", missing="positive", reason="so it is", products=["atlas-a3"]
    )
    specs = changed(bench.specs, one_sided=[stated])
    case = bench.case("LogitGrad.a.1", [0.5], [1.0])
    clash = ("eps-outside", "eps-one")
    seven, five = (
        ReachedCase(
            case,
            Reach(
                negative=frozenset({"eps-one"}),
                applied={"eps-one": count},
                contested={"eps-one": count},
                clashes={clash: count},
            ),
        )
        for count in (7, 5)
    )
    reached = {PRODUCT: (seven,), "atlas-a3": (five,), "ascend-950": (five, five)}
    found = {each.promise.clause: each for each in cover(specs, OPERATOR, reached)}["eps-one"]
    assert set(found.reasons) == {
        "no positive case: contradicts eps-outside wherever it applies (17 elements in 3 cases): "
        "either outcome is accepted (ascend-950, atlas-a2)",
        "no positive case: so it is (atlas-a3)",
    }


def test_a_twin_must_work_on_the_same_product(bench: Any) -> None:
    """Only the twin of a call that a product refuses as such works on another product."""
    twin, refused = ReachedCase(bench.case("twin", [0.5], [1.0])), ReachedCase(bench.refusal("one"))
    reached: dict[str, tuple[ReachedCase, ...]] = {PRODUCT: (refused,), "atlas-a3": (twin,)}
    found = {each.promise.clause: each for each in cover(bench.specs, OPERATOR, reached)}
    assert found["dtype-differs"].positive == 0
    assert PRODUCT in found["dtype-differs"].gaps["positive"]
    [clause] = [e for e in bench.specs.operator(OPERATOR).errors if e.unsupported_product]
    elsewhere = ReachedCase(
        replace(
            refused.case,
            product="atlas-inference",
            scene=clause.id,
            id="other",
            refused_by=(clause.id,),
        )
    )
    reached = {"atlas-inference": (elsewhere,), "atlas-a3": (twin,)}
    found = {each.promise.clause: each for each in cover(bench.specs, OPERATOR, reached)}
    assert (found[clause.id].positive, found[clause.id].state) == (1, "covered")


def test_json(bench: Any) -> None:
    """Each clause has an entry with its counts; a reason is text or null."""
    case = ReachedCase(bench.case("LogitGrad.a.1", [0.5], [1.0]))
    entries = coverage_json(bench.specs, cover(bench.specs, OPERATOR, {PRODUCT: (case,)}))[
        "clauses"
    ]
    assert {"operator", "clause", "positive", "negative", "reason"} <= entries[0].keys()
    assert {type(entry["reason"]) for entry in entries} == {str, type(None)}
    assert len({entry["clause"] for entry in entries}) == len(entries)
