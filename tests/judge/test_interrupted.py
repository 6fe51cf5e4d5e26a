# SPDX-License-Identifier: Apache-2.0
"""A case that was running when its run was interrupted does not pass as if nothing had been."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aclnn_cts.judge import judge_run as judge_run_module
from aclnn_cts.judge.judge_run import Judging, judge_operators
from aclnn_cts.judge.rerun import REMARK
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict


@pytest.fixture(autouse=True)
def _inputs(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_run_module, "inputs_of", lambda case, *_: bench.inputs[case.id])


def verdicts_of(bench: Any) -> dict[str, CaseVerdict]:
    (judged,) = judge_operators(bench.run(), Judging(bench.suite, DEFAULT_STANDARD, 1))
    return {verdict.case: verdict for verdict in judged.verdicts}


def test_a_pass_says_that_its_first_record_was_cut_off(bench: Any) -> None:
    """It may have crashed or hung at first: nobody knows, and whoever reads the report is told."""
    whole, cut = bench.case("whole", [0.5], [1.0]), bench.case("cut", [0.5], [1.0])
    bench.program(bench.kept(whole), exit_code=None, finished=False)
    bench.programs[0] = replace(bench.programs[0], cut=cut.id)
    bench.program(bench.kept(cut))
    verdicts = verdicts_of(bench)
    assert REMARK in verdicts["cut"].remarks
    assert REMARK not in verdicts["whole"].remarks


def test_a_failure_needs_no_such_remark(bench: Any) -> None:
    """What it breaks is said already."""
    whole, cut = bench.case("whole", [0.5], [1.0]), bench.case("cut", [0.5], [1.0])
    bench.program(bench.kept(whole), exit_code=None, finished=False)
    bench.programs[0] = replace(bench.programs[0], cut=cut.id)
    bench.program(bench.kept(cut, np.array([7.0], np.float32)))
    assert REMARK not in verdicts_of(bench)["cut"].remarks


def test_a_kit_tells_of_it_without_a_record(bench: Any) -> None:
    """Its host keeps no events of the process that was cut off; that alone is not a problem."""
    cut = bench.case("cut", [0.5], [1.0])
    bench.program(bench.kept(cut))
    lost = replace(
        bench.programs[0],
        events=bench.folder / "events" / "gone.jsonl",
        outputs=bench.folder / "outputs" / "gone.bin",
        exit_code=None,
        cut=cut.id,
    )
    bench.programs.insert(0, lost)
    (judged,) = judge_operators(bench.run(), Judging(bench.suite, DEFAULT_STANDARD, 1))
    assert judged.problems == ()
    (verdict,) = judged.verdicts
    assert (verdict.verdict, verdict.remarks) == (Verdict.PASS, (REMARK,))
