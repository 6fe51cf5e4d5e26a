# SPDX-License-Identifier: Apache-2.0
"""What judging costs as runs grow: a small real run, multiplied, and judged by the command.

Each operator is copied under further names, with its spec, its cases and the records of its
programs. Nothing is made up but the names, so that each copy is judged as its original is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.process import ProcessFiles, ProgramRun, digest_of
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.schedule import part_name
from aclnn_cts.spec.loading import load_specs, specs_digest
from aclnn_cts.suite import Suite, find_suite
from tools.benchmarks import MissedTargetError
from tools.benchmarks.runner import trivial_cases

MEBIBYTE = 1024

COPIES = 4
"""With so many copies, the operators with a spec to themselves are as many as a release has."""

CASES = (2_000, 10_000)
TARGET_MEBIBYTES = 2048
EXTRAPOLATED = 200_000
"""The smoke tier of so many operators."""


def measure(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Return wall seconds and the largest process's peak memory in MiB of one command.

    Args:
        arguments: Of ``aclnn-cts``.
        environment: What differs from this process's own.

    Raises:
        CalledProcessError: It did not end with exit status 0.
    """
    command = [str(Path(sys.executable).parent / "aclnn-cts"), *arguments]
    started = time.monotonic()
    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)  # of the process and all that it waited for
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.monotonic() - started, usage.ru_maxrss / MEBIBYTE


@dataclass(frozen=True)
class Copy:
    """One more name for an operator.

    Attributes:
        operator: The operator.
        name: Its name in the copy.
    """

    operator: str
    name: str

    def text(self, text: str) -> str:
        """Return a text with the new name in place of the old one."""
        return re.sub(rf"\b{self.operator}\b", self.name, text)

    def id(self, case_id: str) -> str:
        """Return the id of a case in the copy."""
        return self.name.removeprefix("aclnn") + case_id[len(self.operator.removeprefix("aclnn")) :]

    def case(self, case: Case) -> Case:
        """Return a case of the copy."""
        twin = case.twin and self.id(case.twin)
        return replace(case, id=self.id(case.id), operator=self.name, twin=twin)

    def program(self, program: ProgramRun, folder: Path) -> ProgramRun:
        """Return a process of the copy; writes its records."""
        batch = self.text(program.batch)
        files = ProcessFiles.of(folder, part_name(batch, program.part))
        old, new = (name.removeprefix("aclnn") for name in (self.operator, self.name))
        events = program.events.read_text(encoding="utf-8")
        renamed = re.sub(rf'("case": ?"){old}\.', rf"\g<1>{new}.", events)
        files.events.write_text(renamed, encoding="utf-8")
        shutil.copyfile(program.outputs, files.outputs)
        return replace(
            program,
            operator=self.name,
            batch=batch,
            events=files.events,
            outputs=files.outputs,
            events_sha256=digest_of(files.events),
            outputs_sha256=digest_of(files.outputs),
        )


def grown(run: RunFolder, suite: Suite, folder: Path) -> tuple[Suite, RunFolder]:
    """Write a suite and a results folder in which each operator of a run appears several times.

    Args:
        run: The run.
        suite: The suite that it was made with.
        folder: Where to write.
    """
    more = Suite(folder / "suite")
    shutil.copytree(suite.specs, more.specs)
    names = [
        Copy(operator, f"{operator}V{number:03}")
        for operator in run.cases.operators
        for number in range(COPIES)
    ]
    for copy in names:
        text = (suite.specs / f"{copy.operator}.yaml").read_text(encoding="utf-8")
        (more.specs / f"{copy.name}.yaml").write_text(copy.text(text), encoding="utf-8")
    results = folder / "results"
    for part in ("events", "outputs"):
        (results / part).mkdir(parents=True)

    def planned() -> Iterator[PlannedCase]:
        for copy in names:
            for operator_cases in run.cases.of(copy.operator).values():
                yield PlannedCase(copy.case(operator_cases.case), operator_cases.data)

    programs = [
        copy.program(program, results)
        for copy in names
        for program in run.programs
        if program.operator == copy.operator
    ]
    grown_run = replace(
        run,
        path=results,
        specs_sha256=specs_digest(more),
        cases=PlannedCases.pack(planned()),
        programs=tuple(programs),
    )
    grown_run.save()
    return more, grown_run


def small_run(suite: Suite, results: Path, count: int) -> RunFolder:
    """Return a real run of trivial cases, as many of each operator that has a spec to itself."""
    specs = load_specs(suite)
    alone = [s.operator for s in specs.tested_operators if s.second is None and s.second_of is None]
    planned = plan(specs, "atlas-a2", "smoke", alone, PlanCache.of(suite))
    cases = trivial_cases(planned, count)
    request = Request("atlas-a2", "smoke", "strict", cases, results, RunConfig(devices=(0, 0)))
    return run_campaign(suite, specs, request, Silent())


def main() -> None:
    """Print a line for each size, and what follows for a very large run.

    Raises:
        MissedTargetError: A very large run would take more memory than its target.
    """
    suite = find_suite()
    with tempfile.TemporaryDirectory() as name:
        figures: list[tuple[int, float, float]] = []
        for size in CASES:
            folder = Path(name) / str(size)
            run = small_run(suite, folder / "run", size)
            more, large_run = grown(run, suite, folder)
            environment = {"ACLNN_CTS_SUITE": str(more.root), "ACLNN_CTS_CACHE": str(suite.cache)}
            seconds, memory = measure(["judge", str(large_run.path)], environment)
            plan_size = (large_run.path / "plan.msgpack.gz").stat().st_size
            count = len(large_run.cases)
            print(
                f"judge {count} cases of {len(large_run.cases.operators)} operators: "
                f"{seconds:.1f} s, largest process {memory:.0f} MiB; "
                f"plan {plan_size / count:.0f} bytes per case, "
                f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
            )
            figures.append((count, seconds, memory))
            shutil.rmtree(folder)
    (few, short, low), (many, long, high) = figures[0], figures[-1]
    times = (EXTRAPOLATED - few) / (many - few)
    memory = low + (high - low) * times
    print(
        f"{EXTRAPOLATED} cases, if it goes on like that: {short + (long - short) * times:.0f} s, "
        f"{memory:.0f} MiB (target {TARGET_MEBIBYTES})"
    )
    if memory > TARGET_MEBIBYTES:
        raise MissedTargetError(f"judging {EXTRAPOLATED} cases would take {memory:.0f} MiB")


if __name__ == "__main__":
    main()
