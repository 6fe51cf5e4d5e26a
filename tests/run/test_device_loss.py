# SPDX-License-Identifier: Apache-2.0
"""A refused device is told with the case that was the last to run on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aclnn_cts.run.process import UNKNOWN_DEVICE, ProgramRun
from aclnn_cts.run.resume import lost_devices, where_lost
from aclnn_cts.run.schedule import NO_RUNTIME

DEVICE = {"event": "device", "soc": "Ascend910B3", "cann": "", "inf_nan": True, "nonce": "n"}

Leave = Callable[..., ProgramRun]


@pytest.fixture
def leave(tmp_path: Path) -> Leave:
    """Return what leaves a process's record: the cases that it ended, and one that it did not."""
    made: list[ProgramRun] = []

    def process(
        exit_code: int | None, *ended: str, begun: str = "", device: int = 0, cut: str = ""
    ) -> ProgramRun:
        events = tmp_path / f"{len(made)}.jsonl"
        lines = [DEVICE] if ended or begun else []
        for case in ended:
            end = {"event": "end", "case": case, "microseconds": 1.0}
            lines += [{"event": "begin", "case": case}, end]
        lines += [{"event": "begin", "case": begun}] if begun else []
        written = (json.dumps(line, separators=(",", ":")) for line in lines)
        events.write_text("".join(f"{line}\n" for line in written))
        made.append(
            ProgramRun("aclnnX", exit_code, timed_out=False, seconds=1.0, stderr="", events=events,
                       outputs=events, device=device, cut=cut)
        )  # fmt: skip
        return made[-1]

    return process


def test_in_or_after_a_case(leave: Leave) -> None:
    """A case that did not end is where the device was lost; one that did only stands before it."""
    crashed, normal = leave(-11, "X.a", begun="X.b"), leave(0, "X.a", "X.b")
    refused = leave(NO_RUNTIME)
    assert where_lost([crashed, refused], refused) == (
        "device 0 was lost in X.b (aclnnX: the program was killed by SIGSEGV)"
    )
    assert where_lost([normal, refused], refused) == (
        "device 0 was lost after X.b (aclnnX: the program ended with status 0)"
    )


def test_a_case_whose_events_were_cut_off(leave: Leave) -> None:
    """It was running when its batch's time was up, and the events end before it."""
    cut, refused = leave(None, "X.a", cut="X.b"), leave(NO_RUNTIME)
    assert "was lost in X.b (" in where_lost([cut, refused], refused)


def test_nothing_is_said_that_is_not_known(leave: Leave) -> None:
    """A device that no process reached, or none of which it is known, was lost nowhere."""
    elsewhere, unknown = leave(0, "X.a", device=1), leave(None, "X.a", device=UNKNOWN_DEVICE)
    refused = leave(NO_RUNTIME)
    assert where_lost([elsewhere, unknown, refused], refused) == ""
    assert lost_devices([elsewhere, unknown, refused], [0, 1]) == ""


def test_the_processes_that_were_refused_before(leave: Leave) -> None:
    """However often a lost device was tried, the last case stands before all that."""
    crashed, first, second = leave(-6, begun="X.a"), leave(NO_RUNTIME), leave(NO_RUNTIME)
    assert "lost in X.a (" in lost_devices([crashed, first, second], [0])


def test_a_device_that_came_back(leave: Leave) -> None:
    """What it was lost in the last time counts, and nothing as long as it is there."""
    crashed, refused, back = leave(-6, begun="X.a"), leave(NO_RUNTIME), leave(-6, begun="X.b")
    assert lost_devices([crashed, refused, back], [0]) == ""
    again = replace(leave(NO_RUNTIME), seconds=2.0)
    assert "lost in X.b (" in lost_devices([crashed, refused, back, again], [0])


def test_many_devices(leave: Leave) -> None:
    """The last ones to be lost are named, and the sentence stays short."""
    crashed = [leave(-6, begun=f"X.{number}", device=number) for number in range(8)]
    refused = [leave(NO_RUNTIME, device=number) for number in range(8)]
    told = lost_devices([*crashed, *refused], range(8))
    assert [part.split(" (")[0] for part in told.split(", ")] == [
        "device 7 was lost in X.7",
        "device 6 was lost in X.6",
        "device 5 was lost in X.5",
        "5 more before",
    ]
    assert "device 1 was lost in X.1" in lost_devices([*crashed, *refused], [1])
