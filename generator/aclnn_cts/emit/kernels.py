# SPDX-License-Identifier: Apache-2.0
"""Kernels of simulated operators, from the formulas of their specs.

The C++ computes the operations that the page names, in the type of its arguments. It shares nothing
with golden values but the formula: their values and errors are computed elsewhere, and oracles that
this project did not write check them.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import (
    constant_of,
    movement_of,
    name_of,
    reduction_of,
    sums_in,
)
from aclnn_cts.spec.models import OperatorSpec

_CHOICE, _OR, _EQUAL, _SUM, _PRODUCT, _SIGN, _CALL = range(7)
"""How much operators of C++ bind; && counts as ||, and < as ==."""

_CALLS: Mapping[str, tuple[int, str]] = {
    "abs": (_CALL, "std::abs({})"),
    "exp": (_CALL, "std::exp({})"),
    "expm1": (_SUM, "std::exp({}) - 1"),
    "log": (_CALL, "std::log({})"),
    "sqrt": (_CALL, "std::sqrt({})"),
    "tanh": (_CALL, "std::tanh({})"),
    "erf": (_CALL, "std::erf({})"),
    "erfc": (_SUM, "1 - std::erf({})"),
    "sigmoid": (_PRODUCT, "1 / (1 + std::exp(-{}))"),
    "log_sigmoid": (_CALL, "std::log(1 / (1 + std::exp(-{})))"),
    "log_one_minus_sigmoid": (_CALL, "std::log(1 - 1 / (1 + std::exp(-{})))"),
    "softplus": (_CALL, "std::log(1 + std::exp({}))"),
    "softplus_slope": (_PRODUCT, "1 / (1 + std::exp(-{}))"),
    "one_minus_square": (_SUM, "1 - {0} * {0}"),
    "normal_cdf": (_PRODUCT, "(1 + std::erf({} / std::sqrt({type}(2)))) / 2"),
    "isnan": (_CALL, "std::isnan({})"),
    "isinf": (_CALL, "std::isinf({})"),
    "isfinite": (_CALL, "std::isfinite({})"),
    "min": (_CHOICE, "{0} < {1} || std::isnan({0}) ? {0} : {1}"),
    "max": (_CHOICE, "{0} > {1} || std::isnan({0}) ? {0} : {1}"),
    "with_sign": (_CHOICE, "{1} < 0 ? -{0} : {0}"),
}
"""The operator outside, and the text of a function around arguments that bind more than a sign."""

FIRST = ("unstored", "host", "narrowed", "truncated", "equal_forms", "readings", "reduce")
"""Functions that only say what else a device may do: a kernel computes their first argument."""

_WHOLE = ("abs", "min", "max", "with_sign", "isnan", "isinf", "isfinite")
"""Functions of integers that give integers, or conditions."""

OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
}


def is_of_elements(spec: OperatorSpec) -> bool:
    """Whether an element of the only output, or a loss, follows from those of the inputs."""
    moves = any(movement_of(each) or sums_in(each) for each in spec.formula.values())
    traits = {"elementwise", "loss"} & {*spec.traits}
    return bool(spec.formula and traits and not moves and len(spec.outputs) == 1)


def kernel_text(spec: OperatorSpec, function: str) -> str:
    """Return the function of an element, as :mod:`aclnn_cts.emit.simulated` describes it.

    Integers are computed in double where a formula gives fractions, which they lose at the end.
    """
    *local, (_, last) = spec.formula.items()
    _, reduction = reduction_of(last) or (None, "")
    scalars = [*(each.name for each in spec.attributes if each.name != reduction), *spec.derived]
    inputs = [tensor.as_input for tensor in spec.inputs]
    has_fractions = gives_integers(spec) and any(
        _has_fractions(each.tree) for each in spec.formula.values()
    )
    emit = _Emitter("Number", {*scalars})
    if has_fractions:
        emit = _Emitter("Real", {*scalars, *inputs})
    result = emit.number(last.tree)
    lines = [f"return {f'static_cast<Number>({result})' if has_fractions else result};"]
    for name, expression in reversed(local):
        if _reads(lines, name):
            lines.insert(0, f"const {emit.type} {name} = {emit.number(expression.tree)};")
    types = [f"T{number}" for number in range(len(scalars))]
    named = [*(("Number", name) for name in inputs), *zip(types, scalars, strict=True)]
    parameters = (f"{kind} {name if _reads(lines, name) else ''}" for kind, name in named)
    templates = ", ".join(f"typename {each}" for each in ("Number", *types))
    if has_fractions:
        real = "std::conditional_t<std::is_integral_v<Number>, double, Number>"
        lines.insert(0, f"using Real = {real};")
    signature = f"Number {function}({', '.join(parameters)}) {{"
    return "\n".join((f"template <{templates}>", signature, *lines, "}\n"))


def gives_integers(spec: OperatorSpec) -> bool:
    """Whether an output may have an integer type."""
    names = (
        name
        for output in spec.outputs
        for product in spec.products
        for name in spec.dtypes(output.name, product)
    )
    return any(DATA_TYPES[name].floating is None for name in names)


def _has_fractions(tree: ast.expr) -> bool:
    """Whether integers may give a fraction."""
    return any(
        ((value := constant_of(node)) is not None and not value.is_integer())
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Call) and name_of(node) not in (*FIRST, *_WHOLE))
        for node in ast.walk(tree)
        if isinstance(node, ast.expr)
    )


def _reads(lines: Iterable[str], name: str) -> bool:
    return any(re.search(rf"\b{name}\b", line) for line in lines)


@dataclass(frozen=True)
class _Emitter:
    """Writes the terms of a formula in C++.

    Attributes:
        type: The type in which it computes.
        others: Names of another type.
    """

    type: str
    others: Collection[str]

    def number(self, node: ast.expr, level: int = _CHOICE) -> str:
        """Return a number; in parentheses if its operator binds less than the level."""
        if (value := constant_of(node)) is not None:
            if math.isfinite(value):
                return f"{self.type}({value!r})"
            limit = "quiet_NaN" if math.isnan(value) else "infinity"
            return f"{'-' if value < 0 else ''}std::numeric_limits<{self.type}>::{limit}()"
        if isinstance(node, ast.Name):
            return f"{self.type}({node.id})" if node.id in self.others else node.id
        if isinstance(node, ast.Call):
            return self._called(node, level)
        own, text = self._operated(node)
        return f"({text})" if own < level else text

    def _operated(self, node: ast.expr) -> tuple[int, str]:
        if isinstance(node, ast.IfExp):
            sides = self.number(node.body, _OR), self.number(node.orelse)
            return _CHOICE, f"{self.condition(node.test, _OR)} ? {sides[0]} : {sides[1]}"
        if isinstance(node, ast.UnaryOp):
            return _SIGN, f"-{self.number(node.operand, _CALL)}"
        operation = cast("ast.BinOp", node)
        if isinstance(operation.op, ast.Pow):
            factor, power = self.number(operation.left, _SIGN), constant_of(operation.right)
            return _PRODUCT, " * ".join([factor] * int(power or 0))
        own = _SUM if isinstance(operation.op, ast.Add | ast.Sub) else _PRODUCT
        left, right = self.number(operation.left, own), self.number(operation.right, own + 1)
        return own, f"{left} {OPERATORS[type(operation.op)]} {right}"

    def _called(self, node: ast.Call, level: int) -> str:
        name = name_of(node)
        if name in FIRST:
            return self.number(node.args[0], level)
        own, pattern = _CALLS[name]
        inside = _CHOICE if "({})" in pattern else _CALL
        arguments = [self.number(argument, inside) for argument in node.args]
        text = pattern.format(*arguments, type=self.type)
        return f"({text})" if own < level else text

    def condition(self, node: ast.expr, level: int = _CHOICE) -> str:
        """Return a condition, likewise."""
        if isinstance(node, ast.Name):
            return f"bool({node.id})"
        if isinstance(node, ast.Call):
            return self._called(node, level)
        if isinstance(node, ast.BoolOp):
            # g++ wants parentheses around && within ||
            own, text = (
                _OR,
                f" {OPERATORS[type(node.op)]} ".join(
                    self.condition(each, _EQUAL) for each in node.values
                ),
            )
        elif isinstance(node, ast.UnaryOp):
            own, text = _SIGN, f"!{self.condition(node.operand, _CALL)}"
        else:
            compared = cast("ast.Compare", node)
            sides = [self.number(each, _SUM) for each in (compared.left, *compared.comparators)]
            pairs = zip(sides, compared.ops, sides[1:], strict=False)
            each = [f"{one} {OPERATORS[type(sign)]} {other}" for one, sign, other in pairs]
            own, text = _EQUAL if len(each) == 1 else _OR, " && ".join(each)
        return f"({text})" if own < level else text
