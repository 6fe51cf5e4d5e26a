# SPDX-License-Identifier: Apache-2.0
"""Cases whose inputs only another operator can make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.harness.conftest import Bench, Recording

PROGRAM = "aclnnMaxPool2dWithMaskBackward"
ATTRIBUTES = """{prefix}attribute kernelSize ints 2,5
{prefix}attribute stride ints {stride}
{prefix}attribute padding ints-null
{prefix}attribute dilation ints 1
{prefix}attribute ceilMode bool 1
"""
CASE = """aclnn-cts-cases 6 aclnnMaxPool2dWithMaskBackward
nonce 0123456789abcdef0123456789abcdef
case a
{data}
runs 2
slack 32
deterministic 0
tensor gradOutput input 0 2 shape 2 strides 1 offset 0 storage 2 data 0 8
tensor self input 0 2 shape 4 strides 1 offset 0 storage 4 data 8 16
tensor indices input 2 2 shape 64 strides 1 offset 0 storage 64 from-producer
tensor gradInput output 0 2 shape 4 strides 1 offset 0 storage 4 output
producer aclnnMaxPool2dWithMask
producer-tensor self input 0 0 shape 1,4 strides 4,1 offset 0 storage 4 same self
producer-tensor out output 0 2 shape 2 strides 1 offset 0 storage 2 scratch
producer-tensor indices output 2 2 shape 8,8 strides 8,1 offset 0 storage 64 scratch
{attributes}end
"""
PLAIN = "indices input 2 2 shape 64 strides 1 offset 0 storage 64 from-producer"
# Every second element of each row, and behind an offset: the first row of the storage is a gap.
STRIDED = "indices input 2 2 shape 8,8 strides 20,2 offset 23 storage 9,20 from-producer"
AGAIN = """again second-stream
again kept-workspace
again after-others
again in-flight
again planned-between
again repeatable-executor
other aclnnDropoutBackward
other-tensor gradOutput input 0 2 shape 4 strides 1 offset 0 storage 4 scratch
other-tensor mask input 4 2 shape 16 strides 1 offset 0 storage 16 scratch
other-tensor out output 0 2 shape 4 strides 1 offset 0 storage 4 scratch
other-attribute scale double 0x1p+0
decoy aclnnMaxPool2dWithMaskBackward
decoy-tensor gradOutput input 0 2 shape 1 strides 1 offset 0 storage 1 scratch
decoy-tensor self input 0 2 shape 2 strides 1 offset 0 storage 2 scratch
decoy-tensor indices input 2 2 shape 32 strides 1 offset 0 storage 32 scratch
decoy-tensor gradInput output 0 2 shape 2 strides 1 offset 0 storage 2 scratch
"""
MADE = [byte * 0x01010101 for byte in (7, 8, 9, 10)]


def run(
    fake: Bench, faults: str = "", old: str = "", new: str = "", stride: str = "-"
) -> Recording:
    attributes = ATTRIBUTES.format(prefix="", stride=stride)
    attributes += ATTRIBUTES.format(prefix="producer-", stride="-")
    data = fake.save(gradOutput=fake.floats(2), self=fake.floats(4))
    text = CASE.format(data=data, attributes=attributes)
    assert old in text
    return fake.run(text.replace(old, new), program=PROGRAM, faults=faults)


def test_hand_over(fake: Bench) -> None:
    """The producer's output is the call's input; in the second run it comes behind phase one."""
    recording = run(fake)
    assert recording.code == 0, recording.stderr
    # The fake producer counts on from 2 + 5, the kernel's extents; the fake operator copies that.
    assert recording.output("gradInput", "<u4").tolist() == MADE
    assert [event["event"] for event in recording.events] == [
        *("device", "begin"),
        *("producer", "producer", "phase1", "phase2", "output"),
        *("phase1", "producer", "producer", "phase2", "repeat"),
        *("end", "finished"),
    ]
    assert recording.of("producer")[1] == {
        "event": "producer",
        "case": "a",
        "run": 0,
        "phase": 2,
        "status": 0,
        "operator": "aclnnMaxPool2dWithMask",
        "message": "",
    }


def test_failing_producer(fake: Bench) -> None:
    """Without its input the operator is not launched; the producer's message is recorded."""
    recording = run(fake, "producer-refuses")
    assert [event["event"] for event in recording.events] == [
        *("device", "begin", "producer", "phase1", "producer", "end", "finished")
    ]
    (event, _) = recording.of("producer")
    assert (event["phase"], event["status"]) == (1, 161002)
    assert event["message"] == "no forward today"


def test_producer_that_changes_the_input(fake: Bench) -> None:
    """What the producer breaks is not held against the operator: the case ends with an error."""
    recording = run(fake, "producer-writes")
    assert recording.of("error")[0]["what"] == "running the producer, which changed self"
    assert recording.of("phase1") == []


def test_operator_that_changes_what_was_produced(fake: Bench) -> None:
    """The produced input is compared with what the producer left there."""
    recording = run(fake, "write:indices@3")
    assert recording.findings() == [("indices", "input", 12, 4)]


def test_refusal_after_the_producer(fake: Bench) -> None:
    """The operator's own refusal is recorded as ever, and nothing was touched."""
    recording = run(fake, stride="1,1")
    assert [event["status"] for event in recording.of("phase1")] == [161002, 161002]
    assert recording.of("memory") == []


def test_strided_hand_over(fake: Bench) -> None:
    """A tensor with strides and an offset gets the elements at their places, in each run."""
    recording = run(fake, old=PLAIN, new=STRIDED)
    assert recording.code == 0, recording.stderr
    assert recording.output("gradInput", "<u4").tolist() == MADE
    assert [event["different"] for event in recording.of("repeat")] == [0]
    assert recording.of("memory") == recording.of("error") == []


def test_operator_that_ignores_the_strides(fake: Bench) -> None:
    """It reads every second element from a gap, where each run has a poison of its own."""
    recording = run(fake, "dense-mask", PLAIN, STRIDED)
    expected = [0x07070707, 0x76767676, 0x08080808, 0x76767676]
    assert recording.output("gradInput", "<u4").tolist() == expected
    assert [e["different"] for e in recording.of("repeat") if e["run"] == 1] == [2]


@pytest.mark.parametrize(
    ("place", "findings"),
    [
        (0, [("indices", "gap", 0, 4)]),
        # Bytes 24 to 27 of the storage: the first element's stands in front of them.
        (6, [("indices", "input", 1, 2), ("indices", "gap", 24, 2)]),
        (-1, [("indices", "guard-front", -4, 4)]),
        (45, [("indices", "slack", 180, 4)]),
        (56, [("indices", "guard-rear", 0, 4)]),
    ],
)
def test_operator_that_writes_into_a_strided_tensor(
    fake: Bench, place: int, findings: list[tuple[str, str, int, int]]
) -> None:
    """Gaps, view and guards are checked as those of any input."""
    recording = run(fake, f"write:indices@{place}", PLAIN, STRIDED)
    assert recording.findings() == recording.findings(1) == findings


def test_refusal_with_a_strided_tensor(fake: Bench) -> None:
    """A refused call has left it as it was."""
    recording = run(fake, "", PLAIN, STRIDED, stride="1,1")
    assert [event["status"] for event in recording.of("phase1")] == [161002, 161002]
    assert recording.of("memory") == recording.of("error") == []


@pytest.mark.parametrize("view", [PLAIN, STRIDED])
def test_further_runs(fake: Bench, view: str) -> None:
    """Each variant makes its input anew, and makes no difference."""
    decoy = ATTRIBUTES.format(prefix="decoy-", stride="-")
    recording = run(fake, "workspace:100", PLAIN, f"{view}\n{AGAIN}{decoy}".rstrip())
    assert recording.code == 0, recording.stderr
    assert recording.output("gradInput", "<u4").tolist() == MADE
    assert [event["different"] for event in recording.of("repeat")] == [0] * 8
    assert recording.of("memory") == recording.of("error") == []
    assert [event["status"] for event in recording.of("decoy")] == [0] * 8
    # A kept workspace takes three calls, and a call in flight gets its data late, behind one with
    # other data; a repeatable executor's first launch needs no true data.
    made = [event["run"] for event in recording.of("producer") if event["phase"] == 2]
    assert made == [0, 1, 2, 3, 3, 3, 4, 5, 5, 5, 6, 7]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("same self", "same gradInput", "nothing lends its memory to tensor self"),
        ("same self", "same nothing", "nothing lends its memory to tensor self"),
        (
            "shape 1,4 strides 4,1 offset 0 storage 4",
            "shape 2 strides 1 offset 0 storage 2",
            "8 bytes",
        ),
        ("2 scratch", "2 output", "the source of producer-tensor out does not fit its role"),
        ("64 scratch", "64 null", "nothing makes tensor indices"),
        (
            "8,8 strides 8,1 offset 0 storage 64 scratch",
            "8,7 strides 7,1 offset 0 storage 56 scratch",
            "tensor indices has other elements than the producer's",
        ),
        (
            "indices output 2 2 shape 8,8 strides 8,1 offset 0 storage 64",
            "indices output 4 2 shape 8,8 strides 8,1 offset 0 storage 64",
            "tensor indices has other elements than the producer's",
        ),
        (
            "8,8 strides 8,1 offset 0 storage 64 scratch",
            "8,8 strides 1,8 offset 0 storage 64 scratch",
            "producer-tensor indices is not dense",
        ),
        (
            PLAIN,
            "indices input 2 2 shape 8,8 strides 0,1 offset 0 storage 8 from-producer",
            "elements of tensor indices share their places",
        ),
        ("producer-attribute kernelSize", "producer-attribute size", "no parameter kernelSize"),
        ("producer aclnnMaxPool2dWithMask\n", "", "case a has no producer line"),
        ("producer aclnnMax", "producer aclnnMin", "'aclnnMinPool2dWithMask' is not in this"),
    ],
)
def test_wrong_hand_over(fake: Bench, old: str, new: str, sentence: str) -> None:
    """Loans of memory are checked before anything runs."""
    recording = run(fake, old=old, new=new)
    assert recording.code == 2
    assert sentence in recording.stderr


def test_program_without_producer(fake: Bench) -> None:
    """A program refuses operators that it does not hold."""
    case = """aclnn-cts-cases 6 aclnnLogitGrad
nonce 0123456789abcdef0123456789abcdef
case a
data -
runs 1
slack 0
deterministic 0
producer aclnnMaxPool2dWithMask
end
"""
    recording = fake.run(case)
    assert recording.code == 2
    assert "cases.txt:8: operator 'aclnnMaxPool2dWithMask' is not in this program" in (
        recording.stderr
    )
