# SPDX-License-Identifier: Apache-2.0
"""Inf, NaN, 0 and what nothing is promised of: every standard allows the same classes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judge.comparing import INF, NAN, ULP16, expectation, held, kept

from aclnn_cts.golden.expected import Outcome
from aclnn_cts.judge.standards import STANDARDS


@pytest.mark.parametrize("wrong", [INF, -INF, NAN])
def test_a_value_that_is_not_finite_breaks_every_standard(wrong: float) -> None:
    """One Inf or NaN among 1000 elements where a number is promised is no matter of ratios."""
    actual = [1.0] * 999 + [wrong]
    found = held(actual, expectation([1.0] * 1000, tolerance=1.0))
    assert kept(found) == dict.fromkeys(STANDARDS, False)
    assert found.figures["strict"].first_failing == 999
    assert found.figures["strict"].max_abs_error == INF


@pytest.mark.parametrize(
    ("allowed", "got", "passes"),
    [
        (Outcome.POS_INF, INF, True),
        (Outcome.POS_INF, -INF, False),
        (Outcome.NEG_INF, -INF, True),
        (Outcome.INF, -INF, True),
        (Outcome.INF, NAN, False),
        (Outcome.INF, 65504.0, False),
        (Outcome.NAN, NAN, True),
        (Outcome.NAN, INF, False),
        (Outcome.NAN, 0.0, False),
        (Outcome.NON_FINITE, NAN, True),
        (Outcome.NON_FINITE, 1.0, False),
        (Outcome.ZERO, 0.0, True),
        (Outcome.ZERO, -0.0, True),
        (Outcome.ZERO, 0.5, False),
        (Outcome.ZERO, NAN, False),
        (Outcome.ZERO | Outcome.NAN, NAN, True),
        (Outcome.ZERO | Outcome.NAN, -0.0, True),
        (Outcome.ZERO | Outcome.NAN, 1.0, False),
        (Outcome.VALUE | Outcome.NAN, 1.0, True),
        (Outcome.VALUE | Outcome.NAN, 2.0, False),
        (Outcome.VALUE | Outcome.NAN, NAN, True),
        (Outcome.VALUE | Outcome.NAN, INF, False),
        (Outcome.VALUE | Outcome.ZERO | Outcome.NON_FINITE, NAN, True),
        (Outcome.VALUE | Outcome.ZERO | Outcome.NON_FINITE, 1.0, True),
        (Outcome.VALUE | Outcome.ZERO | Outcome.NON_FINITE, 2.0, False),
        (Outcome.VALUE | Outcome.ZERO, 0.0, True),
        (Outcome.VALUE | Outcome.ZERO, 1.0, True),
        (Outcome.VALUE | Outcome.ZERO, 0.5, False),
        (Outcome.VALUE, NAN, False),
        (Outcome.VALUE, 0.0, False),
    ],
)
def test_classes_under_every_standard(allowed: Outcome, got: float, *, passes: bool) -> None:
    """All standards allow the same classes; a NaN equals nothing but an allowed NaN."""
    for beside in ([1.0], [1.0, 1.0]):  # among ordinary elements, too
        expected = expectation([1.0, *beside], [int(allowed), *[1] * len(beside)])
        assert kept(held([got, *beside], expected)) == dict.fromkeys(STANDARDS, passes)


@given(
    st.integers(1, 30),
    st.sampled_from([1.0, 0.0, -0.0, INF, -INF, NAN, 3.0]),
    st.sampled_from([1.0, 0.0, INF, -INF, NAN]),
)
def test_nan_needs_permission(allowed: int, got: float, value: float) -> None:
    """Whatever is expected, a NaN passes only if NAN is allowed, an Inf only if that Inf is."""
    found = kept(held([got], expectation([value], [allowed], tolerance=1e-3)))
    needed = {INF: Outcome.POS_INF, -INF: Outcome.NEG_INF}.get(got, Outcome(0))
    needed = Outcome.NAN if math.isnan(got) else needed
    if needed:
        assert found == dict.fromkeys(STANDARDS, bool(allowed & needed))
    elif not allowed & (Outcome.VALUE | Outcome.ZERO):
        assert found == dict.fromkeys(STANDARDS, False)


def test_unpromises_are_left_out_and_counted() -> None:
    """Of an element that may be anything nothing is measured, and the count says so."""
    anything = [int(Outcome.ANY)] * 3
    found = held([NAN, INF, 7.0, 1.0], expectation([1.0, NAN, INF, 1.0], [*anything, 1]))
    assert kept(found) == dict.fromkeys(STANDARDS, True)
    assert (found.unpromised, found.settled) == (3, 1)
    assert found.figures["ecosystem"].compared == 1
    assert found.figures["strict"].worst_ulp == 0


def test_allowed_infinities_do_not_dilute_the_mean() -> None:
    """The mean relative error is that of the elements that have one."""
    expected = expectation([INF, 1.0], [int(Outcome.POS_INF), 1])
    figures = held([INF, 1.0 + ULP16], expected).figures["statistical"]
    assert figures.mean_relative_error == pytest.approx(ULP16, rel=1e-6)


@given(st.lists(st.floats(-100, 100, width=16), min_size=1, max_size=20), st.data())
def test_fast_and_general_ways_agree(values: list[float], data: st.DataObject) -> None:
    """An element is judged the same beside ordinary elements and beside an allowed NaN."""
    errors = data.draw(st.lists(st.integers(-3, 3), min_size=len(values), max_size=len(values)))
    allowed = data.draw(
        st.lists(st.sampled_from([1, 2, 3]), min_size=len(values), max_size=len(values))
    )
    actual = [v + e * ULP16 for v, e in zip(values, errors, strict=True)]
    alone = held(actual, expectation(values, allowed, tolerance=ULP16)).figures["strict"]
    with_nan = held(
        [*actual, NAN], expectation([*values, 1.0], [*allowed, 16], tolerance=ULP16)
    ).figures["strict"]
    assert (alone.failing, alone.first_failing) == (with_nan.failing, with_nan.first_failing)
    assert (alone.worst_ulp, alone.max_abs_error) == (with_nan.worst_ulp, with_nan.max_abs_error)
    assert alone.mean_relative_error == pytest.approx(with_nan.mean_relative_error)
