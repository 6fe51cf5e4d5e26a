# SPDX-License-Identifier: Apache-2.0
"""Which outcomes satisfy the formula's value, in the type of the output."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import Result
from aclnn_cts.golden.tolerance import Budget
from aclnn_cts.spec.data_types import FloatFormat

Bits = npt.NDArray[np.uint8]

_POS_INF = np.uint8(Outcome.POS_INF)
_NEG_INF = np.uint8(Outcome.NEG_INF)
_NAN = np.uint8(Outcome.NAN)
_NON_FINITE = np.uint8(Outcome.NON_FINITE)


def value_outcome(result: Result, into: Expected, budget: Budget) -> Bits:
    """Return the outcomes that satisfy the value of each element.

    A value of exactly 0 is satisfied by ZERO, too; one near the overflow threshold by Inf or by the
    largest finite value (up to which its tolerance is widened in place).

    Args:
        result: What the formula says.
        into: The expectation; value, bound and tolerance are filled.
        budget: The types in which the output is stored and computed.
    """
    is_zero = np.equal(into.value, 0, out=np.empty(into.value.shape, np.bool_))
    outcome = np.full(into.value.shape, np.uint8(Outcome.VALUE))
    outcome |= is_zero.view(np.uint8) * np.uint8(Outcome.ZERO)
    magnitude = np.abs(into.value)
    # One pass tells whether a block has anything but ordinary values; NaN fails it, too.
    reach = np.maximum(magnitude + into.tolerance, into.bound)
    limit = min(overflow_threshold(budget.output), budget.computing.max_finite)
    if not reach.max(initial=0.0) < limit:
        _mark_extremes(outcome, magnitude, into, budget.output)
        _mark_strained(outcome, result, into, budget.computing.max_finite)
    return outcome


def overflow_threshold(output: FloatFormat) -> float:
    """Return the least magnitude that rounds to Inf (IEEE 754-2019, 4.3.1)."""
    return output.max_finite + math.ldexp(0.5, output.max_exponent - output.fraction_bits)


def _mark_extremes(
    outcome: Bits, magnitude: FloatArray, into: Expected, output: FloatFormat
) -> None:
    value, tolerance = into.value, into.tolerance
    limit = overflow_threshold(output)
    infinity = np.where(value > 0, _POS_INF, _NEG_INF)
    near = (magnitude + tolerance >= limit) & (magnitude - tolerance < limit)
    outcome[near] |= infinity[near]
    # From beyond the threshold the largest finite value must be within reach, and no more than it.
    tolerance[near] = np.maximum(tolerance[near], magnitude[near] - output.max_finite)
    beyond = (magnitude - tolerance >= limit) | np.isinf(value)
    outcome[beyond] = infinity[beyond]
    outcome[np.isnan(value)] = _NAN


def _mark_strained(outcome: Bits, result: Result, into: Expected, largest: float) -> None:
    """Allow what an intermediate overflow may lead to, although the exact result is another."""
    strained = (into.bound >= largest) & np.isfinite(into.value)
    if result.peak is not None:
        strained |= (result.peak >= largest) & ~np.isnan(into.value)
    outcome[strained] |= _NON_FINITE
