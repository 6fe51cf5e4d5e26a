# SPDX-License-Identifier: Apache-2.0
"""No changed byte, no other kit's and no old record passes for what a kit left."""

from __future__ import annotations

import hashlib
import random
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.kits.conftest import OPERATOR, Host, judged, unpacked

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.kit.outputs import look_at, read_kit
from aclnn_cts.kit.receive import receive
from aclnn_cts.kit.sealing import MANIFEST, Member, manifest_text, write_sealed
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end


def flipped(path: Path, at: int) -> bytes:
    """Change one bit of a file, and return what it held."""
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[at] ^= 1 << at % 8
    path.write_bytes(changed)
    return whole


def test_each_file_of_a_kit_counts(archive: Path, host: Host, tmp_path: Path) -> None:
    """The script builds nothing if a byte of any file is another, and names that file."""
    # Without a toolkit: the files are looked at before it is looked for.
    kit = unpacked(archive, tmp_path, host.tools, tmp_path / "no-toolkit")
    files = sorted(path for path in kit.kit.rglob("*") if path.is_file())
    draw = random.Random(20261122)  # noqa: S311
    chosen = [path for path in files if path.parent == kit.kit and path.name != "run.sh"]
    chosen += draw.sample([path for path in files if path not in chosen], 12)
    work = kit.work
    for path in chosen:
        whole = flipped(path, draw.randrange(path.stat().st_size))
        status, out, err = kit.run()
        assert status == 1, path
        name = MANIFEST if path.name == "MANIFEST.digest" else path.relative_to(kit.kit)
        assert f"{name}: is not what was packed" in err, out
        assert not work.exists()
        path.write_bytes(whole)
    (kit.kit / "data").rename(kit.kit / "moved")
    assert "is not what was packed" in kit.run()[2]


def test_each_byte_of_the_script_counts(fresh: Host) -> None:
    """A changed script is refused by itself, or by the runner; in no case it leaves outputs."""
    script = fresh.kit / "run.sh"
    draw = random.Random(20261122)  # noqa: S311
    for _ in range(8):
        whole = flipped(script, draw.randrange(script.stat().st_size))
        assert fresh.run()[0] != 0
        assert not fresh.outputs.exists()
        script.write_bytes(whole)
    # One that a full disk cut off does nothing, and does not end as if it had.
    for length in draw.sample(range(whole.index(b"set -u"), len(whole) - 2), 20):
        script.write_bytes(whole[:length])
        assert fresh.run()[0] != 0
        assert not fresh.outputs.exists()


def test_the_runner_looks_for_itself(fresh: Host) -> None:
    """A script that no longer looks at the files does not help: the runner does."""
    script = fresh.kit / "run.sh"
    script.write_text(script.read_text().replace("\ncheck_kit\n", "\n"))
    status, _, err = fresh.run()
    assert (status, err) == (1, "error: run.sh: is not what was packed; unpack the kit again\n")


def test_each_byte_of_the_outputs_counts(host: Host, tmp_path: Path) -> None:
    """Headers, padding, events, outputs and the packing itself: a changed byte is noticed."""
    path = Path(shutil.copy(host.outputs, tmp_path / "outputs.tar.gz"))
    size = path.stat().st_size
    draw = random.Random(20261122)  # noqa: S311
    places = [*range(48), *range(size - 24, size), *draw.sample(range(size), 60)]
    for at in places:
        whole = flipped(path, at)
        with pytest.raises(NotTrustworthyError, match=r"was altered or cut off: .*; copy"):
            look_at(path, find_suite())
        path.write_bytes(whole)
    for length in draw.sample(range(64, size), 20):
        path.write_bytes(whole[:length])
        with pytest.raises(NotTrustworthyError, match="was altered or cut off"):
            look_at(path, find_suite())


def test_outputs_of_another_kit(bed: Any, archive: Path, host: Host, tmp_path: Path) -> None:
    """Two kits of the same cases are two kits."""
    other = tmp_path / "other.tar.gz"
    assert bed.command("pack", "--operator", OPERATOR, "-o", str(other)).returncode == 0
    suite = find_suite()
    assert read_kit(other, suite).nonce != read_kit(archive, suite).nonce
    done = bed.command("judge", str(host.outputs), "--kit", str(other))
    assert done.returncode == 3
    assert "not from the kit" in done.stderr


def members_of(outputs: Path) -> dict[str, bytes]:
    """Return the files of an archive, without the manifest."""
    with tarfile.open(outputs) as archive:
        files = {each.name: archive.extractfile(each) for each in archive.getmembers()}
        return {n: f.read() for n, f in files.items() if f is not None and n != MANIFEST}


def rewritten(path: Path, files: Mapping[str, bytes]) -> Path:
    """Seal other content, as somebody would who knows how."""
    members = [Member(name, content) for name, content in files.items()]
    write_sealed(path, (Member(MANIFEST, manifest_text(members).encode()), *members))
    return path


def test_old_outputs_do_not_pass_for_new_ones(host: Host, tmp_path: Path) -> None:
    """Events that were recorded with another nonce are refused, whoever sealed them."""
    files = members_of(host.outputs)
    events = f"events/{OPERATOR}-000.jsonl"
    nonce = (host.kit / "nonce.txt").read_text().encode()
    left = hashlib.sha256(files[events]).hexdigest().encode()
    files[events] = files[events].replace(nonce, b"ab" * 16)
    other = hashlib.sha256(files[events]).hexdigest().encode()
    files["record.jsonl"] = files["record.jsonl"].replace(left, other)
    path = rewritten(tmp_path / "outputs.tar.gz", files)
    with pytest.raises(NotTrustworthyError, match=f"{events} was recorded with the nonce abab"):
        judged(path, tmp_path / "results")


def test_when_a_run_began(host: Host, tmp_path: Path) -> None:
    """A record that does not say when it was begun gives no time, least of all that of packing."""
    files = members_of(host.outputs)
    lines = files["record.jsonl"].splitlines(keepends=True)
    files["record.jsonl"] = b"".join(line for line in lines if b'"start"' not in line)
    assert len(files["record.jsonl"].splitlines()) == len(lines) - 1
    suite = find_suite()
    found = look_at(rewritten(tmp_path / "outputs.tar.gz", files), suite)
    assert receive(found, tmp_path / "results", suite).started == ""


def test_a_batch_that_is_missing(host: Host, tmp_path: Path) -> None:
    """The cases of a batch that did not come home are missing; nothing missing passes."""
    files = members_of(host.outputs)
    name = f"{OPERATOR}-001"
    lines = files["record.jsonl"].splitlines(keepends=True)
    files["record.jsonl"] = b"".join(line for line in lines if name.encode() not in line)
    without = {each: content for each, content in files.items() if name not in each}
    verdicts = judged(rewritten(tmp_path / "outputs.tar.gz", without), tmp_path / "results")
    missing = {case for case, (verdict, _) in verdicts.items() if verdict == Verdict.MISSING}
    texts = (host.kit / "cases" / f"{name}.txt").read_text().splitlines()
    assert missing == {line.split()[1] for line in texts if line.startswith("case ")}
