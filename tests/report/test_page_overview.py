# SPDX-License-Identifier: Apache-2.0
"""The top of the page: headline, evidence, heat map, runs, and what documents leave open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.report.pages import Documents, Entries, data_of
from tests.report.reports import page_of

from aclnn_cts.golden.resolution import Resolution
from aclnn_cts.report.formatting import percentage
from aclnn_cts.report.page.tables import (
    accuracies,
    clauses_by_operator,
    heat_map,
    openings_of,
    page_data,
    slowest,
)
from aclnn_cts.report.view import Statement, label_runs, outcome_line, overview_of, run_of
from aclnn_cts.results.cases import ResolvingEntry
from aclnn_cts.results.document import (
    ClauseState,
    ClauseVerdict,
    ContradictionEntry,
    DocumentGap,
    ScopeEntry,
    Silence,
    WaiverOutcome,
)
from aclnn_cts.run.folder import Device


def test_the_shares_of_the_heat_map(entry: Entries, results_document: Documents) -> None:
    """Only a cell of which all cases pass shows 100 %; refusals have a column of their own.

    A symbol says the same as the colour, for those who do not see it.
    """
    cases = [entry(f"p{n}") for n in range(1999)]
    cases += [entry("f", "fail"), entry("r", dtype="int8", basis="status")]
    document = results_document(cases=tuple(cases))
    heat = heat_map(label_runs([document]))
    assert [column.name for column in heat.columns] == ["all", "refusals", "float32"]
    (row,) = heat.families[0].operators
    shown = [(cell.share, cell.state) for cell in row.cells if cell]
    assert shown == [("99.9 %", "bad"), ("100 %", "good"), ("99.9 %", "bad")]
    page = page_of([document])
    told = re.findall(r'title="[^"]+ kept">(?:(.) )?([\d.]+ %)</a>', page)
    assert told == [("✕", "99.9 %"), ("", "100 %"), ("✕", "99.9 %")]


def test_failing_operators_come_first(entry: Entries, results_document: Documents) -> None:
    """Within their family, and families with one; a folded family still shows it."""
    cases = [entry(f"{n}", operator=n) for n in ("aclnnA", "aclnnB", "aclnnC")]
    cases += [entry("f", "fail", operator="aclnnB")]
    families = {"aclnnA": "loss", "aclnnB": "loss", "aclnnC": "norm"}
    document = results_document(cases=tuple(cases), scope=ScopeEntry(families=families))
    heat = heat_map(label_runs([document]))
    shown = [
        (family.total.name, [(row.name, row.is_calm) for row in family.operators])
        for family in heat.families
    ]
    assert shown == [
        ("loss", [("aclnnB", False), ("aclnnA", True)]),
        ("norm", [("aclnnC", True)]),
    ]
    total = heat.families[0].total.cells[0]
    assert total is not None
    assert (total.kept, total.cases, total.share) == (2, 3, "67 %")


def test_products_are_columns(entry: Entries, results_document: Documents) -> None:
    """An operator has one line on however many products; each cell has a filter of its cases."""
    documents = [
        results_document(product=product, cases=(entry("x", dtype=dtype),))
        for product, dtype in (("atlas-a2", "float16"), ("atlas-a3", "float32"))
    ]
    heat = heat_map(label_runs(documents))
    assert [(column.name, column.filter) for column in heat.columns] == [
        ("all", ""),
        ("atlas-a2", "&run=atlas-a2"),
        ("atlas-a3", "&run=atlas-a3"),
        ("float16", "&dtype=float16"),
        ("float32", "&dtype=float32"),
    ]
    (row,) = heat.families[0].operators
    assert [cell.cases if cell else 0 for cell in row.cells] == [2, 1, 1, 1, 1]


def test_an_operator_without_valid_calls(entry: Entries, results_document: Documents) -> None:
    """Its line says why the columns of data types are empty."""
    refused = entry("r", operator="aclnnA", basis="status")
    page = page_of([results_document(cases=(entry("x"), refused))])
    assert page.count("no valid calls, only refusals") == 1


def test_unenforced_cases_are_in_no_share(entry: Entries, results_document: Documents) -> None:
    """They neither keep a promise nor break one; a cell of nothing else shows no share."""
    accepted = [entry(f"u{n}", "unenforced", basis="status") for n in range(3)]
    document = results_document(cases=(entry("p"), entry("f", "fail"), *accepted))
    (row,) = heat_map(label_runs([document])).families[0].operators
    shown = [(cell.share, cell.kept, cell.cases, cell.unenforced) for cell in row.cells if cell]
    assert shown == [("50 %", 1, 2, 3), ("unenforced", 0, 0, 3), ("50 %", 1, 2, 0)]
    assert [cell.state for cell in row.cells if cell] == ["bad", "note", "bad"]


@pytest.mark.parametrize(
    ("kept", "of", "shown"),
    [
        (32, 36, "89 %"),
        (4, 36, "11 %"),
        (1, 3, "33 %"),
        (2, 3, "67 %"),
        (0, 7, "0 %"),
        (7, 7, "100 %"),
        (199, 200, "99.5 %"),
        (1, 200, "0.5 %"),
        (99_999, 100_000, "99.9 %"),
        (1, 100_000, "0.1 %"),
    ],
)
def test_shares_are_rounded_to_nearest(kept: int, of: int, shown: str) -> None:
    """But all and nothing are shown only where they are exactly that."""
    assert percentage(kept, of) == shown
    whole = {0: "0 %", of: "100 %"}
    assert (shown in whole.values()) is (kept in whole)


def test_waived_is_no_pass(entry: Entries, results_document: Documents) -> None:
    """Neither the heat map nor the headline takes a waived failure for a pass."""
    outcome = WaiverOutcome("known", "waives", ("f",), "", "why", "link", "who", "2027-01-01")
    cases = (entry("p"), entry("f", "fail", waiver="known"))
    runs = label_runs([results_document(cases=cases, waivers=(outcome,))])
    (cell, _) = heat_map(runs).families[0].operators[0].cells
    assert cell is not None
    assert (cell.share, cell.state) == ("50 %", "note")
    top = overview_of(runs)
    assert top.state == "good"
    assert top.headline == "All promises were kept except 1 waived failure"
    assert {count.verdict: count.cases for count in top.counts}["waived"] == 1
    assert any("waived; not counted" in statement.text for statement in top.evidence)
    assert "known" in page_of([run.document for run in runs])


@pytest.mark.parametrize(
    ("verdicts", "problems", "state", "headline"),
    [
        (["pass", "contested-only"], (), "good", "All tested promises were kept"),
        (["pass", "fail", "fail"], (), "bad", "2 cases break 1 promise"),
        (["pass", "flaky", "missing"], (), "bad", "1 case breaks 1 promise"),
        (["pass", "missing"], (), "warn", "1 of 2 cases proves nothing"),
        (["pass"], ("altered",), "warn", "The record has 1 problem"),
        ([], (), "warn", "Nothing was tested"),
    ],
)
def test_the_headline(
    entry: Entries,
    results_document: Documents,
    verdicts: list[str],
    problems: tuple[str, ...],
    state: str,
    headline: str,
) -> None:
    """It says what the exit status says; what proves nothing is never green."""
    cases = tuple(entry(str(n), verdict) for n, verdict in enumerate(verdicts))
    top = overview_of(label_runs([results_document(cases=cases, problems=problems)]))
    assert (top.state, top.headline) == (state, headline)


@pytest.mark.parametrize(
    ("verdicts", "enforce", "status"),
    [
        (["pass", "unenforced"], True, "exit status 1: requirements are not enforced (--enforce)"),
        (["fail", "unenforced"], True, "exit status 1: the device broke a promise"),
        (["pass", "unenforced"], False, "exit status 0: all counted cases kept their promises"),
    ],
)
def test_the_exit_status_names_its_reason(
    entry: Entries, results_document: Documents, *, verdicts: list[str], enforce: bool, status: str
) -> None:
    """What is only not enforced breaks no promise, and is not said to."""
    cases = tuple(entry(str(n), verdict) for n, verdict in enumerate(verdicts))
    document = results_document(cases=cases, enforce=enforce)
    assert overview_of(label_runs([document])).exit_status == status


def test_every_broken_clause_is_a_promise(entry: Entries, results_document: Documents) -> None:
    """The headline counts what stands as failed among the clauses, not what is named first."""
    several = ("x-dtype", "dy-dtype", "formula")
    cases = (entry("a", "fail", broken=several), entry("b", "fail", broken=("x-dtype", "eps")))
    document = results_document(cases=cases)
    assert overview_of(label_runs([document])).headline == "2 cases break 4 promises"
    assert outcome_line(run_of(document)) == "2 cases break 4 promises: exit status 1"


def test_untested_clauses_are_counted(entry: Entries, results_document: Documents) -> None:
    """A number below all leads to the list of those that are left."""

    def tested(*untested: str) -> Statement:
        states: dict[str, ClauseState] = {"formula": "pass", **dict.fromkeys(untested, "untested")}
        clauses = tuple(
            ClauseVerdict("aclnnLogitGrad", name, state, 1, 0, None, "", "", "stated")
            for name, state in states.items()
        )
        runs = label_runs([results_document(cases=(entry("x"),), clauses=clauses)])
        (found,) = [s for s in overview_of(runs).evidence if "of the documents" in s.text]
        return found

    assert tested() == Statement("good", "1 of 1 clause of the documents were tested")
    some = tested(*"abcde")
    assert (some.state, some.link) == ("note", "#clauses&state=untested")
    assert some.text.startswith("1 of 6 clauses")
    assert "5" in some.text


def test_a_waiver_that_is_not_needed_does_not_unprove_a_run(
    entry: Entries, results_document: Documents
) -> None:
    """All promises are kept; the status is 3 for the waiver's sake, and the words say so."""
    gone = WaiverOutcome("known", "improved", (), "remove it", "r", "l", "o", "2027-01-01")
    top = overview_of(label_runs([results_document(cases=(entry("x"),), waivers=(gone,))]))
    assert top.headline == "All promises were kept, but 1 waiver is no longer needed"
    assert top.exit_status.startswith("exit status 3: all counted cases kept their promises")
    line = outcome_line(run_of(results_document(cases=(entry("x"),), waivers=(gone,))))
    assert line == f"{top.headline}: exit status 3"
    missing = results_document(cases=(entry("x", "missing"),), waivers=(gone,))
    assert "proves nothing" in overview_of(label_runs([missing])).exit_status


def test_evidence_names_what_is_missing(entry: Entries, results_document: Documents) -> None:
    """Missing, untrusted and problems stand at the top; so does what the judgement could find."""
    power = ResolvingEntry(ulps=0.5, by_value=40, by_class=2, plain_zeros=0)
    cases = (entry("a", "missing"), entry("b", "untrusted"), entry("c", resolving=power))
    document = results_document(cases=cases, problems=("the record ends too early",))
    told = [(each.state, each.text) for each in overview_of(label_runs([document])).evidence]
    for start in (
        "1 of 3 planned cases left no record",
        "1 case could not have failed",
        "the record",
    ):
        assert [state for state, text in told if text.startswith(start)] == ["warn"], start
    assert any("off by 0.5 ulp" in text for _, text in told)
    assert Resolution(ulps=0.5).as_json()["ulps"] == 0.5


def test_runs_are_told_apart(results_document: Documents) -> None:
    """Two runs of one product get labels that differ, and only as long as they must be."""
    one = results_document()
    two = results_document(device=Device("simulator", "atlas-a2", "Ascend910B3", "8.0", "broken"))
    other = results_document(product="ascend-950")
    assert [run.label for run in label_runs([one])] == ["atlas-a2"]
    assert [run.label for run in label_runs([one, other])] == ["atlas-a2", "ascend-950"]
    assert [run.label for run in label_runs([one, two])] == ["atlas-a2", "atlas-a2:broken"]
    assert len({run.label for run in label_runs([one, one, one])}) == 3
    later = one.model_copy(update={"started": "2026-11-22T04:00:00+00:00"})
    assert label_runs([one, later])[1].label == "atlas-a2:2026-11-22T04-00-00+00-00"
    assert [run.label for run in label_runs([one, later], ["a b", "new"])] == ["a-b", "new"]
    assert [run.label for run in label_runs([one, other], ["a", "b"])] == ["atlas-a2", "ascend-950"]


def test_figures_beyond_measure_are_told(
    entry: Entries, results_document: Documents, figures: Callable[..., Any]
) -> None:
    """An infinite error is not a number in the data, and the worst of its table."""
    infinite = float("inf")
    bad = figures(passed=False, worst_ulp=infinite, worst_share=infinite, mean_ulp=infinite)
    cases = (
        entry("a", standards={"strict": figures()}),
        entry("b", "fail", standards={"strict": bad}),
    )
    document = results_document(cases=cases)
    (row,) = accuracies(label_runs([document]))
    assert (row.worst_case, row.sums.worst_ulp, row.sums.mean_ulp) == ("b", infinite, 0.01)
    page = page_of([document])
    data = data_of(page)
    share = data["columns"].index("share")
    assert [case[share] for case in data["cases"]] == [1.0, -1.0]
    assert "wrong class" in page


def test_the_slowest_come_first(entry: Entries, results_document: Documents) -> None:
    """Time on the device counts; where none was told, that on the host."""
    cases = (
        entry("a", device_microseconds=(5.0, 7.0, 900.0)),
        entry("b", device_microseconds=(), seconds=9.0),
        entry("c", device_microseconds=(8.0,)),
    )
    found = slowest(label_runs([results_document(cases=cases)]))
    assert [(case.name, case.device_microseconds) for case in found] == [
        ("c", 8.0),
        ("a", 7.0),
        ("b", None),
    ]


def test_what_documents_leave_open_is_told_once(results_document: Documents) -> None:
    """Runs that agree share a line; where a device follows neither clause, that is told."""
    facts: dict[str, Any] = {
        "operator": "aclnnA",
        "clauses": ("a", "b"),
        "elements": 9,
        "others": {},
    }
    steady = ContradictionEntry(**facts, follow=(9, 0), reading="a")
    torn = ContradictionEntry(**facts, follow=(4, 2), reading=None)
    silence = Silence("aclnnA", "zero-sign", "the sign of 0")
    gaps = [DocumentGap("aclnnA", "c", "text", ("X", "Y"), given) for given in (("X",), ())]
    documents = [
        results_document(
            product=product, contradictions=(told,), not_promised=(silence,), document_gaps=(gap,)
        )
        for product, told, gap in (
            ("p", steady, gaps[0]),
            ("q", steady, gaps[1]),
            ("r", torn, gaps[0]),
        )
    ]
    openings = openings_of(label_runs(documents))
    (contradiction,) = openings.contradictions
    assert contradiction.elements == 27
    assert [(told.text, told.runs) for told in contradiction.readings] == [
        ("a", ("p", "q")),
        ("a on 4, b on 2, neither on 3", ("r",)),
    ]
    assert openings.silences == [silence]
    assert [told.runs for told in openings.statuses[0][1]] == [("p", "r")]
    assert page_of(documents).count("zero-sign") == 1


def test_many_cases_are_not_all_listed(entry: Entries, results_document: Documents) -> None:
    """Those that did not pass come first, in the run's order; the rest as far as there is room."""
    verdicts = ["pass", "fail", "pass", "missing", "pass", "unenforced"]
    cases = tuple(entry(str(n), verdict) for n, verdict in enumerate(verdicts))
    runs = label_runs([results_document(cases=cases)])
    for most, listed in ((9, "012345"), (5, "01235"), (3, "135"), (2, "13"), (0, "")):
        data = json.loads(page_data(runs, (), most))
        assert "".join(row[1] for row in data["cases"]) == listed, most


def test_many_clauses_are_not_all_listed(results_document: Documents) -> None:
    """Those with the best verdicts are left out, and counted."""
    states: tuple[ClauseState, ...] = ("pass", "fail", "pass", "untested")
    clauses = tuple(
        ClauseVerdict("aclnnA", f"c{n}", state, 1, 0, None, "", "", "stated")
        for n, state in enumerate(states)
    )
    runs = label_runs([results_document(clauses=clauses)])
    (whole,) = clauses_by_operator(runs)
    assert (len(whole.rows), whole.left_out) == (4, 0)
    (short,) = clauses_by_operator(runs, most=3)
    assert [row.clause.clause for row in short.rows] == ["c1", "c3", "c0"]
    assert (short.left_out, short.counts) == (1, whole.counts)
    (none,) = clauses_by_operator(runs, most=0)
    assert (none.rows, none.left_out) == ([], 4)
