# SPDX-License-Identifier: Apache-2.0
"""The clauses of a page, each with its verdict in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.report.results import ClauseState
from aclnn_cts.report.view import Run, State
from aclnn_cts.spec.structure import ClauseBasis

STATES: dict[ClauseState, State] = {
    "fail": "bad",
    "unproven": "warn",
    "unenforced": "note",
    "untested": "note",
    "contested-only": "note",
    "pass": "good",
}
"""The colours of the clauses' verdicts, the worst verdict first."""


@dataclass(frozen=True)
class ClauseRun:
    """What one run says about a clause."""

    run: str
    verdict: ClauseState

    @property
    def state(self) -> State:
        """The verdict's colour."""
        return STATES[self.verdict]


@dataclass(frozen=True)
class ClauseRow:
    """One clause.

    Attributes:
        key: What a link to it names: operator and clause.
        clause: Its id.
        basis: What it rests on.
        text: What it says.
        place: Where in the documents it stands.
        worst: Its worst verdict.
        runs: What each run says about it.
        cases: Cases that test it, over all runs.
        contested: Elements on which it contradicts another clause.
    """

    key: str
    clause: str
    basis: ClauseBasis
    text: str
    place: str
    worst: ClauseState
    runs: tuple[ClauseRun, ...]
    cases: int
    contested: int


@dataclass(frozen=True)
class OperatorClauses:
    """The clauses of one operator, and how many have each verdict as their worst."""

    operator: str
    rows: tuple[ClauseRow, ...]
    counts: dict[ClauseState, int]

    @property
    def is_broken(self) -> bool:
        """Whether any of them is."""
        return bool(self.counts.get("fail"))


def clauses_by_operator(runs: Sequence[Run]) -> tuple[OperatorClauses, ...]:
    """Return the clauses of all runs by operator, in the documents' order."""
    found: dict[str, dict[str, list[tuple[Run, int]]]] = {}
    for run in runs:
        for place, clause in enumerate(run.document.clauses):
            found.setdefault(clause.operator, {}).setdefault(clause.clause, []).append((run, place))
    made = []
    for operator in sorted(found):
        rows = tuple(_row(told) for told in found[operator].values())
        counts = {state: sum(row.worst == state for row in rows) for state in STATES}
        made.append(OperatorClauses(operator, rows, {s: n for s, n in counts.items() if n}))
    return tuple(made)


def _row(told: Sequence[tuple[Run, int]]) -> ClauseRow:
    clauses = [run.document.clauses[place] for run, place in told]
    verdicts = {clause.verdict for clause in clauses}
    # A product on which a clause goes untested says nothing against another one's pass.
    tested = verdicts - {"untested"} or verdicts
    first = clauses[0]
    return ClauseRow(
        key=f"{first.operator}/{first.clause}",
        clause=first.clause,
        basis=first.basis,
        text=first.text,
        place=first.place,
        worst=next(state for state in STATES if state in tested),
        runs=tuple(
            ClauseRun(run.label, clause.verdict)
            for (run, _), clause in zip(told, clauses, strict=True)
        ),
        cases=sum(clause.cases for clause in clauses),
        contested=sum(clause.contested for clause in clauses),
    )
