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
CASE = """aclnn-cts-cases 2 aclnnMaxPool2dWithMaskBackward
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
    """The producer runs before each measured call, and its output is the call's input."""
    recording = run(fake)
    assert recording.code == 0, recording.stderr
    # The fake producer writes 2 + 5, the kernel's extents; the fake operator copies it.
    assert recording.output("gradInput", "<u4").tolist() == [0x07070707] * 4
    assert [event["event"] for event in recording.events] == [
        *("device", "begin"),
        *("producer", "producer", "phase1", "phase2", "output"),
        *("producer", "producer", "phase1", "phase2", "repeat"),
        *("end", "finished"),
    ]
    assert recording.of("producer")[1] == {
        "event": "producer",
        "case": "a",
        "run": 0,
        "phase": 2,
        "status": 0,
        "message": "",
    }


def test_failing_producer(fake: Bench) -> None:
    """Without its input the operator is not called; the producer's message is recorded."""
    recording = run(fake, "producer-refuses")
    assert [event["event"] for event in recording.events] == [
        *("device", "begin", "producer", "producer", "end", "finished")
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
        ("64 scratch", "64 null", "nothing lends its memory to tensor indices"),
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
    case = """aclnn-cts-cases 2 aclnnLogitGrad
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
    assert "cases.txt:7: operator 'aclnnMaxPool2dWithMask' is not in this program" in (
        recording.stderr
    )
