# SPDX-License-Identifier: Apache-2.0
"""What a qualification says to people."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.qualification import (
    Notice,
    Qualification,
    Trial,
    show,
    summary_line,
)
from aclnn_cts.run.fault_injection import Change, Kind


def entry(name: str, notices: tuple[str, ...] = (), kind: Kind = "fault") -> Entry:
    operator = "aclnnLogitGrad" if name.startswith("logit") else "aclnnPreluBackward"
    change = Change(name, {}, kind)
    what = f"What {name} does."
    allows = ("float32-or-wider",) if kind == "variant" else ()
    return Entry(change, operator, (operator,), "atlas-a2", what, notices, allows, "No order.")


def shown() -> str:
    """Return what is printed of faults that are noticed and survive, and variants with alarms."""
    strict = Notice("Logit.case", "aclnnLogitGrad", "smoke", 7, ("formula",), ("strict",))
    wrong = CaseVerdict(
        "Logit.case", "aclnnLogitGrad", Verdict.FAIL, ("formula",), (), message="got 1, not 2"
    )
    trials = (
        Trial(entry("logit-small", ("formula",)), 9, 1.0, (strict,)),
        Trial(entry("logit-other", ("eps-nan",)), 9, 1.0, (strict,)),
        Trial(entry("prelu-lost", ("kept",)), 5, 1.0),
        Trial(entry("prelu-open", ("kept",)), 5, 1.0, left_open="Prelu.case: no record"),
        Trial(entry("logit-quiet", kind="variant"), 9, 1.0),
        Trial(entry("logit-loud", kind="variant"), 9, 1.0, not_passed=(wrong,)),
        Trial(entry("logit-unbuilt", kind="variant"), 9, 1.0, left_open="does not build"),
    )
    console = Console(width=100, record=True)
    with console.capture() as captured:
        show(Qualification("1", "d", "smoke", {"atlas-a2": 14}, trials, 2.0), console)
    return captured.get()


def test_each_fault_stands_with_clause_count_and_cheapest_case() -> None:
    """A reader sees who noticed what, and which case to run alone."""
    lines = shown().splitlines()
    at = lines.index("logit-small: 1 of 9 cases: formula (1)")
    assert lines[at + 1] == "    Logit.case (7 elements)"
    assert "prelu-lost: 0 of 5 cases: nothing noticed it" in lines


def test_nobody_is_to_edit_the_suite_for_an_operator_of_their_own() -> None:
    """A class applies to it, too; the advice for the suite's operators is not for its author."""
    mine = replace(entry("logit-mine"), fault_class="double-accepted", home="aclnnMine")
    theirs = replace(mine, home="aclnnLogitGrad")
    console = Console(width=100)
    with console.capture() as captured:
        trials = (Trial(mine, 9, 1.0), Trial(theirs, 9, 1.0))
        own = frozenset({"aclnnMine"})
        show(Qualification("1", "d", "smoke", {}, trials, 2.0, own=own), console)
    mine_told, theirs_told = captured.get().split("SURVIVES")[1:]
    assert "simulator" not in mine_told
    assert "list it under `equivalent` in faults.yaml in its folder" in mine_told
    assert "list it under `equivalent` in simulator/faults.yaml" in theirs_told


def test_a_survivor_is_named_with_the_clauses_that_ought_to_notice() -> None:
    """One that was not tried is not said to survive."""
    text = shown()
    assert "SURVIVES prelu-lost (aclnnPreluBackward): What prelu-lost does." in text
    assert "noticed by none of 5 cases\n  expected: kept" in text
    assert "NOT TRIED prelu-open (aclnnPreluBackward): Prelu.case: no record" in text


def test_scores_and_standards() -> None:
    """Per operator: what the tier notices, and what each standard would have let through."""
    rows = [line.split() for line in shown().splitlines()]
    assert ["aclnnLogitGrad", "2", "2", "(100%)"] in rows
    assert ["aclnnPreluBackward", "2", "0", "(0%)"] in rows
    assert ["aclnnLogitGrad", "2", "0", "2", "2"] in rows
    assert ["all", "4", "2", "4", "4"] in rows


def test_a_clause_that_ought_to_notice_and_did_not_is_told() -> None:
    """A fault that another clause noticed counts, but its description or the naming is weak."""
    assert "noticed, but not by eps-nan: logit-other (formula (1))" in shown()


def test_an_alarm_is_told_with_case_clause_and_message() -> None:
    """And with what makes the device right: either the suite is wrong, or the variant is."""
    text = shown()
    assert "ALARM logit-loud (aclnnLogitGrad): What logit-loud does." in text
    assert "not passed: 1 of 9 cases\n  right by float32-or-wider: No order." in text
    assert "  Logit.case: fail, formula: got 1, not 2" in text
    assert "NOT TRIED logit-unbuilt (aclnnLogitGrad): does not build" in text
    assert "logit-quiet" not in text


def test_the_last_line_is_power_and_false_alarms() -> None:
    """Either number says little without the other."""
    assert "tier smoke: 2 of 4 faults noticed; 2 alarms on 3 variants; the unmodified" in shown()
    assert ["aclnnLogitGrad", "3", "2"] in [line.split() for line in shown().splitlines()]


def test_operators_whose_values_no_case_tests() -> None:
    """All faults of such an operator may be noticed, and nobody tried its values."""
    whole = Qualification("0", "", "smoke", {"atlas-a2": 9}, (), 1.0)
    assert "no values" not in summary_line(whole)
    contract = replace(whole, contract_only=("aclnnGeGlu",))
    assert "no values of 1 operator are tested" in summary_line(contract)
    assert contract.as_json()["contract_only"] == ["aclnnGeGlu"]
