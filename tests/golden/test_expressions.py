# SPDX-License-Identifier: Apache-2.0
"""Formulas that specs state as expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.golden.arithmetic import FLOAT64, STORED, Arithmetic
from aclnn_cts.golden.expressions import intermediate_results, module_of
from aclnn_cts.golden.formula import Result, has_sums
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import movement_of, parse_formula
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import FormulaText

FLOAT32, FLOAT16 = DATA_TYPES["float32"].grid, DATA_TYPES["float16"].grid
IN_FLOAT32 = Arithmetic(FLOAT32, FLOAT16, allowed={"float32-or-wider"})
IN_EITHER = replace(IN_FLOAT32, allowed={STORED})
X = np.array([0.3, 1.7, 2.5])


def formula_of(*terms: tuple[str, str], scalars: frozenset[str] = frozenset()) -> FormulaText:
    parsed = tuple((name, parse_formula(text)) for name, text in terms)
    computed = [each for _, each in parsed if movement_of(each) is None]
    reads = frozenset(name for expression in computed for name in expression.names)
    return FormulaText("aclnnThing.yaml", parsed, frozenset({"out"}), scalars, reads)


def result_of(
    *terms: tuple[str, str],
    on: Arithmetic = FLOAT64,
    scalars: Mapping[str, float] | None = None,
    **attributes: Any,
) -> Result:
    formula = formula_of(*terms, scalars=frozenset(scalars or {}))
    with np.errstate(all="ignore"):
        found = module_of(formula).evaluate({"x": X}, {**attributes, **(scalars or {})}, on)
    result: Result = found["out"]
    return result


def whole(
    *terms: tuple[str, str],
    inputs: Mapping[str, npt.NDArray[Any]],
    on: Arithmetic = FLOAT64,
    **attributes: Any,
) -> Result:
    """Return the result for inputs in their own shapes."""
    return evaluate_whole(formula_of(*terms), inputs, attributes, on)["out"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x / (1 + exp(-x))", X / (1 + np.exp(-X))),
        ("2 * x ** 3 - x", 2 * X**3 - X),
        ("sqrt(2 / pi) * x", np.sqrt(2 / np.pi) * X),
        ("x if 1 < x <= 2 else -1 if not x > 1 else 0", [-1, 1.7, 0]),
        ("max(min(x, 2), 1)", [1, 1.7, 2]),
        ("with_sign(x, 1 - x)", [0.3, -1.7, -2.5]),
        ("expm1(x) * softplus(x)", np.expm1(X) * np.log1p(np.exp(X))),
        ("softplus_slope(x)", 1 / (1 + np.exp(-X))),
        ("equal_forms(x + 1, 7)", X + 1),
        ("x if isfinite(x) and x != 1.7 else nan", [0.3, np.nan, 2.5]),
        ("x > 1.7 or signbit(x - 1)", [1, 0, 1]),
        ("(x > 1) != (x > 2)", [0, 1, 0]),
        ("not 1 < x <= 2", [1, 0, 1]),
    ],
)
def test_values(text: str, values: Any) -> None:
    """An expression has the meaning of its text."""
    np.testing.assert_allclose(result_of(("out", text)).value, values, rtol=1e-14)


def test_an_intermediate_result_may_be_kept_in_the_tensors_type() -> None:
    """Each operation but the last one may be rounded to the storage type, named or not."""
    once = result_of(("out", "x * x"), on=IN_EITHER).error / X**2
    assert once.max() < 1e-6
    for terms in ([("out", "(x * x) * x")], [("square", "x * x"), ("out", "square * x")]):
        for on, most in ((IN_EITHER, 1.1 * 2.0**-11), (IN_FLOAT32, 1e-6)):
            error = result_of(*terms, on=on).error / X**3
            assert error.max() < most
            assert (on is IN_FLOAT32) == (error.min() < 2.0**-12)


def test_unstored_results_stay_in_the_computing_type() -> None:
    """Neither what a term computes nor its result is kept in the storage type."""
    assert result_of(("out", "unstored(x * x * x) + 1"), on=IN_EITHER).error.max() < 1e-5
    assert result_of(("out", "x * x * x + 1"), on=IN_EITHER).error.max() > 1e-3


def test_a_branch_that_is_no_result_is_not_rounded() -> None:
    """An input has the storage type already; a constant that it lacks may be rounded to it."""
    error = result_of(("y", "x if x > 1 else x * x"), ("out", "y + 0"), on=IN_EITHER).error
    assert error[0] > 1e-5
    assert error[1:].max() < 1e-6
    clipped = result_of(("y", "0.1 if x < 1 else x"), ("out", "y + 0"), on=IN_EITHER).error
    assert clipped[0] > 0.2 * 2.0**-14
    assert clipped[1:].max() < 1e-6


def test_attributes_choose_and_are_factors() -> None:
    """A mode decides for all elements; the error of a real attribute is shared by all of them."""
    terms = ("out", "beta * x if mode == 1 else x")
    scalars = replace(IN_EITHER, allowed={"scalars-in-own-type"})
    scaled = result_of(terms, on=scalars, scalars={"beta": 0.1}, mode=1)
    assert 0 < scaled.shared < 2.0**-10
    plain = result_of(terms, on=scalars, scalars={"beta": 0.1}, mode=0)
    assert plain.value.tolist() == X.tolist()
    assert not plain.error.any()


def test_near_a_tie_a_device_may_take_either_side() -> None:
    """The larger of two terms has the errors of both where they may change places."""
    result = result_of(("out", "max(x * x, 2.890625)"), on=IN_EITHER)
    assert result.error[0] == 0
    assert result.error[1] > 1e-4


def test_losses_are_reduced() -> None:
    """A formula that reduces is evaluated as sums."""
    assert has_sums(module_of(formula_of(("out", "reduce(x * x, reduction)"))))
    assert not has_sums(module_of(formula_of(("out", "x * x"))))


def test_intermediate_results_at_one_element() -> None:
    """They are shown beside a wrong element, as far as the inputs there determine them."""
    formula = formula_of(("s", "sigmoid(x)"), ("t", "s * y"), ("out", "s * x + t"))
    found = intermediate_results(formula, {"x": 1.5}, {})
    assert found == {"s": pytest.approx(1 / (1 + np.exp(-1.5)))}
    masked = formula_of(("keep", "bits(m, x)"), ("twice", "x * 2"), ("out", "twice if keep else 0"))
    assert intermediate_results(masked, {"x": 1.5}, {}) == {"twice": 3.0}
    summed = formula_of(("s", "sum(x, axis)"), ("t", "x / s"), ("out", "t * x"))
    assert intermediate_results(summed, {"x": 1.5}, {"axis": 0}) == {}


GRID = np.random.default_rng(7).normal(0, 1, (3, 4, 6))
MOST = ((IN_FLOAT32, 2.0**-24), (IN_EITHER, 2.0**-11))
"""The largest relative error of a rounding, by arithmetic."""


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_a_sum_along_an_axis(axis: int) -> None:
    """It is NumPy's, for each row, named or not, and of any term."""
    total = np.square(GRID).sum(axis, keepdims=True)
    named = [("square", "x * x"), ("total", "sum(square, axis)"), ("out", "x / total")]
    for terms in (named, [("out", "x / sum(x * x, axis)")]):
        found = whole(*terms, inputs={"x": GRID}, axis=axis)
        np.testing.assert_allclose(found.value, GRID / total, rtol=1e-14)
    two = whole(("out", "x - sum(x * x, axis) / sum(x ** 2, axis)"), inputs={"x": GRID}, axis=axis)
    np.testing.assert_allclose(two.value, GRID - 1, atol=1e-14)


def test_the_error_of_a_sum() -> None:
    """Its additions, in any order, and one rounding of the sum itself if a device keeps it."""
    size = np.abs(GRID).sum(2, keepdims=True)
    total = np.abs(GRID.sum(2, keepdims=True))
    for on, rounding in MOST:
        error = whole(("out", "x - sum(x, axis)"), inputs={"x": GRID}, on=on, axis=2).error
        # the last operation has an error in the computing type, too
        last = 2.0**-24 * (np.abs(GRID) + total)
        assert (error <= 1.01 * (rounding * total + 5 * 2.0**-24 * size + last)).all()
        assert (error >= rounding * total).all()
    assert (whole(("out", "x - sum(x, axis)"), inputs={"x": GRID}, axis=2).error < 1e-14).all()


def test_largest_elements_of_rows() -> None:
    """Along the axis, exact; NaN is the largest."""
    terms = ("m", "largest(x, axis)"), ("out", "x - m + sum(0 if x < m else 0, axis)")
    for axis in (0, 1, -1):
        found = whole(*terms, inputs={"x": GRID}, axis=axis)
        assert found.value.tolist() == (GRID - GRID.max(axis, keepdims=True)).tolist()
    x = np.array([[1.0, np.nan, 3.0], [-np.inf, -5.0, -7.0]])
    found = whole(*terms, inputs={"x": x}, axis=1)
    assert np.isnan(found.value[0]).all()
    assert found.value[1].tolist() == [-np.inf, 0, -2]


def test_halves_along_an_axis() -> None:
    """Each half has the other half's shape; what is computed is elementwise."""
    terms = ("a", "half(x, axis, 0)"), ("b", "half(x, axis, 1)"), ("out", "a - b")
    for axis in (1, 2, -1):
        first, second = np.split(GRID, 2, axis)
        found = whole(*terms, inputs={"x": GRID}, axis=axis)
        assert found.value.tolist() == (first - second).tolist()


@pytest.mark.parametrize("shape", [(5,), (3, 4), (3, 4, 6), (2, 4, 3, 2)])
def test_elements_per_channel(shape: tuple[int, ...]) -> None:
    """One for all, or one for each index of the second dimension, under the input's own name."""
    x = np.random.default_rng(8).normal(0, 1, shape)
    terms = ("weight", "channels(weight, x)"), ("out", "x * weight")
    one = whole(*terms, inputs={"x": x, "weight": np.array([3.0])})
    assert one.value.tolist() == (3 * x).tolist()
    if len(shape) > 1:
        weight = np.arange(1.0, 5.0)
        found = whole(*terms, inputs={"x": x, "weight": weight})
        expected = x * weight.reshape(4, *(1,) * (len(shape) - 2))
        assert found.value.tolist() == expected.tolist()


def test_bits_choose_elements() -> None:
    """The first bit is the least significant; row-major order, whatever the strides.

    Conditions may ask for the bits, alone or with others.
    """
    x, mask = np.arange(1, 7, dtype=np.float32).reshape(3, 2).T, np.zeros(16, np.uint8)
    mask[0] = 0b11000010
    keep = ("keep", "bits(mask, x)")
    found = whole(keep, ("out", "x if keep else 0"), inputs={"x": x, "mask": mask})
    assert found.value.tolist() == [[0, 3, 0], [0, 0, 0]]
    assert found.scope["keep"].tolist() == [[False, True, False], [False] * 3]
    assert found.scope["x"].tolist() == x.tolist()
    found = whole(keep, ("out", "0 if keep or x > 4 else x"), inputs={"x": x, "mask": mask})
    assert found.value.tolist() == [[1, 0, 0], [2, 4, 0]]


def test_a_narrowed_scalar() -> None:
    """It has the narrowest type to which a device may convert it, and no error beside that."""
    narrow = float(np.float16(0.1))
    terms = ("out", "narrowed(t) if x > 1 else 1")
    may = replace(IN_FLOAT32, allowed={"scalars-in-own-type"})
    assert result_of(terms, on=may, scalars={"t": 0.1}).value.tolist() == [1, narrow, narrow]
    assert not result_of(terms, on=may, scalars={"t": 0.1}).error.any()
    exact = result_of(terms, on=may, scalars={"t": 0.5})
    assert exact.value.tolist() == [1, 0.5, 0.5]


def test_a_term_of_scalars_alone_is_shared(specs: SpecSet) -> None:
    """Its error is one for all elements: that of 1 / (1 - prob), relative to it."""
    formula = specs.operator("aclnnDropoutDoMask").formula_source
    x, mask = X.astype(np.float32), np.full(16, 255, np.uint8)
    inputs: dict[str, npt.NDArray[Any]] = {"self": x, "mask": mask}
    for on, rounding in MOST:
        found = evaluate_whole(formula, inputs, {"prob": 0.3}, on)["out"]
        # the difference and the quotient are rounded
        assert rounding < found.shared <= 4 * rounding
    assert evaluate_whole(formula, inputs, {"prob": 0.3})["out"].shared < 1e-15
    apart = [("scale", "1 / (1 - prob)"), ("out", "x * scale + 1")]
    assert result_of(*apart, on=IN_EITHER, scalars={"prob": 0.3}).shared == 0


@pytest.mark.parametrize(
    ("prob", "expected"),
    [
        (0.0, [1.0, -2.0, 3.0, np.inf]),
        (0.5, [2.0, 0.0, 6.0, 0.0]),
        (0.75, [4.0, 0.0, 12.0, 0.0]),
        (1.0, [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_dropout(specs: SpecSet, prob: float, expected: list[float]) -> None:
    """The first bit belongs to the first element; prob 0 and 1 leave the mask aside."""
    x, mask = np.array([1, -2, 3, np.inf], np.float32), np.zeros(16, np.uint8)
    mask[0] = 0b0101
    inputs: dict[str, npt.NDArray[Any]] = {"self": x, "mask": mask}
    formula = specs.operator("aclnnDropoutDoMask").formula_source
    found = evaluate_whole(formula, inputs, {"prob": prob})["out"]
    assert found.value.tolist() == expected
