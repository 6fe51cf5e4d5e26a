# SPDX-License-Identifier: Apache-2.0
"""Reading text, writing files atomically, and digesting them."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import mmap
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from aclnn_cts.errors import NotTrustworthyError, WrongFileError, WrongInputError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of ``path`` at the end; raises as :func:`replaced`.

    Devices and pipes are written directly; links are followed.
    """
    if path.exists() and not path.is_file():
        try:
            with path.open("wb") as file:
                yield file
        except OSError as error:
            raise explain(error, path) from None
        return
    with replaced(path.resolve()) as temporary, temporary.open("w+b") as file:
        yield file


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Make an empty temporary file that replaces ``path`` at the end; raises as :func:`beside`."""
    with beside(path) as temporary:
        yield temporary
        temporary.replace(path)


@contextlib.contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Make an empty temporary file beside ``path``, which is removed at the end unless it moved.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full, or the file too large.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        # The kernel applies the umask; reading it in Python would change it for all threads.
        handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        temporary = new
        os.close(handle)
        yield temporary
    except OSError as error:
        raise explain(error, path) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def refuse_pipes(path: Path) -> None:
    """Refuse a folder, or a file, that holds or is a pipe or a device, which never ends.

    Raises:
        WrongInputError: It does; the message names it.
    """
    for entry in (path, *(path.iterdir() if path.is_dir() else ())):
        if entry.exists() and not entry.is_file() and not entry.is_dir():
            raise WrongInputError(f"{entry}: is not a file; remove it, or name another")


def refuse_links_out(folder: Path, entries: Iterable[Path]) -> None:
    """Refuse links that lead out of a folder, because messages may quote what they lead to.

    The folder may come from another person, and its links may name any file of this host.

    Raises:
        WrongInputError: One does; the message names it.
    """
    for entry in entries:
        if entry.is_symlink():
            within = os.path.realpath(str(folder))
            if os.path.commonpath((within, os.path.realpath(str(entry)))) != within:
                raise WrongInputError(
                    f"{entry}: is a link out of the folder; replace it by a copy of the file"
                )


def explain(error: OSError, path: Path) -> WrongInputError | NotTrustworthyError:
    """Return the message for a file that could not be written.

    A full disk is not the user's mistake, so it is a NotTrustworthyError.
    """
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NotTrustworthyError(
            f"{path}: the disk is full; free some space and run the command again"
        )
    if error.errno == errno.EFBIG:
        return NotTrustworthyError(
            f"{path}: grew larger than this system allows; raise the limit (`ulimit -f`), or "
            "choose another disk, and run the command again"
        )
    return WrongInputError(
        f"{path}: cannot be written: {error.strerror}; choose a folder that you may write to"
    )


def read_text(path: Path, kind: str = "file") -> str:
    """Return the text of a file that people write, without a byte order mark.

    Args:
        kind: What the file is called in messages.

    Raises:
        WrongInputError: The file cannot be read.
        WrongFileError: ``path:LINE:`` it is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise WrongInputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise WrongInputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise WrongFileError(
            f"{path}:{line}: is not valid UTF-8 ({error.reason}); save the {kind} as UTF-8"
        ) from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file under its name at once; raises as :func:`replacing`."""
    with replacing(path) as file:
        file.write(content)


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 text file under its name at once; raises as :func:`replacing`."""
    write_bytes(path, text.encode())


def digest_of_files(files: Iterable[tuple[str, bytes]]) -> str:
    """Return the hexadecimal SHA-256 digest of some files' names and contents, in their order."""
    lines = (f"{name} {hashlib.sha256(content).hexdigest()}\n" for name, content in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


_READ = 1 << 20
"""Bytes that are read at a time."""


def mapped(path: Path) -> mmap.mmap | bytes:
    """Return a file's content without reading it; OSError if it cannot be read."""
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def sha256_of(path: Path) -> str:
    """Return the hexadecimal SHA-256 digest of a file's content; OSError if it cannot be read."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while content := file.read(_READ):
            digest.update(content)
    return digest.hexdigest()
