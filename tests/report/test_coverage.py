# SPDX-License-Identifier: Apache-2.0
"""The rule map: what counts, what is missing, and which reasons hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from aclnn_cts.errors import ExitCode
from aclnn_cts.golden.reach import Reach
from aclnn_cts.report.coverage import ClauseCoverage, cover, exit_code
from aclnn_cts.report.coverage_table import coverage_json
from aclnn_cts.report.reaching import ReachedCase, reach_each
from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OneSided

OPERATOR = "aclnnLogitGrad"
PRODUCT = "atlas-a2"


def mapped(
    specs: SpecSet, *cases: ReachedCase, product: str = PRODUCT
) -> dict[str, ClauseCoverage]:
    return {each.promise.clause: each for each in cover(specs, [OPERATOR], {product: cases})}


def changed(specs: SpecSet, **changes: Any) -> SpecSet:
    """Return the specs with some fields of the operator changed."""
    spec = specs.operator(OPERATOR).model_copy(update=changes)
    operators: Mapping[str, Any] = {**specs.operators, OPERATOR: spec}
    return replace(specs, operators=operators)


def test_values_count_by_their_data(bench: Any) -> None:
    """A case counts once for each clause and direction that its data reach."""
    case = bench.case("LogitGrad.a.1", [0.5, 0.4, 1.5], [1.0, 1.0, 1.0])
    found = mapped(bench.specs, *reach_each(bench.specs, [case]))
    # The data come from the case's own recipe, uniform in (-1, 1): nothing is outside for sure.
    assert found["formula"].positive + found["formula"].negative >= 1
    made = ReachedCase(case, Reach(frozenset({"formula"}), frozenset({"eps-one"})))
    found = mapped(bench.specs, made, made)
    assert (found["formula"].positive, found["formula"].negative) == (2, 0)
    assert (found["eps-one"].positive, found["eps-one"].negative) == (0, 2)
    assert found["formula"].gaps == {"negative": (PRODUCT,)}
    assert found["formula"].state == "uncovered"


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
    found = mapped(specs, *reach_each(specs, [case]))["eps-negative-outside"]
    assert found.positive == 0
    assert "positive" in found.gaps
    assert exit_code([found]) is ExitCode.BROKEN_PROMISE


def test_errors_count_refusals_and_their_twins(bench: Any) -> None:
    """Negative are the refused calls, positive their twins, as far as they are planned."""
    twin = bench.case("twin", [0.5], [1.0])
    refusals = [bench.refusal("one"), bench.refusal("two")]
    alone = mapped(bench.specs, *map(ReachedCase, refusals))["dtype-differs"]
    assert (alone.positive, alone.negative) == (0, 2)
    assert alone.gaps == {"positive": (PRODUCT,)}
    both = mapped(bench.specs, *map(ReachedCase, [twin, *refusals]))["dtype-differs"]
    assert (both.positive, both.negative, both.state) == (1, 2, "covered")


def test_requirements_count_by_the_calls(bench: Any) -> None:
    """Working calls hold a requirement, refused ones list it if their data violate it."""
    kept = bench.case("kept", [0.5], [1.0])
    broken = replace(bench.refusal("broken"), clauses=("dtype-differs", "x-dtype"))
    found = mapped(bench.specs, ReachedCase(kept), ReachedCase(broken))
    assert (found["x-dtype"].positive, found["x-dtype"].negative) == (1, 1)
    assert found["x-dtype"].state == "covered"
    assert found["x-rank"].gaps == {"positive": (PRODUCT,), "negative": (PRODUCT,)}


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
        "no positive case: contradicts eps-outside wherever it applies (7 elements in 1 cases): "
        "either outcome is accepted",
    )
    applied = replace(reach, applied={"eps-one": 8})
    assert mapped(bench.specs, ReachedCase(case, applied))["eps-one"].state == "uncovered"


def test_products_without_inf_and_nan(bench: Any) -> None:
    """A clause about Inf or NaN is not held against a product that has neither; it says so."""
    products = dict.fromkeys(bench.specs.products, "supported")
    specs = changed(bench.specs, products=products)
    found = mapped(specs, product="atlas-training")["eps-nan"]
    assert found.state == "covered"
    assert "neither Inf nor NaN" in found.reasons[0]


def test_stated_reasons_and_stale_ones(bench: Any) -> None:
    """A reason closes a gap; where cases exist on every product all the same, it is stale."""
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
    both = {c.promise.clause: c for c in cover(specs, [OPERATOR], reached)}  # type: ignore[arg-type]
    assert both["formula"].state == "covered"


def test_json(bench: Any) -> None:
    """Each clause has an entry with its counts; a reason is text or null."""
    case = ReachedCase(bench.case("LogitGrad.a.1", [0.5], [1.0]))
    entries = coverage_json(cover(bench.specs, [OPERATOR], {PRODUCT: (case,)}))["clauses"]
    assert {"operator", "clause", "positive", "negative", "reason"} <= entries[0].keys()
    assert {type(entry["reason"]) for entry in entries} == {str, type(None)}
    assert len({entry["clause"] for entry in entries}) == len(entries)
