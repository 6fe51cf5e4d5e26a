# SPDX-License-Identifier: Apache-2.0
"""Cases that crash, hang or flake on a kit's host: each costs itself alone, and none passes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.kits.conftest import OPERATOR, Host, Planned, judged, keep, kept_lines

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.judge_run import Judging
from aclnn_cts.judge.rerun import Confirmation
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.kit.outputs import look_at
from aclnn_cts.kit.receive import receive
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.report.judging import make_report
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.executor import MOST_TIMEOUTS
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

CRASH_AND_HANG = """
                  if (eps == 0.7F) __builtin_trap();
                  if (eps == 2.0F) {
                    signal(SIGTERM, SIG_IGN);
                    for (;;) (void)usleep(1000);
                  }
                  const auto gradient ="""
CRASH = "if (eps == 0.7F) __builtin_trap(); const auto gradient ="
EACH_KIND = """
                  const auto is = [&](const Shape &shape, float value) {
                    return x.dataType == ACL_FLOAT && x.shape == shape && eps == value;
                  };
                  if (is({7}, 0.1F)) __builtin_trap();
                  while (is({129}, 0.0F)) (void)usleep(1000);
                  if (is({2, 33}, 0.25F)) {
                    if (std::FILE *const first = std::fopen(std::getenv("TEST_FLAKE_FILE"), "wx")) {
                      __builtin_trap();
                    }
                  }
                  const auto gradient ="""
HANG = "for (;;) (void)usleep(1000); const auto gradient ="


INCLUDES = "#include <signal.h>\n#include <unistd.h>\n#include <cstdio>\n#include <cstdlib>\n"


def faulty_source(fault: str) -> str:
    """Return the simulated operator with a fault."""
    text = (find_suite().simulator / "operators" / "logit_grad.cpp").read_text()
    assert text.count("const auto gradient =") == 1
    return INCLUDES + text.replace("const auto gradient =", fault.strip())


def faulty_toolkit(simulated_device: Toolkit, tmp_path: Path, fault: str) -> Path:
    """A toolkit as newer releases lay it out, whose operator has a fault."""
    suite, root = find_suite(), tmp_path / "toolkit"
    folder = root / f"{os.uname().machine}-linux"
    shutil.copytree(simulated_device.root, folder)
    (folder / "lib64" / "libopapi.so").unlink()
    operators = suite.simulator / "operators"
    changed = tmp_path / "logit_grad.cpp"
    changed.write_text(faulty_source(fault))
    sources = {
        "legacy": changed,
        "math": operators / "dropout_backward.cpp",
        "unneeded": operators / "prelu_backward.cpp",
    }
    for name, source in sources.items():
        subprocess.run(
            [
                *("g++", "-std=c++17", "-O0", "-fPIC", "-shared", "-ffp-contract=off"),
                *(f"-I{suite.simulator / 'include'}", f"-I{suite.simulator / 'src'}"),
                *(str(source), "-o", str(folder / "lib64" / f"libopapi_{name}.so")),
                *(f"-L{folder / 'lib64'}", "-lnnopbase", "-lascendcl"),
            ],
            check=True,
        )
    return root


def test_a_crash_and_a_hang(
    fresh: Host, simulated_device: Toolkit, planned: Planned, tmp_path: Path
) -> None:
    """Each is the verdict of the case that it happened in; all others are judged as ever.

    The program is linked anew, with the library of another layout that holds the operator: whatever
    the library's name is, and with no other. An older release's variable leads there.
    """
    toolkit = faulty_toolkit(simulated_device, tmp_path, CRASH_AND_HANG)
    program = fresh.work / "build" / OPERATOR
    program.unlink()
    status, out, err = fresh.run("", ASCEND_TOOLKIT_HOME=str(toolkit), CASE_SECONDS="2")
    assert (status, err) == (0, ""), out
    assert b"libopapi_legacy.so" in program.read_bytes()
    assert b"libopapi_unneeded.so" not in program.read_bytes()
    verdicts = judged(fresh.outputs, tmp_path / "results")
    by_eps = {
        eps: {c.id for c in planned("atlas-a2", "smoke") if c.attributes.get("eps") == eps}
        for eps in (0.7, 2.0)
    }
    named = {
        verdict: {case for case, (found, _) in verdicts.items() if found == verdict}
        for verdict in (Verdict.CRASH, Verdict.TIMEOUT)
    }
    assert named == {Verdict.CRASH: by_eps[0.7], Verdict.TIMEOUT: by_eps[2.0]}
    clean = {Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.CRASH, Verdict.TIMEOUT}
    assert {found for found, _ in verdicts.values()} <= clean


def at_home(bed: Any, cases: tuple[Case, ...], folder: Path) -> dict[str, CaseVerdict]:
    """Return the verdicts of a run at home of the device that crashes, hangs and flakes."""
    change = Change("each-kind", {"operators/logit_grad.cpp": faulty_source(EACH_KIND)})
    confirmation = Confirmation(
        Judging(bed.suite, DEFAULT_STANDARD, 2), lambda *_: None, lambda _: None
    )
    request = Request(
        *("atlas-a2", "smoke", DEFAULT_STANDARD, cases, folder),
        config=RunConfig(case_seconds=1.0),
        change=change,
    )
    run_campaign(bed.suite, load_specs(bed.suite), request, Silent(), confirmation)
    return {verdict.case: verdict for verdict in make_report(folder).verdicts}


def taken(kit: Host, folder: Path) -> dict[str, CaseVerdict]:
    """Return the verdicts on what a kit left."""
    suite = find_suite()
    receive(look_at(kit.outputs, suite), folder, suite)
    return {verdict.case: verdict for verdict in make_report(folder).verdicts}


def gist(verdicts: Mapping[str, CaseVerdict]) -> dict[str, tuple[Verdict, tuple[str, ...]]]:
    """Return of each case the verdict and the broken clauses."""
    return {name: (found.verdict, found.broken) for name, found in verdicts.items()}


def test_culprits_are_run_again_alone(
    bed: Any,
    fresh: Host,
    simulated_device: Toolkit,
    planned: Planned,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A case that crashes, one that hangs and one that flakes are told apart as in a run at home.

    So they are after an interruption, too: a flake that was seen once is never run into a pass.
    """
    toolkit = faulty_toolkit(simulated_device, tmp_path, EACH_KIND)
    (fresh.work / "build" / OPERATOR).unlink()
    flake = {"TEST_FLAKE_FILE": str(tmp_path / "kit.flake")}
    status, out, err = fresh.run(str(toolkit), CASE_SECONDS="1", **flake)
    assert (status, err) == (0, ""), out
    assert "1 of 1 cases that hung, again and alone" in out
    assert "2 of 2 cases that crashed, again and alone" in out
    found = taken(fresh, tmp_path / "results")
    red = sorted((v.verdict.value, v.tries) for v in found.values() if v.verdict.breaks_promise)
    assert red == [("crash", 1), ("flaky", 1), ("timeout", 1)]
    told = next(v.message for v in found.values() if v.verdict is Verdict.FLAKY)
    assert told.startswith("it broke a promise once, and none when it was run again alone: in this")
    monkeypatch.setenv("TEST_FLAKE_FILE", str(tmp_path / "home.flake"))
    cases = tuple(c for c in planned("atlas-a2", "smoke") if c.operator == OPERATOR)
    assert gist(found) == gist(at_home(bed, cases, tmp_path / "home"))

    # As if the script had been killed before the last process of each batch ended.
    for ended in (fresh.work / "ended").iterdir():
        lines = kept_lines(ended)
        keep(ended, lines[:-1] or lines)
        (fresh.work / "done" / ended.name).unlink()
    status, out, err = fresh.run(str(toolkit), CASE_SECONDS="1", **flake)
    assert (status, err) == (0, ""), out
    assert gist(taken(fresh, tmp_path / "results")) == gist(found)


def test_no_device_for_another_try(fresh: Host, simulated_device: Toolkit, tmp_path: Path) -> None:
    """What was run goes home although a crash cost the device, and the sentence says what is not.

    Nothing is tried into another verdict by that: the crash stays one.
    """
    toolkit = faulty_toolkit(simulated_device, tmp_path, CRASH)
    program = fresh.work / "build" / OPERATOR
    program.unlink()
    assert fresh.run(str(toolkit))[0] == 0
    found = gist(taken(fresh, tmp_path / "a"))
    for path in (*fresh.work.glob("done/*-alone"), *fresh.work.glob("ended/*-alone")):
        path.unlink()
    whole = program.rename(fresh.work / "build" / "whole")
    program.write_text("#!/bin/sh\necho lost >&2\nexit 3\n")
    program.chmod(0o755)
    status, out, err = fresh.run(str(toolkit))
    assert status == 1, out
    assert "cases that ended their process were not run again alone: device 0 cannot be" in err
    assert "outputs.tar.gz home all the same" in err
    assert all(verdict.tries == 0 for verdict in taken(fresh, tmp_path / "b").values())
    assert gist(taken(fresh, tmp_path / "b")) == found
    assert Verdict.CRASH in {verdict for verdict, _ in found.values()}
    whole.rename(program)
    assert fresh.run(str(toolkit))[0] == 0
    assert gist(taken(fresh, tmp_path / "c")) == found


def test_many_hangs(fresh: Host, simulated_device: Toolkit, tmp_path: Path) -> None:
    """A batch in which as many cases hang as at home is given up; what is left is missing."""
    toolkit = faulty_toolkit(simulated_device, tmp_path, HANG)
    (fresh.work / "build" / OPERATOR).unlink()
    devices = {"DEVICES": "0-1", "ACLNN_SIM_DEVICES": "2"}
    status, out, err = fresh.run(str(toolkit), CASE_SECONDS="1", **devices)
    assert status == 1, out
    assert "cases were never begun" in err
    hanging = Counter(
        process.batch
        for process in look_at(fresh.outputs, find_suite()).processes
        if process.timed_out and not process.about
    )
    assert set(hanging.values()) == {MOST_TIMEOUTS}
    found = Counter(verdict for verdict, _ in judged(fresh.outputs, tmp_path / "results").values())
    assert found[Verdict.TIMEOUT] == sum(hanging.values())
    assert found[Verdict.MISSING] > 0


def test_a_program_that_dies_at_once(fresh: Host, tmp_path: Path) -> None:
    """Nothing was begun: the script says so, and nothing of it is judged at home."""
    program = fresh.work / "build" / OPERATOR
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    status, _, err = fresh.run()
    assert status == 1
    cases = len(plan(load_specs(find_suite()), "atlas-a2", "smoke", [OPERATOR]))
    assert f"{cases} cases were never begun" in err
    with pytest.raises(NotTrustworthyError, match="no program reached a device"):
        judged(fresh.outputs, tmp_path / "results")
