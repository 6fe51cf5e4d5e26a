# SPDX-License-Identifier: Apache-2.0
"""What a judgement could find is found by judging: the figures agree with what is rejected."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden import expected as expectations
from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.resolution import Resolution, resolve
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.model_files import read_model
from aclnn_cts.spec.models import PrecisionStandards
from aclnn_cts.suite import find_suite

PRECISION, _ = read_model(find_suite().specs / "precision.yaml", PrecisionStandards)
YARDSTICK = yardstick_of("float32", PRECISION)
VALUE, ZERO, NAN, ANY = Outcome.VALUE, Outcome.ZERO, Outcome.NAN, Outcome.ANY
INF = Outcome.INF
NOTHING = Resolution()


SINGLE = FloatFormat(23, -126, 127)


def expectation(value: object, allowed: object = VALUE, tolerance: object = 0.25) -> Expected:
    values = np.array(value, np.float64)
    expected = Expected.blank(values.shape)
    expected.value[...] = values
    expected.own[...] = 0.0
    expected.allowed[...] = np.array(allowed, np.uint8)
    expected.tolerance[...] = np.array(tolerance)
    expected.reached[...] = 1
    expected.contested[...] = expected.undecided[...] = False
    return expected


def rejects(expected: Expected, actual: FloatArray) -> bool:
    return not compare("out", actual, expected, YARDSTICK).figures["strict"].passed


def found(expected: Expected) -> Resolution:
    return resolve(expected, YARDSTICK.floating)


@given(
    st.lists(st.floats(1e-3, 1e3).map(np.float32).map(float), min_size=1, max_size=6),
    st.floats(0.5, 1e4),
)
def test_the_resolving_power_is_what_the_judge_rejects(values: list[float], ulps: float) -> None:
    """Just above it one element's error is rejected; at it, no element's is."""
    expected = expectation(values)
    ulp = ulp_at(expected.value, YARDSTICK.floating)
    expected.tolerance[...] = ulp * ulps * np.arange(1, len(values) + 1)
    power = found(expected).ulps
    assert power == pytest.approx(ulps)
    for at in range(len(values)):
        errors = np.zeros(len(values))
        errors[at] = power * ulp[at] * (1 - 1e-3)
        assert not rejects(expected, expected.value + errors)
    errors = np.zeros(len(values))
    errors[0] = power * ulp[0] * (1 + 1e-3)
    assert rejects(expected, expected.value + errors)


@pytest.mark.parametrize(
    ("value", "allowed", "counted"),
    [
        (1.0, VALUE, Resolution(by_value=1, decisive=1, ulps=0.25 * 2**23)),
        (0.25, VALUE, Resolution(by_value=1, ulps=2.0**23)),  # an error as large as the value
        (1.0, VALUE | ZERO, Resolution(by_value=1, ulps=0.25 * 2**23)),  # 0 is allowed besides
        (0.0, VALUE | ZERO, Resolution(plain_zeros=1)),
        (1.0, ZERO, Resolution(by_class=1, decisive=1)),
        (math.nan, NAN, Resolution(by_class=1, decisive=1)),
        (1.0, ANY, NOTHING),
    ],
)
def test_kinds_of_elements(value: float, allowed: Outcome, counted: Resolution) -> None:
    """Judged by value, by class, 0 by the formula alone, or not at all."""
    assert found(expectation([value], allowed)) == counted


@given(
    st.lists(st.sampled_from([0.0, 1.0, 1.2, 2.0]), min_size=6, max_size=6),
    st.lists(st.sampled_from([VALUE, ZERO, NAN]), min_size=6, max_size=6),
)
def test_outputs_that_hide_swaps(values: list[float], allowed: list[Outcome]) -> None:
    """Along no axis a swap of two neighbours is rejected, wherever a value takes part."""
    expected = expectation(np.reshape(values, (2, 3)), np.reshape(allowed, (2, 3)))
    expected.tolerance[...] = np.linspace(0.1, 0.5, 6).reshape(2, 3)
    ideal = np.where(expected.allowed == ZERO, 0.0, expected.value)
    ideal[expected.allowed == NAN] = np.nan
    hiding = []
    for axis in (0, 1):
        judged = told = False
        for at in np.ndindex(2, 3):
            neighbour = tuple(place + (number == axis) for number, place in enumerate(at))
            if neighbour[axis] >= expected.value.shape[axis]:
                continue
            pair = (at, neighbour)
            if not any(expected.allowed[p] == VALUE and expected.value[p] for p in pair):
                continue
            swapped = ideal.copy()
            swapped[at], swapped[neighbour] = ideal[neighbour], ideal[at]
            judged, told = True, told | rejects(expected, swapped)
        hiding.append(judged and not told)
    assert found(expected).hides_swaps == all(hiding)


def test_a_difference_far_behind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are looked at block by block; the last one counts as the first."""
    monkeypatch.setattr(expectations, "BLOCK", 64)
    values = np.ones((5, 700))
    assert found(expectation(values)).hides_swaps
    values[-1, -1] = 2.0
    assert not found(expectation(values)).hides_swaps
    rows = np.ones((5, 700)) * np.arange(1, 6)[:, None]
    assert not found(expectation(rows)).hides_swaps


def test_figures_add_up() -> None:
    """Counts add, the sharper power counts, and one output that hides swaps is enough."""
    first = Resolution(1, 2, 3, 4, 5.0)
    second = Resolution(1, 1, 1, 1, 0.5, hides_swaps=True)
    assert first + second == second + first == Resolution(2, 3, 4, 5, 0.5, hides_swaps=True)
    assert first + NOTHING == first
    assert NOTHING.as_json()["ulps"] is None


def test_zeros_over_an_input_are_decisive() -> None:
    """An output that is written over an input cannot pass for zeros if nothing was written."""
    assert Resolution(1, 2, 3, 4).over_input() == Resolution(1, 5, 0, 7)


def test_it_is_told_in_words() -> None:
    """The resolving power, how many elements are judged how, and plain zeros if there are any."""
    assert NOTHING.description() == "no element has a promise"
    assert Resolution(3, 2, 0, 5, 1.25).description() == (
        "rejects an error above 1.25 ulp of one element; 3 elements judged by value, 2 by class"
    )
    assert Resolution(0, 2, 4).description() == (
        "no element is judged by value; "
        "0 elements judged by value, 2 by class; 4 are 0 by the formula alone"
    )
    assert Resolution(0, 0, 1).description().endswith("; 1 are 0 by the formula alone")


def test_the_results_file_has_no_infinity() -> None:
    """JSON knows none: without an element judged by value there is no power."""
    counts = {"by_value": 0, "by_class": 2, "plain_zeros": 4}
    assert Resolution(0, 2, 4).as_json() == {"ulps": None, **counts}
    assert Resolution(1, 2, 4, 3, 0.5).as_json() == {**counts, "by_value": 1, "ulps": 0.5}


@pytest.mark.parametrize(
    ("values", "allowed", "hides"),
    [
        ([1.0, 1.0], [VALUE, NAN], False),  # a number is not a NaN, however near the values are
        ([1.0, 9.0], [VALUE, VALUE | NAN], False),  # 9 is wrong in the place of 1, and so is a NaN
        ([1.0, 9.0], [VALUE | INF, VALUE | INF], False),  # what may overflow, and does not
        ([1.0, 1.0], [VALUE | INF, VALUE | INF], True),
        ([1.0, 9.0], [INF, VALUE | INF], True),
        ([1.0, 1.0], [VALUE, ZERO], False),
        ([0.1, 1.0], [VALUE, ZERO], False),  # 0 could stand for 0.1, but 0.1 not for 0
        ([1.0, 1.0], [VALUE, VALUE | ZERO], True),
        ([1.0, 9.0], [VALUE, ANY], False),  # nothing is promised of the other: no pair
    ],
)
def test_classes_tell_neighbours_apart(
    values: list[float], allowed: list[Outcome], *, hides: bool
) -> None:
    """Two neighbours are apart if one's result is not acceptable in the other's place."""
    assert found(expectation(values, allowed)).hides_swaps == hides


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_figures_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """Each element counts once, however the output is cut."""
    rng = np.random.default_rng(2)
    allowed = rng.choice([VALUE, VALUE | ZERO, ZERO, NAN, ANY], (3, 40))
    expected = expectation(rng.choice([0.0, 0.1, 1.0, 2.0], (3, 40)), allowed)
    whole = found(expected)
    monkeypatch.setattr(expectations, "BLOCK", block)
    assert found(expected) == whole
    assert whole.promises + np.count_nonzero(allowed == ANY) == 120
