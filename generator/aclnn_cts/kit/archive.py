# SPDX-License-Identifier: Apache-2.0
"""The archives of kits: a ``.tar.gz`` whose first file lists the SHA-256 digests of the others.

The digests detect damage and mistakes. They are not a signature, because anybody can write new
ones. A kit carries this module to write its outputs, so it needs nothing but the standard library
of Python 3.8.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, BinaryIO

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import refuse_pipes, replacing

MANIFEST = "MANIFEST.sha256"
"""The list of digests, in the format of ``sha256sum``."""

KIT, OUTPUTS = "aclnn-cts-kit/", ""
"""The top folders of the two kinds of archives."""

_KIND = {KIT: "a packed kit", OUTPUTS: "the outputs of a kit"}
_ADVICE = {KIT: "name an undamaged copy of the kit", OUTPUTS: "copy it from its host again"}
_PART = r"\w[\w.+-]*"
_LINE = re.compile(rf"(?P<digest>[0-9a-f]{{64}})  (?P<name>{_PART}(/{_PART})*)", re.ASCII)
_MAGIC = b"\x1f\x8b\x08"
_LEVEL = 1
_MOST_GROWTH = 300
"""Maximum expansion ratio; data compressed at level 1 stay below it, a decompression bomb does
not."""

_CHUNK = 1 << 20


def write_archive(path: Path, folder: str, members: Mapping[str, bytes | Path | BinaryIO]) -> None:
    """Write an archive, whole or not at all; the same members give the same bytes.

    Args:
        folder: The folder that it unpacks to, :data:`KIT` or :data:`OUTPUTS`.
        members: Bytes, or the file that holds them, closed or open, by name in the archive.

    Raises:
        WrongInputError: The archive cannot be written.
        NotTrustworthyError: The disk is full.
    """
    manifest = "".join(f"{_digest(content)}  {name}\n" for name, content in members.items())
    with replacing(path) as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed:  # noqa: SIM117
        # Python 3.8 allows no parentheses around the contexts of a "with".
        with tarfile.open(mode="w|", fileobj=packed, format=tarfile.PAX_FORMAT) as archive:
            for name, content in {MANIFEST: manifest.encode(), **members}.items():
                info = tarfile.TarInfo(folder + name)
                info.mode = 0o755 if name.endswith(".sh") else 0o644
                with _open(content) as file:
                    info.size = file.seek(0, io.SEEK_END)
                    file.seek(0)
                    archive.addfile(info, file)


@contextlib.contextmanager
def _open(content: bytes | Path | BinaryIO) -> Iterator[BinaryIO]:
    if isinstance(content, Path):
        with content.open("rb") as file:
            yield file
    else:
        yield io.BytesIO(content) if isinstance(content, bytes) else content


def _digest(content: bytes | Path | BinaryIO) -> str:
    with _open(content) as file:
        file.seek(0)
        return _digest_of_rest(b"", file)


def check_archive(
    path: Path, folder: str, keep: Callable[[str], bool]
) -> tuple[Mapping[str, str], Mapping[str, bytes]]:
    """Check each file of an archive; nothing is written to disk.

    It may hold only regular files with plain names, each once, and only those that it lists.

    Args:
        folder: The folder that it unpacks to, :data:`KIT` or :data:`OUTPUTS`.
        keep: Says whether the content of a file of this name is to be returned.

    Returns:
        The digests of all files, and the contents that are to be kept, by name.

    Raises:
        WrongInputError: There is no such file, or it is not an archive of this kind.
        NotTrustworthyError: It is modified or truncated; names the first file that differs.
    """
    refuse_pipes(path)
    expected = {MANIFEST: ""}
    digests: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    try:
        for name, content in _files(path, folder):
            if name not in expected or name in digests:
                raise _DamageError(f"{name!r} is not in {MANIFEST}, or is there twice")
            contents[name] = content.read() if name == MANIFEST or keep(name) else b""
            digests[name] = _digest_of_rest(contents[name], content)
            if name == MANIFEST:
                expected.update(_parse_manifest(contents[name]))
            elif digests[name] != expected[name]:
                raise _DamageError(f"{name} differs")
        missing = [name for name in expected if name not in digests]
        if missing:
            raise _DamageError(f"{missing[0]} is missing")
    except _OtherKindError:
        raise WrongInputError(f"{path}: is not {_KIND[folder]}; name another file") from None
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, ValueError) as error:
        place = (
            f"only its content up to {next(reversed(digests))} is whole"
            if digests
            else "nothing of it can be read"
        )
        reason = str(error) if isinstance(error, _DamageError) else place
        raise NotTrustworthyError(
            f"{path}: is modified or truncated: {reason}; {_ADVICE[folder]}"
        ) from None
    except OSError as error:
        raise WrongInputError(f"{path}: cannot be read: {error.strerror}") from None
    return digests, {name: contents[name] for name in filter(keep, contents)}


def _digest_of_rest(begin: bytes, rest: IO[bytes]) -> str:
    digest = hashlib.sha256(begin)
    while chunk := rest.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


class _OtherKindError(Exception):
    """It is not an archive of the requested kind."""


class _DamageError(ValueError):
    """An archive is modified or truncated."""


class _Limited(io.RawIOBase):
    """A stream that raises an error when it grows beyond a plausible size."""

    def __init__(self, stream: gzip.GzipFile, most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise _DamageError("it holds more than an archive of its size can")
        return content


def _files(path: Path, folder: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the names and contents of an archive's files, and read the archive to its end."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise _OtherKindError
        most = _MOST_GROWTH * file.seek(0, io.SEEK_END) + _CHUNK
        file.seek(0)
        with gzip.open(file) as unpacked:
            stream = _Limited(unpacked, most)
            with tarfile.open(mode="r|", fileobj=stream) as archive:
                for info in archive:
                    if info.offset == 0 and info.name != folder + MANIFEST:
                        raise _OtherKindError
                    name = info.name[len(folder) :]
                    content = archive.extractfile(info) if info.type == tarfile.REGTYPE else None
                    if content is None or folder + name != info.name:
                        raise _DamageError(f"{info.name!r} does not belong to it")
                    yield name, content
            # The gzip checksum follows the last block.
            while stream.read(_CHUNK):
                pass


def _parse_manifest(manifest: bytes) -> dict[str, str]:
    lines = [_LINE.fullmatch(line) for line in manifest.decode("ascii", "replace").splitlines()]
    if None in lines:
        raise _DamageError(f"{MANIFEST} differs in line {lines.index(None) + 1}")
    return {line["name"]: line["digest"] for line in lines if line is not None}
