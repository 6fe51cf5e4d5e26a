# SPDX-License-Identifier: Apache-2.0
"""Reports of hand-made verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import judge_clauses
from aclnn_cts.report.model import Report

OPERATOR = "aclnnLogitGrad"


def case(name: str, verdict: Verdict, **facts: Any) -> CaseVerdict:
    return CaseVerdict(name, OPERATOR, verdict, **facts)


def report(bench: Any, *verdicts: CaseVerdict) -> Report:
    clauses = judge_clauses(bench.specs, verdicts, [OPERATOR])
    stories = {v.case: f"story of {v.case}\x1b[31m\x00" for v in verdicts}
    like = bench.case("like", [0.5], [1.0])
    run = replace(bench.run(), cases=tuple(replace(like, id=each.case) for each in verdicts))
    return Report(run, "strict", verdicts, stories, clauses, ())


ALL = tuple(case(verdict.value, verdict) for verdict in Verdict)
