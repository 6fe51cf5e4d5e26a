# SPDX-License-Identifier: Apache-2.0
"""The memory contract: what the operator gets to see, and that every forbidden write is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.harness.conftest import Bench, Recording


def test_contiguous_case(fake: Bench) -> None:
    """Every argument arrives, the output comes back, and a clean call has no findings."""
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50)
    recording = fake.logit_grad(x, dy)
    assert recording.code == 0, recording.stderr
    np.testing.assert_array_equal(recording.output("out"), (x - dy + np.float32(0.5)).ravel())
    assert recording.of("memory") == []
    assert recording.of("repeat") == [
        {
            "event": "repeat",
            "case": "a",
            "run": 1,
            "tensor": "out",
            "different": 0,
            "first": -1,
            "unwritten": 0,
            "unwritten_first": -1,
            "missing_before": 0,
            "missing": 0,
        }
    ]


@pytest.mark.parametrize(
    ("strides", "offset", "storage"),
    [
        pytest.param([1, 3], 0, [4, 3], id="transposed"),
        pytest.param([6, 1], 7, [5, 6], id="sliced"),
        pytest.param([16, 3], 2, [50], id="stepped"),
        pytest.param([4, 1], 0, [3, 4], id="dense"),
    ],
)
def test_strided_output_and_inputs(
    fake: Bench, strides: list[int], offset: int, storage: list[int]
) -> None:
    """Elements are placed and fetched by stride and offset, and untouched gaps are no finding."""
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50) ** 2
    layout = {"strides": strides, "offset": offset, "storage": storage}
    recording = fake.logit_grad(
        x,
        dy,
        fake.tensor("x", "input", (3, 4), "data 0 48", **layout),
        fake.tensor("out", "output", (3, 4), "output", **layout),
    )
    np.testing.assert_array_equal(recording.output("out"), (x - dy + np.float32(0.5)).ravel())
    assert recording.of("memory") == []


def test_view_of_higher_rank(fake: Bench) -> None:
    """A four-dimensional permuted view with steps on some axes is placed right."""
    shape, strides = (2, 3, 2, 5), (1, 60, 20, 4)
    x, dy = fake.floats(*shape), fake.floats(*shape, start=500) ** 2
    layout = {"strides": strides, "offset": 1, "storage": [9, 20]}
    recording = fake.logit_grad(
        x,
        dy,
        fake.tensor("x", "input", shape, f"data 0 {x.nbytes}", **layout),
        fake.tensor("out", "output", shape, "output", **layout),
    )
    np.testing.assert_array_equal(recording.output("out"), (x - dy + np.float32(0.5)).ravel())
    assert recording.of("memory") == []


def test_expanded_input(fake: Bench) -> None:
    """An input with stride 0 has a storage smaller than its view."""
    x = np.broadcast_to(fake.floats(1, 4), (3, 4)).copy()
    dy = fake.floats(3, 4, start=50)
    expanded = fake.tensor("x", "input", (3, 4), "data 0 48", strides=[0, 1], storage=[4])
    recording = fake.logit_grad(x, dy, expanded)
    np.testing.assert_array_equal(recording.output("out"), (x - dy + np.float32(0.5)).ravel())
    assert recording.of("memory") == []


def test_rank_zero(fake: Bench) -> None:
    """A tensor without dimensions has one element."""
    recording = fake.logit_grad(fake.floats(), fake.floats(start=9))
    assert recording.output("out").tolist() == [-7.5]
    assert recording.of("memory") == []


def test_empty_tensor(fake: Bench) -> None:
    """A tensor without elements still has an address, guards and an (empty) output."""
    recording = fake.logit_grad(fake.floats(0, 4), fake.floats(0, 4))
    assert recording.output("out").size == 0
    assert [event["status"] for event in recording.of("phase2")] == [0, 0]
    assert recording.of("memory") == []


def test_empty_tensor_with_absurd_extents(fake: Bench) -> None:
    """Extents beside a 0 never enter a computation that could overflow."""
    shape, strides = (0, 2**62, 2**62), (2**62, 2**62, 1)
    tensors = [
        fake.tensor(name, role, shape, source, strides=strides, storage=[0])
        for name, role, source in [("x", "input", "data 0 0"), ("out", "output", "output")]
    ]
    recording = fake.logit_grad(fake.floats(0), fake.floats(0), *tensors)
    assert recording.code == 0, recording.stderr
    assert recording.of("memory") == []


def test_large_tensors(fake: Bench) -> None:
    """Comparison in blocks finds a single element far inside a large tensor."""
    x = fake.floats(1000, 1003)
    recording = fake.logit_grad(x, x, faults="write:x@777777 skip:999999")
    assert recording.findings() == [("x", "input", 777777, 1)]
    (repeat,) = recording.of("repeat")
    assert (repeat["unwritten"], repeat["unwritten_first"]) == (1, 999999)


# Room of 12 float32: 48 bytes, rounded up to 64, and 32 of slack: elements 0-11 | 12-23 | guard.
@pytest.mark.parametrize(
    ("fault", "finding"),
    [
        ("write:out@-1", ("out", "guard-front", -4, 4)),
        ("write:x@-256", ("x", "guard-front", -1024, 4)),
        ("write:out@12", ("out", "slack", 48, 4)),
        ("write:out@23", ("out", "slack", 92, 4)),
        ("write:out@24", ("out", "guard-rear", 0, 4)),
        ("write:dy@279", ("dy", "guard-rear", 1020, 4)),
        ("write:x@5", ("x", "input", 5, 1)),
        ("workspace:100 write-workspace:-1", ("workspace", "guard-front", -1, 1)),
    ],
)
def test_forbidden_write(fake: Bench, fault: str, finding: tuple[str, str, int, int]) -> None:
    """One write too far, into each zone, is one finding with its exact place, in each run."""
    recording = fake.logit_grad(fake.floats(3, 4), fake.floats(3, 4), faults=fault)
    assert recording.findings(0) == [finding]
    assert recording.findings(1) == [finding]
    assert recording.code == 0


@pytest.mark.parametrize(("place", "zone", "first"), [(100, "slack", 100), (160, "guard-rear", 0)])
def test_only_the_first_workspace_has_slack(fake: Bench, place: int, zone: str, first: int) -> None:
    """Later ones end where the watched memory begins, as those that a pool gives."""
    faults = f"workspace:100 write-workspace:{place}"
    recording = fake.logit_grad(fake.floats(3, 4), fake.floats(3, 4), faults=faults)
    assert recording.findings(0) == [("workspace", zone, first, 1)]
    assert recording.findings(1) == [("workspace", "guard-rear", place - 100, 1)]


def test_without_slack_the_rear_guard_starts_at_the_rounded_size(fake: Bench) -> None:
    """On a product whose aclrtMalloc leaves no extra room, that room is guarded."""
    facts = "runs 1\nslack 0\ndeterministic 0"
    x = fake.floats(3, 4)
    recording = fake.logit_grad(x, x, facts=facts, faults="write:out@15 write:out@16")
    assert recording.findings() == [("out", "slack", 60, 4), ("out", "guard-rear", 0, 4)]
    assert recording.of("repeat") == []


@pytest.mark.parametrize("name", ["x", "out"])
def test_write_into_a_gap(fake: Bench, name: str) -> None:
    """A write between the elements of a view is a finding, counted in storage elements."""
    layout = {"strides": [8, 1], "offset": 1, "storage": [3, 8]}
    x = fake.floats(3, 4)
    recording = fake.logit_grad(
        x,
        x,
        fake.tensor("x", "input", (3, 4), "data 0 48", **layout),
        fake.tensor("out", "output", (3, 4), "output", **layout),
        faults=f"write:{name}@0 write:{name}@5 write:{name}@23",
    )
    assert recording.findings() == [(name, "gap", 0, 3)]


def test_changed_input_is_counted_in_view_order(fake: Bench) -> None:
    """Storage element 1 of a transposed 3x4 input is the view's element (1, 0)."""
    x = fake.floats(3, 4)
    transposed = fake.tensor("x", "input", (3, 4), "data 0 48", strides=[1, 3])
    recording = fake.logit_grad(x, x, transposed, faults="write:x@1")
    assert recording.findings() == [("x", "input", 4, 1)]


ROWS = {"strides": [9, 1], "storage": [3, 9]}
"""Two views of four columns each, and a gap behind them."""


def in_one_storage(fake: Bench, offset: int, data: int, faults: str = "") -> Recording:
    """A call whose second input is in the storage of the first, in a first and a second run."""
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50) ** 2
    return fake.logit_grad(
        x,
        dy,
        fake.tensor("x", "input", (3, 4), "data 0 48", **ROWS),
        fake.tensor("dy", "input", (3, 4), f"shares x data {data} 48", offset=offset, **ROWS),
        faults=faults,
    )


@pytest.mark.parametrize(("offset", "data"), [(4, 48), (0, 0)], ids=["halves", "same"])
def test_inputs_in_one_storage(fake: Bench, offset: int, data: int) -> None:
    """Both get the address of one storage with the elements of both, also after phase one."""
    recording = in_one_storage(fake, offset, data)
    assert recording.code == 0, recording.stderr
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50) ** 2
    other = dy if data else x
    np.testing.assert_array_equal(recording.output("out"), (x - other + np.float32(0.5)).ravel())
    assert recording.of("memory") == []
    assert [event["different"] for event in recording.of("repeat")] == [0]


@pytest.mark.parametrize(
    ("offset", "fault", "findings"),
    [
        (4, "write:x@0", [("x", "input", 0, 1)]),
        (4, "write:x@13", [("dy", "input", 4, 1)]),
        (4, "write:dy@16 write:dy@9", [("x", "input", 4, 1), ("dy", "input", 7, 1)]),
        (4, "write:dy@17", [("x", "gap", 17, 1)]),
        (4, "write:dy@-1", [("x", "guard-front", -4, 4)]),
        (0, "write:x@10", [("x", "input", 5, 1)]),
        (0, "write:dy@4 write:dy@10", [("x", "input", 5, 1), ("x", "gap", 4, 1)]),
    ],
)
def test_write_into_a_shared_storage(
    fake: Bench, offset: int, fault: str, findings: list[tuple[str, str, int, int]]
) -> None:
    """An element is found once, under the input to which it belongs; all else under the first."""
    recording = in_one_storage(fake, offset, 48 if offset else 0, fault)
    assert recording.findings(0) == findings
    assert recording.findings(1) == findings


def test_large_inputs_in_one_storage(fake: Bench) -> None:
    """Neither piece by piece nor in whole is an element of one a gap of the other."""
    x, dy = fake.floats(1100, 1003), fake.floats(1100, 1003) * 2
    rows = {"strides": [2006, 1], "storage": [1100, 2006]}
    recording = fake.logit_grad(
        x,
        dy,
        fake.tensor("x", "input", x.shape, f"data 0 {x.nbytes}", **rows),
        fake.tensor(
            "dy", "input", x.shape, f"shares x data {x.nbytes} {x.nbytes}", offset=1003, **rows
        ),
        faults=f"write:x@{2006 * 900 + 1003 + 5}",
    )
    assert recording.findings() == [("dy", "input", 900 * 1003 + 5, 1)]
    np.testing.assert_array_equal(recording.output("out"), (x - dy + np.float32(0.5)).ravel())


@pytest.mark.parametrize(
    ("element", "seen"),
    [
        (0, [0x76767676, 0x7FDD7FDD]),
        (5, [0x76767676, 0x7FDD7FDD]),
        (-1, [0xC3C3C3C3]),
        (24, [0x3C3C3C3C]),
        (32, [0xC3C3C3C3]),
    ],
    ids=["offset", "gap", "front", "slack", "rear"],
)
def test_forbidden_read(fake: Bench, element: int, seen: list[int]) -> None:
    """A read beside the elements of a view gives known bytes; in a gap they differ by run."""
    layout = {"strides": [8, 1], "offset": 1, "storage": [3, 8]}
    x = fake.floats(3, 4)
    view = fake.tensor("x", "input", (3, 4), "data 0 48", **layout)
    recording = fake.logit_grad(x, x, view, faults=f"peek:{element}")
    first = [recording.output("out", "<u4", run)[0] for run in range(len(seen))]
    assert first == seen
    assert recording.of("repeat")[0]["different"] == len(seen) - 1


def test_unwritten_element(fake: Bench) -> None:
    """An element that the operator forgets holds the run's poison in both runs."""
    recording = fake.logit_grad(fake.floats(3, 4), fake.floats(3, 4), faults="skip:7")
    (repeat,) = recording.of("repeat")
    assert (repeat["different"], repeat["first"]) == (1, 7)
    assert (repeat["unwritten"], repeat["unwritten_first"]) == (1, 7)
    assert recording.output("out", "<u4", run=0)[7] == 0x7B7B7B7B
    assert recording.output("out", "<u4", run=1)[7] == 0xFFA5FFA5


def test_element_that_differs_between_the_runs(fake: Bench) -> None:
    """An element that comes out differently is reported as different, not as unwritten."""
    recording = fake.logit_grad(fake.floats(3, 4), fake.floats(3, 4), faults="restless:3")
    repeat = recording.of("repeat")[0]
    assert (repeat["different"], repeat["first"]) == (1, 3)
    assert (repeat["unwritten"], repeat["unwritten_first"]) == (0, -1)
    assert [event["run"] for event in recording.of("output")] == [0, 1]


def differences(recording: Recording) -> list[tuple[int, int]]:
    """Run and differing elements of each comparison."""
    return [(event["run"], event["different"]) for event in recording.of("repeat")]


CONFIRMED = [(run, 0) for run in (100, 100, 101, *[100] * 6, 101, 101, 101)]
"""The first two runs repeated, in no period."""

GAPS = {"strides": [8, 1], "offset": 1, "storage": [3, 8]}


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        # The first repetition of run 0 differs: nothing more is to be learnt.
        ("restless:3", [(1, 1), (100, 1)]),
        ("frozen", [(1, 12), *CONFIRMED, (102, 12)]),
        ("peek:5", [(1, 1), *CONFIRMED, (102, 0)]),
        ("skip:7", [(1, 1)]),
    ],
)
def test_runs_that_say_why_outputs_differ(
    fake: Bench, fault: str, found: list[tuple[int, int]]
) -> None:
    """A racing device, data that phase one reads, and memory that nobody wrote are told apart."""
    x = fake.floats(3, 4)
    view = fake.tensor("x", "input", (3, 4), "data 0 48", **GAPS)
    recording = fake.logit_grad(x, x + 1, view, faults=fault)
    assert differences(recording) == found
    assert {event["run"] for event in recording.of("output")} <= {0, 1}


def test_device_that_is_lost_while_it_is_looked_for_why(fake: Bench) -> None:
    """What was recorded before stays, and nothing is made behind it."""
    recording = fake.logit_grad(
        fake.floats(3), fake.floats(3), faults="restless:0 synchronize-fails:3"
    )
    assert recording.of("phase2")[-1]["run"] == 100
    assert recording.of("phase2")[-1]["synchronize"] != 0
    assert differences(recording) == [(1, 1)]


def test_content_of_inputs_changes_between_the_phases(fake: Bench) -> None:
    """Only in the second run: an operator that keeps what phase one saw has inverted bits there."""
    x = fake.floats(3)
    recording = fake.logit_grad(x, np.zeros(3, np.float32), faults="frozen", eps="0x0p+0")
    assert recording.output("out", run=0).tolist() == x.tolist()
    assert recording.output("out", "<u4", run=1).tolist() == (~x.view("<u4")).tolist()


def test_equal_second_run_is_not_written_again(fake: Bench) -> None:
    """The outputs file holds the second run only where it says something new."""
    recording = fake.logit_grad(fake.floats(3, 4), fake.floats(3, 4))
    assert [event["run"] for event in recording.of("output")] == [0]
    assert len(recording.outputs) == 48


@pytest.mark.parametrize("failure", ["refuse", "launch-fails"])
def test_failed_call_must_touch_nothing(fake: Bench, failure: str) -> None:
    """When a phase fails, any change to an output is a finding, too, and no output is recorded."""
    x = fake.floats(3, 4)
    recording = fake.logit_grad(x, x, faults=f"{failure} write:out@2 write:x@3 write:dy@30")
    expected = [("x", "input", 3, 1), ("dy", "guard-rear", 24, 4)]
    # The fake's launch does its work although it says that it failed, so all elements change.
    count = {"refuse": (2, 1), "launch-fails": (0, 12)}[failure]
    assert recording.findings() == [*expected, ("out", "output-touched", *count)]
    assert recording.of("output") == recording.of("repeat") == []


def test_workspace_is_exactly_as_large_as_asked_for(fake: Bench) -> None:
    """The event says what phase one asked for; with 0 the operator gets nullptr."""
    x = fake.floats(3, 4)
    for size in (0, 1, 4096):
        recording = fake.logit_grad(x, x, faults=f"workspace:{size}")
        assert [event["workspace"] for event in recording.of("phase1")] == [size, size]
        assert [event["status"] for event in recording.of("phase2")] == [0, 0]
