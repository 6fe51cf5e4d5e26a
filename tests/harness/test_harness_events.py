# SPDX-License-Identifier: Apache-2.0
"""What a program records when calls fail, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.harness.conftest import Bench

CASE = """case {id}
data -
runs 2
slack 32
deterministic {deterministic}
tensor x input 0 2 shape - strides - offset 0 storage - null
tensor dy input 0 2 shape 0 strides 1 offset 0 storage 0 data 0 0
tensor out output 0 2 shape 0 strides 1 offset 0 storage 0 output
attribute eps double -0x1p+0
end
"""
NONCE = "0123456789abcdef0123456789abcdef"
HEADING = f"aclnn-cts-cases 6 aclnnLogitGrad\nnonce {NONCE}\n"


def test_order_of_events(fake: Bench) -> None:
    """The device comes first, every case begins and ends, and the last line counts the cases."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2))
    kinds = [event["event"] for event in recording.events]
    assert kinds == [
        *("device", "begin", "phase1", "phase2", "output", "phase1", "phase2", "repeat"),
        *("end", "finished"),
    ]
    assert recording.events[0] == {
        "event": "device",
        "soc": "Fake1",
        "cann": "1.2.fake",
        "inf_nan": True,
        "nonce": NONCE,
    }
    assert recording.events[3]["device_microseconds"] == 250.0
    assert recording.events[-1] == {"event": "finished", "cases": 1}


def test_null_tensor_and_failing_phase_one(fake: Bench) -> None:
    """A null tensor is passed as nullptr; status and message of the refusal are recorded."""
    recording = fake.run(HEADING + CASE.format(id="null", deterministic=0))
    assert recording.code == 0, recording.stderr
    for run, event in enumerate(recording.of("phase1")):
        del event["microseconds"]
        assert event == {
            "event": "phase1",
            "case": "null",
            "run": run,
            "status": 161001,
            "workspace": None,
            "message": "a tensor is nullptr",
        }
    assert recording.of("phase2") == recording.of("memory") == recording.of("output") == []


def test_messages_are_escaped(fake: Bench) -> None:
    """Whatever bytes the runtime's message has, the line is JSON; bad UTF-8 is replaced."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults="refuse")
    assert recording.of("phase1")[0]["message"] == '"refused"\n\x01 \ufffd é\\'


def test_failing_phase_two(fake: Bench) -> None:
    """The status of phase two is recorded, with its message, after waiting for the stream."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults="launch-fails")
    (event, _) = recording.of("phase2")
    assert (event["status"], event["synchronize"]) == (361001, 0)
    assert event["message"] == "launch refused"


def test_failing_synchronisation_opens_the_device_anew(fake: Bench) -> None:
    """After a timeout the case ends unread, and the next one runs on a fresh device."""
    text = CASE.replace(
        "shape - strides - offset 0 storage - null", "shape 0 strides 1 offset 0 storage 0 data 0 0"
    )
    recording = fake.run(
        HEADING + text.format(id="a", deterministic=1) + text.format(id="b", deterministic=0),
        *("--timeout-ms", "123"),
        faults="synchronize-fails:1",
    )
    assert recording.code == 0, recording.stderr
    first, *others = recording.of("phase2")
    assert (first["synchronize"], first["message"]) == (507000, "not done after 123 ms")
    assert first["device_microseconds"] is None
    assert [(event["case"], event["synchronize"]) for event in others] == [("b", 0), ("b", 0)]
    assert [event["case"] for event in recording.of("end")] == ["a", "b"]
    assert [event["case"] for event in recording.of("output")] == ["b"]


@pytest.mark.parametrize("call", range(1, 9))
def test_failing_allocation(fake: Bench, call: int) -> None:
    """Whichever allocation fails, the case ends with an error event and nothing leaks."""
    faults = f"workspace:10 malloc-fails:{call}"
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults=faults)
    assert recording.code == 0, recording.stderr
    (event,) = recording.of("error")
    assert event == {
        "event": "error",
        "case": "a",
        "run": 0 if call <= 4 else 1,
        "status": 507000,
        # The second run's workspace has no slack behind its 10 bytes.
        "what": f"aclrtMalloc of {2058 if call == 8 else 2112} bytes",
        "message": "out of memory",
    }
    assert [event["event"] for event in recording.events[-2:]] == ["end", "finished"]


def test_absurd_workspace(fake: Bench) -> None:
    """A workspace that no device can hold ends the case, and its executor is given back."""
    faults = f"workspace:{2**62}"
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults=faults)
    assert recording.code == 0, recording.stderr
    assert recording.of("error")[0]["what"] == f"aclrtMalloc of a workspace of {2**62} bytes"


def test_refused_handle(fake: Bench) -> None:
    """A tensor handle that CANN does not give is an error of the case."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults="no-tensors")
    assert recording.of("error")[0]["what"] == "aclCreateTensor of x"
    assert recording.code == 0


def test_device_without_events(fake: Bench) -> None:
    """A device that cannot measure time costs only the time."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults="no-events no-attribute")
    assert recording.of("phase2")[0]["device_microseconds"] is None
    assert recording.of("phase2")[0]["message"] == ""
    assert recording.of("device")[0]["inf_nan"] is None


def test_determinism_switch(fake: Bench) -> None:
    """Determinism has the level that a case asks for."""
    x = fake.floats(2)
    for level in (1, 3, 0):
        told = fake.logit_grad(x, x, facts=f"deterministic {level}\nruns 1\nslack 0")
        assert told.output("out").tolist() == [1000 * level + 0.5] * 2


def test_a_call_that_is_not_launched(fake: Bench) -> None:
    """Phase one accepts it in both runs, and nothing reaches the device."""
    x = fake.floats(2)
    recording = fake.logit_grad(x, x, facts="deterministic 0\nruns 2\nslack 0\nlaunch 0")
    assert recording.code == 0
    assert [event["status"] for event in recording.of("phase1")] == [0, 0]
    assert recording.of("phase2") == []
    assert recording.of("output") == []
    assert recording.of("memory") == []


def test_crash_leaves_the_begin_line(fake: Bench) -> None:
    """When the operator takes the process down, the events tell which case it was."""
    recording = fake.logit_grad(fake.floats(2), fake.floats(2), faults="crash")
    assert recording.code < 0
    assert [event["event"] for event in recording.events] == ["device", "begin", "phase1"]


@pytest.mark.parametrize(
    ("options", "faults", "sentence"),
    [
        ([], "init-fails", "aclInit failed with status 507000 (no driver)"),
        (["--device", "9"], "", "aclrtSetDevice of device 9 failed with status 507000"),
    ],
)
def test_refused_initialisation(
    fake: Bench, options: list[str], faults: str, sentence: str
) -> None:
    """Without a runtime the program ends with 3 and says what failed."""
    recording = fake.run(HEADING, *options, faults=faults)
    assert recording.code == 3
    assert sentence in recording.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--nonsense", "1"], "argument '--nonsense' is unknown"),
        (["--device"], "--device has no value"),
        (["--device", "1 2"], "--device: '2' is too much"),
        (["--device", "x"], "--device: the value is 'x'"),
        (["--timeout-ms", "0"], "--timeout-ms: the value is '0'"),
        (["--cases", "missing.txt"], "missing.txt: No such file"),
        (["--events", "/dev/null/x"], "/dev/null/x: cannot be written"),
        (["--outputs", ""], "--outputs is missing"),
    ],
)
def test_bad_arguments(fake: Bench, options: list[str], sentence: str) -> None:
    """Bad arguments end the program with 2 and one sentence."""
    recording = fake.run(HEADING, *options)
    assert recording.code == 2
    assert sentence in recording.stderr
    assert recording.stderr.count("\n") == 1


def test_full_disk(fake: Bench) -> None:
    """Results that cannot be written end the program with 2, not with silence."""
    recording = fake.run(HEADING, "--events", "/dev/full")
    assert recording.code == 2
    assert "/dev/full: cannot be written: No space left" in recording.stderr
