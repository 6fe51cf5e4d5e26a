# SPDX-License-Identifier: Apache-2.0
"""What ends a kit's run loses nothing: started again, it goes on with what was not done."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.end_to_end.kits.conftest import OPERATOR, Host, judged, keep, kept_lines
from tests.end_to_end.kits.test_kit_culprits import faulty_toolkit

from aclnn_cts.kit.outputs import look_at
from aclnn_cts.kit.receive import receive
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

ONCE = """
                  if (x.dataType == ACL_FLOAT && x.shape == Shape{7} && eps == 0.1F) {
                    if (std::FILE *const first = std::fopen(std::getenv("TEST_FIRST"), "wx")) {
                      while (std::getenv("TEST_HANG") != nullptr) (void)usleep(1000);
                      __builtin_trap();
                    }
                  }
                  const auto gradient ="""
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "cut off": lambda whole: whole[:-1],
    "a line lost": lambda whole: whole[whole.index(b"\n") + 1 :],
    "a line doubled": lambda whole: whole[: whole.index(b"\n") + 1] + whole,
    "other bytes": lambda whole: random.Random(1).randbytes(len(whole)),  # noqa: S311
}
"""What a disk, or a hand, may make of a file; each is to be noticed."""


def test_a_killed_run_goes_on(fresh: Host, host: Host, tmp_path: Path) -> None:
    """After kill -9 the batches that were done are not run again, and nothing is missing."""
    done = fresh.work / "done"
    script = fresh.start(str(fresh.toolkit))
    while script.poll() is None and not (done.is_dir() and any(done.glob("*-000"))):
        time.sleep(0.01)
    script.send_signal(signal.SIGKILL)
    script.communicate()
    assert not fresh.outputs.exists()
    first = (fresh.work / "events" / f"{OPERATOR}-000.jsonl").stat().st_mtime_ns
    status, out, err = fresh.run()
    assert (status, err) == (0, ""), out
    assert (fresh.work / "events" / f"{OPERATOR}-000.jsonl").stat().st_mtime_ns == first
    assert judged(fresh.outputs, tmp_path / "a") == judged(host.outputs, tmp_path / "b")


def test_a_full_disk(fresh: Host) -> None:
    """The run ends with a sentence, nothing is packed, and it goes on when there is room."""
    (fresh.work / "outputs").mkdir()
    (fresh.work / "outputs" / f"{OPERATOR}-000.bin").symlink_to("/dev/full")
    status, _, err = fresh.run()
    assert status == 1
    assert "No space left on device" in err
    assert "start run.sh again" in err
    assert not fresh.outputs.exists()
    (fresh.work / "outputs" / f"{OPERATOR}-000.bin").unlink()
    assert fresh.run()[0] == 0
    # With another toolkit or compiler half of the run would be of one kind, and half of another.
    keep(fresh.work / "host.jsonl", ["{}\n"])
    assert "the run began on another host" in fresh.run()[2]


def interrupted(script: subprocess.Popen[str], first: Path) -> str:
    """Interrupt the script when a case has begun to hang; return what it says."""
    while script.poll() is None and not first.exists():
        time.sleep(0.01)
    script.send_signal(signal.SIGINT)
    return script.communicate()[1]


def test_what_was_not_recorded_is_not_forgotten(
    fresh: Host, simulated_device: Toolkit, tmp_path: Path
) -> None:
    """A crash that a full disk kept from being noted, or a hang that the user ended, is told.

    Nobody knows what the case did then: it runs once more alone, and its run at home tells of it.
    """
    toolkit = str(faulty_toolkit(simulated_device, tmp_path, ONCE))
    (fresh.work / "build" / OPERATOR).unlink()
    (fresh.work / "ended").mkdir()
    (batch,) = (
        path.stem
        for path in (fresh.kit / "cases").iterdir()
        if "LogitGrad.cover.float32.7.eps_0.1." in path.read_text()
    )
    full = fresh.work / "ended" / f"{batch}.partial"
    full.symlink_to("/dev/full")
    status, _, err = fresh.run(toolkit, TEST_FIRST=str(tmp_path / "crash"))
    assert status == 1
    assert "No space left on device" in err
    full.unlink()
    crashed = requires_another_look(fresh, toolkit, tmp_path / "crash")

    for name in ("ended", "done", "cut", "events"):
        shutil.rmtree(fresh.work / name)
    hang = {"TEST_FIRST": str(tmp_path / "hang"), "TEST_HANG": "1"}
    script = fresh.start(toolkit, **hang)
    assert "interrupted; start run.sh again" in interrupted(script, tmp_path / "hang")
    assert requires_another_look(fresh, toolkit, tmp_path / "hang") == crashed


def requires_another_look(kit: Host, toolkit: str, first: Path) -> str:
    """Go on with a run that lost a crash or a hang; return the case that it tells of."""
    assert first.exists()
    status, out, err = kit.run(toolkit, TEST_FIRST=str(first))
    assert (status, err) == (0, ""), out
    assert "cases that were interrupted, again and alone" in out
    suite = find_suite()
    run = receive(look_at(kit.outputs, suite), first.with_suffix(".results"), suite)
    (case,) = {line.split('"')[7] for path in kit.work.glob("cut/*") for line in kept_lines(path)}
    assert case in {program.cut for program in run.programs}
    # What ran beside it when the run ended is repeated, too.
    assert case in {program.about for program in run.programs if program.purpose == "alone"}
    return case


def test_damaged_files_are_refused(fresh: Host) -> None:
    """What the run knew of itself is whole, or it ends with the file's name; nothing is packed."""
    assert fresh.run()[0] == 0
    fresh.outputs.unlink()
    ended = f"ended/{OPERATOR}-000"
    for name in (ended, f"done/{OPERATOR}-001", "start.jsonl", "host.jsonl"):
        path = fresh.work / name
        whole = path.read_bytes()
        for kind, damage in DAMAGES.items():
            path.write_bytes(damage(whole))
            status, _, err = fresh.run()
            assert status == 1, (name, kind)
            assert f"{name}: is damaged; remove the folder work-" in err, kind
            assert not fresh.outputs.exists()
        path.write_bytes(whole)


@pytest.mark.parametrize("name", ["events/{}-000.jsonl", "outputs/{}-000.bin"])
def test_a_record_that_was_changed(fresh: Host, name: str) -> None:
    """What a process left goes home as it was when the process ended, or not at all."""
    assert fresh.run()[0] == 0
    fresh.outputs.unlink()
    path = fresh.work / name.format(OPERATOR)
    whole = path.read_bytes()
    path.write_bytes(whole[:-2] + bytes([whole[-2] ^ 1]) + whole[-1:])
    status, _, err = fresh.run()
    assert status == 1
    assert f"{path.name}: is not what its process left; remove the folder work-" in err
    assert not fresh.outputs.exists()


def test_what_another_kit_left_is_no_result(fresh: Host) -> None:
    """Last night's archive in the folder does not pass for what tonight's kit did not leave."""
    shutil.rmtree(fresh.work)
    fresh.outputs.write_text("another kit's")
    assert fresh.run("/no/toolkit")[0] == 1
    assert not fresh.outputs.exists()
    # What this kit left before stays, however often it is started.
    fresh.work.mkdir()
    fresh.outputs.write_text("this kit's")
    assert fresh.run("/no/toolkit")[0] == 1
    assert fresh.outputs.exists()


def test_a_record_that_is_gone(fresh: Host) -> None:
    """Where a later process left events, the lines about those before it are missed."""
    assert fresh.run()[0] == 0
    ended = fresh.work / "ended" / f"{OPERATOR}-000"
    lines = kept_lines(ended)
    later = fresh.work / "events" / f"{OPERATOR}-000.1.jsonl"
    ended.unlink()
    later.touch()
    sentence = f"ended/{OPERATOR}-000: lacks the processes before that of "
    assert sentence in fresh.run()[2]
    later.unlink()
    events = fresh.work / "events" / f"{OPERATOR}-000.jsonl"
    keep(ended, lines)
    events.unlink()
    assert f"{events.name}: is missing" in fresh.run()[2]
