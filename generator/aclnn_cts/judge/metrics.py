# SPDX-License-Identifier: Apache-2.0
"""The figures of single elements: the class of a result, and its error in ulps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import FloatArray, Outcome
from aclnn_cts.golden.outcomes import ulp_at
from aclnn_cts.spec.data_types import DataType, FloatFormat

_ZERO = np.uint8(Outcome.ZERO)
_POS_INF = np.uint8(Outcome.POS_INF)
_NEG_INF = np.uint8(Outcome.NEG_INF)
_NAN = np.uint8(Outcome.NAN)

_INTEGER = FloatFormat(fraction_bits=0, min_exponent=0, max_exponent=0)
"""An integer's neighbours are 1 away wherever it stands; :func:`ulp_size` treats it apart."""


def classify(actual: FloatArray) -> npt.NDArray[np.uint8]:
    """Return the class of each element as bits of :class:`Outcome`, same shape.

    A finite element has VALUE, and ZERO besides if it is +0 or -0; the others have one bit. A
    NaN is never anything but NAN, whatever it is compared with.
    """
    classes = np.isfinite(actual).view(np.uint8)  # True is 1 is VALUE
    if not classes.all():
        classes |= np.equal(actual, np.inf).view(np.uint8) * _POS_INF
        classes |= np.equal(actual, -np.inf).view(np.uint8) * _NEG_INF
        classes |= np.isnan(actual).view(np.uint8) * _NAN
    classes |= np.equal(actual, 0).view(np.uint8) * _ZERO
    return classes


def rounding_of(data_type: DataType) -> FloatFormat:
    """Return how a data type rounds; integers and bool stand on a grid of 1."""
    return data_type.floating or _INTEGER


def ulp_size(value: FloatArray, floating: FloatFormat, out: FloatArray | None = None) -> FloatArray:
    """Return the distance of neighbouring numbers of a type, integers included.

    Arguments are those of :func:`aclnn_cts.golden.outcomes.ulp_at`.
    """
    if floating != _INTEGER:
        return ulp_at(value, floating, out)
    ulp: FloatArray = np.empty(value.shape) if out is None else out
    ulp.fill(1.0)
    return ulp


def ulps_off(actual: FloatArray, golden: FloatArray, floating: FloatFormat) -> FloatArray:
    """Return the signed error in ulps of the type at the golden value, same shape.

    Two NaN, and two equal infinities, are 0 off; any other pair with a value that is not finite is
    infinitely far off.
    """
    golden = np.ascontiguousarray(golden)
    with np.errstate(all="ignore"):
        off: FloatArray = (actual - golden) / ulp_size(golden, floating)
    apart = ~(np.isfinite(actual) & np.isfinite(golden))
    same = (actual == golden) | (np.isnan(actual) & np.isnan(golden))
    off[apart] = np.where(
        same[apart], 0.0, np.where(actual[apart] < golden[apart], -np.inf, np.inf)
    )
    return off
