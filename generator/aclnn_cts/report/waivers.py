# SPDX-License-Identifier: Apache-2.0
"""Waived failures of a run, and the state of each waiver.

A waiver applies to a case only if it accepts each kind of failure, each broken clause, and the size
of the error. A waived case is still a failure. A refusal that proves nothing because its valid twin
is refused follows from the twin's failure, so the waiver of that failure covers it.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from aclnn_cts.errors import form
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import round_up
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import ResultsDocument, WaiverOutcome, WaiverState, totals
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.waivers import Waiver, Waivers, cann_version, in_range, load_waivers

_KEPT = (Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.UNENFORCED)


@dataclass(frozen=True)
class Acceptance:
    """The waivers to apply.

    Attributes:
        waivers: The file's content.
        today: The day for deciding expiry.
    """

    waivers: Waivers
    today: datetime.date


def load_acceptance(path: Path | None, specs: SpecSet, *others: SpecSet) -> Acceptance | None:
    """Return the waivers of a file as of today (UTC); None without a file.

    Args:
        specs: The known operators, products and clauses.
        besides: Other editions whose clauses are also known.

    Raises:
        WrongInputError: The file is invalid; names file and line.
    """
    if path is None:
        return None
    today = datetime.datetime.now(datetime.timezone.utc).date()
    return Acceptance(load_waivers(path, specs, *others), today)


def apply_waivers(document: ResultsDocument, acceptance: Acceptance | None) -> ResultsDocument:
    """Return a run's results with other waivers.

    Args:
        acceptance: The waivers and the day; None to change nothing.
    """
    if acceptance is None:
        return document
    operators = {case.operator for case in document.cases}
    waivers = acceptance.waivers.waivers
    tallies = [(_Tally(each), _elsewhere(each, document, operators)) for each in waivers]
    applicable = [tally for tally, elsewhere in tallies if not elsewhere]
    for case in document.cases if applicable else ():
        for tally in applicable:
            tally.add(case)
    outcomes = []
    waiver_by_case: dict[str, str] = {}
    followers = _followers(document.cases)
    for tally, elsewhere in tallies:
        waiver = tally.waiver
        state, message = tally.decide(acceptance.today)
        if elsewhere:
            state, message = "elsewhere", elsewhere
        cases = tuple(tally.accepted) if state == "waives" else ()
        cases += tuple(name for twin in cases for name in followers.get(twin, ()))
        for case_id in cases:
            waiver_by_case.setdefault(case_id, waiver.id)
        facts = waiver.reason, waiver.link, waiver.owner, waiver.expires.isoformat()
        outcomes.append(WaiverOutcome(waiver.id, state, cases, message, *facts, waiver.sha256))
    waived = CaseFile.collect(
        case if case.waiver == name else case.model_copy(update={"waiver": name})
        for case, name in ((each, waiver_by_case.get(each.id)) for each in document.cases)
    )
    counts = totals(case.outcome for case in waived)
    changes = {"cases": waived, "waivers": tuple(outcomes), "totals": counts}
    return document.model_copy(update=changes)


def _followers(cases: Iterable[CaseEntry]) -> dict[str, list[str]]:
    """Return the refusals that prove nothing because of a refused twin, by this twin."""
    followers: dict[str, list[str]] = {}
    for case in cases:
        if case.refused_twin:
            followers.setdefault(case.refused_twin, []).append(case.id)
    return followers


class _Tally:
    """Collects the cases of a waiver, to decide its state.

    Attributes:
        waiver: The waiver.
        accepted: Ids of the cases that it waives.
    """

    def __init__(self, waiver: Waiver) -> None:
        self.waiver = waiver
        self.accepted: list[str] = []
        self._all, self._unkept, self._unenforced = _CaseCount(), _CaseCount(), _CaseCount()
        self._failing = 0
        self._objection = ""
        self._worst: tuple[float, str] = (-math.inf, "")

    def add(self, case: CaseEntry) -> None:
        """Add a case if the waiver matches it."""
        if not _matches(self.waiver, case):
            return
        self._all.add(case)
        self._failing += case.verdict.breaks_promise
        if _accepts(self.waiver, case):
            self.accepted.append(case.id)
        if case.verdict is Verdict.UNENFORCED:
            self._unenforced.add(case)
        if case.verdict in _KEPT or case.refused_twin:
            return
        self._unkept.add(case)
        self._objection = self._objection or _objection(self.waiver, case)
        # the first case wins ties
        if error_of(case) > self._worst[0]:
            self._worst = (error_of(case), case.id)

    def decide(self, today: datetime.date) -> tuple[WaiverState, str]:
        """Return the waiver's state, and advice."""
        if self.waiver.expires < today:
            count = self._failing
            effect = f"{count} of its cases fail" if count else "none of its cases fails"
            day, owner = self.waiver.expires.isoformat(), self.waiver.owner
            return "expired", f"expired on {day}, and waives nothing: {effect}; ask {owner}"
        return ("waives", "") if self.accepted else self._on_idleness()

    def _on_idleness(self) -> tuple[WaiverState, str]:
        """Return why the waiver applies to none of its cases."""
        flaky = "flaky" in self.waiver.failure
        if not self._all.number:
            return "unused", "matches no case of this run; correct its pattern, or remove it"
        if self._unkept.number:
            return "unmatched", f"does not accept what {self._unkept} showed: {self._refused()}"
        if self._unenforced.number:
            text = f"{self._unenforced_text()} unenforced, which cannot be waived"
            if flaky and self._unenforced.number < self._all.number:
                return "unmatched", f"{text}; the others passed this time, as flaky cases may"
            return "improved", f"{text}; remove the waiver"
        if flaky:
            return "unmatched", f"{self._all} passed this time, as flaky cases may"
        return "improved", f"unexpected improvement: {self._all} break nothing; remove the waiver"

    def _unenforced_text(self) -> str:
        """Return the unenforced cases in words, with a verb."""
        number = self._unenforced.number
        if number < self._all.number:
            verb = form(number, "is", "are")
            return f"{self._all} break nothing; {number} of them {verb}"
        return f"{self._all} {form(number, 'is', 'are')}"

    def _refused(self) -> str:
        """Return the unaccepted parts of failures; error sizes only if there are no others."""
        several = self._unkept.number > 1
        if self._objection:
            return self._objection if several else f"it {self._objection.partition(' ')[2]}"
        error, worst = self._worst
        name = worst if several else "it"
        if not math.isfinite(error):
            return f"{name} has results of a wrong class, which `max_ulp: .inf` alone accepts"
        text = f"{name} is off by {round_up(error)} ulp"
        return f"{text}, the most of all" if several else text


class _CaseCount:
    """Number of cases, and the first one."""

    def __init__(self) -> None:
        self.number, self._first = 0, ""

    def add(self, case: CaseEntry) -> None:
        self.number += 1
        self._first = self._first or case.id

    def __str__(self) -> str:
        return f"its {self.number} cases" if self.number > 1 else f"its case {self._first}"


def _elsewhere(waiver: Waiver, document: ResultsDocument, operators: Collection[str]) -> str:
    """Return why a waiver does not apply to a run at all, or ""."""
    product = document.device.product
    # the device's version of CANN takes precedence over the toolkit's files
    cann = document.device.cann or document.environment.toolkit_version
    if waiver.products is not None and product not in waiver.products:
        return f"is for {', '.join(waiver.products)}, not {product}"
    if waiver.cann is not None and not in_range(cann, waiver.cann):
        return f"is for CANN {waiver.cann}; this one is {cann or 'unknown'!r}"
    if waiver.operator not in operators:
        return f"is for {waiver.operator}, which has no case in this run"
    return ""


def failure_classes(case: CaseEntry) -> frozenset[str]:
    kinds = frozenset(case.kinds)
    if case.verdict is Verdict.FAIL:
        return kinds
    # a stream that does not end is the timeout itself
    return kinds - {"hang"} | {case.verdict.value}


def _matches(waiver: Waiver, case: CaseEntry) -> bool:
    """Whether a waiver matches a case, regardless of its verdict."""
    if case.operator != waiver.operator or not waiver.speaks_of(case.id):
        return False
    return waiver.clauses is None or any(map(waiver.names_clause, (*case.broken, *case.exercised)))


def _accepts(waiver: Waiver, case: CaseEntry) -> bool:
    if not case.verdict.breaks_promise or not failure_classes(case) <= set(waiver.failure):
        return False
    if not all(map(waiver.names_clause, case.broken)):
        return False
    if "value" not in failure_classes(case):
        return True
    return error_of(case) <= waiver.largest_ulp


def _objection(waiver: Waiver, case: CaseEntry) -> str:
    """Return the unaccepted part of a failure, except the size of an error."""
    classes = sorted(failure_classes(case) - set(waiver.failure))
    clauses = [clause for clause in case.broken if not waiver.names_clause(clause)]
    if classes:
        return f"{case.id} shows {' and '.join(classes)}"
    return f"{case.id} breaks {' and '.join(clauses)}, too" if clauses else ""


def error_of(case: CaseEntry) -> float:
    """Return a case's largest error in ulps; infinite for a wrong class."""
    figures = case.standards.get("strict")
    return math.inf if figures is None else figures.worst_ulp


_LEFT_OPEN = ("reason", "link", "owner", "expires")
"""Keys that a person must fill in; a draft without them is refused."""


def draft_waivers(document: ResultsDocument) -> str:
    """Return waivers.yaml with a draft for each kind of failure that is not waived.

    Cases of an operator with the same classes of failure and the same clauses share a waiver, those
    with results of a wrong class apart, because it accepts their largest error. It names each case,
    and is only for this product and version of CANN.
    """
    groups: dict[Hashable, list[CaseEntry]] = {}
    for case in document.cases:
        if case.fails:
            sized = math.isfinite(error_of(case))
            key = case.operator, failure_classes(case), frozenset(case.broken), sized
            groups.setdefault(key, []).append(case)
    if not groups:
        return "waivers: []\n"
    names: dict[str, int] = {}
    return "waivers:\n" + "".join(_draft(document, cases, names) for cases in groups.values())


def _draft(document: ResultsDocument, cases: Sequence[CaseEntry], names: dict[str, int]) -> str:
    first = cases[0]
    classes = sorted(failure_classes(first))
    name = "-".join(
        filter(None, (first.operator.removeprefix("aclnn").lower(), first.named_clause, *classes))
    )
    names[name] = names.get(name, 0) + 1
    waiver: dict[str, Any] = {
        "id": name if names[name] == 1 else f"{name}-{names[name]}",
        "operator": first.operator,
        "products": [document.device.product],
    }
    cann = document.device.cann or document.environment.toolkit_version
    if cann_version(cann) is not None:
        waiver["cann"] = f"=={cann}"
    waiver["cases"] = [case.id for case in cases]
    if first.broken:
        waiver["clauses"] = list(first.broken)
    waiver["failure"] = classes
    if "value" in classes:
        worst = max(map(error_of, cases))
        waiver["max_ulp"] = float(round_up(worst)) if math.isfinite(worst) else worst
    text = yaml.safe_dump([waiver], sort_keys=False, allow_unicode=True, width=100)
    subject = f"{len(cases)} cases, such as" if len(cases) > 1 else first.id
    message = re.sub(r"\s+", " ", first.message)
    comment = f"# {subject}: {message}"
    lines = [comment, *text.splitlines(), *(f"  {key}:" for key in _LEFT_OPEN)]
    return "".join(f"  {line}\n" for line in lines)
