# SPDX-License-Identifier: Apache-2.0
"""Harness and programs compile against the vendor's own headers, not just against ours."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from aclnn_cts.emit.programs import recorder_text
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import EXECUTION_VARIANTS, TURN_VARIANTS, ExecutionVariant
from aclnn_cts.plan.scenes import state_cases
from aclnn_cts.repro.observed_case import ObservedCase, TrialBench
from aclnn_cts.repro.reproducer import reproducer_files, write_folder
from aclnn_cts.run.build import simulator_files
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

ROOT = Path(__file__).resolve().parents[2]
VENDOR = Path(os.environ["ACLNN_CTS_VENDOR_HEADERS"])
PARTS = ("src", "probe", "recorder")
HARNESS = [path for name in PARTS for path in sorted((ROOT / "harness" / name).glob("*.cpp"))]
PROGRAMS = sorted((ROOT / "generated_tests").glob("*.cpp"))
INCLUDE = ("-I", ROOT / "harness/include", "-I", ROOT / "harness/src")

OPERATORS = [spec.operator for spec in load_specs(find_suite()).tested_operators]


@pytest.fixture(scope="session")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with those of our declarations that the vendor's wheel lacks, and no others."""
    folder = tmp_path_factory.mktemp("lacking")
    for name, path in simulator_files(find_suite()).items():
        relative = name.removeprefix("include/")
        if relative != name and not (VENDOR / relative).is_file():
            (folder / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / relative)
    return folder


def test_acl_headers_are_the_vendors(lacking: Path) -> None:
    """No declaration of acl/acl.h, acl_base.h or acl_rt.h comes from us in this check."""
    for name in ("acl/acl.h", "acl/acl_base.h", "acl/acl_rt.h"):
        assert (VENDOR / name).is_file()
        assert not (lacking / name).exists()


def compiled(lacking: Path, *arguments: str | Path) -> None:
    """Have the compiler take sources with the vendor's headers, and warnings as errors."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    assert compiler is not None
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-isystem", VENDOR, "-I", lacking)
    command = list(map(str, (compiler, *flags, *arguments)))
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def reproducer_header(lacking: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A precompiled header of what each reproducer begins with, most of what the compiler reads."""
    header = tmp_path_factory.mktemp("precompiled") / "reproducer.h"
    names = ("aclnn_cts/program.h", "case_file.h", "errors.h", "report.h", "runtime.h")
    header.write_text("".join(f'#include "{name}"\n' for name in names))
    places = (*INCLUDE, "-I", ROOT / "harness/reproducer")
    compiled(lacking, *places, "-x", "c++-header", header, "-o", f"{header}.gch")
    header.write_text("#error the precompiled header is not used\n")
    return header


@pytest.mark.parametrize("source", HARNESS, ids=lambda source: source.name)
def test_the_harness_compiles_with_the_vendors_headers(source: Path, lacking: Path) -> None:
    """Every source compiles without a warning (-Wall -Wextra -Werror) as C++17."""
    compiled(lacking, *INCLUDE, "-fsyntax-only", source)


def test_programs_compile_with_the_vendors_headers(lacking: Path, tmp_path: Path) -> None:
    """So does every program, all in one source, so that the headers are read once."""
    programs = tmp_path / "programs.cpp"
    programs.write_text("".join(f'#include "{path}"\n' for path in PROGRAMS))
    compiled(lacking, *INCLUDE, "-fsyntax-only", programs)


def test_recorded_calls_compile_with_the_vendors_headers(lacking: Path, tmp_path: Path) -> None:
    """So does what stands in front of all operators."""
    source = tmp_path / "recorded_calls.cpp"
    source.write_text(recorder_text([*load_specs(find_suite()).operators.values()]))
    compiled(lacking, "-I", ROOT / "harness/recorder", "-fsyntax-only", source)


@pytest.mark.parametrize(
    ("operator", "variant"),
    [*zip(OPERATORS, itertools.cycle((*EXECUTION_VARIANTS, *TURN_VARIANTS)), strict=False)],
)
def test_reproducers_compile_with_the_vendors_headers(
    operator: str, variant: ExecutionVariant, lacking: Path, reproducer_header: Path, tmp_path: Path
) -> None:
    """So does a stand-alone program of each operator, and of each variant, which knows no operator.

    The variants take turns.
    """
    suite = find_suite()
    specs = load_specs(suite)
    spec, product = specs.operator(operator), specs.product("atlas-a2")
    case = next(iter(state_cases(spec, product, "smoke")))
    device = Device("hardware", "atlas-a2", "Ascend910B3", "8.0")
    verdict = CaseVerdict(case.id, operator, Verdict.PASS)
    bench = TrialBench(suite, specs, "atlas-a2", "smoke", "strict")
    known = ObservedCase(replace(case, again=(variant,)), case, verdict, device, bench)
    write_folder(tmp_path, reproducer_files(known))
    checked = ("-I", tmp_path / "harness", "-fsyntax-only")
    compiled(lacking, *checked, "-include", reproducer_header, tmp_path / "reproducer.cpp")
    if operator == OPERATORS[0]:  # what it includes is the same in all of them
        compiled(lacking, *checked, tmp_path / "reproducer.cpp")
        compiled(lacking, *checked, tmp_path / "harness/report.cpp")
