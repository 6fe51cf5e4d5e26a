# SPDX-License-Identifier: Apache-2.0
"""The reader of case files: what is not exactly right is refused, with its place in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.harness.conftest import Bench

GOOD = """aclnn-cts-cases 6 aclnnLogitGrad
nonce 0123456789abcdef0123456789abcdef
case one:a+b.c_d-e
data case.npy 96
runs 2
slack 32
deterministic 0
tensor x input 0 2 shape 3,4 strides 4,1 offset 0 storage 12 data 0 48
tensor dy input 0 2 shape 3,4 strides 4,1 offset 0 storage 12 data 48 48
tensor out output 0 2 shape 3,4 strides 4,1 offset 0 storage 12 output
attribute eps double 0x1.8p+0
end
"""


def run(fake: Bench, text: str) -> tuple[int, str]:
    fake.save(x=fake.floats(3, 4), dy=fake.floats(3, 4))
    recording = fake.run(text)
    return recording.code, recording.stderr


def test_good_file(fake: Bench) -> None:
    """The file that all others here are one fact away from is accepted."""
    assert run(fake, GOOD) == (0, "")


def test_file_without_cases(fake: Bench) -> None:
    """No cases are no error of the program: it says that it ran none."""
    recording = fake.run("".join(GOOD.splitlines(keepends=True)[:2]))
    assert recording.code == 0
    assert [event["event"] for event in recording.events] == ["device", "finished"]


@pytest.mark.parametrize(
    ("line", "old", "new", "sentence"),
    [
        (1, "aclnn-cts-cases", "cases", "'cases' is out of place; expected 'aclnn-cts-cases'"),
        (1, " 6 ", " 4 ", "the format version is '4'; expected a whole number from 6 to 6"),
        (1, "LogitGrad", "Logit", "operator 'aclnnLogit' is not in this program"),
        (2, "nonce 0123456789abcdef", "case ", "'case' is out of place; expected 'nonce'"),
        (2, "abcdef", "ABCDEF", "the nonce is '0123456789ABCDEF"),
        (2, "nonce 0", "nonce ", "expected 32 digits of [0-9a-f]"),
        (2, "cdef0123", "cdef 0123", "the nonce is '0123456789abcdef'"),
        (3, "case", "tensor", "'tensor' is out of place; expected 'case'"),
        (3, "one:a", "one/a", "the case id 'one/a+b.c_d-e' has other characters"),
        (3, "-e", "-e more", "'more' is too much"),
        (4, "case.npy 96", "case.npy", "the payload's size is missing"),
        (4, "case.npy 96", "case.npy 96 ", "'' is too much"),
        (4, "96", "97", "has a payload of 96 bytes; expected 97 bytes"),
        (4, "96", "-96", "the payload's size is '-96'; expected a whole number from 0"),
        (4, "case.npy", "none.npy", "none.npy cannot be read: No such file or directory"),
        (5, "runs 2", "runs 3", "the number of runs is '3'; expected a whole number from 1 to 2"),
        (5, "runs 2", "laps 2", "'laps' is unknown"),
        (6, "32", "+32", "the slack is '+32'"),
        (6, "32", "3 2", "'2' is too much"),
        (6, "slack 32", "runs 2", "'runs' is stated twice"),
        (7, "0", "yes", "deterministic is 'yes'"),
        (8, "input", "both", "role 'both'; expected input, output or inout"),
        (8, "input 0", "input 99", "the data type is '99'"),
        (8, "input 0", "input 29", "data type 29 has no elements of whole bytes"),
        (8, "input 0", "input -1", "data type -1 has no elements of whole bytes"),
        (8, "0 2 shape", "0 two shape", "the format is 'two'"),
        (8, "shape 3,4", "size 3,4", "'size' is out of place; expected 'shape'"),
        (8, "shape 3,4", "shape 3,-4", "the shape is '-4'"),
        (8, "shape 3,4", "shape 3,,4", "the shape is ''"),
        (8, "shape 3,4", "shape 3,4,", "the shape is ''"),
        (8, "shape 3,4", "shape 3,4x", "the shape is '4x'"),
        (8, "shape 3,4", "shape 3", "tensor x has 2 strides; expected one for each of its 1"),
        (8, "shape 3,4", "shape 9223372036854775807,2", "tensor x has too many elements"),
        (8, "shape 3,4", "shape 9223372036854775808,4", "the shape is '9223372036854775808'"),
        (8, "storage 12", "storage 11", "the view of tensor x leaves its storage of 11 elements"),
        (8, "storage 12", "storage 0", "the view of tensor x leaves its storage of 0 elements"),
        (8, "storage 12", "storage 1048577,1048577,9", "the storage of x has too many elements"),
        (8, "offset 0", "offset 1", "the view of tensor x leaves its storage of 12 elements"),
        (8, "offset 0", "offset -1", "the offset is '-1'"),
        (8, "offset 0", "offset 9223372036854775807", "the view of tensor x leaves its storage"),
        (8, "strides 4,1", "strides 9223372036854775807,1", "the view of tensor x leaves its"),
        (8, "strides 4,1", "strides -4,1", "a stride is '-4'"),
        (8, "data 0 48", "data 0 44", "the bytes do not fit the shape; expected 48 bytes"),
        (8, "data 0 48", "data", "the byte offset is missing"),
        (8, "data 0 48", "nowhere", "source 'nowhere' is unknown"),
        (8, "data 0 48", "", "the source is missing"),
        (10, "tensor out", "tensor x", "'parameter x' is stated twice"),
        (11, "attribute eps", "attribute dy", "'parameter dy' is stated twice"),
        (11, "double", "float", "attribute kind 'float' is unknown"),
        (11, "0x1.8p+0", "1.5x", "the value is '1.5x'"),
        (11, "double 0x1.8p+0", "int64 1.5", "the value is '1.5'"),
        (11, "double 0x1.8p+0", "bool 2", "the value is '2'"),
        (11, "double 0x1.8p+0", "ints 1,two", "a value is 'two'"),
        (11, "double 0x1.8p+0", "scalar 0 0000803", "the value is '0000803'"),
        (11, "double 0x1.8p+0", "scalar 0 0000803F", "the value is '0000803F'"),
        (11, "double 0x1.8p+0", "scalar 1 0000803f", "the value has 4 bytes; expected 2"),
        (11, "double 0x1.8p+0", "scalar 29 00", "data type 29 has no elements of whole bytes"),
        (11, "double 0x1.8p+0", "scalar 0", "the value is missing"),
        (11, "double 0x1.8p+0", "scalars 0 0000803f00", "5 bytes; expected 4, those of its data"),
        (11, "double 0x1.8p+0", "scalars 0", "the value is missing"),
        (11, "attribute", "attitude", "'attitude' is unknown"),
    ],
)
def test_wrong_line(fake: Bench, line: int, old: str, new: str, sentence: str) -> None:
    """A line that is wrong in itself is named by number."""
    lines = GOOD.splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    code, message = run(fake, "\n".join(lines) + "\n")
    assert code == 2
    assert f"cases.txt:{line}: " in message
    assert sentence in message
    assert "; expected " in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("runs 2\n", "", "has no runs line"),
        ("x input", "x output", "the source of tensor x does not fit its role; expected output or"),
        (
            "out output",
            "out inout",
            "the source of tensor out does not fit its role; expected data",
        ),
        ("slack 32\n", "", "has no slack line"),
        ("deterministic 0\n", "", "has no deterministic line"),
        ("runs 2\n", "runs 2\nlaunch 2\n", "launch is '2'; expected a whole number from 0 to 1"),
        ("runs 2\n", "runs 2\nlaunch 0\ntimed 3\n", "is not launched, but has again or timed"),
        ("data case.npy 96\n", "", "has no data line"),
        ("data case.npy 96\n", "data -\n", "the data of tensor x end at byte 48"),
        ("data 48 48", "data 52 48", "the data of tensor dy end at byte 100"),
        ("data 48 48", "data 9223372036854775807 48", "the data of tensor dy end at byte"),
        ("data 0 48", "output", "the source of tensor x does not fit its role"),
        ("12 output", "12 data 0 48", "the source of tensor out does not fit its role"),
        ("data 0 48", "same dy", "the source of tensor x does not fit its role"),
        ("data 0 48", "from-producer", "nothing makes tensor x"),
    ],
)
def test_parts_that_do_not_fit(fake: Bench, old: str, new: str, sentence: str) -> None:
    """What holds between the lines of a case is checked at its end."""
    code, message = run(fake, GOOD.replace(old, new))
    assert code == 2
    assert sentence in message


HALVES = "shape 2,3 strides 6,1 offset {} storage 2,6"

TOGETHER = GOOD.replace(
    "shape 3,4 strides 4,1 offset 0 storage 12 data 0 48",
    f"{HALVES.format(0)} data 0 24",
).replace(
    "shape 3,4 strides 4,1 offset 0 storage 12 data 48 48",
    f"{HALVES.format(3)} shares x data 48 24",
)
"""Of one storage, the first half of each row is x, the second one dy."""


@pytest.mark.parametrize(
    "together",
    [
        TOGETHER,
        TOGETHER.replace("offset 3", "offset 0").replace("data 48 24", "data 0 24"),
        TOGETHER.replace("strides 6,1", "strides 3,1").replace("offset 3", "offset 6"),
    ],
    ids=["halves", "same", "behind"],
)
def test_inputs_in_one_storage(fake: Bench, together: str) -> None:
    """They are apart, or the same elements with the same data."""
    assert run(fake, together.replace("shape 3,4", "shape 2,3"))[:2] == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("shares x", "shares", "'48' is out of place; expected 'data'"),
        ("shares x", "shares x/y", "the tensor's name 'x/y' has other characters"),
        ("shares x data", "shares x output", "'output' is out of place; expected 'data'"),
        ("shares x", "shares z", "tensor dy shares the storage of z; expected an earlier input"),
        ("shares x", "shares dy", "tensor dy shares the storage of dy; expected an earlier input"),
        ("data 0 24", "shares dy data 0 24", "tensor x shares the storage of dy; expected an ear"),
        ("dy input", "dy inout", "tensors x and dy share a storage; expected the role input"),
        ("x input", "x inout", "tensors x and dy share a storage; expected the role input"),
        ("dy input 0", "dy input 3", "tensor dy shares the storage of x; expected the same data"),
        ("offset 3 storage 2,6", "offset 3 storage 3,6", "shares the storage of x; expected the"),
        ("offset 3 storage 2,6", "offset 3 storage 12", "shares the storage of x; expected the"),
        ("offset 3", "offset 2", "tensors x and dy overlap in their storage; expected the same"),
        ("offset 3", "offset 0", "tensors x and dy are the same elements; expected the same data"),
        ("strides 6,1 offset 3", "strides 3,1 offset 3", "tensors x and dy overlap in their stor"),
    ],
)
def test_storage_that_cannot_be_shared(fake: Bench, old: str, new: str, sentence: str) -> None:
    """Whatever memory filled with both inputs would not hold for both is refused."""
    assert TOGETHER.count(old) == 1
    code, message = run(fake, TOGETHER.replace(old, new))
    assert code == 2
    assert sentence in message


def test_missing_end(fake: Bench) -> None:
    """A file that was cut off is refused."""
    code, message = run(fake, GOOD.removesuffix("end\n"))
    assert code == 2
    assert (
        "cases.txt:12: the file stops inside case one:a+b.c_d-e; expected its end line" in message
    )


def test_repeated_id(fake: Bench) -> None:
    """Two cases of one id could not be told apart in the events."""
    code, message = run(fake, GOOD + GOOD.split("\n", 2)[2])
    assert code == 2
    assert "cases.txt:13: case one:a+b.c_d-e is in the file twice" in message


def test_empty_file(fake: Bench) -> None:
    """An empty file is not a case file."""
    assert run(fake, "")[0] == 2


def test_nothing_runs_when_a_later_case_is_wrong(fake: Bench) -> None:
    """The whole file is checked before the device is touched."""
    later = GOOD.split("\n", 2)[2].replace("one", "two").replace("runs 2", "runs 0")
    fake.save(x=fake.floats(3, 4), dy=fake.floats(3, 4))
    recording = fake.run(GOOD + later)
    assert recording.code == 2
    assert recording.events == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("tensor dy", "tensor dx", "the case has no parameter dy"),
        ("attribute eps double 0x1.8p+0\n", "", "the case has no parameter eps"),
        ("double 0x1.8p+0", "int64 1", "the case has no parameter eps of the kind"),
        ("end\n", "attribute more bool 1\nend\n", "the program asks for no parameter more"),
    ],
)
def test_case_of_another_signature(fake: Bench, old: str, new: str, sentence: str) -> None:
    """A case whose parameters are not the program's ends the program, also without a leak."""
    code, message = run(fake, GOOD.replace(old, new))
    assert code == 2
    assert "cases.txt:3: " in message
    assert sentence in message


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a .npy file"),
        (b"PK\x03\x04 and so on, a zip", "is not a .npy file"),
        (b"\x93NUMPY\x04\x00" + bytes(100), "has .npy version 4"),
        (b"\x93NUMPY\x01\x00\xff\xff" + bytes(100), "has a payload of -65435 bytes"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(100), "bytes; expected 96 bytes"),
    ],
)
def test_data_file_that_is_none(fake: Bench, content: bytes, sentence: str) -> None:
    """A data file is checked before anything runs."""
    (fake.folder / "data" / "case.npy").write_bytes(content)
    recording = fake.run(GOOD)
    assert recording.code == 2
    assert "cases.txt:4: data file " in recording.stderr
    assert sentence in recording.stderr
    assert recording.events == []


def test_truncated_data_file(fake: Bench) -> None:
    """A data file that lost its tail is refused."""
    fake.save(x=fake.floats(3, 4), dy=fake.floats(3, 4))
    path = fake.folder / "data" / "case.npy"
    path.write_bytes(path.read_bytes()[:-1])
    recording = fake.run(GOOD)
    assert "has a payload of 95 bytes; expected 96 bytes" in recording.stderr


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_versions(fake: Bench, version: tuple[int, int]) -> None:
    """Each version of the .npy header is understood."""
    record = np.frombuffer(fake.floats(24).tobytes(), [("x", "<f4", (3, 4)), ("dy", "<f4", (3, 4))])
    with (fake.folder / "data" / "case.npy").open("wb") as file:
        np.lib.format.write_array(file, record, version=version)
    recording = fake.run(GOOD)
    assert recording.output("out").tolist() == [-10.5] * 12


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1.8p-1", 0.75),
        ("-0x1p+4", -16.0),
        ("inf", np.inf),
        ("-inf", -np.inf),
        ("nan", np.nan),
        ("0x1p-149", 2.0**-149),
    ],
)
def test_double_attributes(fake: Bench, text: str, value: float) -> None:
    """Doubles arrive exactly, special values too."""
    zero = np.zeros(1, np.float32)
    recording = fake.logit_grad(zero, zero, eps=text)
    np.testing.assert_array_equal(recording.output("out"), [np.float32(value)])
