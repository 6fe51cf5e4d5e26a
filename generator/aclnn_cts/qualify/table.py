# SPDX-License-Identifier: Apache-2.0
"""A qualification for people: power over faults, and alarms on devices that are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from aclnn_cts.judge.standards import STANDARDS
from aclnn_cts.qualify.qualification import FaultTrial, Qualification, VariantTrial
from aclnn_cts.report.wording import counted

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
