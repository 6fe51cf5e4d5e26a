# SPDX-License-Identifier: Apache-2.0
"""Real builds and runs on the simulated device, shared by all tests of a session."""

from __future__ import annotations

import contextlib
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
from aclnn_cts.run.campaign import Request, run_campaign
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import Suite, find_suite

PARTS = ("specs", "harness", "simulator", "generated_tests", ".clang-format")


class Silent:
    """Progress that nobody watches."""

    def stage(self, name: str, steps: int) -> None:
        """Take note of nothing."""

    def step(self, done: int) -> None:
        """Take note of nothing."""


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
        return run_campaign(self.suite, specs, request, Silent())

    def judged(self, product: str, cases: tuple[Case, ...]) -> Report:
        """Run cases and judge them."""
        return make_report(self.run(product, cases).path)

    def copied(self, name: str) -> Bed:
        """Return a bed whose suite is a copy, to be changed."""
        root = self.root / "suites" / name
        root.mkdir(parents=True)
        for part in PARTS:
            source = self.suite.root / part
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, root / part)
        return Bed(self.root, Suite(root), self.made)

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Make this bed's suite the one that is found."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("ACLNN_CTS_SUITE", str(self.suite.root))
            yield

    def start(self, *arguments: str, root: Path | None = None) -> subprocess.Popen[str]:
        """Start the command line in a process of its own, in an empty folder."""
        environment = {
            **os.environ,
            "ACLNN_CTS_CACHE": str(self.root / "cache"),
            "ACLNN_CTS_SUITE": str(root or self.suite.root),
        }
        folder = self.root / "work"
        folder.mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-c", "from aclnn_cts.entry import main; main()", *arguments],
            env=environment,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def command(
        self, *arguments: str, root: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end."""
        with self.start(*arguments, root=root) as process:
            out, err = process.communicate()
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)


@pytest.fixture(scope="session")
def bed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bed]:
    """The suite itself, with a cache of its own in a temporary folder."""
    root = tmp_path_factory.mktemp("bed")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ACLNN_CTS_CACHE", str(root / "cache"))
        yield Bed(root, find_suite())
