# SPDX-License-Identifier: Apache-2.0
"""A kit's whole way: packed, run where there is little more than a compiler, judged at home."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import only
from tests.end_to_end.kits.conftest import CHOSEN, OPERATOR, Host, chosen, judged, unpacked

from aclnn_cts.kit.receive import read_outputs
from aclnn_cts.kit.runner import BATCHES_FILE
from aclnn_cts.report.results import read_results
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end


def test_verdicts_are_those_of_a_run(bed: Any, archive: Path, host: Host, tmp_path: Path) -> None:
    """A kit on a host with a compiler, make and Python finds what a run at home finds."""
    home = bed.judged("atlas-a2", chosen(bed)).document.cases
    at_home = {v.id: (v.verdict, v.message) for v in home}
    assert judged(host.outputs, tmp_path / "results") == at_home
    arguments = ("--kit", str(archive), "--results", str(tmp_path / "judged"))
    done = bed.command("judge", str(host.outputs), *arguments)
    assert done.returncode == 0, done.stderr
    nonce = json.loads((host.kit / "kit.json").read_text())["nonce"]
    assert f"outputs of the kit {nonce}" in done.stdout
    written = json.loads((tmp_path / "judged" / "results.json").read_text())
    started = datetime.fromisoformat(written["started"]).timestamp()
    assert int(archive.stat().st_mtime) <= started <= host.outputs.stat().st_mtime
    assert written["nonce"] == nonce
    libraries = {each["name"]: each for each in written["environment"]["libraries"]}
    assert sorted(libraries) == ["libascendcl.so", "libnnopbase.so", "libopapi.so"]
    assert all(len(each["sha256"]) == 64 for each in libraries.values())
    assert written["device"]["kind"] == "simulator"


def test_times_come_home(bed: Any, host: Host, tmp_path: Path) -> None:
    """Timed launches are part of the kit: asked for when it is packed, and in results.json.

    Kits of the same cases have folders of their own, as those of each night must not be lost; one
    kit's outputs may be judged again, and are not taken for another kit's.
    """
    path = tmp_path / "kit.tar.gz"
    arguments = ("pack", *only(CHOSEN), "--timings", "3", "-o", str(path))
    assert bed.command(*arguments).returncode == 0
    timed = unpacked(path, tmp_path, host.tools, host.toolkit)
    nonce = json.loads((timed.kit / "kit.json").read_text())["nonce"]
    work = timed.kit / f"work-{nonce[:12]}"
    shutil.copytree(host.work / "build", work / "build")
    status, out, err = timed.run(DEVICES="0-1", ACLNN_SIM_DEVICES="2")
    assert (status, err) == (0, ""), out
    for _ in range(2):
        done = bed.command("judge", str(timed.outputs), "--kit", str(path))
        assert done.returncode == 0, done.stderr
    folder = bed.root / "work" / "results" / f"kit-atlas-a2-smoke-{nonce[:12]}"
    written = read_results(folder)
    assert written.timings == 3
    assert {len(each.device_microseconds) for each in written.cases} == {0, 3}
    assert written.environment.devices == (0, 1)
    done = bed.command("judge", str(host.outputs), "--kit", str(path))
    assert done.returncode == 3
    assert "not to --kit" in done.stderr


def test_what_a_host_may_lack(fresh: Host, tmp_path: Path) -> None:
    """No compiler, no make, no Python: one sentence each. A truncated script does nothing."""
    for name, sentence in (
        ("make", "make is missing"),
        ("g++", "no C++ compiler found"),
        ("python3", "Python 3.8 or newer is missing"),
    ):
        tools = tmp_path / f"without-{name}"
        tools.mkdir()
        for tool in fresh.tools.iterdir():
            if tool.name != name:
                (tools / tool.name).symlink_to(tool)
        status, _, err = Host(fresh.kit, tools, fresh.toolkit).run()
        assert status == 1
        assert sentence in err
    script = fresh.kit / "run.sh"
    whole = script.read_text()
    for length in range(whole.index("{ #") + 1, len(whole) - 2, 40):
        script.write_text(whole[:length])
        assert fresh.run()[0] != 0
    assert not fresh.outputs.exists()


def test_a_killed_run_goes_on(fresh: Host, host: Host, tmp_path: Path) -> None:
    """After kill -9 what was done is not run again, and nothing is missing."""
    work = fresh.kit / host.work.name
    record = work / "record.jsonl"
    # Nothing reads what the last program writes: the run is there until it is killed.
    last = (fresh.kit / BATCHES_FILE).read_text().splitlines()[-1].split()[0]
    stuck = work / "outputs" / f"{last}.bin"
    stuck.parent.mkdir()
    os.mkfifo(stuck)
    script = fresh.start(str(fresh.toolkit))
    while script.poll() is None and not (record.is_file() and '"process"' in record.read_text()):
        time.sleep(0.01)
    script.send_signal(signal.SIGKILL)
    script.communicate()
    stuck.unlink()
    assert not fresh.outputs.exists()
    known = record.read_text().splitlines()[1:]
    written = {
        path: path.stat().st_mtime_ns
        for path in (work / "events").glob("*")
        if path.stem in known[-1]
    }
    status, out, err = fresh.run()
    assert (status, err) == (0, ""), out
    assert record.read_text().splitlines()[1 : len(known) + 1] == known
    assert {path: path.stat().st_mtime_ns for path in written} == written
    mine, whole = judged(fresh.outputs, tmp_path / "a"), judged(host.outputs, tmp_path / "b")
    assert {name: verdict for name, (verdict, _) in mine.items()} == {
        name: verdict for name, (verdict, _) in whole.items()
    }


def test_a_full_disk(fresh: Host) -> None:
    """The run ends with a sentence, nothing is packed, and it goes on when there is room."""
    (outputs,) = [fresh.work / "outputs"]
    outputs.mkdir()
    (outputs / f"{OPERATOR}-000.bin").symlink_to("/dev/full")
    status, _, err = fresh.run()
    assert status == 1
    assert "No space left on device" in err
    assert "start run.sh again" in err
    assert not fresh.outputs.exists()
    (outputs / f"{OPERATOR}-000.bin").unlink()
    assert fresh.run()[0] == 0
    assert len(read_outputs(fresh.outputs, find_suite()).programs) > 1
