# SPDX-License-Identifier: Apache-2.0
"""A whole run: every planned case gets a verdict, and nothing missing counts as passed."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge import judge_run as judge_run_module
from aclnn_cts.judge.judge_run import JudgedOperator, Judging, judge_operators
from aclnn_cts.judge.records import Evidence
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.events import CaseRecord, OutputEvent

X, DY = [0.25, 0.5, 0.75], [1.0, 2.0, 3.0]


@pytest.fixture(autouse=True)
def _inputs(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def inputs_of(case: Case, store: Path, reference: DataReference) -> Any:
        del store, reference
        return bench.inputs[case.id]

    monkeypatch.setattr(judge_run_module, "inputs_of", inputs_of)


def judge(bench: Any, jobs: int = 1) -> JudgedOperator:
    (found,) = judge_operators(bench.run(), Judging(bench.suite, "strict", jobs))
    return found


def verdicts(bench: Any) -> dict[str, CaseVerdict]:
    return {verdict.case: verdict for verdict in judge(bench).verdicts}


def test_a_clean_run(bench: Any) -> None:
    """Every case passes, in the run's order, and progress reaches the end."""
    cases = [bench.case(f"c{i}", X, DY) for i in range(20)]
    refusal = bench.refusal("r")
    bench.program(*map(bench.kept, cases), bench.refused(refusal))
    seen: list[tuple[int, int]] = []
    judging = Judging(bench.suite, "strict")
    (run,) = judge_operators(bench.run(), judging, lambda *told: seen.append(told))
    assert [verdict.case for verdict in run.verdicts] == [case.id for case in bench.cases]
    assert {verdict.verdict for verdict in run.verdicts} == {Verdict.PASS}
    assert run.problems == ()
    assert (seen[0], seen[-1]) == ((0, 21), (21, 21))


def test_a_promise_that_explains_failures_is_named_first(bench: Any) -> None:
    """If exactly the non-contiguous case fails, its promise comes before the formula."""
    cases = [bench.case(f"c{i}", [0.5], [1.0]) for i in range(3)]
    stepped = bench.case("s", [0.5], [1.0], layout="stepped")
    wrong = bench.kept(stepped, np.array([9.0], np.float32))
    bench.program(*map(bench.kept, cases), wrong)
    assert verdicts(bench)["s"].broken == ("x-non-contiguous", "formula")


def test_where_a_case_ran(bench: Any) -> None:
    """A verdict names host and card of the process whose record counts, the run's host if no other.

    So does that on a case that ended its process. Without a record, no place is named.
    """
    one, two, three, _ = (bench.case(name, X, DY) for name in ("one", "two", "three", "gone"))
    case, lines, _ = bench.kept(two)
    bench.program(
        bench.kept(one), (case, lines[:2], b""), exit_code=-11, finished=False, device=3, host="b"
    )
    bench.program(bench.kept(three), device=1)
    run = replace(bench.run(), environment=Environment(host="a"))
    (found,) = judge_operators(run, Judging(bench.suite, "strict"))
    assert {each.case: (each.host, each.card) for each in found.verdicts} == {
        "one": ("b", 3),
        "two": ("b", 3),
        "three": ("a", 1),
        "gone": ("", -1),
    }


def test_several_processes_say_the_same(bench: Any) -> None:
    """Two workers give what one gives, in the same order."""
    cases = [bench.case(f"c{i}", X, DY) for i in range(40)]
    bench.program(*map(bench.kept, cases))
    assert judge(bench, 2) == judge(bench, 1)


def test_an_empty_run_is_an_error(bench: Any) -> None:
    """Nothing was tested, so nothing can pass."""
    with pytest.raises(NotTrustworthyError, match="no case"):
        judge(bench)


def test_a_case_that_was_never_begun_is_missing(bench: Any) -> None:
    """The others keep their verdicts; the reason says how the program ended."""
    here, _ = bench.case("here", X, DY), bench.case("gone", X, DY)
    bench.program(bench.kept(here), exit_code=3, finished=False, stderr="aclInit failed")
    found = verdicts(bench)
    assert found["here"].verdict is Verdict.PASS
    assert found["gone"].verdict is Verdict.MISSING
    assert "never started" in found["gone"].message
    assert "aclInit failed" in found["gone"].message


def test_no_program_at_all(bench: Any) -> None:
    """A planned operator without a program is missing."""
    bench.case("a", X, DY)
    assert verdicts(bench)["a"].verdict is Verdict.MISSING


def test_the_case_in_which_a_program_died_is_a_crash(bench: Any) -> None:
    """The culprit is the case that was begun and not ended; a second program did the rest."""
    one, two, three = (bench.case(name, X, DY) for name in ("one", "two", "three"))
    case, lines, _ = bench.kept(two)
    bench.program(
        bench.kept(one), (case, lines[:2], b""), exit_code=-11, finished=False, stderr="boom"
    )
    bench.program(bench.kept(three))
    found = verdicts(bench)
    assert [found[name].verdict for name in ("one", "two", "three")] == [
        Verdict.PASS,
        Verdict.CRASH,
        Verdict.PASS,
    ]
    assert "SIGSEGV" in found["two"].message
    assert "boom" in found["two"].message


@pytest.mark.parametrize("is_valid", [True, False])
def test_what_the_simulator_lacks_is_no_broken_promise(bench: Any, *, is_valid: bool) -> None:
    """A valid call has no record; a call that had to be refused was accepted before that."""
    one = bench.case("one", X, DY) if is_valid else bench.refusal("one")
    case, lines, _ = bench.kept(one) if is_valid else bench.refused(one)
    bench.program((case, lines[:2], b""), exit_code=86, finished=False, stderr="simulator: mend")
    found = verdicts(bench)["one"]
    assert found.verdict is (Verdict.MISSING if is_valid else Verdict.CRASH)
    assert "status 86: simulator: mend" in found.message


def test_a_hang_is_a_timeout(bench: Any) -> None:
    """The case in which the program was stopped for its time is the culprit."""
    case, lines, _ = bench.kept(bench.case("a", X, DY))
    bench.program((case, lines[:2], b""), exit_code=-9, timed_out=True, finished=False)
    assert verdicts(bench)["a"].verdict is Verdict.TIMEOUT


@pytest.mark.parametrize("exit_code", [-6, 1, 2])
def test_a_death_after_the_last_case_is_not_lost(bench: Any, exit_code: int) -> None:
    """A program that dies at its end, all cases ended, is a crash after the last of them."""
    one, two = bench.case("one", X, DY), bench.case("two", X, DY)
    bench.program((one, [DEVICE], b""), bench.kept(one), bench.kept(two), exit_code=exit_code)
    found = verdicts(bench)
    assert found["one"].verdict is Verdict.PASS
    assert found["two"].verdict is Verdict.CRASH
    assert "after this case" in found["two"].message


DEVICE = {"event": "device", "soc": "Ascend910B3", "cann": "", "inf_nan": True, "nonce": ""}


def test_the_case_that_lost_the_device(bench: Any) -> None:
    """It is a crash that names what happened; the cases that ran elsewhere are judged as ever."""
    one, two, three = (bench.case(name, X, DY) for name in ("one", "two", "three"))
    bench.program((one, [DEVICE], b""), bench.kept(one), bench.kept(two), **LOST)
    bench.program(bench.kept(three))
    found = verdicts(bench)
    assert [found[name].verdict for name in ("one", "two", "three")] == [
        Verdict.PASS,
        Verdict.CRASH,
        Verdict.PASS,
    ]
    assert "the device was lost in this case" in found["two"].message
    assert "no such device" in found["two"].message


LOST = {"exit_code": 3, "finished": False, "stderr": "no such device"}


@pytest.mark.parametrize(("device", "verdict"), [([DEVICE], Verdict.CRASH), ([], Verdict.MISSING)])
def test_a_program_without_its_runner(
    bench: Any, device: list[dict[str, Any]], verdict: Verdict
) -> None:
    """It never reaches the device, so no case is blamed; in a case the status is the operator's."""
    case, lines, _ = bench.kept(bench.case("a", X, DY))
    bench.program((case, [*device, *lines[:2]], b""), exit_code=4, finished=False)
    assert verdicts(bench)["a"].verdict is verdict


def test_a_half_of_a_process(bench: Any) -> None:
    """One that was ended with the run is not a crash, and what it did is judged."""
    one, two = bench.case("one", X, DY), bench.case("two", X, DY)
    bench.program(bench.kept(one), exit_code=None, finished=False)
    bench.program(bench.kept(two))
    assert {found.verdict for found in verdicts(bench).values()} == {Verdict.PASS}


def again(bench: Any, case: Case, out: Any, *company: Case) -> None:
    """Leave the files of a process that ran a case again."""
    purpose = "company" if company else "alone"
    told = [bench.kept(each) for each in company]
    ids = tuple(each.id for each in company)
    bench.program(
        *told, bench.kept(case, out), purpose=purpose, batch="again", about=case.id, company=ids
    )


def test_what_was_run_again_counts(bench: Any) -> None:
    """Confirmed, only behind another, and flaky: from the records alone."""
    first, sure, led, flaky = (
        bench.case(name, X, DY) for name in ("first", "sure", "led", "flaky")
    )
    wrong = bench.right(first) * 2
    bench.program(
        bench.kept(first), bench.kept(sure, wrong), bench.kept(led, wrong), bench.kept(flaky, wrong)
    )
    again(bench, sure, wrong)
    again(bench, led, None)
    again(bench, led, wrong, first, sure)
    again(bench, led, None, sure)
    again(bench, led, wrong, first)
    again(bench, flaky, None)
    again(bench, flaky, None, first, sure, led)
    found = verdicts(bench)
    assert [found[name].verdict for name in ("first", "sure", "led", "flaky")] == [
        Verdict.PASS,
        Verdict.FAIL,
        Verdict.FAIL,
        Verdict.FLAKY,
    ]
    assert [found[name].tries for name in ("first", "sure", "led", "flaky")] == [0, 1, 4, 2]
    assert (found["sure"].after, found["led"].after) == ((), ("first",))
    assert found["led"].message.startswith("only after first; alone it passes: ")


def test_company_that_breaks(bench: Any) -> None:
    """A case that passed in its batch and fails as company of another is flaky."""
    one, two = bench.case("one", X, DY), bench.case("two", X, DY)
    wrong = bench.right(two) * 2
    bench.program(bench.kept(one), bench.kept(two, wrong))
    again(bench, two, None)
    bench.program(
        bench.kept(one, wrong), bench.kept(two), purpose="company", about="two", company=("one",)
    )
    found = verdicts(bench)
    assert found["one"].verdict is found["two"].verdict is Verdict.FLAKY


def test_begun_but_not_ended_without_a_death_is_missing(bench: Any) -> None:
    """A program that says it finished, but did not end a case, left no record of it."""
    case, lines, data = bench.kept(bench.case("a", X, DY))
    bench.program((case, lines[:-1], data))
    assert verdicts(bench)["a"].verdict is Verdict.MISSING


def test_begun_twice_is_missing(bench: Any) -> None:
    """In one program, or in two: which record is the right one cannot be told."""
    twice, both = bench.case("twice", X, DY), bench.case("both", X, DY)
    bench.program(bench.kept(twice), bench.kept(twice), bench.kept(both))
    bench.program(bench.kept(both))
    found = verdicts(bench)
    assert found["twice"].verdict is found["both"].verdict is Verdict.MISSING
    assert "2 times" in found["twice"].message


def test_unknown_case_in_events_is_a_problem(bench: Any) -> None:
    """Events of a case that was not planned make the run not trustworthy."""
    bench.program(bench.kept(bench.case("a", X, DY)), bench.kept(bench.case("alien", X, DY)))
    bench.cases.pop()
    run = judge(bench)
    assert [verdict.verdict for verdict in run.verdicts] == [Verdict.PASS]
    assert "alien" in run.problems[0]


def test_damaged_events_are_not_believed(bench: Any) -> None:
    """A line that is not an event may have been a finding: no case of that file passes."""
    bench.program(bench.kept(bench.case("a", X, DY)), tail="{]\n")
    run = judge(bench)
    assert run.verdicts[0].verdict is Verdict.MISSING
    assert "damaged" in run.verdicts[0].message
    assert run.problems


def test_a_program_without_a_case_is_none_of_the_run(bench: Any) -> None:
    """Nobody starts one; its record was added, and the others may have been changed as well."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    bench.program()
    run = judge(bench)
    assert [each.verdict for each in run.verdicts] == [Verdict.PASS]
    assert "000.1.jsonl was recorded by a program that had no case to run" in run.problems[0]


def test_a_line_cut_off_by_a_crash_is_no_damage(bench: Any) -> None:
    """The program died while it wrote: only the case that it was in is a crash."""
    one, two = bench.case("one", X, DY), bench.case("two", X, DY)
    case, lines, _ = bench.kept(two)
    cut = '{"event":"phase1","ca'
    bench.program(bench.kept(one), (case, lines[:1], b""), exit_code=-11, finished=False, tail=cut)
    found = verdicts(bench)
    assert found["one"].verdict is Verdict.PASS
    assert found["two"].verdict is Verdict.CRASH


def test_outputs_that_are_too_short_are_missing(bench: Any) -> None:
    """An outputs file that ends early is not a pass for the cases behind its end."""
    one, two = bench.case("one", X, DY), bench.case("two", X, DY)
    bench.program(bench.kept(one), bench.kept(two), cut=20)
    found = verdicts(bench)
    assert found["one"].verdict is Verdict.PASS
    assert found["two"].verdict is Verdict.MISSING
    assert "ends before the output out" in found["two"].message


def test_outputs_are_mapped(bench: Any, tmp_path: Path) -> None:
    """Reading an output takes no memory of its size, wherever in the file it stands."""
    tensor = bench.case("large", [0.5] * (1 << 18), DY).tensor("out")
    content = np.arange(tensor.numel, dtype=np.float32)
    outputs = tmp_path / "large.bin"
    outputs.write_bytes(b"odd" + content.tobytes())
    event = OutputEvent(
        event="output", case="large", run=0, tensor="out", offset=3, bytes=content.nbytes
    )
    tracemalloc.start()
    try:
        found = Evidence(CaseRecord("large"), outputs).read(event, tensor)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < content.nbytes // 100
    assert not found.flags.writeable
    assert found.tobytes() == content.tobytes()


def test_outputs_of_the_wrong_size_are_missing(bench: Any) -> None:
    """An output event with another size than the tensor's says that something was altered."""
    case, lines, data = bench.kept(bench.case("a", X, DY))
    altered = [{**line, "bytes": 8} if line["event"] == "output" else line for line in lines]
    bench.program((case, altered, data))
    found = verdicts(bench)["a"]
    assert found.verdict is Verdict.MISSING
    assert "8 bytes" in found.message


@pytest.mark.parametrize(("nonce", "known"), [("ab" * 16, True), ("cd" * 16, False), (None, False)])
def test_events_of_another_run_are_not_believed(bench: Any, nonce: str | None, known: bool) -> None:  # noqa: FBT001
    """A program repeats its run's nonce; what has another one, or none, was recorded elsewhere."""
    bench.program(bench.kept(bench.case("c", X, DY)))
    path = bench.programs[0].events
    if nonce is not None:
        device = {"event": "device", "soc": "s", "cann": "", "inf_nan": True, "nonce": nonce}
        path.write_text(json.dumps(device) + "\n" + path.read_text())
    (run,) = judge_operators(replace(bench.run(), nonce="ab" * 16), Judging(bench.suite, "strict"))
    assert run.verdicts[0].verdict == (Verdict.PASS if known else Verdict.MISSING)
    assert [("of another run" in problem) for problem in run.problems] == [True] * (not known)


def test_timed_launches_take_the_place_of_the_ordinary_ones(bench: Any) -> None:
    """A case's times are those of the launches that were made for it, if any were."""
    both = [bench.kept(bench.case(name, X, DY)) for name in ("plain", "timed")]
    for _, lines, _ in both:
        (launch,) = [line for line in lines if line["event"] == "phase2"]
        launch["device_microseconds"] = 9.0
    timing = {"event": "timing", "case": "timed", "microseconds": [1.0, None, 3.0]}
    both[1][1].insert(-1, timing)
    bench.program(*both)
    found = verdicts(bench)
    assert {each.verdict for each in found.values()} == {Verdict.PASS}
    assert found["plain"].device_microseconds == (9.0,)
    assert found["timed"].device_microseconds == (1.0, 3.0)
