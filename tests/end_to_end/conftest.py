# SPDX-License-Identifier: Apache-2.0
"""Real builds and runs on the simulated device, shared by all tests of a session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.judging import make_report
from aclnn_cts.report.model import Report
from aclnn_cts.run.campaign import Progress, Request, run_campaign
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import Suite, find_suite

SILENT = Progress(lambda _name, _steps: None, lambda _done: None)
PARTS = ("specs", "harness", "simulator", "generated_tests", ".clang-format")


@dataclass(frozen=True)
class Bed:
    """Where suites are run: one cache for all of them, a results folder for each run.

    Attributes:
        root: Holds the cache and everything else.
        suite: The suite under test.
        made: Names of results folders that were given away.
    """

    root: Path
    suite: Suite
    made: list[Path] = field(default_factory=list)

    def run(self, product: str, cases: tuple[Case, ...]) -> RunFolder:
        """Run cases on the simulated device."""
        results = self.root / "results" / str(len(self.made))
        self.made.append(results)
        specs = load_specs(self.suite)
        request = Request(product, "smoke", DEFAULT_STANDARD, cases, results, jobs=2)
        return run_campaign(self.suite, specs, request, SILENT)

    def judged(self, product: str, cases: tuple[Case, ...]) -> Report:
        """Run cases and judge them."""
        return make_report(self.run(product, cases).path)

    def changed(self, name: str, file: str, old: str, new: str) -> Bed:
        """Return a bed whose suite is a copy with one text replaced in one file."""
        root = self.root / "suites" / name
        root.mkdir(parents=True)
        for part in PARTS:
            source = self.suite.root / part
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, root / part)
        path = root / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} holds {text.count(old)} times: {old}"
        path.write_text(text.replace(old, new))
        return Bed(self.root, Suite(root), self.made)


@pytest.fixture(scope="session")
def bed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bed]:
    """The suite itself, with a cache of its own in a temporary folder."""
    root = tmp_path_factory.mktemp("bed")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ACLNN_CTS_CACHE", str(root / "cache"))
        yield Bed(root, find_suite())


def command(
    bed: Bed, *arguments: str, suite: Suite | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    environment = {
        **os.environ,
        "ACLNN_CTS_CACHE": str(bed.root / "cache"),
        "ACLNN_CTS_SUITE": str((suite or bed.suite).root),
    }
    return subprocess.run(
        [sys.executable, "-m", "aclnn_cts.cli", *arguments],
        env=environment, cwd=bed.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
