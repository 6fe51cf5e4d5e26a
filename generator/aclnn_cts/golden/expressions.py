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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
    add_numbers,
    either,
    holds,
    reading,
    select,
)
from aclnn_cts.golden.arrangements import arrange
from aclnn_cts.golden.bits import operate
from aclnn_cts.golden.composites import COUNT, Composite, common_name
from aclnn_cts.golden.composites import FUNCTIONS as COMPOSITE_FUNCTIONS
from aclnn_cts.golden.conditions import compare, number_of
from aclnn_cts.golden.formula import Attributes, Inputs, Result, Sums, Terms, widen
from aclnn_cts.golden.functions import FUNCTIONS
from aclnn_cts.golden.movements import move
from aclnn_cts.spec.data_types import IntegerFormat
from aclnn_cts.spec.evaluation import Truth
from aclnn_cts.spec.expression import (
    ADDING,
    BITS,
    COMPOSITES,
    EXACT,
    MOVEMENTS,
    REDUCTIONS,
    TESTS,
    AxisReduction,
    Expression,
    arrangement_of,
    constant_of,
    has_fractions,
    is_condition,
    is_reduction,
    movement_of,
    name_of,
    names_in,
    reduction_of,
    reductions_in,
)
from aclnn_cts.spec.models import FormulaText

_COMPARISONS: Mapping[type[ast.cmpop], np.ufunc] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
_INT64 = IntegerFormat.of(np.dtype(np.int64))
_TESTS = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "signbit": np.signbit,
}


@functools.lru_cache(maxsize=1024)
def module_of(formula: FormulaText) -> ModuleType:
    """Return a formula module that evaluates the expressions of a spec."""
    module: Any = ModuleType(formula.file)
    module.__file__ = formula.file
    for name, expression in formula.terms:
        if arrangement := arrangement_of(expression):
            module.align = functools.partial(arrange, output=name, arrangement=arrangement)
            module.evaluate = _copy
            return cast("ModuleType", module)
    movements = {name: movement for name, each in formula.terms if (movement := movement_of(each))}
    axes = {each.axis for each in _reductions(formula)}
    axes |= {arguments[1] for function, arguments in movements.values() if function == "largest"}
    if any(reduction_of(each) for _, each in formula.terms):
        module.evaluate = functools.partial(_reduce, formula)
        module.align = losses.align
        return cast("ModuleType", module)
    if movements or axes:
        module.align = functools.partial(
            move,
            reads=formula.reads,
            movements=movements,
            axis="".join(axes),
            composites=_composites(formula),
        )
    module.evaluate = functools.partial(_add_up if axes else _evaluate, formula)
    return cast("ModuleType", module)


def _reductions(formula: FormulaText) -> list[AxisReduction]:
    return [each for _, term in formula.terms for each in reductions_in(term).values()]


def _composites(formula: FormulaText) -> list[tuple[str, str]]:
    """Return the functions of rows that need what is common to these, each with its input."""
    reductions = _reductions(formula)
    found = ((each.rule, ast.unparse(each.term)) for each in reductions if each.rule in COMPOSITES)
    return list(dict.fromkeys(found))


def computes_whole(terms: Iterable[Expression]) -> bool:
    """Whether integers stay integers in all terms, and no loss is reduced."""
    return not any(has_fractions(term.tree) or reduction_of(term) for term in terms)


def intermediate_results(
    formula: FormulaText, inputs: Mapping[str, float], attributes: Attributes
) -> dict[str, float]:
    """Return the named intermediate results for one element.

    Args:
        inputs: Values of the inputs there; what depends on others is left out.
    """
    arrays = {name: np.array([value]) for name, value in inputs.items()}
    results = {}
    with np.errstate(all="ignore"):
        term = _Term.first(formula, arrays, attributes, FLOAT64)
        for name, expression in formula.terms:
            is_known = expression.names <= term.names.keys() and not reductions_in(expression)
            if name not in formula.outputs and is_known and movement_of(expression) is None:
                term.names[name] = term.number(expression.tree)
                results[name] = float(term.names[name].value.flat[0])
    return results


def _copy(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return the output of an arrangement, whose elements are copies."""
    del attributes
    on = replace(on.exactly, copies=True)
    return {name: Result(on.exact(widen(array)), {}) for name, array in inputs.items()}


def _evaluate(
    formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> dict[str, Result]:
    """Return the results of all outputs."""
    term = _Term.first(formula, inputs, attributes, on)
    results = {}
    for name, expression in formula.terms:
        if name in formula.outputs:
            number = term.number(expression.tree, last=True)
            if not number.value.ndim:
                # attributes may decide that no element counts
                shape = next(iter(inputs.values())).shape
                number = replace(number, value=np.broadcast_to(number.value, shape))
            shared = _shared_error(expression.tree, formula, term)
            results[name] = Result(number, term.inputs, shared=shared)
            term.names[name] = number
        else:
            term.define(name, expression)
    return results


def _add_up(
    formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> Sums:
    """Yield the sums along an axis, and other reductions, and return all outputs."""
    term = _Term.first(formula, inputs, attributes, on)
    later: set[str] = set()
    sums: dict[str, tuple[Number, str]] = {}
    rules: dict[str, str] = {}
    composites: dict[str, tuple[Composite, dict[str, str], Number]] = {}
    for name, expression in formula.terms:
        reductions = reductions_in(expression)
        for text, each in reductions.items():
            if each.rule in COMPOSITES:
                function, arguments = COMPOSITE_FUNCTIONS[each.rule], _composite(term, each, inputs)
                parts = function.terms(*arguments)
                names = {part: f"{text}: {part}" for part in parts}
                sums |= {names[part]: (number, "rows") for part, number in parts.items()}
                rules |= {names[part]: rule for part, rule in function.rules.items()}
                composites[text] = function, names, arguments[-1]
            else:
                sums[text] = term.number(each.term), "rows"
                rules |= {text: each.rule} if each.rule != "sum" else {}
        if reductions or expression.names & later or name in formula.outputs:
            later.add(name)
        else:
            term.define(name, expression)
    outputs = sorted(formula.outputs)
    like = next(iter(inputs))
    shapes = {name: "rows" if name in formula.of_rows else like for name in outputs}
    totals = yield Terms(sums, term.inputs, shapes, dict.fromkeys(outputs, "rows"), rules)
    term.names.update(totals)
    for text, (function, names, count) in composites.items():
        parts = {part: totals[name] for part, name in names.items()}
        term.names[text] = function.result(parts, count).under(term.on)
    for name, expression in formula.terms:
        if name in later:
            term.names[name] = term.number(expression.tree, last=name in formula.outputs)
    return {name: term.names[name] for name in outputs}


def _composite(
    term: _Term, function: AxisReduction, inputs: Inputs
) -> tuple[Number, Number, Number]:
    """Return elements, what is common to those of a row, and their number, never stored."""
    on, name = replace(term.on, keeps=False), ast.unparse(function.term)
    common = (inputs[key] for key in (common_name(function.rule, name), COUNT))
    x, *others = (term.number(function.term), *map(on.exact, common))
    return x.under(on), others[0], others[1]


def _reduce(
    formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> Sums:
    """Return the output of a loss, by its reduction."""
    # the losses of integers, and their sums, are exact
    term = _Term.first(formula, inputs, attributes, on.exactly)
    for name, expression in formula.terms:
        if parts := reduction_of(expression):
            each, reduction = parts
            by = int(term.names[reduction])
            reduced = yield from losses.reduce_losses(
                term.number(each), inputs, term.inputs, by, name
            )
            return {name: out.truncate() if on.integers else out for name, out in reduced.items()}
        term.define(name, expression)
    raise AssertionError("the last formula reduces")


def _shared_error(tree: ast.expr, formula: FormulaText, term: _Term) -> float:
    """Return the relative error of the scalars that are factors of all elements."""
    if isinstance(tree, ast.Name):
        if tree.id in term.scalars:
            return float(term.names[tree.id].share)
        local = dict(formula.terms).get(tree.id)
        return _shared_error(local.tree, formula, term) if local else 0.0
    parts: list[ast.expr] = []
    shares: list[float] = []
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div):
        parts = [tree.left, tree.right]
    elif isinstance(tree, ast.IfExp):
        chosen = term.condition(tree.test)
        parts = [tree.body, tree.orelse]
        if isinstance(chosen, bool):
            parts = parts[:1] if chosen else parts[1:]
        else:
            # a device may keep a scalar among elements in the storage type
            scalars = [part for part in parts if names_in(part) <= term.scalars]
            shares = [_operand(term.number(scalar)).result.share for scalar in scalars]
    elif isinstance(tree, ast.UnaryOp):
        parts = [tree.operand]
    elif isinstance(tree, ast.Call) and name_of(tree) in ("equal_forms", "readings"):
        parts = tree.args
    shares += [_shared_error(part, formula, term) for part in parts]
    return sum(shares, 0.0) if isinstance(tree, ast.BinOp) else max(shares, default=0.0)


@dataclass(frozen=True)
class _Term:
    """Evaluates the terms of a formula.

    Attributes:
        names: Numbers of inputs, real attributes and earlier terms; other attributes as they are.
        inputs: Exact values of the inputs that are read; masks.
        scalars: Real attributes, and the terms of nothing else.
    """

    on: Arithmetic
    names: dict[str, Any]
    inputs: Mapping[str, Any]
    scalars: set[str] = field(default_factory=set)

    @classmethod
    def first(
        cls, formula: FormulaText, inputs: Inputs, attributes: Attributes, on: Arithmetic
    ) -> _Term:
        """Return it for a call."""
        columns = {name: array for name, array in inputs.items() if name in formula.reads}
        # integers stay in their own type until there are fractions
        is_exact = on.integers and (on.whole is not None or not formula.scalars)
        is_whole = is_exact and not any(map(has_fractions, formula.trees))
        computes = not is_whole and any(map(_computes, formula.trees))
        if is_whole or not computes:
            on = on.exactly
        adds = any(each.rule in ADDING for each in _reductions(formula))
        # no page says what becomes of an integer beyond the promoted type; sums have the output's
        on = replace(on, output=None if is_whole else on.output)
        on = on if is_whole and not adds else replace(on, whole=None)
        on = on.keeping
        exact = on.convert if computes else on.exact
        moves = {name: movement_of(each) for name, each in formula.terms}
        bits = {name for name, movement in moves.items() if movement and movement[0] == "bits"}
        masks = {name: array for name, array in columns.items() if name in bits}
        values = {name: widen(array) for name, array in columns.items() if name not in masks}
        names: dict[str, Any] = {**attributes, **masks}
        names |= {name: exact(array) for name, array in values.items()}
        if not on.integers:
            mixed = (name for name, array in columns.items() if array.dtype.kind in "iub")
            names |= {name: on.promote(values[name]) for name in mixed if name in values}
        names |= {name: on.scalar(attributes[name]) for name in formula.scalars}
        return cls(on, names, values | masks, set(formula.scalars))

    def define(self, name: str, expression: Expression) -> None:
        """Evaluate a local term; elements that are moved are there already."""
        if name in self.inputs:
            return
        number = self.number(expression.tree)
        if expression.names <= self.scalars:
            number = number.common_factor()
            self.scalars.add(name)
        self.names[name] = number

    def number(self, node: ast.expr, *, last: bool = False) -> Number:
        """Return the number of a term.

        Args:
            last: Whether it is an output, which may be converted afterwards.
        """
        if (constant := constant_of(node)) is not None:
            return self.on.constant(constant)
        if isinstance(node, ast.Name) or is_reduction(node):
            value = self.names[ast.unparse(node)]
            result = value if isinstance(value, Number) else self.on.exact(float(value))
            return result.store(CONVERTED) if last else result
        if isinstance(node, ast.IfExp):
            return self._choice(node, last=last)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.number(node.operand, last=last)
        if isinstance(node, ast.Call) and not is_condition(node):
            return self._call(node, last=last)
        result = self._operation(node)
        return result.store(CONVERTED) if last else result

    def _operation(self, node: Any) -> Number:
        if is_condition(node):
            return number_of(self.truth(node), self.on)
        if isinstance(node.op, BITS):
            return self._bits(node)
        if isinstance(node.op, ast.Add | ast.Sub):
            return self._sum(node)
        if isinstance(node.op, ast.Div):
            return self.number(node.left) / self.number(node.right)
        return self._product(self._factors(node))

    def _bits(self, node: Any) -> Number:
        sides = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        values = np.broadcast_arrays(*(self.number(side).value for side in sides))
        return self.on.exact(operate(node.op, self.on.whole or _INT64, *values))

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
        return add_numbers(
            *(
                sign(number.addend() if is_of_elements and not number.value.ndim else number)
                for sign, number in terms
            )
        )

    def _product(self, factors: list[Number]) -> Number:
        product = functools.reduce(operator.mul, factors)
        if len(factors) == 2 or STORED not in self.on.allowed or not self.on.is_storage_narrower:
            return product
        # a partial product may leave the range of the storage type in one of the orders
        return either(product, functools.reduce(lambda made, each: each * made, reversed(factors)))

    def _choice(self, node: ast.IfExp, *, last: bool) -> Number:
        condition = self.condition(node.test)
        if isinstance(condition, bool):
            return self.number(node.body if condition else node.orelse, last=last)
        one, other = (self.number(side, last=last) for side in (node.body, node.orelse))
        return select(condition, *((one, other) if last else map(_operand, (one, other))))

    def _call(self, node: ast.Call, *, last: bool) -> Number:
        name, first = name_of(node), node.args[0]
        if name == "unstored":
            return self._without_storage(first, last=last)
        if name == "truncated":
            operand = self.number(first, last=last)
            return operand.truncate() if self.on.integers else operand
        if name in ("equal_forms", "readings"):
            forms = [self.number(argument, last=last) for argument in node.args]
            return functools.reduce(either if name == "equal_forms" else reading, forms)
        result = FUNCTIONS[name](*map(self.number, node.args))
        return result.store(CONVERTED) if last else result

    def _without_storage(self, node: ast.expr, *, last: bool) -> Number:
        on = replace(self.on, keeps=False)
        names = {
            name: each.under(on) if isinstance(each, Number) else each
            for name, each in self.names.items()
        }
        number = _Term(on, names, self.inputs).number(node, last=last)
        return (number if last else number.result).under(self.on)

    def truth(self, node: ast.expr) -> Truth:
        """Return where a condition holds on each correct device, and where on some."""
        if isinstance(node, ast.BoolOp):
            rule = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            return functools.reduce(rule, map(self.truth, node.values))
        if isinstance(node, ast.UnaryOp):
            return ~self.truth(node.operand)
        if isinstance(node, ast.Compare):
            sides = [self.number(each) for each in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return functools.reduce(operator.and_, (compare(*pair) for pair in pairs))
        return Truth.exact(self.condition(node))

    def condition(self, node: ast.expr) -> Any:
        """Return where a condition holds; a bool if attributes decide."""
        truth: Any
        if isinstance(node, ast.BoolOp):
            rule = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            truth = functools.reduce(rule, map(self.condition, node.values))
        elif isinstance(node, ast.UnaryOp):
            truth = np.logical_not(self.condition(node.operand))
        elif isinstance(node, ast.Compare):
            values = [self._value(each) for each in (node.left, *node.comparators)]
            signs = [_COMPARISONS[type(sign)] for sign in node.ops]
            pairs = zip(signs, values, values[1:], strict=False)
            truth = functools.reduce(np.logical_and, (sign(*pair) for sign, *pair in pairs))
        elif isinstance(node, ast.Call):
            truth = _TESTS[name_of(node)](self._value(node.args[0]))
        elif isinstance(node, ast.Name) and node.id in self.inputs:
            truth = self.inputs[node.id]
        else:
            truth = np.not_equal(self._value(node), 0)
        return bool(truth) if isinstance(truth, bool | np.bool_) else truth

    def _value(self, node: ast.expr) -> Any:
        """Return values to be compared; a float if attributes determine them."""
        value = self.number(node).value
        return value if value.ndim else float(value)


def _operand(number: Number) -> Number:
    """Return one of two chosen numbers as a device may keep it; inputs have their type already."""
    on = number.on
    if number.grid is not None or number.value.ndim or STORED not in on.allowed:
        return number.operand
    if holds(float(number.value), on.storage):
        return number
    return replace(number, ulps=0.5, grid=on.computing).operand


_CHOOSING = {*EXACT, *TESTS, *MOVEMENTS, *REDUCTIONS, "readings", "narrowed"}
_CHOOSING -= {*ADDING, *COMPOSITES}


@functools.lru_cache(maxsize=1024)
def _computes(tree: ast.expr) -> bool:
    """Whether a term computes, and does not only choose."""
    return any(
        (isinstance(node, ast.BinOp) and not isinstance(node.op, BITS))
        or (isinstance(node, ast.Call) and name_of(node) not in _CHOOSING)
        for node in ast.walk(tree)
    )


def _terms(node: ast.expr) -> Iterator[tuple[Callable[[Number], Number], ast.expr]]:
    """Yield the terms of a sum, with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left)
        yield operator.pos if isinstance(node.op, ast.Add) else operator.neg, node.right
    else:
        yield operator.pos, node
