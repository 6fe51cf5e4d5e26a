# SPDX-License-Identifier: Apache-2.0
"""The summary in a terminal or the log of a CI: narrow, whole, and without empty columns."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from rich.console import Console
from tests.report.reports import report

from aclnn_cts.judge.clauses import Contest
from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.results import WaiverOutcome
from aclnn_cts.report.summary import LEAST_WIDTH, summary
from aclnn_cts.report.wording import of_budget

OPERATOR = "aclnnMaxPool2dWithMaskBackward"
ID = "MaxPool2dWithMaskBackward.base.float32." + "x" * 120


def figures(share: float) -> Figures:
    return Figures(share <= 1, 3, 3, 1, 0, "out", 0.5, 1.0, 1.0, 1.0, 1.0, share, 0.0, 1.0)


def told(bench: Any, *verdicts: CaseVerdict, **facts: Any) -> str:
    """Return the summary of some verdicts as it stands in a log."""
    console = Console(width=LEAST_WIDTH)
    with console.capture() as captured:
        console.print(summary(report(bench, *verdicts, **facts).document), crop=False)
    return captured.get()


def case(name: str, verdict: Verdict, **facts: Any) -> CaseVerdict:
    return CaseVerdict(name, OPERATOR, verdict, **facts)


def test_all_columns_at_once_fit(bench: Any) -> None:
    """With every verdict, waivers and the longest name of an operator; nothing is cut off."""
    verdicts = [case(f"{kind.value}{n}", kind) for kind in Verdict for n in range(11)]
    verdicts.append(case("waived", Verdict.FAIL, standards={"strict": figures(4e73)}))
    waiver = WaiverOutcome(
        *("known", "waives", ("waived",), "", "the reason", "https://example.org/1", "owner"),
        datetime.date(2027, 3, 31).isoformat(),
    )
    document = report(bench, *verdicts, waivers=(waiver,)).document
    waived = document.cases[-1].model_copy(update={"waiver": "known"})
    text = told(bench, *verdicts, waivers=(waiver,), cases=(*document.cases[:-1], waived))
    assert LEAST_WIDTH <= 100
    assert max(map(len, text.splitlines())) <= LEAST_WIDTH
    row = next(line for line in text.splitlines() if line.strip().startswith("all "))
    assert row.split() == ["all", "100", *["11"] * len(Verdict), "1", "4e73", "times"]
    rows = text.split("─")[-1].split(" all ")[0].splitlines()
    assert "".join(row.split()[0] for row in rows if row.strip()) == OPERATOR
    assert "…" not in text


def test_an_id_stays_whole(bench: Any) -> None:
    """However long it is: it is there to be copied."""
    text = told(bench, case(ID, Verdict.FAIL, broken=("formula",), remarks=("a remark " * 30,)))
    lines = text.splitlines()
    assert all(len(line) <= LEAST_WIDTH or line.strip().rstrip(":") == ID for line in lines)
    assert sum(ID in line for line in lines) == 2


def test_a_failure_without_a_clause_is_told(bench: Any) -> None:
    """Nothing that makes the exit status 1 is left out of the broken promises."""
    text = told(bench, case("a", Verdict.CRASH), case("b", Verdict.CRASH))
    assert f"{OPERATOR} without a clause: 2 cases, first a" in " ".join(text.split())


def test_both_readings_are_counted(bench: Any) -> None:
    """A device that follows now one clause and now the other is told with numbers, as elsewhere."""
    contest = Contest("formula", "eps-outside", 7, 4, 2)
    text = told(bench, case("a", Verdict.PASS, contests=(contest,)))
    assert "formula on 4, eps-outside on 2, neither on 1" in " ".join(text.split())


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ((("eps-one", 7),), " 7 eps-one (a third clause) "),
        ((("eps-one", 5),), " 7 eps-one (a third clause) on 5, neither on 2 "),
        ((), " 7 neither on 7 "),
    ],
)
def test_a_third_clause_that_is_followed_is_named(
    bench: Any, others: tuple[tuple[str, int], ...], said: str
) -> None:
    """What follows neither of two clauses is no error where it follows a third one."""
    contest = Contest("formula", "eps-outside", 7, 0, 0, others)
    text = told(bench, case("a", Verdict.PASS, contests=(contest,)))
    assert said in f" {' '.join(text.split())} "


def test_a_verdict_that_no_case_has_takes_no_column(bench: Any) -> None:
    """It is named below the table instead: one must see that nothing crashed."""
    text = told(bench, case("a", Verdict.PASS), case("b", Verdict.TIMEOUT))
    head, rest = text.split("all ")
    assert "timeout" in head
    assert "crash" not in head
    assert "no case is crash, flaky, missing, unenforced, contested-only or untrusted" in rest


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.334, "33%"),
        (9.0, "900%"),
        (12.4, "12 times"),
        (5.2e6, "5e6 times"),
        (4.28e73, "4e73 times"),
        (float("inf"), "wrong class"),
    ],
)
def test_errors_beyond_the_budget_are_told_in_words(bench: Any, share: float, shown: str) -> None:
    """A share of the tolerance, so many times the tolerance, or what has no size at all."""
    assert of_budget(share) == shown
    text = told(bench, case("a", Verdict.FAIL, standards={"strict": figures(share)}))
    assert text.count(shown) == (3 if share == float("inf") else 2)
    assert ("wrong class: NaN, Inf, 0 or a number" in text) is (share == float("inf"))
