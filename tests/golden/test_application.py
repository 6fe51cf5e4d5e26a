# SPDX-License-Identifier: Apache-2.0
"""Value clauses applied to elements: overrides, common parts, and what a rounding decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aclnn_cts.golden.arithmetic import Arithmetic
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.tolerances import ClauseSet, expectation_of
from aclnn_cts.spec.clause_models import ValueClause
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.evaluation import Interval, Scope
from aclnn_cts.spec.expression import parse

FLOAT32 = FloatFormat(fraction_bits=23, min_exponent=-126, max_exponent=127)

WIDE = Interval(1.0, 2.0, FLOAT32)
"""A threshold that rounding may have put anywhere from 1 to 2."""


def clause(name: str, when: str, expect: str, *overrides: str) -> ValueClause:
    where = {"section": "function", "item": "formula"}
    content: dict[str, Any] = {"id": name, "text": "A sentence.", "where": where}
    content |= {"when": when, "expect": expect, "overrides": list(overrides)}
    return ValueClause.model_validate(content)


def applied(x: list[float], *clauses: ValueClause, **scalars: Any) -> Expected:
    """Return what clauses say of elements whose value is an ordinary number."""
    into = Expected.blank((len(x),))
    scope = Scope({"x": np.array(x), **scalars})
    ones = Arithmetic(FLOAT32, FLOAT32).exact(np.ones(len(x)))
    into.put(..., expectation_of(ones, ClauseSet(dict(enumerate(clauses))), scope, FLOAT32, 0.0))
    return into


def test_a_silence_wins_over_clauses() -> None:
    """The judge accepts everything where nothing is promised, whatever clauses say there."""
    into = Expected.blank((3,))
    scope = Scope({"x": np.array([-1.0, 1.0, 3.0])})
    ones = Arithmetic(FLOAT32, FLOAT32).exact(np.ones(3))
    rule = clause("the-rule", "x > 0", "value")
    clauses = ClauseSet({0: rule}, silences=[parse("x > 2")])
    into.put(..., expectation_of(ones, clauses, scope, FLOAT32, 0.0))
    assert outcomes(into) == [Outcome.ANY, Outcome.VALUE, Outcome.ANY]


def outcomes(expected: Expected) -> list[Outcome]:
    return [Outcome(int(bits)) for bits in expected.allowed]


def test_an_override_takes_only_its_own_elements() -> None:
    """A clause still needs its own condition where the one that overrides it does not apply."""
    rule = clause("the-rule", "x > 0", "value")
    exception = clause("the-exception", "x > 2", "zero", "the-rule")
    found = applied([-1.0, 1.0, 3.0], rule, exception)
    assert outcomes(found) == [Outcome.ANY, Outcome.VALUE, Outcome.ZERO]
    assert found.reached.tolist() == [0b00, 0b01, 0b10]
    assert not found.contested.any()
    assert not found.undecided.any()


def test_several_overrides_add_up() -> None:
    """Each of two exceptions takes its elements from the rule."""
    rule = clause("the-rule", "x > 0", "value")
    first = clause("first-exception", "x > 2", "zero", "the-rule")
    second = clause("second-exception", "x < 1", "nan", "the-rule")
    found = applied([-1.0, 0.5, 1.5, 3.0], rule, first, second)
    assert outcomes(found) == [Outcome.NAN, Outcome.NAN, Outcome.VALUE, Outcome.ZERO]
    assert found.reached.tolist() == [0b100, 0b100, 0b001, 0b010]


@pytest.mark.parametrize("turned", [False, True])
def test_a_rounding_decides_between_two_clauses(*, turned: bool) -> None:
    """Around a rounded threshold either reading is right; it is not a contradiction."""
    clauses = [clause("below-it", "x <= t", "nan"), clause("above-it", "x > t", "non-finite")]
    if turned:
        clauses.reverse()
    found = applied([0.5, 1.5, 2.5], *clauses, t=WIDE)
    assert outcomes(found) == [Outcome.NAN, Outcome.NON_FINITE, Outcome.NON_FINITE]
    assert found.undecided.tolist() == [False, True, False]
    assert not found.contested.any()
    assert found.reached[1] == 0b11


def test_a_rounding_in_any_clause_is_told() -> None:
    """The elements of all clauses that a rounding decides are marked, not those of the last one."""
    found = applied(
        [1.5, 4.5, 9.0],
        clause("first-threshold", "x > t", "value"),
        clause("second-threshold", "x > u", "value"),
        clause("always-said", "x > 0", "value"),
        t=WIDE,
        u=Interval(4.0, 5.0, FLOAT32),
    )
    assert found.undecided.tolist() == [True, True, False]
    assert outcomes(found) == [Outcome.VALUE] * 3
