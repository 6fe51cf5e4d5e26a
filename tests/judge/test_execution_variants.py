# SPDX-License-Identifier: Apache-2.0
"""What further runs break, and that the execution variant is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import EXECUTION_VARIANTS, TURN_VARIANTS, Case, ExecutionVariant
from aclnn_cts.results.clause_verdicts import judge_clauses

PHRASES = dict(
    zip(
        EXECUTION_VARIANTS,
        (
            "on a second stream",
            "with a used workspace",
            "after aclnnLogitGrad ran",  # the hand-made suite has no other
            "between two other calls in flight",
            "with another call planned between its phases",
            "from a repeatable executor's second launch with new data",
        ),
        strict=True,
    )
)


def repeat(run: int, different: int = 0) -> dict[str, Any]:
    """The comparison of a further run, in which the first elements may differ."""
    first = 0 if different else -1
    facts = {
        "run": run,
        "again": EXECUTION_VARIANTS[run - 2],
        "tensor": "out",
        "different": different,
    }
    return {"event": "repeat", **facts, "first": first, "unwritten": 0, "unwritten_first": -1}


def planned(bench: Any, *, deterministic: bool) -> Case:
    case: Case = bench.case("a", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0], again=EXECUTION_VARIANTS)
    if deterministic:
        return case
    return replace(case, clauses=tuple(name for name in case.clauses if name != "determinism"))


def judged(
    bench: Any,
    case: Case,
    *events: dict[str, Any],
    wrong: tuple[int, ...] = (),
    ordinary: float = 1,
    launch: int = 1,
) -> CaseVerdict:
    """Judge a case: a factor on the ordinary outputs, and further runs whose output is wrong.

    ``launch`` says which one of a run gave the wrong output.
    """
    told, lines, data = bench.kept(case, bench.right(case) * np.float32(ordinary))
    for run in wrong:
        bad = (bench.right(case) * np.float32(2)).tobytes()
        place = {"tensor": "out", "offset": len(data), "bytes": len(bad)}
        wrong_output = {"event": "output", "run": run, "launch": launch, "case": case.id}
        lines.insert(-1, {**wrong_output, **place})
        data += bad
    lines[-1:-1] = [{**event, "case": case.id} for event in events]
    verdict: CaseVerdict = bench.judge((told, lines, data))
    return verdict


CLAUSES = dict.fromkeys(EXECUTION_VARIANTS, "call-independence")
CLAUSES["repeatable-executor"] = "repeatable-executor"


def test_all_alike(bench: Any) -> None:
    """Eight equal outputs pass."""
    verdict = judged(bench, planned(bench, deterministic=True), *map(repeat, range(2, 8)))
    assert (verdict.verdict, verdict.broken, verdict.remarks) == (Verdict.PASS, (), ())


@pytest.mark.parametrize("run", range(2, 8))
def test_difference_where_determinism_is_promised(bench: Any, run: int) -> None:
    """The clause of the execution variant stands first, then the values, then determinism."""
    name = EXECUTION_VARIANTS[run - 2]
    events = [repeat(each, 3 if each == run else 0) for each in range(2, 8)]
    verdict = judged(bench, planned(bench, deterministic=True), *events, wrong=(run,))
    assert verdict.verdict is Verdict.FAIL
    assert verdict.broken == (CLAUSES[name], "formula", "determinism")
    assert f"3 elements of out differ {PHRASES[name]}, first at index 0" in verdict.message


@pytest.mark.parametrize("run", range(2, 8))
def test_wrong_value_where_it_is_not(bench: Any, run: int) -> None:
    """The output is held against the expectation, and the execution variant is named first."""
    name = EXECUTION_VARIANTS[run - 2]
    events = [repeat(each, 3 if each == run else 0) for each in range(2, 8)]
    verdict = judged(bench, planned(bench, deterministic=False), *events, wrong=(run,))
    assert verdict.broken == (CLAUSES[name], "formula")
    assert f"3 of 3 elements of out are wrong {PHRASES[name]}" in verdict.message


def test_executor_is_not_blamed_for_what_is_wrong_anyway(bench: Any) -> None:
    """If other execution variants fail, too, the executor is not an explanation."""
    events = [repeat(each, 3 if each in (4, 5) else 0) for each in range(2, 8)]
    value = judged(bench, planned(bench, deterministic=False), *events, wrong=(4, 5))
    assert value.broken == ("call-independence", "formula")
    assert all(PHRASES[EXECUTION_VARIANTS[run - 2]] in value.message for run in (4, 5))
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
def test_status_and_memory_name_the_variant(bench: Any, run: int) -> None:
    """A launch that fails, and a write outside, in a further run only."""
    name = EXECUTION_VARIANTS[run - 2]
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
    """The execution variant and what it led to come before the difference."""
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


PREPARING = {
    3: "in the call before the one with a kept workspace",
    7: "in the first launch of a repeatable executor",
}


@pytest.mark.parametrize("run", PREPARING)
def test_a_launch_that_prepares_is_not_in_the_variant(bench: Any, run: int) -> None:
    """It breaks what any call breaks, and is called what it is."""
    case = planned(bench, deterministic=True)
    others = [repeat(each) for each in range(2, 8) if each != run]
    for phase in bench.phases(case):
        event = {**phase, "run": run, "launch": 0, "status": 561000}
        failed = judged(bench, case, *others, event)
        assert failed.broken == ("two-phase",)
        assert PREPARING[run] in failed.message
    place = {"tensor": "out", "kind": "guard-rear", "first": 0, "count": 1, "unit": "byte"}
    memory = {"event": "memory", "run": run, "launch": 0, **place}
    written = judged(bench, case, *others, repeat(run), memory)
    assert written.broken == ("outside-untouched",)
    assert PREPARING[run] in written.message


def preparing(different: int, missing: int = 0) -> dict[str, Any]:
    """The comparison of the call that comes before the one with a kept workspace."""
    return {**repeat(3, different), "launch": 0, "missing": missing}


def test_call_that_prepares_is_compared(bench: Any) -> None:
    """It is an ordinary one: if it differs, no execution variant is to blame."""
    case = planned(bench, deterministic=True)
    events = [*map(repeat, range(2, 8)), preparing(3)]
    verdict = judged(bench, case, *events)
    assert verdict.broken == ("determinism",)
    assert f"3 elements of out differ {PREPARING[3]}, first at index 0" in verdict.message
    both = judged(bench, case, *events, repeat(4, 3))
    assert both.broken == ("determinism", "call-independence")
    lost = judged(bench, case, *map(repeat, range(2, 8)), preparing(3, missing=3))
    assert lost.broken == ("outputs-written", "determinism")
    assert f"no element of out was written {PREPARING[3]}" in lost.message


def test_call_that_prepares_is_judged_by_value_where_results_may_differ(bench: Any) -> None:
    """Where determinism is not promised, a wrong value is what shows."""
    case = planned(bench, deterministic=False)
    verdict = judged(bench, case, *map(repeat, range(2, 8)), preparing(3), wrong=(3,), launch=0)
    assert verdict.broken == ("formula",)
    assert f"3 of 3 elements of out are wrong {PREPARING[3]}" in verdict.message


FIXED = {"event": "not-repeatable", "run": 7, "status": 561103, "message": "no"}
REFUSING = {"event": "other", "run": 4, "phase": 1, "status": 161002, "message": ""}
REFUSING["operator"] = "aclnnB"


@pytest.mark.parametrize("lost", range(2, 8))
def test_missing_run(bench: Any, lost: int) -> None:
    """A run that the record does not hold is not a pass."""
    events = [repeat(run) for run in range(2, 8) if run != lost]
    verdict = judged(bench, planned(bench, deterministic=True), *events)
    assert verdict.verdict is Verdict.MISSING
    assert PHRASES[EXECUTION_VARIANTS[lost - 2]] in verdict.message


def test_what_cannot_be_made_is_a_remark(bench: Any) -> None:
    """An executor that cannot be repeated, and another operator that refuses, break nothing."""
    case = planned(bench, deterministic=True)
    verdict = judged(bench, case, *map(repeat, (2, 3, 5, 6)), REFUSING, FIXED)
    assert verdict.verdict is Verdict.PASS
    assert verdict.remarks == (
        "the call after aclnnLogitGrad ran was not made: aclnnB returned status 161002 in phase 1",
        "the executor cannot be made repeatable: status 561103: no",
    )


def states(bench: Any, verdict: CaseVerdict) -> tuple[str, str]:
    """Return what the run says of call-independence and of repeatable-executor."""
    found = judge_clauses(bench.specs, verdict.operator, [verdict])
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
    """It is a valid call of the same operator, so both of its phases must work."""
    case = planned(bench, deterministic=True)
    refused = {**FAILED, "phase": 1, "status": 161002, "message": ""}
    unmade = judged(bench, case, *map(repeat, (2, 3, 4, 6, 7)), refused)
    assert unmade.broken == ("call-independence", "two-phase")
    assert unmade.message == (
        "phase one of another call returned ACLNN_ERR_PARAM_INVALID (161002), beside the one "
        "between two other calls in flight"
    )
    failed = judged(bench, case, *map(repeat, range(2, 8)), FAILED)
    assert failed.broken == ("call-independence", "two-phase")
    assert failed.message.endswith("beside the one between two other calls in flight: busy")


def test_another_operator_that_is_refused_only_afterwards(bench: Any) -> None:
    """A call that worked before must work again; of one that never did nothing is said."""
    case = bench.case("a", [0.25, 0.5], [1.0, 2.0], again=("among-others",))
    good = {
        "event": "other",
        "run": 0,
        "phase": 1,
        "status": 0,
        "message": "",
        "operator": "aclnnB",
    }
    refused = {**good, "run": 2, "status": 561103}
    among = {**repeat(2), "again": "among-others"}
    broken = judged(bench, case, good, among, refused)
    assert broken.broken == ("call-independence",)
    assert broken.message == (
        "phase 1 of aclnnB returned ACLNN_ERR_INNER_NULLPTR (561103) after calls of "
        "aclnnLogitGrad, and accepted an equal call before"
    )
    never = judged(bench, case, {**good, "status": 561103}, among, refused)
    assert never.verdict is Verdict.PASS
    assert len(never.remarks) == 2


TURNS: dict[ExecutionVariant, tuple[str, str]] = {
    "moved-addresses": ("moved-addresses", "from a repeatable executor whose tensors were moved"),
    "captured": ("graph-capture", "from a captured call"),
    "other-thread": ("host-threads", "launched in another thread than planned"),
    "four-threads": ("host-threads", "at once with three others in threads of their own"),
    "default-stream": ("call-independence", "on the default stream"),
    "shared-workspace": ("call-independence", "with the workspace of its neighbours on the stream"),
}


def in_turn(bench: Any, variant: ExecutionVariant, *events: dict[str, Any]) -> CaseVerdict:
    """Judge a right case whose only further run is of that variant."""
    made: Case = bench.case("a", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0], again=(variant,))
    case = replace(made, clauses=(*made.clauses, TURNS[variant][0]))
    return judged(bench, case, *events)


@pytest.mark.parametrize("variant", TURN_VARIANTS)
def test_variants_that_take_turns(bench: Any, variant: ExecutionVariant) -> None:
    """A difference, a failure and a write break the clause of the variant, which is named."""
    clause, phrase = TURNS[variant]
    right = {**repeat(2), "again": variant}
    assert in_turn(bench, variant, right).verdict is Verdict.PASS
    differing = in_turn(bench, variant, {**repeat(2, 3), "again": variant})
    assert differing.broken == (clause, "determinism")
    assert f"3 elements of out differ {phrase}" in differing.message
    place = {"tensor": "out", "kind": "retired", "first": 0, "count": 3, "unit": "element"}
    written = in_turn(bench, variant, right, {"event": "memory", "run": 2, **place})
    assert written.broken == (clause, "outside-untouched")
    assert f"3 elements written to an earlier launch's out, first at element 0 {phrase}" in (
        written.message
    )


@pytest.mark.parametrize("variant", TURN_VARIANTS)
def test_what_a_variant_needs_may_fail(bench: Any, variant: ExecutionVariant) -> None:
    """What had to succeed breaks the clause; anything else leaves it untested."""
    clause, phrase = TURNS[variant]
    failed = {"event": "unmade", "run": 2, "function": "aclSet", "status": 161002, "message": "no"}
    broken = in_turn(bench, variant, {**failed, "promised": True})
    assert broken.broken == (clause,)
    assert f"aclSet returned status 161002 {phrase}: no" in broken.message
    unmade = in_turn(bench, variant, {**failed, "promised": False})
    assert unmade.verdict is Verdict.PASS
    assert unmade.remarks == (f"the call {phrase} was not made: aclSet returned status 161002: no",)
    found = judge_clauses(bench.specs, unmade.operator, [unmade])
    assert {each.clause: each.verdict for each in found}[clause] == "untested"
