# SPDX-License-Identifier: Apache-2.0
"""The meaning of expressions: arithmetic, conditions element by element, three-valued logic."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.evaluating import truth_of

from aclnn_cts.spec.evaluation import Scope, Truth, evaluate_condition, evaluate_number, holds
from aclnn_cts.spec.expression import ExpressionError, parse


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
        ("min(k) + max(k)", 8),
        ("axes(t, some)", 2),
        ("others(some, 1)", 4),
        ("abs(-3)", 3),
        ("numel(t) + rank(t) + dim(t, 1)", 24 + 3 + 3),
        ("product(trailing(t, 2)) + len(trailing(t, 0)) + len(trailing(t, 9))", 12 + 0 + 3),
        ("inf", math.inf),
        ("itemsize(t)", 2),
        ("1 if isfloating(t) and not isfloating(u) else 0", 1),
        ("1 if given(t) and not given(u) else 0", 1),
    ],
)
def test_scalars(text: str, value: float) -> None:
    """Arithmetic is that of mathematics; functions of tensors read view shapes and data types."""
    scope = Scope(
        {"k": (3, 5), "none": (), "empty": False, "some": (-3, 0, 1, 7, -4)},
        {"t": (2, 3, 4)},
        dtypes={"t": "bfloat16", "u": "int32"},
        null={"u"},
    )
    assert evaluate_number(parse(text), scope) == value


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("order(t, 0)", (2, 1, 0)),
        ("order(t, 3)", (-2, -1, -3)),
        ("order(t, 4)", (0, 2, 1)),
        ("order(t, 6)", (0, 1, 2)),
        ("order(s, 0)", ()),
        ("each_axis(t, 2, 1)", (2, 1, 2)),
        ("each_axis(s, 2, 1)", ()),
        ("stretched(t, 3)", (3, 4, 5, 6)),
        ("stretched(u, 3)", (3, 3, 2, 3)),
    ],
)
def test_lists_for_the_axes_of_a_tensor(text: str, numbers: tuple[int, ...]) -> None:
    assert (
        evaluate_number(parse(text), Scope({}, {"t": (4, 5, 6), "s": (), "u": (1, 2, 1)}))
        == numbers
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 // zero", "zero"),
        ("1 % zero", "zero"),
        ("k[2]", "range"),
        ("len(zero)", "len"),
        ("min(none)", "empty"),
        ("missing + 1", "'missing' has no value here; known: array, k, none, zero"),
        ("numel(k)", "numel takes the name of a tensor"),
        ("isfloating(k)", "isfloating takes the name of a tensor"),
        ("1 if array else 2", "'array' is a number, not a condition"),
        ("1 if array > 0 else 2", "ambiguous"),
    ],
)
def test_what_has_no_value(text: str, message: str) -> None:
    """Arithmetic without a value ends in an ExpressionError that quotes the expression."""
    scope = Scope({"k": (1, 2), "zero": 0, "none": (), "array": np.arange(3.0)})
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
    inside = truth_of("0 <= x <= 1", x=x)
    assert inside.is_exact
    np.testing.assert_array_equal(inside.certain, [0, 1, 1, 1, 0, 0, 0])
    outside = truth_of("not (0 <= x <= 1)", x=x)
    np.testing.assert_array_equal(outside.certain, [1, 0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(truth_of("not isfinite(x)", x=x).certain, [0, 0, 0, 0, 0, 1, 1])
    np.testing.assert_array_equal(truth_of("isinf(x) and x > 0", x=x).certain, [0] * 6 + [1])


@pytest.mark.parametrize(
    ("dtype", "digits"), [("float32", 24), ("float16", 11), ("bfloat16", 8), ("double", 53)]
)
def test_digits_tell_floating_types_apart(dtype: str, digits: int) -> None:
    """Also two types of one size."""
    scope = Scope({}, {"x": (2,)}, dtypes={"x": dtype})
    assert evaluate_number(parse("digits(x)"), scope) == digits
    assert holds(parse(f"digits(x) == {digits}"), scope)


def test_flags_and_masks_are_conditions() -> None:
    """A bool attribute and an array of bools stand for themselves."""
    assert truth_of("not flag", flag=False).certain
    mask = np.array([True, False])
    np.testing.assert_array_equal(truth_of("not keep", keep=mask).certain, [False, True])


def test_a_deciding_scalar_spares_the_arrays() -> None:
    """`eps < 0 and …` does not touch the arrays when eps decides alone."""
    assert truth_of("eps < 0 and unknown > 1", eps=1.0).certain is False
    assert truth_of("eps > 0 or unknown > 1", eps=1.0).certain is True


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
    with pytest.raises(ExpressionError, match="any_of has no meaning here: the formula does"):
        evaluate_condition(parse("any_of(isnan(x))"), Scope({"x": x}))


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


def test_digits_of_an_attribute() -> None:
    """An attribute that is a data type has the functions of a tensor's; another one has not."""
    assert truth_of("digits(kind) == 8 and isfloating(kind)", kind="bfloat16").certain
    for value in (3, "nothing"):
        with pytest.raises(ExpressionError, match="takes the name of a tensor"):
            truth_of("digits(kind) == 8", kind=value)


def test_answers_know_what_is_given() -> None:
    """The same question about other pointers is another one."""
    asked = parse("given(t)")
    scopes = [Scope({}, {"t": (2,)}, null=null) for null in ((), ("t",), ("u",))]
    assert [holds(asked, scope) for scope in scopes] == [True, False, True]
