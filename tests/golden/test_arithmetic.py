# SPDX-License-Identifier: Apache-2.0
"""Each operation states what the allowances give, and rounds once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number, select
from aclnn_cts.golden.expected import FloatArray, Outcome
from aclnn_cts.golden.tolerances import tolerance_of, value_outcome
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.loading import SpecSet

FLOAT32, FLOAT16 = FloatFormat(23, -126, 127), FloatFormat(10, -14, 15)
BFLOAT16 = FloatFormat(7, -126, 127)
ULP = 2.0**-23
"""Of float32 at 1."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


def arithmetic(specs: SpecSet, *ids: str, storage: FloatFormat = FLOAT32) -> Arithmetic:
    return Arithmetic.of((specs.allowances[name] for name in ids), FLOAT32, storage)


def device(*allowed: str, storage: FloatFormat = FLOAT32) -> Arithmetic:
    return Arithmetic(FLOAT32, storage, frozenset(allowed))


def error(number: Number) -> float:
    return float(np.max(number.result.total))


def classes(number: Number) -> Outcome:
    bits = number.result.extremes
    return Outcome(0) if bits is None else Outcome(int(np.max(bits)))


@pytest.mark.parametrize(
    ("value", "off", "whole", "error_of_whole"),
    [
        (2.5, 0.25, 2.0, 0.0),
        (-2.5, 0.25, -2.0, 0.0),
        (3.0, 0.25, 3.0, 1.0),
        (3.0, 2.0**-52, 3.0, 0.0),
        (-0.5, 0.75, 0.0, 1.0),
    ],
)
def test_a_truncated_number_may_lie_beyond_an_integer(
    value: float, off: float, whole: float, error_of_whole: float
) -> None:
    """The fraction is cut off towards 0; an error that reaches another integer is one of 1."""
    number = replace(device().exact(np.array([value])), error=np.array([off])).truncate()
    assert number.value == whole
    assert error(number) == error_of_whole


@pytest.mark.parametrize(
    ("value", "allowed", "off"),
    [
        (0.5, ["scalars-in-own-type"], 0.0),
        (2.0**-12 + 1, ["scalars-in-own-type"], 2.0**-11 * (1 + 2.0**-12)),
        (2.0**-12 + 1, [], 0.0),
        (2.0**-30 + 1, [], 2.0**-24 * (1 + 2.0**-30)),
    ],
)
def test_a_scalar_may_be_converted(
    specs: SpecSet, value: float, allowed: list[str], off: float
) -> None:
    """To the computing type always, to the tensors' own where that is allowed; exact if it fits.

    The error is the same for all elements, so it is no element's own.
    """
    number = arithmetic(specs, *allowed, storage=FLOAT16).scalar(value)
    assert error(number) == pytest.approx(off, rel=1e-6)
    assert number.share == pytest.approx(off / value, rel=1e-6)
    assert float(np.max(number.error)) == 0
    assert error(FLOAT64.scalar(value)) == 0


def test_a_scalar_may_have_the_type_of_the_output(specs: SpecSet) -> None:
    """Its error is that of the narrower type of tensors and output, not the sum of both."""
    on = arithmetic(specs, "scalars-in-own-type", storage=BFLOAT16)
    value, coarse = 1.0 + 2.0**-12, 2.0**-8 * (1 + 2.0**-12)
    assert error(on.scalar(value)) == pytest.approx(coarse, rel=1e-6)
    assert error(replace(on, output=FLOAT16).scalar(value)) == pytest.approx(coarse, rel=1e-6)
    fine = replace(on, storage=on.computing, output=FLOAT16)
    assert error(fine.scalar(value)) == pytest.approx(coarse / 8, rel=1e-6)
    assert error(replace(fine, allowed=frozenset({"float32-or-wider"})).scalar(value)) == 0


@pytest.mark.parametrize(
    ("operation", "ulps"),
    [
        (lambda n: n + n.on.exact(0.25), 0.5),
        (lambda n: n - n.on.exact(-0.25), 0.5),
        (lambda n: n * n.on.exact(1.25), 0.5),
        (lambda n: n / n.on.exact(0.8), 1.5),
        (lambda n: (n * n.on.exact(0.0)).exp(), 2.5),
        (lambda n: n.sqrt(), 2.5),
    ],
)
def test_ulps_of_an_operation(
    specs: SpecSet, operation: Callable[[Number], Number], ulps: float
) -> None:
    """Of exact operands an operation is off by the ulps of its allowance, and by nothing else."""
    on = arithmetic(
        specs, "float32-or-wider", "division-within-one-ulp", "functions-within-two-ulps"
    )
    result = operation(on.exact(np.array([1.0])))
    tolerance, own = tolerance_of(result, FLOAT32)
    assert tolerance[0] == pytest.approx(ulps * ULP, rel=1e-6)
    assert float(np.max(own)) == pytest.approx((ulps - 0.5) * ULP, rel=1e-6)


def test_the_last_rounding_counts_once() -> None:
    """If the output has the computing type, the operation's rounding is that into the output."""
    product = device().exact(np.array([1.5])) * device().exact(1.25)
    assert tolerance_of(product, FLOAT32)[0][0] == 0.5 * ULP
    # Into a narrower type the result is rounded a second time.
    narrow, own = tolerance_of(product, FLOAT16)
    assert narrow[0] == pytest.approx(0.5 * 2.0**-10 + 0.5 * ULP)
    assert float(np.max(own)) == 0.5 * ULP


def test_errors_of_operands_are_passed_on() -> None:
    """A sum of two products has the errors of both beside its own rounding."""
    on = device()
    one = on.exact(np.array([1.0]))
    total = one * on.exact(1.5) + one * on.exact(-1.25)
    assert error(total) == pytest.approx((1.5 + 1.25 + 0.25) * 2.0**-24, rel=1e-6)


def test_what_is_stored_is_rounded_to_the_storage_type() -> None:
    """An intermediate result in float16 is off by half an ulp of it, which is not a bias."""
    on = device("intermediates-in-own-type", storage=FLOAT16)
    stored = (on.exact(np.array([1.0])) * on.exact(1.25)).store().result
    assert error(stored) == pytest.approx(1.25 * (2.0**-11 + 2.0**-24), rel=1e-3)
    assert float(np.max(stored.error)) <= 1.26 * 2.0**-24
    assert error((on.exact(np.array([1.0])) * on.exact(1.25)).result) < 2.0**-23


def test_an_integer_that_fits_is_converted_without_error() -> None:
    """float32 has 24 digits: of integers beyond 2^24 it keeps the nearest that it has."""
    on = replace(device(), integers=True)
    total = np.asarray(on.convert(np.array([1.0, -(2.0**24), 2.0**24 + 1])).result.total)
    assert total[:2].tolist() == [0.0, 0.0]
    assert total[2] >= 1.0


def test_a_stored_addend_has_a_bias() -> None:
    """Rounded to float16 once for a whole call, it moves all elements to one side."""
    on = device("intermediates-in-own-type", storage=FLOAT16)
    addend = (on.round_scalar(1.1) * on.round_scalar(1.2)).store().addend()
    shifted = (on.exact(np.array([1.0])) + addend).result
    assert float(np.max(shifted.spread)) == 0.0
    assert float(np.max(shifted.error)) >= 1.32 * 2.0**-11


@pytest.mark.parametrize("allowed", [(), ("intermediates-in-own-type",)])
def test_only_the_allowance_and_a_narrower_type_make_storage_matter(
    allowed: tuple[str, ...],
) -> None:
    """Without the allowance, or with tensors of the computing type, nothing is rounded twice."""
    on = device(*allowed, storage=FLOAT16 if not allowed else FLOAT32)
    product = on.exact(np.array([1.0])) * on.exact(1.25)
    assert error(product.store()) == error(product)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [(6e4, Outcome(0)), (7e4, Outcome.POS_INF), (-7e4, Outcome.NEG_INF), (math.nan, Outcome.NAN)],
)
def test_storage_may_overflow(value: float, outcome: Outcome) -> None:
    """A product beyond float16 may be Inf with its sign, where it is stored; else it is not."""
    on = device("intermediates-in-own-type", storage=FLOAT16)
    product = on.exact(np.array([value])) * on.exact(1.0)
    assert classes(product.store()) == outcome
    assert classes(product) == (outcome & Outcome.NAN)


@pytest.mark.parametrize("flushes", [False, True])
def test_a_subnormal_result_may_be_flushed(*, flushes: bool) -> None:
    """It is off by half an ulp; with the allowance it may be 0 instead, and nothing in between."""
    on = device(*(["subnormals-flushed"] if flushes else []))
    small = on.exact(np.array([2.0**-120])) * on.exact(2.0**-10)
    assert (error(small), classes(small)) == (2.0**-150, Outcome.ZERO if flushes else Outcome(0))
    normal = on.exact(np.array([2.0**-110])) * on.exact(2.0**-10)
    assert error(normal) == 2.0**-144


def test_a_denominator_that_may_be_flushed_may_give_infinity() -> None:
    """1 / 2^-126 is finite; with a denominator that is subnormal, it may be Inf."""
    for allowed, outcome in (((), Outcome(0)), (("subnormals-flushed",), Outcome.INF)):
        on = device(*allowed)
        denominator = on.exact(np.array([2.0**-120])) * on.exact(2.0**-7)
        assert classes(on.exact(2.0**-100) / denominator) == outcome


def test_the_smallest_double_is_rounded() -> None:
    """Half of it is no float64, in which nothing of double is worked out."""
    on = Arithmetic(FLOAT64.computing, FLOAT64.computing, real=np.longdouble)
    small = on.exact(np.array([5e-324], np.longdouble)) * on.exact(1.75)
    assert np.max(small.result.total) * 2 == np.longdouble(5e-324)


def test_a_product_below_half_of_the_smallest_number_is_0(specs: SpecSet) -> None:
    """Rounded to nearest it is 0, in a wider type it keeps its digits; a function may be off."""
    on = arithmetic(specs, "float32-or-wider", "functions-within-two-ulps")
    small = on.exact(np.array([1e-30])) * on.exact(1e-30)
    assert error(small) < 1e-66
    assert classes(small) == Outcome.ZERO
    assert error(on.exact(np.array([-200.0])).exp()) >= 2.0**-150


@pytest.mark.parametrize("ids", [(), ("division-by-reciprocal",)])
@pytest.mark.parametrize("storage", [FLOAT32, FLOAT16])
def test_quotients_below_the_normal_range(
    specs: SpecSet, ids: tuple[str, ...], storage: FloatFormat
) -> None:
    """They are off by 1.5 of the smallest number, also where a reciprocal is allowed."""
    names = (*ids, "division-within-one-ulp", "intermediates-in-own-type")
    on = arithmetic(specs, *names, storage=storage)
    smallest = storage.smallest_subnormal
    quotient = on.exact(np.array([3 * smallest])) / on.exact(1.0)
    assert error(quotient.store()) >= 1.5 * smallest


@pytest.mark.parametrize("saturates", [False, True])
@pytest.mark.parametrize("factor", [10.0, 1e300])
def test_what_overflows(*, saturates: bool, factor: float) -> None:
    """Its reciprocal is 0, or not 0 where it saturates, even where float64 overflows, too."""
    on = replace(device(), saturates=saturates)
    inverse = on.exact(1.0) / (on.exact(np.array([1e38])) * on.exact(factor))
    assert classes(inverse) & Outcome.ZERO
    assert (error(inverse) >= 2.0**-128) == saturates


ZERO = Outcome.ZERO


@pytest.mark.parametrize(
    ("operation", "value", "off", "outcome"),
    [
        (lambda n: n * n.on.exact(4e4), 4e4, 0.0, ZERO),
        (lambda n: n.on.exact(-2.0) * n, -2.0, 0.0, ZERO),
        (lambda n: n / n.on.exact(2.0), 0.5, 0.0, ZERO),
        (lambda n: n.on.exact(2.0) / n, 2.0, 0.0, Outcome.INF),
        (lambda n: n / n, 1.0, 0.0, ZERO | Outcome.INF | Outcome.NAN),
        (lambda n: -n, -1.0, 0.0, ZERO),
        (lambda n: abs(-n), 1.0, 0.0, ZERO),
        (lambda n: n.on.exact(3.0).with_sign_of(-n), -3.0, 0.0, ZERO),
        (lambda n: n.sqrt(), 1.0, 0.0, ZERO),
        (lambda n: n.tanh(), math.tanh(1), 0.0, ZERO),
        (lambda n: n.truncate(), 1.0, 0.0, ZERO),
        (lambda n: n.log(), 0.0, 0.0, Outcome.NEG_INF),
        (lambda n: select(np.array([True]), n, n.on.exact(5.0)), 1.0, 0.0, ZERO),
        (lambda n: select(np.array([False]), n, n.on.exact(5.0)), 5.0, 0.0, Outcome(0)),
        # What makes no 0 of a 0 has it within its error.
        (lambda n: n + n.on.exact(3.0), 4.0, 1.0, Outcome(0)),
        (lambda n: n.exp(), math.e, math.e * (math.e - 1), Outcome(0)),
        (lambda n: n.sum(lambda rule, a: rule.reduce(a, keepdims=True), 1), 1.0, 1.0, Outcome(0)),
    ],
)
def test_a_0_that_may_come_instead(
    operation: Callable[[Number], Number], value: float, off: float, outcome: Outcome
) -> None:
    """It goes through each operation as a 0, and leaves the error of the other value alone."""
    result = operation(one_or_zero())
    assert result.value == pytest.approx(value)
    assert error(result) == pytest.approx(off, abs=abs(value) * 1e-6)
    assert classes(result) == outcome


def one_or_zero() -> Number:
    return replace(device().exact(np.array([1.0])), extremes=np.array([ZERO], np.uint8))


def test_inf_times_a_0_that_may_come_instead_is_nan() -> None:
    assert classes(one_or_zero() * device().exact(math.inf)) == Outcome.POS_INF | Outcome.NAN


def test_an_exponential_far_below_0_is_small_however_large_its_error() -> None:
    """Its argument, -1e30 and off by 1e20, is nowhere near 0."""
    on = device()
    argument = replace(on.exact(np.array([-1e30])), error=np.array([1e20]))
    assert error(argument.exp()) < 2.0**-140


@pytest.mark.parametrize("terms", [2, 3, 16, 17, 100, 10_000])
def test_additions_grow_with_the_root_of_their_number(specs: SpecSet, terms: int) -> None:
    """No more than K - 1 roundings, and no more than the allowance's factor times the root."""
    on = arithmetic(specs, "sums-in-any-order")
    assert on.additions(terms) == min(terms - 1, 4 * math.sqrt(terms - 1))
    assert on.additions(terms) <= on.additions(terms + 1)
    ones = on.exact(np.ones((1, terms)))
    found = error(ones.sum(by_row, terms))
    assert found == pytest.approx(on.additions(terms) * terms * 2.0**-24, rel=1e-3)


def by_row(rule: np.ufunc, array: FloatArray) -> FloatArray:
    """Reduce rows."""
    return np.asarray(rule.reduce(array, axis=1, keepdims=True))


ALONG = np.random.default_rng(8).uniform(-10, 0, 65_539)


@pytest.mark.parametrize(
    "terms",
    [
        np.full(4_099, 0.1),
        np.full(65_539, 0.1),
        np.exp(ALONG),
        -np.exp(ALONG),
        np.exp(ALONG[:100]),
        np.array([1.0, *[2.0**-25.1] * 99]),
        np.array([1.0, *[2.0**-25.1] * 65_538]),
        np.array([1.0, *[3 * 2.0**-25] * 99]),
    ],
)
def test_serial_sums_whose_roundings_go_one_way(specs: SpecSet, terms: FloatArray) -> None:
    """Equal terms, and those far smaller than their sum, are rounded one way, time and again."""
    on = arithmetic(specs, "sums-in-any-order")
    single = terms.astype(np.float32)
    exact = on.exact(single[np.newaxis].astype(np.float64))
    for order in (single, single[::-1]):
        serial = float(np.cumsum(order)[-1])
        found = exact.sum(by_row, len(terms))
        assert abs(serial - found.value.item()) <= error(found)


def test_a_sum_of_random_terms_is_granted_little_more(specs: SpecSet) -> None:
    """The roundings of terms that differ, of the size of their mean, have no direction."""
    on = arithmetic(specs, "sums-in-any-order")
    terms = np.random.default_rng(9).uniform(0.5, 1, (1, 65_539)).astype(np.float32)
    found = on.exact(terms.astype(np.float64)).sum(by_row, terms.size)
    granted = on.additions(terms.size) * found.value.item() * 2.0**-24
    assert granted <= error(found) < 1.2 * granted


@pytest.mark.parametrize("terms", [0, 1])
def test_sums_without_additions_are_exact(specs: SpecSet, terms: int) -> None:
    """A term alone is passed through; nothing gives 0."""
    on = arithmetic(specs, "sums-in-any-order")
    result = on.exact(np.full((1, terms), 1.1)).sum(by_row, terms)
    assert error(result) == 0
    assert tolerance_of(result, FLOAT32)[0][0] <= 0.5 * ULP


def sums(terms: list[list[float]]) -> list[Outcome]:
    numbers = device().exact(np.array(terms)).sum(by_row, len(terms[0])).result
    bits = np.zeros(len(terms), np.uint8) if numbers.extremes is None else numbers.extremes[:, 0]
    return [Outcome(int(each)) for each in bits]


def test_partial_sums_may_overflow() -> None:
    """Terms of one sign that reach beyond the type may give Inf of it; of both, Inf - Inf, too."""
    found = sums([[2e38, 2e38, -2e38], [-2e38, -2e38, 2e38], [1e38, 1e38, -1e38]])
    assert found == [Outcome.POS_INF, Outcome.NEG_INF, Outcome(0)]
    [both] = sums([[2e38, 2e38, -2e38, -2e38]])
    assert both == Outcome.NON_FINITE


def test_infinite_terms_of_a_sum() -> None:
    """An infinite term decides the sum; two of both signs give NaN."""
    found = sums([[math.inf, 1.0], [1.0, -math.inf], [math.inf, -math.inf], [math.nan, 1.0]])
    assert found[:2] == [Outcome.POS_INF, Outcome.NEG_INF]
    assert all(outcome & Outcome.NAN for outcome in found[2:])


def test_a_function_counts_its_argument_once() -> None:
    """The difference x - x has the steepness that is told, not twice the error of x."""
    on = device()
    x = on.exact(np.array([1.0])) * on.exact(1.1)
    flat = x.through(lambda z: z - z, lambda value, _: np.zeros_like(value))
    assert error(flat) == 0
    assert error(x - x) > 2.0**-24


@pytest.mark.parametrize("spread", [0.0, 1e-3])
def test_a_root_passes_on_the_error_of_its_number(spread: float) -> None:
    """No number within the error has a root further off, and one of them has one as far off."""
    on = device()
    random = np.random.default_rng(10)
    values = random.uniform(0, 4, 1000)
    offs = random.uniform(0, 1, 1000) * values
    roots = Number(on, values, offs, spread * values).sqrt()
    for sign in (-1, 1):
        moved = np.sqrt(np.maximum(values + sign * offs * (1 + spread), 0))
        assert (np.abs(moved - roots.value) <= (roots.error + roots.spread) * (1 + 1e-9)).all()
    least = np.sqrt(np.maximum(values - offs, 0))
    assert np.allclose(roots.value - roots.error, least, 0, 1e-9)


@pytest.mark.parametrize(
    ("value", "off", "outcome"),
    [
        (0.0, 0.0, Outcome(0)),
        (1e-9, 1e-9, Outcome(0)),
        (1.0, 1e38, Outcome.NAN),
        (0.0, 1e-9, Outcome.NAN),
        (-1.0, 0.0, Outcome.NAN),
        (math.inf, 0.0, Outcome.POS_INF),
        (-math.inf, 0.0, Outcome.NAN),
        (math.nan, 0.0, Outcome.NAN),
    ],
)
def test_roots_of_numbers_below_zero(value: float, off: float, outcome: Outcome) -> None:
    """They are NaN; rounding alone makes no positive number negative."""
    exact = device().exact(np.array([value]))
    assert classes(replace(exact, error=np.array([off])).sqrt()) == outcome


@pytest.mark.parametrize(("other", "value"), [(2.5, 3.0), (-2.5, -3.0), (-math.inf, -3.0)])
def test_a_sign_is_exact(other: float, value: float) -> None:
    """Nothing is rounded, and how large the number is whose sign counts plays no part."""
    on = device()
    signed = on.exact(3.0).with_sign_of(on.exact(other))
    assert (float(signed.value), error(signed), classes(signed)) == (value, 0.0, Outcome(0))


@pytest.mark.parametrize(("flushes", "outcome"), [(False, Outcome(0)), (True, Outcome.ZERO)])
def test_the_sign_of_what_may_be_flushed(*, flushes: bool, outcome: Outcome) -> None:
    """A subnormal difference counts as 0 where it may be flushed."""
    on = device(*(["subnormals-flushed"] if flushes else []))
    difference = on.exact(2.0**-126) - on.exact(2.0**-126 + 2.0**-149)
    signed = on.exact(3.0).with_sign_of(difference)
    assert (float(signed.value), error(signed), classes(signed)) == (-3.0, 0.0, outcome)


def test_a_sum_does_not_depend_on_other_elements() -> None:
    """A difference of 0 is exact, also beside a sum that lies beyond float64."""
    on = device()
    left, right = np.array([1.0, 1e308, np.inf]), np.array([-1.0, 1e308, 0.0])
    with np.errstate(over="ignore"):
        both = on.exact(left) + on.exact(right)
        alone = on.exact(left[:1]) + on.exact(right[:1])
    assert both.extremes is not None
    assert both.extremes[0] == 0
    assert alone.extremes is None


def test_a_sign_that_is_not_known() -> None:
    """A difference that is off by more than its size may have either sign; that of NaN is NaN."""
    on = device()
    difference = replace(on.exact(0.5), error=np.float64(1.0))
    assert error(on.exact(3.0).with_sign_of(difference)) == 6.0
    nan = on.exact(math.inf) - on.exact(math.inf)
    assert classes(on.exact(3.0).with_sign_of(nan)) == Outcome.NAN


def test_float64_states_its_own_roundings() -> None:
    """The golden value's arithmetic flushes nothing, stores nothing and rounds to 53 bits."""
    product = FLOAT64.exact(np.array([1.1])) * FLOAT64.exact(1.1)
    assert error(product.store()) == pytest.approx(1.21 * 2.0**-53)
    assert not FLOAT64.flushes


@pytest.mark.parametrize(
    ("x", "exact"), [(-1000.0, Outcome.POS_INF), (-math.inf, Outcome(0)), (-200.0, Outcome.POS_INF)]
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_inf_times_a_number_that_underflows_is_either(
    x: float, exact: Outcome, sign: float
) -> None:
    """NaN and the exact Inf of its sign, whether or not golden values hold the number."""
    on = device()
    infinity, one = on.exact(np.array([math.inf])), on.exact(1.0)
    if sign < 0:
        exact = Outcome.NEG_INF if exact else exact
    with np.errstate(all="ignore"):
        number = on.exact(np.array([x])).exp()
        for own in (number, number * on.exact(0.5), number * number):
            *_, outcome = value_outcome(infinity * (own * on.exact(sign)), FLOAT32)
            assert Outcome(int(outcome[0])) & Outcome.NON_FINITE == exact | Outcome.NAN
        quotient = one / (on.exact(np.array([-x])).exp() + one)
        *_, outcome = value_outcome(infinity * (quotient * on.exact(sign)), FLOAT32)
        assert Outcome(int(outcome[0])) & (exact | Outcome.NAN) == exact | Outcome.NAN
