# SPDX-License-Identifier: Apache-2.0
"""Whether a case could have failed."""

from __future__ import annotations

import numpy as np
import pytest

from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.judge.trust import count_decisive, is_trusted


@pytest.mark.parametrize(
    ("value", "tolerance", "allowed", "decisive"),
    [
        (1.0, 0.5, Outcome.VALUE, True),
        (1.0, 1.0, Outcome.VALUE, False),  # 0 would pass
        (0.0, 0.0, Outcome.VALUE | Outcome.ZERO, False),  # 0 by the formula alone
        (1.0, 0.5, Outcome.VALUE | Outcome.ZERO, False),  # 0 is allowed besides
        (1.0, 0.5, Outcome.ZERO, True),
        (1.0, 0.5, Outcome.NAN, True),
        (1.0, 0.5, Outcome.ZERO | Outcome.NAN, True),
        (1.0, 0.5, Outcome.VALUE | Outcome.NAN, True),
        (1.0, 0.5, Outcome.ANY, False),
    ],
)
def test_decisive_elements(
    value: float, tolerance: float, allowed: Outcome, *, decisive: bool
) -> None:
    """An element is decisive if a result of 0, or the plain formula, would have been rejected."""
    expected = Expected.blank((1,))
    expected.value[...], expected.tolerance[...] = value, tolerance
    expected.allowed[...] = np.uint8(allowed)
    assert count_decisive(expected) == int(decisive)


@pytest.mark.parametrize(
    ("elements", "decisive", "trusted"),
    [(0, 0, True), (1, 0, False), (1, 1, True), (100, 1, True), (200, 1, False), (10, 1, True)],
)
def test_one_percent(elements: int, decisive: int, *, trusted: bool) -> None:
    """A case with outputs needs 1 % decisive elements, and at least one."""
    assert is_trusted(elements, decisive) is trusted
