# SPDX-License-Identifier: Apache-2.0
"""Reading events: all that is whole is kept, all that is not is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.library_words import LIBRARY_WORDS

from aclnn_cts.run.events import MemoryEvent, PhaseOneEvent, read_events

DEVICE = {"event": "device", "soc": "Ascend910B3", "cann": "", "inf_nan": True, "nonce": "00"}
BEGIN = {"event": "begin", "case": "c"}
PHASE = {
    "event": "phase1", "case": "c", "run": 0, "status": 0, "workspace": 64, "microseconds": 1.5,
    "message": "",
}  # fmt: skip
MEMORY = {
    "event": "memory", "case": "c", "run": 1, "tensor": "out", "kind": "gap", "first": 3,
    "count": 2, "unit": "element",
}  # fmt: skip
END = {"event": "end", "case": "c", "microseconds": 12.0}
FINISHED = {"event": "finished", "cases": 1}
LINES: list[dict[str, Any]] = [DEVICE, BEGIN, PHASE, MEMORY, END, FINISHED]


def written(folder: Path, *lines: dict[str, Any] | bytes) -> Path:
    path = folder / "events.jsonl"
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"".join(text + b"\n" for text in texts))
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    """Device, one case with its events in order, and the last line."""
    record = read_events(written(tmp_path, *LINES))
    assert record.device is not None
    assert record.device.soc == "Ascend910B3"
    assert record.finished
    assert record.damaged == []
    case = record.cases["c"]
    assert (case.ended, case.microseconds, case.begun) == (True, 12.0, 1)
    assert isinstance(case.events[0], PhaseOneEvent)
    assert isinstance(case.events[1], MemoryEvent)


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"event":"end"}', b'{"event":"unknown"}',
        json.dumps({**END, "microseconds": "long"}).encode(),
        json.dumps({**END, "more": 1}).encode(),
        json.dumps(END).encode()[:-1] + b', "c\\u0061se": "c"}',
        json.dumps({**MEMORY, "kind": "elsewhere"}).encode(),
        json.dumps(END).encode()[:-3],
        b"\x00" * 40,
    ],
)  # fmt: skip
def test_a_line_that_is_no_event(tmp_path: Path, line: bytes) -> None:
    """It is told with its number; the lines around it are kept."""
    record = read_events(written(tmp_path, DEVICE, BEGIN, line, END, FINISHED))
    assert [text.split(":")[0] for text in record.damaged] == ["3"]
    assert not LIBRARY_WORDS.search(record.damaged[0]), record.damaged
    assert record.cases["c"].ended
    assert record.finished


def test_cut_off_anywhere(tmp_path: Path) -> None:
    """After each cut there is no exception, and a case counts as ended only with its end line."""
    path = written(tmp_path, *LINES)
    content = path.read_bytes()
    end_at = content.index(b'{"event": "end"') + len(json.dumps(END))
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        record = read_events(path)
        ended = "c" in record.cases and record.cases["c"].ended
        assert ended == (cut >= end_at)
        assert not record.finished or cut >= len(content) - 1


def test_no_file(tmp_path: Path) -> None:
    """A program that ended before it wrote anything left an empty record."""
    record = read_events(tmp_path / "none.jsonl")
    assert (record.device, record.cases, record.finished) == (None, {}, False)


def test_begun_twice_and_never(tmp_path: Path) -> None:
    """How often a case was begun is kept, for the judge to refuse what is not once."""
    record = read_events(written(tmp_path, BEGIN, BEGIN, END, {**END, "case": "other"}))
    assert (record.cases["c"].begun, record.cases["other"].begun) == (2, 0)


def test_timings_are_no_events_of_a_run(tmp_path: Path) -> None:
    """They stand beside the case's events, without those that the device did not tell."""
    timing = {"event": "timing", "case": "c", "microseconds": [1.5, None, 2.5]}
    record = read_events(written(tmp_path, *LINES[:-2], timing, *LINES[-2:])).cases["c"]
    assert record.timings == (1.5, 2.5)
    assert [event.event for event in record.events] == ["phase1", "memory"]
    assert record.ended
