# SPDX-License-Identifier: Apache-2.0
"""Toolkit trees of old and new releases around the simulated device's libraries."""

from __future__ import annotations

import itertools
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from aclnn_cts.run.build import build_simulator, find_compiler, simulator_files
from aclnn_cts.run.toolkit import needed_operators
from aclnn_cts.spec.loading import editions_of, load_specs
from aclnn_cts.suite import Suite, find_suite

MACHINE = platform.machine()
BRANCH = f"{MACHINE}-linux"
OTHER_MACHINE = {"x86_64": "aarch64", "aarch64": "x86_64"}.get(MACHINE, "x86_64")
_NUMBERS = {"x86_64": 62, "aarch64": 183}
"""e_machine of an ELF header, which stands in its bytes 18 and 19."""


@dataclass(frozen=True)
class Forge:
    """Makes trees.

    Attributes:
        simulator: The simulated device, installed.
        split: Two libraries that hold an operator each, as newer releases have them.
    """

    simulator: Path
    split: Path

    def plain(self, root: Path) -> Path:
        """An older release: everything at the top, one library of operators."""
        shutil.copytree(self.simulator, root)
        (root / "compiler").mkdir()
        (root / "compiler" / "version.info").write_text("Version=7.1.0.3.220\nversion_dir=7.0.0\n")
        return root

    def linked(self, root: Path) -> Path:
        """A folder for the architecture, and links to its parts at the top."""
        shutil.copytree(self.simulator, root / BRANCH)
        for name in ("include", "lib64"):
            (root / name).symlink_to(f"{BRANCH}/{name}")
        (root / "version.cfg").write_text(
            "# version: 1.0\nruntime_running_version=[7.3.0.1.231:8.0.RC2]\n"
        )
        return root

    def branch_only(self, root: Path) -> Path:
        """A newer release: parts below the architecture alone, operators in two libraries."""
        shutil.copytree(self.simulator, root / BRANCH)
        (root / BRANCH / "lib64" / "libopapi.so").unlink()
        for library in self.split.iterdir():
            shutil.copy(library, root / BRANCH / "lib64")
        (root / BRANCH / "ascend_toolkit_install.info").write_text(
            "package_name=Ascend-cann-toolkit\nversion=8.5.0\narch=x86_64\n"
        )
        return root

    def mixed(self, root: Path) -> Path:
        """A single library that holds nothing stands beside the two that hold the operators."""
        self.branch_only(root)
        library = root / BRANCH / "lib64" / "libopapi.so"
        command = [find_compiler().path, "-shared", "-x", "c++", "/dev/null", "-o", str(library)]
        subprocess.run(command, check=True)
        return root


def made_foreign(library: Path) -> None:
    """Make a library one for another architecture."""
    content = bytearray(library.read_bytes())
    content[18:20] = _NUMBERS[OTHER_MACHINE].to_bytes(2, "little")
    library.unlink()
    library.write_bytes(content)


@pytest.fixture(scope="session")
def suite() -> Suite:
    return find_suite()


@pytest.fixture(scope="session")
def held(suite: Suite) -> frozenset[str]:
    """The operators of the trees: one, and what its program calls besides."""
    editions = [load_specs(suite, edition) for edition in editions_of(suite)]
    called = (needed_operators(specs, ["aclnnLogitGrad"]) for specs in editions)
    return frozenset(itertools.chain.from_iterable(called))


@pytest.fixture(scope="session")
def forge(suite: Suite, held: frozenset[str], tmp_path_factory: pytest.TempPathFactory) -> Forge:
    """What makes the trees; the simulated device is built, or taken from the cache."""
    simulator = build_simulator(suite, find_compiler()).root
    files = simulator_files(suite)
    split = tmp_path_factory.mktemp("split")
    others = [_source_of(files, name) for name in sorted(held - {"aclnnLogitGrad"})]
    logit_grad = files["operators/logit_grad.cpp"]
    _link_operators(suite, simulator, [logit_grad], split / "libopapi_math.so")
    _link_operators(suite, simulator, others, split / "libopapi_nn.so")
    return Forge(simulator, split)


def _source_of(files: Mapping[str, Path], operator: str) -> Path:
    """Return the source of a simulated operator: generated, or else by hand."""
    words = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", operator.removeprefix("aclnn")).lower()
    return files.get(f"generated/{operator}.cpp") or files[f"operators/{words}.cpp"]


def _link_operators(suite: Suite, simulator: Path, sources: Sequence[Path], library: Path) -> None:
    exports = suite.simulator / "operators" / "exports.map"
    command = [
        *(find_compiler().path, "-std=c++17", "-ffp-contract=off", "-fPIC", "-shared"),
        *(f"-I{suite.simulator / name}" for name in ("src", ".")),
        *(f"-I{simulator / 'include'}", *map(str, sources)),
        *(f"-L{simulator / 'lib64'}", "-lnnopbase", "-lascendcl"),
        *(f"-Wl,--version-script={exports}", "-o", str(library)),
    ]
    subprocess.run(command, check=True)


_USED = (
    "aclInit",
    "aclFinalize",
    "aclGetRecentErrMsg",
    "aclGetCannAttribute",
    "aclrtGetSocName",
    "aclrtSetDevice",
    "aclrtResetDevice",
    "aclrtGetDeviceCount",
    "aclrtGetMemInfo",
    "aclrtCreateStream",
    "aclrtDestroyStream",
    "aclrtCtxSetSysParamOpt",
)


def without_driver(root: Path) -> Path:
    """Make a tree's runtime need a library of the driver that this host does not have."""
    library = root / "lib64" / "libascendcl.so"
    compiler, source = find_compiler().path, root / "stub.cpp"
    source.write_text("".join(f'extern "C" int {name}() {{ return 0; }}\n' for name in _USED))
    driver = root / "libascend_hal.so"
    for made, needed in ((driver, ()), (library, (str(driver),))):
        made.unlink(missing_ok=True)
        shared = ("-shared", "-fPIC", "-Wl,--no-as-needed", f"-Wl,-soname,{made.name}")
        subprocess.run([compiler, *shared, str(source), *needed, "-o", str(made)], check=True)
    driver.unlink()
    return root


@pytest.fixture(scope="session")
def older(forge: Forge, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toolkit of an older release, for tests that leave it as it is."""
    return forge.plain(tmp_path_factory.mktemp("older") / "toolkit")
