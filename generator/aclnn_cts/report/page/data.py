# SPDX-License-Identifier: Apache-2.0
"""All cases of a page in few bytes, for the table that the page's script makes of them."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Hashable, Sequence
from typing import Generic, TypeVar

from aclnn_cts.report.page.figures import device_time
from aclnn_cts.report.page.heat import column_of
from aclnn_cts.report.results import CaseEntry
from aclnn_cts.report.view import STATES, Run

_BEYOND = -1.0
"""Stands for an error that is too large for a number; JSON has no literal for Infinity."""

Value = TypeVar("Value", bound=Hashable)


class _Numbered(Generic[Value]):
    """Gives equal values equal numbers: a name that 5,000 cases share is written once."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}

    def number(self, value: Value) -> int:
        """Return the value's number."""
        return self._numbers.setdefault(value, len(self._numbers))

    @property
    def values(self) -> list[Value]:
        """The values by their numbers."""
        return list(self._numbers)


def page_data(runs: Sequence[Run], told: Collection[str]) -> str:
    """Return the page's data as JSON that may stand in a script element.

    Args:
        runs: The runs of the page.
        told: Keys of the cases that the page tells in full.
    """
    names = _Names()
    cases = [
        names.row(place, run, case, told)
        for place, run in enumerate(runs)
        for case in run.document.cases
    ]
    data = {
        "runs": [{"label": run.label, "command": run.command_start} for run in runs],
        "alone": len(runs) == 1,
        "states": STATES,
        "names": names.words.values,
        "clauses": names.clauses.values,
        "sets": [list(each) for each in names.sets.values],
        "columns": _COLUMNS,
        "cases": cases,
    }
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Whatever a device says, it cannot end the script element.
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


_COLUMNS = (
    "run",
    "id",
    "operator",
    "verdict",
    "dtype",
    "scene",
    "exercised",
    "broken",
    "share",
    "ulp",
    "milliseconds",
    "device",
    "told",
    "message",
    "behind",
)


class _Names:
    def __init__(self) -> None:
        self.words = _Numbered[str]()
        self.clauses = _Numbered[str]()
        self.sets = _Numbered[tuple[int, ...]]()

    def row(self, place: int, run: Run, case: CaseEntry, told: Collection[str]) -> list[object]:
        """Return a case's values in the order of the columns."""
        strict = case.standards.get("strict")
        device = device_time(case)
        return [
            place,
            case.id,
            self.words.number(case.operator),
            self.words.number(case.outcome),
            self.words.number(column_of(case)),
            self.words.number(case.scene),
            self._clauses(case, case.exercised),
            self._clauses(case, case.broken),
            None if strict is None else _short(strict.worst_share),
            None if strict is None else _short(strict.worst_ulp),
            _short(1000 * case.seconds),
            None if device is None else _short(device),
            int(run.key(case.id) in told),
            case.message,
            run.command(case) if case.after and run.key(case.id) not in told else "",
        ]

    def _clauses(self, case: CaseEntry, names: Sequence[str]) -> int:
        keys = (self.clauses.number(f"{case.operator}/{name}") for name in names)
        return self.sets.number(tuple(keys))


def _short(value: float) -> float:
    return float(f"{value:.3g}") if math.isfinite(value) else _BEYOND
