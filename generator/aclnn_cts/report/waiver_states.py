# SPDX-License-Identifier: Apache-2.0
"""Which failures of a run are waived, and what became of each waiver.

A waiver holds for a case only if all that the case shows is accepted: each kind of failure, each
broken clause, and the size of the error. What a waiver holds for is still a failure.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.wording import rounded_up
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.cann_versions import in_range
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.waivers import Waiver, Waivers, load_waivers

WaiverState: TypeAlias = Literal[
    "waives", "improved", "unmatched", "unused", "expired", "elsewhere"
]
"""What became of a waiver: it holds for a case; the cases that it speaks of pass; they fail, but
not as it says; the run holds none of them; its time is over; it is about another product, version
of CANN or operator."""


@dataclass(frozen=True)
class WaiverOutcome:
    """One waiver, and what became of it in a run.

    Attributes:
        id: Its id.
        state: What became of it.
        cases: Ids of the cases that it holds for.
        message: A sentence: what to do about it; empty where there is nothing to do.
        reason: Why the failure is accepted.
        link: Where the failure is dealt with.
        owner: Who sees to it that the waiver goes.
        expires: The last day on which the failure is accepted, as ISO 8601 has it.
    """

    id: str
    state: WaiverState
    cases: tuple[str, ...]
    message: str
    reason: str
    link: str
    owner: str
    expires: str

    @property
    def hides(self) -> bool:
        """Whether it would hide a failure that came back: all cases that it speaks of pass."""
        return self.state == "improved"


def told_waivers(outcomes: Iterable[WaiverOutcome]) -> tuple[str, ...]:
    """Return the waivers about which somebody has something to do, each with a sentence.

    Those for another product, version of CANN or operator are in their place where they are.
    """
    told = (each for each in outcomes if each.message and each.state != "elsewhere")
    return tuple(f"{each.id} {each.state}: {each.message}" for each in told)


def stale_waivers(outcomes: Iterable[WaiverOutcome]) -> tuple[str, ...]:
    """Return the waivers that would hide a failure that came back, each with a sentence."""
    return tuple(f"{each.id}: {each.message}" for each in outcomes if each.hides)


@dataclass(frozen=True)
class Acceptance:
    """What is accepted.

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


@dataclass(frozen=True)
class Setting:
    """Where cases ran.

    Attributes:
        product: The product whose promises they test.
        cann: The version of CANN, as far as it is known.
    """

    product: str
    cann: str


def setting_of(device: Device, environment: Environment) -> Setting:
    """Return where a run was; what the device says of CANN counts before the toolkit's files."""
    return Setting(device.product, device.cann or environment.toolkit_version)


@dataclass(frozen=True)
class Shown:
    """What a case showed, whether it was just judged or is read from a results file.

    Attributes:
        case: The case's id.
        operator: The operator's name.
        verdict: The verdict.
        broken: Ids of the broken clauses.
        exercised: Ids of the clauses that it tests.
        kinds: Kinds of what is broken.
        worst_ulp: Largest error in ulps; None if nothing was compared.
    """

    case: str
    operator: str
    verdict: Verdict
    broken: tuple[str, ...]
    exercised: tuple[str, ...]
    kinds: frozenset[str]
    worst_ulp: float | None

    @property
    def classes(self) -> frozenset[str]:
        """The classes of the failure, as waivers name them."""
        if self.verdict is Verdict.FAIL:
            return self.kinds
        # A stream that does not end is the timeout itself, not something besides.
        return self.kinds - {"hang"} | {self.verdict.value}


@dataclass(frozen=True)
class Waived:
    """What waivers did for a run.

    Attributes:
        by_case: Id of the waiver that holds for a case, by the case's id.
        outcomes: What became of each waiver, in the file's order.
    """

    by_case: Mapping[str, str]
    outcomes: tuple[WaiverOutcome, ...]


def waive(acceptance: Acceptance, setting: Setting, shown: Iterable[Shown]) -> Waived:
    """Return which failures are waived, and what became of each waiver.

    Args:
        acceptance: What is accepted, and on which day.
        setting: Where the cases ran.
        shown: What each case of the run showed.
    """
    cases = tuple(shown)
    by_case: dict[str, str] = {}
    outcomes = []
    for waiver in acceptance.waivers.waivers:
        outcome = _outcome(waiver, acceptance.today, setting, cases)
        outcomes.append(outcome)
        for case in outcome.cases:
            by_case.setdefault(case, waiver.id)
    return Waived(by_case, tuple(outcomes))


def _outcome(
    waiver: Waiver, today: datetime.date, setting: Setting, shown: Sequence[Shown]
) -> WaiverOutcome:
    state, cases, message = _decide(waiver, today, setting, shown)
    return WaiverOutcome(
        id=waiver.id,
        state=state,
        cases=cases,
        message=message,
        reason=waiver.reason,
        link=waiver.link,
        owner=waiver.owner,
        expires=waiver.expires.isoformat(),
    )


def _decide(
    waiver: Waiver, today: datetime.date, setting: Setting, shown: Sequence[Shown]
) -> tuple[WaiverState, tuple[str, ...], str]:
    elsewhere = _elsewhere(waiver, setting, shown)
    if elsewhere:
        return "elsewhere", (), elsewhere
    meant = [case for case in shown if _is_meant(waiver, case)]
    if waiver.expires < today:
        return "expired", (), _on_expiry(waiver, meant)
    waived = tuple(case.case for case in meant if _accepts(waiver, case))
    return ("waives", waived, "") if waived else _on_idleness(waiver, meant)


def _on_idleness(
    waiver: Waiver, meant: Sequence[Shown]
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


def _unenforced(unenforced: Sequence[Shown], meant: Sequence[Shown]) -> str:
    """Return which cases are unenforced, with the verb that follows."""
    if len(unenforced) < len(meant):
        verb = "is" if len(unenforced) == 1 else "are"
        return f"{_counted(meant)} break nothing; {len(unenforced)} of them {verb}"
    return f"{_counted(meant)} {'is' if len(meant) == 1 else 'are'}"


_KEPT = (Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.UNENFORCED)


def _elsewhere(waiver: Waiver, setting: Setting, shown: Sequence[Shown]) -> str:
    """Return why a waiver is not about a run at all; empty if it is."""
    if waiver.products is not None and setting.product not in waiver.products:
        return f"is for {', '.join(waiver.products)}, not {setting.product}"
    if waiver.cann is not None and not in_range(setting.cann, waiver.cann):
        return f"is for CANN {waiver.cann}; this one says {setting.cann or 'nothing'!r}"
    if not any(case.operator == waiver.operator for case in shown):
        return f"is for {waiver.operator}, of which the run holds no case"
    return ""


def _is_meant(waiver: Waiver, case: Shown) -> bool:
    """Whether a waiver speaks of a case, whatever became of it."""
    if case.operator != waiver.operator or not waiver.speaks_of(case.case):
        return False
    return waiver.clauses is None or any(map(waiver.names_clause, (*case.broken, *case.exercised)))


def _accepts(waiver: Waiver, case: Shown) -> bool:
    """Whether all that a case shows is accepted."""
    if not case.verdict.breaks_promise or not case.classes <= set(waiver.failure):
        return False
    if not all(map(waiver.names_clause, case.broken)):
        return False
    if "value" not in case.classes:
        return True
    return _error(case) <= waiver.largest_ulp


def _objection(waiver: Waiver, cases: Sequence[Shown]) -> str:
    """Return what of some cases is not accepted; an error only if there is nothing else."""
    for case in cases:
        name = case.case if len(cases) > 1 else "it"
        classes = sorted(case.classes - set(waiver.failure))
        clauses = [clause for clause in case.broken if not waiver.names_clause(clause)]
        if classes:
            return f"{name} shows {' and '.join(classes)}"
        if clauses:
            return f"{name} breaks {' and '.join(clauses)}, too"
    return _objection_to_error(cases)


def _objection_to_error(cases: Sequence[Shown]) -> str:
    worst = max(cases, key=_error)
    name = worst.case if len(cases) > 1 else "it"
    if not math.isfinite(_error(worst)):
        return f"{name} has results of a wrong class, which `max_ulp: .inf` alone accepts"
    said = f"{name} is off by {rounded_up(_error(worst))} ulp"
    return f"{said}, the most of all" if len(cases) > 1 else said


def _error(case: Shown) -> float:
    """Return a case's largest error in ulps; infinite if it has no size."""
    return math.inf if case.worst_ulp is None else case.worst_ulp


def _on_expiry(waiver: Waiver, meant: Sequence[Shown]) -> str:
    failing = sum(case.verdict.breaks_promise for case in meant)
    left = f"{failing} of its cases fail" if failing else "none of its cases fails"
    day = waiver.expires.isoformat()
    return f"expired on {day}, and waives nothing: {left}; ask {waiver.owner}"


def _counted(cases: Sequence[Shown]) -> str:
    return f"its {len(cases)} cases" if len(cases) > 1 else f"its case {cases[0].case}"
