# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the suite's specs, its plans, what is built, and an empty bench."""

from __future__ import annotations

import functools
import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests import remembering_compiler
from tests.bench import OPERATOR, Bench
from tests.report.comparing_runs import case

from aclnn_cts.entry import COLLECTION_THRESHOLDS
from aclnn_cts.errors import WrongInputError
from aclnn_cts.judge import judge_run
from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import RESULTS_FORMAT, ResultsDocument, SuiteEntry, totals
from aclnn_cts.run.build import build_programs, build_simulator, find_compiler
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.revisions import Revision
from aclnn_cts.suite import Suite, find_suite

# How long an example takes depends on who else uses the machine; that is no property of the code.
too_slow = [HealthCheck.too_slow]
settings.register_profile("no-deadline", deadline=None, suppress_health_check=too_slow)
settings.load_profile("no-deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let CI hold what it tests of each operator against those that a change concerns."""
    text = "only operators that changed since this commit, and a tenth of the others"
    parser.addoption("--since", metavar="COMMIT", help=text)


def pytest_configure() -> None:
    """Let Ctrl-C have an effect where a shell started the tests in the background, too.

    Cycles are collected as rarely as on the command line.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(*COLLECTION_THRESHOLDS)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return a worker more than there are cores: in some tests a worker waits for a process."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the files that build and run first: a long one that begins last keeps one worker busy.

    With ``--since``, leave out the tests of single operators that the change does not concern.
    """
    items.sort(key=lambda item: item.get_closest_marker("end_to_end") is None)
    if commit := config.getoption("--since"):
        suite = find_suite()
        try:
            revision = Revision.since(commit, load_specs(suite), suite)
        except WrongInputError as error:
            raise pytest.UsageError(str(error)) from None
        selected: dict[bool, list[pytest.Item]] = {True: [], False: []}
        for item in items:
            call = getattr(item, "callspec", None)
            operator = call.params.get("operator") if call else None
            selected[operator is None or revision.concerns(operator)].append(item)
        items[:] = selected[True]
        config.hook.pytest_deselected(items=selected[False])


@pytest.fixture(scope="session")
def results_document() -> Callable[..., ResultsDocument]:
    """Return what makes the content of a results.json from the few facts that a test is about."""

    def make(*, product: str = "atlas-a2", **facts: Any) -> ResultsDocument:
        made = ResultsDocument(
            **{
                "format": RESULTS_FORMAT,
                "suite": SuiteEntry(version="0.1.0", specs_sha256="00"),
                "device": Device("simulator", product, "Ascend910B3", "8.0"),
                "environment": Environment(),
                "started": "2026-01-01T00:00:00+00:00",
                "tier": "smoke",
                "standard": "strict",
                "edition": "current",
                "totals": {},
                **dict.fromkeys(("problems", "cases", "clauses", "rounding", "contradictions"), ()),
                "not_promised": (),
                "document_gaps": (),
                "waivers": (),
                "nonce": "",
                "timings": 0,
                "all_operators": True,
                "cann": "",
                "calls": "",
                "sanitize": False,
                "enforce": False,
                **facts,
            }
        )
        return made.model_copy(
            update={"totals": facts.get("totals", totals(case.outcome for case in made.cases))}
        )

    return make


@pytest.fixture(scope="session")
def quick_compiler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiler for programs that run a few cases on toolkits of a test."""
    path = tmp_path_factory.mktemp("compiler") / "c++"
    words = (sys.executable, "-IS", remembering_compiler.__file__, find_compiler().path)
    path.write_text(f'#!/bin/sh\nexec {" ".join(words)} {path.parent} "$@"\n')
    path.chmod(0o755)
    return path


@pytest.fixture(scope="session")
def simulated_device() -> Toolkit:
    """The simulated device, built and installed."""
    return build_simulator(find_suite(), find_compiler())


@pytest.fixture(scope="session")
def generated_programs(simulated_device: Toolkit) -> Path:
    """The folder of the generated programs, built against the simulated device."""
    return build_programs(find_suite(), find_compiler(), simulated_device)


@pytest.fixture(scope="session")
def specs() -> SpecSet:
    """The suite's own specs."""
    return load_specs(find_suite())


BY_TURNS = {"promotion", "mutual_broadcast", "stretched", "condition", "of_bits", "reduced"}
"""Traits of operators whose types and scalars meet by turns, not each with each: what the planner
promises of all combinations does not hold for them."""


@pytest.fixture(scope="session")
def forms(specs: SpecSet) -> tuple[OperatorSpec, ...]:
    """A tested operator of each form: traits, depth, outputs, in place.

    It is the one in the middle by the number of parameters, or the last one if its values are not
    tested. What holds for each operator is held against these; against all operators whose values
    are tested if ``ACLNN_CTS_EVERY_OPERATOR`` is set, which `tox -e oracle-standard` does.
    """
    every = "ACLNN_CTS_EVERY_OPERATOR" in os.environ
    by_form: dict[object, list[OperatorSpec]] = {}
    for spec in sorted(specs.tested_operators, key=lambda spec: len(spec.parameters)):
        if not BY_TURNS.isdisjoint(spec.traits):
            continue
        form = tuple(spec.traits), spec.depth, len(spec.outputs), spec.second_of is None
        by_form.setdefault(form, []).append(spec)
    return tuple(
        spec
        for each in by_form.values()
        for spec in (
            each[-1:] if each[-1].is_contract else each if every else [each[len(each) // 2]]
        )
    )


@pytest.fixture(scope="session")
def planned(specs: SpecSet, forms: tuple[OperatorSpec, ...]) -> Callable[..., tuple[Case, ...]]:
    """Return what plans a tier on a product for some operators, by default one of each form."""
    store = PlanCache.of(find_suite())
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")

    @functools.cache
    def of_one(product: str, tier: str, operator: str) -> tuple[Case, ...]:
        cases = plan(specs, product, tier, [operator], store)
        gc.freeze()  # they live as long as the tests: no need to look through them again and again
        return cases

    def make(product: str, tier: str, *operators: str) -> tuple[Case, ...]:
        names = operators or [s.operator for s in forms if s.mentions(product)]
        # From both ends, so that two workers share the work.
        for name in reversed(names) if worker[-1:] in set("13579") else names:
            of_one(product, tier, name)
        return tuple(case for name in names for case in of_one(product, tier, name))

    return make


SMALL = (
    *("aclnnLogitGrad", "aclnnMaxPool2dWithMask", "aclnnMaxPool2dWithMaskBackward"),
    "aclnnPreluBackward",
)
"""Operators of a suite that need no others."""


def small_suite(root: Path, *operators: str) -> Suite:
    """Return a suite of a few operators' specs."""
    (root / "specs").mkdir(parents=True)
    for name in (*operators, "products", "precision", "allowances", "common", "traits"):
        shutil.copy(find_suite().specs / f"{name}.yaml", root / "specs")
    return Suite(root)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """An empty hand-made run over a suite of one operator."""
    folder = tmp_path / "results"
    folder.mkdir()
    return Bench(folder, small_suite(tmp_path / "suite", OPERATOR))


@pytest.fixture
def run_pytest(pytester: pytest.Pytester, bench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what runs pytest in a hand-made results folder."""
    monkeypatch.setenv("ACLNN_CTS_SUITE", str(bench.suite.root))
    monkeypatch.setattr(judge_run, "inputs_of", lambda case, *_: bench.inputs[case.id])
    bench.folder = pytester.path
    installed = any(each.name == "aclnn-cts" for each in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "aclnn_cts.pytest_plugin"]

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *arguments)

    return run


@pytest.fixture(scope="session")
def entry() -> Callable[..., CaseEntry]:
    """Return what makes the entry of one case."""

    def make(name: str, verdict: str = "pass", **facts: Any) -> CaseEntry:
        fails = Verdict(verdict).breaks_promise
        return case(
            name,
            verdict,
            **{
                "exercised": ("formula", "two-phase"),
                "kinds": ("value",) if fails else (),
                "standards": {},
                "seconds": 0.001,
                "device_microseconds": (2.0, 4.0),
                "message": "3 of 9 elements of out are wrong" if fails else "",
                "story": f"{verdict.upper()} {name}\ncall:   it\n  x: float32\nagain:  it",
                **facts,
            },
        )

    return make


@pytest.fixture(scope="session")
def figures() -> Callable[..., Figures]:
    """Return what makes the figures of one standard."""

    def make(**facts: Any) -> Figures:
        names = ("max_abs_error", "mean_relative_error", "max_relative_error", "mean_abs_ulp")
        return Figures(
            **{
                "passed": True,
                "elements": 9,
                "compared": 9,
                "failing": 0,
                "first_failing": -1,
                "output": "out",
                "matched_ratio": 1.0,
                **dict.fromkeys(names, 0.0),
                "worst_ulp": 0.5,
                "worst_share": 1.0,
                "mean_ulp": 0.01,
                **facts,
            }
        )

    return make
