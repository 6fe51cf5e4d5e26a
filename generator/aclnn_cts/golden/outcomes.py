# SPDX-License-Identifier: Apache-2.0
"""Which outcomes satisfy the formula's value, in the type of the output."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import Number
from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.tolerance import tolerance_of, ulp_at
from aclnn_cts.spec.data_types import FloatFormat

Bits = npt.NDArray[np.uint8]

_POS_INF = np.uint8(Outcome.POS_INF)
_NEG_INF = np.uint8(Outcome.NEG_INF)
_NAN = np.uint8(Outcome.NAN)


def value_outcome(number: Number, output: FloatFormat, into: Expected) -> Bits:
    """Fill value, tolerance and own error; return the outcomes that satisfy each value.

    A value of exactly 0, and one that may be flushed, is satisfied by ZERO, too; one near the
    overflow threshold by Inf or by the largest finite value (up to which its tolerance is widened);
    one that a device may lose to an overflow on the way by what that gives.

    Args:
        number: What the formula says.
        output: The type in which the output is stored.
        into: The expectation to fill.
    """
    into.value[...] = number.value
    tolerance, own = tolerance_of(number, output)
    into.tolerance[...] = tolerance
    into.own[...] = own
    outcome = np.full(into.value.shape, np.uint8(Outcome.VALUE))
    magnitude = np.abs(into.value)
    smallest = 0.0
    if number.on.flushes:
        smallest = max(output.smallest_normal, number.grid.smallest_normal if number.grid else 0.0)
    is_zero = (magnitude == 0) | (magnitude - into.tolerance < smallest)
    outcome |= is_zero.view(np.uint8) * np.uint8(Outcome.ZERO)
    # One pass tells whether a block has anything but ordinary values; NaN fails it, too.
    if not (magnitude + into.tolerance).max(initial=0.0) < output.overflow:
        _mark_extremes(outcome, magnitude, into, output)
    extremes = number.extremes
    if number.grid is not None and number.grid != output:
        extremes = number.overflown(number.grid, number.total)
    if extremes is not None:
        outcome |= extremes
    return outcome


def _mark_extremes(
    outcome: Bits, magnitude: FloatArray, into: Expected, output: FloatFormat
) -> None:
    value, tolerance = into.value, into.tolerance
    limit = output.overflow
    infinity = np.where(value > 0, _POS_INF, _NEG_INF)
    # What the last rounding to nearest makes of a number is Inf from the threshold on.
    half = 0.5 * ulp_at(np.ascontiguousarray(magnitude), output).reshape(value.shape)
    before = tolerance - half
    near = (magnitude + before >= limit) & (magnitude - before < limit)
    outcome[near] |= infinity[near]
    # A tolerance beyond the value reaches Inf of the other sign, too.
    far = near & (before - magnitude >= limit)
    outcome[far] |= _POS_INF | _NEG_INF
    # From beyond the threshold the largest finite value must be within reach, and no more than it.
    tolerance[near] = np.maximum(tolerance[near], magnitude[near] - output.max_finite)
    beyond = (magnitude - before >= limit) | np.isinf(value)
    outcome[beyond] = infinity[beyond]
    outcome[np.isnan(value)] = _NAN
