# SPDX-License-Identifier: Apache-2.0
"""A kit, and hosts with little more than a compiler and Python, shared by all tests of kits."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import only
from tests.old_python import oldest_python

from aclnn_cts.cli.options import select_cases
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import make_report
from aclnn_cts.kit.receive import read_outputs, receive
from aclnn_cts.plan.cases import Case
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

OPERATOR = "aclnnLogitGrad"
CHOSEN = tuple(
    f"LogitGrad.{scene}.*"
    for scene in (
        "base",
        "cover",
        "ends-that-move",
        "null-pointer",
        "state",
        "special",
        "size",
        "dtype-unsupported",
        "layout",
    )
)
"""Scenes of more cases than one batch holds, and of each kind of call."""

TOOLS = ("g++", "as", "ld", "make", "sh", "dirname")
"""A compiler with its assembler and linker, make, and what run.sh needs; Python comes besides."""

SIMULATED = {"ACLNN_SIM_SOC": "Ascend910B3", "ACLNN_SIM_EDITION": "current"}


@dataclass(frozen=True)
class Host:
    """A host with a kit, and with little else.

    Attributes:
        kit: The folder that the kit unpacked to.
        tools: The only folder of the path.
        toolkit: The toolkit.
    """

    kit: Path
    tools: Path
    toolkit: Path

    @property
    def work(self) -> Path:
        """Where the kit's script keeps what it makes."""
        (found,) = self.kit.glob("work-*")
        return found

    @property
    def outputs(self) -> Path:
        """What the script leaves."""
        return self.kit / "outputs.tar.gz"

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start the script, from another folder."""
        return subprocess.Popen(
            [str(self.tools / "sh"), str(self.kit / "run.sh"), *arguments],
            env={"PATH": str(self.tools), "CXXFLAGS": "-O0", **SIMULATED, **environment},
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        """Run the script to its end; return exit status, output and errors."""
        with self.start(*(arguments or (str(self.toolkit),)), **environment) as script:
            out, err = script.communicate()
        return script.returncode, out, err


def chosen(bed: Any) -> tuple[Case, ...]:
    """Return the kit's cases."""
    return select_cases(bed.suite, load_specs(bed.suite), "atlas-a2", "smoke", patterns=CHOSEN)


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs that a kit may need, and no others."""
    folder = tmp_path_factory.mktemp("tools")
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    # The oldest one that a kit supports, without packages.
    (folder / "python3").write_text(f'#!/bin/sh\nexec {oldest_python()} -I -S "$@"\n')
    (folder / "python3").chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def archive(bed: Any) -> Path:
    """A packed kit."""
    path: Path = bed.root / "kit.tar.gz"
    done = bed.command("pack", *only(CHOSEN), "-o", str(path))
    assert done.returncode == 0, done.stderr
    assert "cases in" in done.stdout
    return path


def unpacked(archive: Path, folder: Path, tools: Path, toolkit: Path) -> Host:
    """Return a host that a kit was taken to."""
    with tarfile.open(archive) as kit:
        kit.extractall(folder, filter="data")
    return Host(folder / "aclnn-cts-kit", tools, toolkit)


@pytest.fixture(scope="session")
def host(
    archive: Path, tools: Path, simulated_device: Toolkit, tmp_path_factory: pytest.TempPathFactory
) -> Host:
    """A host on which the kit has run."""
    found = unpacked(archive, tmp_path_factory.mktemp("host"), tools, simulated_device.root)
    status, out, err = found.run(DEVICES="0")
    assert (status, err) == (0, ""), out
    return found


@pytest.fixture
def fresh(archive: Path, host: Host, tmp_path: Path) -> Host:
    """A host on which the kit was built, but not run."""
    found = unpacked(archive, tmp_path, host.tools, host.toolkit)
    shutil.copytree(host.work / "build", found.kit / host.work.name / "build")
    return found


def taken(outputs: Path, folder: Path) -> dict[str, CaseEntry]:
    """Return the verdicts on what a kit left, by case."""
    suite = find_suite()
    receive(read_outputs(outputs, suite), folder)
    return {verdict.id: verdict for verdict in make_report(folder).document.cases}


def judged(outputs: Path, folder: Path) -> dict[str, tuple[Verdict, str]]:
    """Return the verdicts and messages of what a kit left."""
    return {name: (v.verdict, v.message) for name, v in taken(outputs, folder).items()}
