# SPDX-License-Identifier: Apache-2.0
"""Formulas that specs state as expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aclnn_cts.golden.arithmetic import FLOAT64, STORED, Arithmetic
from aclnn_cts.golden.expressions import intermediate_results, module_of
from aclnn_cts.golden.formula import Result, has_sums
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import parse_formula
from aclnn_cts.spec.models import FormulaText

FLOAT32, FLOAT16 = DATA_TYPES["float32"].grid, DATA_TYPES["float16"].grid
IN_FLOAT32 = Arithmetic(FLOAT32, FLOAT16, allowed={"float32-or-wider"})
IN_EITHER = replace(IN_FLOAT32, allowed={STORED})
X = np.array([0.3, 1.7, 2.5])


def formula_of(*terms: tuple[str, str], scalars: frozenset[str] = frozenset()) -> FormulaText:
    parsed = tuple((name, parse_formula(text)) for name, text in terms)
    reads = frozenset(name for _, expression in parsed for name in expression.names)
    return FormulaText("aclnnThing.yaml", parsed, frozenset({"out"}), scalars, reads)


def result_of(
    *terms: tuple[str, str],
    on: Arithmetic = FLOAT64,
    scalars: Mapping[str, float] | None = None,
    **attributes: Any,
) -> Result:
    formula = formula_of(*terms, scalars=frozenset(scalars or {}))
    with np.errstate(all="ignore"):
        found = module_of(formula).evaluate({"x": X}, {**attributes, **(scalars or {})}, on)
    result: Result = found["out"]
    return result


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x / (1 + exp(-x))", X / (1 + np.exp(-X))),
        ("2 * x ** 3 - x", 2 * X**3 - X),
        ("sqrt(2 / pi) * x", np.sqrt(2 / np.pi) * X),
        ("x if 1 < x <= 2 else -1 if not x > 1 else 0", [-1, 1.7, 0]),
        ("max(min(x, 2), 1)", [1, 1.7, 2]),
        ("with_sign(x, 1 - x)", [0.3, -1.7, -2.5]),
        ("expm1(x) * softplus(x)", np.expm1(X) * np.log1p(np.exp(X))),
        ("softplus_slope(x)", 1 / (1 + np.exp(-X))),
        ("equal_forms(x + 1, 7)", X + 1),
        ("x if isfinite(x) and x != 1.7 else nan", [0.3, np.nan, 2.5]),
    ],
)
def test_values(text: str, values: Any) -> None:
    """An expression has the meaning of its text."""
    np.testing.assert_allclose(result_of(("out", text)).value, values, rtol=1e-14)


def test_an_intermediate_result_may_be_kept_in_the_tensors_type() -> None:
    """Each operation but the last one may be rounded to the storage type, named or not."""
    once = result_of(("out", "x * x"), on=IN_EITHER).error / X**2
    assert once.max() < 1e-6
    for terms in ([("out", "(x * x) * x")], [("square", "x * x"), ("out", "square * x")]):
        for on, most in ((IN_EITHER, 1.1 * 2.0**-11), (IN_FLOAT32, 1e-6)):
            error = result_of(*terms, on=on).error / X**3
            assert error.max() < most
            assert (on is IN_FLOAT32) == (error.min() < 2.0**-12)


def test_unstored_results_stay_in_the_computing_type() -> None:
    """Neither what a term computes nor its result is kept in the storage type."""
    assert result_of(("out", "unstored(x * x * x) + 1"), on=IN_EITHER).error.max() < 1e-5
    assert result_of(("out", "x * x * x + 1"), on=IN_EITHER).error.max() > 1e-3


def test_a_branch_that_is_no_result_is_not_rounded() -> None:
    """An input has the storage type already; a constant that it lacks may be rounded to it."""
    error = result_of(("y", "x if x > 1 else x * x"), ("out", "y + 0"), on=IN_EITHER).error
    assert error[0] > 1e-5
    assert error[1:].max() < 1e-6
    clipped = result_of(("y", "0.1 if x < 1 else x"), ("out", "y + 0"), on=IN_EITHER).error
    assert clipped[0] > 0.2 * 2.0**-14
    assert clipped[1:].max() < 1e-6


def test_attributes_choose_and_are_factors() -> None:
    """A mode decides for all elements; the error of a real attribute is shared by all of them."""
    terms = ("out", "beta * x if mode == 1 else x")
    scalars = replace(IN_EITHER, allowed={"scalars-in-own-type"})
    scaled = result_of(terms, on=scalars, scalars={"beta": 0.1}, mode=1)
    assert 0 < scaled.shared < 2.0**-10
    plain = result_of(terms, on=scalars, scalars={"beta": 0.1}, mode=0)
    assert plain.value.tolist() == X.tolist()
    assert not plain.error.any()


def test_near_a_tie_a_device_may_take_either_side() -> None:
    """The larger of two terms has the errors of both where they may change places."""
    result = result_of(("out", "max(x * x, 2.890625)"), on=IN_EITHER)
    assert result.error[0] == 0
    assert result.error[1] > 1e-4


def test_losses_are_reduced() -> None:
    """A formula that reduces is evaluated as sums."""
    assert has_sums(module_of(formula_of(("out", "reduce(x * x, reduction)"))))
    assert not has_sums(module_of(formula_of(("out", "x * x"))))


def test_intermediate_results_at_one_element() -> None:
    """They are shown beside a wrong element, as far as the inputs there determine them."""
    formula = formula_of(("s", "sigmoid(x)"), ("t", "s * y"), ("out", "s * x + t"))
    found = intermediate_results(formula, {"x": 1.5}, {})
    assert found == {"s": pytest.approx(1 / (1 + np.exp(-1.5)))}
