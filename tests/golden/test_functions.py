# SPDX-License-Identifier: Apache-2.0
"""Functions of formulas: the error of a result covers every operand within that of the operand."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from aclnn_cts.golden.arithmetic import FLOAT64
from aclnn_cts.golden.functions import FUNCTIONS

OF_TWO = ("max", "min", "with_sign", "remainder", "fmod", "power")

OF_ONE = sorted({*FUNCTIONS} - {*OF_TWO, "host", "narrowed"})
"""Of one number that is no scalar."""


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("off", [0.0, 1e-6, 0.03, 0.9])
def test_errors_cover_all_operands_within_theirs(name: str, off: float) -> None:
    """Where neither result is Inf or NaN."""
    draw = np.random.default_rng(5)
    values = np.concatenate([draw.uniform(-1.2, 1.2, 500), draw.normal(0, 4, 500), [0, -1, 1, 0.5]])
    function = FUNCTIONS[name]
    with np.errstate(all="ignore"):
        result = function(replace(FLOAT64.exact(values), error=np.full(values.shape, off))).result
        for share in (-1, -0.5, 0, 0.5, 1):
            moved = function(FLOAT64.exact(values + share * off)).result
            allowed = 1.001 * (result.total + moved.total) + 1e-14 * np.abs(moved.value)
            near = np.abs(moved.value - result.value) <= allowed
            is_open = ~np.isfinite(moved.value) | ~np.isfinite(result.value)
            assert (near | is_open).all()


@pytest.mark.parametrize("name", ["remainder", "fmod"])
def test_remainders_are_exact_though_quotients_are_not(name: str) -> None:
    x = FLOAT64.exact(np.array([1e18, -7.0, 7.0, -0.1, 5.0]))
    y = FLOAT64.exact(np.array([0.3, 3.0, -3.0, np.inf, 0.0]))
    with np.errstate(all="ignore"):
        found = FUNCTIONS[name](x, y).result
    exact = np.array(
        [math.fmod(a, b) if b else np.nan for a, b in zip(x.value, y.value, strict=True)]
    )
    if name == "remainder":
        exact = np.where((exact != 0) & ((exact < 0) != (y.value < 0)), exact + y.value, exact)
    np.testing.assert_array_equal(found.value, exact)
    assert np.asarray(found.total)[0] > 1


@pytest.mark.parametrize("off", [0.0, 1e-6, 0.03])
def test_errors_of_powers_cover_both_operands(off: float) -> None:
    """Also those of negative numbers to whole powers, and of 0."""
    draw = np.random.default_rng(5)
    x = np.concatenate([draw.uniform(0.1, 5, 500), -draw.uniform(0.1, 5, 500), [0, 0, -1, 1]])
    y = np.concatenate([draw.uniform(-5, 5, 500), draw.integers(-5, 6, 500), [0, 2, 3, 0.5]])
    errors = [np.where(x != 0, off, 0.0), np.where(x > 0, off, 0.0)]
    numbers = [replace(FLOAT64.exact(v), error=e) for v, e in zip((x, y), errors, strict=True)]
    with np.errstate(all="ignore"):
        result = FUNCTIONS["power"](*numbers).result
    np.testing.assert_array_equal(result.value, np.power(x, y))
    for shares in itertools.product((-1, 0, 1), repeat=2):
        moved = [v + s * e for v, s, e in zip((x, y), shares, errors, strict=True)]
        off_by = np.abs(np.power(*moved) - result.value)
        assert (off_by <= 1.001 * result.total + 1e-13 * np.abs(result.value)).all()


def test_a_power_has_either_sign_if_its_exponent_may_be_rounded() -> None:
    """An exponent of many digits may be odd, and even in the type in which a device computes."""
    x = FLOAT64.exact(np.array([-1.0, -1.0, 1.0]))
    y = FLOAT64.exact(np.array([2.0**31 - 1, 3.0, 2.0**31 - 1]))
    with np.errstate(all="ignore"):
        power = FUNCTIONS["power"](x, replace(y, error=np.array([1.0, 2.0**-20, 1.0]))).result
    np.testing.assert_array_equal(power.value, [-1, -1, 1])
    np.testing.assert_array_equal(np.asarray(power.total) >= 2, [True, False, False])


@pytest.mark.parametrize(("name", "limits"), [("sin", "nan nan"), ("atan", "-1.57 1.57")])
def test_infinities(name: str, limits: str) -> None:
    with np.errstate(all="ignore"):
        value = FUNCTIONS[name](FLOAT64.exact(np.array([-np.inf, np.inf]))).result.value
    np.testing.assert_allclose(value, [float(limit) for limit in limits.split()], atol=1e-2)
