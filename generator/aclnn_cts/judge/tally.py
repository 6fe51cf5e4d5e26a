# SPDX-License-Identifier: Apache-2.0
"""Running sums and extremes over the blocks of one output, and the elements that fail."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.judge.blocks import Block
from aclnn_cts.judge.standards import STANDARDS, Standard

Mask = npt.NDArray[np.bool_]

SAMPLES = 4
"""Failing elements whose indices are kept."""

_ANY = np.uint8(Outcome.ANY)


@dataclass
class Failing:
    """The elements that break one standard, as far as they are known.

    Attributes:
        count: How many.
        first: Flat indices of the first :data:`SAMPLES` of them.
    """

    count: int = 0
    first: list[int] = field(default_factory=list)

    def note(self, mask: Mask, start: int) -> None:
        """Add the failing elements of the block that begins at ``start``."""
        found = np.flatnonzero(mask)
        self.count += len(found)
        self.first += [start + int(index) for index in found[: SAMPLES - len(self.first)]]


@dataclass
class Tally:
    """Running sums and extremes over the blocks of one output.

    Attributes:
        measured: Elements that had an error to measure.
        unpromised: Elements of which nothing is promised.
        mismatched: Elements whose class is not allowed.
        contested: Elements on which the documents contradict themselves.
        settled: Elements that are neither contested nor unpromised.
        reached: Union of the clauses that apply to any element.
        max_abs: Largest absolute error.
        sum_relative: Sum of the relative errors, as the statistical standard defines them.
        max_relative: The largest of them.
        worst_share: Largest error as a share of the strict tolerance.
        worst_ulp: Largest absolute error in ulps.
        sum_ulp: Sum of the signed errors in ulps.
        sum_abs_ulp: Sum of the absolute errors in ulps.
        beyond_limit: Whether any error is beyond the hard limit of the ecosystem standard.
        matching_beyond_limit: Elements that match by its mixed tolerance, and are beyond it.
        failing: The elements that break each standard.
    """

    measured: int = 0
    unpromised: int = 0
    mismatched: int = 0
    contested: int = 0
    settled: int = 0
    reached: int = 0
    max_abs: float = 0.0
    sum_relative: float = 0.0
    max_relative: float = 0.0
    worst_share: float = 0.0
    worst_ulp: float = 0.0
    sum_ulp: float = 0.0
    sum_abs_ulp: float = 0.0
    beyond_limit: bool = False
    matching_beyond_limit: int = 0
    failing: dict[Standard, Failing] = field(
        default_factory=lambda: {standard: Failing() for standard in STANDARDS}
    )

    @property
    def mean_relative(self) -> float:
        """The mean relative error of the elements that could be measured."""
        return self.sum_relative / max(self.measured, 1)

    def told(self, error: float) -> float:
        """Return an error; Inf after a mismatch: where a number met Inf, none is large enough."""
        return math.inf if self.mismatched else error

    def count(self, expected: Expected) -> None:
        """Add what is promised of a block's elements."""
        self.reached |= int(np.bitwise_or.reduce(expected.reached))
        contested = int(np.count_nonzero(expected.contested))
        self.contested += contested
        open_elements = expected.allowed == _ANY
        if contested:
            open_elements |= expected.contested
        self.settled += len(open_elements) - int(np.count_nonzero(open_elements))

    def add(self, block: Block) -> None:
        """Add how many of a block's elements can be measured, and how many are of a wrong class."""
        self.measured += block.measured
        self.unpromised += block.unpromised
        if block.mismatch is not None:
            self.mismatched += int(np.count_nonzero(block.mismatch))

    def note_failures(
        self, kept: Mapping[Standard, Mask], mismatch: Mask | None, start: int
    ) -> None:
        """Add the elements of a block that fail; changes the masks.

        Args:
            kept: Which elements keep each standard, their class aside.
            mismatch: Which are of a wrong class; None if none is.
            start: The flat index of the block's first element.
        """
        for standard, mask in kept.items():
            if mismatch is not None:
                mask &= ~mismatch  # noqa: PLW2901 - in place
            if not mask.all():
                self.failing[standard].note(~mask, start)
