# SPDX-License-Identifier: Apache-2.0
"""Results in double are judged by golden values with more digits than double has."""

from __future__ import annotations

from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest
from tests.judge.comparing import PRECISION, kept

from aclnn_cts.golden import expectations
from aclnn_cts.golden.elements import LARGE
from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.flushing import is_subnormal
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.loading import SpecSet

X = np.random.default_rng(3).normal(0, 2, (4, 5))


def softmax_of(x: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return softmax along the last axis, each element the double that is nearest."""
    with mpmath.workdps(40):
        rows = [[mpmath.exp(mpmath.mpf(float(value))) for value in row] for row in x]
        return np.array([[float(each / mpmath.fsum(row)) for each in row] for row in rows])


def passes(specs: SpecSet, out: npt.NDArray[np.float64]) -> dict[str, bool]:
    """Return under which standards a result for ``X`` is kept."""
    promised = expect_call(specs, "aclnnSoftmax", {"self": X}, {"dim": -1}, "atlas-a2")["out"]
    return kept(compare("out", out, promised, yardstick_of("double", PRECISION)))


@pytest.mark.parametrize("large", [1, LARGE])
def test_a_result_of_float32_fails(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, large: int
) -> None:
    """The nearest double passes, and so does an ulp beside it; what float32 holds of it does not.

    The public standards, which do not name double, ask for no more than of float32.
    """
    monkeypatch.setattr(expectations, "LARGE", large)
    right = softmax_of(X)
    public = {"ecosystem": True, "statistical": True}
    assert passes(specs, right) == {"strict": True, **public}
    assert passes(specs, np.nextafter(right, 1)) == {"strict": True, **public}
    assert passes(specs, right.astype(np.float32).astype(np.float64)) == {"strict": False, **public}
    for place in np.ndindex(right.shape):
        wrong = right.copy()
        wrong[place] *= 1 + 2.0**-40
        assert not passes(specs, wrong)["strict"], place


def test_subnormal_doubles_are_known_in_long_double() -> None:
    """What a device may flush is what is subnormal in the tensor's type."""
    x = np.array([0.0, 5e-324, -(2.0**-1023), 2.0**-1022, 1.0, np.inf])
    assert is_subnormal(x.astype(np.longdouble)).tolist() == [False, True, True, *[False] * 3]
