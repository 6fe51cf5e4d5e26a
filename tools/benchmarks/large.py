# SPDX-License-Identifier: Apache-2.0
"""What results of many cases cost: their size, and time and memory to write, show and compare them.

The cases are those of the plan, over and over, for operators that are copies of ours; verdicts,
errors and times are made up. Each step runs in a process of its own, for its memory.
"""

from __future__ import annotations

import itertools
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts import __version__
from aclnn_cts.files import write_text
from aclnn_cts.judge.comparison import ErrorBin, Picture, Sample
from aclnn_cts.judge.features import facts_of
from aclnn_cts.judge.standards import STANDARDS, Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.report import junit, page, summary
from aclnn_cts.report.comparison_text import as_text
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.report.view import run_of
from aclnn_cts.results.cases import CaseEntry, CaseFile, ResolvingEntry
from aclnn_cts.results.document import (
    RESULTS_FORMAT,
    ClauseVerdict,
    ResultsDocument,
    SuiteEntry,
    TestedClauses,
    read_results,
    totals,
    write_document,
)
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.run.folder_lock import JUNIT_FILE, PAGE_FILE, SUMMARY_FILE
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import clause_bases
from aclnn_cts.suite import find_suite
from tools.benchmarks import MissedTargetError

PRODUCT = "atlas-a2"
COUNTS = (4_000, 40_000)
OPERATORS = 50
LAUNCHES = 2
FAULTY = "aclnnDropoutBackward"
"""The operator of whose first copy bfloat16 results are wrong."""

MOST_MEBIBYTES = 1536.0
MOST_BYTES = 250.0
MOST_PAGE = 8e6
MOST_JSON = 2e6


def main(cases: int | None = None) -> None:
    """Print the figures of results with some numbers of cases, or with one.

    Raises:
        MissedTargetError: Results take more room or memory than is promised.
    """
    print(f"large results: {OPERATORS} operators, load {os.getloadavg()[0]:.1f}")
    missed = [figure for count in ([cases] if cases else COUNTS) for figure in _measure(count)]
    if misses := [str(figure) for figure in missed if figure.is_missed]:
        raise MissedTargetError("; ".join(misses))


@dataclass(frozen=True)
class Figure:
    """What was measured, with its unit, and what it must not exceed."""

    what: str
    value: float
    target: float

    @property
    def is_missed(self) -> bool:
        """Whether the target was not reached."""
        return not self.value <= self.target

    def __str__(self) -> str:
        mark = " MISSED" if self.is_missed else ""
        return f"{self.what}: {self.value:.3g}{mark} (target at most {self.target:.3g})"


def _measure(count: int) -> Iterator[Figure]:
    """Print what results of so many cases take, and yield what is promised of it."""
    with tempfile.TemporaryDirectory() as root:
        folders = [f"{root}/{name}" for name in ("sound", "faulty")]
        steps = [
            ("write", "sound", str(count), folders[0]),
            ("write", "faulty", str(count), folders[1]),
            ("show", folders[0]),
            ("show", folders[1]),
            ("compare", *folders),
        ]
        print(f"{count} cases")
        for step, *arguments in steps:
            seconds, mebibytes = _in_process(step, *arguments)
            print(f"  {step:8} {seconds:7.1f} s of a core, {mebibytes:6.0f} MiB at most")
            yield Figure(f"MiB to {step} {count} cases", mebibytes, MOST_MEBIBYTES)
        sizes = {
            f"{folder.name}/{file.name}": file.stat().st_size
            for folder in map(Path, folders)
            for file in sorted(folder.iterdir())
        }
        for name, size in sizes.items():
            print(f"  {name:24} {size:12,} bytes")
        yield Figure("bytes of a case", sizes["sound/cases.sqlite"] / count, MOST_BYTES)
        yield Figure("bytes of results.json", sizes["sound/results.json"], MOST_JSON)
        yield Figure("bytes of the page", sizes["faulty/report.html"], MOST_PAGE)


def _in_process(*step: str) -> tuple[float, float]:
    """Run a step in a process of its own; return its seconds of a core, and its MiB at most."""
    process = subprocess.Popen([sys.executable, "-m", "tools.benchmarks.large", *step])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the step {step[0]} ended with status {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def write(kind: str, count: str, folder: str) -> None:
    """Write results.json and cases.sqlite of some cases, of which some fail if it is ``faulty``."""
    specs = load_specs(find_suite())
    cases = CaseFile.collect(entries(specs, int(count), faulty=kind == "faulty"))
    Path(folder).mkdir(parents=True)
    write_document(document(specs, cases), Path(folder))


def show(folder: str) -> None:
    """Read results, and write page, summary and JUnit of them."""
    path = Path(folder)
    run = run_of(read_results(path))
    junit.write_junit(run, path / JUNIT_FILE)
    page.write_page([run], path / PAGE_FILE)
    write_text(path / SUMMARY_FILE, summary.render_summary(run))


def compare(base: str, new: str) -> None:
    """Compare two results."""
    as_text(compare_results(read_results(Path(base)), read_results(Path(new))))


_STEPS: dict[str, Callable[..., None]] = {"write": write, "show": show, "compare": compare}


def copies(specs: SpecSet) -> dict[str, str]:
    """Return the operators, each with the one of ours, of tested values, that it copies."""
    names = (spec.operator for spec in specs.tested_operators if not spec.is_contract)
    ours = itertools.cycle(dict.fromkeys((FAULTY, *names)))
    return {f"{name}{number}": name for number, name in zip(range(OPERATORS), ours, strict=False)}


def document(specs: SpecSet, cases: CaseFile) -> ResultsDocument:
    """Return the results of some cases."""
    tested = TestedClauses()
    for case in cases:
        tested.add(case)
    clauses = tuple(
        ClauseVerdict(copy, clause, count.state, count.cases, 0, None, *sentence, bases[clause])
        for copy, name in copies(specs).items()
        for bases in [clause_bases(specs.operator(name), specs.common)]
        for clause, sentence in specs.clause_texts(name).items()
        for count in [tested[copy, clause]]
    )
    return ResultsDocument(
        format=RESULTS_FORMAT,
        suite=SuiteEntry(version=__version__, specs_sha256="00"),
        device=Device("hardware", PRODUCT, "Ascend910B3", "8.0"),
        environment=Environment(),
        started="2026-01-01T00:00:00+00:00",
        tier="full",
        standard="strict",
        edition="current",
        totals=totals(case.outcome for case in cases),
        problems=(),
        cases=cases,
        clauses=clauses,
        rounding=(),
        contradictions=(),
        not_promised=(),
        document_gaps=(),
        waivers=(),
        nonce="",
        timings=0,
        all_operators=True,
        cann="/usr/local/Ascend",
        calls="",
        sanitize=False,
        enforce=False,
    )


def entries(specs: SpecSet, count: int, *, faulty: bool) -> Iterator[CaseEntry]:
    """Yield made-up entries, operator by operator: the same cases each time, with other times."""
    drawn = random.Random(count + faulty)  # noqa: S311 - no secret
    wrong = next(copy for copy, name in copies(specs).items() if name == FAULTY)
    for copy, name in copies(specs).items():
        cases = _plan(specs, name, count // OPERATORS)
        for place in range(count // OPERATORS):
            case = cases[place % len(cases)]
            broken = faulty and copy == wrong and case.expects_success
            broken = broken and case.tensors[0].dtype == "bfloat16"
            yield _entry(specs.operator(case.operator), case, copy, place, drawn, broken=broken)


def _plan(specs: SpecSet, operator: str, count: int) -> Sequence[Case]:
    """Return the cases of the smoke tier if they are so many, or else of the standard tier."""
    store = PlanCache.of(find_suite())
    smoke = plan(specs, PRODUCT, "smoke", [operator], store)
    return smoke if len(smoke) >= count else plan(specs, PRODUCT, "standard", [operator], store)


def _entry(
    spec: OperatorSpec, case: Case, operator: str, place: int, drawn: random.Random, *, broken: bool
) -> CaseEntry:
    stem = case.id.rpartition(".")[0].removeprefix(case.operator.removeprefix("aclnn"))
    worst = drawn.lognormvariate(-1, 1) + broken * 100
    strict = Figures(
        passed=not broken,
        elements=1024,
        compared=1000 + place % 24,
        failing=17 * broken,
        first_failing=place if broken else -1,
        output="out",
        matched_ratio=1.0 - 0.017 * broken,
        max_abs_error=worst * 1e-7,
        mean_relative_error=worst * 1e-8,
        max_relative_error=worst * 1e-6,
        worst_ulp=worst,
        worst_share=worst / 2,
        mean_ulp=drawn.gauss(0, 0.1),
        mean_abs_ulp=worst / 4,
    )
    computed = case.expects_success
    return CaseEntry(
        id=f"{operator.removeprefix('aclnn')}{stem}.{place:010x}",
        operator=operator,
        verdict=Verdict.FAIL if broken else Verdict.PASS,
        scene=case.scene,
        dtype=case.tensors[0].dtype,
        broken=("formula",) if broken else (),
        exercised=case.clauses,
        kinds=("value",) if broken else (),
        standards=dict.fromkeys(STANDARDS, strict) if computed else {},
        resolving=_RESOLVING if computed else None,
        host="lab-01",
        card=place % 8,
        seconds=drawn.lognormvariate(-8, 1),
        device_microseconds=tuple(
            round(drawn.lognormvariate(1, 0.1), 3) for _ in range(LAUNCHES * computed)
        ),
        message="17 of 1024 elements of out are wrong" if broken else "",
        remarks=(),
        samples=(Sample("out", (3, 4), (("x", 0.5),), "0.25", worst, worst, 1e-7),) * 4 * broken,
        story="FAIL\ncall:   it\n  x: bfloat16\nagain:  it" * broken,
        waiver=None,
        facts=facts_of(spec, case),
        pictures=(_PICTURE,) * broken,
        tries=0,
        confirmed=False,
        after=(),
        only_in=(),
        unenforced=(),
        basis=case.basis,
    )


_RESOLVING = ResolvingEntry(ulps=2.5, by_value=900, by_class=100, plain_zeros=0)

_PICTURE = Picture(
    "out",
    (32, 32),
    32,
    32,
    17,
    1,
    ("0" * 32,) * 31 + ("9" * 17 + "0" * 15,),
    (ErrorBin(0.5, 1007, 0), ErrorBin(math.inf, 17, 17)),
)


if __name__ == "__main__":
    _STEPS[sys.argv[1]](*sys.argv[2:])
