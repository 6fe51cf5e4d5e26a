# SPDX-License-Identifier: Apache-2.0
"""The meaning of expressions: arithmetic, three-valued logic at thresholds, pooling extents."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import (
    Interval,
    Scope,
    Truth,
    evaluate_condition,
    evaluate_number,
    hold,
    holds,
    pool_extent,
    round_outward,
)
from aclnn_cts.spec.expression import ExpressionError, parse

_FLOAT32 = DATA_TYPES["float32"].floating or pytest.fail("float32 is floating")


def _number(text: str, **values: Any) -> Any:
    return evaluate_number(parse(text), Scope(values))


def _truth(text: str, **values: Any) -> Truth:
    return evaluate_condition(parse(text), Scope(values))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4 / 8", 6.5),
        ("-7 // 2", -4),
        ("7 % 4", 3),
        ("k[len(k) - 1] + k[0]", 8),
        ("k[-1]", 5),
        ("9 if empty else 8", 8),
        ("1 if len(none) == 0 else none[0]", 1),
        ("ceil_div(17, 16) + align(1111, 128)", 1154),
        ("product(k) + product(none)", 16),
        ("min(3, 1, 2) + max(3, 1)", 4),
        ("abs(-3)", 3),
        ("numel(t) + rank(t) + dim(t, 1)", 24 + 3 + 3),
        ("inf", math.inf),
    ],
)
def test_scalars(text: str, value: float) -> None:
    """Arithmetic is that of mathematics; shape functions read the tensors' view shapes."""
    scope = Scope({"k": (3, 5), "none": (), "empty": False}, {"t": (2, 3, 4)})
    assert evaluate_number(parse(text), scope) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 // zero", "zero"),
        ("1 % zero", "zero"),
        ("k[2]", "range"),
        ("len(zero)", "len"),
        ("missing + 1", "'missing' has no value here; known: array, k, zero"),
        ("numel(k)", "numel takes the name of a tensor"),
        ("1 if array else 2", "'array' is a number, not a condition"),
        ("1 if array > 0 else 2", "ambiguous"),
    ],
)
def test_what_has_no_value(text: str, message: str) -> None:
    """Arithmetic without a value ends in an ExpressionError that quotes the expression."""
    scope = Scope({"k": (1, 2), "zero": 0, "array": np.arange(3.0)})
    with pytest.raises(ExpressionError) as caught:
        evaluate_number(parse(text), scope)
    assert message in str(caught.value)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["x", "x + 1", "len(k)", "array"])
def test_a_number_is_no_condition(text: str) -> None:
    """A clause that says `when: x` is a mistake, not a test for zero."""
    with pytest.raises(ExpressionError, match="is a number, not a condition"):
        evaluate_condition(parse(text), Scope({"x": 1.0, "k": (1,), "array": np.ones(2)}))


def test_conditions_work_element_by_element() -> None:
    """Chained comparisons and class tests give one truth for each element."""
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, math.nan, math.inf])
    inside = _truth("0 <= x <= 1", x=x)
    assert inside.is_exact
    np.testing.assert_array_equal(inside.certain, [0, 1, 1, 1, 0, 0, 0])
    outside = _truth("not (0 <= x <= 1)", x=x)
    np.testing.assert_array_equal(outside.certain, [1, 0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(_truth("not isfinite(x)", x=x).certain, [0, 0, 0, 0, 0, 1, 1])
    np.testing.assert_array_equal(_truth("isinf(x) and x > 0", x=x).certain, [0] * 6 + [1])


def test_flags_and_masks_are_conditions() -> None:
    """A bool attribute and an array of bools stand for themselves."""
    assert _truth("not flag", flag=False).certain
    mask = np.array([True, False])
    np.testing.assert_array_equal(_truth("not keep", keep=mask).certain, [False, True])


def test_a_deciding_scalar_spares_the_arrays() -> None:
    """`eps < 0 and …` does not touch the arrays when eps decides alone."""
    assert _truth("eps < 0 and unknown > 1", eps=1.0).certain is False
    assert _truth("eps > 0 or unknown > 1", eps=1.0).certain is True


def test_gathering() -> None:
    """any_of and all_of reduce over the elements that contribute to each output element."""

    def rows(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        return np.asarray(rule.reduce(condition, axis=1))

    x = np.array([[1.0, math.nan], [1.0, 2.0], [math.nan, math.nan]])
    scope = Scope({"x": x}, gather=rows)
    some = evaluate_condition(parse("any_of(isnan(x))"), scope)
    every = evaluate_condition(parse("all_of(isnan(x))"), scope)
    np.testing.assert_array_equal(some.certain, [True, False, True])
    np.testing.assert_array_equal(every.certain, [False, False, True])
    assert some.is_exact
    with pytest.raises(ExpressionError, match="any_of has no meaning here"):
        evaluate_condition(parse("any_of(isnan(x))"), Scope({"x": x}))


# --- thresholds that a device rounds ---------------------------------------------------------


def test_a_threshold_between_two_float32_numbers() -> None:
    """Elements at the two float32 neighbours of eps = 0.1 may fall on either side, others not."""
    near = np.float32(0.1)
    below, above = np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(1))
    x = np.array([np.nextafter(below, np.float32(0)), below, near, above], np.float32)
    truth = _truth("x < eps", x=x.astype(np.float64), eps=hold(0.1, _FLOAT32))
    # float32(0.1) lies above 0.1: eps is one of `below` and `near`.
    np.testing.assert_array_equal(truth.certain, [True, False, False, False])
    np.testing.assert_array_equal(truth.possible, [True, True, False, False])


def test_a_representable_threshold_is_exact() -> None:
    """Nothing rounds eps = 0.25 or 1 - 0.25, so that no element is undecided."""
    x = np.array([0.25, 0.75, np.nextafter(0.75, 1)])
    truth = _truth("eps <= x <= 1 - eps", x=x, eps=hold(0.25, _FLOAT32))
    assert truth.is_exact
    np.testing.assert_array_equal(truth.certain, [True, True, False])


def test_what_is_computed_from_a_representable_threshold_is_rounded_too() -> None:
    """1 - 2**-30 is no float32 number; a device compares with 1 or with the number below it."""
    x = np.array([0.5, 1 - 2.0**-24, 1.0])
    truth = _truth("x > 1 - eps", x=x, eps=hold(2.0**-30, _FLOAT32))
    np.testing.assert_array_equal(truth.certain, [False, False, False])
    np.testing.assert_array_equal(truth.possible, [False, False, True])


def test_equality_within_an_interval() -> None:
    """A value between the ends may be equal; one beyond them cannot be."""
    eps = hold(0.1, _FLOAT32)
    equal, different = _truth("eps == x", eps=eps, x=0.1), _truth("eps != x", eps=eps, x=0.1)
    assert (bool(equal.certain), bool(equal.possible)) == (False, True)
    assert (bool(different.certain), bool(different.possible)) == (False, True)
    assert not _truth("eps == 1", eps=eps).possible
    assert _truth("eps != 1", eps=eps).certain


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_without_neighbours_are_held_exactly(value: float) -> None:
    """Inf and NaN do not round."""
    assert str(hold(value, _FLOAT32)) == str(value)


def test_a_value_beyond_the_type_may_become_infinite() -> None:
    """1e39 in float32 is the largest finite value or Inf; both readings of isinf are possible."""
    eps = hold(1e39, _FLOAT32)
    assert isinstance(eps, Interval)
    assert (eps.low, eps.high) == (_FLOAT32.max_finite, math.inf)
    truth = _truth("isinf(eps)", eps=eps)
    assert (truth.certain, truth.possible) == (False, True)
    assert hold(-1e39, _FLOAT32) == Interval(-math.inf, -_FLOAT32.max_finite, _FLOAT32)


def test_arithmetic_of_arrays_with_a_rounded_attribute_is_refused() -> None:
    """Rather no answer than one that forgets a rounding."""
    with pytest.raises(ExpressionError, match="not supported"):
        _number("x * eps", x=np.ones(2), eps=hold(0.1, _FLOAT32))


def test_negation_turns_an_interval_round() -> None:
    """-eps has the mirrored ends."""
    eps = hold(0.1, _FLOAT32)
    assert isinstance(eps, Interval)
    assert _number("-eps", eps=eps) == Interval(-eps.high, -eps.low, _FLOAT32)


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["float32", "float16", "bfloat16"]),
)
def test_rounding_outward_is_narrow_and_holds_the_value(value: float, dtype: str) -> None:
    """The ends are neighbours in the type (or one number), with the value between them."""
    kind = DATA_TYPES[dtype]
    assert kind.floating is not None
    low, high = round_outward(value, value, kind.floating)
    assert low <= value <= high
    for end in (low, high):
        assert math.isinf(end) or _round_trips(end, kind.floating)
    if math.isfinite(low) and math.isfinite(high) and low != high:
        assert high - low <= 2.0 ** (-kind.floating.fraction_bits) * max(
            abs(value), kind.floating.smallest_normal
        )


def _round_trips(value: float, kind: FloatFormat) -> bool:
    """Whether the type has the number."""
    if value == 0:
        return True
    exponent = max(math.frexp(value)[1] - 1, kind.min_exponent)
    return (value / math.ldexp(1.0, exponent - kind.fraction_bits)).is_integer()


@given(st.floats(0, 1), st.floats(-0.5, 1.5, width=32))
def test_the_device_is_never_outside_what_is_possible(eps: float, x: float) -> None:
    """A device that compares in float32 gives an answer between `certain` and `possible`."""
    held = np.float32(eps)
    device = bool(np.float32(x) >= held) and bool(np.float32(x) <= np.float32(1) - held)
    truth = _truth("eps <= x <= 1 - eps", eps=hold(eps, _FLOAT32), x=x)
    assert device or not truth.certain
    assert truth.possible or not device


# --- three-valued logic --------------------------------------------------------------------------

_KLEENE = {
    "false": Truth(certain=False, possible=False),
    "maybe": Truth(certain=False, possible=True),
    "true": Truth(certain=True, possible=True),
}
_ORDER = ["false", "maybe", "true"]


def _name(truth: Truth) -> str:
    return next(
        name
        for name, known in _KLEENE.items()
        if (bool(truth.certain), bool(truth.possible)) == (known.certain, known.possible)
    )


@given(st.sampled_from(_ORDER), st.sampled_from(_ORDER))
def test_logic_is_kleenes(left: str, right: str) -> None:
    """And is the lesser, or the greater of false < undecided < true; not mirrors the order."""
    a, b = _KLEENE[left], _KLEENE[right]
    rank = _ORDER.index
    assert rank(_name(a & b)) == min(rank(left), rank(right))
    assert rank(_name(a | b)) == max(rank(left), rank(right))
    assert rank(_name(~a)) == 2 - rank(left)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_de_morgan(pairs: list[tuple[bool, bool]]) -> None:
    """The negated conjunction is the disjunction of the negations, undecided or not."""
    certain = np.array([a and b for a, b in pairs])
    possible = np.array([a or b for a, b in pairs])
    left, right = Truth(certain, possible), Truth(certain[::-1], possible[::-1])
    one, other = ~(left & right), ~left | ~right
    np.testing.assert_array_equal(one.certain, other.certain)
    np.testing.assert_array_equal(one.possible, other.possible)
    assert not np.any(one.certain & ~one.possible)


def test_holds_needs_certainty() -> None:
    """A rule over an undecided comparison does not hold."""
    eps = hold(0.1, _FLOAT32)
    assert holds(parse("eps > 0"), Scope({"eps": eps}))
    assert not holds(parse("eps == 0.1"), Scope({"eps": eps}))


# --- pooling -------------------------------------------------------------------------------------


def _windows(length: int, kernel: int, stride: int, padding: int, *, ceil_mode: bool) -> int:
    """Count windows one by one: where they start, and whether they may."""
    count = 0
    while True:
        start = count * stride - padding
        fits = start + kernel <= length + padding
        overhangs = ceil_mode and start < length and start + kernel - stride < length + padding
        if not fits and not overhangs:
            return count
        count += 1


@given(
    st.integers(1, 40),
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(0, 4),
    st.booleans(),
)
def test_pool_extent_counts_windows(
    length: int,
    kernel: int,
    stride: int,
    padding: int,
    ceil_mode: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    """The formula gives the number of windows found by laying them out one after the other."""
    padding = min(padding, kernel // 2)
    if length + 2 * padding < kernel:
        return
    expected = _windows(length, kernel, stride, padding, ceil_mode=ceil_mode)
    assert pool_extent(length, kernel, stride, padding, 1, ceil_mode) == expected


@pytest.mark.parametrize(
    ("arguments", "extent"),
    [
        ((6, 2, 2, 0, 1, False), 3),
        ((7, 2, 2, 0, 1, False), 3),
        ((7, 2, 2, 0, 1, True), 4),
        ((5, 2, 2, 1, 1, True), 3),
        ((4, 2, 3, 1, 1, True), 2),
        ((1, 1, 1, 0, 1, False), 1),
        ((2, 3, 1, 0, 1, False), 0),
        ((7, 3, 1, 0, 2, False), 3),
    ],
)
def test_pool_extents_worked_by_hand(arguments: tuple[int, ...], extent: int) -> None:
    """Floor, ceiling, a last window in the right padding that does not count, dilation."""
    text = f"pool_extent({', '.join(str(a).lower() for a in arguments)})"
    assert _number(text) == extent
