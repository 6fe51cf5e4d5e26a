# SPDX-License-Identifier: Apache-2.0
"""What further runs break, and that the circumstance is named."""

from __future__ import annotations

from typing import Any

import pytest
from tests.judge.further_runs import PHRASES, judged, planned, repeat

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import CIRCUMSTANCES

CLAUSES = dict.fromkeys(CIRCUMSTANCES, "call-independence")
CLAUSES["repeatable-executor"] = "repeatable-executor"


def test_all_alike(bench: Any) -> None:
    """Eight equal outputs pass."""
    verdict = judged(bench, planned(bench, deterministic=True), *map(repeat, range(2, 8)))
    assert (verdict.verdict, verdict.broken, verdict.remarks) == (Verdict.PASS, (), ())


@pytest.mark.parametrize("run", range(2, 8))
def test_difference_where_determinism_is_promised(bench: Any, run: int) -> None:
    """The clause of the circumstance stands first, then the values, then determinism."""
    name = CIRCUMSTANCES[run - 2]
    events = [repeat(each, 3 if each == run else 0) for each in range(2, 8)]
    verdict = judged(bench, planned(bench, deterministic=True), *events, wrong=(run,))
    assert verdict.verdict is Verdict.FAIL
    assert verdict.broken == (CLAUSES[name], "formula", "determinism")
    assert f"3 elements of out differ {PHRASES[name]}, first at index 0" in verdict.message


@pytest.mark.parametrize("run", range(2, 8))
def test_wrong_value_where_it_is_not(bench: Any, run: int) -> None:
    """The output is held against the expectation, and the circumstance is named first."""
    name = CIRCUMSTANCES[run - 2]
    events = [repeat(each, 3 if each == run else 0) for each in range(2, 8)]
    verdict = judged(bench, planned(bench, deterministic=False), *events, wrong=(run,))
    assert verdict.broken == (CLAUSES[name], "formula")
    assert f"3 of 3 elements of out are wrong {PHRASES[name]}" in verdict.message


def test_executor_is_not_blamed_for_what_is_wrong_anyway(bench: Any) -> None:
    """If other circumstances fail, too, the executor is no explanation."""
    events = [repeat(each, 3 if each in (4, 5) else 0) for each in range(2, 8)]
    value = judged(bench, planned(bench, deterministic=False), *events, wrong=(4, 5))
    assert value.broken == ("call-independence", "formula")
    assert all(PHRASES[CIRCUMSTANCES[run - 2]] in value.message for run in (4, 5))
    bits = judged(bench, planned(bench, deterministic=True), *events)
    assert bits.broken == ("call-independence", "determinism")


def test_nobody_is_blamed_when_the_ordinary_runs_differ(bench: Any) -> None:
    """A result that varies from run to run says nothing about streams."""
    case = planned(bench, deterministic=True)
    second = {**repeat(2, 1), "run": 1, "again": None}
    further = [repeat(run, 2) for run in range(2, 8)]
    verdict = judged(bench, case, second, *bench.repeats(1), *further)
    assert verdict.broken == ("determinism",)


@pytest.mark.parametrize("run", range(2, 8))
def test_status_and_memory_name_the_circumstance(bench: Any, run: int) -> None:
    """A launch that fails, and a write outside, in a further run only."""
    name = CIRCUMSTANCES[run - 2]
    case = planned(bench, deterministic=True)
    others = [repeat(each) for each in range(2, 8) if each != run]
    phase = {**bench.phases(case)[1], "run": run, "status": 361001}
    failed = judged(bench, case, *others, phase)
    assert failed.broken == (CLAUSES[name], "two-phase")
    assert PHRASES[name] in failed.message
    place = {"tensor": "out", "kind": "guard-rear", "first": 0, "count": 1, "unit": "byte"}
    written = judged(bench, case, *others, repeat(run), {"event": "memory", "run": run, **place})
    assert written.broken == (CLAUSES[name], "outside-untouched")
    assert PHRASES[name] in written.message


def test_a_refusal_in_one_run_is_none_in_another(bench: Any) -> None:
    """Only what a refused call itself wrote was written although it was refused."""
    case = planned(bench, deterministic=True)
    place = {"tensor": "out", "kind": "guard-rear", "first": 0, "count": 1, "unit": "byte"}
    memory = {"event": "memory", "run": 3, "launch": 0, **place}
    phase = {**bench.phases(case)[0], "run": 3, "launch": 1, "status": 561000}
    others = [repeat(each) for each in (2, 4, 5, 6, 7)]
    verdict = judged(bench, case, *others, memory, phase)
    assert verdict.broken == ("call-independence", "two-phase", "outside-untouched")
    assert "although" not in verdict.message


def test_output_that_the_first_run_alone_left_unwritten(bench: Any) -> None:
    """What holds the poison of its run was not written; that says more than a wrong value."""
    case = planned(bench, deterministic=True)
    told = [{**repeat(run, 3), "missing_before": 3} for run in range(2, 8)]
    second = {**repeat(2, 3), "run": 1, "again": None, "missing_before": 3}
    verdict = judged(bench, case, second, *told, ordinary=2)
    assert verdict.broken[:2] == ("outputs-written", "formula")
    assert verdict.message.count("no element of out was written in the first run") == 1


def test_output_that_a_further_run_left_unwritten(bench: Any) -> None:
    """The circumstance and what it led to come before the difference."""
    case = planned(bench, deterministic=True)
    events = [repeat(run) for run in range(2, 8) if run != 5]
    verdict = judged(bench, case, *events, {**repeat(5, 3), "missing": 3})
    assert verdict.broken == ("call-independence", "outputs-written", "determinism")
    partly = judged(bench, case, *events, {**repeat(5, 3), "missing": 2})
    assert partly.broken == ("call-independence", "determinism")


@pytest.mark.parametrize("refused", [0, 1])
def test_equal_calls_with_different_outcomes(bench: Any, refused: int) -> None:
    """A call that is accepted once and refused once depends on more than itself."""
    case = bench.case("a", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0])
    phase = bench.phases(case)[0]
    told, lines, data = bench.kept(case, bench.right(case))
    lines[-1:-1] = [{**phase, "case": case.id, "run": refused, "status": 161002}]
    lines[-1:-1] = [{**phase, "case": case.id, "run": 1 - refused, "status": 0}]
    verdict = bench.judge((told, lines, data))
    assert verdict.broken == ("call-independence", "two-phase")
    assert verdict.kinds == {"unsteady"}
    assert verdict.message.endswith("; an equal call had another outcome")


def test_a_call_that_must_be_refused_and_is_so_only_once(bench: Any) -> None:
    """The same holds for an error clause that is kept now and then."""
    case = bench.refusal("r")
    accepted = {**bench.phases(case)[0], "case": case.id, "run": 1, "status": 0}
    told, lines, data = bench.refused(case, case.statuses[0])
    lines[-1:-1] = [accepted]
    verdict = bench.judge((told, lines, data))
    assert verdict.broken[:2] == ("call-independence", case.scene)
