# SPDX-License-Identifier: Apache-2.0
"""The strict standard's tolerance: what a device may be off, with the rounding to the output."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import Error, Number
from aclnn_cts.golden.expected import FloatArray
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
