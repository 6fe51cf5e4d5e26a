# SPDX-License-Identifier: Apache-2.0
"""What is kept by content is made once, and made again if its file is damaged."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from aclnn_cts.kept import kept

THING = {"a": (1, 2.0), "b": None}


def refuse() -> object:
    raise AssertionError("it was made again")


def test_a_thing_is_made_once(tmp_path: Path) -> None:
    """Another content asks for a thing of its own; the collector goes on as it was."""
    assert kept(tmp_path, "content", lambda: THING) is THING
    assert kept(tmp_path, "content", refuse) == THING
    assert gc.isenabled()
    with pytest.raises(AssertionError, match="made again"):
        kept(tmp_path, "other", refuse)


@pytest.mark.parametrize("left", [slice(0), slice(20), slice(32), slice(-1), slice(1, None)])
def test_damaged_files_count_as_none(tmp_path: Path, left: slice) -> None:
    """It is made again, and the file is mended."""
    kept(tmp_path, "content", lambda: THING)
    (file,) = tmp_path.glob("*.kept")
    file.write_bytes(file.read_bytes()[left])
    assert kept(tmp_path, "content", lambda: THING) is THING
    assert kept(tmp_path, "content", refuse) == THING


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert kept(tmp_path / "file" / "below", "content", lambda: THING) is THING
