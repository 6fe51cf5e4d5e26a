# SPDX-License-Identifier: Apache-2.0
"""Faults made of formulas: one for each place, and none that is right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.plan.cases import Case
from aclnn_cts.qualify.formula_edits import Formula, edits_of, is_equivalent
from aclnn_cts.spec.expression import parse_formula
from aclnn_cts.spec.loading import SpecSet

Plan = Callable[..., tuple[Case, ...]]


def formula(**terms: str) -> Formula:
    return {name: parse_formula(text) for name, text in terms.items()}


def edited(specs: SpecSet, name: str = "out", **terms: str) -> dict[str, str]:
    """Return the edits of a formula by their names, as the text of the term that they change."""
    spec = specs.operator("aclnnRelu").model_copy(update={"formula": formula(**terms)})
    found = list(edits_of(spec))
    made = {edit.what: edit.formula[name].text for edit in found}
    assert len(made) == len(found)
    return made


def test_each_place_of_a_formula_is_edited(specs: SpecSet) -> None:
    """Kinds are numbered from the outside in; second forms, which no kernel computes, are kept."""
    text = "(x + y) ** 2 if x > 0 else -equal_forms(exp(x), y * 2)"
    assert edited(specs, out=text) == {
        "branch-1": "(x + y) ** 2",
        "branch-2": "-equal_forms(exp(x), y * 2)",
        "bound-1": "(x + y) ** 2 if x >= 0 else -equal_forms(exp(x), y * 2)",
        "constant-1": "(x + y) ** 2 if x > 0.125 else -equal_forms(exp(x), y * 2)",
        "power-1": "x + y if x > 0 else -equal_forms(exp(x), y * 2)",
        "operator-1": "(x - y) ** 2 if x > 0 else -equal_forms(exp(x), y * 2)",
        "operand-1": "x ** 2 if x > 0 else -equal_forms(exp(x), y * 2)",
        "sign-1": "(x + y) ** 2 if x > 0 else equal_forms(exp(x), y * 2)",
        "function-1": "(x + y) ** 2 if x > 0 else -equal_forms(x, y * 2)",
    }


@pytest.mark.parametrize(
    ("text", "kind", "wrong"),
    [
        ("x * 8", "constant-1", "x * 9.0"),
        ("x * -8", "constant-1", "x * -9.0"),
        ("x / y", "operator-1", "x * y"),
        ("x if y <= 1 else y", "bound-1", "x if y < 1 else y"),
        ("x if y == 1 else y", "bound-1", "x if y != 1 else y"),
        ("x if x > y and y > 1 else y", "condition-1", "x if x > y or y > 1 else y"),
        ("x if not y > 1 else y", "sign-1", "x if y > 1 else y"),
        ("max(x, y)", "function-1", "x"),
        ("reduce(x - y, reduction)", "operator-1", "reduce(x + y, reduction)"),
    ],
)
def test_edits_by_kind(specs: SpecSet, text: str, kind: str, wrong: str) -> None:
    """An operator becomes its like, a constant is an eighth off."""
    assert edited(specs, out=text)[kind] == wrong


def test_an_edit_says_what_stands_where(specs: SpecSet) -> None:
    """With the name of the term; numbers go on from one term to the next."""
    terms = formula(z="x * 2", out="z + 1")
    found = list(edits_of(specs.operator("aclnnRelu").model_copy(update={"formula": terms})))
    assert [edit.what for edit in found] == [
        *("operator-1", "operand-1", "constant-1", "operator-2", "operand-2", "constant-2")
    ]
    assert found[0].fault == "z is computed as `x / 2`."
    assert found[3].fault == "out is computed as `z - 1`."
    assert (found[0].formula["out"], found[3].formula["z"]) == (terms["out"], terms["z"])


@pytest.mark.parametrize("text", ["x * sqrt(1 - 0.9)", "x * (2 * 0)"])
def test_an_edit_without_a_value_is_not_made(specs: SpecSet, text: str) -> None:
    """It is no formula; the others are made all the same."""
    assert edited(specs, out=text)["operand-1"] == "x"


def test_no_edit_is_the_formula_itself(specs: SpecSet) -> None:
    """A device with it would be right, and named as a fault."""
    same = [
        f"{spec.operator}.{edit.what}"
        for spec in specs.tested_operators
        for edit in edits_of(spec)
        if dict(edit.formula) == dict(spec.formula)
    ]
    assert same == []


@pytest.mark.parametrize(
    ("operator", "out", "equivalent"),
    [
        ("aclnnRelu", "self if self >= 0 else 0", True),
        ("aclnnRelu", "self if self > 0.125 else 0", False),
        ("aclnnRelu", "self if self < 0 else 0", False),
        ("aclnnSilu", "self / (1 + exp(-self))", True),
        ("aclnnSilu", "self / (1.125 + exp(-self))", False),
        ("aclnnSilu", "self / (1 + exp(self))", False),
    ],
)
def test_an_edit_that_changes_no_result_is_told_from_a_fault(
    specs: SpecSet, planned: Plan, operator: str, out: str, *, equivalent: bool
) -> None:
    """By what the page allows in random calls, of which some have elements at each constant."""
    cases = planned("atlas-a2", "smoke", operator)
    assert is_equivalent(specs, formula(out=out), cases) is equivalent


def test_an_edit_counts_with_each_value_of_an_attribute(specs: SpecSet, planned: Plan) -> None:
    """A branch that few calls take is no less a promise: only their results show this edit."""
    spec = specs.operator("aclnnEluBackward")
    (edit,) = (each for each in edits_of(spec) if each.what == "operand-1")
    assert edit.fault.startswith("below is computed as `inputScale if isResult else")
    assert not is_equivalent(specs, edit.formula, planned("atlas-a2", "smoke", spec.operator))


def test_without_a_call_nothing_is_known_of_an_edit(specs: SpecSet, planned: Plan) -> None:
    """A survivor stays one: refused calls have no results that could be equal."""
    cases = planned("atlas-a2", "smoke", "aclnnRelu")
    refused = [case for case in cases if not case.expects_success]
    assert refused
    assert not is_equivalent(specs, formula(out="self if self < 0 else 0"), refused)
