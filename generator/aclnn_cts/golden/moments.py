# SPDX-License-Identifier: Apache-2.0
"""How far a device's mean and variance are off that update them with each element."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import Number
from aclnn_cts.golden.expected import FloatArray

_DEVIATIONS = 1.11
"""The largest mean of |d(k)|, in standard deviations, as :func:`update_mean` defines d(k)."""


def update_mean(mean: Number, variance: FloatArray) -> Number:
    """Return the mean if each element updates it, and the sum M of squares, in Welford's way.

    With d(k) = x(k) - m(k - 1), m(k) = m(k - 1) + d(k) / k and M(k) = M(k - 1) + d(k) (x(k) -
    m(k)). A rounding of m(k) is k times as large in k m(k), the sum of the first k elements, so
    that the roundings of all m(k) make the mean as far off as those of a serial sum. Each quotient
    adds the roundings of a difference and a division by k; their mean is that of |d(k)|. Because K
    times the variance is the sum of d(k)^2 (k - 1) / k, Cauchy's inequality bounds this mean by
    sqrt((K - 1 + H) / K) standard deviations, H being 1 + 1/2 + ... + 1/(K - 1): at most 1.11, at
    K = 5.
    """
    on = mean.on
    one, deviation = on.exact(1.0), on.exact(_DEVIATIONS * np.sqrt(variance))
    return mean + off((deviation - on.exact(0.0)) / one)


def drift_of(mean: Number, variance: FloatArray) -> Number:
    """Return how far the variance is off that goes with a mean of :func:`update_mean`.

    If m(k) is off by e(k), M is the sum of squares about the last m less the sum of
    d(k) ((k - 1) e(k - 1) + k e(k)) / k. With no e(k) above e, Cauchy's inequality bounds the
    latter by 2 K e standard deviations, so that the variance is off by at most
    e (e + 2 standard deviations). Merging the moments of parts is off by no more.
    """
    drift, deviation = off(mean), mean.on.exact(np.sqrt(variance))
    return drift * (drift + deviation + deviation)


def off(number: Number) -> Number:
    """Return how far a device's number is off."""
    return number - number.on.exact(number.value)
