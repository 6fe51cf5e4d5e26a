# SPDX-License-Identifier: Apache-2.0
"""A pass of an operator that is tested by contract alone never reads as one of its values."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console
from tests.report.pages import Entries
from tests.report.reports import junit_root, page_of, summary_text

from aclnn_cts.coverage.clause_coverage import cover
from aclnn_cts.coverage.coverage_text import coverage_json, coverage_tables
from aclnn_cts.report.page.tables import accuracies
from aclnn_cts.report.summary import render_summary
from aclnn_cts.report.view import Run, outcome_line, run_of
from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.spec.loading import SpecSet

OPERATOR, FULL = "aclnnHeaviside", "aclnnLogitGrad"


@pytest.fixture
def run(entry: Entries, results_document: Callable[..., ResultsDocument]) -> Run:
    """One case of an operator of either kind; both pass."""
    cases = (entry("a", operator=OPERATOR), entry("b", operator=FULL))
    return run_of(results_document(cases=cases, contract_only=(OPERATOR,)))


def test_the_outcome_counts_them(
    run: Run, results_document: Callable[..., ResultsDocument]
) -> None:
    """A run without such operators has no word about them."""
    told = "no values of 1 operator were tested"
    assert told in outcome_line(run)
    whole = results_document(cases=tuple(run.document.cases))
    assert told not in outcome_line(run_of(whole))


def test_summaries_mark_them(run: Run) -> None:
    """In the table's row, which has no share of a budget."""
    text = summary_text(run, width=120)
    (row,) = (line for line in text.splitlines() if f"{OPERATOR} " in line)
    assert "(contract)" in row
    assert row.split()[-1] == "-"
    assert "(contract), 1 operator: values of outputs are not tested" in text
    assert f"| {OPERATOR} (contract) |" in render_summary(run)
    assert "no values of 1 operator were tested" in render_summary(run).partition("##")[2]


def test_the_page_marks_them(run: Run) -> None:
    """In heat map and clauses; the table of errors leaves them out."""
    page = page_of([run.document])
    assert page.count(">contract only</span>") == 1
    assert "Of operators marked “contract only” no values are tested." in page
    assert {row.operator for row in accuracies([run])} <= {FULL}


def test_junit_has_a_property(run: Run) -> None:
    """Of the test suite of such an operator alone."""
    depths = {
        str(suite.get("name")): [
            p.get("value") for p in suite.iter("property") if p.get("name") == "depth"
        ]
        for suite in junit_root(run)
    }
    assert depths == {f"atlas-a2.{OPERATOR}": ["contract"], f"atlas-a2.{FULL}": []}


def test_coverage_says_so(specs: SpecSet) -> None:
    """All of its clauses may be covered, and no value is."""
    contract = replace(specs, operators={OPERATOR: specs.operator(OPERATOR)})
    found = cover(contract, OPERATOR, {})
    file = io.StringIO()
    Console(file=file, width=200).print(coverage_tables(contract, found))
    assert (
        f"{OPERATOR} (contract only: the values of its outputs are not tested)" in file.getvalue()
    )
    assert coverage_json(contract, found)["contract_only"] == [OPERATOR]
