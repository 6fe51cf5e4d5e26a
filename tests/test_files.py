# SPDX-License-Identifier: Apache-2.0
"""Writing files: whole or not at all, and a sentence when it fails."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import explain, replacing, sha256_of, write_bytes, write_text


def test_whole_files_with_ordinary_rights(tmp_path: Path) -> None:
    """Folders are made, the content is exact, and the umask alone decides who may read."""
    path = tmp_path / "a" / "b.txt"
    write_text(path, "grün\n")
    assert path.read_bytes() == "grün\n".encode()
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode


def test_rights_of_what_others_make_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing changes nothing that other threads, and the processes that they start, see."""
    umask = os.umask

    def slowly(mask: int) -> int:
        found = umask(mask)
        time.sleep(1e-3)  # whoever asks for the umask changes it meanwhile
        return found

    before = umask(0o027)
    monkeypatch.setattr(os, "umask", slowly)
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            write_bytes(tmp_path / "written", b"")

    writer = threading.Thread(target=write)
    try:
        writer.start()
        made = {_made_beside(tmp_path / "beside") for _ in range(500)}
    finally:
        done.set()
        writer.join()
        umask(before)
    assert made == {0o640}
    assert (tmp_path / "written").stat().st_mode & 0o777 == 0o640


def _made_beside(path: Path) -> int:
    path.touch()
    found = path.stat().st_mode & 0o777
    path.unlink()
    return found


class _StopError(Exception):
    pass


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """Whatever ends the writing: the old content stays, and nothing lies beside it."""
    path = tmp_path / "file"
    write_bytes(path, b"old")

    def half() -> None:
        with replacing(path) as file:
            file.write(b"half of the new")
            raise _StopError

    with pytest.raises(_StopError):
        half()
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode != 0:
        pytest.skip("mounting a small disk takes more rights")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)  # noqa: S607


def test_a_full_disk(small_disk: Path) -> None:
    """A sentence with the advice, the old file intact, nothing half-written left."""
    path = small_disk / "file"
    write_bytes(path, b"old")
    with pytest.raises(NotTrustworthyError, match="the disk is full; free some space"):
        write_bytes(path, b"x" * 200_000)
    assert path.read_bytes() == b"old"
    assert [item.name for item in small_disk.iterdir()] == ["file"]


def test_a_full_device_without_rights() -> None:
    """The same for the kernel's own full device, which needs no mount."""
    with pytest.raises(OSError, match="No space") as caught, Path("/dev/full").open("wb") as file:
        file.write(b"x" * 100_000)
    assert isinstance(explain(caught.value, Path("f")), NotTrustworthyError)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, NotTrustworthyError),
        (errno.EDQUOT, NotTrustworthyError),
        (errno.EACCES, WrongInputError),
        (errno.EROFS, WrongInputError),
        (errno.ENOTDIR, WrongInputError),
    ],
)
def test_whose_fault_it_is(number: int, kind: type[Exception]) -> None:
    """Space is the machine's trouble, rights and paths are the user's; both name the path."""
    error = explain(OSError(number, os.strerror(number)), Path("some/path"))
    assert type(error) is kind
    assert str(error).startswith("some/path: ")


def test_a_path_through_a_file(tmp_path: Path) -> None:
    """A file where a folder should be."""
    (tmp_path / "file").touch()
    with pytest.raises(WrongInputError, match="cannot be written"):
        write_bytes(tmp_path / "file" / "below", b"")


def test_digests(tmp_path: Path) -> None:
    """SHA-256 of the content, as the sha256sum program prints it."""
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert sha256_of(path).startswith("ba7816bf8f01cfea414140de5dae2223b00361a3")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    """A limit of the system is not a mistake in the command: it says how to go on."""
    told = explain(OSError(errno.EFBIG, "File too large"), tmp_path / "file")
    assert isinstance(told, NotTrustworthyError)
    assert "raise the limit (`ulimit -f`)" in str(told)


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """What is no regular file stays what it is: `-o /dev/null` as root must not replace it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_text(path, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert path.is_fifo()


def test_a_link_is_followed(tmp_path: Path) -> None:
    """The file that a link names gets the content, also if it is not there yet."""
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    for text in ("first", "second"):
        write_text(link, text)
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8") == text
