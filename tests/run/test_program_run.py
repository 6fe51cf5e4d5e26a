# SPDX-License-Identifier: Apache-2.0
"""What is recorded of a process: what it was started for, and what it left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.run.executor import Batch, Task
from aclnn_cts.run.process import UNKNOWN_DEVICE, ProcessFiles, ProgramRun, digest_of
from aclnn_cts.run.schedule import Assignment, Purpose, part_name

OPERATOR = "aclnnLogitGrad"


@pytest.mark.parametrize("company", [(), ("a",), ("a", "b")])
def test_a_case_that_is_run_again_is_the_last_one(bench: Any, company: tuple[str, ...]) -> None:
    """The process is about it, and what runs before it is its company."""
    cases = tuple(bench.case(name, [0.5], [1.0]) for name in (*company, "suspect"))
    purpose: Purpose = "company" if company else "alone"
    work = Task(Batch("again", OPERATOR, cases), purpose).assignment
    assert work == Assignment(OPERATOR, "again", 0, purpose, "suspect", company)


def test_a_batch_is_about_no_case(bench: Any) -> None:
    """All of its cases are due alike, in each process that works at it."""
    task = Task(Batch("batch", OPERATOR, (bench.case("a", [0.5], [1.0]),)), part=2)
    assert task.assignment == Assignment(OPERATOR, "batch", 2, "batch", "", ())


def test_what_a_process_left_that_was_cut_off_is_vouched_for(tmp_path: Path) -> None:
    """Nobody noted how it ended; but what is kept of it cannot change unnoticed."""
    files = ProcessFiles.of(tmp_path, "batch")
    files.events.parent.mkdir()
    files.events.write_text("{}\n")
    program = ProgramRun.of_interruption(Assignment(OPERATOR, "batch"), files, "a")
    assert (program.exit_code, program.timed_out, program.cut) == (None, False, "a")
    assert program.find_altered() is None
    files.events.write_text("{}")
    assert program.find_altered() == files.events


def _files(folder: Path) -> ProcessFiles:
    files = ProcessFiles.of(folder, "aclnnSilu-000")
    files.place.parent.mkdir()
    return files


def test_a_process_whose_runner_was_killed_has_its_card(tmp_path: Path) -> None:
    """What was noted when it began is in its record."""
    files = _files(tmp_path)
    files.write_place(3, "lab-07")
    run = ProgramRun.of_interruption(Assignment("aclnnSilu", "aclnnSilu-000"), files, "")
    assert (run.device, run.host) == (3, "lab-07")


@pytest.mark.parametrize("content", [b"", b'{"device": 3', b"[]", b'{"device": null, "host": ""}'])
def test_a_place_that_was_cut_off(tmp_path: Path, content: bytes) -> None:
    """The device is unknown then."""
    files = _files(tmp_path)
    files.place.write_bytes(content)
    assert files.read_place() == (UNKNOWN_DEVICE, "")


def test_the_first_process_has_the_name_of_its_batch() -> None:
    """So the files of a batch are found by its name, as those of a kit are."""
    assert [part_name("batch", part) for part in range(3)] == ["batch", "batch.1", "batch.2"]


def test_a_file_that_is_not_there_has_no_digest(tmp_path: Path) -> None:
    """A program may have died before it wrote any."""
    path = tmp_path / "outputs.bin"
    assert not digest_of(path)
    path.write_bytes(b"x")
    assert len(digest_of(path)) == 64
