# SPDX-License-Identifier: Apache-2.0
"""What a qualification says to people."""

from __future__ import annotations

from rich.console import Console

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.qualify.catalog import Fault, Variant
from aclnn_cts.qualify.qualification import FaultTrial, Notice, Qualification, VariantTrial, show


def fault(name: str, operator: str, *notices: str) -> Fault:
    return Fault.model_validate(
        {
            "id": name,
            "operator": operator,
            "fault": f"What goes wrong in {name}.",
            "bug": "Somebody mistook it.",
            "notices": notices,
            "needs": f"A case that shows {name}.",
            "edits": [{"in": "operators/logit_grad.cpp", "replace": "a", "by": "b"}],
        }
    )


def variant(name: str) -> Variant:
    return Variant.model_validate(
        {
            "id": name,
            "operator": "aclnnLogitGrad",
            "variant": f"What {name} does otherwise.",
            "allows": ["sums-in-any-order", "float32-or-wider"],
            "why": "The page states no order.",
            "edits": [{"in": "operators/logit_grad.cpp", "replace": "a", "by": "b"}],
        }
    )


def shown() -> str:
    """Return what is printed of faults that are noticed and survive, and variants with alarms."""
    strict = Notice("Logit.case", "aclnnLogitGrad", "smoke", 7, ("formula",), ("strict",))
    trials = (
        FaultTrial(fault("logit-small", "aclnnLogitGrad", "formula"), 9, (strict,), 1.0),
        FaultTrial(fault("logit-other", "aclnnLogitGrad", "eps-nan"), 9, (strict,), 1.0),
        FaultTrial(fault("prelu-lost", "aclnnPreluBackward", "x"), 5, (), 1.0),
        FaultTrial(
            fault("prelu-open", "aclnnPreluBackward", "x"), 5, (), 1.0, "Prelu.case: no record"
        ),
    )
    wrong = CaseVerdict(
        "Logit.case", "aclnnLogitGrad", Verdict.FAIL, ("formula",), (), message="got 1, not 2"
    )
    variants = (
        VariantTrial(variant("logit-quiet"), 9, (), 1.0),
        VariantTrial(variant("logit-loud"), 9, (wrong,), 1.0),
        VariantTrial(variant("logit-unbuilt"), 9, (), 1.0, "does not build"),
    )
    console = Console(width=100, record=True)
    with console.capture() as captured:
        show(Qualification("1", "d", "smoke", {"atlas-a2": 14}, trials, variants, 2.0), console)
    return captured.get()


def test_each_fault_stands_with_clause_count_and_cheapest_case() -> None:
    """A reader sees who noticed what, and which case to run alone."""
    lines = shown().splitlines()
    at = lines.index("logit-small: 1 of 9 cases: formula (1)")
    assert lines[at + 1] == "    Logit.case (7 elements)"
    assert "prelu-lost: 0 of 5 cases: nothing noticed it" in lines


def test_a_survivor_is_told_with_what_a_case_needs() -> None:
    """What goes wrong, and what would notice it; one that was not tried is not said to survive."""
    text = shown()
    assert "SURVIVES prelu-lost (aclnnPreluBackward): What goes wrong in prelu-lost." in text
    assert "A case that shows prelu-lost." in text
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
    assert "ALARM logit-loud (aclnnLogitGrad): What logit-loud does otherwise." in text
    assert "it is right by sums-in-any-order, float32-or-wider: The page states no order." in text
    assert "  Logit.case: fail, formula: got 1, not 2" in text
    assert "NOT TRIED logit-unbuilt (aclnnLogitGrad): does not build" in text
    assert "logit-quiet" not in text


def test_the_last_line_is_power_and_false_alarms() -> None:
    """Either number says little without the other."""
    assert "tier smoke: 2 of 4 faults noticed; 2 alarms on 3 variants; the unharmed" in shown()
    assert ["aclnnLogitGrad", "3", "2"] in [line.split() for line in shown().splitlines()]
