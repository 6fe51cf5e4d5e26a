# SPDX-License-Identifier: Apache-2.0
"""What trials come to: who noticed what, in which tier, by which standard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from aclnn_cts.judge.standards import STANDARDS, Figures
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.qualification import Notice, Qualification, Trial, notices_of, summary_line
from aclnn_cts.run.fault_injection import Change

RIGHT = Figures(
    passed=True,
    elements=4,
    compared=4,
    failing=0,
    first_failing=-1,
    output="out",
    matched_ratio=1.0,
    max_abs_error=0.0,
    mean_relative_error=0.0,
    max_relative_error=0.0,
    worst_ulp=0.0,
    worst_share=0.0,
    mean_ulp=0.0,
    mean_abs_ulp=0.0,
)
WRONG = replace(RIGHT, passed=False, failing=1)


def fault(name: str, notices: tuple[str, ...] = ("formula",)) -> Entry:
    operator = "aclnnLogitGrad"
    return Entry(Change(name, {}), operator, (operator,), "atlas-a2", "It is wrong.", notices)


def variant(name: str) -> Entry:
    return replace(fault(name, ()), change=Change(name, {}, "variant"), allows=("unstated",))


def notice(case: str = "c", **changes: Any) -> Notice:
    return replace(Notice(case, "aclnnLogitGrad", "smoke", 4, ("formula",), STANDARDS), **changes)


def verdict(name: str, found: Verdict, kinds: set[str], **wrong: bool) -> CaseVerdict:
    figures = {standard: WRONG if wrong.get(standard) else RIGHT for standard in STANDARDS}
    return CaseVerdict(
        name, "aclnnLogitGrad", found, ("formula",), (), figures, kinds=frozenset(kinds)
    )


def standards_of(bench: Any, found: CaseVerdict, **wrong: bool) -> tuple[str, ...]:
    """Return the standards by which one case notices; none if it does not."""
    case = bench.case(found.case, [0.5], [1.0])
    unharmed = verdict(case.id, Verdict.PASS, set(), **wrong)
    told = notices_of([case], {case.id: unharmed}, [found])
    return told[0].standards if told else ()


def test_a_pass_notices_nothing(bench: Any) -> None:
    """A case that passes by all standards is not a notice."""
    assert standards_of(bench, verdict("c", Verdict.PASS, set())) == ()


def test_values_are_noticed_by_the_standards_that_they_break(bench: Any) -> None:
    """A small error is noticed by strict alone, a large one by all."""
    small = verdict("c", Verdict.FAIL, {"value"}, strict=True)
    assert standards_of(bench, small) == ("strict",)
    large = verdict("c", Verdict.FAIL, {"value"}, strict=True, ecosystem=True, statistical=True)
    assert standards_of(bench, large) == STANDARDS


def test_a_standard_that_the_unharmed_device_breaks_notices_nothing(bench: Any) -> None:
    """Where the right answer already breaks a standard, it cannot tell a fault from none."""
    found = verdict("c", Verdict.PASS, set(), statistical=True)
    assert standards_of(bench, found, statistical=True) == ()
    assert standards_of(bench, found) == ("statistical",)


@pytest.mark.parametrize("found", [Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT])
def test_what_is_no_value_breaks_every_standard(bench: Any, found: Verdict) -> None:
    """A status, written memory or a crash are wrong whatever a standard says about values."""
    assert standards_of(bench, verdict("c", found, {"status"} if found == "fail" else set())) == (
        STANDARDS
    )


def test_a_record_that_proves_nothing_is_no_notice(bench: Any) -> None:
    """A missing record is the run's trouble, not a fault that was found."""
    missing = CaseVerdict("c", "aclnnLogitGrad", Verdict.MISSING, (), ())
    assert standards_of(bench, missing) == ()


def test_scores() -> None:
    """A fault counts for a tier if a case of that tier notices it, by the strict standard."""
    late = notice("t", tier="standard")
    trials = (
        Trial(fault("logit-a"), 9, 1.0, (notice("s"), late)),
        Trial(fault("logit-b"), 9, 1.0, (replace(late, standards=("strict",)),)),
        Trial(fault("logit-c", ("eps-nan",)), 9, 1.0, (notice("s"),)),
        Trial(fault("logit-d"), 9, 1.0, (notice("s", standards=("statistical",)),)),
    )
    found = Qualification("1", "d", "standard", {"atlas-a2": 9}, trials, 4.0).as_json()
    assert (found["faults"], found["killed"], found["survivors"]) == (4, 3, ["logit-d"])
    score = found["scores"]["aclnnLogitGrad"]
    assert (score["faults"], score["smoke"], score["standard"]) == (4, 2, 3)
    assert score["by_standard"] == {"strict": 3, "ecosystem": 2, "statistical": 3}
    first, second, third, fourth = found["matrix"]
    assert first["cheapest"] == {"case": "s", "elements": 4, "tier": "smoke"}
    assert first["clauses"] == {"formula": 2}
    assert second["tiers"] == {"smoke": False, "standard": True}
    assert third["unnamed"] == ["eps-nan"]
    assert fourth["cheapest"] is None


def test_alarms() -> None:
    """A variant on which a case does not pass, or that could not be tried, is an alarm each."""
    wrong = replace(verdict("c", Verdict.FAIL, {"value"}), message="1 of 4 elements is wrong")
    trials = (
        Trial(fault("logit-a"), 9, 1.0, (notice("s"),)),
        Trial(variant("logit-quiet"), 9, 1.0),
        Trial(variant("logit-loud"), 9, 1.0, not_passed=(wrong, wrong)),
        Trial(variant("logit-open"), 9, 1.0, left_open="does not build"),
    )
    found = Qualification("1", "d", "smoke", {"atlas-a2": 9}, trials, 4.0)
    told = found.as_json()
    assert (told["faults"], told["killed"], told["variants"], told["alarms"]) == (1, 1, 3, 2)
    assert told["alarming"] == ["logit-loud", "logit-open"]
    assert told["right_devices"][1]["not_passed"][0] == {
        "case": "c",
        "verdict": "fail",
        "clauses": ["formula"],
        "message": "1 of 4 elements is wrong",
    }
    assert not found.is_trusted
    assert replace(found, trials=trials[:2]).is_trusted
    assert not replace(found, trials=(replace(trials[0], notices=()),)).is_trusted


def test_an_edit_that_changes_no_result_is_no_fault() -> None:
    """It counts neither as a fault nor as a survivor, and is listed; a survivor beside it stays."""
    trials = (
        Trial(fault("logit-a"), 9, 1.0, (notice("s"),)),
        Trial(fault("logit-equal"), 9, 1.0, equivalent=True),
        Trial(fault("logit-b"), 9, 1.0),
    )
    found = Qualification("1", "d", "smoke", {"atlas-a2": 9}, trials, 4.0)
    told = found.as_json()
    assert (told["faults"], told["killed"], told["survivors"]) == (2, 1, ["logit-b"])
    assert told["equivalent"] == ["logit-equal"]
    assert [row["fault"] for row in told["matrix"]] == ["logit-a", "logit-b"]
    assert told["scores"]["aclnnLogitGrad"]["faults"] == 2
    assert not found.is_trusted
    assert replace(found, trials=trials[:2]).is_trusted
    assert "1 of 2 faults noticed" in summary_line(found)
