# SPDX-License-Identifier: Apache-2.0
"""What the trials come to: which cases notice a device, the kill matrix, survivors, false alarms.

A table for people tells the power over faults, and the alarms on devices that are right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table

from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.qualify.catalog import Fault, Variant
from aclnn_cts.report.wording import counted

DECISIVE = DEFAULT_STANDARD
"""The standard that decides whether a fault is noticed."""


@dataclass(frozen=True)
class Notice:
    """How one case noticed a fault.

    Attributes:
        case: The case's id.
        operator: Its operator.
        tier: The least tier that holds it.
        elements: Elements of all its tensors: what it costs.
        clauses: The clauses that it found broken.
        standards: The standards under which it fails.
    """

    case: str
    operator: str
    tier: str
    elements: int
    clauses: tuple[str, ...]
    standards: tuple[Standard, ...]


def notices_of(
    cases: Sequence[Case],
    unharmed: Mapping[str, CaseVerdict],
    verdicts: Sequence[CaseVerdict],
) -> tuple[Notice, ...]:
    """Return the cases that notice that a device is not the unharmed one, cheapest first.

    Args:
        cases: The cases.
        unharmed: The verdicts on the unharmed device, by case id.
        verdicts: The verdicts on the faulty one, in the order of the cases.
    """
    noticed = []
    for case, verdict in zip(cases, verdicts, strict=True):
        failed = _failed_standards(verdict, unharmed[case.id])
        if failed:
            elements = sum(tensor.numel for tensor in case.tensors)
            noticed.append(
                Notice(case.id, case.operator, case.tier, elements, verdict.broken, failed)
            )
    return tuple(sorted(noticed, key=lambda notice: (notice.elements, notice.case)))


def _failed_standards(verdict: CaseVerdict, unharmed: CaseVerdict) -> tuple[Standard, ...]:
    """Return the standards by which a case fails now, and did not on the unharmed device.

    A wrong status, written memory or a crash break each of them; they differ in what they say of
    values.
    """
    if verdict.verdict.breaks_promise and verdict.kinds != {"value"}:
        return STANDARDS
    kept = _kept_standards(unharmed)
    failed = set(STANDARDS) - _kept_standards(verdict)
    if verdict.verdict.breaks_promise:
        failed.add(DECISIVE)
    return tuple(name for name in STANDARDS if name in failed & kept)


def _kept_standards(verdict: CaseVerdict) -> set[Standard]:
    """Return the standards that a case keeps; all of them if nothing was compared."""
    return {
        name
        for name in STANDARDS
        if name not in verdict.standards or verdict.standards[name].passed
    }


def count_clauses(notices: Sequence[Notice]) -> dict[str, int]:
    """Return how many cases found each clause broken, the most often broken first."""
    counts = Counter(clause for notice in notices for clause in notice.clauses)
    return dict(counts.most_common())


Format: TypeAlias = Literal["aclnn-cts/qualification/2"]
FORMAT: Format = "aclnn-cts/qualification/2"


@dataclass(frozen=True)
class FaultTrial:
    """What came of one fault.

    Attributes:
        fault: The fault.
        cases: Cases that were run on the faulty device.
        notices: How cases noticed it by any standard, cheapest first.
        seconds: Time to build the device, run the cases and judge them.
        left_open: A case that proves nothing, and why; empty if there is none.
    """

    fault: Fault
    cases: int
    notices: tuple[Notice, ...]
    seconds: float
    left_open: str = ""

    def noticed(self, standard: Standard = DECISIVE, tier: str | None = None) -> tuple[Notice, ...]:
        """Return the notices by one standard, of the cases that a tier holds (all if None)."""
        tiers = TIERS if tier is None else TIERS[: TIERS.index(tier) + 1]
        return tuple(
            notice
            for notice in self.notices
            if standard in notice.standards and notice.tier in tiers
        )

    @property
    def killed(self) -> bool:
        """Whether the strict standard turns the verdict of the run red."""
        return bool(self.noticed())

    @property
    def clauses(self) -> dict[str, int]:
        """How many cases found each clause broken."""
        return count_clauses(self.noticed())

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The clauses that ought to notice the fault and are not named by any case."""
        return tuple(clause for clause in self.fault.notices if clause not in self.clauses)


@dataclass(frozen=True)
class VariantTrial:
    """What came of one variant.

    Attributes:
        variant: The variant.
        cases: Cases that were run on it.
        not_passed: The verdicts on the cases that do not pass, though the device is right.
        seconds: Time to build the device, run the cases and judge them.
        left_open: Why it could not be tried; empty if it was.
    """

    variant: Variant
    cases: int
    not_passed: tuple[CaseVerdict, ...]
    seconds: float
    left_open: str = ""

    @property
    def alarm(self) -> bool:
        """Whether a case does not pass, or the variant could not be tried."""
        return bool(self.not_passed or self.left_open)


@dataclass(frozen=True)
class Qualification:
    """The trials of a tier.

    Attributes:
        suite_version: Version of the suite.
        specs_sha256: Digest of its specs.
        tier: The tier whose cases were run.
        unharmed: Cases that passed on the device without a fault, by product.
        trials: One for each fault, in the catalog's order.
        variants: One for each variant, in the catalog's order.
        seconds: Wall time of the whole.
    """

    suite_version: str
    specs_sha256: str
    tier: str
    unharmed: Mapping[str, int]
    trials: tuple[FaultTrial, ...]
    variants: tuple[VariantTrial, ...]
    seconds: float

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers whose cases the one that was run holds."""
        return TIERS[: TIERS.index(self.tier) + 1]

    @property
    def killed(self) -> tuple[FaultTrial, ...]:
        """The faults that were noticed."""
        return tuple(trial for trial in self.trials if trial.killed)

    @property
    def survivors(self) -> tuple[FaultTrial, ...]:
        """The faults that no case noticed."""
        return tuple(trial for trial in self.trials if not trial.killed)

    @property
    def alarms(self) -> tuple[VariantTrial, ...]:
        """The variants that raised an alarm."""
        return tuple(trial for trial in self.variants if trial.alarm)

    @property
    def trusted(self) -> bool:
        """Whether every fault was noticed, and no variant raised an alarm."""
        return not self.survivors and not self.alarms

    def by_home(self) -> dict[str, tuple[FaultTrial, ...]]:
        """Return the trials by the operator or the part that the fault is in."""
        homes: dict[str, list[FaultTrial]] = {}
        for trial in self.trials:
            homes.setdefault(trial.fault.home, []).append(trial)
        return {home: tuple(trials) for home, trials in homes.items()}

    def as_json(self) -> dict[str, Any]:
        """Return what the file and ``--json`` hold."""
        return {
            "format": FORMAT,
            "suite": {"version": self.suite_version, "specs_sha256": self.specs_sha256},
            "tier": self.tier,
            "standard": DECISIVE,
            "faults": len(self.trials),
            "killed": len(self.killed),
            "survivors": [trial.fault.id for trial in self.survivors],
            "variants": len(self.variants),
            "alarms": len(self.alarms),
            "alarming": [trial.variant.id for trial in self.alarms],
            "unharmed": dict(self.unharmed),
            "scores": {home: self._scores(trials) for home, trials in self.by_home().items()},
            "matrix": [_row(trial, self.tiers) for trial in self.trials],
            "right_devices": [_variant_row(trial) for trial in self.variants],
            "seconds": round(self.seconds, 1),
        }

    def _scores(self, trials: tuple[FaultTrial, ...]) -> dict[str, Any]:
        return {
            "faults": len(trials),
            **{tier: sum(bool(t.noticed(tier=tier)) for t in trials) for tier in self.tiers},
            "by_standard": {
                name: sum(bool(trial.noticed(name)) for trial in trials) for name in STANDARDS
            },
        }


def _row(trial: FaultTrial, tiers: tuple[str, ...]) -> dict[str, Any]:
    fault, noticed = trial.fault, trial.noticed()
    cheapest = noticed[0] if noticed else None
    return {
        "fault": fault.id,
        "home": fault.home,
        "product": fault.product,
        "what": fault.fault,
        "killed": trial.killed,
        "clauses": trial.clauses,
        "ought_to_notice": list(fault.notices),
        "unnamed": list(trial.unnamed),
        "cases": trial.cases,
        "noticing_cases": len(noticed),
        "cheapest": None
        if cheapest is None
        else {"case": cheapest.case, "elements": cheapest.elements, "tier": cheapest.tier},
        "tiers": {tier: bool(trial.noticed(tier=tier)) for tier in tiers},
        "standards": {name: len(trial.noticed(name)) for name in STANDARDS},
        "needs": fault.needs,
        "left_open": trial.left_open,
        "seconds": round(trial.seconds, 2),
    }


def _variant_row(trial: VariantTrial) -> dict[str, Any]:
    variant = trial.variant
    return {
        "variant": variant.id,
        "home": variant.home,
        "product": variant.product,
        "what": variant.variant,
        "allows": list(variant.allows),
        "cases": trial.cases,
        "alarm": trial.alarm,
        "not_passed": [
            {
                "case": found.case,
                "verdict": found.verdict.value,
                "clauses": list(found.broken),
                "message": found.message,
            }
            for found in trial.not_passed
        ],
        "left_open": trial.left_open,
        "seconds": round(trial.seconds, 2),
    }


_CLAUSES_SHOWN = 3


def show(found: Qualification, console: Console) -> None:
    """Print everything that a qualification says."""
    wrap = not console.is_terminal
    if found.trials:
        for line in (*kill_matrix(found.trials), ""):
            console.print(line, markup=False, soft_wrap=True)
        console.print(score_table(found), soft_wrap=wrap)
        console.print(standard_table(found), soft_wrap=wrap)
    if found.variants:
        console.print(variant_table(found), soft_wrap=wrap)
    remarks = (*_survivors(found), *_left_open(found), *_partly_named(found), *_alarms(found))
    for line in (*remarks, summary_line(found)):
        console.print(line, markup=False, soft_wrap=True)


def summary_line(found: Qualification) -> str:
    """Return power and false alarms in one line."""
    cases = sum(found.unharmed.values())
    faults, variants = len(found.trials), len(found.variants)
    power = f"{len(found.killed)} of {faults} faults noticed" if faults else "no fault tried"
    alarms = f"{counted(len(found.alarms), 'alarm')} on {counted(variants, 'variant')}"
    return (
        f"tier {found.tier}: {power}; {alarms if variants else 'no variant tried'}; the "
        f"unharmed device passes all {cases} cases on {len(found.unharmed)} products; "
        f"{found.seconds:.0f} s"
    )


def kill_matrix(trials: Sequence[FaultTrial]) -> Iterator[str]:
    """Yield for each fault which clauses noticed it, in how many cases, and the cheapest case."""
    for trial in trials:
        noticed = trial.noticed()
        share = f"{len(noticed)} of {trial.cases} cases"
        yield f"{trial.fault.id}: {share}: {_clauses(trial) or 'nothing noticed it'}"
        if noticed:
            yield f"    {noticed[0].case} ({noticed[0].elements} elements)"


def _clauses(trial: FaultTrial) -> str:
    """Return the clauses that ought to notice, then those that most cases name."""
    counts = trial.clauses
    ordered = dict.fromkeys([*(c for c in trial.fault.notices if c in counts), *counts])
    shown = [f"{clause} ({counts[clause]})" for clause in list(ordered)[:_CLAUSES_SHOWN]]
    hidden = len(counts) - len(shown)
    return ", ".join(shown) + (f" and {hidden} more" if hidden > 0 else "")


def score_table(found: Qualification) -> Table:
    """Return how many faults each tier notices, by operator and part."""
    table = _table("Faults noticed")
    table.add_column("in")
    for heading in ("faults", *found.tiers):
        table.add_column(heading, justify="right")
    for home, trials in (*found.by_home().items(), ("all", found.trials)):
        killed = [sum(bool(t.noticed(tier=tier)) for t in trials) for tier in found.tiers]
        table.add_row(home, str(len(trials)), *(_share(n, len(trials)) for n in killed))
    return table


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f}%)"


def standard_table(found: Qualification) -> Table:
    """Return how many faults would have passed if a standard had decided."""
    table = _table("Faults let through, by standard")
    table.add_column("in")
    for heading in ("faults", *STANDARDS):
        table.add_column(heading, justify="right")
    for home, trials in (*found.by_home().items(), ("all", found.trials)):
        through = [sum(not trial.noticed(name) for trial in trials) for name in STANDARDS]
        table.add_row(home, str(len(trials)), *map(str, through))
    return table


def variant_table(found: Qualification) -> Table:
    """Return how many variants pass all cases, by operator and part."""
    table = _table("Variants, devices that are right")
    table.add_column("in")
    for heading in ("variants", "alarms"):
        table.add_column(heading, justify="right")
    homes: dict[str, list[VariantTrial]] = {}
    for trial in found.variants:
        homes.setdefault(trial.variant.home, []).append(trial)
    for home, trials in (*homes.items(), ("all", list(found.variants))):
        table.add_row(home, str(len(trials)), str(sum(trial.alarm for trial in trials)))
    return table


def _alarms(found: Qualification) -> Iterator[str]:
    for trial in found.alarms:
        variant = trial.variant
        if trial.left_open:
            yield f"NOT TRIED {variant.id} ({variant.home}): {trial.left_open}"
            continue
        share = f"{len(trial.not_passed)} of {trial.cases} cases do not pass"
        yield f"ALARM {variant.id} ({variant.home}): {variant.variant}"
        yield f"  {share}; it is right by {', '.join(variant.allows)}: {variant.why}"
        for case in trial.not_passed:
            clauses = ", ".join(case.broken) or "no clause"
            yield f"  {case.case}: {case.verdict.value}, {clauses}: {case.message}"


def _survivors(found: Qualification) -> Iterator[str]:
    for trial in found.survivors:
        fault = trial.fault
        if trial.left_open:
            yield f"NOT TRIED {fault.id} ({fault.home}): {trial.left_open}"
            continue
        yield f"SURVIVES {fault.id} ({fault.home}): {fault.fault}"
        yield f"  none of {trial.cases} cases noticed; one that does needs: {fault.needs}"


def _left_open(found: Qualification) -> Iterator[str]:
    """Yield the faults that were noticed by a part of the cases, since others were not judged."""
    for trial in found.killed:
        if trial.left_open:
            yield f"not all cases could be judged: {trial.fault.id}, first {trial.left_open}"


def _partly_named(found: Qualification) -> Iterator[str]:
    """Yield the faults that were noticed, but not by every clause that ought to."""
    for trial in found.killed:
        if trial.unnamed:
            yield (
                f"noticed, but not by {', '.join(trial.unnamed)}: {trial.fault.id} "
                f"({_clauses(trial)})"
            )


def _table(title: str) -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title=title, title_justify="left")
