# SPDX-License-Identifier: Apache-2.0
"""Conditions on numbers: where they hold on each correct device, and where on some."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from aclnn_cts.golden.arithmetic import Arithmetic, Number
from aclnn_cts.golden.outcomes import NAN, NEG_INF, POS_INF, ZERO
from aclnn_cts.spec.evaluation import Truth


class _Reach(NamedTuple):
    """The least and the greatest value of a number on a correct device, NaN if it is NaN."""

    low: Any
    high: Any
    may_be_nan: Any = False

    @classmethod
    def of(cls, number: Number) -> _Reach:
        if not number.on.allowed:
            return cls(number.value, number.value)
        settled = number.spanning
        low, high = settled.value - settled.total, settled.value + settled.total
        if (bits := settled.extremes) is None:
            return cls(low, high)
        low, high = np.where(bits & NEG_INF, -np.inf, low), np.where(bits & POS_INF, np.inf, high)
        return cls(low, high, np.not_equal(bits & NAN, 0))


def _is_less(left: _Reach, right: _Reach) -> Truth:
    return Truth(left.high < right.low, left.low < right.high)


def _is_at_most(left: _Reach, right: _Reach) -> Truth:
    return Truth(left.high <= right.low, left.low <= right.high)


_COMPARISONS: Mapping[type[ast.cmpop], Callable[[_Reach, _Reach], Truth]] = {
    ast.Lt: _is_less,
    ast.LtE: _is_at_most,
    ast.Gt: lambda left, right: _is_less(right, left),
    ast.GtE: lambda left, right: _is_at_most(right, left),
    ast.Eq: lambda left, right: _is_at_most(left, right) & _is_at_most(right, left),
}


def compare(sign: ast.cmpop, left: Number, right: Number) -> Truth:
    """Return where a comparison of two numbers holds."""
    if isinstance(sign, ast.NotEq):
        return ~compare(ast.Eq(), left, right)
    reaches = _Reach.of(left), _Reach.of(right)
    truth = _COMPARISONS[type(sign)](*reaches)
    is_number = ~np.logical_or(*(reach.may_be_nan for reach in reaches))
    return Truth(truth.certain & is_number, truth.possible)


def number_of(truth: Truth, on: Arithmetic) -> Number:
    """Return 1 where a condition holds and 0 elsewhere; either where rounding decides."""
    number = on.exact(np.asarray(truth.possible, np.float64))
    is_open = np.not_equal(truth.possible, truth.certain)
    if not is_open.any():
        return number
    return replace(number, extremes=np.asarray(is_open * ZERO, np.uint8))
