# SPDX-License-Identifier: Apache-2.0
"""Elements at which a kernel is likely to compute in another way."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from aclnn_cts.plan import portable_functions
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.turning_points import turning_points
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.expression import parse_formula


def numbers(dtype: str) -> FloatFormat:
    floating = DATA_TYPES[dtype].floating
    assert floating is not None
    return floating


def points(text: str, dtype: str = "float32", **values: float) -> tuple[float, ...]:
    return turning_points({"out": parse_formula(text)}, "x", values, numbers(dtype))


@pytest.mark.parametrize(
    ("text", "dtype", "expected"),
    [
        # exp overflows, and is too small for the sum
        (
            "x / (1 + exp(-x))",
            "float32",
            [-math.log(numbers("float32").overflow), 24 * math.log(2)],
        ),
        ("x / (1 + exp(-x))", "float16", [-math.log(65520.0), 11 * math.log(2)]),
        # so does the term that a function stands for
        ("sigmoid(x)", "float32", [-128 * math.log(2)]),
        # rounds to 1
        ("tanh(x)", "float32", [math.atanh(1 - 2.0**-25)]),
        # a pole, and a branch
        ("1 / (x - 3)", "bfloat16", [3.0]),
        ("x if x > 2 else 0.1 * x", "float16", [2.0]),
        ("x if x > lambd else 0", "float32", [0.3]),
        # becomes subnormal, and 0
        ("x * x", "float32", [2.0**-63, 2.0**-74.5]),
        # an allowance only marks a term; a loss is of elements
        ("reduce(unstored(exp(x)), reduction)", "float16", [math.log(65520.0)]),
    ],
)
def test_where_terms_change(text: str, dtype: str, expected: list[float]) -> None:
    found = points(text, dtype, lambd=0.3, reduction=1)
    for point in expected:
        off = min(abs(each / point - 1) for each in found)
        assert off < 2.0 ** -numbers(dtype).fraction_bits, (point, found)


def test_terms_by_name_are_evaluated_once_each() -> None:
    formula = {"s": parse_formula("exp(x)"), "out": parse_formula("1 if s > 2 else y")}
    found = turning_points(formula, "x", {}, numbers("float32"))
    assert min(abs(each - math.log(2)) for each in found) < 1e-6


@pytest.mark.parametrize("text", ["x / sum(x, dim)", "largest(x, dim)", "x"])
def test_none_where_elements_depend_on_others_or_nothing_is_computed(text: str) -> None:
    assert points(text) == ()


def test_none_of_a_formula_module() -> None:
    assert turning_points({}, "x", {}, numbers("float32")) == ()


def test_many_are_sampled() -> None:
    """As those of a function with many branches: both ends and some in between."""
    formula = {f"t{n}": parse_formula(f"1 if x > {2.0**n} else 2") for n in range(90)}
    found = turning_points(formula, "x", {}, numbers("float32"))
    assert len(found) == 64
    assert max(found) == pytest.approx(2.0**89)


SIZES = np.concatenate([np.ldexp(1 + np.arange(8) / 8, power) for power in range(-60, 11)])


@pytest.mark.parametrize(
    ("function", "exact"),
    [
        (portable_functions.exp, np.exp),
        (portable_functions.log, np.log),
        (portable_functions.tanh, np.tanh),
        (portable_functions.erf, np.vectorize(math.erf, otypes=[float])),
    ],
)
def test_portable_functions(function: Callable[..., Any], exact: Callable[..., Any]) -> None:
    """They differ from those of this host only in the last bits, Inf and NaN included."""
    elements = np.concatenate([-SIZES, SIZES, [0.0, -0.0, math.inf, -math.inf, math.nan]])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(function(elements), exact(elements), rtol=2e-15)


def test_portable_powers_of_two() -> None:
    """Those of integers are exact, others differ from those of this host in the last bits."""
    integers = np.arange(-1074, 1024)
    np.testing.assert_array_equal(portable_functions.exp2(integers), np.ldexp(1.0, integers))
    elements = np.linspace(-1021.9, 1023.9, 9999)
    np.testing.assert_allclose(portable_functions.exp2(elements), np.exp2(elements), rtol=1e-15)


@pytest.mark.parametrize("function", ["sin", "cos", "asin", "atan"])
def test_portable_functions_of_angles(function: str) -> None:
    """They differ from those of this host by a few ulps of 1, up to the largest angle."""
    ones = np.linspace(-1, 1, 1001)
    elements = ones if function == "asin" else np.concatenate([ones, 64 * ones, [math.nan]])
    with np.errstate(all="ignore"):
        portable = getattr(portable_functions, function)(elements)
    exact = getattr(np, {"asin": "arcsin", "atan": "arctan"}.get(function, function))(elements)
    np.testing.assert_allclose(portable, exact, rtol=2e-15, atol=1e-14)


def test_points_are_the_same_on_all_processors() -> None:
    """Ids of cases depend on each bit of them; those of NumPy's exp differ without AVX-512."""
    formula = "log(1 + exp(-x)) + tanh(x) + erf(x) * x ** 3"
    found = np.array(points(formula, "double") + points(formula, "float32"))
    assert hashlib.sha256(found.tobytes()).hexdigest()[:16] == "d428d48088a9c3ed"


def test_integers_have_those_of_real_numbers(planned: Callable[..., tuple[Case, ...]]) -> None:
    """A case of integers that are all clipped away could not fail."""
    cases = [
        case
        for case in planned("atlas-a2", "smoke", "aclnnHardsigmoid")
        if case.scene == "turning-points" and case.tensors[0].dtype == "int32"
    ]
    assert cases
    for case in cases:
        fill = case.tensors[0].fill
        assert fill is not None
        assert {-3, 3} <= {round(each) for each in fill.thresholds}
