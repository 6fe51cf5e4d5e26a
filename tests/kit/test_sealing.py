# SPDX-License-Identifier: Apache-2.0
"""Sealed archives: any tar reads them, no byte changes unnoticed, nothing leaves the folder."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.kit.sealing import (
    HEADER,
    MANIFEST,
    MANIFEST_DIGEST,
    SEAL_BYTES,
    Member,
    manifest_text,
    write_sealed,
)
from aclnn_cts.kit.unsealing import read_sealed

FILES = (
    Member("events/a.jsonl", b'{"event":"device"}\n' * 40),
    Member("empty", b""),
    Member("outputs/a.bin", bytes(range(256)) * 3),
)


def sealed(path: Path, *members: Member, prefix: str = "") -> Path:
    """Write an archive with a manifest of its members."""
    manifest = Member(MANIFEST, manifest_text(members).encode())
    digest = Member(MANIFEST_DIGEST, manifest.digest.encode())
    whole = [Member(prefix + each.name, each.content) for each in (manifest, digest, *members)]
    write_sealed(path, whole)
    return path


def tar_of(entries: Callable[[tarfile.TarFile], None]) -> bytes:
    """Return an uncompressed archive that a test makes by hand."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        entries(archive)
    return held.getvalue()


def seal(path: Path, content: bytes, level: int = 6) -> Path:
    """Put a right seal around any content, as somebody would who knows how."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    rest = packer.compress(content) + packer.flush()
    rest += zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    path.write_bytes(HEADER + hashlib.sha256(rest).digest() + rest)
    return path


def read(path: Path, prefix: str = "") -> dict[str, str]:
    """Read an archive to its end; keep nothing."""
    return dict(read_sealed(path, "outputs", prefix, lambda _: None))


def test_round_trip(tmp_path: Path) -> None:
    """What was packed comes back, any tar reads it, and the same members give the same bytes."""
    path = sealed(tmp_path / "a.tar.gz", *FILES, prefix="kit/")
    kept = {member.name: tmp_path / member.name.replace("/", "-") for member in FILES}
    digests = read_sealed(path, "kit", "kit/", lambda n: kept[n].open("wb") if n in kept else None)
    for member in FILES:
        assert kept[member.name].read_bytes() == member.content
        assert digests[member.name] == member.digest
    with tarfile.open(path) as archive:
        assert "kit/empty" in archive.getnames()
    again = sealed(tmp_path / "b.tar.gz", *FILES, prefix="kit/")
    assert again.read_bytes() == path.read_bytes()


def test_each_byte_counts(tmp_path: Path) -> None:
    """A change of any byte, of the header, the packing or a file, is noticed."""
    path = sealed(tmp_path / "a.tar.gz", *FILES)
    whole = path.read_bytes()
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        path.write_bytes(changed)
        with pytest.raises(NotTrustworthyError, match=r"a\.tar\.gz: was altered or cut off: "):
            read(path)


def test_each_cut_counts(tmp_path: Path) -> None:
    """An archive that was cut off anywhere is refused, also one that lost all but its beginning."""
    path = sealed(tmp_path / "a.tar.gz", *FILES)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises((NotTrustworthyError, WrongInputError)):
            read(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(NotTrustworthyError, match="what is around them"):
        read(path)


def test_the_first_file_that_differs_is_named(tmp_path: Path) -> None:
    """With its name, whether its content differs, it is missing, or the archive ends in it."""
    manifest = Member(MANIFEST, manifest_text(FILES).encode())
    other = Member("outputs/a.bin", b"other")
    path = tmp_path / "a.tar.gz"
    write_sealed(path, (manifest, FILES[0], FILES[1], other))
    with pytest.raises(NotTrustworthyError, match=r": outputs/a\.bin differs; copy"):
        read(path)
    write_sealed(path, (manifest, FILES[0], FILES[2]))
    with pytest.raises(NotTrustworthyError, match=r": empty is missing; copy"):
        read(path)
    # Stored, so that the content stands in the archive as it is.
    whole = seal(path, gzip.decompress(sealed(path, *FILES).read_bytes()), level=0).read_bytes()
    at = whole.index(bytes(range(256)))
    path.write_bytes(whole[:at] + b"x" + whole[at + 1 :])
    with pytest.raises(NotTrustworthyError, match=r": outputs/a\.bin differs; copy"):
        read(path)
    path.write_bytes(whole[:at])
    with pytest.raises(NotTrustworthyError, match=r": it breaks off behind empty"):
        read(path)


@pytest.mark.parametrize(
    ("what", "advice"),
    [("kit", "name an undamaged copy of the kit"), ("outputs", "copy it from its host again")],
)
def test_where_an_undamaged_copy_is(tmp_path: Path, what: str, advice: str) -> None:
    """Outputs come from a host; the kit that they are held against was packed at home."""
    path = sealed(tmp_path / "a.tar.gz", *FILES)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(NotTrustworthyError, match=f"was altered or cut off: .*; {advice}$"):
        read_sealed(path, what, "", lambda _: None)


def add_link(archive: tarfile.TarFile) -> None:
    info = tarfile.TarInfo("events/a")
    info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
    archive.addfile(info)


def add_device(archive: tarfile.TarFile) -> None:
    info = tarfile.TarInfo("events/a")
    info.type = tarfile.CHRTYPE
    archive.addfile(info)


def add_folder(archive: tarfile.TarFile) -> None:
    info = tarfile.TarInfo("events")
    info.type = tarfile.DIRTYPE
    archive.addfile(info)


def add_long_name(archive: tarfile.TarFile) -> None:
    archive.addfile(tarfile.TarInfo("a" * 300))


@pytest.mark.parametrize("entries", [add_link, add_device, add_folder, add_long_name])
def test_only_plain_files(tmp_path: Path, entries: Callable[[tarfile.TarFile], None]) -> None:
    """Links, devices and extended headers have no place in an archive of ours, sealed or not."""
    with pytest.raises(NotTrustworthyError, match="is no plain file of it"):
        read(seal(tmp_path / "a.tar.gz", tar_of(entries)))


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../a", "events/../../a", "events//a", "./a", ".a", "a b", "a\nb", "-a"]
)
def test_no_way_out(tmp_path: Path, name: str) -> None:
    """A name is plain, or nothing of the archive is written."""
    written: list[str] = []

    def place(name: str) -> None:
        written.append(name)

    path = seal(tmp_path / "a.tar.gz", tar_of(lambda tar: tar.addfile(tarfile.TarInfo(name))))
    with pytest.raises(NotTrustworthyError, match="is a name that it cannot hold"):
        read_sealed(path, "outputs", "", place)
    assert written == []


def test_nothing_twice_and_nothing_else(tmp_path: Path) -> None:
    """A file stands in it once, and only if the manifest lists it."""
    path = sealed(tmp_path / "a.tar.gz", FILES[0], FILES[0])
    with pytest.raises(NotTrustworthyError, match="is a name that it cannot hold"):
        read(path)
    write_sealed(path, (Member(MANIFEST, b""), FILES[0]))
    with pytest.raises(NotTrustworthyError, match=r"events/a\.jsonl is not what MANIFEST"):
        read(path)
    write_sealed(path, (FILES[0], Member(MANIFEST, manifest_text(FILES[:1]).encode())))
    with pytest.raises(NotTrustworthyError, match=r"events/a\.jsonl is not what MANIFEST"):
        read(path)


def test_a_bomb(tmp_path: Path) -> None:
    """What grows a thousandfold is no archive of ours; it is left before it has grown."""
    info = tarfile.TarInfo("a")
    info.size = 1 << 28
    held = info.tobuf(tarfile.USTAR_FORMAT) + bytes(info.size + 1024)
    with pytest.raises(NotTrustworthyError, match="holds more than an archive of its size can"):
        read(seal(tmp_path / "a.tar.gz", held))


@given(content=st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Whatever somebody names, and whatever a seal is put around: a sentence, nothing else."""
    folder = tmp_path_factory.mktemp("any")
    (folder / "a").write_bytes(content)
    for path in (folder / "a", seal(folder / "b", content)):
        with pytest.raises((NotTrustworthyError, WrongInputError)):
            read(path)


def test_no_archive(tmp_path: Path) -> None:
    """A path without a file, and a file of another kind, are the user's mistake."""
    with pytest.raises(WrongInputError, match="cannot be read"):
        read(tmp_path / "none")
    (tmp_path / "text").write_text("some text that is longer than the header of an archive is")
    with pytest.raises(WrongInputError, match="is no archive with the outputs of a kit"):
        read(tmp_path / "text")
    assert len(HEADER) + SEAL_BYTES == 48


def test_a_full_disk_is_not_the_archive_s_fault(tmp_path: Path) -> None:
    """Where there is no room to unpack to, nothing is wrong with the archive."""
    path = sealed(tmp_path / "a.tar.gz", *FILES)
    full = Path("/dev/full")
    with pytest.raises(NotTrustworthyError, match=r"^/dev/full: the disk is full; free"):
        read_sealed(path, "kit", "", lambda _: full.open("wb"))
    with pytest.raises(WrongInputError, match=r"/none/events: cannot be written: No"):
        read_sealed(path, "kit", "", lambda _: (tmp_path / "none" / "events").open("wb"))
