# SPDX-License-Identifier: Apache-2.0
"""What differs between two editions of one operator's document."""

from __future__ import annotations

from typing import Any

import pytest

from aclnn_cts.spec.edition_diff import EditionChange, Facet, changes, specs_differ, values_differ
from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

LOGIT = "aclnnLogitGrad"
OPERATORS = (
    "aclnnDropoutBackward",
    "aclnnGroupNormSwishGrad",
    LOGIT,
    "aclnnMaxPool2dWithMaskBackward",
    "aclnnPreluBackward",
)


@pytest.fixture(scope="module")
def earlier() -> SpecSet:
    """The specs as the earlier pages have them."""
    return load_specs(find_suite(), "earlier")


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_edition_does_not_differ_from_itself(specs: SpecSet, operator: str) -> None:
    """Comparing an edition with itself finds nothing."""
    assert changes(specs.operator(operator), specs.operator(operator)) == ()


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_other_way_round(specs: SpecSet, earlier: SpecSet, operator: str) -> None:
    """What came one way went the other way, and what changed changed back."""
    there = changes(earlier.operator(operator), specs.operator(operator))
    back = changes(specs.operator(operator), earlier.operator(operator))
    turned = {"came": "went", "went": "came", "changed": "changed"}
    assert {(c.topic, turned[c.kind], c.id) for c in there} == {
        (c.topic, c.kind, c.id) for c in back
    }


def test_what_changed_is_told_facet_by_facet(specs: SpecSet) -> None:
    """Condition, outcome, status, text and place of a promise: before and after."""
    spec = specs.operator(LOGIT)
    clause = spec.clauses[0].model_copy(update={"when": parse("x > 0"), "expect": "zero"})
    error = spec.errors[0].model_copy(update={"status": "ACLNN_ERR_PARAM_INVALID"})
    other = spec.model_copy(
        update={"clauses": [clause, *spec.clauses[1:]], "errors": [error, *spec.errors[1:]]}
    )
    found = {change.id: change for change in changes(spec, other)}
    assert found.keys() == {"formula", "null-pointer"}
    when = "(eps < 0 and 0 <= x <= 1) or (eps >= 0 and eps <= x <= 1 - eps)"
    assert found["formula"].facets == (
        Facet("when", when, "x > 0"),
        Facet("expect", "value", "zero"),
    )
    codes = ("ACLNN_ERR_PARAM_NULLPTR", "ACLNN_ERR_PARAM_INVALID")
    assert found["null-pointer"].facets == (Facet("status", *codes),)


def test_topics(specs: SpecSet, earlier: SpecSet) -> None:
    """Products, promises, refusals, determinism and silence are told apart."""
    found = changes(earlier.operator(LOGIT), specs.operator(LOGIT))
    told = {(change.topic, change.kind, change.id) for change in found}
    assert told == {
        ("products", "changed", "ascend-950"),
        ("promises", "came", "out-rank"),
        ("refusals", "changed", "null-pointer"),
        ("refusals", "changed", "dtype-unsupported"),
        ("refusals", "changed", "dtype-differs"),
        ("refusals", "changed", "shape-differs"),
        ("refusals", "changed", "rank-above-eight"),
        ("determinism", "came", "determinism"),
        ("not promised", "went", "repeatability"),
    }
    assert [change.id for change in found if not change.is_clause] == [
        "ascend-950",
        "repeatability",
    ]
    assert all(isinstance(change, EditionChange) for change in found)


def test_a_place_is_no_difference_of_values(specs: SpecSet, earlier: SpecSet) -> None:
    """Only conditions, outcomes and precedence make other results right."""
    for operator in OPERATORS:
        assert not values_differ(specs.operator(operator), earlier.operator(operator))
    spec = specs.operator(LOGIT)
    assert values_differ(spec, spec.model_copy(update={"clauses": spec.clauses[1:]}))


def test_budgets_and_derived_values_are_told(specs: SpecSet) -> None:
    """Allowances, a narrower type of computation and a derived value: before and after."""
    spec = specs.operator(LOGIT)
    [budget] = spec.precision
    other = spec.model_copy(
        update={
            "precision": [budget.model_copy(update={"allowances": budget.allowances[1:]})],
            "computes_in": {"atlas-a2": {"float32": "float16"}},
            "derived": {"half": parse("eps / 2")},
        }
    )
    told = {(change.topic, change.kind, change.id): change for change in changes(spec, other)}
    assert told.keys() == {
        ("precision", "changed", "out"),
        ("precision", "came", "atlas-a2"),
        ("derived", "came", "half"),
    }
    [facet] = told["precision", "changed", "out"].facets
    assert facet.name == "allowances"
    assert budget.allowances[0] in facet.before
    assert budget.allowances[0] not in facet.after
    assert told["precision", "came", "atlas-a2"].text == "computes float32 in float16"


@pytest.mark.parametrize(
    "update",
    [
        {"derived": {"half": parse("eps / 2")}},
        {"computes_in": {"atlas-a2": {"float32": "float16"}}},
        {"golden": "glu_backward"},
        {"precision": []},
    ],
)
def test_what_outcomes_follow_from(specs: SpecSet, update: dict[str, Any]) -> None:
    """Other values, another type or another formula can make other results right."""
    spec = specs.operator(LOGIT)
    other = spec.model_copy(update=update)
    assert values_differ(spec, other)
    assert specs_differ(spec, other)
    assert not specs_differ(spec, spec.model_copy(update={"editions": {}}))
