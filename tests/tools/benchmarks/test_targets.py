# SPDX-License-Identifier: Apache-2.0
"""A target is missed by what exceeds it and by what is not offered; times are taken in turn."""

from __future__ import annotations

import math
from itertools import count

import pytest
from tools.benchmarks.targets import Figure, ratio, seconds


@pytest.mark.parametrize(
    ("value", "missed"),
    [(1.0, False), (0.5, False), (1.01, True), (None, True), (math.nan, True), (math.inf, True)],
)
def test_what_misses_a_target(value: float | None, *, missed: bool) -> None:
    """What cannot be asked for, and what is no number, is no success."""
    figure = Figure("two threads / one", value, 1.0)
    assert figure.missed == missed
    assert ("MISSED" in str(figure)) == missed


def test_works_take_turns() -> None:
    """Each is called once without being timed; then all in turn, so often in a row."""
    called: list[str] = []
    times = seconds(
        lambda: called.append("a"), lambda: called.append("b"), runs=2, repeats=2, clock=int
    )
    assert "".join(called) == "ab" + "aabb" * 2
    assert times == [[0.0] * 2] * 2


def test_seconds_are_those_of_one_call() -> None:
    """A clock that goes on by 1 whenever it is read makes 1 / repeats of each run."""
    ticks = count()
    assert seconds(bool, runs=3, repeats=4, clock=lambda: float(next(ticks))) == [[0.25] * 3]


def test_slow_works_have_fewer_turns() -> None:
    """Two works of a second each have 5 seconds after the third turn."""
    ticks = count()
    assert len(seconds(bool, bool, runs=9, clock=lambda: float(next(ticks)))[0]) == 3


def test_ratio_is_the_median_of_pairs() -> None:
    """A turn in which the machine was slow for both changes nothing."""
    assert ratio([2.0, 200.0, 9.0], [1.0, 100.0, 3.0]) == 2.0
