# SPDX-License-Identifier: Apache-2.0
"""What a reproducer says on a host that lacks something, and how it is built there."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.reproducing import Workbench, in_scene

from aclnn_cts.repro.reproducer import reproducer_files, write_folder
from aclnn_cts.run.campaign import Silent

if TYPE_CHECKING:
    from tests.end_to_end.conftest import Bed

pytestmark = pytest.mark.end_to_end


@pytest.fixture(scope="module")
def logit(workbench: Workbench) -> dict[str, bytes]:
    """The reproducer of an ordinary case of aclnnLogitGrad, which passes."""
    case = workbench.case("aclnnLogitGrad", in_scene("base"))
    known = workbench.trial(None).observe(case, Silent())
    return reproducer_files(known)


def test_data_that_are_gone_are_said(
    workbench: Workbench, logit: dict[str, bytes], tmp_path: Path
) -> None:
    """A program that does not find its data ends with 2 and a sentence, not with a verdict."""
    folder = tmp_path / "made"
    write_folder(folder, logit)
    workbench.compile(folder)
    (folder / "data.npy").write_bytes(b"short")
    done = workbench.run(folder, workbench.unharmed)
    assert done.returncode == 2
    assert "data.npy" in done.stderr


def test_a_device_that_is_not_there_is_said(
    workbench: Workbench, logit: dict[str, bytes], tmp_path: Path
) -> None:
    """Without a device that it can use, the program ends in order, with 2 and no verdict."""
    folder = tmp_path / "made"
    write_folder(folder, logit)
    workbench.compile(folder)
    absent = workbench.run(folder, workbench.unharmed, "99")
    assert (absent.returncode, absent.stdout) == (2, "")
    assert "there is no device 99" in absent.stderr
    assert "aclFinalize" not in absent.stderr
    for wrong in (["x"], ["-1"], [""], ["0x1"], ["4294967296"], ["0", "1"]):
        done = workbench.run(folder, workbench.unharmed, *wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert "usage: ./reproducer [N]" in done.stderr
    assert workbench.run(folder, workbench.unharmed, "7").returncode == 0


def configure(folder: Path, toolkit: str) -> subprocess.CompletedProcess[str]:
    """Have CMake look for a toolkit."""
    command = ["cmake", "-S", ".", "-B", "build"]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "ASCEND_HOME_PATH": toolkit},
        check=False,
        capture_output=True,
        text=True,
    )


def test_cmake_says_what_is_missing(
    workbench: Workbench, logit: dict[str, bytes], tmp_path: Path
) -> None:
    """No toolkit, and a folder that is none, get a sentence; a later try with one works."""
    folder = tmp_path / "made"
    write_folder(folder, logit)
    unset = configure(folder, "")
    assert unset.returncode != 0
    assert "ASCEND_HOME_PATH is not set: read the toolkit's" in " ".join(unset.stderr.split())
    assert "NOTFOUND" not in unset.stderr
    whole = configure(folder, str(workbench.unharmed.root))
    assert whole.returncode == 0, whole.stderr
    shutil.rmtree(folder / "build")
    wrong = configure(folder, str(tmp_path))
    assert wrong.returncode != 0
    assert "no CANN toolkit for" in " ".join(wrong.stderr.split())
    assert "NOTFOUND" not in wrong.stderr


def test_cmake_builds_it_for_both_layouts(
    workbench: Workbench, logit: dict[str, bytes], tmp_path: Path
) -> None:
    """It finds one library of operators, or several in the folder of an architecture."""
    split = tmp_path / "split"
    branch = split / f"{platform.machine()}-linux"
    shutil.copytree(workbench.unharmed.root, branch)
    (branch / "lib64" / "libopapi.so").rename(branch / "lib64" / "libopapi_nn.so")
    for part in ("math", "cv"):
        shutil.copy(branch / "lib64" / "libopapi_nn.so", branch / "lib64" / f"libopapi_{part}.so")
    for number, root in enumerate((workbench.unharmed.root, split)):
        folder = tmp_path / str(number)
        write_folder(folder, logit)
        environment = {**os.environ, "ASCEND_HOME_PATH": str(root)}
        for command in ("cmake -S . -B build", "cmake --build build"):
            done = subprocess.run(
                command.split(),
                cwd=folder,
                env=environment,
                check=False,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
        assert (folder / "build" / "reproducer").is_file()


STRIDE_CASE = "PreluBackward.layout.float16.2x3x4x5.weight_stepped.0caf824483"


def test_smaller_cases_run_where_the_run_did(
    bed: Bed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A run that was made around a device that somebody holds is followed around it."""
    monkeypatch.setenv("ACLNN_SIM_BUSY", "0")
    results = str(tmp_path / "results")
    ran = bed.command(
        *("run", "--simulator", "--case", STRIDE_CASE, "--fault", "prelu-weight-stride-ignored"),
        *("--devices", "3", "--results", results),
    )
    assert ran.returncode == 1, ran.stderr
    again = ("repro", STRIDE_CASE, "--results", results, "--shrink", "-o")
    shrunk = bed.command(*again, str(tmp_path / "same"))
    assert shrunk.returncode == 0, shrunk.stderr
    assert "made smaller: from 2x3x4x5 stepped" in shrunk.stdout
    held = bed.command(*again, str(tmp_path / "held"), "--devices", "0")
    assert held.returncode == 3, held.stdout
    assert "device" in held.stderr


def test_a_case_is_tried_on_the_device_that_is_named(
    bed: Bed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a run, too, a device that somebody holds can be left alone."""
    monkeypatch.setenv("ACLNN_SIM_BUSY", "0")
    asked = ("repro", STRIDE_CASE, "--simulator", "--tier", "smoke", "-o")
    named = bed.command(*asked, str(tmp_path / "named"), "--devices", "3")
    assert named.returncode == 0, named.stderr
    assert "pass" in named.stdout
    held = bed.command(*asked, str(tmp_path / "held"), "--devices", "0")
    assert held.returncode == 3, held.stdout
    assert "device 0 cannot be used" in held.stderr
