# SPDX-License-Identifier: Apache-2.0
"""Builds reproducers and runs them, on the unharmed device and on faulty ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.processes import ended

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.qualify.catalog import Catalog
from aclnn_cts.repro.observed_case import TrialBench
from aclnn_cts.run.build import build_parts, find_compiler
from aclnn_cts.run.fault_injection import build_faulty
from aclnn_cts.run.toolkit import Toolkit, needed_operators
from aclnn_cts.spec.loading import SpecSet

if TYPE_CHECKING:
    from tests.end_to_end.conftest import Bed

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


@dataclass(frozen=True)
class Workbench:
    """The unharmed device, and what makes faulty ones of it."""

    bed: Bed
    specs: SpecSet
    catalog: Catalog
    unharmed: Toolkit
    harness: list[str] = field(default_factory=list)
    """What the compiler takes of the harness of a reproducer, once one was built."""

    def case(
        self, operator: str, wanted: Callable[[Case], bool], product: str = "atlas-a2"
    ) -> Case:
        """Return the first planned case of an operator that is wanted."""
        store = PlanCache.of(self.bed.suite)
        cases = plan(self.specs, product, "smoke", [operator], store)
        return next(case for case in cases if wanted(case))

    def trial(self, fault: str | None, product: str = "atlas-a2") -> TrialBench:
        """Return a faulty device to try cases on."""
        change = self.catalog.change(fault) if fault else None
        return TrialBench(self.bed.suite, self.specs, product, "smoke", "strict", change=change)

    def faulty(self, fault: str, operator: str) -> Toolkit:
        """Return the libraries of a faulty device, as far as an operator's cases need them."""
        parts = build_parts(self.bed.suite, find_compiler())
        called = {*needed_operators(self.specs, [operator])}
        return build_faulty(self.bed.suite, parts, self.catalog.change(fault), called)

    def compile(self, folder: Path) -> None:
        """Build a reproducer, with more warnings than its README asks for.

        What all have in common is compiled once: the harness, as one file, and its headers.
        """
        root = str(self.unharmed.root)
        include = ("-I", "harness", "-isystem", f"{root}/include")
        if not self.harness:
            sources = sorted((folder / "harness").glob("*.cpp"))
            lines = (folder / "reproducer.cpp").read_text().splitlines()
            headers = [line for line in lines if line.startswith("#include") and "/" not in line]
            (folder / "all.cpp").write_text("".join(f'#include "{path}"\n' for path in sources))
            (folder / "all.h").write_text("\n".join(headers) + "\n")
            _compile(folder, *WARNINGS, *include, "-c", "all.cpp")
            _compile(folder, *WARNINGS, *include, "-x", "c++-header", "all.h", "-o", "all.h.gch")
            self.harness.extend((str(folder / "all.o"), "-include", str(folder / "all.h")))
        libraries = ("-L", f"{root}/lib64", "-lopapi", "-lnnopbase", "-lascendcl", "-ldl")
        options = (*WARNINGS, *include, "reproducer.cpp", *self.harness, *libraries)
        _compile(folder, *options, "-o", "reproducer")

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
        return ended(["./reproducer", *arguments], cwd=folder, env=environment)


def _compile(folder: Path, *options: str) -> None:
    compiler = shutil.which("c++")
    assert compiler is not None
    command = [compiler, "-std=c++17", *options]
    done = ended(command, cwd=folder)
    assert done.returncode == 0, done.stderr


def in_scene(scene: str, dtype: str = "float32") -> Callable[[Case], bool]:
    """Return what wants the cases of a scene and data type."""
    return lambda case: case.scene == scene and case.tensors[0].dtype == dtype
