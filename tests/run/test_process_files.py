# SPDX-License-Identifier: Apache-2.0
"""The files of processes: each has names of its own, and these tell which process it was."""

from __future__ import annotations

from pathlib import Path

from aclnn_cts.run.process import ProcessFiles, part_name

BATCH = "aclnnLogitGrad-001"


def test_the_first_process_has_the_name_of_its_batch() -> None:
    """So the files of a batch are found by its name, as those of a kit are."""
    assert [part_name(BATCH, part) for part in range(3)] == [BATCH, f"{BATCH}.1", f"{BATCH}.2"]


def test_a_file_that_is_not_there_has_no_digest(tmp_path: Path) -> None:
    """A program may have died before it wrote any."""
    files = ProcessFiles.of(tmp_path, BATCH)
    assert files.digests() == ("", "")
    files.outputs.parent.mkdir()
    files.outputs.write_bytes(b"x")
    events, outputs = files.digests()
    assert not events
    assert len(outputs) == 64
