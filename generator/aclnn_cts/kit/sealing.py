# SPDX-License-Identifier: Apache-2.0
"""Sealed archives: a ``.tar.gz`` that any tar unpacks, in which no byte changes unnoticed.

The gzip header (RFC 1952) holds an extra field ``AC`` with the SHA-256 digest of all that follows
the header. The first member, ``MANIFEST.sha256``, lists the digest of each other one.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from aclnn_cts.files import replacing

HEADER = bytes((0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 36, 0)) + b"AC" + bytes((32, 0))
"""Deflated, with an extra field, without a time or the name of a system."""

SEAL_BYTES = 32
MANIFEST = "MANIFEST.sha256"
MANIFEST_DIGEST = "MANIFEST.digest"
"""The manifest's own digest, for the kit's script: it needs no more than to compare two texts."""

_PIECE = 1 << 20


@dataclass(frozen=True)
class Member:
    """A file of an archive.

    Attributes:
        name: Its path in the archive.
        content: Its bytes, or the file that holds them.
        executable: Whether it may be run.
    """

    name: str
    content: bytes | Path
    executable: bool = False

    def pieces(self) -> Iterator[bytes]:
        """Yield the content piece by piece."""
        if isinstance(self.content, bytes):
            yield self.content
            return
        with self.content.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece

    @property
    def digest(self) -> str:
        """The hexadecimal SHA-256 digest of the content."""
        digest = hashlib.sha256()
        for piece in self.pieces():
            digest.update(piece)
        return digest.hexdigest()

    @property
    def size(self) -> int:
        """The content's size in bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size


def manifest_text(members: Iterable[Member]) -> str:
    """Return the digests of files as ``sha256sum --check`` reads them."""
    return "".join(f"{member.digest}  {member.name}\n" for member in members)


class _Sealing(io.RawIOBase):
    """Deflates what is written to it, and digests what it wrote."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        self._digest = hashlib.sha256()
        self._crc = 0
        self._bytes = 0
        file.write(HEADER + bytes(SEAL_BYTES))

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._crc = zlib.crc32(data, self._crc)
        self._bytes += len(data)
        self._put(self._deflate.compress(data))
        return len(data)

    def finish(self) -> None:
        """Write what is left, and the seal."""
        self._put(self._deflate.flush())
        self._put(self._crc.to_bytes(4, "little") + (self._bytes % (1 << 32)).to_bytes(4, "little"))
        self._file.seek(len(HEADER))
        self._file.write(self._digest.digest())

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._digest.update(data)


def write_sealed(path: Path, members: Iterable[Member]) -> None:
    """Write a sealed archive, whole or not at all; the same members give the same bytes.

    The first member should be the manifest of the others.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    with replacing(path) as file:
        sealing = _Sealing(file)
        with tarfile.open(fileobj=sealing, mode="w|", format=tarfile.USTAR_FORMAT) as archive:
            for member in members:
                _add(archive, member)
        sealing.finish()


def _add(archive: tarfile.TarFile, member: Member) -> None:
    info = tarfile.TarInfo(member.name)
    info.size = member.size
    info.mode = 0o755 if member.executable else 0o644
    if isinstance(member.content, bytes):
        archive.addfile(info, io.BytesIO(member.content))
        return
    with member.content.open("rb") as file:
        archive.addfile(info, file)
