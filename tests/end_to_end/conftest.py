# SPDX-License-Identifier: Apache-2.0
"""Real builds and runs on the simulated device, shared by all tests of a session."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.end_to_end.reproducing import Workbench
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.judging import Report, make_report
from aclnn_cts.plan.cases import Case
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.run.build import build_simulator, find_compiler
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.run_config import RunConfig, case_seconds_of
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import Suite, find_suite


def only(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the options that choose cases by patterns of their ids."""
    return tuple(part for pattern in patterns for part in ("--case", pattern))


@dataclass(frozen=True)
class Bed:
    """Where suites are run: one cache for all of them, a results folder for each run.

    Attributes:
        root: Holds all folders.
        suite: The suite under test.
        made: Names of results folders that were given away.
    """

    root: Path
    suite: Suite
    made: list[Path] = field(default_factory=list)

    def run(self, product: str, cases: tuple[Case, ...], change: Change | None = None) -> RunFolder:
        """Run cases on the simulated device, or on one that is changed."""
        results = self.root / "results" / str(len(self.made))
        self.made.append(results)
        specs = load_specs(self.suite)
        seconds = case_seconds_of(faulty=change is not None and change.kind == "fault")
        asked = RunConfig(devices=(0, 0), case_seconds=seconds)
        request = Request(product, "smoke", DEFAULT_STANDARD, cases, results, asked, change)
        return run_campaign(self.suite, specs, request, Silent())

    def judged(self, product: str, cases: tuple[Case, ...], change: Change | None = None) -> Report:
        """Run cases and judge them."""
        return make_report(self.run(product, cases, change).path)

    def changed(self, name: str, edits: Iterable[tuple[str, str, str]]) -> Change:
        """Return a change of the simulated device: below ``simulator/``, an old and a new text."""
        sources: dict[str, str] = {}
        for file, old, new in edits:
            text = sources.get(file) or (self.suite.simulator / file).read_text()
            assert text.count(old) == 1, f"{file} holds {text.count(old)} times: {old}"
            sources[file] = text.replace(old, new)
        return Change(name, sources)

    def with_fault(self, name: str, edits: Iterable[tuple[str, str, str]]) -> Bed:
        """Return a bed whose catalog holds one fault of aclnnLogitGrad, of edits as above."""
        root = self.root / "suites" / name
        shutil.copytree(self.suite.simulator, root / "simulator")
        for part in ("specs", "harness", "generated_tests"):
            (root / part).symlink_to(self.suite.root / part)
        by_file: dict[str, dict[str, str]] = {}
        for path, old, new in edits:
            by_file.setdefault(path, {})[old] = new
        fault = {"fault": "It is made for a test.", "notices": ["two-phase"], "edits": by_file}
        group = {"operator": "aclnnLogitGrad", "devices": {name: fault}}
        # JSON is YAML, too.
        (root / "simulator" / "faults.yaml").write_text(json.dumps({"faults": [group]}))
        return replace(self, suite=Suite(root))

    def environment(self, root: Path | None = None) -> dict[str, str]:
        """Return the environment in which the command line works on this bed."""
        return {
            **os.environ,
            "ACLNN_CTS_CACHE": str(self.suite.cache),
            "ACLNN_CTS_SUITE": str(root or self.suite.root),
        }

    def start(
        self,
        *arguments: str,
        root: Path | None = None,
        program: Sequence[str] = ("-c", "from aclnn_cts.entry import main; main()"),
    ) -> subprocess.Popen[str]:
        """Start the command line in a process of its own, in an empty folder."""
        folder = self.root / "work"
        folder.mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, *program, *arguments],
            env=self.environment(root),
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def command(
        self, *arguments: str, root: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end, in this process."""
        folder = self.root / "work"
        folder.mkdir(exist_ok=True)
        with pytest.MonkeyPatch.context() as patched:
            patched.chdir(folder)
            done = CliRunner().invoke(cli.app, arguments, env=self.environment(root))
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def bed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bed]:
    """The suite itself; copies of it share its cache, so what they have alike is built once."""
    suite = find_suite()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ACLNN_CTS_CACHE", str(suite.cache))
        yield Bed(tmp_path_factory.mktemp("bed"), suite)


@pytest.fixture(scope="session")
def workbench(bed: Bed) -> Workbench:
    """What makes reproducers and runs them; the suite's own device is built once."""
    unharmed = build_simulator(bed.suite, find_compiler())
    return Workbench(bed, load_specs(bed.suite), load_catalog(bed.suite), unharmed)
