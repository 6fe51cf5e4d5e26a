# SPDX-License-Identifier: Apache-2.0
"""What the events say about the promises that all operators share, and which clause that breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aclnn_cts.judge.call_checks import Runs, find_needless_outputs
from aclnn_cts.judge.standards import broken_counts, broken_values
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.run.events import RepeatEvent
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.parameter_clauses import clause_id

X, DY = [0.25, 0.5, 0.75], [1.0, 2.0, 3.0]


def memory(kind: str, tensor: str = "out", unit: str = "byte") -> dict[str, Any]:
    finding = {"event": "memory", "run": 0, "tensor": tensor, "kind": kind, "unit": unit}
    return {**finding, "first": 5, "count": 2}


def with_event(told: Any, event: dict[str, Any]) -> Any:
    case, lines, data = told
    return case, [*lines[:-1], {**event, "case": case.id}, lines[-1]], data


def test_a_faultless_case_passes(bench: Any) -> None:
    """A complete record with right values passes, and tells which value clauses it reached."""
    verdict = bench.judge(bench.kept(bench.case("a", X, DY)))
    assert (verdict.verdict, verdict.broken, verdict.message) == (Verdict.PASS, (), "")
    assert verdict.exercised[-1] == "formula"
    assert verdict.seconds == 0.0015
    assert verdict.standards["strict"].elements == 3


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        (memory("guard-front"), "outside-untouched"),
        (memory("guard-rear", "x"), "outside-untouched"),
        (memory("gap", unit="element"), "outside-untouched"),
        (memory("guard-rear", "workspace"), "workspace-size"),
        (memory("input", "x", "element"), "inputs-unchanged"),
    ],
)
def test_memory_findings_break_their_clause(bench: Any, event: dict[str, Any], clause: str) -> None:
    """A write outside, behind the workspace or into an input fails, though all values are right."""
    verdict = bench.judge(with_event(bench.kept(bench.case("a", X, DY)), event))
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, (clause,))
    assert "2 " in verdict.message


def test_a_workspace_size_that_was_not_set(bench: Any) -> None:
    """The caller's variable then holds what it held before."""
    told, lines, outputs = bench.kept(bench.case("a", X, DY))
    unset = [{**line, "workspace": None} if line["event"] == "phase1" else line for line in lines]
    verdict = bench.judge((told, unset, outputs))
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, ("workspace-size",))


def test_a_broken_runtime_function(bench: Any) -> None:
    """It is named, though all values are right."""
    event = {"event": "runtime", "run": 0, "function": "aclrtMemset", "what": "set nothing"}
    verdict = bench.judge(with_event(bench.kept(bench.case("a", X, DY)), event))
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, ("runtime-functions",))
    assert "aclrtMemset set nothing" in verdict.message


def test_slack_is_a_remark(bench: Any) -> None:
    """A write into the slack of aclrtMalloc is told, and breaks nothing."""
    verdict = bench.judge(with_event(bench.kept(bench.case("a", X, DY)), memory("slack")))
    assert verdict.verdict is Verdict.PASS
    assert "slack" in verdict.remarks[0]


def test_unwritten_output_is_named_before_its_value(bench: Any) -> None:
    """Elements that hold the poison explain their wrong value."""
    case = bench.case("a", X, DY)
    out = bench.right(case)
    out.view(np.uint8)[:4] = 0x7B
    verdict = bench.judge(bench.kept(case, out, different=1, unwritten=1, unwritten_first=0))
    assert verdict.verdict is Verdict.FAIL
    assert verdict.broken == ("outputs-written", "formula")


def varying(bench: Any, case: Any, *repeats: int) -> CaseVerdict:
    """Judge a case of which two elements differ, by what the runs say that tell why."""
    told = bench.kept(case, different=2, first=1)
    for event in bench.repeats(*repeats):
        told = with_event(told, event)
    verdict: CaseVerdict = bench.judge(told)
    return verdict


WITHOUT_DETERMINISM = ("two-phase", "outputs-written", "uninitialised-memory", "phase-one-data")


@pytest.mark.parametrize("promised", [True, False])
@pytest.mark.parametrize(
    ("repeats", "clause", "said"),
    [
        ((0, 0, 0), "uninitialised-memory", "2 elements of out depend on what memory held"),
        ((0, 0, 3), "phase-one-data", "depend on what the inputs held while phase one ran"),
    ],
)
def test_what_a_difference_depends_on(
    bench: Any, repeats: tuple[int, ...], clause: str, said: str, *, promised: bool
) -> None:
    """A device that repeats its bits reads what it should not, wherever that may be."""
    case = bench.case("a", X, DY, **({} if promised else {"clauses": WITHOUT_DETERMINISM}))
    verdict = varying(bench, case, *repeats)
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, (clause,))
    assert said in verdict.message
    assert "first at index 1" in verdict.message


@pytest.mark.parametrize("repeats", [(1,), (0, 1)])
def test_a_device_that_does_not_repeat_its_bits(bench: Any, repeats: tuple[int, ...]) -> None:
    """It breaks the promise of determinism and no other; where none is made, that is a remark."""
    verdict = varying(bench, bench.case("a", X, DY), *repeats)
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, ("determinism",))
    assert "between runs with equal contents of memory" in verdict.message
    verdict = varying(bench, bench.case("b", X, DY, clauses=WITHOUT_DETERMINISM), *repeats)
    assert (verdict.verdict, verdict.broken) == (Verdict.PASS, ())
    assert "determinism is not promised" in verdict.remarks[0]


@pytest.mark.parametrize("repeats", [(), (0,), (0, 0)])
def test_a_difference_without_its_explanation_is_missing(
    bench: Any, repeats: tuple[int, ...]
) -> None:
    """The program makes the runs that say why; a record that lacks one is not whole."""
    verdict = varying(bench, bench.case("a", X, DY), *repeats)
    assert verdict.verdict is Verdict.MISSING
    assert "why out differs" in verdict.message


def test_a_device_that_is_lost_before_the_explanation(bench: Any) -> None:
    """The difference stays as a remark; what failed is that run."""
    case = bench.case("a", X, DY)
    two = {**bench.phases(case)[1], "run": 100, "synchronize": 507015}
    verdict = bench.judge(with_event(bench.kept(case, different=1, first=2), two))
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, ("two-phase",))
    assert "when the first run was repeated" in verdict.message
    assert "differs between two runs" in verdict.remarks[0]


def test_a_refusal_of_an_equal_call(bench: Any) -> None:
    """It does not explain refusals: the same call was accepted."""
    case = bench.case("a", X, DY)
    one = {**bench.phases(case)[0], "run": 100, "status": 561000}
    verdict = bench.judge(with_event(bench.kept(case, different=1, first=2), one))
    assert verdict.broken == ("call-independence", "two-phase")
    assert verdict.kinds == frozenset({"unsteady"})


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, Verdict.PASS), (1.5, Verdict.FAIL)])
def test_without_that_promise_the_second_output_is_judged_by_value(
    bench: Any, factor: float, verdict: Verdict
) -> None:
    """A second output within the tolerance passes with a remark; a wrong one fails."""
    case = bench.case("a", X, DY, clauses=WITHOUT_DETERMINISM)
    told, lines, data = bench.kept(case, different=3, first=0)
    second = (bench.right(case) * np.float32(factor)).tobytes()
    event = {"event": "output", "run": 1, "tensor": "out", "offset": len(data)}
    more = {**event, "bytes": len(second)}
    (why,) = bench.repeats(3)
    found = bench.judge(with_event(with_event((told, lines, data + second), more), why))
    assert found.verdict is verdict
    assert any("equal contents of memory" in remark for remark in found.remarks)
    if verdict is Verdict.FAIL:
        assert found.broken == ("formula",)
        assert "in the second run" in found.message
        assert not found.standards["strict"].passed


def test_refused_as_promised(bench: Any) -> None:
    """A refusal with the promised status passes without any output."""
    assert bench.judge(bench.refused(bench.refusal("r"))).verdict is Verdict.PASS


@pytest.mark.parametrize("status", [0, 161001, 561000])
def test_wrong_status_breaks_the_error_clause(bench: Any, status: int) -> None:
    """A refusal with another status, or an acceptance, breaks the clause of the error table."""
    verdict = bench.judge(bench.refused(bench.refusal("r"), status))
    assert verdict.verdict is Verdict.FAIL
    assert verdict.broken[0] == "dtype-differs"
    assert "161002" in verdict.message


def test_refused_call_that_wrote(bench: Any) -> None:
    """A refused call may write nothing; an input that changed is named, too."""
    case = bench.refusal("r")
    touched = {**memory("output-touched"), "case": case.id}
    assert bench.judge(bench.refused(case, 161002, touched)).broken == ("refusal-leaves-outputs",)
    changed = {**memory("input", "x"), "case": case.id}
    verdict = bench.judge(bench.refused(case, 161002, changed))
    assert verdict.broken == ("refusal-leaves-outputs", "inputs-unchanged")


def test_valid_call_that_was_refused(bench: Any) -> None:
    """A valid call with a status other than 0 breaks the two-phase promise; its message is told."""
    verdict = bench.judge(bench.refused(bench.case("a", X, DY), 561002))
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, ("two-phase",))
    assert "561002" in verdict.message
    assert "no" in verdict.message


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"status": 361001}, Verdict.FAIL),
        ({"synchronize": 507015}, Verdict.FAIL),
        ({"synchronize": 507046}, Verdict.TIMEOUT),
    ],
)
def test_phase_two_and_synchronisation(
    bench: Any, change: dict[str, int], verdict: Verdict
) -> None:
    """A failing launch fails the case; a stream that does not end in time is a timeout."""
    case = bench.case("a", X, DY)
    one, two = bench.phases(case)
    found = bench.judge((case, bench.framed(case, [one, {**two, **change}]), b""))
    assert (found.verdict, found.broken) == (verdict, ("two-phase",))


@pytest.mark.parametrize("lost", ["phase1", "phase2", "output", "repeat"])
def test_a_line_that_is_missing_is_missing(bench: Any, lost: str) -> None:
    """A record without one of its lines is not a pass, whatever the others say."""
    case, lines, data = bench.kept(bench.case("a", X, DY))
    kept = [line for line in lines if line["event"] != lost]
    assert bench.judge((case, kept, data)).verdict is Verdict.MISSING


def test_runtime_error_outside_the_operator_is_missing(bench: Any) -> None:
    """The operator is not to blame for memory that could not be had; the reason is told."""
    case = bench.case("a", X, DY)
    error = {"event": "error", "run": 0, "what": "aclrtMalloc of 12 bytes", "status": 207001}
    verdict = bench.judge((case, bench.framed(case, [{**error, "message": "full"}]), b""))
    assert verdict.verdict is Verdict.MISSING
    assert "aclrtMalloc of 12 bytes" in verdict.message


def test_failing_producer_is_a_broken_promise(bench: Any) -> None:
    """The operator that makes an input got a valid call as well."""
    case = bench.case("a", X, DY)
    event = {"event": "producer", "run": 0, "phase": 1, "status": 561000, "message": "bad"}
    verdict = bench.judge((case, bench.framed(case, [event]), b""))
    assert verdict.verdict is Verdict.FAIL
    assert verdict.kinds == frozenset({"producer"})
    assert verdict.status is None
    assert "the operator that produces an input returned" in verdict.message


def test_an_element_breaks_only_what_it_does_not_keep(bench: Any) -> None:
    """A 0 at the bound keeps the clause on what lies outside, and breaks the formula's value."""
    case = bench.case("a", [0.25, 0.5, 2.0], DY, eps=0.1)
    expected = bench.reference(case).expect()["out"]
    clauses = bench.specs.operator(case.operator).clauses
    names = [clause.id for clause in clauses]
    both = 1 << names.index("eps-outside") | 1 << names.index("formula")
    expected.reached[...] = both
    for value, broken in ((0.0, {"formula"}), (9.0, {"eps-outside", "formula"})):
        wrong = np.array([True, False, False])
        found = broken_counts(wrong, np.full(3, value, np.float32), expected, clauses)
        assert set(broken_values(found, clauses)) == broken


def test_an_infinity_of_the_wrong_sign_breaks_the_formula_alone(bench: Any) -> None:
    """A quotient beyond float32 overflows to its own sign; a pole of x may have either."""
    case = bench.case("a", [0.25, 0.0, 0.75], [3e38, 1.0, 3e38], eps=-1.0)
    out = bench.right(case)
    out *= -1
    verdict = bench.judge(bench.kept(case, out))
    assert verdict.broken == ("formula",)
    assert [(each.expected, each.got) for each in verdict.samples] == [("+Inf", -np.inf)] * 2


def test_specific_clause_comes_before_the_formula(bench: Any) -> None:
    """Of two clauses that failing elements break, the exception is named before the formula."""
    case = bench.case("a", [0.25, 0.5, 2.0], DY, eps=0.1)
    out = np.array([9.0, 7.0, 1.0], np.float32)
    verdict = bench.judge(bench.kept(case, out))
    assert verdict.broken == ("eps-outside", "formula")
    assert [sample.index for sample in verdict.samples] == [(0,), (1,), (2,)]
    assert verdict.samples[2].expected == "0"
    assert dict(verdict.samples[2].inputs) == {"x": 2.0, "dy": 3.0}


def test_contested_elements_pass_and_name_the_reading(bench: Any) -> None:
    """With eps above 1 the document promises NaN and 0: either passes, and the reading is told."""
    for name, value in (("zeros", 0.0), ("nans", np.nan)):
        case = bench.case(name, X, DY, eps=2.0)
        verdict = bench.judge(bench.kept(case, np.full(3, value, np.float32)))
        assert verdict.verdict is Verdict.CONTESTED_ONLY
        (contest,) = verdict.contests
        assert (contest.first, contest.second) == ("eps-outside", "eps-above-one")
        assert contest.elements == 3
        assert contest.reading == ("eps-outside" if name == "zeros" else "eps-above-one")
    case = bench.case("neither", X, DY, eps=2.0)
    assert bench.judge(bench.kept(case, np.ones(3, np.float32))).verdict is Verdict.FAIL


def test_all_zeros_by_the_formula_is_untrusted(bench: Any) -> None:
    """Dy = 0 makes every result 0: such a case could not have failed."""
    case = bench.case("a", X, [0.0] * 3)
    verdict = bench.judge(bench.kept(case))
    assert verdict.verdict is Verdict.UNTRUSTED
    assert "none of 3" in verdict.message


def test_nan_instead_of_a_value_fails(bench: Any) -> None:
    """A NaN never equals a promised value."""
    case = bench.case("a", X, DY)
    out = bench.right(case)
    out[1] = np.nan
    verdict = bench.judge(bench.kept(case, out))
    assert (verdict.verdict, verdict.broken) == (Verdict.FAIL, ("formula",))
    assert verdict.standards["ecosystem"].passed is False


def test_an_accepted_call_breaks_its_requirements(bench: Any) -> None:
    """Accepted against the promise: the error clause, and what the call does not meet."""
    case = bench.refusal("r")
    named = replace(case, clauses=("dtype-differs", "dy-dtype", *case.clauses[1:]))
    _, lines, data = bench.refused(case, 0)
    assert bench.judge((named, lines, data)).broken == ("dtype-differs", "dy-dtype")
    _, lines, data = bench.refused(case, 361001)
    assert bench.judge((named, lines, data)).broken == ("dtype-differs",)


def test_without_a_message_the_sentence_ends(bench: Any) -> None:
    """What the runtime says is quoted where it says something; else there is nothing to quote."""
    case = bench.case("a", X, DY)
    for number in (0, 1):
        told, lines, _ = bench.kept(case)
        failed = {**lines[number + 1], "status": 361001}
        silent = bench.judge((told, [lines[0], failed, lines[-1]], b""))
        assert not silent.message.endswith((":", ": "))
        assert "361001" in silent.message
        loud = bench.judge((told, [lines[0], {**failed, "message": "why"}, lines[-1]], b""))
        assert loud.message == f"{silent.message}: why"


def test_unwritten_counts_in_the_ordinary_runs_alone(bench: Any) -> None:
    """A further run's poison is another one, so what it holds says nothing about the first run."""
    repeat = {"event": "repeat", "tensor": "out", "different": 0, "first": -1}
    again = {**repeat, "run": 2, "again": "second-stream", "unwritten": 1, "unwritten_first": 0}
    case = bench.case("a", X, DY, again=("second-stream",))
    two = {"event": "phase1", "run": 2, "status": 0, "workspace": 0, "microseconds": 1.0}
    told = with_event(bench.kept(case), {**two, "message": ""})
    told = with_event(told, again)
    assert "outputs-written" not in bench.judge(told).broken


def test_a_verdict_tells_the_status_and_what_the_judgement_could_find(bench: Any) -> None:
    """The status of phase one, and the resolution of all outputs together."""
    accepted = bench.judge(bench.kept(bench.case("a", X, DY)))
    assert accepted.status == 0
    assert accepted.resolution is not None
    assert accepted.resolution.by_value == 3
    refused = bench.judge(bench.refused(bench.refusal("r")))
    assert refused.status == 161002


@pytest.mark.parametrize(
    ("status", "did"),
    [
        (0, "accepted the call (status 0)"),
        (161001, "returned ACLNN_ERR_PARAM_NULLPTR (161001)"),
        (12345, "returned 12345"),
    ],
)
def test_a_wrong_refusal_is_told(bench: Any, status: int, did: str) -> None:
    """What phase one did, what was promised, and what it said."""
    message = bench.judge(bench.refused(bench.refusal("r"), status)).message
    assert message.startswith(f"phase one {did}, promised: ACLNN_ERR_PARAM_INVALID (161002)")


def test_writes_of_a_refused_call_are_told(bench: Any) -> None:
    """What was written stands before the refusal."""
    case = bench.refusal("r")
    changed = {**memory("input", "x", "element"), "case": case.id}
    message = bench.judge(bench.refused(case, 161002, changed)).message
    assert "2 elements" in message
    assert message.index("2 elements") < message.index(", although the call was refused")


# Calls that their documents do not promise to be refused with a certain status


NOT_LAUNCHED = {"statuses": (), "basis": "requirement", "is_launched": False}
ERROR = {"statuses": (), "basis": "refusal", "is_launched": True}
PRODUCT = {"statuses": (), "basis": "requirement", "is_launched": True}


def phases(bench: Any, case: Any, *runs: tuple[int, ...]) -> Any:
    """Return what is told of a call: for each run the status of one phase, or of both."""
    lines = []
    for number, statuses in enumerate(runs):
        one, two = bench.phases(case)
        told = [one] if len(statuses) == 1 else [one, two]
        lines += [
            {**line, "run": number, "status": status}
            for line, status in zip(told, statuses, strict=True)
        ]
    return case, bench.framed(case, lines), b""


@pytest.mark.parametrize(
    ("facts", "runs", "verdict"),
    [
        (NOT_LAUNCHED, ((161002,), (161002,)), Verdict.PASS),
        (NOT_LAUNCHED, ((561002,), (561103,)), Verdict.PASS),
        (NOT_LAUNCHED, ((0,), (0,)), Verdict.UNENFORCED),
        (NOT_LAUNCHED, ((0,), (161002,)), Verdict.FAIL),
        (ERROR, ((161001,), (161001,)), Verdict.PASS),
        (ERROR, ((0, 561003), (0, 561003)), Verdict.PASS),
        (ERROR, ((0, 0), (0, 0)), Verdict.FAIL),
        (PRODUCT, ((361001,), (361001,)), Verdict.PASS),
        (PRODUCT, ((0, 561003), (0, 561003)), Verdict.PASS),
        (PRODUCT, ((0, 561003), (161002,)), Verdict.PASS),
        (PRODUCT, ((0, 0), (0, 0)), Verdict.UNENFORCED),
        (PRODUCT, ((0, 0), (0, 561003)), Verdict.FAIL),
        (PRODUCT, ((0,), (0,)), Verdict.MISSING),
    ],
)
def test_what_a_call_without_a_promised_status_may_end_in(
    bench: Any, facts: dict[str, Any], runs: tuple[tuple[int, ...], ...], verdict: Verdict
) -> None:
    """Any error status of a phase that is made is right; accepting breaks what is promised only."""
    case = bench.refusal("r", **facts)
    found = bench.judge(phases(bench, case, *runs))
    assert found.verdict is verdict, found.message
    unenforced = verdict is Verdict.UNENFORCED
    assert found.unenforced == (("dtype-differs",) if unenforced else ())
    if unenforced:
        assert found.broken == ()
        assert "accepted the call (status 0)" in found.message
        assert found.remarks == ()
    if verdict is Verdict.FAIL and facts is not ERROR:
        assert found.broken == ("call-independence", "dtype-differs")


def test_a_promised_status_is_named_and_so_is_any(bench: Any) -> None:
    """What was promised stands in the message: the status, or that any error status is right."""
    told = bench.judge(phases(bench, bench.refusal("a"), (0,), (0,)))
    assert "promised: ACLNN_ERR_PARAM_INVALID (161002)" in told.message
    either = bench.refusal("b", statuses=(161001, 161002))
    told = bench.judge(phases(bench, either, (561002,), (561002,)))
    assert "ACLNN_ERR_PARAM_NULLPTR (161001) or ACLNN_ERR_PARAM_INVALID (161002)" in told.message
    assert bench.judge(phases(bench, either, (161001,), (161002,))).verdict is Verdict.PASS
    mixed = bench.refusal("c", statuses=())
    told = bench.judge(phases(bench, mixed, (0,), (0,)))
    assert (told.verdict, told.broken) == (Verdict.FAIL, ("dtype-differs",))
    assert "promised: any error status" in told.message


def test_phase_one_of_a_call_that_is_not_launched_writes_nothing(bench: Any) -> None:
    """That the device need not refuse it excuses no write."""
    case = bench.refusal("r", **NOT_LAUNCHED)
    told, lines, data = phases(bench, case, (0,), (0,))
    found = bench.judge(with_event((told, lines, data), memory("output-touched", unit="element")))
    assert (found.verdict, found.broken) == (Verdict.FAIL, ("refusal-leaves-outputs",))
    assert "although the call was not launched" in found.message


def test_a_hang_in_a_call_that_need_not_be_refused_stays_one(bench: Any) -> None:
    """A card that is lost is not an acceptance."""
    case = bench.refusal("r", **PRODUCT)
    told, lines, data = phases(bench, case, (0, 0))
    lines = [{**line, "synchronize": 507046} if "synchronize" in line else line for line in lines]
    assert bench.judge((told, lines, data)).verdict is Verdict.TIMEOUT


def test_what_the_runtime_says_of_a_refusal_is_kept(bench: Any) -> None:
    """The error text stands beside the status; without one that is a remark, and no failure."""
    case, lines, data = bench.refused(bench.refusal("r"))
    verdict = bench.judge((case, lines, data))
    assert (verdict.verdict, verdict.said, verdict.remarks) == (Verdict.PASS, "no", ())
    silent = [{**line, "message": ""} if "message" in line else line for line in lines]
    verdict = bench.judge((case, silent, data))
    assert (verdict.verdict, verdict.said) == (Verdict.PASS, "")
    (remark,) = verdict.remarks
    assert "161002" in remark
    assert bench.judge(bench.kept(bench.case("a", X, DY))).said == ""


@pytest.mark.parametrize("written", [0, 1])
@pytest.mark.parametrize(
    "operator", ["aclnnBatchNormReduceBackward", "aclnnGroupNormBackward", "aclnnLayerNormBackward"]
)
def test_what_is_not_wanted_stays_as_it_is(
    specs: SpecSet, planned: Any, operator: str, written: int
) -> None:
    """The mask decides, not the memory; the poison of both runs must be left."""
    spec = specs.operator(operator)
    unwanted = [
        (case, tensor)
        for case in planned("atlas-a2", "smoke", operator)
        for tensor in case.outputs
        if case.expects_success and clause_id(tensor.name, "unwanted") in case.clauses
    ]
    assert {tensor.name for _, tensor in unwanted} == {each.name for each in spec.outputs}
    case, tensor = unwanted[0]
    told = {"different": tensor.numel, "first": 0, "unwritten_first": 0}
    left = RepeatEvent(
        event="repeat",
        case=case.id,
        run=1,
        tensor=tensor.name,
        unwritten=tensor.numel - written,
        **told,
    )
    # an explaining run has the poison of the first one
    later = left.model_copy(update={"run": 100, "different": 0, "unwritten": 0})
    found = list(find_needless_outputs(Runs(specs, case), [left, later]))
    assert [finding.clauses for finding in found] == [
        (clause_id(tensor.name, "unwanted"),)
    ] * written
