# SPDX-License-Identifier: Apache-2.0
"""Having cases run again comes to an end, whatever becomes of the devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from aclnn_cts.judge import judge_run
from aclnn_cts.judge.judge_run import Confirmation, Judging
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.run.campaign import Silent
from aclnn_cts.run.executor import OnProgress, Task
from aclnn_cts.run.folder import RunFolder


def test_no_device_is_left(bench: Any) -> None:
    """Where nothing can be run again, the verdicts of the batches stand."""
    case = bench.case("bad", [0.5], [1.0])
    bench.program((case, bench.framed(case, [])[:1], b""), exit_code=-6, finished=False)
    run: RunFolder = bench.run()
    asked: list[str] = []

    def perform(tasks: Sequence[Task], on_progress: OnProgress) -> RunFolder:
        del on_progress
        asked.extend(task.name for task in tasks)
        assert len(asked) < 10
        return run

    silent = Silent()
    confirmation = Confirmation(Judging(bench.suite, "strict"), silent.stage, silent.step)
    confirmation(run, perform)
    assert len(asked) == 1
    assert confirmation.judged is not None
    assert confirmation.judged.verdicts["bad"].verdict is Verdict.CRASH


def test_a_case_that_was_cut_off_twice(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ran behind others the first time, and is run behind these, though not the second time."""
    monkeypatch.setattr(judge_run, "inputs_of", lambda case, *_: bench.inputs[case.id])
    whole, cut = bench.case("whole", [0.5], [1.0]), bench.case("cut", [0.5], [1.0])
    bench.program(bench.kept(whole), exit_code=None, finished=False)
    bench.program(exit_code=None, finished=False)
    bench.programs = [replace(program, cut=cut.id) for program in bench.programs]
    bench.program(bench.kept(cut))
    run: RunFolder = bench.run()
    asked: list[list[str]] = []

    def perform(tasks: Sequence[Task], on_progress: OnProgress) -> RunFolder:
        del on_progress
        asked.extend([case.id for case in task.batch.cases] for task in tasks)
        return run

    silent = Silent()
    Confirmation(Judging(bench.suite, "strict"), silent.stage, silent.step)(run, perform)
    assert asked == [["whole", "cut"]]
