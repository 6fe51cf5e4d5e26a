# SPDX-License-Identifier: Apache-2.0
"""The error function, which NumPy does not have, in 53 and 64 bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

_ERF, _ERFC = np.frompyfunc(math.erf, 1, 1), np.frompyfunc(math.erfc, 1, 1)


def erf(array: Any) -> Any:
    """Return the error function."""
    if np.asarray(array).dtype == np.longdouble:
        return _long_erf(np.asarray(array))
    return _in_float64(_ERF, array)


def erfc(array: Any) -> Any:
    """Return 1 less the error function, which keeps its digits where that is nearly 1."""
    if np.asarray(array).dtype == np.longdouble:
        far = np.asarray(array)
        return np.where(far < _FAR, 1 - _long_erf(far), _long_tail(np.maximum(far, _FAR)))
    return _in_float64(_ERFC, array)


def _in_float64(function: np.ufunc, array: Any) -> Any:
    return np.asarray(function(array), np.float64)


_FAR = 2.5
"""From here on the continued fraction of the complementary error function converges fast."""

_TERMS = 100
"""Terms of the series below it, and of the fraction beyond, for 64 bits; half would do."""


def _long_erf(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the error function in 64 bits (Abramowitz and Stegun, 7.1.6: a series without signs).

    Its last few bits may be off.
    """
    near = np.clip(x, -_FAR, _FAR)
    term = total = near * np.exp(-near * near)
    for number in range(1, _TERMS):
        term = term * (2 * near * near / (2 * number + 1))
        total = total + term
    beyond = np.copysign(1 - _long_tail(np.maximum(np.abs(x), _FAR)), x)
    return np.asarray(np.where(np.abs(x) < _FAR, 2 / np.sqrt(_PI) * total, beyond))


def _long_tail(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the complementary error function of large numbers (Abramowitz and Stegun, 7.1.14)."""
    fraction = x
    for number in range(_TERMS, 0, -1):
        fraction = x + number / 2 / fraction
    return np.asarray(np.exp(-x * x) / (np.sqrt(_PI) * fraction))


_PI = 4 * np.arctan(np.longdouble(1))
