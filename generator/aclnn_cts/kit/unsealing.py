# SPDX-License-Identifier: Apache-2.0
"""Reading sealed archives: nothing is believed, or written to disk, before the seal was checked.

Only plain files with plain names are taken: no links, no devices, no way out of the folder.
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
from typing import BinaryIO

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import explain
from aclnn_cts.kit.sealing import HEADER, MANIFEST, MANIFEST_DIGEST, SEAL_BYTES

_PIECE = 1 << 20
_MOST_MANIFEST = 32 << 20
_MOST_MEMBERS = 200_000
_MOST_GROWTH = 200
"""By how much an archive may grow when it is unpacked: a kit's numbers and sources grow by less
than a tenth of it, and a bomb by a thousand times."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*(/[A-Za-z0-9][A-Za-z0-9._+-]*)*")
_LINE = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<name>\S+)")
_BROKEN = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError)

Place = Callable[[str], BinaryIO | None]
"""Says where a member's content goes; None if only its digest counts."""


class _Altered(Exception):  # noqa: N818 - no error of ours: it says what was found
    """A member is not what the manifest says, or no member at all."""


class _OtherKind(_Altered):
    """An archive of ours, but not of the kind that was asked for."""


def read_sealed(path: Path, what: str, prefix: str, place: Place) -> Mapping[str, str]:
    """Read an archive after a look at its seal; return the digests of its files by name.

    Args:
        path: The archive.
        what: What it is, for messages: ``kit`` or ``outputs``.
        prefix: What all names in it begin with; it is taken off.
        place: Opens the place for each member's content; this function closes it.

    Raises:
        WrongInputError: There is no such file, or it is no sealed archive.
            Or a place cannot be written to.
        NotTrustworthyError: It was altered or cut off (the first file that differs is named), or
            holds what no archive of ours holds; or the disk is full.
    """
    intact = _is_intact(path, what)
    digests: dict[str, str] = {}
    listed: dict[str, str] = {}
    try:
        for name, content in _members(path, prefix):
            with _writing(name):
                file = place(name) if intact and listed else None
            digest = _take(content, file, name, listed)
            digests[name] = digest
            _compare(name, digests, listed)
        _require_all(digests, listed)
    except _OtherKind as found:
        error = _refused(path, what, str(found))
        raise (_no_archive(path, what) if intact else error) from None
    except _Altered as found:
        raise _refused(path, what, str(found)) from None
    except _BROKEN as error:
        after = next(reversed(digests), "its beginning")
        raise _refused(path, what, f"it breaks off behind {after} ({error})") from None
    if not intact:
        raise _refused(path, what, "its files are whole, but not what is around them")
    return digests


def _refused(path: Path, what: str, found: str) -> NotTrustworthyError:
    # A kit is packed at home; only its outputs come from a host.
    again = "name an undamaged copy of the kit" if what == "kit" else "copy it from its host again"
    return NotTrustworthyError(f"{path}: was altered or cut off: {found}; {again}")


def _no_archive(path: Path, what: str) -> WrongInputError:
    kind = "a packed kit" if what == "kit" else "the outputs of a kit"
    return WrongInputError(f"{path}: is no archive with {kind}; name another file")


def _is_intact(path: Path, what: str) -> bool:
    """Whether an archive is as it was sealed.

    Raises:
        WrongInputError: It is none, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(HEADER) + SEAL_BYTES)
            digest = hashlib.sha256()
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise WrongInputError(f"{path}: cannot be read: {error.strerror}") from None
    # A single changed byte of the header must not make the message a different one.
    alike = sum(a == b for a, b in zip(head, HEADER, strict=False))
    if alike < min(len(head), len(HEADER)) - 1 or not head:
        raise _no_archive(path, what)
    return head == HEADER + digest.digest()


class _Limited:
    """A stream that ends with an error instead of growing beyond what is plausible."""

    def __init__(self, stream: gzip.GzipFile, most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int) -> bytes:
        content = self._stream.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise _Altered("it holds more than an archive of its size can")
        return content

    def exactly(self, size: int) -> Iterator[bytes]:
        """Yield so many bytes, in pieces."""
        while size > 0:
            content = self.read(min(size, _PIECE))
            if not content:
                raise EOFError("the end is missing")
            size -= len(content)
            yield content


def _members(path: Path, prefix: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the names and contents of an archive's files; each content must be read to its end."""
    seen: set[str] = set()
    with gzip.open(path) as unzipped:
        stream = _Limited(unzipped, _MOST_GROWTH * path.stat().st_size + _PIECE)
        while any(block := b"".join(stream.exactly(tarfile.BLOCKSIZE))):
            info = tarfile.TarInfo.frombuf(block, "ascii", "strict")
            name = info.name.removeprefix(prefix)
            if not seen and info.name != prefix + MANIFEST and info.name.endswith(MANIFEST):
                raise _OtherKind(f"it begins with {info.name}")
            if info.type != tarfile.REGTYPE or not info.name.startswith(prefix):
                raise _Altered(f"{info.name!r} is no plain file of it")
            if _NAME.fullmatch(name) is None or name in seen or len(seen) >= _MOST_MEMBERS:
                raise _Altered(f"{info.name!r} is a name that it cannot hold")
            seen.add(name)
            if info.size < 0:
                raise _Altered(f"{name} has no size")
            yield name, stream.exactly(info.size)
            for _ in stream.exactly(-info.size % tarfile.BLOCKSIZE):
                pass
        while stream.read(_PIECE):
            pass


def _take(
    content: Iterator[bytes], file: BinaryIO | None, name: str, listed: dict[str, str]
) -> str:
    """Read a member; return its digest, and note what it lists if it is the manifest."""
    digest = hashlib.sha256()
    manifest = io.BytesIO()
    with contextlib.ExitStack() as stack:
        if file is not None:
            stack.callback(_close, file, name)
        for piece in content:
            digest.update(piece)
            if file is not None:
                with _writing(name, file):
                    file.write(piece)
            if name == MANIFEST and manifest.tell() <= _MOST_MANIFEST:
                manifest.write(piece)
    if name == MANIFEST:
        listed.update(_listed(manifest.getvalue()))
    return digest.hexdigest()


@contextlib.contextmanager
def _writing(name: str, file: BinaryIO | None = None) -> Iterator[None]:
    """Say of a place that cannot be written to that it cannot: the archive may be whole."""
    try:
        yield
    except OSError as error:
        place = error.filename or getattr(file, "name", name)
        raise explain(error, Path(str(place))) from None


def _close(file: BinaryIO, name: str) -> None:
    with _writing(name, file):  # what is left in a buffer
        file.close()


def _listed(manifest: bytes) -> Iterator[tuple[str, str]]:
    for line in manifest.decode("ascii", "replace").splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            raise _Altered(f"{MANIFEST} differs: {line[:80]!r} is no digest with a name")
        yield found["name"], found["digest"]


def _require_all(digests: Mapping[str, str], listed: Mapping[str, str]) -> None:
    missing = next((name for name in (*listed, MANIFEST) if name not in digests), None)
    if missing is not None:
        raise _Altered(f"{missing} is missing")


def _compare(name: str, digests: Mapping[str, str], listed: Mapping[str, str]) -> None:
    expected = listed.get(name)
    if name == MANIFEST_DIGEST and MANIFEST in digests:
        expected = hashlib.sha256(digests[MANIFEST].encode()).hexdigest()
    if name == MANIFEST:
        return
    if expected is None:
        raise _Altered(f"{name} is not what {MANIFEST} lists")
    if expected != digests[name]:
        raise _Altered(f"{name} differs")
