# SPDX-License-Identifier: Apache-2.0
"""Rounding bias is found where it is, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.judge.bias import (
    BLAMED,
    DIRECTIONS,
    LEAST_ELEMENTS,
    SAMPLED,
    Rounding,
    measure_rounding,
    pool,
)
from aclnn_cts.judge.standards import STANDARDS, Figures
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict, with_bias
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

Mode = Callable[[FloatArray], FloatArray]
MODES: dict[str, Mode] = {"truncated": np.trunc, "up": np.ceil, "down": np.floor}


def floating(dtype: str) -> FloatFormat:
    found = DATA_TYPES[dtype].floating
    assert found is not None
    return found


def half_away(values: FloatArray) -> FloatArray:
    return np.asarray(np.sign(values) * np.floor(np.abs(values) + 0.5))


def away(values: FloatArray) -> FloatArray:
    return np.asarray(np.sign(values) * np.ceil(np.abs(values)))


def random_values(seed: int, count: int) -> FloatArray:
    return np.asarray(np.random.default_rng(seed).uniform(-5, 5, count))


@dataclass(frozen=True)
class Budget:
    """Relative errors of each element's own, and of a factor that all share, in an output type."""

    dtype: str
    own: float = 0.0
    shared: float = 0.0

    @property
    def output(self) -> FloatFormat:
        """How the output type rounds."""
        return floating(self.dtype)


def expectation(value: FloatArray, budget: Budget) -> Expected:
    expected = replace(Expected.blank(value.shape), shared=budget.shared)
    expected.value[...] = value
    expected.own[...] = np.abs(value) * budget.own
    expected.allowed[...] = np.uint8(Outcome.VALUE)
    expected.tolerance[...] = ulp_at(value, budget.output)
    expected.reached[...] = 1
    expected.contested[...] = expected.undecided[...] = False
    return expected


def rounded(value: FloatArray, budget: Budget, mode: Mode) -> FloatArray:
    """Round to the grid of the type; within the range of the tests that is the type's rounding."""
    ulp = ulp_at(np.ascontiguousarray(value), budget.output)
    return np.asarray(mode(value / ulp) * ulp)


def measured(
    value: FloatArray, budget: Budget, mode: Mode, computed: FloatArray | None = None
) -> Rounding | None:
    """Measure exact values against what comes back if they, or ``computed``, are rounded."""
    actual = rounded(value if computed is None else computed, budget, mode)
    return measure_rounding("out", budget.dtype, actual, expectation(value, budget))


def is_biased(found: Rounding | None) -> bool:
    assert found is not None
    return any(found.is_biased(direction) for direction in DIRECTIONS)


SHARP = {dtype: Budget(dtype, own=28 * 2.0**-24) for dtype in ("float16", "bfloat16")}
SHARP["float32"] = Budget("float32")


@pytest.mark.parametrize("dtype", SHARP)
@pytest.mark.parametrize("mode", [*MODES.values(), away])
def test_directed_rounding_is_found(dtype: str, mode: Mode) -> None:
    """Toward zero, away from it, up and down: each within one ulp, and each a bias."""
    values = random_values(1, 600)
    budget = SHARP[dtype]
    actual = rounded(values, budget, mode)
    assert (np.abs(actual - values) < ulp_at(values, budget.output)).all()
    assert is_biased(measured(values, budget, mode))


@pytest.mark.parametrize("dtype", SHARP)
@pytest.mark.parametrize("seed", range(20))
def test_rounding_to_nearest_is_no_bias(dtype: str, seed: int) -> None:
    """Whatever the data; halves may go to even or away from zero."""
    values = random_values(seed, 600)
    for mode in (np.rint, half_away):
        assert not is_biased(measured(values, SHARP[dtype], mode))


def test_halves_do_not_count() -> None:
    """Exact halves go away from zero without a bias being found; they are left out."""
    values = np.asarray(1 + (np.arange(200, dtype=np.float64) + 0.5) * 2.0**-10)
    assert measured(values, SHARP["float16"], half_away) is None
    assert measured(np.floor(values * 4), SHARP["float16"], np.trunc) is None  # nothing is rounded


SCALED = Budget("float16", shared=2.0**-11)
"""Of an operator that multiplies by a factor that may be rounded to float16 first."""


@pytest.mark.parametrize("error", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_a_shared_factor_is_not_blamed(error: float) -> None:
    """The same relative error in all elements is taken out; truncation beside it is still found."""
    values = random_values(3, 6000)
    computed = values * (1 + error * 2.0**-11)
    assert not is_biased(measured(values, SCALED, np.rint, computed))
    assert is_biased(measured(values, SCALED, np.trunc, computed))


def test_what_the_budget_allows_is_not_blamed() -> None:
    """Elements whose own intermediate roundings may add up to more than 1/8 ulp do not count."""
    values = random_values(4, 600)
    wide = replace(SHARP["float32"], own=3 * 2.0**-24)
    assert measured(values, wide, np.trunc) is None
    drifting = values * (1 + 28 * 2.0**-24)
    assert not is_biased(measured(values, SHARP["float16"], np.rint, drifting))


def test_what_keeps_few_digits_is_not_blamed() -> None:
    """1 + e in a narrow type is off to one side where few of e's digits remain, however rounded."""
    sharp = SHARP["bfloat16"]
    terms = np.exp(np.random.default_rng(7).uniform(-9, 0, 12000))
    kept = rounded(1 + terms, sharp, np.rint)
    values = np.log1p(terms)
    expected = expectation(values, sharp)
    for mode, biased in ((np.rint, False), (np.trunc, True)):
        actual = rounded(np.log(kept), sharp, mode)
        expected.tolerance[...] = ulp_at(values, sharp.output)
        assert is_biased(measure_rounding("out", "bfloat16", actual, expected))
        expected.tolerance[...] += np.abs(
            np.log1p(ulp_at(1 + terms, sharp.output) / 2 / (1 + terms))
        )
        assert is_biased(measure_rounding("out", "bfloat16", actual, expected)) is biased


def test_equal_errors_are_no_further_evidence() -> None:
    """Repeated values count once in a case, equal cases once in a run."""
    few = random_values(5, 20)
    found = measured(np.tile(few, 50), SHARP["float16"], np.trunc)
    assert found is not None
    assert found.elements == 20
    assert not is_biased(found)
    assert pool([found] * 50).elements == 20
    others = [measured(random_values(seed, 20), SHARP["float16"], np.trunc) for seed in range(50)]
    together = pool([other for other in others if other is not None])
    assert together.elements > LEAST_ELEMENTS
    assert is_biased(together)


@pytest.mark.parametrize("outcome", [Outcome.ANY, Outcome.VALUE | Outcome.ZERO, Outcome.ZERO])
def test_only_promised_values_count(outcome: Outcome) -> None:
    """Where anything but the value may come back, an error is none of rounding."""
    values = random_values(6, 300)
    expected = expectation(values, SHARP["float16"])
    expected.allowed[...] = np.uint8(outcome)
    actual = rounded(values, SHARP["float16"], np.trunc)
    assert measure_rounding("out", "float16", actual, expected) is None


def verdict(case: str, part: Rounding | None, *, strict: bool = True) -> CaseVerdict:
    figures = Figures(strict, 1, 1, 0, -1, "out", 1.0, 0, 0, 0, 0, 0, 0, 0)
    return CaseVerdict(
        case,
        "aclnnLogitGrad",
        Verdict.PASS if strict else Verdict.FAIL,
        standards=dict.fromkeys(STANDARDS, figures),
        rounding=() if part is None else (part,),
    )


def test_a_bias_fails_the_cases_that_show_it_best() -> None:
    """Pooled over cases none of which suffices alone; the value clause is broken, and told why."""
    specs = load_specs(find_suite())
    sizes = (15, 20, 40, 50, 10, 35)
    parts = [measured(random_values(n, n), SHARP["float16"], np.trunc) for n in sizes]
    assert not any(is_biased(part) for part in parts)
    verdicts = [verdict(f"case-{n}", part) for n, part in zip(sizes, parts, strict=True)]
    told, figures = with_bias(verdicts, specs, "strict")
    blamed = {found.case for found in told if found.verdict is Verdict.FAIL}
    assert blamed == {"case-50", "case-40", "case-35"}
    assert len(blamed) == BLAMED
    for found in told:
        assert (found.broken == ("formula",)) == (found.case in blamed)
        assert found.standards["strict"].passed == (found.case not in blamed)
    assert "toward zero" in told[3].message
    assert "170 float16 elements" in told[3].message
    assert [(one.elements, one.biased) for one in figures] == [(170, True)]


def test_other_standards_are_told_and_not_failed() -> None:
    """The public standards know no bias; a case that breaks the budget itself is not pooled."""
    specs = load_specs(find_suite())
    part = measured(random_values(9, 600), SHARP["float16"], np.trunc)
    told, _ = with_bias([verdict("one", part)], specs, "ecosystem")
    assert told[0].verdict is Verdict.PASS
    assert any("bias" in remark for remark in told[0].remarks)
    wrong, figures = with_bias([verdict("one", part, strict=False)], specs, "strict")
    assert wrong[0].message == ""
    assert figures == ()


def test_values_that_are_not_mixed_do_not_count() -> None:
    """A factor just above 1 makes fractions grow with the magnitude: no device is blamed for it."""
    budget = Budget("float32", shared=2 * 2.0**-24)
    stored = random_values(11, 6000).astype(np.float32).astype(np.float64)
    for scale in (1.0000001, 1 + 2.0**-23):
        computed = stored * float(np.float32(scale))
        found = measured(stored * scale, budget, np.rint, computed)
        assert found is None or not is_biased(found)
    assert measured(stored * 1.0000001, budget, np.rint) is None


def test_cases_pool_what_they_say() -> None:
    """Counts, lengths, sums and squares add up, clauses unite; the same errors count once."""
    budget = Budget("float32")
    parts = []
    for seed, clause in ((1, 0b001), (2, 0b100), (1, 0b001)):
        value = random_values(seed, LEAST_ELEMENTS)
        expected = expectation(value, budget)
        expected.reached[...] = clause
        found = measure_rounding("out", "float32", rounded(value, budget, np.rint), expected)
        assert found is not None
        parts.append(found)
    whole = pool(parts)
    first, second, _ = parts
    assert (whole.output, whole.dtype) == ("out", "float32")
    assert whole.elements == first.elements + second.elements
    assert whole.reached == 0b101
    assert whole.squares == first.squares + second.squares
    for name in ("lengths", "sums"):
        pairs = zip(getattr(first, name), getattr(second, name), strict=True)
        assert getattr(whole, name) == tuple(one + other for one, other in pairs)


@pytest.mark.parametrize(
    ("mode", "side", "sign"),
    [
        (np.trunc, "toward zero", (1, 0)),
        (away, "away from zero", (-1, 0)),
        (np.ceil, "upward", (0, 1)),
        (np.floor, "downward", (0, -1)),
    ],
)
def test_the_side_is_named(mode: Mode, side: str, sign: tuple[int, int]) -> None:
    """The sentence names the side to which results lean, the figures by how much and whither."""
    specs = load_specs(find_suite())
    part = measured(random_values(9, 2000), SHARP["float16"], mode)
    told, (figures,) = with_bias([verdict("one", part)], specs, "strict")
    assert f"ulp {side}, " in told[0].message
    assert "is rounded with a bias: over 2000 float16 elements" in told[0].message
    assert told[0].kinds == {"value"}
    assert (figures.operator, figures.output, figures.dtype) == ("aclnnLogitGrad", "out", "float16")
    for mean, lean in zip((figures.toward_zero, figures.up), sign, strict=True):
        assert mean * lean > 0.4 if lean else abs(mean) < 0.1


def test_only_the_strict_standard_is_broken() -> None:
    """The public standards' figures stay as they are, and what else was said stays, too."""
    specs = load_specs(find_suite())
    part = measured(random_values(9, 2000), SHARP["float16"], np.trunc)
    before = replace(verdict("one", part), message="before", broken=("formula", "x-zero-or-one"))
    (told,), _ = with_bias([before], specs, "strict")
    assert [told.standards[name].passed for name in STANDARDS] == [False, True, True]
    assert told.message.startswith("before; out is rounded with a bias")
    assert told.broken == ("formula", "x-zero-or-one")


def test_of_large_outputs_some_elements_are_looked_at() -> None:
    """They lie all over the output, at equal distances."""
    size = 3 * SAMPLED + 1
    value = random_values(3, size)
    budget = SHARP["float16"]
    expected = expectation(value, budget)
    expected.reached[...] = 0
    expected.reached[::4] = 2
    found = measure_rounding("out", "float16", rounded(value, budget, np.rint), expected)
    assert found is not None
    assert SAMPLED // 2 < found.elements <= SAMPLED
    assert found.reached == 2


def test_the_standard_error_by_hand() -> None:
    """What the bias leaves of the squares, per element, over the direction's length."""
    count = LEAST_ELEMENTS
    found = Rounding("out", "float32", count, (400.0, 100.0), (200.0, -20.0), 110.0)
    assert (found.bias("toward-zero"), found.bias("up")) == (0.5, -0.2)
    rest = 110.0 - 0.5**2 * 400.0
    assert found.error("toward-zero") == pytest.approx((rest / count / 400.0) ** 0.5)
    few = replace(found, elements=LEAST_ELEMENTS - 1)
    assert few.error("up") == float("inf")
    assert replace(found, lengths=(0.0, 1.0)).error("toward-zero") == float("inf")
    assert replace(found, lengths=(0.0, 1.0)).bias("toward-zero") == 0.0
