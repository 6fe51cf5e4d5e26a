# SPDX-License-Identifier: Apache-2.0
"""Runs after the two ordinary ones: what they are given, and that each fault shows in its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.harness.conftest import Bench, Recording

AGAIN = ("second-stream", "kept-workspace", "after-others", "repeatable-executor")
OTHER = """other aclnnDropoutBackward
other-tensor gradOutput input 0 2 shape 4 strides 1 offset 0 storage 4 scratch
other-tensor mask input 4 2 shape 16 strides 1 offset 0 storage 16 scratch
other-tensor out output 0 2 shape 4 strides 1 offset 0 storage 4 scratch
other-attribute scale double 0x1p+0"""
ORDINARY = "runs 2\nslack 32\ndeterministic 0"
FACTS = "\n".join([ORDINARY, *(f"again {name}" for name in AGAIN), OTHER])


def run(fake: Bench, faults: str = "", facts: str = FACTS) -> Recording:
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50)
    recording = fake.logit_grad(x, dy, facts=facts, faults=f"workspace:100 {faults}")
    if facts == FACTS:
        assert recording.code == 0, recording.stderr
    return recording


def differing(recording: Recording) -> list[str]:
    """The circumstances in which the output was another one."""
    return [e.get("again", "ordinary") for e in recording.of("repeat") if e["different"]]


def test_order_of_runs(fake: Bench) -> None:
    """Six runs, each compared with the first; equal outputs are written once."""
    recording = run(fake)
    assert [(e["run"], e.get("again")) for e in recording.of("repeat")] == [
        (1, None),
        *((number, name) for number, name in enumerate(AGAIN, start=2)),
    ]
    assert differing(recording) == []
    assert len(recording.of("output")) == 1
    assert recording.of("memory") == recording.of("error") == []
    # A kept workspace takes two calls, a repeatable executor one phase one for two launches.
    assert [e["run"] for e in recording.of("phase1")] == [0, 1, 2, 3, 3, 4, 5]
    assert [e["run"] for e in recording.of("phase2")] == [0, 1, 2, 3, 3, 4, 5, 5]
    assert [(e["run"], e["phase"], e["status"]) for e in recording.of("other")] == [
        (4, 1, 0),
        (4, 2, 0),
    ]


def test_events_say_which_launch(fake: Bench) -> None:
    """Where a run has two, its events tell the one that prepares from the one that is recorded."""
    recording = run(fake, "write-workspace:170")
    assert launches(recording, "phase1") == [
        *((number, None) for number in range(3)),
        *((3, 0), (3, 1), (4, None), (5, 0)),  # a repeatable executor has one phase one
    ]
    both = [*((number, None) for number in range(3)), (3, 0), (3, 1), (4, None), (5, 0), (5, 1)]
    assert launches(recording, "phase2") == both
    assert launches(recording, "memory") == both


def launches(recording: Recording, kind: str) -> list[tuple[int, int | None]]:
    """Run and launch of the events of one kind, each pair once."""
    return list(dict.fromkeys((e["run"], e.get("launch")) for e in recording.of(kind)))


@pytest.mark.parametrize(
    ("fault", "circumstances"),
    [
        ("first-stream-only", ["second-stream"]),
        ("stale-workspace", ["kept-workspace"]),
        ("impressed", ["after-others", "repeatable-executor"]),  # it does not forget
        ("frozen", ["repeatable-executor"]),
    ],
)
def test_faults_show_in_their_circumstance(
    fake: Bench, fault: str, circumstances: list[str]
) -> None:
    """Each kind of state changes the outputs of its run, which are then written."""
    recording = run(fake, fault)
    assert differing(recording) == circumstances
    further = [event["run"] for event in recording.of("output") if event["run"] > 1]
    assert further == [2 + AGAIN.index(name) for name in circumstances]


def test_second_launch_has_the_true_data(fake: Bench) -> None:
    """An executor that kept the data of phase one has seen zeros."""
    recording = run(fake, "frozen")
    eps, dy = 0.5, fake.floats(12, start=50)
    assert recording.output("out", run=5).tolist() == (eps - dy).tolist()


def test_executor_that_cannot_be_repeated(fake: Bench) -> None:
    """The run ends there, and the executor is given back."""
    recording = run(fake, "not-repeatable")
    assert recording.of("not-repeatable") == [
        {
            "event": "not-repeatable",
            "case": "a",
            "run": 5,
            "status": 561103,
            "message": "it copies between devices",
        }
    ]
    assert [e["again"] for e in recording.of("repeat")[1:]] == list(AGAIN[:3])


def test_other_operator_that_fails(fake: Bench) -> None:
    """Without the other call its run is not made; the next one is."""
    recording = run(fake, "other-refuses")
    assert [(e["phase"], e["status"]) for e in recording.of("other")] == [(1, 161002)]
    assert [e["run"] for e in recording.of("repeat")] == [1, 2, 3, 5]


def test_memory_is_checked_in_every_run(fake: Bench) -> None:
    """A write behind the workspace is found under each circumstance, after each launch."""
    recording = run(fake, "write-workspace:170")
    runs = [e["run"] for e in recording.of("memory") if e["tensor"] == "workspace"]
    assert sorted(set(runs)) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("fault", ["launch-fails", "refuse"])
def test_no_further_runs_of_a_call_that_fails(fake: Bench, fault: str) -> None:
    """What fails by itself says nothing under other circumstances."""
    recording = run(fake, fault)
    assert {event["run"] for event in recording.of("phase1")} == {0, 1}


def test_second_stream_that_hangs(fake: Bench) -> None:
    """After a timeout on the second stream the case ends."""
    recording = run(fake, "synchronize-fails:3")
    assert recording.of("phase2")[-1]["run"] == 2
    assert recording.events[-1]["event"] == "finished"


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (FACTS.replace("runs 2", "runs 1"), "has again lines but no second run"),
        (FACTS.replace("again after-others\n", ""), "one of `again after-others` and an other"),
        (f"{ORDINARY}\nagain after-others", "one of `again after-others` and an other line"),
        (f"{ORDINARY}\nagain and-again", "circumstance 'and-again' is unknown"),
        (f"{ORDINARY}\nagain second-stream\nagain second-stream", "is stated twice"),
        (FACTS.replace("16 scratch", "16 data 0 16"), "the source of other-tensor mask"),
        (FACTS.replace("other aclnnDropout", "other aclnnDropin"), "is not in this program"),
        (FACTS.replace("other aclnnDropoutBackward\n", ""), "has no other line"),
        (FACTS.replace("other-attribute", "others-attribute"), "'others-attribute' is unknown"),
    ],
)
def test_wrong_lines(fake: Bench, facts: str, sentence: str) -> None:
    """What does not fit is refused before anything runs."""
    recording = run(fake, facts=facts)
    assert recording.code == 2
    assert sentence in recording.stderr
