# SPDX-License-Identifier: Apache-2.0
"""Where a process ran of which its runner noted no end."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclnn_cts.run.process import UNKNOWN_DEVICE, ProcessFiles, ProgramRun
from aclnn_cts.run.schedule import Assignment


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
