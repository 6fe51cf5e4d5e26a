# SPDX-License-Identifier: Apache-2.0
"""Evidence for clauses: only where a device that broke or overdid one would be caught."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.whole_calls import evaluate

from aclnn_cts.golden.expected import STATED, Expected, Outcome
from aclnn_cts.golden.reach import (
    Reach,
    join,
    negative_elements,
    positive_elements,
    reach_of_output,
)
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.clause_models import ValueClause, Where
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

WHERE = Where(section="function", item="formula")
V, Z, N, INF, P = Outcome.VALUE, Outcome.ZERO, Outcome.NAN, Outcome.INF, Outcome.POS_INF


def clause(name: str, expect: str) -> ValueClause:
    return ValueClause.model_validate(
        {"id": name, "text": "a hand-made promise", "where": WHERE, "expect": expect}
    )


def element(allowed: int, reached: int = 1, **facts: Any) -> Expected:
    """Return the expectation of one element; an ordinary value if nothing else is said."""
    expected = Expected.blank((1,))
    given_facts = {"value": 2.0, "tolerance": 1e-6, "contested": False, "undecided": False, **facts}
    given_facts.setdefault("formula", int(V))
    for name, value in {**given_facts, "allowed": allowed, "reached": reached}.items():
        getattr(expected, name)[...] = value
    return expected


def reached(expected: Expected, *expects: str) -> Reach:
    clauses = [clause(f"{expect}-{k}", expect) for k, expect in enumerate(expects)]
    return reach_of_output(expected, clauses, frozenset(range(len(clauses))))


@pytest.mark.parametrize(
    ("expect", "allowed", "facts", "held"),
    [
        ("value", V, {}, True),
        ("value", V, {"tolerance": 2.0}, False),
        ("value", V | Z, {}, False),
        ("value", V | Z, {"value": 0.0, "formula": int(V | Z)}, False),
        ("value", P, {"value": math.inf, "formula": int(P)}, True),
        ("value", N, {"value": math.nan, "formula": int(N)}, True),
        ("value", Z, {"value": 0.0, "formula": int(V | Z)}, False),
        ("value", Outcome.ANY, {"formula": int(Outcome.ANY)}, False),
        ("zero", Z, {}, True),
        ("zero", V | Z, {}, False),
        ("zero", V, {}, False),
        ("nan", N, {}, True),
        ("nan", Outcome.NON_FINITE, {}, False),
        ("inf", INF, {}, True),
        ("inf", P, {}, True),
        ("non-finite", N, {}, True),
        ("non-finite", Outcome.ANY, {}, False),
        ("any", Outcome.ANY, {}, True),
    ],
)
def test_positive(expect: str, allowed: int, facts: dict[str, Any], held: bool) -> None:  # noqa: FBT001
    """A clause that applies is tested if what is allowed lies within its outcome, and decides."""
    expected = element(allowed, **facts)
    assert bool(reached(expected, expect).positive) is held
    for doubt in ("contested", "undecided"):
        assert not reached(element(allowed, **facts, **{doubt: True}), expect).positive
    assert not reached(element(allowed, reached=0, **facts), expect).positive


@pytest.mark.parametrize(
    ("expect", "allowed", "facts", "caught"),
    [
        ("zero", V, {}, True),
        ("zero", V, {"tolerance": 2.0}, False),
        ("zero", N, {}, True),
        ("zero", V | Z, {}, False),
        ("nan", V, {}, True),
        ("nan", Outcome.NON_FINITE, {}, False),
        ("inf", P, {}, False),
        ("inf", N, {}, True),
        ("non-finite", Z, {}, True),
        ("value", V, {}, False),
        ("value", Z, {}, True),
        ("value", Z, {"value": 1e-9}, False),
        ("value", N, {}, True),
        ("value", P, {"formula": int(V | P)}, False),
        ("any", V, {}, True),
        ("any", Outcome.ANY, {}, False),
        ("zero", Outcome.ANY, {}, False),
    ],
)
def test_negative(expect: str, allowed: int, facts: dict[str, Any], caught: bool) -> None:  # noqa: FBT001
    """Outside a clause, its outcome must not be allowed."""
    expected = element(allowed, reached=0, **facts)
    assert bool(reached(expected, expect).negative) is caught
    assert not reached(element(allowed, reached=1, **facts), expect).negative
    contested = element(allowed, reached=0, **facts, contested=True)
    assert not reached(contested, expect).negative


def test_elements_that_two_clauses_reach() -> None:
    """Those whose bits are both set; the clauses of a spec have numbers up to 63."""
    expected = Expected.blank((5,))
    expected.reached[...] = [0b01, 0b11, 0b111, 0b10, 1 << 63 | 1]
    assert expected.reach_of(0, 1).tolist() == [False, True, True, False, False]
    assert expected.reach_of(63, 0).tolist() == [False] * 4 + [True]


def test_contradictions_are_counted_apart() -> None:
    """A contested element is evidence for neither clause, and names the two that clash."""
    found = reached(element(Z | INF, reached=0b11, contested=True), "zero", "inf")
    assert not found.positive
    assert found.contested == {"zero-0": 1, "inf-1": 1}
    assert found.clashes == {("zero-0", "inf-1"): 1}
    twice = join([found, found])
    assert twice.clashes == {("zero-0", "inf-1"): 2}
    assert twice.applied == {"zero-0": 2, "inf-1": 2}


def test_a_clause_that_speaks_of_another_output_is_left_out() -> None:
    """Neither evidence nor its absence follows from an output that it does not speak of."""
    assert reach_of_output(element(V), [clause("other", "zero")], frozenset()) == Reach()


SPECS = load_specs(find_suite())
LOGIT = SPECS.operator("aclnnLogitGrad").clauses
DATA = st.sampled_from(
    [0.0, 1.0, 0.5, 0.1, 0.25, 0.9, 0.75, -0.5, 1.5, 1e-30, math.inf, -math.inf, math.nan, 3e38]
)
EPS = st.sampled_from([-1.0, 0.0, 0.1, 0.25, 0.5, 0.7, 1.0, 2.0, math.inf, -math.inf, math.nan])
OF = {
    "zero": [0.0],
    "nan": [math.nan],
    "inf": [math.inf, -math.inf],
    "non-finite": [math.inf, -math.inf, math.nan],
}


def breaking(clause: ValueClause) -> Sequence[float]:
    """Return what a device may return that does not keep the clause."""
    every = [0.0, 1.25, math.inf, -math.inf, math.nan]
    if clause.expect != "value":
        return [
            each
            for each in every
            if not any(np.array_equal(each, o, equal_nan=True) for o in OF[clause.expect])
        ]
    return [0.0]


def overdoing(clause: ValueClause, expected: Expected) -> Sequence[float]:
    """Return what a device may return that applies the clause where it should not.

    Which case of the formula a device confuses with another is not known: some number other than
    what is promised there.
    """
    if clause.expect != "value":
        return OF[clause.expect]
    return [1.25] if expected.allowed[0] & np.uint8(Outcome.ZERO) else [0.0]


def rejected(result: float, expected: Expected) -> bool:
    actual = np.array([result], np.float32)
    yardstick = yardstick_of("float32", SPECS.precision)
    return not compare("out", actual, expected, yardstick).figures["strict"].passed


@settings(max_examples=300)
@given(x=DATA, dy=DATA, eps=EPS, product=st.sampled_from(["atlas-a2", "atlas-training"]))
def test_evidence_is_where_the_judge_rejects(x: float, dy: float, eps: float, product: str) -> None:
    """A device that breaks, or overdoes, a clause at an element that counts does not pass."""
    inputs = {"x": np.array([x], np.float32), "dy": np.array([dy], np.float32)}
    expected = evaluate(SPECS, "aclnnLogitGrad", inputs, {"eps": eps}, product)["out"]
    for number, each in enumerate(LOGIT):
        applies = expected.reach_of(number)
        if positive_elements(expected, each, applies)[0]:
            assert all(rejected(result, expected) for result in breaking(each))
        if negative_elements(expected, each, applies)[0]:
            assert all(rejected(result, expected) for result in overdoing(each, expected))


def test_an_overridden_clause_is_tested_outside() -> None:
    """Where an exception takes a clause's place, the device is caught following the clause."""
    inputs = {"x": np.array([0.5], np.float32), "dy": np.array([1.0], np.float32)}
    expected = evaluate(SPECS, "aclnnLogitGrad", inputs, {"eps": math.inf}, "atlas-a2")["out"]
    found = reach_of_output(expected, LOGIT, frozenset(range(len(LOGIT))))
    assert "eps-inf" in found.positive
    assert "eps-above-one" in found.negative
    assert STATED["zero"] == expected.allowed[0]
