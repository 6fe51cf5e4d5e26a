# SPDX-License-Identifier: Apache-2.0
"""Outputs without a formula: every finite number passes, by each standard, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judge.comparing import INF, NAN, PRECISION, held, kept

from aclnn_cts.golden.elements import LARGE
from aclnn_cts.golden.expected import Expected
from aclnn_cts.golden.resolution import distrust, resolve
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.data_types import DATA_TYPES

LARGEST = float(np.finfo(np.float16).max)


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, -LARGEST, LARGEST, 2.0**-24])
def test_every_finite_number_passes(value: float) -> None:
    """No standard measures an error."""
    comparison = held([value], Expected.finite((1,)))
    assert all(kept(comparison).values())
    assert comparison.measured == 0


@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_others_fail(value: float) -> None:
    """By each standard; the element is named."""
    comparison = held([1.0, value], Expected.finite((2,)))
    assert not any(kept(comparison).values())
    assert comparison.figures["strict"].first_failing == 1


def test_a_large_output_is_held_to_it_too() -> None:
    """A compiled loop says the same."""
    actual = np.ones(LARGE, np.float32)
    actual[[5, LARGE - 1]] = NAN
    yardstick = yardstick_of("float32", PRECISION)
    assert compare("out", actual, Expected.finite(actual.shape), yardstick).mismatched == 2


def test_a_finite_output_could_have_failed() -> None:
    """Judged by class, with nothing that zeroed memory would pass for."""
    floating = DATA_TYPES["float32"].floating
    assert floating is not None
    found = resolve(Expected.finite((2, 3)), floating)
    assert (found.by_class, found.by_value, found.plain_zeros) == (6, 0, 0)
    assert distrust({"out": (2, 3)}, {"out": found}) is None
