# SPDX-License-Identifier: Apache-2.0
"""summary.md is one page that says it all, and nothing that a device says changes its form."""

from __future__ import annotations

import pytest
from tests.report.pages import Documents, Entries

from aclnn_cts.report.formatting import code, escape
from aclnn_cts.report.summary import render_summary
from aclnn_cts.report.view import run_of
from aclnn_cts.results.document import (
    ClauseVerdict,
    ContradictionEntry,
    ResultsDocument,
    WaiverOutcome,
)
from aclnn_cts.run.folder import Device


def rendered(document: ResultsDocument) -> str:
    return render_summary(run_of(document))


def test_a_failing_run(entry: Entries, results_document: Documents) -> None:
    """Verdict, table, broken promise with its place and first case, and how to run it again."""
    clause = ClauseVerdict(
        "aclnnLogitGrad", "formula", "fail", 1, 0, None, "dx is so", "page 3", "stated"
    )
    contest = ContradictionEntry(
        operator="aclnnLogitGrad",
        clauses=("a", "b"),
        elements=7,
        follow=(7, 0),
        reading="a",
        others={},
    )
    text = rendered(
        results_document(
            cases=(
                entry("p"),
                entry("f", "fail", broken=("formula", "x-dtype")),
                entry("m", "missing", message="no record"),
            ),
            clauses=(clause,),
            contradictions=(contest,),
        )
    )
    for line in (
        "## ❌ 1 case breaks 2 promises",
        "| operator | planned | pass | missing | fail |",
        "| aclnnLogitGrad | 3 | 1 | 1 | 1 |",
        "- **aclnnLogitGrad formula**: dx is so (page 3). 1 case, first",
        "  `f`: 3 of 9 elements of out are wrong",
        "  – also broken: x-dtype (1)",
        "- missing: `m`: no record",
        "| aclnnLogitGrad | a | b | 7 | a |",
        "aclnn-cts run --product atlas-a2 --tier smoke --simulator --case f",
    ):
        assert line in text.splitlines(), line


def test_waivers_are_told(entry: Entries, results_document: Documents) -> None:
    """A waived failure is not a broken promise, and no pass."""
    waiver = WaiverOutcome("known", "waives", ("f",), "", "a reason", "a link", "o", "2027-01-01")
    cases = (entry("p"), entry("f", "fail", waiver="known"))
    text = rendered(results_document(cases=cases, waivers=(waiver,)))
    assert "| aclnnLogitGrad | 2 | 1 | 1 |" in text
    assert "| operator | planned | pass | waived |" in text
    assert "- `known` waives 1 case until 2027-01-01: a reason (a link)" in text
    assert "Broken promises" not in text


def test_the_same_run_again(entry: Entries, results_document: Documents) -> None:
    """A run of some operators, or with times, is not run again as one of all without."""
    run = results_document(cases=(entry("p"),), edition="earlier", standard="statistical")
    told = run.model_copy(update={"all_operators": False, "timings": 20})
    assert (
        "aclnn-cts run --product atlas-a2 --tier smoke --standard statistical --edition earlier "
        "--simulator --operator aclnnLogitGrad --timings 20"
    ) in rendered(told).splitlines()
    assert "--operator" not in rendered(run)


def test_a_failure_without_a_clause(entry: Entries, results_document: Documents) -> None:
    """It is told as such, and not as one of a clause without a name."""
    told = rendered(results_document(cases=(entry("f", "crash", broken=()),)))
    assert "- **aclnnLogitGrad without a clause**. 1 case, first" in told.splitlines()


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        (
            ("a", "b"),
            (
                "aclnn-cts run --product atlas-a2 --tier smoke --simulator "
                "--case a --case b --case f",
            ),
        ),
        (
            tuple("abcde"),
            (
                "# all cases of the operator: it fails only after 5 of them, and passes alone",
                "aclnn-cts run --product atlas-a2 --tier smoke --simulator "
                "--operator aclnnLogitGrad",
            ),
        ),
    ],
)
def test_a_failure_in_company_is_run_again_in_company(
    entry: Entries, results_document: Documents, after: tuple[str, ...], lines: tuple[str, ...]
) -> None:
    """Alone it would pass."""
    told = rendered(results_document(cases=(entry("f", "fail", after=after),)))
    for line in lines:
        assert line in told.splitlines()
    assert "--simulator --case f" not in told


def test_on_the_same_device_again(entry: Entries, results_document: Documents) -> None:
    """A run names the toolkit that it had; a kit's was another host's, so none is named."""
    device = Device("hardware", "atlas-a2", "Ascend910B3", "8.0")
    run = results_document(cases=(entry("f", "fail"),), device=device, cann="/opt/cann")
    told = rendered(run).splitlines()
    start = "aclnn-cts run --product atlas-a2 --tier smoke"
    assert f"{start} --cann /opt/cann --case f" in told
    assert not any("--cann PATH" in line for line in told)
    elsewhere = rendered(run.model_copy(update={"cann": ""})).splitlines()
    assert f"{start} --case f" in elsewhere
    assert any("--cann PATH" in line for line in elsewhere)
    watched = results_document(cases=(entry("f", "fail"),), sanitize=True)
    assert f"{start} --simulator --sanitize --case f" in rendered(watched).splitlines()


def test_it_stays_one_page(entry: Entries, results_document: Documents) -> None:
    """A run in which everything fails is told in as few lines, and says what it leaves out."""
    cases = tuple(entry(f"c{n}", "fail", broken=(f"clause-{n}",)) for n in range(400))
    lines = rendered(results_document(cases=cases)).splitlines()
    assert len(lines) < 70
    assert "- … and 388 more promises; `report.html` has all" in lines


@pytest.mark.parametrize("text", ["a|b", "**x**", "<b>", "[a](b)", "`", "# x", "a\nb", "~~x~~"])
def test_texts_keep_their_signs(text: str) -> None:
    """Each sign that Markdown reads is escaped, and a line stays a line."""
    escaped = escape(text)
    assert "\n" not in escaped
    bare = escaped.replace("\\\\", "")
    for sign in "|*<>[]`#~":
        assert bare.count(sign) == bare.count(f"\\{sign}"), sign


@pytest.mark.parametrize(
    ("text", "span"), [("a_b", "`a_b`"), ("a`b", "`` a`b ``"), ("a|b", "`a\\|b`")]
)
def test_code_spans(text: str, span: str) -> None:
    """An id is shown as it is, even one that holds a backtick."""
    assert code(text) == span
