# SPDX-License-Identifier: Apache-2.0
"""Launches that are made for their time alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.harness.conftest import Bench

TIMED = "runs 2\nslack 32\ndeterministic 0\ntimed 3"


def test_timed_launches_leave_one_line(fake: Bench) -> None:
    """After all runs, a time for each launch, and no other event: nothing of them is judged."""
    plain = fake.logit_grad(fake.floats(2), fake.floats(2))
    timed = fake.logit_grad(fake.floats(2), fake.floats(2), facts=TIMED)
    assert timed.of("timing") == [
        {"event": "timing", "case": "a", "microseconds": [250.0, 250.0, 250.0]}
    ]
    kinds = [event["event"] for event in timed.events]
    kinds.remove("timing")
    assert kinds == [event["event"] for event in plain.events]
    assert timed.outputs == plain.outputs
    assert timed.events[-3]["event"] == "timing"


def test_timed_launches_are_no_hang(fake: Bench) -> None:
    """They end long before who waits for a sign of life would take them for a hang."""
    many = TIMED.replace("timed 3", "timed 10000")
    x, dy = fake.floats(2), fake.floats(2)
    timed = fake.logit_grad(x, dy, facts=many, options=("--timeout-ms", "200"))
    (line,) = timed.of("timing")
    assert 1 <= len(line["microseconds"]) <= 100
    assert timed.code == 0


def test_what_fails_is_not_timed(fake: Bench) -> None:
    """A call that fails in its ordinary runs says nothing by its time."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults="launch-fails", facts=TIMED)
    assert recording.of("timing") == []
    assert len(recording.of("phase2")) == 2


def test_a_timed_line_counts_launches(fake: Bench) -> None:
    """None, or more than a case can be given, is refused with its line before anything runs."""
    for number in ("0", "10001", "three"):
        recording = fake.logit_grad(
            fake.floats(2), fake.floats(2), facts=TIMED.replace("timed 3", f"timed {number}")
        )
        assert recording.code == 2
        assert "cases.txt:8: the number of timed launches" in recording.stderr
