# SPDX-License-Identifier: Apache-2.0
"""Kernels of simulated operators, from the formulas of their specs.

The C++ computes the operations that the page names, in the type of its arguments. It shares nothing
with golden values but the formula: their values and errors are computed elsewhere, and oracles that
this project did not write check them.
"""

from __future__ import annotations

import ast
import copy
import functools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field, StringConstraints

from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import (
    ADDING,
    BITS,
    COMPOSITES,
    EXACT,
    MARKS,
    SOURCES,
    TESTS,
    WRITTEN,
    Called,
    Expression,
    constant_of,
    has_fractions,
    is_condition,
    is_reduction,
    is_whole_quotient,
    movement_of,
    name_of,
    names_in,
    reduction_of,
    uses_bits,
)
from aclnn_cts.spec.models import C_TYPES, SCALARS, OperatorSpec

_CHOICE, _OR, _EQUAL, _SUM, _PRODUCT, _SIGN, _CALL = range(7)
"""How much operators of C++ bind; && counts as ||, and < as ==."""

_CALLS: Mapping[str, tuple[int, str]] = {
    **{
        name: (_CALL, f"std::{name}({{}})")
        for name in ("abs", "exp", "log", "sqrt", "tanh", "erf", "sin", "cos", "asin", "atan")
    },
    **{name: (_CALL, f"std::{name}({{}})") for name in TESTS},
    **{
        name: (_CALL, f"whole::{name.title()}({{}})")
        for name in ("floor", "ceil", "trunc", "round")
    },
    "power": (_CALL, "whole::Power({}, {})"),
    "min": (_CHOICE, "{0} < {1} || std::isnan({0}) ? {0} : {1}"),
    "max": (_CHOICE, "{0} > {1} || std::isnan({0}) ? {0} : {1}"),
    "with_sign": (_CHOICE, "{1} < 0 ? -{0} : {0}"),
    "wrapped": (_CHOICE, "{}"),
    "fused": (_CALL, "Fused({}, {}, {})"),
}
"""The operator outside, and the text of a function around arguments that bind more than a sign."""

_BITS: Mapping[type[ast.AST], str] = {
    ast.BitAnd: "And",
    ast.BitOr: "Or",
    ast.BitXor: "Xor",
    ast.LShift: "ShiftLeft",
    ast.RShift: "ShiftRight",
}

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
    """Whether the kernel follows from the formula.

    An element of the only output, or a loss, follows from those of the inputs, or each output has
    one for all along some axes.
    """
    terms = spec.formula.values()
    if any(map(movement_of, terms)):
        return False
    traits = {"elementwise", "loss"} & {*spec.traits}
    return spec.is_reduced or bool(traits and terms and len(spec.outputs) == 1)


def is_by_formula(spec: OperatorSpec) -> bool:
    """Whether the kernel follows from the formula."""
    return is_of_elements(spec) or spec.arrangement is not None


def arrangement_text(called: Called, shape: str, arguments: Iterable[str]) -> str:
    """Return in C++ an arrangement for an input's shape, with what determines its output's."""
    return f"arrangements::{called[0].title()}({', '.join((shape, *arguments))})"


_ATTRIBUTES = {"ints": "const Shape &", **dict.fromkeys(SCALARS, "const ScalarValue &")}


def _arranging_text(spec: OperatorSpec, called: Called, function: str) -> str:
    """Return the function of all tensors that arranges an input's elements as the output."""
    read_names = {*called[1]}
    parameters = [f"const aclTensor &{tensor.name}" for tensor in spec.tensors]
    for attribute in spec.attributes:
        name = attribute.name if attribute.name in read_names else ""
        kind = _ATTRIBUTES.get(attribute.attribute, f"const {C_TYPES[attribute.attribute]} ")
        parameters.append(f"{kind}{name}")
    values = [scalar.name for scalar in spec.scalars if scalar.name in read_names]
    first, *others = called[1]
    source = next(tensor.name for tensor in spec.inputs if tensor.as_input == first)
    second = [others.pop()] if called[0] in SOURCES else []  # the last argument
    places = {spec.places: f"PlacesOf({spec.places})"}
    numbers = [places.get(name, name) for name in others if name not in values]
    arrangement = arrangement_text(called, f"{source}.shape", numbers)
    arguments = ", ".join((spec.outputs[0].name, source, *second, arrangement, *values))
    return f"void {function}({', '.join(parameters)}) {{\n  Arrange({arguments});\n}}\n"


def mapping(spec: OperatorSpec) -> str:
    """Return the function of the simulated device by which a kernel gets elements."""
    if not spec.formula or spec.is_reduced:
        return ""
    result = [*spec.formula.values()][-1].tree
    if is_condition(result):
        return "Condition"
    return "Bits" if uses_bits(result) else ""


_Function: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Z]\w*(<\d>)?$")]


class Computation(Strict):
    """How a right device computes otherwise than operation by operation in float32.

    The functions are those of ``simulator/src/nnopbase/computations.h``.

    Attributes:
        in_double: Whether it computes in double.
        results: Functions of the results of operations and functions, by their symbol or name.
            ``any`` names all of them, ``last`` the output, ``input`` and ``scalar`` what is given,
            ``function`` the nearest numbers to the results of functions.
        operands: A function of each intermediate result.
        instead: Functions in place of operators and functions, by their symbol or name.
        second: Which of ``equal_forms`` and ``readings`` it computes by their second term.
        order: Whether factors and terms are combined from the last to the first, or products and
            sums are fused.
        rows: A function of the elements that are reduced to one.
    """

    in_double: bool = False
    results: dict[str, _Function] = Field(default_factory=dict)
    operands: Literal["", "Stored"] = ""
    instead: dict[str, _Function] = Field(default_factory=dict)
    second: Literal["", "equal_forms", "readings"] = ""
    order: Literal["", "backwards", "fused"] = ""
    rows: _Function | None = None


USUAL = Computation()


_REAL = {
    (True, False): "std::conditional_t<std::is_integral_v<Number>, double, Number>",
    (False, True): "std::conditional_t<std::is_same_v<Number, float>, double, Number>",
    (True, True): "double",
}
"""The type in which a kernel computes, if its formula has fractions, if it computes in double."""


def kernel_text(spec: OperatorSpec, function: str, computation: Computation = USUAL) -> str:
    """Return the function of an element, as :mod:`aclnn_cts.emit.simulated` describes it.

    Integers are computed in double where a formula gives fractions, which they lose at the end.
    If outputs are reduced, there is a function of the elements along the axes for each.
    """
    if spec.arrangement is not None:
        return _arranging_text(spec, spec.arrangement, function)
    if spec.is_reduced:
        return "\n".join(_reduction_texts(spec, function, computation))
    _, reduction = reduction_of([*spec.formula.values()][-1]) or (None, "")
    scalars = [
        *(attribute.name for attribute in spec.attributes if attribute.name != reduction),
        *spec.derived,
    ]
    inputs = [tensor.as_input for tensor in spec.inputs]
    fractions = gives_integers(spec) and any(
        has_fractions(expression.tree) for expression in spec.formula.values()
    )
    is_other = fractions or computation.in_double
    converted = {*scalars, *inputs} if is_other else {*scalars}
    rewritten = {
        name: _rewrite(expression, computation.second, computation.order)
        for name, expression in spec.formula.items()
    }
    emit = _Emitter(
        "Real" if is_other else "Number",
        converted,
        {*scalars},
        rewritten,
        computation,
        divides_integers=gives_integers(spec),
    )
    *local, (_, last) = rewritten.items()
    level, result = emit.computation_text(last)
    if not mapping(spec):  # neither conditions nor bits are rounded
        _, result = emit.result("last", level, result)
    lines = [f"return {f'static_cast<Number>({result})' if is_other else result};"]
    for name, tree in reversed(local):
        if _reads(lines, name):
            lines.insert(0, f"const {emit.type} {name} = {emit.number(tree)};")
    signature = _signature(function, inputs, scalars, lines)
    if is_other:
        real = _REAL[fractions, computation.in_double]
        lines.insert(0, f"using Real = {real};")
    return "\n".join((*signature, *lines, "}\n"))


def _reduction_texts(spec: OperatorSpec, function: str, computation: Computation) -> Iterator[str]:
    """Yield the functions of outputs that are reduced."""
    scalars = [*(attribute.name for attribute in spec.attributes), *spec.derived]
    inputs = [tensor.as_input for tensor in spec.inputs]
    fractions = any(has_fractions(expression.tree) for expression in spec.formula.values())
    is_other = (gives_integers(spec) and fractions) or computation.in_double
    converted = {*scalars, *inputs} if is_other else {*scalars}
    terms: dict[str, ast.expr] = {}
    for name, expression in spec.formula.items():
        tree = _rewrite(expression, computation.second, computation.order)
        terms[name] = _Inliner(terms).visit(copy.deepcopy(tree))
    emit = _Emitter("Real" if is_other else "Number", converted, {*scalars}, terms, computation)
    for output in spec.outputs:
        level, text = emit.computation_text(terms[output.as_output])
        _, text = emit.result("last", level, text)
        lines = [f"return {f'static_cast<Number>({text})' if is_other else text};"]
        rows = [f"{name}{_ROW}" for name in inputs]
        name = output_function(spec, function, output.name)
        signature = _signature(name, rows, scalars, lines, "const std::vector<Number> &")
        if is_other:
            lines.insert(0, f"using Real = {_REAL[fractions, computation.in_double]};")
        yield "\n".join((*signature, *lines, "}\n"))


def output_function(spec: OperatorSpec, function: str, output: str) -> str:
    """Return the name of the function of one of the outputs that are reduced."""
    return function if len(spec.outputs) == 1 else f"{function}{output[0].upper()}{output[1:]}"


_ROW = "Row"
"""What the name of an input ends in where it is all elements along the axes."""


class _Inliner(ast.NodeTransformer):
    """Replaces local names, or the arguments of a function, by their terms."""

    def __init__(self, terms: Mapping[str, ast.expr]) -> None:
        self._terms = terms

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self._terms.get(node.id, node))


def _signature(
    function: str,
    inputs: Sequence[str],
    scalars: Sequence[str],
    lines: Sequence[str],
    kind_of_inputs: str = "Number",
) -> tuple[str, str]:
    """Return the head of a function template; parameters that no line reads have no name."""
    types = [f"T{number}" for number in range(len(scalars))]
    typed = [*((kind_of_inputs, name) for name in inputs), *zip(types, scalars, strict=True)]
    parameters = (f"{kind} {name if _reads(lines, name) else ''}" for kind, name in typed)
    templates = ", ".join(f"typename {kind}" for kind in ("Number", *types))
    return f"template <{templates}>", f"Number {function}({', '.join(parameters)}) {{"


def gives_integers(spec: OperatorSpec) -> bool:
    """Whether an output may have an integer type."""
    names = (
        name
        for output in spec.outputs
        for product in spec.products
        for name in spec.dtypes(output.name, product)
    )
    return any(DATA_TYPES[name].floating is None for name in names)


def _reads(lines: Iterable[str], name: str) -> bool:
    return any(re.search(rf"\b{name}\b", line) for line in lines)


@dataclass(frozen=True)
class _Emitter:
    """Writes the terms of a formula in C++.

    Attributes:
        type: The type in which it computes.
        converted: Names of another type.
        scalars: Names of attributes and derived values.
        terms: Local terms, and the output.
        computation: How the device computes.
        divides_integers: Whether tensors may be integers.
    """

    type: str
    converted: Collection[str]
    scalars: Collection[str]
    terms: Mapping[str, ast.expr]
    computation: Computation
    divides_integers: bool = False

    def number(self, node: ast.expr, level: int = _CHOICE) -> str:
        """Return a number; in parentheses if its operator binds less than the level."""
        binding, text = self.computation_text(node)
        return f"({text})" if binding < level else text

    def _operand(self, node: ast.expr, level: int) -> str:
        """Return a number as an operand, which a device may have stored."""
        name = self.computation.operands
        if not name or self._is_never_stored(node):
            return self.number(node, level)
        return f"{name}({self.number(node)})"

    def _is_never_stored(self, node: ast.expr) -> bool:
        """Whether a term is no intermediate result: given, a constant, or ``unstored``."""
        if isinstance(node, ast.Name):
            local = self.terms.get(node.id)
            return local is None or self._is_never_stored(local)
        if isinstance(node, ast.IfExp):
            return self._is_never_stored(node.body) and self._is_never_stored(node.orelse)
        if isinstance(node, ast.UnaryOp):
            return self._is_never_stored(node.operand)
        is_unstored = isinstance(node, ast.Call) and name_of(node) == "unstored"
        return is_unstored or constant_of(node) is not None

    def computation_text(self, node: ast.expr) -> tuple[int, str]:
        """Return how much the operator of a number binds, and its text."""
        if (value := constant_of(node)) is not None:
            return self._constant(value)
        if isinstance(node, ast.Name):
            text = f"{self.type}({node.id})" if node.id in self.converted else node.id
            kind = "scalar" if node.id in self.scalars else "input"
            return self.result("local" if node.id in self.terms else kind, _CALL, text)
        if isinstance(node, ast.Call) and name_of(node) not in TESTS:
            return self._call(node)
        if isinstance(node, ast.IfExp):
            sides = self.number(node.body, _OR), self.number(node.orelse)
            return _CHOICE, f"{self.condition(node.test, _OR)} ? {sides[0]} : {sides[1]}"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return _SIGN, f"-{self.number(node.operand, _CALL)}"
        return self._operation(node)

    def _bits(self, node: Any) -> tuple[int, str]:
        if isinstance(node, ast.UnaryOp):
            return _CALL, f"bits::Not({self.number(node.operand)})"
        left, right = self.number(node.left), self.number(node.right)
        return _CALL, f"bits::{_BITS[type(node.op)]}({left}, {right})"

    def _constant(self, value: float) -> tuple[int, str]:
        if math.isfinite(value):
            return _CALL, f"{self.type}({value!r})"
        limit = "quiet_NaN" if math.isnan(value) else "infinity"
        level, sign = (_SIGN, "-") if value < 0 else (_CALL, "")
        return level, f"{sign}std::numeric_limits<{self.type}>::{limit}()"

    def _operation(self, node: Any) -> tuple[int, str]:
        if is_condition(node):
            return _CALL, f"{self.type}({self.condition(node)})"
        if isinstance(node.op, BITS):
            return self._bits(node)
        sign, is_sum = OPERATORS[type(node.op)], isinstance(node.op, ast.Add | ast.Sub)
        binding = _SUM if is_sum else _PRODUCT
        # a constant is finite, and so is no difference from it one of equal infinities
        is_from_constant = any(constant_of(side) is not None for side in (node.left, node.right))
        is_finite = sign == "-" and is_from_constant
        if not is_finite and (name := self.computation.instead.get(sign)):
            sides = self._operand(node.left, _CHOICE), self._operand(node.right, _CHOICE)
            return self.result(sign, _CALL, f"{name}({', '.join(sides)})", "any")
        text = (
            f"{self._operand(node.left, binding)} {sign} {self._operand(node.right, binding + 1)}"
        )
        return self.result(sign, binding, text, "any")

    def _reduction(self, node: ast.Call) -> tuple[int, str]:
        """Return a reduction of a term of the elements along the axes."""
        name, term = name_of(node), node.args[0]
        inputs = sorted(names_in(term).difference(self.scalars))
        function = self.computation.instead.get(name, f"reductions::{name.title()}")
        rows = ", ".join(
            f"{self.computation.rows}({each}{_ROW})" if self.computation.rows else f"{each}{_ROW}"
            for each in inputs
        )
        elements = ", ".join(f"Number {each}" for each in inputs)
        text = f"{function}<{self.type}>([&]({elements}) {{ return {self.number(term)}; }}, {rows})"
        computes = name in (*ADDING, *COMPOSITES)
        return self.result(name, _CALL, text, "any") if computes else (_CALL, text)

    def _whole_quotient(self, node: ast.Call) -> tuple[int, str]:
        """Return a quotient without its fraction, which integers have without a rounding."""
        quotient: Any = node.args[0]
        plain = replace(self, type="Number", converted=self.scalars)
        integers = plain.number(quotient.left), plain.number(quotient.right)
        other = f"[&] {{ return {self.number(node.args[0])}; }}"
        text = ", ".join((*integers, other))
        return _CALL, f"{self.type}(whole::{name_of(node).title()}OfQuotient<Number>({text}))"

    def _call(self, node: ast.Call) -> tuple[int, str]:
        if is_reduction(node):
            return self._reduction(node)
        name = name_of(node)
        if name == "unstored":
            plain = self.computation.model_copy(update={"operands": ""})
            return replace(self, computation=plain).computation_text(node.args[0])
        if is_whole_quotient(node) and self.divides_integers:
            return self._whole_quotient(node)
        binding, pattern = _CALLS[name]
        inside = _CHOICE if "{}" in pattern else _CALL
        text_of = self.number if binding == _CHOICE else self._operand
        texts = [text_of(argument, inside) for argument in node.args]
        if name in (*EXACT, *TESTS):
            return binding, pattern.format(*texts)
        if other := self.computation.instead.get(name):
            pattern = f"{other}({', '.join(['{}'] * len(texts))})"
        if "function" in self.computation.results:
            texts = [f"Wider({text})" for text in texts]
            pattern = f"{self.type}({pattern})"
        return self.result(name, binding, pattern.format(*texts), "function", "any")

    def result(self, operation: str, level: int, text: str, *kinds: str) -> tuple[int, str]:
        """Return what the device makes of the result of an operation."""
        for kind in (operation, *kinds):
            if name := self.computation.results.get(kind):
                level, text = _CALL, f"{name}({text})"
        return level, text

    def condition(self, node: ast.expr, level: int = _CHOICE) -> str:
        """Return a condition, likewise."""
        if isinstance(node, ast.Name):
            return f"bool({node.id})"
        if isinstance(node, ast.Call):
            binding, text = self._call(node)
        elif isinstance(node, ast.BoolOp):
            # g++ wants parentheses around && within ||
            binding, text = (
                _OR,
                f" {OPERATORS[type(node.op)]} ".join(
                    self.condition(operand, _EQUAL) for operand in node.values
                ),
            )
        elif isinstance(node, ast.UnaryOp):
            binding, text = _SIGN, f"!{self.condition(node.operand, _CALL)}"
        else:
            compared = cast("ast.Compare", node)
            sides = [self.number(side, _SUM) for side in (compared.left, *compared.comparators)]
            pairs = zip(sides, compared.ops, sides[1:], strict=False)
            comparisons = [f"{left} {OPERATORS[type(sign)]} {right}" for left, sign, right in pairs]
            binding, text = _EQUAL if len(comparisons) == 1 else _OR, " && ".join(comparisons)
        return f"({text})" if binding < level else text


class _Rewriter(ast.NodeTransformer):
    """Replaces functions by the terms that pages write, and orders operations as a device does."""

    def __init__(self, second: str, order: str) -> None:
        self._second, self._order = second, order

    def visit_Call(self, node: ast.Call) -> Any:
        name = name_of(node)
        if name in WRITTEN:
            term = copy.deepcopy(WRITTEN[name])
            return self.visit(_Inliner(dict(zip("xy", node.args, strict=False))).visit(term))
        if name in MARKS and name != "unstored":
            return self.visit(node.args[1 if name == self._second else 0])
        return ast.Call(node.func, [self.visit(argument) for argument in node.args], [])

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Pow):
            return self.visit(_chain([node.left] * int(constant_of(node.right) or 0), ast.Mult()))
        if self._order == "fused" and (fused := _fuse(node)):
            return self.visit(fused)
        if self._order == "backwards" and isinstance(node.op, ast.Add | ast.Mult):
            return _chain([*map(self.visit, reversed(_links(node, type(node.op))))], node.op)
        return ast.BinOp(self.visit(node.left), node.op, self.visit(node.right))


@functools.lru_cache(maxsize=4096)
def _rewrite(expression: Expression, second: str, order: str) -> ast.expr:
    """Return the tree that a device computes; most computations share one."""
    return cast("ast.expr", _Rewriter(second, order).visit(copy.deepcopy(expression.tree)))


def _links(node: ast.expr, kind: type[ast.operator]) -> list[ast.expr]:
    """Return the operands of an operator in a row."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, kind):
        return [*_links(node.left, kind), node.right]
    return [node]


def _chain(operands: Sequence[ast.expr], operation: ast.operator) -> ast.expr:
    """Combine operands by an operator from the first to the last."""
    return functools.reduce(lambda left, right: ast.BinOp(left, operation, right), operands)


def _fuse(node: ast.BinOp) -> ast.expr | None:
    """Return a sum with a product as one operation."""
    if not isinstance(node.op, ast.Add | ast.Sub):
        return None
    product, other = node.left, node.right
    if is_right := not _is_product(product):
        product, other = other, product
    if not _is_product(product):
        return None
    left, right = cast("ast.BinOp", product).left, cast("ast.BinOp", product).right
    if isinstance(node.op, ast.Sub):
        left, other = (_negate(left), other) if is_right else (left, _negate(other))
    return ast.Call(ast.Name("fused"), [left, right, other], [])


def _is_product(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)


def _negate(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), node)
