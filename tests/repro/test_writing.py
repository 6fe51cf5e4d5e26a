# SPDX-License-Identifier: Apache-2.0
"""The folder of a reproducer."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.repro.writing import write_folder

FILES = {"README.md": b"read", "x.bin": b"\0\1"}


def test_a_new_folder_is_written_whole(tmp_path: Path) -> None:
    """All files are there, and nothing else beside them."""
    write_folder(tmp_path / "deep" / "new", FILES)
    folder = tmp_path / "deep" / "new"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["new"]


def test_an_empty_folder_may_be_there(tmp_path: Path) -> None:
    """An empty folder is as good as none."""
    (tmp_path / "new").mkdir()
    write_folder(tmp_path / "new", FILES)
    assert (tmp_path / "new" / "README.md").is_file()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder that holds something, or a file of that name, stays as it is."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("full", "file"):
        with pytest.raises(WrongInputError, match="is there already"):
            write_folder(tmp_path / name, FILES)
    assert (tmp_path / "full" / "mine").read_text() == "mine"
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    """A path through a file gets a sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(WrongInputError, match="cannot be written"):
        write_folder(tmp_path / "file" / "new", FILES)
