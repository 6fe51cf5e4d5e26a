# SPDX-License-Identifier: Apache-2.0
"""Functions of float64 with the same results on all hosts, within a few ulps of the exact ones.

They consist of operations that IEEE 754 rounds exactly. The last bits of NumPy's own depend on the
processor, but input data and ids of cases must not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_LN2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""Two parts; multiples of the first are exact."""

_MOST = 1100
"""Power of 2 beyond which exp is Inf or 0."""

_EXP = [1 / math.factorial(power) for power in range(1, 19)]
_LOG = [2 / power for power in range(1, 27, 2)]
_SIN = [(-1) ** power / math.factorial(2 * power + 1) for power in range(16)]
_COS = [(-1) ** power / math.factorial(2 * power) for power in range(16)]
_ATAN = [(-1) ** power / (2 * power + 1) for power in range(16)]
_MOST_ANGLE = 64.0
"""Beyond it a sine has more zeros than can be looked at."""

_ERF = 60
"""Terms of the series below 2, and of the continued fraction above."""


def _series(x: Any, factors: Sequence[float]) -> Any:
    """Return the sum of the factors times 1, x, x² and so on."""
    total: Any = 0.0
    for factor in reversed(factors):
        total = total * x + factor
    return total


def exp(x: Any) -> Any:
    power = np.rint(np.clip(np.nan_to_num(x / math.log(2)), -_MOST, _MOST))
    rest = (x - power * _LN2[0]) - power * _LN2[1]
    finite = np.ldexp(1 + rest * _series(rest, _EXP), power.astype(np.int64))
    return np.where(power == _MOST, np.inf, np.where(power == -_MOST, 0.0, finite))


def exp2(x: Any) -> npt.NDArray[Any]:
    """Return powers of 2, of finite numbers; those of integers are exact."""
    power = np.rint(x)
    rest = (x - power) * math.log(2)
    return np.asarray(np.ldexp(1 + rest * _series(rest, _EXP), power.astype(np.int64)))


def log(x: Any) -> Any:
    fraction, power = np.frexp(x)
    is_low = fraction < math.sqrt(0.5)
    fraction, power = np.where(is_low, 2 * fraction, fraction), power - is_low
    ratio = (fraction - 1) / (fraction + 1)
    finite = power * _LN2[0] + (ratio * _series(ratio * ratio, _LOG) + power * _LN2[1])
    finite = np.where(np.isposinf(x), np.inf, np.where(x < 0, np.nan, finite))
    return np.where(x == 0, -np.inf, finite)


def tanh(x: Any) -> Any:
    size = np.abs(x)
    near = 2 * size * _series(2 * size, _EXP)  # exp(2 size) - 1
    small = near / (near + 2)
    return np.copysign(np.where(size < 0.25, small, 1 - 2 / (exp(2 * size) + 1)), x)


def erf(x: Any) -> Any:
    size = np.abs(x)
    low, high = np.minimum(size, 2.0), np.maximum(size, 2.0)
    bell = exp(-size * size) / math.sqrt(math.pi)
    term = total = low
    for number in range(1, _ERF):
        term = term * (2 * low * low / (2 * number + 1))
        total = total + term
    fraction = high
    for number in range(_ERF, 0, -1):
        fraction = high + number / 2 / fraction
    return np.copysign(np.where(size < 2, 2 * bell * total, 1 - bell / fraction), x)


def sin(x: Any) -> Any:
    return _wave(x, 0.0)


def cos(x: Any) -> Any:
    return _wave(x, math.pi / 2)


def _wave(x: Any, shift: float) -> Any:
    """Return the sine of an angle and a shift; of 1 instead of a large angle."""
    angle = np.fmod(np.where(np.abs(x) > _MOST_ANGLE, 1.0, x) + shift, 2 * math.pi)
    half = angle / 2
    square = half * half
    return np.where(np.isinf(x), np.nan, 2 * half * _series(square, _SIN) * _series(square, _COS))


def atan(x: Any) -> Any:
    size = np.abs(x)
    part = np.minimum(size, 1 / size)
    for _ in range(2):
        part = part / (1 + np.sqrt(1 + part * part))
    angle = 4 * part * _series(part * part, _ATAN)
    return np.copysign(np.where(size > 1, math.pi / 2 - angle, angle), x)


def asin(x: Any) -> Any:
    return atan(x / np.sqrt((1 - x) * (1 + x)))
