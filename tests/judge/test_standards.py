# SPDX-License-Identifier: Apache-2.0
"""The three standards, on arrays whose figures were worked out by hand: both sides of limits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from tests.judge.comparing import PRECISION, ULP16, expectation, held, kept

from aclnn_cts.judge.comparison import compare
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


def test_ecosystem_tolerates_one_percent() -> None:
    """1 of 100 elements may be beyond atol + rtol * |golden|, 2 of 100 may not."""
    limit = 2.0**-9 + 2.0**-9  # atol + rtol * 1
    one = [1.0 + limit] * 99 + [1.0 + limit + 2 * ULP16]
    assert kept(held(one, expectation([1.0] * 100)))["ecosystem"]
    two = [*one[1:], 1.0 + limit + 2 * ULP16]
    found = held(two, expectation([1.0] * 100)).figures["ecosystem"]
    assert (found.passed, found.failing, found.matched_ratio) == (False, 2, 0.98)


def test_ecosystem_hard_limit() -> None:
    """Beyond 1e-1 or 32 ulp, whichever is larger, a single float16 element breaks the standard."""
    many = [1.0] * 199
    assert kept(held([*many, 1.09], expectation([1.0] * 200)))["ecosystem"]
    assert not kept(held([*many, 1.11], expectation([1.0] * 200)))["ecosystem"]
    large = 1024.0  # an ulp is 1, so 32 are allowed
    assert kept(held([*many, large + 32], expectation([*many, large])))["ecosystem"]
    assert not kept(held([*many, large + 33], expectation([*many, large])))["ecosystem"]


PUBLISHED = {
    # rtol, atol, hard limit of the ecosystem standard (its table 2.2); mean of the statistical one.
    "float16": (2**-9, 2**-9, 1e-1, 2**-10),
    "bfloat16": (2**-6, 2**-6, 1.0, 2**-7),
    "float32": (2**-10, 2**-16, 1e-2, 2**-13),
    "hifloat32": (2**-9, 2**-10, 1e-1, 2**-11),
    "float8_e4m3": (2**-2, 2**-4, 1.0, 2**-3),
    "float8_e5m2": (2**-1, 2**-3, 1e-1, 2**-2),
}


def test_the_published_numbers() -> None:
    """Every number of both public standards; double, which neither names, has those of float32."""
    mixed, statistical = PRECISION.ecosystem, PRECISION.statistical
    numbers = PUBLISHED | {"double": PUBLISHED["float32"]}
    assert set(mixed.tolerances) == set(statistical.thresholds) == set(numbers)
    for dtype, (rtol, atol, hard, mean) in numbers.items():
        row = mixed.tolerances[dtype]
        assert (row.rtol, row.atol, row.hard_limit) == (rtol, atol, hard)
        assert statistical.thresholds[dtype] == mean
    assert (mixed.matched_ratio, mixed.hard_limit_ulps) == (0.99, 32)
    assert (statistical.floor, statistical.maximum_factor) == (1e-7, 10)


@pytest.mark.parametrize("hundreds", [1, 3, 7, 29, 123])
def test_exactly_99_percent_suffice(hundreds: int) -> None:
    """The ratio must be at least 0.99: one more element beyond the tolerance is too many."""
    size = 100 * hundreds
    for wrong, passes in ((hundreds, True), (hundreds + 1, False)):
        actual = np.ones(size)
        actual[:wrong] += 2**-7
        figures = held(actual, expectation(np.ones(size))).figures["ecosystem"]
        assert figures.passed is passes
        assert figures.matched_ratio == (size - wrong) / size


def test_an_error_of_exactly_the_mixed_tolerance_matches() -> None:
    """|actual - golden| <= atol + rtol * |golden|: equality passes, one ulp more does not."""
    limit = 2**-9 + 2**-9
    for error, matched in ((limit, 1.0), (limit + ULP16, 0.0)):
        figures = held([1.0 + error], expectation([1.0])).figures["ecosystem"]
        assert figures.matched_ratio == matched


@pytest.mark.parametrize(
    ("golden", "error", "passes"),
    [
        (16.0, 2**-6 * 6, True),  # 0.09375 of at most 0.1; 32 ulp are 0.5
        (16.0, 2**-6 * 32, True),  # 32 ulp exactly, above 0.1
        (16.0, 2**-6 * 33, False),
        (1.0, 2**-10 * 102, True),  # 0.0996; 32 ulp are 0.03125
        (1.0, 2**-10 * 103, False),
    ],
)
def test_the_larger_of_hard_limit_and_32_ulp(golden: float, error: float, passes: bool) -> None:  # noqa: FBT001
    """One element in a thousand is beyond the tolerance; the hard limit alone decides."""
    values = np.full(1000, golden)
    actual = values.copy()
    actual[7] += error
    assert held(actual, expectation(values)).figures["ecosystem"].passed is passes


def test_the_hard_limit_is_no_part_of_the_ratio() -> None:
    """An element within the mixed tolerance counts as matched, even beyond the hard limit."""
    figures = held([16000.0 + 1024], expectation([16000.0]), "bfloat16").figures["ecosystem"]
    assert figures.matched_ratio == 0.0  # beyond both
    mixed = expectation([2.0**20])
    figures = held([2.0**20 + 512], mixed, "float32").figures["ecosystem"]
    assert figures.matched_ratio == 1.0
    assert not figures.passed  # 512 is above 0.01 and above 32 ulp, which are 4
    assert figures.failing == 1


def test_statistical_thresholds_are_exclusive() -> None:
    """A mean of exactly the threshold, or a maximum of exactly ten times it, does not pass."""
    yardstick = replace(yardstick_of("float16", PRECISION), floor=0.0)

    def passes(errors: npt.NDArray[np.float64]) -> bool:
        values = np.ones(len(errors))
        found = compare("out", values + errors, expectation(values), yardstick)
        return found.figures["statistical"].passed

    assert not passes(np.array([2**-10]))
    assert passes(np.array([2**-10 - 2**-40]))
    single = np.zeros(1000)
    single[7] = 10 * 2**-10
    assert not passes(single)
    assert passes(single - 2**-40)


def test_statistical_thresholds() -> None:
    """The mean must stay below 2^-10 and the maximum below ten times as much, for float16."""
    ones = [1.0] * 100
    assert kept(held([*ones[1:], 1 + 9 * ULP16], expectation(ones)))["statistical"]
    found = held([*ones[1:], 1 + 11 * ULP16], expectation(ones)).figures["statistical"]
    assert (found.passed, found.failing, found.first_failing) == (False, 1, 99)
    mean = held([1 + 2 * ULP16] * 100, expectation(ones)).figures["statistical"]
    assert (mean.passed, mean.failing) == (False, 0)


def test_numbers_of_the_precision_file() -> None:
    """A floating type is measured with what specs/precision.yaml says of it."""
    yardstick = yardstick_of("float16", PRECISION)
    mixed = PRECISION.ecosystem.tolerances["float16"]
    assert (yardstick.rtol, yardstick.atol) == (mixed.rtol, mixed.atol)
    assert yardstick.hard_limit == mixed.hard_limit
    assert yardstick.hard_limit_ulps == PRECISION.ecosystem.hard_limit_ulps
    assert yardstick.matched_ratio == PRECISION.ecosystem.matched_ratio
    assert yardstick.floor == PRECISION.statistical.floor
    assert yardstick.threshold == PRECISION.statistical.thresholds["float16"]
    assert yardstick.maximum == yardstick.threshold * PRECISION.statistical.maximum_factor


def test_the_statistical_standard_stops_at_its_limits() -> None:
    """Mean and largest relative error must stay below their limits; at one, it is broken."""
    yardstick = replace(yardstick_of("float16", PRECISION), floor=0.0, threshold=1.0, maximum=0.5)
    actual = np.array([1.5, 1.0], np.float16)
    found = compare("out", actual, expectation([1.0, 1.0]), yardstick)
    assert not found.figures["statistical"].passed
    assert found.failures["statistical"].count == 1
    roomy = replace(yardstick, maximum=0.75)
    assert compare("out", actual, expectation([1.0, 1.0]), roomy).figures["statistical"].passed
    tight = replace(roomy, threshold=0.25)
    assert not compare("out", actual, expectation([1.0, 1.0]), tight).figures["statistical"].passed


def test_beyond_the_hard_limit_is_no_mismatch() -> None:
    """The ratio counts what matches, and the limit is a condition of its own."""
    yardstick = replace(
        yardstick_of("float32", PRECISION), rtol=0.5, atol=0.0, hard_limit=10.0, hard_limit_ulps=1.0
    )
    golden = [100.0, 1.0, 1.0, 1.0]
    actual = np.array([120.0, 1.0, 4.0, 1.0], np.float32)  # matches beyond it; does not match
    found = compare("out", actual, expectation(golden), yardstick)
    assert found.figures["ecosystem"].matched_ratio == 0.75
    assert found.failures["ecosystem"].count == 2
    assert not found.figures["ecosystem"].passed
    lenient = replace(yardstick, matched_ratio=0.75)
    assert not compare("out", actual, expectation(golden), lenient).figures["ecosystem"].passed
    actual[0] = 110.0  # at the limit
    assert compare("out", actual, expectation(golden), lenient).figures["ecosystem"].passed
    assert compare("out", actual, expectation(golden), lenient).failures["ecosystem"].count == 1
