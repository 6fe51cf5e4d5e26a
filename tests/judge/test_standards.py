# SPDX-License-Identifier: Apache-2.0
"""The strict standard, and what all share, on arrays whose figures were worked out by hand."""

from __future__ import annotations

import math

import pytest
from tests.judge.comparing import PRECISION, ULP16, expectation, held, kept

from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, yardstick_of


def test_figures_by_hand() -> None:
    """Errors of 0, +1 and -3 ulps at 1, 1 and 2: each figure is the one worked out by hand."""
    expected = expectation([1.0, 1.0, 2.0], tolerance=ULP16)
    found = held([1.0, 1.0 + ULP16, 2.0 - 6 * ULP16], expected)
    strict = found.figures["strict"]
    assert (strict.passed, strict.failing, strict.first_failing) == (False, 1, 2)
    assert strict.max_abs_error == 6 * ULP16
    assert strict.worst_ulp == 3
    assert strict.mean_ulp == pytest.approx(-2 / 3)
    assert strict.matched_ratio == pytest.approx(2 / 3)
    relative = [0, ULP16 / (1 + 1e-7), 6 * ULP16 / (2 + 1e-7)]
    assert strict.mean_relative_error == pytest.approx(sum(relative) / 3)
    assert strict.max_relative_error == pytest.approx(relative[2])
    assert (strict.elements, strict.compared) == (3, 3)


def test_tolerance_itself_is_within_strict() -> None:
    """The strict standard rejects what is beyond the tolerance, not what is at it."""
    assert kept(held([1.0 + ULP16], expectation([1.0], tolerance=ULP16)))["strict"]
    assert not kept(held([1.0 + ULP16], expectation([1.0], tolerance=ULP16 * 0.999)))["strict"]


def test_types_without_a_row_must_be_exact() -> None:
    """The public standards do not name int32: only an exact result keeps them."""
    assert kept(held([7], expectation([7.0]), "int32")) == dict.fromkeys(STANDARDS, True)
    assert kept(held([8], expectation([7.0]), "int32")) == dict.fromkeys(STANDARDS, False)


def test_an_empty_output_keeps_every_standard() -> None:
    """There is no element that could be wrong."""
    found = held([], expectation([]))
    assert kept(found) == dict.fromkeys(STANDARDS, True)
    assert found.figures["strict"].elements == 0


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "bool"])
def test_types_without_public_numbers_must_be_exact(dtype: str) -> None:
    """Integers and bool: no tolerance at all, by any standard."""
    yardstick = yardstick_of(dtype, PRECISION)
    assert (yardstick.rtol, yardstick.atol) == (0.0, 0.0)
    assert (yardstick.hard_limit, yardstick.hard_limit_ulps) == (0.0, 0.0)
    assert yardstick.threshold == math.ulp(0.0)
    expected = expectation([1.0, 0.0, 1.0])
    assert all(kept(held([1, 0, 1], expected, dtype)).values())
    assert not any(kept(held([1, 1, 1], expected, dtype)).values())


def test_the_strict_standard_is_the_default() -> None:
    """It is the one that no wrong element passes."""
    assert DEFAULT_STANDARD == "strict"
    assert STANDARDS == ("strict", "ecosystem", "statistical")
