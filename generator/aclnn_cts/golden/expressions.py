# SPDX-License-Identifier: Apache-2.0
"""Formulas that specs state as expressions, evaluated in numbers with errors.

What a device may do by the allowances follows from an expression: each intermediate result may be
kept in the tensors' own type, and the result of the last operation be converted afterwards; the
terms of a sum and the factors of a product are combined in any order; a constant is rounded once.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, cast

import numpy as np

from aclnn_cts.golden import losses
from aclnn_cts.golden.arithmetic import (
    CONVERTED,
    FLOAT64,
    STORED,
    Arithmetic,
    Number,
    added,
    either,
    holds,
    reading,
    select,
)
from aclnn_cts.golden.formula import Attributes, Inputs, Result, Sums, widen
from aclnn_cts.golden.functions import OF_ONE, OF_TWO
from aclnn_cts.spec.expression import constant_of, name_of, reduction_of
from aclnn_cts.spec.models import FormulaText

_COMPARISONS: Mapping[type[ast.cmpop], np.ufunc] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
_TESTS = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}


@functools.lru_cache(maxsize=1024)
def module_of(formula: FormulaText) -> ModuleType:
    """Return a formula module that evaluates the expressions of a spec."""
    module: Any = ModuleType(formula.file)
    module.__file__ = formula.file
    if any(reduction_of(each) for _, each in formula.terms):
        module.evaluate = functools.partial(_reduce, formula)
        module.align = losses.align
    else:
        module.evaluate = functools.partial(_evaluate, formula)
    return cast("ModuleType", module)


def intermediate_results(
    formula: FormulaText, inputs: Mapping[str, float], attributes: Attributes
) -> dict[str, float]:
    """Return the named intermediate results for one element.

    Args:
        inputs: Values of the inputs there; what depends on others is left out.
    """
    arrays = {name: np.array([value]) for name, value in inputs.items()}
    found = {}
    with np.errstate(all="ignore"):
        term = _Term.first(formula, arrays, attributes, FLOAT64)
        for name, expression in formula.terms:
            if name not in formula.outputs and expression.names <= term.names.keys():
                term.names[name] = term.number(expression.tree)
                found[name] = float(term.names[name].value.flat[0])
    return found


def _evaluate(
    formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> dict[str, Result]:
    """Return the results of all outputs."""
    term = _Term.first(formula, inputs, attributes, on)
    results = {}
    for name, expression in formula.terms:
        is_output = name in formula.outputs
        term.names[name] = term.number(expression.tree, last=is_output)
        if is_output:
            shared = _shared(expression.tree, formula, term.names)
            results[name] = Result(term.names[name], term.inputs, shared=shared)
    return results


def _reduce(
    formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> Sums:
    """Return the output of a loss, by its reduction."""
    term = _Term.first(formula, inputs, attributes, on)
    for name, expression in formula.terms:
        if found := reduction_of(expression):
            each, reduction = found
            by = int(term.names[reduction])
            return (yield from losses.reduced(term.number(each), inputs, term.inputs, by, name))
        term.names[name] = term.number(expression.tree)
    raise AssertionError("the last formula reduces")


def _shared(tree: ast.expr, formula: FormulaText, names: Mapping[str, Any]) -> float:
    """Return the relative error of the scalars that are factors of all elements."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div):
        return sum(_shared(side, formula, names) for side in (tree.left, tree.right))
    if isinstance(tree, ast.IfExp):
        return max(_shared(side, formula, names) for side in (tree.body, tree.orelse))
    if isinstance(tree, ast.UnaryOp):
        return _shared(tree.operand, formula, names)
    if not isinstance(tree, ast.Name):
        return 0.0
    if tree.id in formula.scalars:
        return float(names[tree.id].share)
    local = dict(formula.terms).get(tree.id)
    return _shared(local.tree, formula, names) if local else 0.0


@dataclass(frozen=True)
class _Term:
    """Evaluates the terms of a formula.

    Attributes:
        names: Numbers of inputs, real attributes and earlier terms; other attributes as they are.
        inputs: Exact values of the inputs that are read.
    """

    on: Arithmetic
    names: dict[str, Any]
    inputs: Mapping[str, Any]

    @classmethod
    def first(
        cls, formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic
    ) -> _Term:
        """Return it for a call."""
        on = replace(on, keeps=True)
        values = {name: widen(inputs[name]) for name in inputs if name in formula.reads}
        # what only chooses among integers does so in their own type
        exact = on.converted if any(map(_computes, formula.trees)) else on.exact
        names: dict[str, Any] = dict(attributes)
        names |= {name: exact(array) for name, array in values.items()}
        names |= {name: on.scalar(float(attributes[name])) for name in formula.scalars}
        return cls(on, names, values)

    def number(self, node: ast.expr, *, last: bool = False) -> Number:
        """Return the number of a term.

        Args:
            last: Whether it is an output, which may be converted afterwards.
        """
        if (constant := constant_of(node)) is not None:
            return self.on.constant(constant)
        if isinstance(node, ast.Name):
            found = self.names[node.id]
            return found if isinstance(found, Number) else self.on.exact(float(found))
        if isinstance(node, ast.IfExp):
            return self._chosen(node, last=last)
        if isinstance(node, ast.UnaryOp):
            return -self.number(node.operand, last=last)
        if isinstance(node, ast.Call):
            return self._called(node, last=last)
        found = self._operated(cast("ast.BinOp", node))
        return found.stored(CONVERTED) if last else found

    def _operated(self, node: ast.BinOp) -> Number:
        if isinstance(node.op, ast.Add | ast.Sub):
            return self._sum(node)
        if isinstance(node.op, ast.Div):
            return self.number(node.left) / self.number(node.right)
        return self._product(self._factors(node))

    def _factors(self, node: ast.expr) -> list[Number]:
        """Return the factors of a product or a power."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return [*self._factors(node.left), self.number(node.right)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            return [self.number(node.left)] * int(constant_of(node.right) or 0)
        return [self.number(node)]

    def _sum(self, node: ast.BinOp) -> Number:
        terms = [(sign, self.number(term)) for sign, term in _terms(node)]
        is_of_elements = any(number.value.ndim for _, number in terms)
        return added(
            *(
                sign(number.addend() if is_of_elements and not number.value.ndim else number)
                for sign, number in terms
            )
        )

    def _product(self, factors: list[Number]) -> Number:
        found = functools.reduce(operator.mul, factors)
        if len(factors) == 2 or STORED not in self.on.allowed or not self.on.is_storage_narrower:
            return found
        # a partial product may leave the range of the storage type in one of the orders
        return either(found, functools.reduce(lambda made, each: each * made, reversed(factors)))

    def _chosen(self, node: ast.IfExp, *, last: bool) -> Number:
        condition = self.condition(node.test)
        if isinstance(condition, bool):
            return self.number(node.body if condition else node.orelse, last=last)
        one, other = (self.number(side, last=last) for side in (node.body, node.orelse))
        return select(condition, *((one, other) if last else map(_kept, (one, other))))

    def _called(self, node: ast.Call, *, last: bool) -> Number:
        name, first = name_of(node), node.args[0]
        if name == "abs":
            return abs(self.number(first, last=last))
        if name == "unstored":
            return self._unstored(first, last=last)
        if name == "truncated":
            found = self.number(first, last=last)
            return found.truncated() if self.on.integers else found
        if name in ("equal_forms", "readings"):
            forms = [self.number(argument, last=last) for argument in node.args]
            return functools.reduce(either if name == "equal_forms" else reading, forms)
        if name in OF_TWO:
            return OF_TWO[name](*map(self.number, node.args))
        found = OF_ONE[name](self.number(first))
        return found.stored(CONVERTED) if last else found

    def _unstored(self, node: ast.expr, *, last: bool) -> Number:
        on = replace(self.on, keeps=False)
        names = {
            name: replace(each, on=on) if isinstance(each, Number) else each
            for name, each in self.names.items()
        }
        found = _Term(on, names, self.inputs).number(node, last=last)
        return replace(found if last else found.settled, on=self.on)

    def condition(self, node: ast.expr) -> Any:
        """Return where a condition holds; a bool if attributes decide."""
        found: Any
        if isinstance(node, ast.BoolOp):
            rule = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            found = functools.reduce(rule, map(self.condition, node.values))
        elif isinstance(node, ast.UnaryOp):
            found = np.logical_not(self.condition(node.operand))
        elif isinstance(node, ast.Compare):
            values = [self._value(each) for each in (node.left, *node.comparators)]
            signs = [_COMPARISONS[type(sign)] for sign in node.ops]
            pairs = zip(signs, values, values[1:], strict=False)
            found = functools.reduce(np.logical_and, (sign(*pair) for sign, *pair in pairs))
        elif isinstance(node, ast.Call):
            found = _TESTS[name_of(node)](self._value(node.args[0]))
        else:
            found = bool(self._value(node))
        return bool(found) if isinstance(found, bool | np.bool_) else found

    def _value(self, node: ast.expr) -> Any:
        """Return values to be compared; a float if attributes determine them."""
        value = self.number(node).value
        return value if value.ndim else float(value)


def _kept(number: Number) -> Number:
    """Return one of two chosen numbers as a device may keep it; inputs have their type already."""
    on = number.on
    if number.grid is not None or number.value.ndim or STORED not in on.allowed:
        return number.kept
    if holds(float(number.value), on.storage):
        return number
    return replace(number, ulps=0.5, grid=on.computing).kept


@functools.lru_cache(maxsize=1024)
def _computes(tree: ast.expr) -> bool:
    """Whether a term computes, and does not only choose."""
    return any(isinstance(node, ast.BinOp | ast.Call) for node in ast.walk(tree))


def _terms(node: ast.expr) -> Iterator[tuple[Callable[[Number], Number], ast.expr]]:
    """Yield the terms of a sum, with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left)
        yield operator.pos if isinstance(node.op, ast.Add) else operator.neg, node.right
    else:
        yield operator.pos, node
