# SPDX-License-Identifier: Apache-2.0
"""Comparing one output with its expectation, by all standards at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected
from aclnn_cts.judge.measurements import measure, parts_of
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, Yardstick
from aclnn_cts.judge.tally import Tally


@dataclass(frozen=True)
class Failures:
    """The elements of one output that break one standard.

    Attributes:
        count: How many.
        first: Flat indices of the first :data:`~aclnn_cts.judge.tally.SAMPLES` of them, row-major.
    """

    count: int
    first: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """What the comparison of one output found.

    Attributes:
        figures: By standard.
        failures: By standard.
        reached: Union of the clauses that apply to any element (bits of Expected.reached).
        contested: Elements on which the documents contradict themselves.
        unpromised: Elements of which nothing is promised.
        settled: Elements that are neither contested nor unpromised.
    """

    figures: Mapping[Standard, Figures]
    failures: Mapping[Standard, Failures]
    reached: int
    contested: int
    unpromised: int
    settled: int


def compare(
    name: str, actual: npt.NDArray[Any], expected: Expected, yardstick: Yardstick
) -> Comparison:
    """Compare one output with its expectation.

    Args:
        name: The output's name.
        actual: What came back, in the output's own data type, of the expectation's shape.
        expected: What may come back.
        yardstick: The numbers of the output's data type.
    """
    tally = Tally()
    with np.errstate(all="ignore"):
        for part in parts_of(actual, expected):
            tally.count(part.expected)
            tally.add(part.block)
            kept = measure(part, yardstick, tally)
            tally.note_failures(kept, part.block.mismatch, part.start)
    return _conclude(name, actual.size, yardstick, tally)


def _conclude(name: str, elements: int, yardstick: Yardstick, tally: Tally) -> Comparison:
    return Comparison(
        figures={
            standard: _figures(name, elements, standard, yardstick, tally) for standard in STANDARDS
        },
        failures={
            standard: Failures(found.count, tuple(found.first))
            for standard, found in tally.failing.items()
        },
        reached=tally.reached,
        contested=tally.contested,
        unpromised=tally.unpromised,
        settled=tally.settled,
    )


def _figures(
    name: str, elements: int, standard: Standard, yardstick: Yardstick, tally: Tally
) -> Figures:
    compared = elements - tally.unpromised
    failing = tally.failing[standard]
    unmatched = failing.count
    if standard == "ecosystem":
        # The published ratio is that of the mixed tolerance alone; the hard limit stands beside it.
        unmatched -= tally.matching_beyond_limit
    matched = (compared - unmatched) / compared if compared else 1.0
    return Figures(
        passed=_is_kept(standard, matched, yardstick, tally),
        elements=elements,
        compared=compared,
        failing=failing.count,
        first_failing=failing.first[0] if failing.first else -1,
        output=name,
        matched_ratio=matched,
        max_abs_error=tally.told(tally.max_abs),
        mean_relative_error=tally.told(tally.mean_relative),
        max_relative_error=tally.told(tally.max_relative),
        worst_ulp=tally.told(tally.worst_ulp),
        worst_share=tally.told(tally.worst_share),
        mean_ulp=tally.sum_ulp / max(tally.measured, 1),
        mean_abs_ulp=tally.sum_abs_ulp / max(tally.measured, 1),
    )


def _is_kept(standard: Standard, matched: float, yardstick: Yardstick, tally: Tally) -> bool:
    if standard == "strict":
        return tally.failing[standard].count == 0
    if tally.mismatched:
        return False
    if standard == "ecosystem":
        return matched >= yardstick.matched_ratio and not tally.beyond_limit
    return tally.mean_relative < yardstick.threshold and tally.max_relative < yardstick.maximum
