# SPDX-License-Identifier: Apache-2.0
"""Errors in ulps that grew or shrank between two runs, by case, and by operator and data type."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aclnn_cts.judge.standards import Figures
from aclnn_cts.report.comparison_values import AccuracyDrift, Direction, Options
from aclnn_cts.report.document import CaseEntry

Pair = tuple[CaseEntry, CaseEntry]
"""One case in BASE and in NEW."""


@dataclass(frozen=True)
class _Errors:
    worst: float
    mean: float


def accuracy_drifts(pairs: Iterable[Pair], options: Options) -> tuple[AccuracyDrift, ...]:
    """Return the drifts of groups, then those of single cases.

    Args:
        pairs: Cases that break no promise on either side; what those lost is told otherwise.
        options: From where on an error has drifted.
    """
    compared = [pair for pair in pairs if all(_figures(entry) is not None for entry in pair)]
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in compared:
        groups.setdefault((pair[1].operator, pair[1].dtype), []).append(pair)
    found = [
        drift
        for (operator, dtype), members in groups.items()
        for drift in _drifts(None, operator, dtype, _both(members), options)
    ]
    for pair in compared:
        new = pair[1]
        found += _drifts(new.id, new.operator, new.dtype, _both([pair]), options)
    return tuple(found)


def _figures(entry: CaseEntry) -> Figures | None:
    # All standards hold the same errors; they differ in what they allow.
    return entry.standards.get("strict")


def _both(pairs: Sequence[Pair]) -> tuple[_Errors, _Errors]:
    return _errors(base for base, _ in pairs), _errors(new for _, new in pairs)


def _errors(entries: Iterable[CaseEntry]) -> _Errors:
    figures = [found for found in map(_figures, entries) if found is not None]
    elements = sum(each.compared for each in figures)
    total = math.fsum(each.mean_abs_ulp * each.compared for each in figures)
    return _Errors(max(each.worst_ulp for each in figures), total / max(elements, 1))


def _drifts(
    case: str | None,
    operator: str,
    dtype: str,
    errors: tuple[_Errors, _Errors],
    options: Options,
) -> Iterator[AccuracyDrift]:
    base, new = errors
    direction = _direction(base.worst, new.worst, options)
    if direction:
        yield AccuracyDrift(case, operator, dtype, "worst", base.worst, new.worst, direction)
    direction = _direction(base.mean, new.mean, options)
    if direction:
        yield AccuracyDrift(case, operator, dtype, "mean", base.mean, new.mean, direction)


def _direction(base: float, new: float, options: Options) -> Direction | None:
    # Inf stands for an element of another class; two of them differ by nothing that has a size.
    if not abs(new - base) > options.accuracy_floor:
        return None
    if new > base * options.accuracy_factor:
        return "worse"
    return "better" if base > new * options.accuracy_factor else None
