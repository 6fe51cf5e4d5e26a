# SPDX-License-Identifier: Apache-2.0
"""A night in a lab: a device that crashes, hangs, corrupts, gets lost and flakes, in one run."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end import own_clocks
from tests.end_to_end.conftest import only
from tests.end_to_end.test_interrupt import processes_with

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    read_results,
)
from aclnn_cts.run.folder import open_run
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

CORRUPTER = "LogitGrad.ends-that-move.float16.129.eps_0.1."
VICTIM = "LogitGrad.ends-that-move.bfloat16.129.eps_0.1."
CRASHER = "LogitGrad.cover.float32.7.eps_0.1."
HANGER = "LogitGrad.cover.float32.129.eps_0."
LOSER = "LogitGrad.cover.float32.5x3x7.eps_0.5."
FLAKE = "LogitGrad.cover.float32.2x33.eps_0.25."

WORK = """[&] {
      const auto is = [&](aclDataType type, const Shape &shape, float value) {
        return x.dataType == type && x.shape == shape && eps == value;
      };
      static bool stale = false;
      if (is(ACL_FLOAT16, {129}, 0.1F)) stale = true;
      if (is(ACL_BF16, {129}, 0.1F) && stale) return;
      if (is(ACL_FLOAT, {7}, 0.1F)) std::abort();
      if (is(ACL_FLOAT, {5, 3, 7}, 0.5F)) setenv("TEST_DEVICE_LOST", "1", 1);
      if (is(ACL_FLOAT, {129}, 0.0F)) {
        const char *const once = std::getenv("TEST_TIMED_OUT_FILE");
        const bool moves = once == nullptr || std::fopen(once, "wx") != nullptr;
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
          if (moves) std::ofstream(std::getenv("TEST_CLOCK"), std::ios::app) << "ten seconds";
        }
      }
      if (is(ACL_FLOAT, {2, 33}, 0.25F)) {
        if (std::FILE *const first = std::fopen(std::getenv("TEST_FLAKE_FILE"), "wx")) {
          std::fclose(first);
          return;
        }
      }
      Map(out, gradient, x, dy);
    }();"""

EDITS = [
    ("operators/logit_grad.cpp", "Map(out, gradient, x, dy);", WORK),
    (
        "operators/logit_grad.cpp",
        "#include <cmath>",
        "#include <chrono>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n"
        "#include <fstream>\n#include <thread>",
    ),
    (
        "src/runtime/stream.cpp",
        '    return Fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "aclrtSynchronizeStreamWithTimeout: '
        'timeout");\n  }',
        '    return Fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "timeout");\n  }\n'
        '  if (std::getenv("TEST_DEVICE_LOST") != nullptr) return Fail(507899, "lost");',
    ),
    ("src/runtime/stream.cpp", "#include <memory>", "#include <cstdlib>\n#include <memory>"),
    (
        "src/runtime/lifecycle.cpp",
        '  if (!IsVisible(deviceId)) return NoSuchDevice("aclrtSetDevice", deviceId);',
        '  if (std::getenv("TEST_DEVICE_LOST") != nullptr) return Fail(507899, "lost");\n'
        '  if (!IsVisible(deviceId)) return NoSuchDevice("aclrtSetDevice", deviceId);',
    ),
]

CHOSEN = [
    *(
        f"{name}.{scene}.*"
        for scene in ("base", "cover", "state")
        for name in ("LogitGrad", "Silu")
    ),
    *(f"LogitGrad.{scene}.*" for scene in ("special", "null-pointer", "layout", "ends-that-move")),
]


@pytest.fixture(scope="module")
def lab(bed: Any) -> Any:
    """A suite whose catalog holds the device of this night as one fault."""
    return bed.with_fault("logit-night", EDITS)


@pytest.fixture(scope="module")
def start(lab: Any) -> Callable[..., Any]:
    """Return what starts a command on a folder; the flake happens once in it."""

    def begin(folder: Path, *arguments: str, **variables: str) -> Any:
        clocks = folder.with_suffix(".clocks")
        clocks.mkdir(parents=True, exist_ok=True)
        own = {"TEST_FLAKE_FILE": f"{folder}.flake", "TEST_CLOCKS": str(clocks)}
        with pytest.MonkeyPatch.context() as patched:
            for name, value in (own | variables).items():
                patched.setenv(name, value)
            return lab.start(
                *(*arguments, "--results", str(folder)),
                root=lab.suite.root,
                program=(own_clocks.__file__,),
            )

    return begin


RUN = ("run", *only(CHOSEN))
# Whole records, so that they can be judged anew, and a journal only grows.
FAULTY = (*RUN, "--fault", "logit-night", "--keep-outputs")


def finish(process: Any) -> str:
    """Return what a run said; it must have found broken promises."""
    out, err = process.communicate()
    assert process.returncode == ExitCode.BROKEN_PROMISE, out + err
    assert "Traceback" not in err
    return str(out)


def found(folder: Path) -> dict[str, CaseEntry]:
    return {case.id: case for case in read_results(folder).cases}


def verdicts(folder: Path) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Return what must not depend on time: verdict, broken clauses, and culprit of each case."""
    return {
        name: (case.verdict.value, case.broken, case.after) for name, case in found(folder).items()
    }


@pytest.fixture(scope="module")
def night(start: Any, lab: Any) -> Path:
    """The run over two workers."""
    folder = Path(lab.root / "results" / "night")
    with start(folder, *FAULTY, "--devices", "0,1") as process:
        finish(process)
    return folder


def test_each_culprit_is_named(night: Path) -> None:
    """By its case and by what it did; the victim names the one that it comes behind."""
    cases = found(night)
    assert len(cases) > 100
    red = {
        name: case for name, case in cases.items() if case.verdict not in ("pass", "contested-only")
    }
    wanted = {VICTIM: "fail", CRASHER: "crash", HANGER: "timeout", LOSER: "crash", FLAKE: "flaky"}
    by_prefix = {
        prefix: case for name, case in red.items() for prefix in wanted if name.startswith(prefix)
    }
    assert {name: case.verdict.value for name, case in by_prefix.items()} == wanted
    assert len(red) == len(wanted)
    assert "SIGABRT" in by_prefix[CRASHER].message
    assert "the device was lost in this case" in by_prefix[LOSER].message
    (culprit,) = by_prefix[VICTIM].after
    assert culprit.startswith(CORRUPTER)
    assert by_prefix[VICTIM].message.startswith(f"only after {culprit}; alone it passes")
    assert culprit in by_prefix[VICTIM].story.replace("\n", " ")
    assert all(case.tries > 0 for case in red.values())


def test_each_case_names_its_card(night: Path) -> None:
    """It is that of the process of a batch that began the case, on this host."""
    run = open_run(night, find_suite())
    began = {
        name: program.device
        for program in run.programs
        if program.purpose == "batch"
        for name in program.progress.ended
    }
    assert set(began.values()) == {0, 1}
    assert {(case.host, case.card) for case in found(night).values()} == {
        (run.environment.host, card) for card in (0, 1)
    }
    flaky = {name for name, case in found(night).items() if case.verdict is Verdict.FLAKY}
    cards = {name: case.card for name, case in found(night).items() if name not in flaky}
    assert cards.items() <= began.items()


def test_the_others_are_as_on_an_unharmed_device(night: Path, start: Any, lab: Any) -> None:
    """No other case suffers from what these did to their processes and the device."""
    folder = Path(lab.root / "results" / "unharmed")
    with start(folder, *RUN) as process:
        out, err = process.communicate()
    assert process.returncode == ExitCode.PASSED, out + err
    harmed, unharmed = verdicts(night), verdicts(folder)
    assert harmed.keys() == unharmed.keys()
    assert sum(harmed[name] != unharmed[name] for name in unharmed) == 5


def test_judged_again_offline(night: Path, lab: Any) -> None:
    """The records alone lead to the same results, whether verdicts are reused or not."""

    def results() -> dict[str, Any]:
        document = json.loads((night / "results.json").read_bytes())
        return {name: value for name, value in document.items() if name not in ("reused", "seal")}

    before = results()
    for options in ([], ["--no-reuse"]):
        done = lab.command("judge", str(night), *options, root=lab.suite.root)
        assert done.returncode == ExitCode.BROKEN_PROMISE, done.stderr
        assert results() == before


def test_one_worker_finds_the_same(night: Path, start: Any, lab: Any) -> None:
    """Verdict for verdict, whatever the number of workers."""
    folder = Path(lab.root / "results" / "one-worker")
    with start(folder, *FAULTY, "--devices", "5") as process:
        finish(process)
    assert verdicts(folder) == verdicts(night)


@pytest.mark.parametrize("lines", [2, 6])  # while batches run, and during reruns
def test_killed_and_resumed(night: Path, start: Any, lab: Any, lines: int) -> None:
    """Kill -9 of the runner leaves no program behind; --resume does the rest, and only that."""
    folder = Path(lab.root / "results" / f"killed-{lines}")
    journal = folder / "journal.jsonl"
    # Its second hang has no end: the run is there until it is killed, however late that is.
    stuck = {"TEST_TIMED_OUT_FILE": f"{folder}.timed-out"}
    with start(folder, *FAULTY, "--devices", "0,1", **stuck) as process:
        while count(journal) < lines and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    while processes_with(f"{folder}/"):
        time.sleep(0.01)
    kept = journal.read_bytes()
    judged = lab.command("judge", str(folder), root=lab.suite.root)
    assert judged.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "--resume" in judged.stderr
    with start(folder, "run", "--resume") as process:
        finish(process)
    assert journal.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert verdicts(folder) == verdicts(night)


def count(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.is_file() else 0
