# SPDX-License-Identifier: Apache-2.0
"""The exponential of compiled loops against 40 digits."""

from __future__ import annotations

import math

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import pytest

from aclnn_cts.golden.kernel import Kernel, Trace, compile_trace

ULPS = 0.9
"""Less than the 1 ulp that the stated errors of formulas grant an exponential."""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    trace = Trace()
    symbol = np.exp(trace.input("x", "float64"))
    made = compile_trace(trace, [("float64", symbol)], tmp_path_factory.mktemp("kernels"))
    assert made is not None
    return made


def exponential(kernel: Kernel, x: list[float]) -> list[float]:
    found = np.empty(len(x))
    kernel.fill({"x": np.array(x)}, [found])
    return found.tolist()


def test_it_is_within_its_error(kernel: Kernel) -> None:
    """Over the whole range, around 0, where the result is subnormal, and halfway between powers."""
    draw = np.random.default_rng(1)
    halfway = math.log(2) * (np.arange(-1074, 1024) + 0.5)
    ranges = ((-746, 710, 4000), (-1, 1, 4000), (-745.2, -700, 1000), (-1e-8, 1e-8, 200))
    x = np.concatenate([halfway, *(draw.uniform(*each) for each in ranges)]).tolist()
    with mpmath.workdps(40):
        for own, found in zip(x, exponential(kernel, x), strict=True):
            exact = mpmath.exp(mpmath.mpf(own))
            if exact >= mpmath.mpf(2) ** 1024:
                assert found == math.inf, own
            else:
                assert abs(mpmath.mpf(found) - exact) <= ULPS * math.ulp(float(exact)), own


def test_ends_of_the_range(kernel: Kernel) -> None:
    """Inf and 0 beyond it, 1 at 0, and NaN stays one."""
    x = [math.inf, -math.inf, 1e300, -1e300, 709.79, -745.14, 0.0, -0.0]
    wanted = [math.inf, 0.0, math.inf, 0.0, math.inf, 0.0, 1.0, 1.0]
    assert exponential(kernel, x) == wanted
    assert math.isnan(exponential(kernel, [math.nan])[0])
