# SPDX-License-Identifier: Apache-2.0
"""What is run again, and what it says: nothing is retried into a pass, and culprits are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.judge import judge_run
from aclnn_cts.judge.judge_run import Confirmation, Judging
from aclnn_cts.judge.rerun import (
    MOST_FAILS,
    Rerun,
    Reruns,
    conclude,
    next_company,
    suspects_of,
)
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.run.campaign import Silent
from aclnn_cts.run.executor import OnProgress, Task
from aclnn_cts.run.folder import RunFolder

BREAKING = [v for v in Verdict if v.breaks_promise and v is not Verdict.FLAKY]
KEEPING = [Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.UNTRUSTED]


def told(verdict: Verdict, case: str = "c", clause: str = "formula") -> CaseVerdict:
    broken = (clause,) if verdict.breaks_promise else ()
    return CaseVerdict(case, "op", verdict, broken, message=f"was {verdict.value}")


def rerun(verdict: Verdict, *company: str) -> Rerun:
    return Rerun("company" if company else "alone", company, told(verdict))


def test_a_case_that_fails_after_others_only_depends_on_calls() -> None:
    """That its result depends on them is the promise that is broken, beside its own."""
    found = one(told(Verdict.FAIL), rerun(Verdict.PASS), rerun(Verdict.FAIL, "other"))
    assert (found.after, found.broken) == (("other",), ("formula", "call-independence"))


def one(first: CaseVerdict, *reruns: Rerun) -> CaseVerdict:
    return conclude([first], Reruns({first.case: list(reruns)} if reruns else {}))[0]


def search(
    before: Sequence[str], fails: Callable[[tuple[str, ...]], bool]
) -> tuple[CaseVerdict, int]:
    """Try what is to be tried on a device that fails with some company; return the end of it."""
    reruns: list[Rerun] = []
    while (company := next_company(before, reruns)) is not None:
        verdict = Verdict.FAIL if fails(company) else Verdict.PASS
        reruns.append(rerun(verdict, *company))
        assert len(reruns) < 100
    return one(told(Verdict.FAIL), *reruns), len(reruns)


@given(st.integers(1, 127), st.data())
def test_a_single_culprit_is_found(size: int, data: st.DataObject) -> None:
    """Whichever case it is, in at most two tries for each halving, and the two before them."""
    before = [f"p{number}" for number in range(size)]
    culprit = data.draw(st.sampled_from(before))
    verdict, tries = search(before, lambda company: culprit in company)
    assert (verdict.verdict, verdict.after) == (Verdict.FAIL, (culprit,))
    assert f"only after {culprit}; alone it passes" in verdict.message
    assert tries <= 2 + 2 * size.bit_length()
    assert verdict.tries == tries


@given(st.integers(2, 60), st.data())
def test_two_culprits_together(size: int, data: st.DataObject) -> None:
    """If it takes both, the smallest company that was found holds both; the verdict stands."""
    before = [f"p{number}" for number in range(size)]
    first, second = data.draw(
        st.lists(st.sampled_from(before), min_size=2, max_size=2, unique=True)
    )
    verdict, _ = search(before, lambda company: {first, second} <= set(company))
    assert verdict.verdict is Verdict.FAIL
    assert {first, second} <= set(verdict.after)


def test_cut_off_by_what_ran_before_it() -> None:
    """A case that was running when its process was ended may break only in company."""
    before = [f"p{number}" for number in range(40)]
    reruns: list[Rerun] = []
    first = told(Verdict.PASS)
    while (company := next_company(before, [rerun(Verdict.PASS), *reruns])) is not None:
        verdict = Verdict.TIMEOUT if "p7" in company else Verdict.PASS
        reruns.append(rerun(verdict, *company))
    assert reruns[0].company == tuple(before)
    found = one(first, *reruns)
    assert (found.verdict, found.after) == (Verdict.TIMEOUT, ("p7",))
    assert found.message == "only after p7; alone it passes: was timeout"


def test_cut_off_for_nothing() -> None:
    """One try behind the same cases is enough to believe a pass."""
    first = told(Verdict.PASS)
    tried = [rerun(Verdict.PASS, "a", "b")]
    assert next_company(["a", "b"], [rerun(Verdict.PASS)]) == ("a", "b")
    assert next_company(["a", "b"], [rerun(Verdict.PASS), *tried]) is None
    assert one(first, *tried) == first


def test_confirmed_alone() -> None:
    """One try is enough, and the verdict is that of the batch."""
    verdict, tries = search(["a", "b"], lambda _: True)
    assert (verdict.verdict, verdict.message, tries) == (Verdict.FAIL, "was fail", 1)


def test_flaky() -> None:
    """It passes alone, and behind all that ran before it then."""
    verdict, tries = search(["a", "b"], lambda _: False)
    assert (verdict.verdict, tries) == (Verdict.FLAKY, 2)
    assert "was fail" in verdict.message
    assert verdict.broken == ("formula",)


def test_company_that_left_no_record() -> None:
    """Where another case ended the process first, nobody saw it behind the same cases."""
    missing = rerun(Verdict.MISSING, "p")
    found = one(told(Verdict.FAIL), rerun(Verdict.PASS), missing)
    assert found.verdict is Verdict.FLAKY
    assert "none when rerun alone: " in found.message
    assert found.remarks == ("rerun after the same cases, it left no record: was missing",)


def test_nothing_ran_before_it() -> None:
    """Then there is no company to try: alone is what it was."""
    verdict, tries = search([], lambda _: False)
    assert (verdict.verdict, tries) == (Verdict.FLAKY, 1)


@given(
    st.sampled_from(BREAKING),
    st.lists(
        st.tuples(st.sampled_from(list(Verdict)), st.sets(st.sampled_from("pqr"))), max_size=6
    ),
)
def test_nothing_is_retried_into_a_pass(
    first: Verdict, tries: list[tuple[Verdict, set[str]]]
) -> None:
    """Whatever came of any tries, a promise that was broken stays broken."""
    reruns = [rerun(verdict, *sorted(company)) for verdict, company in tries]
    assert one(told(first), *reruns).verdict.breaks_promise


@given(st.sampled_from([*KEEPING, Verdict.MISSING]))
def test_what_broke_nothing_stays(first: Verdict) -> None:
    """Without tries, and without a part in those of others."""
    assert one(told(first)) == told(first)


def test_a_bystander_that_breaks_is_flaky() -> None:
    """It passed in its batch, and failed when it was company of another."""
    (verdict,) = conclude([told(Verdict.PASS)], Reruns(bystanders={"c": told(Verdict.CRASH)}))
    assert verdict.verdict is Verdict.FLAKY
    assert verdict.broken == ("formula",)


def test_no_record_of_the_try() -> None:
    """If the device is gone by then, the verdict stands, and the report says why it is alone."""
    verdict = one(told(Verdict.CRASH), rerun(Verdict.MISSING))
    assert verdict.verdict is Verdict.CRASH
    assert "left no record" in verdict.remarks[0]


@pytest.mark.parametrize(
    ("reruns", "confirmed"),
    [
        ([rerun(Verdict.FAIL)], True),
        ([rerun(Verdict.MISSING), rerun(Verdict.CRASH)], True),
        ([rerun(Verdict.MISSING)], False),
        ([rerun(Verdict.PASS), rerun(Verdict.PASS, "a")], False),
        ([rerun(Verdict.PASS), rerun(Verdict.FAIL, "a")], False),
        ([], False),
    ],
)
def test_confirmed_is_what_broke_again_alone(reruns: list[Rerun], *, confirmed: bool) -> None:
    """However many tries it took; one that left no record confirms nothing."""
    assert one(told(Verdict.FAIL), *reruns).confirmed is confirmed


def test_who_is_run_again() -> None:
    """All crashes and timeouts; of equal failures the first."""
    fails = [told(Verdict.FAIL, f"f{number}") for number in range(MOST_FAILS + 5)]
    others = [told(Verdict.FAIL, "g", "other"), told(Verdict.CRASH, "x"), told(Verdict.PASS, "y")]
    hang = told(Verdict.TIMEOUT, "h")
    names = [each.case for each in suspects_of([*others, *fails, hang])]
    assert names == ["g", "x", *(f"f{number}" for number in range(MOST_FAILS)), "h"]


def test_the_bound_is_said() -> None:
    """A failure that was not run again tells how many like it were."""
    first = [told(Verdict.FAIL, f"f{number}") for number in range(2)]
    _, left = conclude(first, Reruns({"f0": [rerun(Verdict.FAIL)]}))
    assert left.verdict is Verdict.FAIL
    assert left.remarks == ("not rerun alone; 1 case with the same failure instead",)


@pytest.mark.parametrize("verdict", KEEPING)
def test_keeping_is_not_only_passing(verdict: Verdict) -> None:
    """Alone it may be contested or untrusted: it broke nothing there."""
    assert one(told(Verdict.FAIL), rerun(verdict)).verdict is Verdict.FLAKY


@pytest.mark.parametrize("first", KEEPING)
@pytest.mark.parametrize("again", BREAKING)
def test_nobody_suspected_it(first: Verdict, again: Verdict) -> None:
    """A kit's host chooses what it runs again: what breaks alone, for whatever reason, is told."""
    verdict = one(told(first), rerun(again))
    assert verdict.verdict is Verdict.FLAKY
    assert verdict.message.startswith("it passes in its batch, but not when rerun: was")


def test_no_record_in_its_batch() -> None:
    """Whatever it does alone then, it stays missing."""
    for again in (*BREAKING, *KEEPING):
        assert one(told(Verdict.MISSING), rerun(again)).verdict is Verdict.MISSING


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
    assert confirmation.judged.suspects["bad"].first.verdict is Verdict.CRASH


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
