# SPDX-License-Identifier: Apache-2.0
"""Reports of hand-made verdicts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

from rich.console import Console

from aclnn_cts.judge.judge_run import JudgedOperator, Judging
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.judging import Report
from aclnn_cts.report.junit import xml_of
from aclnn_cts.report.page import render_page
from aclnn_cts.report.summary import LEAST_WIDTH, summary
from aclnn_cts.report.view import Run, label_runs
from aclnn_cts.results.assembly import document_of
from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

OPERATOR = "aclnnLogitGrad"


def case(name: str, verdict: Verdict, **facts: Any) -> CaseVerdict:
    return CaseVerdict(name, OPERATOR, verdict, **facts)


def report(bench: Any, *verdicts: CaseVerdict, **changes: Any) -> Report:
    """Return a report of one case for each verdict, with some facts of its document changed."""
    like = bench.case("like", [0.5] * 65, [1.0] * 65)  # too many elements to look for other data
    planned = (PlannedCase(replace(like, id=v.case, operator=v.operator)) for v in verdicts)
    run = replace(bench.run(), cases=PlannedCases.pack(planned))
    groups = itertools.groupby(verdicts, key=lambda verdict: verdict.operator)
    judged = [JudgedOperator(operator, tuple(own), ()) for operator, own in groups]
    document = document_of(load_specs(find_suite()), run, judged, Judging(bench.suite, "strict"))
    entries = tuple(
        e.model_copy(update={"story": f"story of {e.id}\x1b[31m\x00"}) for e in document.cases
    )
    document = document.model_copy(update={"cases": entries, **changes})
    return Report(run, document)


ALL = tuple(case(verdict.value, verdict) for verdict in Verdict)


def summary_text(
    run: Run, results: str = "RESULTS", *, width: int = LEAST_WIDTH, verbose: bool = False
) -> str:
    """Return the summary as it stands in a log."""
    console = Console(width=width)
    with console.capture() as captured:
        console.print(summary(run, results, verbose=verbose), crop=False)
    return captured.get()


def junit_root(run: Run, *, each_case: bool = False) -> ET.Element:
    return ET.fromstring("".join(xml_of(run, each_case=each_case)))  # noqa: S314 - our own


def page_of(
    documents: Sequence[ResultsDocument],
    baseline: ResultsDocument | None = None,
    names: Sequence[str] | None = None,
) -> str:
    """Return the page of some results."""
    return render_page(label_runs(documents, names), baseline)
