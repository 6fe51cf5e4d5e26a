# SPDX-License-Identifier: Apache-2.0
"""Which outcomes satisfy the formula's value, and how far off the strict standard lets it be.

The tolerance is what a device may be off, with the rounding to the type of the output.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import Error, Number
from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.spec.data_types import FloatFormat

_EXPONENT_BITS = np.uint64(0x7FF0_0000_0000_0000)


def ulp_at(value: FloatArray, floating: FloatFormat, out: FloatArray | None = None) -> FloatArray:
    """Return the distance of neighbouring numbers of a type around each value.

    It is 2^(max(floor(log2|v|), e_min) - fraction bits), read off the exponent bits of the float64,
    so it is exact at powers of two, for subnormals and at 0.

    Args:
        value: float64, contiguous; values that are not finite give an unspecified positive number.
        floating: The type; its ulp is asked for wherever the value lies, also above its range.
        out: Where to write the result; of the value's shape, contiguous.
    """
    ulp: FloatArray = np.empty(value.shape) if out is None else out
    np.bitwise_and(value.view(np.uint64), _EXPONENT_BITS, out=ulp.view(np.uint64))
    ulp *= 2.0**-floating.fraction_bits
    return np.maximum(ulp, floating.smallest_subnormal, out=ulp)


def tolerance_of(number: Number, output: FloatFormat) -> tuple[FloatArray, Error]:
    """Return the largest absolute error of each element, and the part that is its own.

    The last operation's rounding and that into the output's type are one if the types are the same.
    The own part is what the element's operations may add to a last rounding of half an ulp, without
    roundings in the storage type and the error of a factor that the whole call shares.

    Args:
        number: What the formula says, contiguous.
        output: The type of the output.
    """
    size = np.abs(number.value)
    before, own = number.total, number.error
    ulps = number.ulps
    if number.grid is not None and number.grid != output:
        last = ulps * ulp_at(np.ascontiguousarray(size + before), number.grid)
        before = before + last
        own = own + last if number.grid == number.on.computing else own
        ulps = 0.5
    tolerance = ulp_at(np.ascontiguousarray(size + before), output)
    more = np.maximum(ulps, 0.5) - 0.5
    if np.any(more) and number.grid == number.on.computing:
        own = own + more * tolerance
    tolerance *= more + 0.5
    tolerance += before
    return tolerance, own


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
