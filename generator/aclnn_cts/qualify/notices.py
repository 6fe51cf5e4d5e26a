# SPDX-License-Identifier: Apache-2.0
"""Which cases notice that a device is not the unharmed one, and by which standards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import Case

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
