# SPDX-License-Identifier: Apache-2.0
"""What further runs break, and that the circumstance is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aclnn_cts.judge.case_judge import ReadOutput, judge_case
from aclnn_cts.judge.session import output_reader
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import CIRCUMSTANCES, Case

PHRASES = dict(
    zip(
        CIRCUMSTANCES,
        (
            "on a second stream",
            "with a workspace that an earlier call had used",
            "after aclnnLogitGrad ran",  # the hand-made suite has no other
            "from a repeatable executor's second launch with new data",
        ),
        strict=True,
    )
)
CLAUSES = dict.fromkeys(CIRCUMSTANCES, "call-independence")
CLAUSES["repeatable-executor"] = "repeatable-executor"


def repeat(run: int, different: int = 0) -> dict[str, Any]:
    """The comparison of a further run, in which the first elements may differ."""
    first = 0 if different else -1
    facts = {"run": run, "again": CIRCUMSTANCES[run - 2], "tensor": "out", "different": different}
    return {"event": "repeat", **facts, "first": first, "unwritten": 0, "unwritten_first": -1}


def planned(bench: Any, *, deterministic: bool) -> Case:
    case: Case = bench.case("a", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0], again=CIRCUMSTANCES)
    if deterministic:
        return case
    return replace(case, clauses=tuple(name for name in case.clauses if name != "determinism"))


def judged(
    bench: Any, case: Case, *events: dict[str, Any], wrong: tuple[int, ...] = ()
) -> CaseVerdict:
    """Judge a case whose ordinary runs are right, and some further ones wrong."""
    told, lines, data = bench.kept(case)
    for run in wrong:
        bad = (bench.right(case) * np.float32(2)).tobytes()
        place = {"tensor": "out", "offset": len(data), "bytes": len(bad)}
        lines.insert(-1, {"event": "output", "run": run, "case": case.id, **place})
        data += bad
    lines[-1:-1] = [{**event, "case": case.id} for event in events]
    path = bench.folder / "outputs.bin"
    path.write_bytes(data)
    reader: ReadOutput = output_reader(path)
    record = bench.record((told, lines, data))
    return judge_case(bench.specs, case, bench.inputs[case.id], record, reader, "strict")


def test_all_alike(bench: Any) -> None:
    """Six equal outputs pass."""
    verdict = judged(bench, planned(bench, deterministic=True), *map(repeat, range(2, 6)))
    assert (verdict.verdict, verdict.broken, verdict.remarks) == (Verdict.PASS, (), ())


@pytest.mark.parametrize("run", range(2, 6))
def test_difference_where_determinism_is_promised(bench: Any, run: int) -> None:
    """The clause of the circumstance stands behind determinism."""
    name = CIRCUMSTANCES[run - 2]
    events = [repeat(each, 3 if each == run else 0) for each in range(2, 6)]
    verdict = judged(bench, planned(bench, deterministic=True), *events, wrong=(run,))
    assert verdict.verdict is Verdict.FAIL
    assert verdict.broken == ("determinism", CLAUSES[name])
    assert f"3 elements of out differ {PHRASES[name]}, first at index 0" in verdict.message


@pytest.mark.parametrize("run", range(2, 6))
def test_wrong_value_where_it_is_not(bench: Any, run: int) -> None:
    """The output is held against the expectation, and the circumstance is named first."""
    name = CIRCUMSTANCES[run - 2]
    events = [repeat(each, 3 if each == run else 0) for each in range(2, 6)]
    verdict = judged(bench, planned(bench, deterministic=False), *events, wrong=(run,))
    assert verdict.broken == (CLAUSES[name], "formula")
    assert f"3 of 3 elements of out are wrong {PHRASES[name]}" in verdict.message


def test_executor_is_not_blamed_for_what_is_wrong_anyway(bench: Any) -> None:
    """If other circumstances fail, too, the executor is no explanation."""
    events = [repeat(each, 3 if each in (4, 5) else 0) for each in range(2, 6)]
    value = judged(bench, planned(bench, deterministic=False), *events, wrong=(4, 5))
    assert value.broken == ("call-independence", "formula")
    assert all(PHRASES[CIRCUMSTANCES[run - 2]] in value.message for run in (4, 5))
    bits = judged(bench, planned(bench, deterministic=True), *events, wrong=(4, 5))
    assert bits.broken == ("determinism", "call-independence")


def test_nobody_is_blamed_when_the_ordinary_runs_differ(bench: Any) -> None:
    """A result that varies from run to run says nothing about streams."""
    case = planned(bench, deterministic=True)
    second = {**repeat(2, 1), "run": 1, "again": None}
    verdict = judged(bench, case, second, *(repeat(run, 2) for run in range(2, 6)))
    assert verdict.broken == ("uninitialised-memory", "determinism")


@pytest.mark.parametrize("run", range(2, 6))
def test_status_and_memory_name_the_circumstance(bench: Any, run: int) -> None:
    """A launch that fails, and a write outside, in a further run only."""
    name = CIRCUMSTANCES[run - 2]
    case = planned(bench, deterministic=True)
    others = [repeat(each) for each in range(2, 6) if each != run]
    phase = {**bench.phases(case)[1], "run": run, "status": 361001}
    failed = judged(bench, case, *others, phase)
    assert failed.broken == (CLAUSES[name], "two-phase")
    assert PHRASES[name] in failed.message
    place = {"tensor": "out", "kind": "guard-rear", "first": 0, "count": 1, "unit": "byte"}
    written = judged(bench, case, *others, repeat(run), {"event": "memory", "run": run, **place})
    assert written.broken == (CLAUSES[name], "outside-untouched")
    assert PHRASES[name] in written.message


@pytest.mark.parametrize("lost", range(2, 6))
def test_missing_run(bench: Any, lost: int) -> None:
    """A run that the record does not hold is no pass."""
    events = [repeat(run) for run in range(2, 6) if run != lost]
    verdict = judged(bench, planned(bench, deterministic=True), *events)
    assert verdict.verdict is Verdict.MISSING
    phrase = PHRASES[CIRCUMSTANCES[lost - 2]]
    assert phrase.replace("aclnnLogitGrad", "another operator") in verdict.message


def test_what_cannot_be_made_is_a_remark(bench: Any) -> None:
    """An executor that cannot be repeated, and another operator that refuses, break nothing."""
    case = planned(bench, deterministic=True)
    fixed = {"event": "not-repeatable", "run": 5, "status": 561103, "message": "no"}
    other = {"event": "other", "run": 4, "phase": 1, "status": 161002, "message": ""}
    verdict = judged(bench, case, repeat(2), repeat(3), other, fixed)
    assert verdict.verdict is Verdict.PASS
    assert verdict.remarks == (
        "the call after aclnnLogitGrad ran was not made: that one returned status 161002 "
        "in phase 1",
        "the executor cannot be made repeatable: status 561103: no",
    )
