# SPDX-License-Identifier: Apache-2.0
"""Reproducers, built against the simulated device and run: they tell devices apart."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.end_to_end.conftest import Bed

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering_store import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.qualify.catalog import Catalog, load_catalog
from aclnn_cts.repro.known import from_trial
from aclnn_cts.repro.smaller import Smaller, make_smaller
from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.repro.writing import reproducer_files, write_folder
from aclnn_cts.run.build import build_parts, build_simulator
from aclnn_cts.run.compiler import find_compiler
from aclnn_cts.run.faulty import build_faulty
from aclnn_cts.run.progress import Silent
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet, load_specs

pytestmark = pytest.mark.end_to_end

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


@dataclass(frozen=True)
class Bench:
    """The unharmed device, and what makes faulty ones of it."""

    bed: Bed
    specs: SpecSet
    catalog: Catalog
    unharmed: Toolkit

    def case(
        self, operator: str, wanted: Callable[[Case], bool], product: str = "atlas-a2"
    ) -> Case:
        """Return the first planned case of an operator that is wanted."""
        store = CoveringStore.of(self.bed.suite)
        cases = plan(self.specs, product, "smoke", [operator], store)
        return next(case for case in cases if wanted(case))

    def trial(self, fault: str | None, product: str = "atlas-a2") -> TrialBench:
        """Return a faulty device to try cases on."""
        change = self.catalog.change(fault) if fault else None
        return TrialBench(self.bed.suite, self.specs, product, "smoke", "strict", change=change)

    def faulty(self, fault: str) -> Toolkit:
        """Return the libraries of a faulty device."""
        parts = build_parts(self.bed.suite, find_compiler())
        return build_faulty(self.bed.suite, parts, self.catalog.change(fault))

    def compile(self, folder: Path) -> None:
        """Build a reproducer as its README says, with more warnings."""
        compiler = shutil.which("c++")
        assert compiler is not None
        root = str(self.unharmed.root)
        libraries = ("-L", f"{root}/lib64", "-lopapi", "-lnnopbase", "-lascendcl")
        command = [compiler, "-std=c++17", *WARNINGS, "-isystem", f"{root}/include"]
        command += ["reproducer.cpp", "-o", "reproducer", *libraries]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def run(
        self, folder: Path, device: Toolkit, *arguments: str, product: str = "atlas-a2"
    ) -> subprocess.CompletedProcess[str]:
        """Run a built reproducer on a device."""
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(device.root / "lib64"),
            "ACLNN_SIM_SOC": self.specs.product(product).simulated_soc,
            "ACLNN_SIM_EDITION": self.specs.edition,
        }
        return subprocess.run(
            ["./reproducer", *arguments],
            cwd=folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )


@pytest.fixture(scope="module")
def bench(bed: Bed) -> Bench:
    """The suite's own device, built once."""
    unharmed = build_simulator(bed.suite, find_compiler())
    return Bench(bed, load_specs(bed.suite), load_catalog(bed.suite), unharmed)


def in_scene(scene: str, dtype: str = "float32") -> Callable[[Case], bool]:
    """Return what wants the cases of a scene and data type."""
    return lambda case: case.scene == scene and case.tensors[0].dtype == dtype


FAULTS = [
    ("logit-bfloat16-truncated", "aclnnLogitGrad", in_scene("base", "bfloat16"), "out["),
    (
        "logit-null-pointer-as-invalid",
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
        "logit-result-formed-in-dy",
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
        "logit-workspace-in-narrow-type",
        "aclnnLogitGrad",
        in_scene("base", "float16"),
        "the workspace",
    ),
    ("logit-second-stream-unprepared", "aclnnLogitGrad", in_scene("state"), "on a second stream"),
    ("dropout-mask-kept-by-executor", "aclnnDropoutBackward", in_scene("state"), "second launch"),
    ("dropout-result-varies", "aclnnDropoutBackward", in_scene("base"), "other bits"),
    (
        "prelu-workspace-trusted-once-filled",
        "aclnnPreluBackward",
        in_scene("state"),
        "with a workspace that earlier calls used",
    ),
    ("prelu-rounding-mode-left-by-dropout", "aclnnPreluBackward", in_scene("state"), "after aclnn"),
    (
        "pool-mask-strides-ignored",
        "aclnnMaxPool2dWithMaskBackward",
        lambda case: (
            case.expects_success
            and case.tensor("indices").source == "producer"
            and case.tensor("indices").layout == "sliced"
        ),
        "gradInput[",
    ),
    ("runtime-second-launch-replaces-first", "aclnnLogitGrad", in_scene("state"), "in flight"),
    ("runtime-second-plan-replaces-first", "aclnnLogitGrad", in_scene("state"), "planned between"),
    (
        "group-norm-dgamma-dbeta-swapped",
        "aclnnGroupNormSwishGrad",
        in_scene("base", "float16"),
        "dgammaOut[",
    ),
]


@pytest.mark.parametrize(
    ("fault", "operator", "wanted", "said"), FAULTS, ids=[fault[0] for fault in FAULTS]
)
def test_the_program_shows_the_fault_and_nothing_else(
    bench: Bench,
    tmp_path: Path,
    fault: str,
    operator: str,
    wanted: Callable[[Case], bool],
    said: str,
) -> None:
    """It ends with 1 on the faulty device, says what is wrong, and with 0 on the unharmed one."""
    case = bench.case(operator, wanted)
    known = from_trial(bench.trial(fault), case, Silent())
    assert known.verdict.verdict.breaks_promise, known.verdict
    folder = tmp_path / "made"
    write_folder(folder, reproducer_files(bench.specs, bench.bed.suite, known))
    bench.compile(folder)
    shown = bench.run(folder, bench.faulty(fault))
    assert shown.returncode == 1, shown
    assert said in shown.stdout
    kept = bench.run(folder, bench.unharmed)
    assert kept.returncode == 0, kept
    assert "Every promise was kept." in kept.stdout
    readme = (folder / "README.md").read_text()
    assert all(f"**{clause}**" in readme for clause in known.verdict.broken[:3])


KEPT = [
    ("aclnnMaxPool2dWithMaskBackward", "state"),
    ("aclnnGroupNormSwishGrad", "state"),
    ("aclnnPreluBackward", "special"),
    ("aclnnDropoutBackward", "beyond-one-tile"),
]


@pytest.mark.parametrize(("operator", "scene"), KEPT)
def test_the_unharmed_device_keeps_all_circumstances(
    bench: Bench, tmp_path: Path, operator: str, scene: str
) -> None:
    """Each circumstance's program passes there, with producers and long data, too."""
    case = bench.case(operator, in_scene(scene))
    known = from_trial(bench.trial(None), case, Silent())
    for circumstance in case.again or ("",):
        folder = tmp_path / (circumstance or "plain")
        again = (circumstance,) if circumstance else ()
        one = replace(known, case=replace(known.case, again=again))
        write_folder(folder, reproducer_files(bench.specs, bench.bed.suite, one))
        bench.compile(folder)
        done = bench.run(folder, bench.unharmed)
        assert done.returncode == 0, (circumstance, done)


def test_a_case_is_made_smaller(bench: Bench) -> None:
    """A wrong stride of the weight shows in two channels: shape, other layouts and data go."""
    case = bench.case(
        "aclnnPreluBackward",
        lambda case: case.expects_success and case.tensor("weight").layout == "stepped",
    )
    trial = bench.trial("prelu-weight-stride-ignored")
    found = make_smaller(trial, from_trial(trial, case, Silent()))
    assert isinstance(found, Smaller)
    small = found.known.case
    assert small.tensor("self").numel == 2
    assert [t.layout for t in small.tensors].count("contiguous") == len(small.tensors) - 1
    assert found.known.verdict.verdict.breaks_promise
    assert "tries" in found.said


def test_data_that_are_gone_are_said(bench: Bench, tmp_path: Path) -> None:
    """A program that does not find its data ends with 2 and a sentence, not with a verdict."""
    case = bench.case("aclnnDropoutBackward", in_scene("beyond-one-tile"))
    known = from_trial(bench.trial(None), case, Silent())
    folder = tmp_path / "made"
    write_folder(folder, reproducer_files(bench.specs, bench.bed.suite, known))
    bench.compile(folder)
    (folder / "mask.bin").write_bytes(b"short")
    done = bench.run(folder, bench.unharmed)
    assert done.returncode == 2
    assert "mask.bin cannot be read, or has another size" in done.stderr


def test_a_device_that_is_not_there_is_said(bench: Bench, tmp_path: Path) -> None:
    """Without a device that it can use, the program ends in order, with 2 and no verdict."""
    case = bench.case("aclnnLogitGrad", in_scene("base"))
    known = from_trial(bench.trial(None), case, Silent())
    folder = tmp_path / "made"
    write_folder(folder, reproducer_files(bench.specs, bench.bed.suite, known))
    bench.compile(folder)
    absent = bench.run(folder, bench.unharmed, "99")
    assert (absent.returncode, absent.stdout) == (2, "")
    assert "there is no device 99" in absent.stderr
    assert "aclFinalize" not in absent.stderr
    for wrong in (["x"], ["-1"], [""], ["0x1"], ["4294967296"], ["0", "1"]):
        done = bench.run(folder, bench.unharmed, *wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert "usage: ./reproducer [N]" in done.stderr
    assert bench.run(folder, bench.unharmed, "7").returncode == 0


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


def test_cmake_says_what_is_missing(bench: Bench, tmp_path: Path) -> None:
    """No toolkit, and a folder that is none, get a sentence; a later try with one works."""
    case = bench.case("aclnnLogitGrad", in_scene("base"))
    known = from_trial(bench.trial(None), case, Silent())
    folder = tmp_path / "made"
    write_folder(folder, reproducer_files(bench.specs, bench.bed.suite, known))
    unset = configure(folder, "")
    assert unset.returncode != 0
    assert "ASCEND_HOME_PATH is not set: read the toolkit's" in " ".join(unset.stderr.split())
    assert "NOTFOUND" not in unset.stderr
    whole = configure(folder, str(bench.unharmed.root))
    assert whole.returncode == 0, whole.stderr
    shutil.rmtree(folder / "build")
    wrong = configure(folder, str(tmp_path))
    assert wrong.returncode != 0
    assert "no CANN toolkit for" in " ".join(wrong.stderr.split())
    assert "NOTFOUND" not in wrong.stderr


def test_cmake_builds_it_for_both_layouts(bench: Bench, tmp_path: Path) -> None:
    """It finds one library of operators, or several in the folder of an architecture."""
    case = bench.case("aclnnLogitGrad", in_scene("base"))
    known = from_trial(bench.trial(None), case, Silent())
    split = tmp_path / "split"
    branch = split / f"{platform.machine()}-linux"
    shutil.copytree(bench.unharmed.root, branch)
    (branch / "lib64" / "libopapi.so").rename(branch / "lib64" / "libopapi_nn.so")
    for part in ("math", "cv"):
        shutil.copy(branch / "lib64" / "libopapi_nn.so", branch / "lib64" / f"libopapi_{part}.so")
    for number, root in enumerate((bench.unharmed.root, split)):
        folder = tmp_path / str(number)
        write_folder(folder, reproducer_files(bench.specs, bench.bed.suite, known))
        environment = {**os.environ, "ASCEND_HOME_PATH": str(root)}
        for command in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]):
            done = subprocess.run(
                command, cwd=folder, env=environment, check=False, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
        assert (folder / "build" / "reproducer").is_file()
