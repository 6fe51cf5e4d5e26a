# SPDX-License-Identifier: Apache-2.0
"""Conditions as results: 1, 0, or either where a correct device's rounding decides."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.golden.test_expressions import formula_of

from aclnn_cts.golden.arithmetic import Arithmetic
from aclnn_cts.golden.bits import operate
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.outcomes import ZERO
from aclnn_cts.spec.data_types import DATA_TYPES, IntegerFormat

HALF, SINGLE = (DATA_TYPES[name].grid for name in ("float16", "float32"))


def truths(text: str, inputs: Mapping[str, npt.NDArray[Any]], *allowed: str) -> list[int | None]:
    """Return 1, 0, or None for either, on a device that stores halves."""
    on = Arithmetic(SINGLE, HALF, {"float32-or-wider", *allowed})
    number = evaluate_whole(formula_of(("out", text)), inputs, {}, on)["out"].number
    bits = np.zeros(number.value.shape, np.uint8) if number.extremes is None else number.extremes
    either = (bits & ZERO) != 0
    return [None if one else int(v) for v, one in zip(number.value, either, strict=True)]


@pytest.mark.parametrize(
    ("sign", "expected"),
    [
        *(("==", [0, 1, 0, 0, 1]), ("!=", [1, 0, 1, 1, 0]), ("<", [1, 0, 0, 0, 0])),
        *(("<=", [1, 1, 0, 0, 1]), (">", [0, 0, 1, 0, 0]), (">=", [0, 1, 1, 0, 1])),
    ],
)
def test_exact_numbers_are_compared_exactly(sign: str, expected: list[int]) -> None:
    """NaN is different from each number; -0 equals 0."""
    x = np.array([1, np.inf, 1 + 2.0**-10, np.nan, -0.0], np.float16)
    y = np.array([1 + 2.0**-10, np.inf, 1, np.nan, 0], np.float16)
    assert truths(f"x {sign} y", {"x": x, "y": y}) == expected


def test_an_integer_beside_halves_may_be_rounded_to_them() -> None:
    """2049 lies between two halves, and 70000 beyond all; smaller integers are exact."""
    whole = np.array([2047, 2049, 2049, 70000, 70000], np.int32)
    halves = np.array([2048, 2048, 2052, np.inf, 60000], np.float16)
    assert truths("x == y", {"x": whole, "y": halves}) == [0, None, 0, None, 0]
    assert truths("x > y", {"x": whole, "y": halves}) == [0, None, 0, 0, 1]


def test_rounding_decides_only_near_a_tie() -> None:
    x = np.array([1.0, 3.0, 9.0], np.float16)
    found = truths("x / 3 <= 1", {"x": x}, "intermediates-in-own-type")
    assert found == [1, None, 0]
    both = truths("x / 3 <= 1 and x > 2", {"x": x})
    assert both == [0, None, 0]
    assert truths("(x / 3 < 1) != (x > 2)", {"x": x}) == [1, None, 1]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
def test_bits_are_those_of_the_type(dtype: str) -> None:
    """As NumPy operates on them; golden data are floating numbers."""
    info, numpy = np.iinfo(dtype), np.dtype(dtype)
    x = np.array([info.min, info.max, 5, 100, info.max // 3], numpy)
    y = np.array([info.max, 3, 12, info.max - 1, info.min], numpy)
    counts = np.array([0, 1, 7, 2, 3], numpy)
    real: Any = np.longdouble if numpy.itemsize == 8 else np.float64
    grid = IntegerFormat.of(numpy)
    pairs: list[tuple[ast.AST, Any, tuple[npt.NDArray[Any], ...]]] = [
        (ast.BitAnd(), np.bitwise_and, (x, y)),
        (ast.BitOr(), np.bitwise_or, (x, y)),
        (ast.BitXor(), np.bitwise_xor, (x, y)),
        (ast.Invert(), np.invert, (x,)),
        (ast.LShift(), np.left_shift, (x, counts)),
        (ast.RShift(), np.right_shift, (x, counts)),
    ]
    for operator, theirs, operands in pairs:
        found = operate(operator, grid, *(each.astype(real) for each in operands))
        assert found.tolist() == theirs(*operands).astype(real).tolist()


def test_a_bool_has_one_bit() -> None:
    x = np.array([0.0, 1.0])
    assert operate(ast.Invert(), IntegerFormat.of(np.dtype(np.bool_)), x).tolist() == [1, 0]
