# SPDX-License-Identifier: Apache-2.0
"""A kit, and hosts that have little more than a compiler, shared by all tests of kits."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.kit.outputs import look_at
from aclnn_cts.kit.receive import receive
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.judging import make_report
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.suite import find_suite

OPERATOR = "aclnnLogitGrad"
TOOLS = (
    *("g++", "as", "ld", "make", "sh"),
    *("cat", "dirname", "head", "mkdir", "nproc", "rm", "sha256sum", "tail", "uname"),
)
"""A compiler with its assembler and linker, make, sh, and what run.sh takes of coreutils."""

SIMULATED = {"ACLNN_SIM_SOC": "Ascend910B3", "ACLNN_SIM_EDITION": "current"}
Planned = Callable[[str, str], tuple[Case, ...]]


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
        return self.kit / f"work-{(self.kit / 'nonce.txt').read_text()[:12]}"

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
            errors="replace",  # a damaged manifest names damaged files
        )

    def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        """Run the script to its end; return exit status, output and errors."""
        with self.start(*(arguments or (str(self.toolkit),)), **environment) as script:
            out, err = script.communicate()
        return script.returncode, out, err


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs that a kit may need, and no others."""
    folder = tmp_path_factory.mktemp("tools")
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    return folder


@pytest.fixture(scope="session")
def archive(bed: Any) -> Path:
    """A packed kit."""
    path: Path = bed.root / "kit.tar.gz"
    done = bed.command("pack", "--operator", OPERATOR, "-o", str(path))
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
    shutil.copytree(host.work / "build", found.work / "build")
    return found


def kept_lines(path: Path) -> list[str]:
    """Return the lines that the kit's runner keeps in a file, without the digest behind them."""
    return path.read_text().splitlines(keepends=True)[:-1]


def keep(path: Path, lines: Sequence[str]) -> None:
    """Write such a file as the runner does."""
    text = "".join(lines)
    digest = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(f'{text}{{"event":"whole","sha256":"{digest}"}}\n')


def judged(outputs: Path, folder: Path) -> dict[str, tuple[Verdict, str]]:
    """Return the verdicts and messages of what a kit left."""
    suite = find_suite()
    receive(look_at(outputs, suite), folder, suite)
    return {v.case: (v.verdict, v.message) for v in make_report(folder).verdicts}
