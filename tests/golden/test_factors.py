# SPDX-License-Identifier: Apache-2.0
"""Products in any order: what a device may return, and what it may not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.arithmetic import FLUSHED, ORDERS, Arithmetic, Number, either, select
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.tolerances import value_outcome
from aclnn_cts.spec.data_types import DATA_TYPES

FLOAT32 = DATA_TYPES["float32"].grid
ON = Arithmetic(FLOAT32, FLOAT32, {ORDERS})
FLUSHING = Arithmetic(FLOAT32, FLOAT32, {ORDERS, FLUSHED})


def numbers(on: Arithmetic, *values: float) -> list[Number]:
    return [on.exact(np.array([value])) for value in values]


def product(factors: Sequence[Number]) -> Number:
    made = factors[0]
    with np.errstate(all="ignore"):
        for factor in factors[1:]:
            made = made * factor
    return made


def outcomes(number: Number) -> int:
    with np.errstate(all="ignore"):
        return int(value_outcome(number, FLOAT32)[2][0])


def accepts(number: Number, result: float) -> bool:
    """Whether a float32 satisfies the number."""
    with np.errstate(all="ignore"):
        tolerance, _, allowed = (np.atleast_1d(each)[0] for each in value_outcome(number, FLOAT32))
    if math.isnan(result):
        return bool(allowed & Outcome.NAN)
    if math.isinf(result):
        return bool(allowed & (Outcome.POS_INF if result > 0 else Outcome.NEG_INF))
    near = abs(result - float(number.value[0])) <= tolerance
    return bool((result == 0 and allowed & Outcome.ZERO) or (near and allowed & Outcome.VALUE))


@given(
    st.lists(
        st.tuples(st.floats(-2, 2, width=32), st.integers(-70, 70)).map(
            lambda parts: float(np.float32(math.ldexp(*parts)))
        ),
        min_size=3,
        max_size=4,
    )
)
def test_each_order_of_a_product_is_right(values: list[float]) -> None:
    """Whatever overflows, vanishes or loses digits on the way."""
    expected = product(numbers(ON, *values))
    for order in itertools.permutations(values):
        partial = np.abs(np.multiply.accumulate(order))
        if ((partial > 2.0**-152) & (partial < 2.0**-147)).any():
            continue  # beside the smallest number, roundings in turn may be several times as large
        with np.errstate(all="ignore"):
            result = np.multiply.reduce(np.array(order, np.float32))
        assert accepts(expected, float(result)), order


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ((1e-25, 1e30, 1e30), Outcome.VALUE | Outcome.POS_INF),
        ((-1e-25, 1e30, 1e30), Outcome.VALUE | Outcome.NEG_INF),
        ((0.0, 1e30, 1e30), Outcome.VALUE | Outcome.ZERO | Outcome.NAN),
        ((1e20, 1e-30, 1e-30), Outcome.VALUE | Outcome.ZERO),
        ((1e-5, 1e30, 1e5), Outcome.VALUE),
        ((1e5, 1e-30, 1e-5), Outcome.VALUE),
        ((1e-40, 1e5, 1e5), Outcome.VALUE),  # a factor is no partial product
        ((1e30, 1e-30), Outcome.VALUE),
        ((math.inf, 1e30, 1e-30), Outcome.POS_INF),
        ((math.inf, 1e-30, 1e-30), Outcome.POS_INF | Outcome.NAN),
    ],
)
def test_nothing_else_is_accepted(values: tuple[float, ...], wanted: Outcome) -> None:
    """Inf with the sign of the product, NaN where a factor is 0, 0 where all others are small."""
    number = product(numbers(FLUSHING, *values))
    assert outcomes(number) == wanted
    if np.isfinite(number.value).all():
        assert not accepts(number, float(number.value[0]) * 1.01 + 1e-30)


def test_another_order_needs_the_allowance() -> None:
    number = product(numbers(Arithmetic(FLOAT32, FLOAT32), 1e-25, 1e30, 1e30))
    assert outcomes(number) == Outcome.VALUE


def test_divisors_are_factors() -> None:
    """A dividend of two factors overflows, or a product of two divisors does."""
    a, b, c = numbers(ON, 1e30, 1e30, 1e30)
    assert outcomes(a / c * b) & Outcome.POS_INF
    assert outcomes(a / b / c) & Outcome.ZERO


def test_terms_of_a_sum_are_multiplied_one_by_one() -> None:
    """Both may be Inf, and their difference NaN; a sum as a divisor stays whole."""
    x, y, factor = numbers(ON, 1.5e30, 1e30, 1e9)
    small = numbers(ON, 1e-3)[0]
    assert outcomes((x - y) * factor * small) & Outcome.NAN
    assert outcomes(small * factor / (x - y)) == Outcome.VALUE


def test_a_sum_may_be_larger_than_its_terms() -> None:
    """As a factor it may be the one by which a partial product overflows."""
    x, factor, small = numbers(ON, 2e30, 1e8, 1e-3)
    assert not outcomes(x * small * factor) & Outcome.POS_INF
    assert outcomes((x + x) * small * factor) & Outcome.POS_INF


def test_a_partial_product_below_the_normal_range_may_double() -> None:
    """Slightly more than half of the smallest number is rounded to it."""
    gradient, slope, factor = -1.267146557141145e-38, 5.6044e-08, -15.7
    rounded = float(np.float32(gradient) * np.float32(slope) * np.float32(factor))
    assert rounded == pytest.approx(2 * gradient * slope * factor, rel=0.05)
    assert accepts(product(numbers(ON, slope, factor, gradient)), rounded)


def test_choices_keep_the_factors() -> None:
    a, b, c = numbers(ON, 1e-25, 1e30, 1e30)
    one, holds = ON.exact(np.array([1.0])), np.array([True])
    for chosen in (select(holds, a * b, one), either(a * b, one), -(a * b)):
        assert outcomes(chosen * c) & (Outcome.POS_INF | Outcome.NEG_INF)
    assert not outcomes(select(~holds, a * b, one) * c) & Outcome.INF


def test_what_other_orders_may_make_of_a_product_counts_once() -> None:
    """A number that was settled is settled, in whatever array it stands."""
    with np.errstate(all="ignore"):
        settled = product(numbers(ON, 1e10, 1e-30, 1e-12)).result
        again = settled.common_factor().result
    assert settled.extremes is None
    assert again.total == settled.total
