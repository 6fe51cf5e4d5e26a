# SPDX-License-Identifier: Apache-2.0
"""What became of each clause in a later run: its verdict, and the cases behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from aclnn_cts.report.clauses import ClauseVerdict
from aclnn_cts.report.comparison_values import AccuracyDrift, ClauseChange, TimeDrift
from aclnn_cts.report.document import CaseEntry, ResultsDocument

_Key = tuple[str, str]
"""Operator and clause."""


@dataclass(frozen=True)
class _Cases:
    """Ids of the cases that break, and of those that test, each clause of one run."""

    breaking: Mapping[_Key, tuple[str, ...]]
    testing: Mapping[_Key, tuple[str, ...]]
    all: frozenset[str]


def clause_changes(
    base: ResultsDocument,
    new: ResultsDocument,
    accuracy: Iterable[AccuracyDrift],
    times: Iterable[TimeDrift],
) -> tuple[ClauseChange, ...]:
    """Return the clauses for which anything changed, in NEW's order.

    Args:
        base: The earlier run.
        new: The later run.
        accuracy: Errors that drifted.
        times: Times that drifted.
    """
    before, after = _told(base), _told(new)
    cases = _cases(base), _cases(new)
    less_exact = {drift.case for drift in accuracy if drift.direction == "worse"}
    slower = {drift.case for drift in times if drift.direction == "worse"}
    found = (
        _change(key, (before.get(key), after.get(key)), cases, (less_exact, slower))
        for key in {**after, **before}
    )
    return tuple(change for change in found if _is_any(change))


def _told(document: ResultsDocument) -> dict[_Key, ClauseVerdict]:
    return {(entry.operator, entry.clause): entry for entry in document.clauses}


def _cases(document: ResultsDocument) -> _Cases:
    breaking: dict[_Key, list[str]] = {}
    testing: dict[_Key, list[str]] = {}
    for case in document.cases:
        for clause in case.broken:
            breaking.setdefault((case.operator, clause), []).append(case.id)
        for clause in _tested_by(case):
            testing.setdefault((case.operator, clause), []).append(case.id)
    return _Cases(_frozen(breaking), _frozen(testing), frozenset(c.id for c in document.cases))


def _tested_by(case: CaseEntry) -> Iterator[str]:
    return iter(dict.fromkeys((*case.broken, *case.exercised)))


def _frozen(found: Mapping[_Key, list[str]]) -> dict[_Key, tuple[str, ...]]:
    return {key: tuple(names) for key, names in found.items()}


def _change(
    key: _Key,
    told: tuple[ClauseVerdict | None, ClauseVerdict | None],
    cases: tuple[_Cases, _Cases],
    drifted: tuple[set[str | None], set[str | None]],
) -> ClauseChange:
    base, new = told
    described = new or base
    if described is None:
        raise ValueError("a clause's change is about a clause of one run at least")
    before, after = cases
    tests = after.testing.get(key, ())
    return ClauseChange(
        operator=key[0],
        clause=key[1],
        text=described.text,
        place=described.place,
        base=base.verdict if base else None,
        new=new.verdict if new else None,
        newly_failing=_without(after.breaking.get(key, ()), before.breaking.get(key, ())),
        newly_passing=tuple(
            name
            for name in _without(before.breaking.get(key, ()), after.breaking.get(key, ()))
            if name in after.all
        ),
        gone=_without(before.testing.get(key, ()), after.all),
        came=_without(tests, before.all),
        accuracy=tuple(name for name in tests if name in drifted[0]),
        time=tuple(name for name in tests if name in drifted[1]),
    )


def _without(names: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = frozenset(others)
    return tuple(name for name in names if name not in known)


def _is_any(change: ClauseChange) -> bool:
    return change.is_news or any((change.gone, change.came, change.accuracy, change.time))
