# SPDX-License-Identifier: Apache-2.0
"""Accuracy against the budget, and times, over the cases of a page."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.report.results import CaseEntry
from aclnn_cts.report.view import Run

SLOWEST = 10
"""Cases that are told among the slowest."""


@dataclass(frozen=True)
class Accuracy:
    """How accurate one operator is in one data type.

    Attributes:
        run: The run's label.
        operator: The operator's name.
        dtype: Data type of its first tensor.
        cases: Cases whose outputs were compared.
        elements: Elements of which something is promised.
        worst_ulp: Largest error in ulps of the output's type; infinite if a class is wrong.
        worst_share: Largest error as a share of the strict tolerance; above 1 breaks it.
        worst_case: Key of the case that has it.
        mean_ulp: Mean of the signed errors in ulps, each case weighted by its elements.
    """

    run: str
    operator: str
    dtype: str
    cases: int
    elements: int
    worst_ulp: float
    worst_share: float
    worst_case: str
    mean_ulp: float


def accuracies(runs: Sequence[Run]) -> tuple[Accuracy, ...]:
    """Return the accuracy of each operator and data type, in the runs' order."""
    found = []
    for run in runs:
        parts: dict[tuple[str, str], list[CaseEntry]] = {}
        for case in run.document.cases:
            if "strict" in case.standards:
                parts.setdefault((case.operator, case.dtype), []).append(case)
        found += [_accuracy(run, cases) for _, cases in sorted(parts.items())]
    return tuple(found)


def _accuracy(run: Run, cases: Sequence[CaseEntry]) -> Accuracy:
    figures = [case.standards["strict"] for case in cases]
    worst = max(cases, key=lambda case: case.standards["strict"].worst_share)
    elements = sum(each.compared for each in figures)
    finite = [each for each in figures if math.isfinite(each.mean_ulp)]
    weight = sum(each.compared for each in finite)
    return Accuracy(
        run=run.label,
        operator=cases[0].operator,
        dtype=cases[0].dtype,
        cases=len(cases),
        elements=elements,
        worst_ulp=max(each.worst_ulp for each in figures),
        worst_share=worst.standards["strict"].worst_share,
        worst_case=run.key(worst.id),
        mean_ulp=sum(each.mean_ulp * each.compared for each in finite) / weight if weight else 0.0,
    )


@dataclass(frozen=True)
class Timing:
    """How long the cases of one operator took.

    Attributes:
        run: The run's label.
        operator: The operator's name.
        cases: How many there are.
        host_seconds: Sum of the cases' times on the host.
        device_microseconds: Median over the cases of the median time of a launch on the device;
            None if the device told none.
    """

    run: str
    operator: str
    cases: int
    host_seconds: float
    device_microseconds: float | None


@dataclass(frozen=True)
class SlowCase:
    """One of the slowest cases; its time on the device is the median of its launches."""

    key: str
    host_seconds: float
    device_microseconds: float | None


def timings(runs: Sequence[Run]) -> tuple[Timing, ...]:
    """Return the times of each operator, in the runs' order."""
    found = []
    for run in runs:
        parts: dict[str, list[CaseEntry]] = {}
        for case in run.document.cases:
            parts.setdefault(case.operator, []).append(case)
        for operator, cases in parts.items():
            told = [time for case in cases if (time := device_time(case)) is not None]
            seconds = sum(case.seconds for case in cases)
            median = statistics.median(told) if told else None
            found.append(Timing(run.label, operator, len(cases), seconds, median))
    return tuple(found)


def slowest(runs: Sequence[Run]) -> tuple[SlowCase, ...]:
    """Return the cases that took longest, on the device if it told, else on the host."""
    cases = [
        SlowCase(run.key(case.id), case.seconds, device_time(case))
        for run in runs
        for case in run.document.cases
    ]
    cases.sort(key=lambda case: (case.device_microseconds or 0.0, case.host_seconds), reverse=True)
    return tuple(cases[:SLOWEST])


def device_time(case: CaseEntry) -> float | None:
    """Return the median time of a case's launches in microseconds; None if none was told."""
    return statistics.median(case.device_microseconds) if case.device_microseconds else None
