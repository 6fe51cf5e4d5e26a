# SPDX-License-Identifier: Apache-2.0
"""The bits of integers, of which golden data are floating numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.spec.data_types import IntegerFormat

Words = npt.NDArray[Any]
"""Words of 64 bits."""

_HALF = 2.0**63


def _shift(rule: np.ufunc) -> Callable[[Words, Words], Words]:
    return lambda word, count: np.asarray(rule(word, np.clip(count, 0, 63).astype(word.dtype)))


_OPERATORS: Mapping[type[ast.AST], Callable[..., Words]] = {
    ast.BitAnd: np.bitwise_and,
    ast.BitOr: np.bitwise_or,
    ast.BitXor: np.bitwise_xor,
    ast.Invert: np.invert,
    ast.LShift: _shift(np.left_shift),
    ast.RShift: _shift(np.right_shift),
}


def operate(operator: ast.AST, grid: IntegerFormat, *operands: FloatArray) -> FloatArray:
    """Return the result of an operator of bits.

    Args:
        grid: The integers of operands and result; bool has one bit.
    """
    word: Any = np.uint64 if grid.least == 0 else np.int64
    words = (_words(numbers).view(word) for numbers in operands)
    return _numbers(_OPERATORS[type(operator)](*words), grid, operands[0].dtype)


def wrap(grid: IntegerFormat, numbers: FloatArray) -> FloatArray:
    """Return the integers of a type that have the lowest bits of any."""
    return _numbers(_words(numbers), grid, numbers.dtype)


def _words(numbers: FloatArray) -> Words:
    """Return integers in two's complement, also those beyond int64."""
    return np.where(numbers >= _HALF, numbers - 2 * _HALF, numbers).astype(np.int64)


def _numbers(words: Words, grid: IntegerFormat, real: np.dtype[Any]) -> FloatArray:
    """Return the numbers that an integer type has for the lowest bits."""
    count = (grid.most - grid.least + 1).bit_length() - 1
    unsigned = (words.view(np.uint64) & np.uint64(2**count - 1)).astype(real)
    return np.where(unsigned > grid.most, unsigned - 2.0**count, unsigned)
