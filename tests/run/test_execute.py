# SPDX-License-Identifier: Apache-2.0
"""Running programs: one bad case costs itself alone, and a run that is to end ends at once."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.execute import Campaign, run_cases
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

OPERATORS = ("aclnnLogitGrad", "aclnnDropoutBackward", "aclnnPreluBackward")

PROGRAM = """#!{python}
import json, os, sys, time
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
events = open(options["--events"], "a", buffering=1)
open(options["--outputs"], "wb").close()
cases = [line.split()[1] for line in open(options["--cases"]) if line.startswith("case ")]
def tell(**event): events.write(json.dumps(event, separators=(",", ":")) + "\\n")
for number, case in enumerate(cases):
    tell(event="begin", case=case)
    {body}
    tell(event="end", case=case, microseconds=1.0)
tell(event="finished", cases=len(cases))
"""


@pytest.fixture
def campaign(
    tmp_path: Path, specs: SpecSet, planned: Callable[[str, str], tuple[Case, ...]]
) -> Callable[..., tuple[Campaign, list[Case]]]:
    """Return what prepares a campaign of four cases for each operator, with a given program."""

    def prepare(body: str, *operators: str) -> tuple[Campaign, list[Case]]:
        cases = [
            case
            for name in operators
            for case in [c for c in planned("atlas-a2", "smoke") if c.operator == name][:4]
        ]
        programs = tmp_path / "programs"
        programs.mkdir()
        for name in operators:
            text = PROGRAM.replace("{python}", sys.executable).replace("{body}", body)
            (programs / name).write_text(text.replace("\\\\n", "\\n"))
            (programs / name).chmod(0o755)
        store, results = tmp_path / "store", tmp_path / "results"
        results.mkdir()
        references = DataStore(store).provide(specs, cases)
        toolkit = Toolkit(tmp_path, "simulator")
        return Campaign(specs, "atlas-a2", toolkit, programs, results, store, references), cases

    return prepare


def quiet(operator: str, ended: int) -> None:
    del operator, ended


def test_one_program_for_each_operator(campaign: Any) -> None:
    """In the order of the cases, all ended, progress told, and the records vouched for."""
    made, cases = campaign("pass", *OPERATORS)
    told: dict[str, int] = {}
    runs = run_cases(made, cases, 2, told.__setitem__)
    assert [run.operator for run in runs] == list(OPERATORS)
    assert {run.exit_code for run in runs} == {0}
    assert told == dict.fromkeys(OPERATORS, 4)
    assert all(run.altered() is None and run.events_sha256 for run in runs)


def test_a_crash_costs_one_case(campaign: Any) -> None:
    """The program is started again for the cases behind the one in which it died."""
    made, cases = campaign("pass", OPERATORS[0])
    program = made.programs / OPERATORS[0]
    crash = f"if case == {cases[1].id!r}: os.abort()"
    program.write_text(program.read_text().replace("    pass", f"    {crash}"))
    runs = run_cases(made, cases, 1, quiet)
    assert [run.exit_code for run in runs] == [-6, 0]
    assert [run.events.name for run in runs] == [f"{OPERATORS[0]}.jsonl", f"{OPERATORS[0]}-1.jsonl"]


def test_a_program_that_never_gets_anywhere(campaign: Any) -> None:
    """One that dies before its first case is not started again and again."""
    made, cases = campaign("pass", OPERATORS[0])
    (made.programs / OPERATORS[0]).write_text("#!/bin/sh\nexit 3\n")
    runs = run_cases(made, cases, 1, quiet)
    assert [run.exit_code for run in runs] == [3]


def test_ctrl_c_ends_all_at_once(campaign: Any) -> None:
    """Programs that would run for minutes are ended, waiting ones are not started."""
    made, cases = campaign("time.sleep(300)", *OPERATORS)
    started = time.monotonic()
    main = threading.main_thread().ident
    timer = threading.Timer(1.0, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run_cases(made, cases, 2, quiet)
    timer.join()
    assert time.monotonic() - started < 20
    assert len(list((made.folder / "events").glob("*.jsonl"))) <= 2
    assert [path for path in Path("/proc").glob("[0-9]*/cmdline") if _runs(path, made)] == []


def _runs(path: Path, made: Campaign) -> bool:
    try:
        return str(made.folder).encode() in path.read_bytes()
    except OSError:
        return False


def test_one_that_cannot_start_ends_the_others(campaign: Any) -> None:
    """A missing program is an error at once, not after the others' minutes."""
    made, cases = campaign("time.sleep(300)", *OPERATORS)
    (made.programs / OPERATORS[0]).unlink()
    started = time.monotonic()
    with pytest.raises(NotTrustworthyError, match="cannot be started"):
        run_cases(made, cases, 3, quiet)
    assert time.monotonic() - started < 20
