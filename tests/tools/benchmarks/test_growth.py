# SPDX-License-Identifier: Apache-2.0
"""A multiplied run is one: each copy is judged as its original is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tools.benchmarks.growth import COPIES, grown

from aclnn_cts import __version__
from aclnn_cts.judge.judge_run import Judging, judge_operators
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.run.folder import RunFolder, open_run


def test_copies_are_judged_as_the_original(bench: Any, tmp_path: Path) -> None:
    """One call that is refused and one that is not, several times, under names of their own."""
    right, wrong = bench.refusal("LogitGrad.r.1"), bench.refusal("LogitGrad.w.2")
    told = (bench.refused(right), bench.refused(wrong, 0))
    bench.program(*told, batch="aclnnLogitGrad-000")
    run: RunFolder = replace(bench.run(), suite_version=__version__)
    suite, made = grown(run, bench.suite, tmp_path / "grown")
    found = list(judge_operators(open_run(made.path, suite), Judging(suite, "strict")))
    assert [each.operator for each in found] == [f"aclnnLogitGradV00{n}" for n in range(COPIES)]
    assert all(each.problems == () for each in found)
    (original,) = judge_operators(run, Judging(bench.suite, "strict"))
    assert [verdict.verdict for verdict in original.verdicts] == [Verdict.PASS, Verdict.FAIL]
    for each in found:
        short = each.operator.removeprefix("aclnn")
        assert [verdict.case for verdict in each.verdicts] == [f"{short}.r.1", f"{short}.w.2"]
        for verdict, first in zip(each.verdicts, original.verdicts, strict=True):
            assert replace(verdict, case=first.case, operator=first.operator) == first
