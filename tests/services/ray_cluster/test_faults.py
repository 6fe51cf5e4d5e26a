# SPDX-License-Identifier: Apache-2.0
"""What hosts, workers, networks and people do to a run: nothing is lost or counted twice."""

from __future__ import annotations

import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.services.ray_cluster.conftest import A2, Room, records_of, verdicts_of, wait_for

from aclnn_cts.errors import ExitCode
from aclnn_cts.report.results import read_results

pytestmark = pytest.mark.end_to_end

OPTIONS = ("--operator", "aclnnDropoutBackward", "--product", A2)
"""Five batches, of several hundred cases that must succeed and as many that must not."""

NAP = {"ACLNN_TEST_NAP": "8000"}
"""Long enough for a batch to be under way when something happens to its host."""

_FEW = 5


def begin(room: Room, folder: Path, host: str) -> Any:
    """Start a run; return when a batch is under way on a host, and home knows of a few cases."""
    run = room.start("run", "--ray", room.address, *OPTIONS, "--results", str(folder))

    def under_way() -> bool:
        assert run.poll() is None, run.communicate()
        for process in room.processes(host, "--cases"):
            name = room.batch_of(process)
            events = folder / "events" / f"{name}.jsonl"
            if name and events.is_file() and events.read_bytes().count(b'{"event":"end"') >= _FEW:
                return True
        return False

    wait_for(under_way)
    return run


def require_as_alone(folder: Path, alone: Any) -> None:
    """Each case has the verdict of a local run, and was recorded once."""
    assert verdicts_of(folder) == alone(*OPTIONS)
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
    if not what.startswith("raylet"):  # without it, a worker may live long enough to finish
        assert [(each["host"], each["cut"] != "") for each in lost] == [("four", True)]
        assert "host four" in done.stderr


def test_the_network_is_cut(room: Room, alone: Any, tmp_path: Path) -> None:
    """A host that cannot be reached counts as lost; when it is back, nothing of it is counted."""
    with room.guest("four", A2, **NAP):
        run = begin(room, tmp_path / "run", "four")
        room.signal("four", signal.SIGSTOP)
        done = room.end(run)
        room.signal("four", signal.SIGCONT)
    assert done.returncode == ExitCode.PASSED, done.stderr
    # Whichever is noticed first: that it does not answer, or that its batch takes too long.
    assert "host four is" in done.stderr
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
        wait_for(lambda: not room.processes("four", "--cases"))
    done = room.run("run", "--resume", "--results", str(tmp_path / "run"))
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert "cases had ended and are kept" in done.stderr
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
        done = room.end(run)
        assert done.returncode == ExitCode.NOT_TRUSTWORTHY
        assert f"aclnn-cts run --resume --results {tmp_path / 'run'}" in done.stderr
        wait_for(lambda: not room.processes("four", "--cases"))


def test_a_slow_host(room: Room, alone: Any, tmp_path: Path) -> None:
    """Its last batch goes elsewhere when the others have nothing to do."""
    with room.guest("four", A2, ACLNN_TEST_NAP="400000"):
        done = room.end(begin(room, tmp_path / "run", "four"))
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


def test_a_bad_host(room: Room, alone: Any, tmp_path: Path) -> None:
    """A host on which all fails is quarantined when its cases pass elsewhere.

    The records of the others count. What it recorded is kept, and keeps the run from passing.
    """
    with room.guest("four", A2, ACLNN_TEST_BAD="1", **NAP):
        done = room.end(begin(room, tmp_path / "run", "four"))
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY, done.stderr
    assert "host four is quarantined" in done.stderr
    results = read_results(tmp_path / "run")
    assert verdicts_of(tmp_path / "run") == alone(*OPTIONS)
    assert [problem.split()[:4] for problem in results.problems] == [
        ["host", "four", "was", "quarantined:"]
    ]
    aside = [each for each in records_of(tmp_path / "run") if each["purpose"] == "set-aside"]
    assert {each["host"] for each in aside} == {"four"}
    assert all((tmp_path / "run" / each["outputs"]).stat().st_size for each in aside)


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
