# SPDX-License-Identifier: Apache-2.0
"""The files of processes: each has names of its own, and these tell which process it was."""

from __future__ import annotations

from pathlib import Path

from aclnn_cts.run.process import digest_of
from aclnn_cts.run.schedule import part_name

BATCH = "aclnnLogitGrad-001"


def test_the_first_process_has_the_name_of_its_batch() -> None:
    """So the files of a batch are found by its name, as those of a kit are."""
    assert [part_name(BATCH, part) for part in range(3)] == [BATCH, f"{BATCH}.1", f"{BATCH}.2"]


def test_a_file_that_is_not_there_has_no_digest(tmp_path: Path) -> None:
    """A program may have died before it wrote any."""
    path = tmp_path / "outputs.bin"
    assert not digest_of(path)
    path.write_bytes(b"x")
    assert len(digest_of(path)) == 64
