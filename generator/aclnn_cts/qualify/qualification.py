# SPDX-License-Identifier: Apache-2.0
"""Results of the trials: kill matrix, survivors, false alarms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from aclnn_cts.errors import counted
from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.results.qualification_file import FORMAT

DECISIVE = DEFAULT_STANDARD
"""The standard that decides whether a fault is noticed."""


@dataclass(frozen=True)
class Notice:
    """How one case noticed a fault.

    Attributes:
        tier: The lowest tier that holds the case.
        elements: Elements of all its tensors, as a measure of cost.
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
    """Return the cases that notice a fault, cheapest first.

    Args:
        unharmed: The verdicts on the unharmed device, by case id.
        verdicts: The verdicts on the faulty one, in the order of the cases.
    """
    noticed = []
    for case, verdict in zip(cases, verdicts, strict=True):
        failed = _failed_standards(verdict, unharmed[case.id])
        if failed:
            where = (clause for common in verdict.only_in for clause in common.clauses)
            clauses = tuple(dict.fromkeys((*verdict.broken, *where)))
            noticed.append(
                Notice(case.id, case.operator, case.tier, case.elements, clauses, failed)
            )
    return tuple(sorted(noticed, key=lambda notice: (notice.elements, notice.case)))


def _failed_standards(verdict: CaseVerdict, unharmed: CaseVerdict) -> tuple[Standard, ...]:
    """Return the standards by which a case fails, and did not on the unharmed device.

    A wrong status, written memory or a crash break all standards; only values are judged
    differently.
    """
    if verdict.verdict.breaks_promise and verdict.kinds != {"value"}:
        return STANDARDS
    before = _kept_standards(unharmed)
    failed = set(STANDARDS) - _kept_standards(verdict)
    if verdict.verdict.breaks_promise:
        failed.add(DECISIVE)
    return tuple(name for name in STANDARDS if name in failed & before)


def _kept_standards(verdict: CaseVerdict) -> set[Standard]:
    """Return the standards that a case keeps; all of them if nothing was compared."""
    return {
        name
        for name in STANDARDS
        if name not in verdict.standards or verdict.standards[name].passed
    }


@dataclass(frozen=True)
class Trial:
    """The result of one fault or variant.

    Attributes:
        cases: Number of cases that ran on it.
        seconds: Time to run and judge the cases, and to build the device if it was built alone.
        notices: The notices of a fault by any standard, cheapest first.
        not_passed: The verdicts on the cases that do not pass on a variant.
        left_open: Why it could not be tried, or a case that proves nothing; may be empty.
        equivalent: Whether an edited formula that no case notices equals the operator's own.
    """

    entry: Entry
    cases: int
    seconds: float
    notices: tuple[Notice, ...] = ()
    not_passed: tuple[CaseVerdict, ...] = ()
    left_open: str = ""
    equivalent: bool = False

    def notices_by(
        self, standard: Standard = DECISIVE, tier: str | None = None
    ) -> tuple[Notice, ...]:
        """Return the notices by one standard, of a tier's cases (all if None)."""
        tiers = TIERS if tier is None else TIERS[: TIERS.index(tier) + 1]
        return tuple(n for n in self.notices if standard in n.standards and n.tier in tiers)

    @property
    def is_killed(self) -> bool:
        """Whether the strict standard notices the fault."""
        return bool(self.notices_by())

    @property
    def alarm(self) -> bool:
        """Whether a case does not pass on the variant, or the variant could not be tried."""
        return bool(self.not_passed or self.left_open)

    @property
    def clauses(self) -> dict[str, int]:
        """Numbers of cases by broken clause, most frequent first."""
        counts = Counter(clause for notice in self.notices_by() for clause in notice.clauses)
        return dict(counts.most_common())

    @property
    def unnamed_clauses(self) -> tuple[str, ...]:
        """The expected clauses that no case named."""
        return tuple(clause for clause in self.entry.notices if clause not in self.clauses)

    def as_json(self, tiers: Sequence[str]) -> dict[str, Any]:
        """Return its row of the file."""
        entry, noticed = self.entry, self.notices_by()
        row: dict[str, Any] = {"home": entry.home, "product": entry.product, "what": entry.what}
        row |= {"cases": self.cases, "left_open": self.left_open, "seconds": round(self.seconds, 2)}
        if entry.kind == "variant":
            not_passed = [
                {
                    "case": verdict.case,
                    "verdict": verdict.verdict.value,
                    "clauses": list(verdict.broken),
                    "message": verdict.message,
                }
                for verdict in self.not_passed
            ]
            allows = list(entry.allows)
            return {"variant": entry.id, "allows": allows, "alarm": self.alarm, **row} | {
                "not_passed": not_passed
            }
        keys = ("case", "elements", "tier")
        return {"fault": entry.id, "class": entry.fault_class, "killed": self.is_killed, **row} | {
            "clauses": self.clauses,
            "ought_to_notice": list(entry.notices),
            "unnamed": list(self.unnamed_clauses),
            "noticing_cases": len(noticed),
            "cheapest": {key: getattr(noticed[0], key) for key in keys} if noticed else None,
            "tiers": {tier: bool(self.notices_by(tier=tier)) for tier in tiers},
            "standards": {name: len(self.notices_by(name)) for name in STANDARDS},
        }


@dataclass(frozen=True)
class Qualification:
    """The trials of a tier.

    Attributes:
        unharmed: Number of cases that passed on the unharmed device, by product.
        trials: One for each fault and variant, in the catalog's order.
        seconds: Wall time of the whole.
        first: Whether each fault was judged only until a case noticed it.
        contract_only: The operators whose values no case tests.
        own: The operators of the user's own folders.
    """

    suite_version: str
    specs_sha256: str
    tier: str
    unharmed: Mapping[str, int]
    trials: tuple[Trial, ...]
    seconds: float
    first: bool = False
    contract_only: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers that the trials include."""
        return TIERS[: TIERS.index(self.tier) + 1]

    @property
    def faults(self) -> tuple[Trial, ...]:
        """Those of which a call can differ from the unharmed device's."""
        return tuple(t for t in self.trials if t.entry.kind == "fault" and not t.equivalent)

    @property
    def equivalent(self) -> tuple[Trial, ...]:
        """The edits of formulas that change no result."""
        return tuple(trial for trial in self.trials if trial.equivalent)

    @property
    def variants(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.entry.kind == "variant")

    @property
    def survivors(self) -> tuple[Trial, ...]:
        """The faults that no case noticed."""
        return tuple(trial for trial in self.faults if not trial.is_killed)

    @property
    def alarms(self) -> tuple[Trial, ...]:
        """The variants that raised an alarm."""
        return tuple(trial for trial in self.variants if trial.alarm)

    @property
    def is_trusted(self) -> bool:
        """Whether every fault was noticed, and no variant raised an alarm."""
        return not self.survivors and not self.alarms

    def as_json(self) -> dict[str, Any]:
        """Return the content of the file and of ``--json``."""
        return {
            "format": FORMAT,
            "suite": {"version": self.suite_version, "specs_sha256": self.specs_sha256},
            "tier": self.tier,
            "standard": DECISIVE,
            "first": self.first,
            "faults": len(self.faults),
            "killed": len(self.faults) - len(self.survivors),
            "survivors": [trial.entry.id for trial in self.survivors],
            "equivalent": [trial.entry.id for trial in self.equivalent],
            "variants": len(self.variants),
            "alarms": len(self.alarms),
            "alarming": [trial.entry.id for trial in self.alarms],
            "unharmed": dict(self.unharmed),
            "contract_only": list(self.contract_only),
            "scores": {
                home: {"faults": len(trials)}
                | {tier: sum(bool(t.notices_by(tier=tier)) for t in trials) for tier in self.tiers}
                | {
                    "by_standard": {
                        s: sum(bool(t.notices_by(s)) for t in trials) for s in STANDARDS
                    }
                }
                for home, trials in _by_home(self.faults)
                if home != "all"
            },
            "matrix": [trial.as_json(self.tiers) for trial in self.faults],
            "right_devices": [trial.as_json(self.tiers) for trial in self.variants],
            "seconds": round(self.seconds, 1),
        }


def _by_home(trials: Sequence[Trial]) -> Iterator[tuple[str, Sequence[Trial]]]:
    """Yield the trials of each operator and part, then all."""
    for home in dict.fromkeys(trial.entry.home for trial in trials):
        yield home, [trial for trial in trials if trial.entry.home == home]
    yield "all", trials


_CLAUSES_SHOWN = 3


def show(qualification: Qualification, console: Console) -> None:
    """Print the whole qualification."""
    lines = [*_kill_matrix(qualification), ""] if qualification.faults else []
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)
    for table in _tables(qualification):
        console.print(table, soft_wrap=not console.is_terminal)
    remarks = (*_survivors(qualification), *_unclear(qualification), *_alarms(qualification))
    for line in (*remarks, summary_line(qualification)):
        console.print(line, markup=False, soft_wrap=True)


def summary_line(qualification: Qualification) -> str:
    """Return power and false alarms in one line."""
    cases = sum(qualification.unharmed.values())
    faults, variants = len(qualification.faults), len(qualification.variants)
    power = f"{faults - len(qualification.survivors)} of {counted(faults, 'fault')} noticed"
    alarms = f"{counted(len(qualification.alarms), 'alarm')} on {counted(variants, 'variant')}"
    untested = f"no values of {counted(len(qualification.contract_only), 'operator')} are tested; "
    return (
        f"tier {qualification.tier}: {power if faults else 'no fault tried'}; "
        f"{alarms if variants else 'no variant tried'}; the "
        f"unmodified device passes {counted(cases, 'case')} "
        f"on {counted(len(qualification.unharmed), 'product')}; "
        f"{untested if qualification.contract_only else ''}"
        f"{qualification.seconds:.0f} s"
    )


def _kill_matrix(qualification: Qualification) -> Iterator[str]:
    """Yield the clauses that noticed each fault, with the number of cases and the cheapest one."""
    for trial in qualification.faults:
        noticed = trial.notices_by()
        share = (
            "first notice"
            if qualification.first
            else f"{len(noticed)} of {counted(trial.cases, 'case')}"
        )
        yield f"{trial.entry.id}: {share}: {_clauses(trial) or 'nothing noticed it'}"
        if noticed:
            yield f"    {noticed[0].case} ({counted(noticed[0].elements, 'element')})"


def _clauses(trial: Trial) -> str:
    """Return the expected clauses, then those that most cases name."""
    counts = trial.clauses
    ordered = dict.fromkeys([*(c for c in trial.entry.notices if c in counts), *counts])
    clauses = [f"{clause} ({counts[clause]})" for clause in list(ordered)[:_CLAUSES_SHOWN]]
    omitted = len(counts) - len(clauses)
    return ", ".join(clauses) + (f" and {omitted} more" if omitted > 0 else "")


def _tables(qualification: Qualification) -> Iterator[Table]:
    """Yield faults by tier, faults by standard, and variants, by operator and part."""
    if qualification.faults:
        rows = list(_by_home(qualification.faults))
        tiers = {
            home: [
                _share(sum(bool(t.notices_by(tier=tier)) for t in ts), len(ts))
                for tier in qualification.tiers
            ]
            for home, ts in rows
        }
        yield _table("Faults noticed", ("faults", *qualification.tiers), rows, tiers)
    if qualification.faults and not qualification.first:
        through = {
            home: [str(sum(not t.notices_by(name) for t in ts)) for name in STANDARDS]
            for home, ts in rows
        }
        yield _table("Faults let through, by standard", ("faults", *STANDARDS), rows, through)
    if qualification.variants:
        rows = list(_by_home(qualification.variants))
        alarms = {home: [str(sum(trial.alarm for trial in ts))] for home, ts in rows}
        yield _table("Variants, devices that are right", ("variants", "alarms"), rows, alarms)


def _table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[tuple[str, Sequence[Trial]]],
    cells: Mapping[str, Sequence[str]],
) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title=title, title_justify="left")
    table.add_column("in")
    for heading in headings:
        table.add_column(heading, justify="right")
    for home, trials in rows:
        table.add_row(home, str(len(trials)), *cells[home])
    return table


def _share(part: int, total: int) -> str:
    return f"{part} ({100 * part / total:.0f}%)"


def _alarms(qualification: Qualification) -> Iterator[str]:
    for trial in qualification.alarms:
        entry = trial.entry
        if trial.left_open:
            yield f"NOT TRIED {entry.id} ({entry.home}): {trial.left_open}"
            continue
        right = ": ".join(filter(None, (", ".join(entry.allows), entry.why)))
        yield f"ALARM {entry.id} ({entry.home}): {entry.what}"
        yield f"  not passed: {len(trial.not_passed)} of {counted(trial.cases, 'case')}"
        yield f"  right by {right}"
        for case in trial.not_passed:
            clauses = ", ".join(case.broken) or "no clause"
            yield f"  {case.case}: {case.verdict.value}, {clauses}: {case.message}"


def _survivors(qualification: Qualification) -> Iterator[str]:
    for trial in qualification.survivors:
        entry = trial.entry
        if trial.left_open:
            yield f"NOT TRIED {entry.id} ({entry.home}): {trial.left_open}"
            continue
        yield f"SURVIVES {entry.id} ({entry.home}): {entry.what}"
        yield f"  noticed by none of {counted(trial.cases, 'case')}"
        yield f"  expected: {', '.join(entry.notices)}"
        if entry.fault_class and entry.home in qualification.own:
            yield "  if the page allows it, list it under `equivalent` in faults.yaml in its folder"
        elif entry.fault_class:
            yield "  if the page allows it, list it under `equivalent` in simulator/faults.yaml"


def _unclear(qualification: Qualification) -> Iterator[str]:
    """Yield the faults that some cases could not judge, or some expected clauses did not notice."""
    for trial in qualification.faults:
        if trial.is_killed and trial.left_open:
            yield f"not all cases could be judged: {trial.entry.id}, first {trial.left_open}"
        # one clause of a class's list is enough, because it depends on the operator
        is_complete = not (qualification.first or trial.entry.fault_class)
        if trial.is_killed and trial.unnamed_clauses and is_complete:
            missing = ", ".join(trial.unnamed_clauses)
            yield f"noticed, but not by {missing}: {trial.entry.id} ({_clauses(trial)})"
