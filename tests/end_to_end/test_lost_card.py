# SPDX-License-Identifier: Apache-2.0
"""A case that takes the only card down, or hangs until its run is killed, is not forgotten."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import only

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.rerun import REMARK
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    read_results,
)
from aclnn_cts.run.journal import JOURNAL

pytestmark = pytest.mark.end_to_end

BREAKER = "LogitGrad.cover.float32.7.eps_0.1."

WORK = """[&] {
      const bool breaks = x.dataType == ACL_FLOAT && x.shape == Shape{7} && eps == 0.1F &&
                          std::getenv("TEST_IS_MENDED") == nullptr;
      while (breaks && std::getenv("TEST_HANGS") != nullptr) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
      }
      if (breaks) {
        std::ofstream(std::getenv("TEST_CARD_IS_DOWN")).put('x');
        std::abort();
      }
      Map(out, gradient, x, dy);
    }();"""

REFUSAL = (
    '  if (std::ifstream(std::getenv("TEST_CARD_IS_DOWN")).good()) return Fail(507899, "down");\n'
)
SET_DEVICE = '  if (!IsVisible(deviceId)) return NoSuchDevice("aclrtSetDevice", deviceId);'

EDITS = [
    ("operators/logit_grad.cpp", "Map(out, gradient, x, dy);", WORK),
    (
        "operators/logit_grad.cpp",
        "#include <cmath>",
        "#include <chrono>\n#include <cmath>\n#include <cstdlib>\n#include <fstream>\n"
        "#include <thread>",
    ),
    ("src/runtime/lifecycle.cpp", SET_DEVICE, REFUSAL + SET_DEVICE),
    ("src/runtime/lifecycle.cpp", "#include <map>", "#include <fstream>\n#include <map>"),
]


@pytest.fixture(scope="module")
def lab(bed: Any) -> Any:
    """A suite whose catalog holds the device that a case takes down until it is reset."""
    return bed.with_fault("logit-card-down", EDITS)


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """While this file is there, the card is down."""
    file = tmp_path / "down"
    monkeypatch.setenv("TEST_CARD_IS_DOWN", str(file))
    return file


def lose(lab: Any, results: Path) -> Any:
    """Run until the card is down."""
    return lab.command(
        *("run", *only(["LogitGrad.cover.*", "LogitGrad.null-pointer.*"])),
        *("--fault", "logit-card-down", "--keep-outputs"),  # a journal that only grows
        *("--devices", "0", "--results", str(results)),
        root=lab.suite.root,
    )


def resume(lab: Any, results: Path) -> Any:
    return lab.command("run", "--resume", "--results", str(results), root=lab.suite.root)


def red_in(results: Path) -> CaseEntry:
    """Return the only case that does not pass: the one that took the card down."""
    good = ("pass", "contested-only")
    (case,) = (each for each in read_results(results).cases if each.verdict.value not in good)
    assert case.id.startswith(BREAKER)
    return case


def test_it_is_named_at_once_and_is_a_crash_afterwards(
    lab: Any, card: Path, tmp_path: Path
) -> None:
    """Status 3 and the case in the message, however often it is resumed; with the card, a crash.

    Its confirmation takes the card down once more, when all other cases have been run.
    """
    results = tmp_path / "results"
    ended = lose(lab, results)
    for tried in (ended, resume(lab, results)):
        assert tried.returncode == ExitCode.NOT_TRUSTWORTHY, tried.stdout + tried.stderr
        assert "no device is left (" in tried.stderr
        assert f"; device 0 was lost in {BREAKER}" in tried.stderr
        assert "(aclnnLogitGrad: the program was killed by SIGABRT); `aclnn-cts" in tried.stderr
    card.unlink()
    resumed = resume(lab, results)
    assert resumed.returncode == ExitCode.BROKEN_PROMISE, resumed.stdout + resumed.stderr
    told = f"check the installation and the device; device 0 was lost in {BREAKER}"
    assert resumed.stdout.count(told) == 2  # when it was begun, and when it was resumed too early
    case = red_in(results)
    assert (case.verdict.value, case.tries, case.confirmed) == ("crash", 1, True)


def test_it_is_not_tried_into_a_pass(
    lab: Any, card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a card that keeps every promise afterwards, the crash still counts, and is told."""
    results = tmp_path / "results"
    assert lose(lab, results).returncode == ExitCode.NOT_TRUSTWORTHY
    kept = (results / JOURNAL).read_bytes()
    card.unlink()
    monkeypatch.setenv("TEST_IS_MENDED", "1")
    resumed = resume(lab, results)
    assert resumed.returncode == ExitCode.BROKEN_PROMISE, resumed.stdout + resumed.stderr
    assert (results / JOURNAL).read_bytes().startswith(kept)
    case = red_in(results)
    assert case.verdict.value == "flaky"
    assert "SIGABRT" in case.message


def test_a_first_case_that_hung_until_the_run_was_killed(
    lab: Any, card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it passes after --resume, its report says that it had been running before."""
    results = tmp_path / "results"
    listed = lab.command("list", "--operator", "aclnnLogitGrad", root=lab.suite.root)
    (name,) = (line for line in listed.stdout.splitlines() if line.startswith(BREAKER))
    run = ("run", "--case", name, "--fault", "logit-card-down", "--results", str(results))
    events = results / "events" / "aclnnLogitGrad-000.jsonl"
    monkeypatch.setenv("TEST_HANGS", "1")
    with lab.start(*run, root=lab.suite.root) as process:
        while not (events.is_file() and b'"begin"' in events.read_bytes()):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    monkeypatch.setenv("TEST_IS_MENDED", "1")
    resumed = resume(lab, results)
    assert resumed.returncode == ExitCode.PASSED, resumed.stdout + resumed.stderr
    (case,) = read_results(results).cases
    assert (case.verdict.value, case.remarks) == ("pass", (REMARK,))
    assert REMARK in " ".join(resumed.stdout.split())
    assert not card.exists()
