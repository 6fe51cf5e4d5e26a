# SPDX-License-Identifier: Apache-2.0
"""Elements at which a term of a formula changes its kind, which is where kernels change their way.

A term overflows, becomes subnormal or 0, changes its sign, rounds to 1, or is too small for a sum,
or a condition changes. All other inputs are 1.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.plan import portable_functions
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.expression import (
    MARKS,
    WRITTEN,
    Expression,
    constant_of,
    movement_of,
    name_of,
    reductions_in,
)

FloatArray = npt.NDArray[np.float64]

_STEPS = 16
"""Numbers of an octave at which kinds are compared; a narrower interval may be overlooked."""

_MOST = 64
"""Number of places of one formula; of more, as of a periodic function, some are taken."""

_RULES: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
    ast.Pow: lambda x, exponent: math.prod([x] * int(exponent)),
    ast.USub: operator.neg,
    ast.Not: np.logical_not,
    ast.And: lambda *conditions: functools.reduce(np.logical_and, conditions),
    ast.Or: lambda *conditions: functools.reduce(np.logical_or, conditions),
    ast.IfExp: np.where,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": np.abs,
    "exp": portable_functions.exp,
    "log": portable_functions.log,
    "sqrt": np.sqrt,
    "tanh": portable_functions.tanh,
    "erf": portable_functions.erf,
    "sin": portable_functions.sin,
    "cos": portable_functions.cos,
    "asin": portable_functions.asin,
    "atan": portable_functions.atan,
    "power": lambda x, y: portable_functions.exp(y * portable_functions.log(np.abs(x))),
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "min": np.minimum,
    "max": np.maximum,
    "with_sign": lambda size, sign: np.where(sign < 0, -size, size),
    "wrapped": lambda x: x,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "signbit": np.signbit,
}


def turning_points(
    formula: Mapping[str, Expression], name: str, values: Mapping[str, Any], numbers: FloatFormat
) -> tuple[float, ...]:
    """Return the elements of an input at which a term changes its kind, in ascending order.

    Args:
        formula: Terms by name; none moves elements or adds them up along an axis.
        name: The input.
        values: Attributes and derived values by name.
        numbers: The input's type, in which terms are computed as far as its range matters.
    """
    if any(movement_of(each) or reductions_in(each) for each in formula.values()):
        return ()
    trees = {key: each.tree for key, each in formula.items()}

    def kinds(elements: FloatArray) -> npt.NDArray[np.int64]:
        terms = _Terms({**values, name: elements}, numbers, elements.shape)
        with np.errstate(all="ignore"):
            for key, tree in trees.items():
                terms.names[key] = terms.value(tree)
        return np.array(terms.kinds)

    octaves = np.arange(numbers.min_exponent - numbers.fraction_bits, numbers.max_exponent + 1)
    sizes = np.ldexp(1 + np.arange(_STEPS) / _STEPS, octaves[:, np.newaxis]).ravel()
    sizes = sizes[sizes <= numbers.max_finite]
    elements = np.concatenate([-sizes[::-1], [0.0], sizes])
    found = kinds(elements)
    if not found.size:
        return ()  # nothing is computed
    changes = np.flatnonzero((found[:, 1:] != found[:, :-1]).any(axis=0))
    low, high, before = elements[changes], elements[changes + 1], found[:, changes]
    for _ in range(numbers.fraction_bits + 4):
        middle = low + (high - low) / 2
        is_before = (kinds(middle) == before).all(axis=0)
        low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
    chosen = np.unique(np.linspace(0, high.size - 1, min(high.size, _MOST)).astype(np.intp))
    return tuple(map(float, high[chosen]))


@dataclass(frozen=True)
class _Terms:
    """Evaluates terms, and notes the kind of each.

    Attributes:
        names: Values by name; inputs without one are 1.
        numbers: The type whose range they have.
        shape: That of the elements.
        kinds: A number for the kind of each term's elements, in the order of evaluation.
    """

    names: dict[str, Any]
    numbers: FloatFormat
    shape: tuple[int, ...]
    kinds: list[npt.NDArray[np.int64]] = field(default_factory=list)

    def value(self, node: ast.expr) -> Any:
        """Return the value of a term, or where a condition holds."""
        if (constant := constant_of(node)) is not None:
            return constant
        if isinstance(node, ast.Name):
            return self.names.get(node.id, 1.0)
        if isinstance(node, ast.Call) and name_of(node) in MARKS:
            return self.value(node.args[0])
        if isinstance(node, ast.Call) and name_of(node) in WRITTEN:
            names = self.names | dict(zip("xy", map(self.value, node.args), strict=False))
            return _Terms(names, self.numbers, self.shape, self.kinds).value(WRITTEN[name_of(node)])
        is_absorbed: Any = 0
        if isinstance(node, ast.BinOp):
            left, right = self.value(node.left), self.value(node.right)
            found = _RULES[type(node.op)](left, right)
            if isinstance(node.op, ast.Add | ast.Sub):
                tiny = self.numbers.unit_roundoff * np.abs(found)
                is_absorbed = np.where(np.abs(left) < tiny, 1, np.where(np.abs(right) < tiny, 2, 0))
                found = np.choose(is_absorbed, [found, found - left, left])
        elif isinstance(node, ast.Compare):
            found = self._compare(node)
        elif isinstance(node, ast.Call):
            found = _FUNCTIONS[name_of(node)](*map(self.value, node.args))
        else:
            kind: ast.AST = getattr(node, "op", node)
            parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
            found = _RULES[type(kind)](*map(self.value, parts))
        return self._note(np.broadcast_to(found, self.shape), is_absorbed)

    def _note(self, values: Any, is_absorbed: Any) -> Any:
        """Note the kind of each element, and return the elements as far as the type holds them."""
        if values.dtype == bool:
            self.kinds.append(values.astype(np.int64))
            return values
        size, numbers = np.abs(values), self.numbers
        limits = numbers.smallest_subnormal, numbers.smallest_normal, numbers.overflow
        kind = np.where(np.isnan(size), 9, sum(size >= limit for limit in limits))
        levels_off = np.abs(size - 1) <= numbers.unit_roundoff / 2
        self.kinds.append(kind + 10 * (values < 0) + 20 * levels_off + 100 * is_absorbed)
        return np.where(kind == 0, 0.0, np.where(kind == 3, np.copysign(np.inf, values), values))

    def _compare(self, node: ast.Compare) -> Any:
        sides = [self.value(each) for each in (node.left, *node.comparators)]
        pairs = zip(node.ops, sides, sides[1:], strict=False)
        return functools.reduce(np.logical_and, (_RULES[type(op)](*pair) for op, *pair in pairs))
