# SPDX-License-Identifier: Apache-2.0
"""Archives of kits: any tar reads them, damage is noticed, nothing leaves the folder."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.kit.archive import KIT, MANIFEST, OUTPUTS, check_archive, write_archive

FILES: Mapping[str, bytes] = {
    "events/a.jsonl": b'{"event":"device"}\n' * 40,
    "empty": b"",
    "outputs/a.bin": bytes(range(256)) * 3,
}


def read(path: Path, folder: str = OUTPUTS) -> Mapping[str, bytes]:
    """Return the files of an archive, the manifest among them."""
    return check_archive(path, folder, lambda _: True)[1]


def handmade(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    """Write an archive as somebody would who knows how."""
    with tarfile.open(path, "w:gz") as archive:
        for info, content in members:
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content))
    return path


def manifest(content: bytes = b"") -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(MANIFEST), content


def listed(whole: Path) -> tuple[tarfile.TarInfo, bytes]:
    """Return the manifest of an archive."""
    return manifest(read(whole)[MANIFEST])


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """An undamaged archive."""
    write_archive(tmp_path / "a.tar.gz", OUTPUTS, FILES)
    return tmp_path / "a.tar.gz"


def test_round_trip(tmp_path: Path) -> None:
    """What was packed comes back, any tar reads it, and the same members give the same bytes."""
    (tmp_path / "file").write_bytes(FILES["outputs/a.bin"])
    from_file: dict[str, bytes | Path] = {
        **FILES,
        "outputs/a.bin": tmp_path / "file",
        "run.sh": b"#!/bin/sh\n",
    }
    for name in ("a", "b"):
        write_archive(tmp_path / name, KIT, from_file)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    digests, kept = check_archive(tmp_path / "a", KIT, lambda name: name != "empty")
    assert list(digests) == [MANIFEST, *from_file]
    assert kept.keys() == digests.keys() - {"empty"}
    assert kept["outputs/a.bin"] == FILES["outputs/a.bin"]
    with tarfile.open(tmp_path / "a") as archive:
        assert [info.mode for info in archive if info.name == KIT + "run.sh"] == [0o755]


def test_each_byte_counts(whole: Path) -> None:
    """Whatever byte changes, the archive is refused, or its files are what was written.

    No file depends on gzip's time stamp, say, or on which of two equal strings is repeated.
    """
    content, files, refused = whole.read_bytes(), read(whole), 0
    for at in range(len(content)):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        whole.write_bytes(changed)
        try:
            assert read(whole) == files
        except (NotTrustworthyError, WrongInputError):
            refused += 1
    assert refused > len(content) / 2


def test_each_cut_counts(whole: Path) -> None:
    """An archive that was cut off anywhere is refused."""
    content = whole.read_bytes()
    for length in range(len(content)):
        whole.write_bytes(content[:length])
        with pytest.raises((NotTrustworthyError, WrongInputError)):
            read(whole)


@pytest.mark.parametrize(
    ("folder", "advice"),
    [(KIT, "name an undamaged copy of the kit"), (OUTPUTS, "copy it from its host again")],
)
def test_where_an_undamaged_copy_is(tmp_path: Path, folder: str, advice: str) -> None:
    """Outputs come from a host; the kit that they are compared with was packed at home."""
    path = tmp_path / "a.tar.gz"
    write_archive(path, folder, FILES)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(NotTrustworthyError, match=f"modified or truncated: .*; {advice}$"):
        read(path, folder)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({**FILES, "outputs/a.bin": b"other"}, r"outputs/a\.bin differs"),
        ({"outputs/a.bin": FILES["outputs/a.bin"]}, r"events/a\.jsonl is missing"),
        ({**FILES, "more": b""}, "'more' is not in"),
    ],
)
def test_the_first_file_that_differs_is_named(
    whole: Path, members: Mapping[str, bytes], told: str
) -> None:
    """Whether its content differs, it is missing, or nobody listed it."""
    files = [(tarfile.TarInfo(name), content) for name, content in members.items()]
    with pytest.raises(NotTrustworthyError, match=f": {told}.*; copy"):
        read(handmade(whole, listed(whole), *files))


def test_nothing_twice(whole: Path) -> None:
    """A file is there once, the manifest, too."""
    twice = [(tarfile.TarInfo("empty"), b"")] * 2
    for members in (twice, [listed(whole)]):
        with pytest.raises(NotTrustworthyError, match="there twice"):
            read(handmade(whole.with_name("b"), listed(whole), *members))


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../a", "events/../../a", "events//a", "./a", ".a", "a b", "a\nb", "-a"]
)
def test_no_way_out(tmp_path: Path, name: str) -> None:
    """A name that is not plain is refused, even if the manifest lists it."""
    lines = f"{'0' * 64}  {name}\n".encode()
    members = manifest(lines), (tarfile.TarInfo(name), b"")
    with pytest.raises(NotTrustworthyError, match="modified or truncated"):
        read(handmade(tmp_path / "a", *members))
    with pytest.raises(NotTrustworthyError, match=f"is not in {MANIFEST}"):
        read(handmade(tmp_path / "a", manifest(), members[1]))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_only_regular_files(whole: Path, kind: bytes) -> None:
    """Links, devices and folders have no place in an archive of a kit."""
    info = tarfile.TarInfo("empty")
    info.type, info.linkname = kind, "/etc/passwd"
    with pytest.raises(NotTrustworthyError, match="'empty' does not belong to it"):
        read(handmade(whole, listed(whole), (info, b"")))


def test_a_bomb(tmp_path: Path) -> None:
    """What grows a thousandfold is left before it has grown; what we compress never grows so."""
    path = handmade(tmp_path / "a", manifest(bytes(1 << 28)))
    with pytest.raises(NotTrustworthyError, match="holds more than an archive of its size can"):
        read(path)
    write_archive(path, OUTPUTS, {"zeros": bytes(1 << 22)})
    assert read(path)["zeros"] == bytes(1 << 22)


@given(content=st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Whatever somebody names, compressed or not: a sentence, nothing else."""
    path = tmp_path_factory.mktemp("any") / "a"
    for held in (content, gzip.compress(content)):
        path.write_bytes(held)
        with pytest.raises((NotTrustworthyError, WrongInputError)):
            read(path)


def other_tar(path: Path) -> None:
    handmade(path, (tarfile.TarInfo("a"), b"content"))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda _: None, "cannot be read"),
        (lambda path: path.mkdir(), "cannot be read"),
        (lambda path: path.write_text("some text"), "is not the outputs of a kit"),
        (lambda path: write_archive(path, KIT, FILES), "is not the outputs of a kit"),
        (other_tar, "is not the outputs of a kit"),
    ],
)
def test_another_kind_of_file(tmp_path: Path, make: Callable[[Path], None], told: str) -> None:
    """A path without a file, and a file of another kind, are the user's mistake."""
    make(tmp_path / "a")
    with pytest.raises(WrongInputError, match=told):
        read(tmp_path / "a")
