# SPDX-License-Identifier: Apache-2.0
"""What hosts, workers, networks and people do to a run: nothing is lost or counted twice."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.services.ray_cluster.conftest import A2, Room, records_of, verdicts_of, wait_for

from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import read_results

pytestmark = pytest.mark.end_to_end

OPTIONS = ("--operator", "aclnnDropoutBackward", "--product", A2)
"""Five batches, of several hundred cases that must succeed and as many that must not."""

VALID = ("--case", "DropoutBackward.cover.*", "--tier", "standard", "--product", A2)
"""Several batches of cases that must succeed."""

NAP = {"ACLNN_TEST_NAP": "8000"}
"""Long enough for a batch to be under way when something happens to its host."""

_FEW, _MANY = 5, 24


def begin(
    room: Room, folder: Path, host: str, cases: int = _FEW, options: Sequence[str] = OPTIONS
) -> Any:
    """Start a run; return when a program stands still on a host, in the middle of a case.

    Home knows all that it recorded: how some cases ended, and that another one was begun.
    """
    run = room.start("run", "--ray", room.address, *options, "--results", str(folder))

    def stands_still() -> bool:
        assert run.poll() is None, run.communicate()
        return any(
            stopped_in_a_case(process, room.events_of(process), folder, cases)
            for process in room.processes(host, "--cases")
        )

    wait_for(stands_still)
    return run


def stopped_in_a_case(process: int, there: Path | None, folder: Path, cases: int) -> bool:
    """Stop a program, and let it go on unless it is in the middle of a case after enough others."""
    begun, ended = b'{"event":"begin"', b'{"event":"end"'
    if there is None:
        return False
    home = folder / "events" / there.name
    with contextlib.suppress(OSError):  # it may have ended meanwhile
        if home.read_bytes().count(ended) >= cases:
            os.kill(process, signal.SIGSTOP)
            known = there.read_bytes()
            wait_for(lambda: home.read_bytes() == known)
            if known.count(begun) > known.count(ended):
                return True
            os.kill(process, signal.SIGCONT)
    return False


def require_as_alone(folder: Path, alone: Any, options: Sequence[str] = OPTIONS) -> None:
    """Each case has the verdict of a local run, and was recorded once."""
    assert verdicts_of(folder) == alone(*options)
    assert read_results(folder).problems == ()


@pytest.mark.parametrize("what", ["ray::_on_host", "raylet/raylet", ""])
def test_lost(room: Room, alone: Any, tmp_path: Path, what: str) -> None:
    """A worker, Ray's own process or a whole host is killed in the middle of a batch.

    What had come home counts, the case that was running is recorded as cut off, and all other
    cases run elsewhere.
    """
    with room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        room.signal("four", signal.SIGKILL, what)
        done = room.end(run)
    assert done.returncode == ExitCode.PASSED, done.stderr
    require_as_alone(tmp_path / "run", alone)
    lost = [each for each in records_of(tmp_path / "run") if each["exit_code"] is None]
    assert [(each["host"], each["cut"] != "") for each in lost] == [("four", True)]
    assert "host four" in done.stderr


def test_lost_in_its_first_case(room: Room, alone: Any, tmp_path: Path) -> None:
    """A batch of which no case had ended runs elsewhere as a whole."""
    with room.guest("four", A2, ACLNN_TEST_NAP="800000"):
        run = begin(room, tmp_path / "run", "four", 0, VALID)
        room.signal("four", signal.SIGKILL, "ray::_on_host")
        done = room.end(run)
    assert done.returncode == ExitCode.PASSED, done.stderr
    require_as_alone(tmp_path / "run", alone, VALID)
    cut = next(each for each in records_of(tmp_path / "run") if each["cut"])
    assert b'"begin"' not in (tmp_path / "run" / cut["events"]).read_bytes()


def test_the_network_is_cut(room: Room, alone: Any, tmp_path: Path) -> None:
    """A host that cannot be reached counts as lost; when it is back, nothing of it is counted."""
    with room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        room.signal("four", signal.SIGSTOP)
        done = room.end(run)
        room.signal("four", signal.SIGCONT)
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert "host four is lost" in done.stderr
    require_as_alone(tmp_path / "run", alone)


def test_the_network_is_cut_for_a_moment(room: Room, alone: Any, tmp_path: Path) -> None:
    """A host that is back before it counts as lost goes on as if nothing had happened."""
    with room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        room.signal("four", signal.SIGSTOP)
        time.sleep(0.5)  # the cluster waits for ten seconds
        room.signal("four", signal.SIGCONT)
        done = room.end(run)
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert "host four" not in done.stderr
    require_as_alone(tmp_path / "run", alone)
    assert all(each["exit_code"] == 0 for each in records_of(tmp_path / "run"))


def test_home_is_killed(room: Room, alone: Any, tmp_path: Path) -> None:
    """The programs end with it, and --resume goes on, though one of the hosts is gone by then."""
    with room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        run.kill()
        run.communicate()
        room.signal("four", signal.SIGCONT, "--cases")
        wait_for(lambda: not room.processes("four", "--cases"))
    done = room.run("run", "--resume", "--results", str(tmp_path / "run"))
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert "cases kept: " in done.stderr
    require_as_alone(tmp_path / "run", alone)
    begun = Counter(each["batch"] for each in records_of(tmp_path / "run"))
    assert max(begun.values()) >= 2
    cut = [each for each in records_of(tmp_path / "run") if each["exit_code"] is None]
    assert cut
    assert all(each["host"] and each["device"] >= 0 for each in cut)


def test_interrupted(room: Room, tmp_path: Path) -> None:
    """Ctrl-C ends all programs on the hosts, and the message says how to go on."""
    with room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        run.send_signal(signal.SIGINT)
        room.signal("four", signal.SIGCONT, "--cases")
        done = room.end(run)
        assert done.returncode == ExitCode.NOT_TRUSTWORTHY
        assert f"aclnn-cts run --resume --results {tmp_path / 'run'}" in done.stderr
        wait_for(lambda: not room.processes("four", "--cases"))


@pytest.fixture
def impatient(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs take the batch of a slow host elsewhere as soon as they do for people."""
    monkeypatch.setattr(room, "patience", 5.0)


@pytest.mark.usefixtures("impatient")
def test_a_slow_host(room: Room, alone: Any, tmp_path: Path) -> None:
    """Its last batch goes elsewhere when the others have nothing to do."""
    with room.guest("four", A2, ACLNN_TEST_NAP="400000"):
        hosts = ("--ray", room.address, "--results", str(tmp_path / "run"))
        done = room.run("run", *hosts, *OPTIONS)
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert "host four is slow" in done.stderr
    require_as_alone(tmp_path / "run", alone)


def test_all_hosts_are_lost(room: Room, alone: Any, tmp_path: Path) -> None:
    """The run stays interrupted, and goes on when there are hosts again."""
    with room.without("one", "two"), room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        room.signal("four", signal.SIGKILL)
        done = room.end(run)
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "--resume" in done.stderr
    done = room.run("run", "--resume", "--results", str(tmp_path / "run"))
    assert done.returncode == ExitCode.PASSED, done.stderr
    require_as_alone(tmp_path / "run", alone)


def require_quarantined(folder: Path, done: Any, alone: Any) -> None:
    """The records of other hosts count; what host four recorded is kept, and counts as trouble."""
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY, done.stderr
    assert "host four is quarantined" in done.stderr
    assert verdicts_of(folder) == alone(*OPTIONS)
    assert [problem.split()[:4] for problem in read_results(folder).problems] == [
        ["host", "four", "was", "quarantined:"]
    ]
    aside = [each for each in records_of(folder) if each["purpose"] == "set-aside"]
    assert {each["host"] for each in aside} == {"four"}
    assert all((folder / each["outputs"]).stat().st_size for each in aside)


def test_a_bad_host(room: Room, alone: Any, tmp_path: Path) -> None:
    """A host on which all fails is quarantined when its cases pass elsewhere."""
    with room.guest("four", A2, ACLNN_TEST_BAD="1", **NAP):
        run = begin(room, tmp_path / "run", "four")
        room.signal("four", signal.SIGCONT, "--cases")
        done = room.end(run)
    require_quarantined(tmp_path / "run", done, alone)


def test_a_bad_host_is_lost(room: Room, alone: Any, tmp_path: Path) -> None:
    """What a lost host recorded of its batch is compared, too, when all failed there."""
    with room.guest("four", A2, ACLNN_TEST_BAD="1", **NAP):
        run = begin(room, tmp_path / "run", "four", _MANY)
        room.signal("four", signal.SIGKILL)
        done = room.end(run)
    require_quarantined(tmp_path / "run", done, alone)
    assert [each["host"] for each in records_of(tmp_path / "run") if each["cut"]] == ["four"]


@pytest.mark.usefixtures("impatient")
def test_a_bad_host_is_slow(room: Room, alone: Any, tmp_path: Path) -> None:
    """So is what a slow host recorded of a batch before the rest of it went elsewhere."""
    with room.guest("four", A2, ACLNN_TEST_BAD="1", ACLNN_TEST_NAP="60000"):
        hosts = ("--ray", room.address, "--results", str(tmp_path / "run"))
        done = room.run("run", *hosts, *OPTIONS)
    assert "host four is slow" in done.stderr
    require_quarantined(tmp_path / "run", done, alone)


@pytest.mark.parametrize("stays", [True, False])
def test_home_is_killed_before_a_bad_host_is_known(
    room: Room, alone: Any, tmp_path: Path, *, stays: bool
) -> None:
    """Who resumes the run compares what it had recorded, though the host may be gone."""
    with contextlib.ExitStack() as guests:
        guests.enter_context(room.guest("four", A2, ACLNN_TEST_BAD="1", **NAP))
        run = begin(room, tmp_path / "run", "four", _MANY)
        run.kill()
        run.communicate()
        room.signal("four", signal.SIGCONT, "--cases")
        wait_for(lambda: not room.processes("four", "--cases"))
        if not stays:
            guests.close()
        done = room.run("run", "--resume", "--results", str(tmp_path / "run"))
    require_quarantined(tmp_path / "run", done, alone)


def test_home_is_killed_when_a_bad_host_is_known(room: Room, alone: Any, tmp_path: Path) -> None:
    """It stays quarantined."""
    folder = tmp_path / "run"

    def aside() -> int:
        known = records_of(folder) if (folder / "journal.jsonl").is_file() else []
        return sum(each["purpose"] == "set-aside" for each in known)

    with (
        room.without("one", "two"),
        room.guest("four", A2, ACLNN_TEST_BAD="1"),
        room.guest("five", A2, ACLNN_TEST_NAP="20000"),
    ):
        run = room.start("run", "--ray", room.address, *OPTIONS, "--results", str(folder))
        wait_for(aside)
        run.kill()
        run.communicate()
        before = aside()
        done = room.run("run", "--resume", "--results", str(folder))
    assert "host four stays quarantined" in done.stderr
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert verdicts_of(folder) == alone(*OPTIONS)
    assert aside() == before


def test_only_a_bad_host_is_left_and_lost(room: Room, alone: Any, tmp_path: Path) -> None:
    """What it recorded is compared when there are hosts again."""
    with room.without("one", "two"), room.guest("four", A2, ACLNN_TEST_BAD="1", **NAP):
        run = begin(room, tmp_path / "run", "four", _MANY)
        room.signal("four", signal.SIGKILL)
        done = room.end(run)
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert records_of(tmp_path / "run") == []
    done = room.run("run", "--resume", "--results", str(tmp_path / "run"))
    require_quarantined(tmp_path / "run", done, alone)


def test_a_bad_host_that_ran_refusals(room: Room, alone: Any, tmp_path: Path) -> None:
    """Calls that must be refused fail there, too, and are set aside though no case must succeed."""
    refused = ("window-shape-differs", "grad-input-shape-differs")
    options = [f"--case=MaxPool2dWithMaskBackward.{scene}.*" for scene in refused]
    expected = alone(*options, "--product", A2)
    with room.without("two"), room.guest("four", A2, ACLNN_TEST_BAD="1"):
        hosts = ("--ray", room.address, "--product", A2, "--results", str(tmp_path / "run"))
        done = room.run("run", *hosts, *options)
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY, done.stderr
    assert "host four is quarantined" in done.stderr
    assert verdicts_of(tmp_path / "run") == expected


def test_a_bad_operator(room: Room, tmp_path: Path) -> None:
    """Where all cases fail on every host, it is the device, and no host is quarantined."""
    fault = "output-not-written.aclnnLogitGrad.out"
    options = ("--case", "LogitGrad.layout.*", "--product", A2, "--fault", fault)
    folder = tmp_path / "run"
    done = room.run("run", "--ray", room.address, *options, "--results", str(folder))
    assert done.returncode == ExitCode.BROKEN_PROMISE, done.stderr
    assert "is suspect" in done.stderr
    assert "quarantined" not in done.stderr
    assert read_results(folder).problems == ()
    compared = [each for each in records_of(folder) if each["purpose"] == "compared"]
    assert len(compared) >= 1
