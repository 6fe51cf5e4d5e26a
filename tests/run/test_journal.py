# SPDX-License-Identifier: Apache-2.0
"""The journal: whatever ends the runner, what was known stays known."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.library_words import LIBRARY_WORDS

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.journal import (
    JOURNAL,
    RUN_FILE,
    Journal,
    Journaled,
    ReachedDevice,
    read_journal,
    write_journal,
)
from aclnn_cts.run.process import ProgramRun, UsableRecord, find_usable_record, truncate_record

FOUND = ReachedDevice("Ascend910B3", "8.0")
RUN = b"what is run"


def program(folder: Path, number: int) -> ProgramRun:
    return ProgramRun(
        operator="aclnnX",
        exit_code=-11 if number else None,
        timed_out=False,
        seconds=0.5,
        stderr="grün\n",
        events=folder / "events" / f"{number}.jsonl",
        outputs=folder / "outputs" / f"{number}.bin",
        purpose="company",
        batch="aclnnX-case00001-again2",
        part=number,
        device=3,
        about="X.c",
        company=("X.a", "X.b"),
    )


@pytest.fixture
def whole(tmp_path: Path) -> Journaled:
    """Three processes and a last line, written one by one."""
    (tmp_path / RUN_FILE).write_bytes(RUN)
    programs = tuple(program(tmp_path, number) for number in range(3))
    with contextlib.closing(Journal(tmp_path)) as journal:
        for each in programs:
            journal.note(each)
        journal.complete(FOUND)
    return Journaled(programs, FOUND)


def test_round_trip(tmp_path: Path, whole: Journaled) -> None:
    """What was noted is read, and a journal that is written at once is the same."""
    assert read_journal(tmp_path) == whole
    content = (tmp_path / JOURNAL).read_bytes()
    write_journal(tmp_path, whole, RUN)
    assert (tmp_path / JOURNAL).read_bytes() == content


def test_none(tmp_path: Path) -> None:
    """A run that was ended before its first process has no journal."""
    assert read_journal(tmp_path) == Journaled()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.data())
def test_cut_off_anywhere(tmp_path: Path, whole: Journaled, data: st.DataObject) -> None:
    """The whole lines are known, and the next line goes behind them."""
    write_journal(tmp_path, whole, RUN)
    content = (tmp_path / JOURNAL).read_bytes()
    cut = data.draw(st.integers(0, len(content) - 1))
    (tmp_path / JOURNAL).write_bytes(content[:cut])
    kept = content[:cut].count(b"\n")
    assert read_journal(tmp_path) == Journaled(whole.programs[:kept])
    with contextlib.closing(Journal(tmp_path)) as journal:
        for each in whole.programs[kept:]:
            journal.note(each)
        journal.complete(FOUND)
    assert (tmp_path / JOURNAL).read_bytes() == content


@pytest.mark.parametrize(
    "line", ["{}", "null", "7", "[", '{"event": "program", "program": {"operator": "x"}}', "\xff"]
)
def test_damage_is_not_believed(tmp_path: Path, whole: Journaled, line: str) -> None:
    """A line that has an end and is none of ours names its place."""
    del whole
    content = (tmp_path / JOURNAL).read_text().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_text("".join([*content[:1], line + "\n", *content[1:]]))
    with pytest.raises(NotTrustworthyError, match=rf"{JOURNAL}:2: is damaged") as caught:
        read_journal(tmp_path)
    assert not LIBRARY_WORDS.search(str(caught.value)), caught.value


def test_nothing_behind_the_last_line(tmp_path: Path, whole: Journaled) -> None:
    """Two journals in one file are none."""
    path = tmp_path / JOURNAL
    content = path.read_bytes()
    path.write_bytes(content + content.splitlines(keepends=True)[0])
    with pytest.raises(NotTrustworthyError, match=f"{JOURNAL}:5: is damaged"):
        read_journal(tmp_path)
    path.write_bytes(content)
    with contextlib.closing(Journal(tmp_path)) as journal:
        journal.note(whole.programs[0])
    with pytest.raises(NotTrustworthyError, match="there are data after its last line"):
        read_journal(tmp_path)


@pytest.mark.parametrize(
    "change", [list.pop, list.reverse, lambda lines: lines.insert(1, lines[0])]
)
def test_each_line_has_its_place(
    tmp_path: Path, whole: Journaled, change: Callable[[list[bytes]], object]
) -> None:
    """None of the programs' lines can go, change places or come twice."""
    *lines, last = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    change(lines)
    (tmp_path / JOURNAL).write_bytes(b"".join((*lines, last)))
    with pytest.raises(NotTrustworthyError, match="it was modified"):
        read_journal(tmp_path)
    del whole


def events_of(*sizes: int) -> bytes:
    """Return the events of a case for each size of its output."""
    lines: list[dict[str, Any]] = [{"event": "device"}]
    offset = 0
    for number, size in enumerate(sizes):
        case = {"case": f"c{number}"}
        lines += [{"event": "begin", **case}, {"event": "output", **case, "offset": offset}]
        lines[-1]["bytes"] = size
        lines.append({"event": "end", **case})
        offset += size
    lines.append({"event": "finished"})
    dump: Any = json.JSONEncoder(separators=(",", ":")).encode
    return "".join(dump(line) + "\n" for line in lines).encode()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=5), st.data())
def test_half_written_events(tmp_path: Path, sizes: list[int], data: st.DataObject) -> None:
    """Cut off anywhere, with the outputs cut off anywhere: whole cases stay if others follow.

    The case behind them is known as the one to run again, be it the process's first.
    """
    events, outputs = tmp_path / "e.jsonl", tmp_path / "o.bin"
    content = events_of(*sizes)
    cut, held = data.draw(st.integers(0, len(content))), data.draw(st.integers(0, sum(sizes)))
    events.write_bytes(content[:cut])
    outputs.write_bytes(bytes(held))
    lines = content.splitlines(keepends=True)
    starts = [sum(map(len, lines[: 1 + 3 * count])) for count in range(len(sizes) + 1)]
    follows = [len(b"".join(lines[: 5 + 3 * count])) <= cut for count in range(len(sizes))]
    there = [sum(sizes[: count + 1]) <= held for count in range(len(sizes))]
    wanted = sum(follows[n] and all(there[: n + 1]) for n in range(len(sizes)))
    half = find_usable_record(events, outputs)
    begun = wanted < len(sizes) and cut >= starts[wanted] + len(BEGIN)
    assert (half.ended, half.cut) == (wanted, f"c{wanted}" if begun else "")
    assert events.read_bytes() == content[:cut]
    truncate_record(events, half)
    assert events.read_bytes() == (content[: starts[wanted]] if wanted or begun else b"")


BEGIN = b'{"event":"begin","case":"c0"}\n'


def test_no_events(tmp_path: Path) -> None:
    """A process that left nothing leaves nothing to keep."""
    assert find_usable_record(tmp_path / "none", tmp_path / "none") == UsableRecord()
    assert replace(program(tmp_path, 1), part=2).part == 2
