# SPDX-License-Identifier: Apache-2.0
"""Further runs that failed or were not made at all: what is judged of the others, and as what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.judge.further_runs import PHRASES, judged, planned, repeat

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import CIRCUMSTANCES
from aclnn_cts.report.clauses import judge_clauses

FIXED = {"event": "not-repeatable", "run": 7, "status": 561103, "message": "no"}
REFUSING = {"event": "other", "run": 4, "phase": 1, "status": 161002, "message": ""}


@pytest.mark.parametrize("lost", range(2, 8))
def test_missing_run(bench: Any, lost: int) -> None:
    """A run that the record does not hold is no pass."""
    events = [repeat(run) for run in range(2, 8) if run != lost]
    verdict = judged(bench, planned(bench, deterministic=True), *events)
    assert verdict.verdict is Verdict.MISSING
    assert PHRASES[CIRCUMSTANCES[lost - 2]] in verdict.message


def test_what_cannot_be_made_is_a_remark(bench: Any) -> None:
    """An executor that cannot be repeated, and another operator that refuses, break nothing."""
    case = planned(bench, deterministic=True)
    verdict = judged(bench, case, *map(repeat, (2, 3, 5, 6)), REFUSING, FIXED)
    assert verdict.verdict is Verdict.PASS
    assert verdict.remarks == (
        "the call after aclnnLogitGrad ran was not made: that one returned status 161002 "
        "in phase 1",
        "the executor cannot be made repeatable: status 561103: no",
    )


def states(bench: Any, verdict: CaseVerdict) -> tuple[str, str]:
    """Return what the run says of call-independence and of repeatable-executor."""
    found = judge_clauses(bench.specs, [verdict], [verdict.operator])
    by_name = {each.clause: each.verdict for each in found}
    return by_name["call-independence"], by_name["repeatable-executor"]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([repeat(run) for run in range(2, 8)], ("pass", "pass")),
        ([*map(repeat, (2, 3, 5, 6)), REFUSING, FIXED], ("pass", "untested")),
        ([*({**REFUSING, "run": run} for run in range(2, 7)), repeat(7)], ("untested", "pass")),
        ([*({**REFUSING, "run": run} for run in (2, 4, 5, 6)),
          {**repeat(3), "launch": 0}, {**REFUSING, "run": 3}, repeat(7)], ("untested", "pass")),
    ],
)  # fmt: skip
def test_what_was_never_made_is_untested(
    bench: Any, events: list[dict[str, Any]], expected: tuple[str, str]
) -> None:
    """A clause has passed only if one of its runs came to a comparison."""
    case = planned(bench, deterministic=True)
    case = replace(case, clauses=(*case.clauses, "call-independence", "repeatable-executor"))
    verdict = judged(bench, case, *events)
    assert verdict.verdict is Verdict.PASS
    assert states(bench, verdict) == expected


@pytest.mark.parametrize("run", range(2, 8))
@pytest.mark.parametrize("event", ["phase1", "phase2", "producer"])
def test_ordinary_runs_are_judged_though_a_further_one_failed(
    bench: Any, event: str, run: int
) -> None:
    """Their record is whole: what is wrong in them is told, too."""
    case = planned(bench, deterministic=True)
    one, two = bench.phases(case)
    producer = {"event": "producer", "phase": 1, "message": ""}
    failed = {**{"phase1": one, "phase2": two, "producer": producer}[event], "run": run}
    others = [repeat(each) for each in range(2, 8) if each != run]
    verdict = judged(bench, case, *others, {**failed, "status": 561000}, ordinary=2)
    assert verdict.verdict is Verdict.FAIL
    assert "formula" in verdict.broken
    assert "3 of 3 elements of out are wrong" in verdict.message
    assert not any("besides" in remark for remark in verdict.remarks)


def test_ordinary_runs_are_judged_though_the_device_was_lost(bench: Any) -> None:
    """After a stream that does not end nothing more is made, and nothing more is asked for."""
    case = planned(bench, deterministic=True)
    lost = {**bench.phases(case)[1], "run": 3, "synchronize": 507046}
    verdict = judged(bench, case, repeat(2), lost, ordinary=2)
    assert verdict.verdict is Verdict.TIMEOUT
    assert verdict.broken == ("call-independence", "two-phase", "formula")
    assert verdict.remarks == ()


def test_ordinary_runs_are_judged_though_the_runtime_failed(bench: Any) -> None:
    """Memory that a further run could not have excuses no wrong value in the first."""
    case = planned(bench, deterministic=True)
    error = {"event": "error", "run": 3, "what": "aclrtMalloc", "status": 207001, "message": ""}
    verdict = judged(bench, case, repeat(2), error, ordinary=2)
    assert verdict.verdict is Verdict.FAIL
    assert verdict.broken == ("formula",)
    assert "aclrtMalloc" in verdict.remarks[0]
    assert judged(bench, case, repeat(2), error).verdict is Verdict.MISSING


FAILED = {"event": "decoy", "run": 5, "phase": 2, "status": 361001, "message": "busy"}


def test_another_call_that_is_refused_beside_the_one(bench: Any) -> None:
    """Planning it is a call of its own, and a remark; to launch it must work all the same."""
    case = planned(bench, deterministic=True)
    refused = {**FAILED, "phase": 1, "status": 161002, "message": ""}
    unmade = judged(bench, case, *map(repeat, (2, 3, 4, 6, 7)), refused)
    assert unmade.verdict is Verdict.PASS
    assert unmade.remarks == (
        "the call between two other calls in flight was not made: that other one returned status "
        "161002 in phase 1",
    )
    failed = judged(bench, case, *map(repeat, range(2, 8)), FAILED)
    assert failed.broken == ("call-independence", "two-phase")
    assert failed.message.endswith("beside the one between two other calls in flight: busy")
