# SPDX-License-Identifier: Apache-2.0
"""The error functions in 64 bits against 40 digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.golden.error_function import erf, erfc

ULPS = 8
EXTENDED = np.finfo(np.longdouble).nmant == 63
pytestmark = pytest.mark.skipif(not EXTENDED, reason="longdouble has other digits here")


def _points() -> npt.NDArray[Any]:
    """Return numbers over the range, tiny ones, and those where the series ends."""
    draw = np.random.default_rng(1)
    ends = [s * t for s in (-1, 1) for t in (0.0, 1e-4000, 1e-310, 1e-20, 0.5, 1, 3, 50)]
    far = np.longdouble(2.5)
    beside = [far, np.nextafter(far, np.longdouble(0)), np.nextafter(far, np.longdouble(3))]
    return np.array(
        [*draw.uniform(-7, 7, 400), *ends, *beside, *np.negative(beside)], np.longdouble
    )


def _exact(value: np.longdouble) -> Any:
    """Return the number with all its bits."""
    fraction, exponent = np.frexp(value)
    return mpmath.mpf(int(fraction * np.longdouble(2) ** 64)) * mpmath.mpf(2) ** (
        int(exponent) - 64
    )


@pytest.mark.parametrize(
    ("function", "exactly", "least"), [(erf, mpmath.erf, 0.0), (erfc, mpmath.erfc, 0.5)]
)
def test_error_functions_of_64_bits(
    function: Callable[[Any], Any], exactly: Callable[[Any], Any], least: float
) -> None:
    """Within 8 units of 2^-63; the complement's count as those of 0.5 below it."""
    points = _points()
    found = function(points)
    assert found.dtype == np.longdouble
    with mpmath.workdps(40):
        for x, own in zip(points, found, strict=True):
            wanted = exactly(_exact(x))
            allowed = ULPS * mpmath.mpf(2) ** -63 * max(abs(wanted), least)
            assert abs(_exact(own) - wanted) <= allowed, x


def test_the_complement_keeps_its_digits_far_out() -> None:
    """Where 1 - erf(x) would be 0."""
    points = np.array([2.5, 3, 5, 7, 20, 50], np.longdouble)
    with mpmath.workdps(40):
        for x, own in zip(points, erfc(points), strict=True):
            wanted = mpmath.erfc(_exact(x))
            assert abs(_exact(own) / wanted - 1) <= 1e-15, x


def test_ends_of_the_range() -> None:
    """Infinities have the limits, NaN stays one, and zero keeps its sign."""
    x = np.array([math.inf, -math.inf, math.nan, 0.0, -0.0], np.longdouble)
    with np.errstate(all="raise"):
        own, complement = erf(x).tolist(), erfc(x).tolist()
    assert own[:2] == [1, -1]
    assert complement[:2] == [0, 2]
    assert math.isnan(own[2])
    assert math.isnan(complement[2])
    assert own[3:] == [0, 0]
    assert [math.copysign(1, each) for each in own[3:]] == [1, -1]
    assert complement[3:] == [1, 1]
