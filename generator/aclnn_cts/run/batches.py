# SPDX-License-Identifier: Apache-2.0
"""Cases in the portions that one process runs: a process that dies takes no more with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.plan.cases import Case

CASES_PER_BATCH = 128
"""Few enough to share a tier out over many devices and to lose little with a process, enough to
make the second or two that a card takes to be initialised small."""

_ELEMENTS_PER_CALL = 1000
"""What a tensor costs besides its elements, in elements: an empty one takes time, too."""


@dataclass(frozen=True)
class Batch:
    """What one process runs.

    Attributes:
        name: Unique in a run, and a file name: the operator and a number.
        operator: The operator that is measured.
        cases: In the order in which they run.
    """

    name: str
    operator: str
    cases: tuple[Case, ...]

    @property
    def elements(self) -> int:
        """A measure of the time that it takes."""
        return sum(_ELEMENTS_PER_CALL + tensor.numel for c in self.cases for tensor in c.tensors)


def batches_of(cases: Sequence[Case]) -> tuple[Batch, ...]:
    """Share cases out, operators and cases in their order.

    The portions follow from the cases alone, so that a run gives the same verdicts however many
    devices work on it.
    """
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        by_operator.setdefault(case.operator, []).append(case)
    return tuple(
        Batch(f"{operator}-{number:03}", operator, tuple(own[start : start + CASES_PER_BATCH]))
        for operator, own in by_operator.items()
        for number, start in enumerate(range(0, len(own), CASES_PER_BATCH))
    )
