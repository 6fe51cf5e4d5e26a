# SPDX-License-Identifier: Apache-2.0
"""A kit's whole way: packed, run where there is little more than a compiler, judged at home.

Cases that crash, hang or flake there cost themselves alone, and none passes.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import only
from tests.end_to_end.kits.conftest import CHOSEN, OPERATOR, Host, chosen, judged, taken, unpacked
from tests.old_python import oldest_python
from tests.run.programs import Clock

from aclnn_cts.judge.judge_run import Confirmation, Judging
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import make_report
from aclnn_cts.kit.receive import read_outputs
from aclnn_cts.kit.runner import BATCHES_FILE
from aclnn_cts.plan.cases import Case
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import read_results
from aclnn_cts.run.build import simulator_files
from aclnn_cts.run.campaign import LocalEngine, Request, Silent, run_campaign
from aclnn_cts.run.executor import LocalExecutor
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import load_specs
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
    assert "and --kit is" in done.stderr


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
    begun = work / "events" / f"{last}.jsonl"
    while script.poll() is None and not (begun.is_file() and '"case"' in begun.read_text()):
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


EACH_KIND = """
                  const auto is = [&](const Shape &shape, float value) {
                    return x.dataType == ACL_FLOAT && x.shape == shape && eps == value;
                  };
                  if (is({7}, 0.1F)) __builtin_trap();
                  if (is({129}, 0.0F)) {
                    signal(SIGTERM, SIG_IGN);
                    for (std::ofstream seconds(std::getenv("TEST_SECONDS"), std::ios::app);;) {
                      seconds << std::string(10, '.') << std::flush;
                      (void)usleep(1000);
                    }
                  }
                  if (is({2, 33}, 0.25F)) {
                    if (std::FILE *const first = std::fopen(std::getenv("TEST_FLAKE_FILE"), "wx")) {
                      __builtin_trap();
                    }
                  }
                  const auto gradient ="""
INCLUDES = "".join(
    f"#include <{name}>\n"
    for name in ("signal.h", "unistd.h", "cstdio", "cstdlib", "fstream", "string")
)
"""The hang moves the clock of the run, so that no case can be taken for one by being slow."""

CLOCK = """
# What waits for a process or a thread goes by the time that it finds when it is imported.
import concurrent.futures, os, runpy, subprocess, sys, threading, time
time.monotonic = lambda: float(os.stat(os.environ["TEST_SECONDS"]).st_size)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a Python program that takes the size of a file for the time."""


def faulty_source(fault: str) -> str:
    """Return the simulated operator with a fault."""
    text = (find_suite().simulator / "operators" / "logit_grad.cpp").read_text()
    assert text.count("const auto gradient =") == 1
    return INCLUDES + text.replace("const auto gradient =", fault.strip())


def faulty_toolkit(simulated_device: Toolkit, tmp_path: Path, fault: str) -> Path:
    """A toolkit as newer releases lay it out, whose operator has a fault."""
    suite, root = find_suite(), tmp_path / "toolkit"
    files = simulator_files(suite)
    folder = root / f"{os.uname().machine}-linux"
    shutil.copytree(simulated_device.root, folder)
    (folder / "lib64" / "libopapi.so").unlink()
    operators = suite.simulator / "operators"
    changed = tmp_path / "logit_grad.cpp"
    changed.write_text(faulty_source(fault))
    sources = {
        "legacy": changed,
        "math": files["generated/aclnnLayerNorm.cpp"],  # runs beside the operator
        "unneeded": operators / "prelu_backward.cpp",
    }
    for name, source in sources.items():
        subprocess.run(
            [
                *("g++", "-std=c++17", "-O0", "-fPIC", "-shared", "-ffp-contract=off"),
                *(f"-I{suite.simulator / name}" for name in ("src", ".")),
                f"-I{simulated_device.include}",
                *(str(source), "-o", str(folder / "lib64" / f"libopapi_{name}.so")),
                *(f"-L{folder / 'lib64'}", "-lnnopbase", "-lascendcl"),
            ],
            check=True,
        )
    return root


def with_moved_clock(host: Host, tmp_path: Path) -> Host:
    """Return a host whose Python goes by the clock that the case moves which hangs."""
    tools = tmp_path / "tools"
    shutil.copytree(host.tools, tools, symlinks=True)
    (tmp_path / "clock.py").write_text(CLOCK)
    run = f"{oldest_python()} -I -S"
    (tools / "python3").write_text(
        f"#!/bin/sh\n"
        f'case $1 in -B) shift; exec {run} -B {tmp_path / "clock.py"} "$@" ;; esac\n'
        f'exec {run} "$@"\n'
    )
    return replace(host, tools=tools)


def at_home(bed: Any, cases: tuple[Case, ...], folder: Path) -> dict[str, CaseEntry]:
    """Return the verdicts of a run at home of the device that crashes, hangs and flakes.

    Its clock is moved by the case that hangs, which finds it in ``TEST_SECONDS``.
    """
    clock = Clock(Path(os.environ["TEST_SECONDS"]).parent)
    change = Change("each-kind", {"operators/logit_grad.cpp": faulty_source(EACH_KIND)})
    confirmation = Confirmation(
        Judging(bed.suite, DEFAULT_STANDARD, 2), lambda *_: None, lambda _: None
    )
    request = Request(
        *("atlas-a2", "smoke", DEFAULT_STANDARD, cases, folder),
        config=RunConfig(),
        change=change,
    )
    run_campaign(
        *(bed.suite, load_specs(bed.suite), request, Silent(), confirmation),
        engine=LocalEngine(lambda made: LocalExecutor(replace(made, clock=clock))),
    )
    return {verdict.id: verdict for verdict in make_report(folder).document.cases}


def gist(verdicts: Mapping[str, CaseEntry]) -> dict[str, tuple[Verdict, tuple[str, ...]]]:
    """Return of each case the verdict and the broken clauses."""
    return {name: (found.verdict, found.broken) for name, found in verdicts.items()}


def test_culprits_are_run_again_alone(
    bed: Any,
    fresh: Host,
    simulated_device: Toolkit,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A case that crashes, one that hangs and one that flakes are told apart as in a run at home.

    The program is linked anew, with the library of another layout that holds the operator: whatever
    the library's name is, and with no other. An older release's variable leads there.
    """
    toolkit = faulty_toolkit(simulated_device, tmp_path, EACH_KIND)
    program = fresh.work / "build" / OPERATOR
    program.unlink()
    (tmp_path / "seconds").touch()
    monkeypatch.setenv("TEST_SECONDS", str(tmp_path / "seconds"))
    variables = {
        "ASCEND_TOOLKIT_HOME": str(toolkit),
        "TEST_FLAKE_FILE": str(tmp_path / "kit.flake"),
        "TEST_SECONDS": str(tmp_path / "seconds"),
    }
    status, out, err = with_moved_clock(fresh, tmp_path).run("", **variables)
    assert (status, err) == (0, ""), out
    assert b"libopapi_legacy.so" in program.read_bytes()
    assert b"libopapi_unneeded.so" not in program.read_bytes()
    assert "cases that hung, again and alone: 1 of 1" in out
    assert "cases that crashed, again and alone: 2 of 2" in out
    found = taken(fresh.outputs, tmp_path / "results")
    red = sorted((v.verdict.value, v.tries) for v in found.values() if v.verdict.breaks_promise)
    assert red == [("crash", 1), ("flaky", 1), ("timeout", 1)]
    told = next(v.message for v in found.values() if v.verdict is Verdict.FLAKY)
    assert told.startswith("it broke a promise once, and none when rerun alone: in this")
    monkeypatch.setenv("TEST_FLAKE_FILE", str(tmp_path / "home.flake"))
    assert gist(found) == gist(at_home(bed, chosen(bed), tmp_path / "home"))
