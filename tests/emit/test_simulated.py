# SPDX-License-Identifier: Apache-2.0
"""Generated checks of simulated operators: their conditions, and the statuses that they give."""

from __future__ import annotations

import ast

import pytest

from aclnn_cts.emit.simulated import _condition, is_generated, simulated_text
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("divMode == (axis == 1)", "divMode == (axis == 1)"),
        (
            "given(x2) == (axis == 1 or divMode)",
            "(x2.tensor != nullptr) == ((axis == 1) || (divMode))",
        ),
        ("axis + 1 == 2", "(axis + 1) == 2"),
        ("0 < axis < 2", "0 < axis && axis < 2"),
    ],
)
def test_compared_conditions_keep_together(specs: SpecSet, condition: str, expected: str) -> None:
    """C++ compares from the left, and Python does not."""
    spec = specs.operator("aclnnAddRmsNormQuant")
    assert _condition(spec, ast.parse(condition, mode="eval").body) == expected


def test_a_rule_gives_the_status_of_the_clause_that_says_no_more(specs: SpecSet) -> None:
    """Of clauses that share as many parameters with a check, the one with the fewest others."""
    text = simulated_text(specs.operator("aclnnGeluQuant"))
    mode, offset = (
        text[: text.index(said)].count("RejectWith(161001")
        for said in ("quantMode is static or dynamic", "inputScaleOptional is given")
    )
    assert mode < offset


def test_a_rule_gives_the_status_of_the_clause_with_its_terms(specs: SpecSet) -> None:
    """Of clauses about the same parameter, the one that computes the same."""
    text = simulated_text(specs.operator("aclnnRepeat"))
    before = text[: text.index('"at most 4 axes are repeated"')]
    assert before.rindex("RejectWith(561103") > before.rindex("no number of repeats is negative")


def test_one_of_several_shapes_gives_the_status_of_a_wrong_shape(specs: SpecSet) -> None:
    """It is a check of a shape, not a rule."""
    text = simulated_text(specs.operator("aclnnGeluQuant"))
    before = text[: text.index("RequireOneShape(inputScaleOptional")]
    assert before.rindex("});") > before.rindex("RejectWith(")


def test_a_product_without_support_gives_the_status_of_its_row(specs: SpecSet) -> None:
    """As every other check does."""
    text = simulated_text(specs.operator("aclnnGeluQuant"))
    before = text[: text.index("RequireProduct(")]
    assert before.endswith("RejectWith(361001, [&] {\n")


def test_parameters_with_statuses_of_their_own_are_checked_apart(specs: SpecSet) -> None:
    """Though their rows give them the same ranks."""
    text = simulated_text(specs.operator("aclnnRmsNormQuantV3"))
    usual, other = (
        text.index("RequireRank({scale}, 1, 1)"),
        text.index("RequireRank({offsetOptional}, 1, 1)"),
    )
    assert text.rindex("RejectWith(", 0, other) > usual


def test_an_absent_array_has_the_numbers_that_it_stands_for(specs: SpecSet) -> None:
    """A check reads them where the pointer is null."""
    text = simulated_text(specs.operator("aclnnAddRmsNormDynamicQuantV2"))
    assert "Length(Numbers(outputMaskOptional, {})) == 2" in text
    assert "RequireNotNull({x1, x2, gamma, y1Out, y2Out, xOut, scale1Out, scale2Out})" in text


def test_a_choice_of_shapes_may_spread(specs: SpecSet) -> None:
    """The extents are then those of another tensor's axes, and of those beside them."""
    text = simulated_text(specs.operator("aclnnAddRmsNormDynamicQuant"))
    rows = "Shape(x1->shape.begin(), x1->shape.end() - 1)"
    assert f"RequireShape(scale1Out, {rows})" in text
    assert f"RequireShape(y1Out, Joined({rows}, {{Extent(x1, -1)}}))" in text


def test_each_tested_operator_is_simulated(specs: SpecSet) -> None:
    """A kernel under another name would leave an operator out of the device without a word."""
    suite = find_suite()
    assert [
        spec.operator
        for spec in specs.tested_operators
        if not is_generated(spec, suite)
        and not (suite.simulator / "operators" / f"{spec.kernel}.cpp").is_file()
    ] == []
