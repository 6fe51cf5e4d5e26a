# SPDX-License-Identifier: Apache-2.0
"""The heat map: which share of the cases passes, by operator, product and data type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.report.facts import MUST_BE_REFUSED
from aclnn_cts.report.results import CaseEntry
from aclnn_cts.report.view import STATES, Run, State
from aclnn_cts.report.wording import percentage

REFUSALS = "refusals"
ALL = "all"

_DEPTHS = 5
_KEPT = ("pass", "contested-only")


@dataclass(frozen=True)
class Cell:
    """Cases of one operator, run and column.

    Attributes:
        column: The column.
        cases: How many there are, without those that are unenforced.
        unenforced: How many are unenforced: they neither keep a promise nor break one.
        kept: How many broke no promise.
        state: The colour.
        depth: The colour's strength, 1 to 5.
    """

    column: str
    cases: int
    unenforced: int
    kept: int
    state: State
    depth: int

    @property
    def share(self) -> str:
        """The share that passes; 100 % only if all do, and a word if no case counts."""
        return percentage(self.kept, self.cases) if self.cases else "unenforced"


@dataclass(frozen=True)
class Row:
    """One run's cells of an operator; None where it has no case."""

    run: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class HeatMap:
    """The whole map: rows by operator."""

    columns: tuple[str, ...]
    operators: dict[str, tuple[Row, ...]]


def heat_map(runs: Sequence[Run]) -> HeatMap:
    """Return the heat map of some runs.

    A column is a data type of the calls that must work; calls that must be refused stand in one of
    their own, since many have data types that no operator supports.
    """
    cells: dict[tuple[str, str], dict[str, list[CaseEntry]]] = {}
    for run in runs:
        for case in run.document.cases:
            row = cells.setdefault((case.operator, run.label), {})
            row.setdefault(column_of(case), []).append(case)
            row.setdefault(ALL, []).append(case)
    held = {column for row in cells.values() for column in row}
    columns = (*sorted(held - {REFUSALS, ALL}), *(c for c in (REFUSALS, ALL) if c in held))
    operators: dict[str, list[Row]] = {}
    for (operator, label), row in cells.items():
        made = tuple(_cell(column, row[column]) if column in row else None for column in columns)
        operators.setdefault(operator, []).append(Row(label, made))
    return HeatMap(columns, {name: tuple(operators[name]) for name in sorted(operators)})


def column_of(case: CaseEntry) -> str:
    """Return the column of the heat map that a case stands in."""
    return REFUSALS if MUST_BE_REFUSED in case.facts else case.dtype


def _cell(column: str, cases: Sequence[CaseEntry]) -> Cell:
    states = {STATES[case.outcome] for case in cases}
    kept = sum(case.outcome in _KEPT for case in cases)
    unenforced = sum(case.is_unenforced for case in cases)
    counting = len(cases) - unenforced
    worst: tuple[State, ...] = ("bad", "warn")
    calm: State = "good" if kept == len(cases) else "note"
    state = next((each for each in worst if each in states), calm)
    wrong = counting - kept
    depth = math.ceil(_DEPTHS * wrong / counting) if wrong else 1
    return Cell(column, counting, unenforced, kept, state, depth)
