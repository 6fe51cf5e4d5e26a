# SPDX-License-Identifier: Apache-2.0
"""Faults of formulas: edits of the tree, made for every operator whose formula gives its kernel."""

from __future__ import annotations

import ast
import contextlib
import copy
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from aclnn_cts.golden.data_kinds import make_data
from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.plan.cases import Case, Fill
from aclnn_cts.spec.expression import (
    MARKS,
    REDUCTIONS,
    TESTS,
    Expression,
    ExpressionError,
    constant_of,
    name_of,
    parse_formula,
)
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import FormulaText, OperatorSpec

FORMULA_EDITS = "formula-edits"
"""The class of these faults."""

Formula: TypeAlias = Mapping[str, Expression]


class FormulaEdit(NamedTuple):
    """A formula that is wrong in one place.

    Attributes:
        what: Its name among those of the operator.
        fault: What goes wrong.
    """

    what: str
    fault: str
    formula: Formula


_SWAPPED: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitXor,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}

_OTHERS = {
    "sum": "amax",
    "prod": "sum",
    "mean": "sum",
    "deviations": "sum",
    "logsumexp": "sum",
    "amax": "amin",
    "amin": "amax",
    "any": "all",
    "all": "any",
}
"""Reductions in place of others."""

_ROUNDED = {
    "floor": "trunc({})",
    "ceil": "trunc({})",
    "trunc": "floor({})",
    "round": "with_sign(floor(abs({0}) + 0.5), {0})",
    "remainder": "fmod({}, {})",
    "fmod": "remainder({}, {})",
    "power": "exp({1} * log(abs({0})))",
}


def edits_of(spec: OperatorSpec) -> Iterator[FormulaEdit]:
    """Yield the formula with each operator swapped, operand dropped, constant and bound off."""
    numbers = Counter[str]()
    for name, expression in spec.formula.items():
        for place, node in enumerate(_computations(expression.tree)):
            for kind, edited in _edits(node):
                tree = copy.deepcopy(expression.tree)
                old = list(_computations(tree))[place]
                formula = ast.unparse(_Replacer(old, edited).visit(tree))
                numbers[kind] += 1
                with contextlib.suppress(ExpressionError):  # a constant term may have no value
                    yield FormulaEdit(
                        f"{kind}-{numbers[kind]}",
                        f"{name} is computed as `{formula}`.",
                        {**spec.formula, name: parse_formula(formula)},
                    )


class _Replacer(ast.NodeTransformer):
    """Replaces one node of a tree."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self._new if node is self._old else super().visit(node)


def _computations(tree: ast.expr) -> Iterator[ast.expr]:
    """Yield the nodes that a kernel computes, outside ones first."""
    yield tree
    children = [child for child in ast.iter_child_nodes(tree) if isinstance(child, ast.expr)]
    if isinstance(tree, ast.Call):
        children = tree.args[:1] if name_of(tree) in (*MARKS, *REDUCTIONS) else tree.args
    elif isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow):
        children = [tree.left]
    for child in children:
        yield from _computations(child)


def _edits(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the kinds of a node's edits, with what takes its place."""
    if isinstance(node, ast.Constant):
        value = float(node.value)  # type: ignore[arg-type]
        yield "constant", ast.Constant(value * 1.125 if value else 0.125)
    elif isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            yield "power", node.left
            return
        yield "operator", ast.BinOp(node.left, _swap(node.op), node.right)
        yield "operand", node.left
    elif isinstance(node, ast.UnaryOp) and constant_of(node) is None:
        yield "sign", node.operand
    elif isinstance(node, ast.Compare):
        yield "bound", ast.Compare(node.left, list(map(_swap, node.ops)), node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield "condition", ast.BoolOp(_swap(node.op), node.values)
    elif isinstance(node, ast.IfExp):
        yield from (("branch", side) for side in (node.body, node.orelse))
    elif isinstance(node, ast.Call):
        yield from _edits_of_call(node)


def _edits_of_call(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    name, first = name_of(node), node.args[0]
    if name in _OTHERS:
        yield "reduction", ast.Call(ast.Name(_OTHERS[name]), node.args, [])
    elif name not in (*MARKS, *TESTS):
        yield "function", first
        if name in _ROUNDED:
            other = _ROUNDED[name].format(*map(ast.unparse, node.args))
            yield "rounding", ast.parse(other, mode="eval").body


def _swap(operation: Any) -> Any:
    return _SWAPPED.get(type(operation), type(operation))()


_KINDS = ("around-thresholds", "wide", "magnitudes", "exact", "special", "subnormal")
_ELEMENTS = 2048


def is_equivalent(specs: SpecSet, formula: Formula, cases: Iterable[Case]) -> bool:
    """Whether a formula gives only what the operator's own one allows, in random calls.

    Args:
        cases: Planned cases of the operator, for their attributes and data types.
    """
    calls = {
        repr((case.attributes, [tensor.dtype for tensor in case.tensors])): case
        for case in cases
        if case.expects_success
        and all(tensor.source == "data" for tensor in case.inputs)
        and not specs.operator(case.operator).is_reduced
    }
    pairs = itertools.product(calls.values(), _KINDS)
    return bool(calls) and all(_agrees(specs, formula, case, kind) for case, kind in pairs)


def _agrees(specs: SpecSet, formula: Formula, case: Case, kind: str) -> bool:
    spec = specs.operator(case.operator)
    near = [value for expression in formula.values() for value in _constants(expression.tree)]
    near += [float(v) for v in case.values.values() if isinstance(v, int | float)]
    inputs = {
        tensor.name: make_data(
            Fill(kind, (*near, *(-value for value in near)), f"{kind}:{tensor.name}"),
            (_ELEMENTS,),
            tensor.dtype,
        )
        for tensor in case.inputs
    }
    output = case.outputs[0]
    expected = expect_call(
        specs, case.operator, inputs, case.values, case.product, {output.name: output.dtype}
    )
    edited = cast("FormulaText", spec.formula_source)._replace(terms=tuple(formula.items()))
    columns = {spec.tensor(name).as_input: array for name, array in inputs.items()}
    (result,) = evaluate_whole(edited, columns, case.values).values()
    with np.errstate(all="ignore"):
        actual = np.broadcast_to(result.value, expected[output.name].shape)
        actual = actual.astype(output.data_type.numpy)
    yardstick = yardstick_of(output.dtype, specs.precision)
    compared = compare(output.name, actual, expected[output.name], yardstick)
    return compared.figures["strict"].passed


def _constants(tree: ast.expr) -> list[float]:
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.expr))
    constants = [constant_of(node) for node in nodes]
    return [value for value in constants if value is not None and math.isfinite(value)]
