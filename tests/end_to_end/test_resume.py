# SPDX-License-Identifier: Apache-2.0
"""--resume: what was asked for stands in the folder, and nothing that was known is lost."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.processes import ended

from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import read_results
from aclnn_cts.run.journal import JOURNAL

pytestmark = pytest.mark.end_to_end

OPERATOR = ("--operator", "aclnnSilu")


@pytest.fixture(scope="module")
def done(bed: Any) -> Path:
    """A complete run of one operator: three batches."""
    folder: Path = bed.root / "results" / "done"
    options = ("--results", str(folder), "--standard", "ecosystem", "--keep-outputs")
    made = bed.command("run", *OPERATOR, *options)
    assert made.returncode == ExitCode.PASSED, made.stdout + made.stderr
    return folder


@pytest.fixture
def copy(done: Path, tmp_path: Path) -> Path:
    """The same, to be damaged."""
    return Path(shutil.copytree(done, tmp_path / "copy"))


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_after_each_process(bed: Any, done: Path, copy: Path, kept: int) -> None:
    """Whatever the journal has, the rest is run, and the results are those of the whole run."""
    lines = (copy / JOURNAL).read_bytes().splitlines(keepends=True)
    (copy / JOURNAL).write_bytes(b"".join([*lines[:kept], lines[kept][:9]]))
    (copy / "results.json").unlink()
    refused = bed.command("judge", str(copy))
    assert refused.returncode == ExitCode.NOT_TRUSTWORTHY
    assert f"aclnn-cts run --resume --results {copy}" in refused.stderr
    resumed = bed.command("run", "--resume", "--results", str(copy), "--devices", "0")
    assert resumed.returncode == ExitCode.PASSED, resumed.stderr
    found, whole = read_results(copy), read_results(done)
    assert found.standard == whole.standard == "ecosystem"
    assert [(c.id, c.verdict) for c in found.cases] == [(c.id, c.verdict) for c in whole.cases]
    assert (copy / JOURNAL).read_bytes().startswith(b"".join(lines[:kept]))


def test_half_a_process_is_kept(bed: Any, copy: Path) -> None:
    """The cases that had ended in a process that was killed are not run again."""
    lines = (copy / JOURNAL).read_bytes().splitlines(keepends=True)
    (copy / JOURNAL).write_bytes(lines[0])
    events = copy / "events" / "aclnnSilu-001.jsonl"
    if b"aclnnSilu-001" in lines[0]:
        events = copy / "events" / "aclnnSilu-000.jsonl"
    whole = events.read_bytes()
    running = whole.index(b'{"event":"begin"', len(whole) // 2)
    half = whole[: whole.index(b"\n", running) + 9]
    events.write_bytes(half)
    resumed = bed.command("run", "--resume", "--results", str(copy))
    assert resumed.returncode == ExitCode.PASSED, resumed.stderr
    kept = events.read_bytes()
    assert half.startswith(kept)
    assert kept.count(b'"event":"end"') == half.count(b'"event":"end"') > 10
    assert (copy / "events" / f"{events.stem}.1.jsonl").is_file()


def test_nothing_left_to_do(bed: Any, copy: Path) -> None:
    """A run that is complete is judged again, and not run."""
    before = (copy / JOURNAL).read_bytes()
    resumed = bed.command("run", "--resume", "--results", str(copy))
    assert resumed.returncode == ExitCode.PASSED, resumed.stderr
    assert (copy / JOURNAL).read_bytes() == before


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "--resume needs --results"),
        (("--results", "x", *OPERATOR), "--resume and --operator exclude each other"),
        (("--results", "x", "--tier", "smoke"), "--resume and --tier exclude each other"),
        (("--results", "x", "--case-timeout", "9"), "--resume and --case-timeout exclude"),
        (("--results", "no/such/folder"), "there is no such results folder"),
    ],
)
def test_what_contradicts(bed: Any, options: tuple[str, ...], sentence: str) -> None:
    """What was asked for is not changed half-way, not even into the same."""
    refused = bed.command("run", "--resume", *options)
    assert refused.returncode == ExitCode.WRONG_INPUT
    assert sentence in refused.stderr


def test_altered_records(bed: Any, copy: Path) -> None:
    """What is kept is held against its digests first."""
    lines = (copy / JOURNAL).read_bytes().splitlines(keepends=True)
    (copy / JOURNAL).write_bytes(b"".join(lines[:-1]))
    events = copy / "events" / "aclnnSilu-000.jsonl"
    events.write_bytes(events.read_bytes() + b"\n")
    refused = bed.command("run", "--resume", "--results", str(copy))
    assert refused.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "has changed since the run" in refused.stderr


def test_a_device_that_was_held(
    bed: Any, done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no program reached a device, the message names the command that goes on later."""
    del done  # all that must be built has been
    folder = tmp_path / "held"
    monkeypatch.setenv("ACLNN_SIM_BUSY", "0")
    held = bed.command("run", *OPERATOR, "--jobs", "1", "--results", str(folder))
    assert held.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "no program reached a device, so nothing was tested" in held.stderr
    assert f"`aclnn-cts run --resume --results {folder}` goes on" in held.stderr
    monkeypatch.delenv("ACLNN_SIM_BUSY")
    resumed = bed.command("run", "--resume", "--results", str(folder))
    assert resumed.returncode == ExitCode.PASSED, resumed.stderr


FULL = """
mount -t tmpfs -o size=1400k tmpfs "$1" || exit 77
shift
"$@"
echo "status $?"
mount -o remount,size=100m "${RESULTS%/*}"
ls "$RESULTS" >&2
"$PYTHON" -c "$ENTRY" run --resume --results "$RESULTS"
echo "status $?"
"""
ENTRY = "from aclnn_cts.entry import main; main()"


def test_a_full_disk(bed: Any, done: Path, tmp_path: Path) -> None:
    """Status 3 and a sentence; with room again, --resume does the rest, and no case is blamed."""
    del done  # all that must be built has been
    disk = tmp_path / "disk"
    disk.mkdir()
    results = disk / "results"
    command = ["unshare", "-rm", "sh", "-c", FULL, "sh", str(disk), sys.executable, "-c", ENTRY]
    environment = {
        **bed.environment(),
        "RESULTS": str(results),
        "PYTHON": sys.executable,
        "ENTRY": ENTRY,
    }
    ran = ended(
        [*command, "run", *OPERATOR, "--jobs", "1", "--results", str(results)], env=environment
    )
    if ran.returncode == 77 or "unshare" in ran.stderr:
        pytest.skip(f"no file system can be mounted here: {ran.stderr.strip()}")
    statuses = [line for line in ran.stdout.splitlines() if re.fullmatch(r"status \d", line)]
    assert statuses == ["status 3", "status 0"], ran.stdout + ran.stderr
    assert "No space left on device" in ran.stderr
    assert "--resume" in ran.stderr
