# SPDX-License-Identifier: Apache-2.0
"""Waived failures of a run, and the state of each waiver.

A waiver holds for a case only if all that the case shows is accepted: each kind of failure, each
broken clause, and the size of the error. What a waiver holds for is still a failure.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.results import (
    ResultsDocument,
    WaiverOutcome,
    WaiverState,
    totals,
)
from aclnn_cts.report.wording import rounded_up
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.waivers import Waiver, Waivers, in_range, load_waivers

_KEPT = (Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.UNENFORCED)


@dataclass(frozen=True)
class Acceptance:
    """The waivers to apply.

    Attributes:
        waivers: The file's content.
        today: The day for which expiry is decided.
    """

    waivers: Waivers
    today: datetime.date


def accepted_in(path: Path, specs: SpecSet, *besides: SpecSet) -> Acceptance:
    """Return what a file of waivers accepts today, by the clock of the host, UTC.

    Args:
        path: The file.
        specs: What operators, products and clauses there are.
        besides: Other editions whose clauses may be named, too.

    Raises:
        WrongInputError: Something in the file is wrong; names file and line.
    """
    return Acceptance(
        load_waivers(path, specs, *besides), datetime.datetime.now(datetime.timezone.utc).date()
    )


def with_waivers(document: ResultsDocument, acceptance: Acceptance) -> ResultsDocument:
    """Return a run's results as they are with these waivers, whatever ones they were judged with.

    Args:
        document: The content of the results file.
        acceptance: What is accepted, and on which day.
    """
    outcomes = []
    holding: dict[str, str] = {}
    for waiver in acceptance.waivers.waivers:
        state, cases, message = _decide(waiver, acceptance.today, document)
        for case in cases:
            holding.setdefault(case, waiver.id)
        facts = waiver.reason, waiver.link, waiver.owner, waiver.expires.isoformat()
        outcomes.append(WaiverOutcome(waiver.id, state, cases, message, *facts))
    entries = tuple(e.model_copy(update={"waiver": holding.get(e.id)}) for e in document.cases)
    changes = {"cases": entries, "waivers": tuple(outcomes), "totals": totals(entries)}
    return document.model_copy(update=changes)


def _decide(
    waiver: Waiver, today: datetime.date, document: ResultsDocument
) -> tuple[WaiverState, tuple[str, ...], str]:
    elsewhere = _elsewhere(waiver, document)
    if elsewhere:
        return "elsewhere", (), elsewhere
    meant = [case for case in document.cases if _is_meant(waiver, case)]
    if waiver.expires < today:
        return "expired", (), _on_expiry(waiver, meant)
    waived = tuple(case.id for case in meant if _accepts(waiver, case))
    return ("waives", waived, "") if waived else _on_idleness(waiver, meant)


def _on_idleness(
    waiver: Waiver, meant: Sequence[CaseEntry]
) -> tuple[WaiverState, tuple[str, ...], str]:
    """Return why a waiver holds for none of the cases that it speaks of."""
    if not meant:
        return "unused", (), "speaks of no case of this run; mend its pattern, or remove it"
    kept_not = [case for case in meant if case.verdict not in _KEPT]
    if kept_not:
        said = f"does not accept what {_counted(kept_not)} showed: {_objection(waiver, kept_not)}"
        return "unmatched", (), said
    unenforced = [case for case in meant if case.verdict is Verdict.UNENFORCED]
    if unenforced:
        said = f"{_unenforced(unenforced, meant)} unenforced, which cannot be waived"
        if "flaky" in waiver.failure and len(unenforced) < len(meant):
            return "unmatched", (), f"{said}; the others passed this time, as a flaky one may"
        return "improved", (), f"{said}; remove the waiver"
    if "flaky" in waiver.failure:
        return "unmatched", (), f"{_counted(meant)} passed this time, as a flaky one may"
    return (
        "improved",
        (),
        f"unexpected improvement: {_counted(meant)} break nothing; remove the waiver",
    )


def _unenforced(unenforced: Sequence[CaseEntry], meant: Sequence[CaseEntry]) -> str:
    """Return which cases are unenforced, with the verb that follows."""
    if len(unenforced) < len(meant):
        verb = "is" if len(unenforced) == 1 else "are"
        return f"{_counted(meant)} break nothing; {len(unenforced)} of them {verb}"
    return f"{_counted(meant)} {'is' if len(meant) == 1 else 'are'}"


def _elsewhere(waiver: Waiver, document: ResultsDocument) -> str:
    """Return why a waiver does not apply to a run at all; empty if it does."""
    product = document.device.product
    # What the device says of CANN counts before the toolkit's files.
    cann = document.device.cann or document.environment.toolkit_version
    if waiver.products is not None and product not in waiver.products:
        return f"is for {', '.join(waiver.products)}, not {product}"
    if waiver.cann is not None and not in_range(cann, waiver.cann):
        return f"is for CANN {waiver.cann}; this one says {cann or 'nothing'!r}"
    if not any(case.operator == waiver.operator for case in document.cases):
        return f"is for {waiver.operator}, of which the run holds no case"
    return ""


def _classes(case: CaseEntry) -> frozenset[str]:
    """Return the classes of a failure, as waivers name them."""
    kinds = frozenset(case.kinds)
    if case.verdict is Verdict.FAIL:
        return kinds
    # A stream that does not end is the timeout itself, not something besides.
    return kinds - {"hang"} | {case.verdict.value}


def _is_meant(waiver: Waiver, case: CaseEntry) -> bool:
    """Whether a waiver speaks of a case, whatever became of it."""
    if case.operator != waiver.operator or not waiver.speaks_of(case.id):
        return False
    return waiver.clauses is None or any(map(waiver.names_clause, (*case.broken, *case.exercised)))


def _accepts(waiver: Waiver, case: CaseEntry) -> bool:
    """Whether all that a case shows is accepted."""
    if not case.verdict.breaks_promise or not _classes(case) <= set(waiver.failure):
        return False
    if not all(map(waiver.names_clause, case.broken)):
        return False
    if "value" not in _classes(case):
        return True
    return _error(case) <= waiver.largest_ulp


def _objection(waiver: Waiver, cases: Sequence[CaseEntry]) -> str:
    """Return what of some cases is not accepted; an error only if there is nothing else."""
    for case in cases:
        name = case.id if len(cases) > 1 else "it"
        classes = sorted(_classes(case) - set(waiver.failure))
        clauses = [clause for clause in case.broken if not waiver.names_clause(clause)]
        if classes:
            return f"{name} shows {' and '.join(classes)}"
        if clauses:
            return f"{name} breaks {' and '.join(clauses)}, too"
    return _objection_to_error(cases)


def _objection_to_error(cases: Sequence[CaseEntry]) -> str:
    worst = max(cases, key=_error)
    name = worst.id if len(cases) > 1 else "it"
    if not math.isfinite(_error(worst)):
        return f"{name} has results of a wrong class, which `max_ulp: .inf` alone accepts"
    said = f"{name} is off by {rounded_up(_error(worst))} ulp"
    return f"{said}, the most of all" if len(cases) > 1 else said


def _error(case: CaseEntry) -> float:
    """Return a case's largest error in ulps; infinite if it has no size."""
    figures = case.standards.get("strict")
    return math.inf if figures is None else figures.worst_ulp


def _on_expiry(waiver: Waiver, meant: Sequence[CaseEntry]) -> str:
    failing = sum(case.verdict.breaks_promise for case in meant)
    left = f"{failing} of its cases fail" if failing else "none of its cases fails"
    day = waiver.expires.isoformat()
    return f"expired on {day}, and waives nothing: {left}; ask {waiver.owner}"


def _counted(cases: Sequence[CaseEntry]) -> str:
    return f"its {len(cases)} cases" if len(cases) > 1 else f"its case {cases[0].id}"
