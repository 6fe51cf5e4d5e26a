# SPDX-License-Identifier: Apache-2.0
"""Reproducers, built against the simulated device and run: they tell devices apart.

And what they say on a host that lacks something, and how they are built there.
"""

from __future__ import annotations

import math
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.reproducing import Workbench, in_scene
from tests.processes import ended

from aclnn_cts.plan.cases import Case
from aclnn_cts.repro.reproducer import reproducer_files, write_folder
from aclnn_cts.results.failure_message import clauses_to_name
from aclnn_cts.run.campaign import Silent

if TYPE_CHECKING:
    from tests.end_to_end.conftest import Bed

pytestmark = pytest.mark.end_to_end

FAULTS = [
    ("logit-reciprocal-estimate", "aclnnLogitGrad", in_scene("base"), "out["),
    (
        "null-as-invalid.aclnnLogitGrad.out",
        "aclnnLogitGrad",
        lambda case: case.scene == "null-pointer" and case.tensor("out").source == "null",
        "promised: 161001",
    ),
    (
        "logit-empty-refused",
        "aclnnLogitGrad",
        lambda case: case.scene == "empty" and len(case.tensors[0].shape) > 1,
        "phase one returned 161002",
    ),
    (
        "logit-scalar-refused",
        "aclnnLogitGrad",
        lambda case: case.expects_success and not case.tensors[0].shape,
        "phase one returned 161002",
    ),
    (
        "input-overwritten.aclnnLogitGrad.dy",
        "aclnnLogitGrad",
        lambda case: case.expects_success and case.tensors[0].numel > 1,
        "of the input dy changed",
    ),
    (
        "logit-out-rows-packed",
        "aclnnLogitGrad",
        lambda case: case.expects_success and case.tensor("out").layout == "stepped",
        "in the gaps of out",
    ),
    (
        "workspace-halved.aclnnPreluBackward",
        "aclnnPreluBackward",
        in_scene("base", "float16"),
        "the workspace",
    ),
    ("runtime-second-stream-never-runs", "aclnnLogitGrad", in_scene("state"), "on a second stream"),
    ("runtime-executor-keeps-first-inputs", "aclnnLogitGrad", in_scene("state"), "second launch"),
    ("runtime-result-varies", "aclnnLogitGrad", in_scene("base", "float32"), "other bits"),
    (
        "prelu-workspace-trusted-once-filled",
        "aclnnPreluBackward",
        in_scene("state"),
        "with a used workspace",
    ),
    ("runtime-stale-after-another-operator", "aclnnLogitGrad", in_scene("state"), "after aclnn"),
    (
        "strides-ignored.aclnnMaxPool2dWithMaskBackward.indices",
        "aclnnMaxPool2dWithMaskBackward",
        lambda case: (
            case.expects_success
            and case.tensor("indices").source == "producer"
            and case.tensor("indices").layout == "sliced"
        ),
        "gradInput[",
    ),
    ("layout-offset-of-first-in-storage", "aclnnLogitGrad", in_scene("sharing"), "out["),
    ("runtime-second-launch-replaces-first", "aclnnLogitGrad", in_scene("state"), "in flight"),
    ("runtime-second-plan-replaces-first", "aclnnLogitGrad", in_scene("state"), "planned between"),
    (
        "group-norm-dgamma-dbeta-swapped",
        "aclnnGroupNormSwishGrad",
        in_scene("base", "float16"),
        "dgammaOut[",
    ),
    ("double-in-float32.aclnnSoftmax", "aclnnSoftmax", in_scene("long-axis", "double"), "out["),
    ("integers-through-float.aclnnRelu", "aclnnRelu", in_scene("special", "int64"), "out["),
]


@pytest.mark.parametrize(
    ("fault", "operator", "wanted", "said"), FAULTS, ids=[fault[0] for fault in FAULTS]
)
def test_the_program_shows_the_fault_and_nothing_else(
    workbench: Workbench,
    tmp_path: Path,
    fault: str,
    operator: str,
    wanted: Callable[[Case], bool],
    said: str,
) -> None:
    """It ends with 1 on the faulty device, says what is wrong, and with 0 on the unharmed one."""
    case = workbench.case(operator, wanted)
    known = workbench.trial(fault).observe(case, Silent())
    assert known.verdict.verdict.breaks_promise, known.verdict
    folder = tmp_path / "made"
    write_folder(folder, reproducer_files(known))
    workbench.compile(folder)
    shown = workbench.run(folder, workbench.faulty(fault, operator))
    assert shown.returncode == 1, shown
    assert said in shown.stdout
    kept = workbench.run(folder, workbench.unharmed)
    assert kept.returncode == 0, kept
    assert "Every promise was kept." in kept.stdout
    readme = (folder / "README.md").read_text()
    assert known.verdict.broken
    assert all(f"**{clause}**" in readme for clause in clauses_to_name(known.verdict.broken)[0])


@pytest.mark.parametrize(
    ("operator", "scene"),
    [
        ("aclnnMaxPool2dWithMaskBackward", "state"),
        ("aclnnGroupNormSwishGrad", "base"),
        ("aclnnPreluBackward", "special"),
        ("aclnnDropoutBackward", "beyond-one-tile"),
        ("aclnnSoftmax", "special-rows"),
    ],
)
def test_the_unharmed_device_keeps_all_variants(
    workbench: Workbench, tmp_path: Path, operator: str, scene: str
) -> None:
    """Each variant's program passes there, with producers and long data, too."""
    case = workbench.case(operator, in_scene(scene))
    known = workbench.trial(None).observe(case, Silent())
    for variant in case.again or ("",):
        folder = tmp_path / (variant or "plain")
        again = (variant,) if variant else ()
        one = replace(known, case=replace(known.case, again=again))
        write_folder(folder, reproducer_files(one))
        workbench.compile(folder)
        done = workbench.run(folder, workbench.unharmed)
        assert done.returncode == 0, (variant, done)


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
    return ended(command, cwd=folder, env={**os.environ, "ASCEND_HOME_PATH": toolkit})


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
    workbench: Workbench, logit: dict[str, bytes], quick_compiler: Path, tmp_path: Path
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
        environment = {**os.environ, "ASCEND_HOME_PATH": str(root), "CXX": str(quick_compiler)}
        for command in ("cmake -S . -B build", "cmake --build build"):
            done = ended(command.split(), cwd=folder, env=environment)
            assert done.returncode == 0, done.stderr
        assert (folder / "build" / "reproducer").is_file()


STRIDE_CASE = "PreluBackward.layout.float16.2x3x4x5.weight_stepped.0caf824483"


def test_smaller_cases_run_where_the_run_did(
    bed: Bed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A run that was made around a device that somebody holds is followed around it.

    A wrong stride of the weight shows in two channels: shape, other layouts and data go.
    """
    monkeypatch.setenv("ACLNN_SIM_BUSY", "0")
    results = str(tmp_path / "results")
    ran = bed.command(
        *(
            "run",
            "--simulator",
            "--case",
            STRIDE_CASE,
            "--fault",
            "strides-ignored.aclnnPreluBackward.weight",
        ),
        *("--devices", "3", "--results", results),
    )
    assert ran.returncode == 1, ran.stderr
    again = ("repro", STRIDE_CASE, "--results", results, "--shrink", "-o")
    shrunk = bed.command(*again, str(tmp_path / "same"))
    assert shrunk.returncode == 0, shrunk.stderr
    found = re.search(r"made smaller: from 2x3x4x5 stepped to (\S+) stepped in", shrunk.stdout)
    assert found, shrunk.stdout
    assert math.prod(map(int, found[1].split("x"))) == 2
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
