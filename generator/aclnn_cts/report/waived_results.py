# SPDX-License-Identifier: Apache-2.0
"""Waivers held against a results file that was written with others, or without any."""

from __future__ import annotations

from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.report.document import CaseEntry, ResultsDocument
from aclnn_cts.report.results import totals
from aclnn_cts.report.waiver_states import Acceptance, Shown, setting_of, waive


def with_waivers(document: ResultsDocument, acceptance: Acceptance) -> ResultsDocument:
    """Return a run's results as they are with these waivers, whatever ones they were judged with.

    Args:
        document: The content of the results file.
        acceptance: What is accepted, and on which day.
    """
    setting = setting_of(document.device, document.environment)
    waived = waive(acceptance, setting, (shown_by(entry.id, entry) for entry in document.cases))
    holding = waived.by_case
    cases = tuple(e.model_copy(update={"waiver": holding.get(e.id)}) for e in document.cases)
    changes = {"cases": cases, "waivers": waived.outcomes, "totals": totals(cases)}
    return document.model_copy(update=changes)


def shown_by(case: str, told: CaseVerdict | CaseEntry) -> Shown:
    """Return what a case showed.

    Args:
        case: The case's id.
        told: What is told of it, be it just judged or read from a results file.
    """
    figures = told.standards.get("strict")
    return Shown(
        case=case,
        operator=told.operator,
        verdict=told.verdict,
        broken=told.broken,
        exercised=told.exercised,
        kinds=frozenset(told.kinds),
        worst_ulp=None if figures is None else figures.worst_ulp,
    )
