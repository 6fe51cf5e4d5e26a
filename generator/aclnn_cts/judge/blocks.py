# SPDX-License-Identifier: Apache-2.0
"""Making one block of an output measurable: which elements have an error, and against what.

A block is brought to three arrays (actual, golden, tolerance) in which every element can be
measured by subtraction. An element that has no error to measure (nothing is promised of it, or
it is an Inf or NaN that is allowed) is given error 0; one whose class is not allowed is a
mismatch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.judge.metrics import classify

_VALUE = np.uint8(Outcome.VALUE)
_ZERO = np.uint8(Outcome.ZERO)
_EITHER = np.uint8(Outcome.VALUE | Outcome.ZERO)
_NON_FINITE = np.uint8(Outcome.NON_FINITE)
_ANY = np.uint8(Outcome.ANY)


@dataclass(frozen=True)
class Block:
    """A block whose elements can all be measured.

    Attributes:
        error: actual - golden, signed, float64; finite, unless the subtraction itself overflowed.
        golden: What the error is relative to, float64; finite.
        tolerance: The strict standard's largest absolute error.
        measured: Elements that had an error to measure.
        unpromised: Elements of which nothing is promised.
        mismatch: Elements whose class is not allowed; None if there is none.
    """

    error: FloatArray
    golden: FloatArray
    tolerance: FloatArray
    measured: int
    unpromised: int = 0
    mismatch: npt.NDArray[np.bool_] | None = None


def measurable(actual: FloatArray, expected: Expected, room: FloatArray) -> Block:
    """Return a block in measurable form.

    Args:
        actual: What came back, widened; one-dimensional.
        expected: What may come back; of the same length.
        room: Where the errors may be written, of the same length.
    """
    plain = _plain(actual, expected, room)
    return plain if plain is not None else _general(actual, expected)


def as_accepted(actual: FloatArray, expected: Expected) -> Expected:
    """Return an expectation with an alternative for each element that only an alternative accepts.

    Arguments are those of :func:`measurable`, which then measures against the alternative.
    """
    others = expected.alternatives
    if others is None:
        return expected
    came_back = actual[others.index]
    own = _is_accepted(came_back, expected.at(others.index))
    taken = np.flatnonzero(~own & _is_accepted(came_back, others.expected))
    if not len(taken):
        return expected
    arrays = {}
    for name in ("value", "tolerance", "allowed"):
        arrays[name] = getattr(expected, name).copy()
        arrays[name][others.index[taken]] = getattr(others.expected, name)[taken]
    return replace(expected, alternatives=None, **arrays)


def _is_accepted(actual: FloatArray, expected: Expected) -> npt.NDArray[np.bool_]:
    """Return which elements keep the strict standard."""
    classes, allowed = classify(actual), expected.allowed
    near = np.abs(actual - expected.value) <= expected.tolerance
    by_class = (classes & allowed & ~_VALUE) != 0
    return np.asarray(by_class | (allowed == _ANY) | (near & ((allowed & _VALUE) != 0)))


def _plain(actual: FloatArray, expected: Expected, room: FloatArray) -> Block | None:
    """Return the form of a block without Inf, NaN and unpromised elements; None if it has any.

    The subtraction tells: with a value that is not finite on either side, it is not finite.
    """
    allowed = expected.allowed
    golden, tolerance = expected.value, expected.tolerance
    if not np.equal(allowed, _VALUE).all():
        if np.greater(allowed, _EITHER).any() or not allowed.all():
            return None
        if np.not_equal(allowed & _VALUE, 0).all():
            golden = _nearest_golden(actual, golden, allowed)
        else:
            only_zero = np.equal(allowed, _ZERO)
            golden = _nearest_golden(actual, np.where(only_zero, 0.0, golden), allowed)
            tolerance = np.where(only_zero, 0.0, tolerance)
    error = np.subtract(actual, golden, out=room)
    # A sum is finite only if every part is; a sum of large errors that overflows only costs time.
    if not np.isfinite(error.sum()):
        return None
    return Block(error, golden, tolerance, len(actual))


def _nearest_golden(
    actual: FloatArray, golden: FloatArray, allowed: npt.NDArray[np.uint8]
) -> FloatArray:
    """Return 0 as the golden value where 0 is allowed beside the value, and came back."""
    zeros = np.equal(actual, 0)
    zeros &= np.equal(allowed & _ZERO, _ZERO)
    zeros &= np.not_equal(golden, 0)
    return np.where(zeros, 0.0, golden) if zeros.any() else golden


def _general(actual: FloatArray, expected: Expected) -> Block:
    allowed = expected.allowed
    promised = allowed != _ANY
    classes = classify(actual)
    met = classes & allowed  # VALUE is met as far as the class goes; the error is measured below
    golden_finite = np.isfinite(expected.value)
    is_golden = ((met & _EITHER) == _VALUE) & golden_finite & promised
    by_zero = ((allowed & _ZERO) != 0) & ((classes & _VALUE) != 0) & promised
    measured = is_golden | by_zero
    golden = np.where(is_golden, expected.value, 0.0)
    tolerance = np.where(is_golden, expected.tolerance, 0.0)
    error = np.where(measured, actual, 0.0)
    error -= golden
    mismatch = promised & ~measured & ((met & _NON_FINITE) == 0)
    count = int(np.count_nonzero(measured))
    unpromised = len(actual) - int(np.count_nonzero(promised))
    return Block(error, golden, tolerance, count, unpromised, mismatch if mismatch.any() else None)
