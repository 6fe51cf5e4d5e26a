# SPDX-License-Identifier: Apache-2.0
"""The three standards on arrays whose figures were worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.judge import comparison
from aclnn_cts.judge.comparison import BLOCK, Comparison, compare
from aclnn_cts.judge.standards import (
    DEFAULT_STANDARD,
    STANDARDS,
    Figures,
    worst,
    yardstick_of,
)
from aclnn_cts.spec.loading import read_model
from aclnn_cts.spec.models import PrecisionStandards
from aclnn_cts.suite import find_suite

PRECISION, _ = read_model(find_suite().specs / "precision.yaml", PrecisionStandards)
ULP16 = 2.0**-10
INF, NAN = float("inf"), float("nan")


def expectation(
    value: Iterable[float],
    allowed: Iterable[int] | None = None,
    tolerance: float = 0.0,
) -> Expected:
    """Return an expectation; all bits of ``reached`` are those of clause 0."""
    values = np.array(list(value), np.float64)
    expected = Expected.blank(values.shape)
    expected.value[...] = values
    expected.allowed[...] = 1 if allowed is None else np.array(list(allowed), np.uint8)
    expected.bound[...] = np.abs(values)
    expected.tolerance[...] = tolerance
    expected.reached[...] = 1
    expected.contested[...] = False
    return expected


def held(actual: Iterable[float], expected: Expected, dtype: str = "float16") -> Comparison:
    """Compare values of a type with an expectation."""
    kind: npt.DTypeLike = np.dtype(dtype)
    array: npt.NDArray[Any] = np.array(list(actual)).astype(kind)
    return compare("out", array, expected, yardstick_of(dtype, PRECISION))


def kept(comparison: Comparison) -> dict[str, bool]:
    return {name: comparison.figures[name].passed for name in STANDARDS}


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
    assert found.failures["strict"].reached == {1: 1}


def test_tolerance_itself_is_within_strict() -> None:
    """The strict standard rejects what is beyond the tolerance, not what is at it."""
    assert kept(held([1.0 + ULP16], expectation([1.0], tolerance=ULP16)))["strict"]
    assert not kept(held([1.0 + ULP16], expectation([1.0], tolerance=ULP16 * 0.999)))["strict"]


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
    """Every number of both public standards, for every type that they name and no other."""
    mixed, statistical = PRECISION.ecosystem, PRECISION.statistical
    assert set(mixed.tolerances) == set(statistical.thresholds) == set(PUBLISHED)
    for dtype, (rtol, atol, hard, mean) in PUBLISHED.items():
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


@pytest.mark.parametrize("wrong", [INF, -INF, NAN])
def test_a_value_that_is_not_finite_breaks_every_standard(wrong: float) -> None:
    """One Inf or NaN among 1000 elements where a number is promised is no matter of ratios."""
    actual = [1.0] * 999 + [wrong]
    found = held(actual, expectation([1.0] * 1000, tolerance=1.0))
    assert kept(found) == dict.fromkeys(STANDARDS, False)
    assert found.figures["strict"].first_failing == 999
    assert found.figures["strict"].max_abs_error == INF


@pytest.mark.parametrize(
    ("allowed", "got", "passes"),
    [
        (Outcome.POS_INF, INF, True),
        (Outcome.POS_INF, -INF, False),
        (Outcome.NEG_INF, -INF, True),
        (Outcome.INF, -INF, True),
        (Outcome.INF, NAN, False),
        (Outcome.INF, 65504.0, False),
        (Outcome.NAN, NAN, True),
        (Outcome.NAN, INF, False),
        (Outcome.NAN, 0.0, False),
        (Outcome.NON_FINITE, NAN, True),
        (Outcome.NON_FINITE, 1.0, False),
        (Outcome.ZERO, 0.0, True),
        (Outcome.ZERO, -0.0, True),
        (Outcome.ZERO, 0.5, False),
        (Outcome.ZERO, NAN, False),
        (Outcome.ZERO | Outcome.NAN, NAN, True),
        (Outcome.ZERO | Outcome.NAN, -0.0, True),
        (Outcome.ZERO | Outcome.NAN, 1.0, False),
        (Outcome.VALUE | Outcome.NAN, 1.0, True),
        (Outcome.VALUE | Outcome.NAN, 2.0, False),
        (Outcome.VALUE | Outcome.NAN, NAN, True),
        (Outcome.VALUE | Outcome.NAN, INF, False),
        (Outcome.VALUE | Outcome.ZERO, 0.0, True),
        (Outcome.VALUE | Outcome.ZERO, 1.0, True),
        (Outcome.VALUE | Outcome.ZERO, 0.5, False),
        (Outcome.VALUE, NAN, False),
        (Outcome.VALUE, 0.0, False),
    ],
)
def test_classes_under_every_standard(allowed: Outcome, got: float, *, passes: bool) -> None:
    """All standards allow the same classes; a NaN equals nothing but an allowed NaN."""
    for beside in ([1.0], [1.0, 1.0]):  # among ordinary elements, too
        expected = expectation([1.0, *beside], [int(allowed), *[1] * len(beside)])
        assert kept(held([got, *beside], expected)) == dict.fromkeys(STANDARDS, passes)


@given(
    st.integers(1, 30),
    st.sampled_from([1.0, 0.0, -0.0, INF, -INF, NAN, 3.0]),
    st.sampled_from([1.0, 0.0, INF, -INF, NAN]),
)
def test_nan_needs_permission(allowed: int, got: float, value: float) -> None:
    """Whatever is expected, a NaN passes only if NAN is allowed, an Inf only if that Inf is."""
    found = kept(held([got], expectation([value], [allowed], tolerance=1e-3)))
    needed = {INF: Outcome.POS_INF, -INF: Outcome.NEG_INF}.get(got, Outcome(0))
    needed = Outcome.NAN if math.isnan(got) else needed
    if needed:
        assert found == dict.fromkeys(STANDARDS, bool(allowed & needed))
    elif not allowed & (Outcome.VALUE | Outcome.ZERO):
        assert found == dict.fromkeys(STANDARDS, False)


def test_unpromised_elements_are_left_out_and_counted() -> None:
    """Of an element that may be anything nothing is measured, and the count says so."""
    anything = [int(Outcome.ANY)] * 3
    found = held([NAN, INF, 7.0, 1.0], expectation([1.0, NAN, INF, 1.0], [*anything, 1]))
    assert kept(found) == dict.fromkeys(STANDARDS, True)
    assert (found.unpromised, found.settled) == (3, 1)
    assert found.figures["ecosystem"].compared == 1
    assert found.figures["strict"].worst_ulp == 0


def test_allowed_infinities_do_not_dilute_the_mean() -> None:
    """The mean relative error is that of the elements that have one."""
    expected = expectation([INF, 1.0], [int(Outcome.POS_INF), 1])
    figures = held([INF, 1.0 + ULP16], expected).figures["statistical"]
    assert figures.mean_relative_error == pytest.approx(ULP16, rel=1e-6)


def test_blocks_add_up() -> None:
    """Elements beyond the first block count, keep their index, and tell their clauses."""
    size = 2 * BLOCK + 5
    expected = expectation(np.ones(size), tolerance=ULP16)
    expected.reached[-1] = 6
    actual = np.ones(size)
    actual[[BLOCK, size - 1]] = 2.0
    found = held(actual, expected)
    failures = found.failures["strict"]
    assert (failures.count, failures.first) == (2, (BLOCK, size - 1))
    assert failures.reached == {1: 1, 6: 1}
    assert (found.reached, found.settled) == (7, size)


@given(st.lists(st.floats(-100, 100, width=16), min_size=1, max_size=20), st.data())
def test_fast_and_general_ways_agree(values: list[float], data: st.DataObject) -> None:
    """An element is judged the same beside ordinary elements and beside an allowed NaN."""
    errors = data.draw(st.lists(st.integers(-3, 3), min_size=len(values), max_size=len(values)))
    allowed = data.draw(
        st.lists(st.sampled_from([1, 2, 3]), min_size=len(values), max_size=len(values))
    )
    actual = [v + e * ULP16 for v, e in zip(values, errors, strict=True)]
    alone = held(actual, expectation(values, allowed, tolerance=ULP16)).figures["strict"]
    with_nan = held(
        [*actual, NAN], expectation([*values, 1.0], [*allowed, 16], tolerance=ULP16)
    ).figures["strict"]
    assert (alone.failing, alone.first_failing) == (with_nan.failing, with_nan.first_failing)
    assert (alone.worst_ulp, alone.max_abs_error) == (with_nan.worst_ulp, with_nan.max_abs_error)
    assert alone.mean_relative_error == pytest.approx(with_nan.mean_relative_error)


def test_types_without_a_row_must_be_exact() -> None:
    """The public standards do not name int32: only an exact result keeps them."""
    assert kept(held([7], expectation([7.0]), "int32")) == dict.fromkeys(STANDARDS, True)
    assert kept(held([8], expectation([7.0]), "int32")) == dict.fromkeys(STANDARDS, False)


def test_an_empty_output_keeps_every_standard() -> None:
    """There is no element that could be wrong."""
    found = held([], expectation([]))
    assert kept(found) == dict.fromkeys(STANDARDS, True)
    assert found.figures["strict"].elements == 0


def test_worst_output_speaks_for_the_case() -> None:
    """A case keeps a standard only if every output does, and shows the worst figures."""
    good = held([1.0], expectation([1.0])).figures["strict"]
    bad = held([1.0, 1.5], expectation([1.0, 1.0])).figures["strict"]
    both = worst([good, bad])
    assert (both.passed, both.elements, both.failing, both.first_failing) == (False, 3, 1, 1)
    assert both.max_abs_error == 0.5
    assert next(iter(both.as_json())) == "pass"


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


def test_the_strict_standard_is_the_default() -> None:
    """It is the one that no wrong element passes."""
    assert DEFAULT_STANDARD == "strict"
    assert STANDARDS == ("strict", "ecosystem", "statistical")


def test_the_worst_of_a_case() -> None:
    """Counts add up, errors are the largest, the ratio the least; the bias keeps its sign."""

    def figures(*numbers: float, passed: bool, output: str) -> Figures:
        elements, compared, failing, first = map(int, numbers[:4])
        return Figures(passed, elements, compared, failing, first, output, *numbers[4:])

    one = figures(10, 8, 0, -1, 1.0, 1.0, 0.2, 0.3, 4.0, 0.5, -0.25, 0.3, passed=True, output="a")
    other = figures(
        20, 17, 3, 7, 0.85, 0.5, 0.1, 0.6, 2.0, 1.5, 0.125, 0.4, passed=False, output="b"
    )
    whole = figures(
        30, 25, 3, 7, 0.85, 1.0, 0.2, 0.6, 4.0, 1.5, -0.25, 0.4, passed=False, output="b"
    )
    assert worst([one, other]) == worst([other, one]) == whole
    assert worst([one]) == one
    assert next(iter(whole.as_json())) == "pass"
    assert whole.as_json() == {
        "pass": False, **{name: value for name, value in vars(whole).items() if name != "passed"}
    }  # fmt: skip


@pytest.mark.parametrize("block", [1, 7, 100, 999])
def test_figures_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """However the elements are cut, all counts and figures are those of the whole."""
    rng = np.random.default_rng(12)
    size = 1000
    value = rng.normal(size=size)
    expected = expectation(value, tolerance=ULP16)
    expected.allowed[...] = rng.choice(np.array([1, 1, 1, 2, 3, 16, 31], np.uint8), size)
    expected.contested[...] = rng.random(size) < 0.1
    expected.reached[...] = 1 << rng.integers(0, 3, size)
    actual = np.where(rng.random(size) < 0.2, value + 3 * ULP16, value)
    actual[expected.allowed == 16] = NAN
    actual[rng.random(size) < 0.1] = 0.0
    whole = held(actual, expected)
    monkeypatch.setattr(comparison, "BLOCK", block)
    cut = held(actual, expected)
    assert cut.failures == whole.failures
    assert whole.failures["strict"].count > 100
    for name in ("reached", "contested", "unpromised"):
        assert getattr(cut, name) == getattr(whole, name) > 0, name
    for standard in STANDARDS:
        one, other = cut.figures[standard].as_json(), whole.figures[standard].as_json()
        assert one.pop("output") == other.pop("output")
        assert one == pytest.approx(other)


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
