# SPDX-License-Identifier: Apache-2.0
"""From where on a difference between two runs is news, and which news ends with exit status 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Gate: TypeAlias = Literal["failing", "unproven", "otherwise", "gone", "accuracy", "time"]
"""What can end a comparison with exit status 1."""

GATES: tuple[Gate, ...] = get_args(Gate)


@dataclass(frozen=True)
class Options:
    """From where on a difference is news.

    Attributes:
        accuracy_factor: An error has drifted if it is more than so many times BASE's …
        accuracy_floor: … and differs from it by more than this, in ulps of the output's type.
        time_factor: A time has drifted if it is, beyond chance, more than so many times BASE's …
        time_floor: … and the medians differ by more than this, in microseconds: events of the
            runtime tell no finer times.
        significance: The chance, at most, that any drift in time is reported where no case is
            slower by the factor; over all cases together, and over all groups together.
        gate: What ends the comparison with exit status 1; None for all of it, but time only if a
            card ran the cases: what plays the simulated device shares its host with others.
        enforce: Whether a requirement that is not enforced any more counts as a failure.
    """

    accuracy_factor: float = 1.5
    accuracy_floor: float = 0.1
    time_factor: float = 1.1
    time_floor: float = 0.5
    significance: float = 0.01
    gate: tuple[Gate, ...] | None = None
    enforce: bool = False
