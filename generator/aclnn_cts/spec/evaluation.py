# SPDX-License-Identifier: Apache-2.0
"""Evaluation of the specs' expressions, on scalars and element by element on arrays."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from aclnn_cts.spec.data_types import DATA_TYPES, DataType, FloatFormat
from aclnn_cts.spec.expression import (
    CONSTANTS,
    OF_DTYPES,
    OF_TENSORS,
    Expression,
    ExpressionError,
    given_tensors,
    typed_names,
)

Boolean = bool | np.bool_ | npt.NDArray[np.bool_]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Interval:
    """A number known up to the rounding to ``held_in``: ``low <= number <= high``; NaN is exact."""

    low: float
    high: float
    held_in: FloatFormat


@dataclass(frozen=True)
class Truth:
    """A condition: where it certainly holds, and where it may hold (a superset)."""

    certain: Boolean
    possible: Boolean

    @classmethod
    def exact(cls, value: Boolean) -> Truth:
        """Return a condition that does not depend on rounding."""
        return cls(value, value)

    @property
    def is_exact(self) -> bool:
        """Whether no element depends on rounding."""
        return self.certain is self.possible

    def __invert__(self) -> Truth:
        if self.is_exact:
            return Truth.exact(np.logical_not(self.certain))
        return Truth(np.logical_not(self.possible), np.logical_not(self.certain))

    def __and__(self, other: Truth) -> Truth:
        return _combine(np.logical_and, self, other)

    def __or__(self, other: Truth) -> Truth:
        return _combine(np.logical_or, self, other)


def _combine(rule: Callable[[Any, Any], Any], left: Truth, right: Truth) -> Truth:
    certain = rule(left.certain, right.certain)
    if left.is_exact and right.is_exact:
        return Truth.exact(certain)
    return Truth(certain, rule(left.possible, right.possible))


def round_outward(low: float, high: float, held_in: FloatFormat) -> tuple[float, float]:
    """Return the narrowest interval with ends in ``held_in`` that holds ``low`` and ``high``."""
    return _neighbour(low, held_in, math.floor), _neighbour(high, held_in, math.ceil)


def _neighbour(value: float, held_in: FloatFormat, rounding: Callable[[float], int]) -> float:
    if value == 0 or not math.isfinite(value):
        return value
    exponent = max(math.frexp(value)[1] - 1, held_in.min_exponent)
    step = math.ldexp(1.0, exponent - held_in.fraction_bits)
    rounded = rounding(value / step) * step
    if abs(rounded) > held_in.max_finite:
        # the device may saturate or overflow, so the outward end is infinite
        outward = (rounding is math.ceil) == (value > 0)
        return math.copysign(math.inf if outward else held_in.max_finite, value)
    return rounded


def hold(value: float, held_in: FloatFormat) -> float | Interval:
    """Return the interval of values that a device may read after storing in ``held_in``.

    An exactly held value is an interval, too, because results computed from it (``1 - eps``) are
    rounded.
    """
    if not math.isfinite(value):
        return value
    return Interval(*round_outward(value, value, held_in), held_in)


_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def classify(test: Callable[[Any], Any], value: Any) -> Truth:
    """Return the outcome of isnan, isinf or isfinite; an interval may end in infinity."""
    outcomes = [test(end) for end in ends_of(value)]
    if len(outcomes) == 1:
        return Truth.exact(outcomes[0])
    return Truth(bool(all(outcomes)), bool(any(outcomes)))


def middle(value: Any) -> Any:
    """Return one end of an interval whose width does not matter."""
    return value.low if isinstance(value, Interval) else value


def arithmetic(rule: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Return the possible results of arithmetic with an interval, rounded to its ``held_in``.

    Raises:
        ExpressionError: One operand is an interval and the other an array.
    """
    if not isinstance(left, Interval) and not isinstance(right, Interval):
        return rule(left, right)
    if np.ndim(middle(left)) or np.ndim(middle(right)):
        raise ExpressionError("arithmetic of an array with a rounded attribute is not supported")
    held_in = left.held_in if isinstance(left, Interval) else right.held_in
    ends = [float(rule(a, b)) for a in ends_of(left) for b in ends_of(right)]
    if any(math.isnan(end) for end in ends):
        return math.nan
    return Interval(*round_outward(min(ends), max(ends), held_in), held_in)


def ends_of(value: Any) -> tuple[Any, ...]:
    """Return the ends of an interval, or the value itself if there is only one."""
    if not isinstance(value, Interval):
        return (value,)
    return (value.low,) if value.low == value.high else (value.low, value.high)


def compare(kind: type[ast.cmpop], left: Any, right: Any) -> Truth:
    """Return where a comparison certainly holds and where it may hold."""
    rule = _COMPARISONS[kind]
    outcomes = [rule(a, b) for a in ends_of(left) for b in ends_of(right)]
    if len(outcomes) == 1:
        return Truth.exact(outcomes[0])
    if kind in (ast.Eq, ast.NotEq):
        # equality may hold between the ends
        overlap = np.logical_and(
            np.less_equal(ends_of(left)[0], ends_of(right)[-1]),
            np.less_equal(ends_of(right)[0], ends_of(left)[-1]),
        )
        equal = Truth(np.zeros_like(overlap), overlap)
        return equal if kind is ast.Eq else ~equal
    return Truth(
        functools.reduce(np.logical_and, outcomes), functools.reduce(np.logical_or, outcomes)
    )


@dataclass(frozen=True)
class Scope:
    """The meaning of names in an expression.

    Attributes:
        values: Scalars, intervals, tuples (array attributes) or arrays by name.
        shapes: View shapes by tensor name, for ``numel``, ``rank`` and ``dim``.
        dtypes: Data types by tensor name, for ``itemsize``, ``isfloating`` and ``digits``.
        gather: For ``any_of`` and ``all_of``: reduces a condition over the input elements that
            contribute to each output element, with the given ufunc.
        null: The tensors for which a null pointer is passed, for ``given``.
    """

    values: Mapping[str, Any]
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    gather: Callable[[Any, np.ufunc], npt.NDArray[np.bool_]] | None = None
    dtypes: Mapping[str, str] = field(default_factory=dict)
    null: Collection[str] = frozenset()


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


_SCALAR_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "len": len,
    "others": lambda array, number: sum(each != number for each in array),
    "product": math.prod,
    "ceil_div": lambda a, b: -(-a // b),
    "align": lambda a, b: -(-a // b) * b,
}

_CLASS_TESTS: dict[str, Callable[[Any], Any]] = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
}


def evaluate_number(expression: Expression, scope: Scope) -> Any:
    """Return the value of a numeric expression.

    Raises:
        ExpressionError: A name is unknown in the scope, or the arithmetic has no value
            (division by zero, an index outside an array).
    """
    if isinstance(expression.tree, ast.Name) and expression.tree.id in scope.values:
        return scope.values[
            expression.tree.id
        ]  # fast, because planning calls this millions of times
    return _evaluate(_Evaluator.number, expression, scope)


def evaluate_condition(expression: Expression, scope: Scope) -> Truth:
    """Return where a condition certainly holds and where it may hold.

    Raises:
        ExpressionError: As for :func:`evaluate_number`.
    """
    return _evaluate(_Evaluator.condition, expression, scope)


def _evaluate(
    kind: Callable[[_Evaluator, ast.expr], Result], expression: Expression, scope: Scope
) -> Result:
    """Evaluate; arithmetic errors become errors that quote the expression."""
    try:
        return kind(_Evaluator(scope, expression.text), expression.tree)
    except ExpressionError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ExpressionError(f"{expression.text!r}: {error}") from None


def holds(expression: Expression, scope: Scope) -> bool:
    """Return whether a condition over scalars holds for certain.

    Results are cached, because planning repeats the same questions.
    """
    values, shapes = scope.values, scope.shapes
    operands = [
        values[name] if name in values else shapes.get(name, _ABSENT) for name in expression.names
    ]
    key = (
        expression.text,
        *(tuple(value) if isinstance(value, list) else value for value in operands),
        *(scope.dtypes.get(name) for name in typed_names(expression)),
        *(name in scope.null for name in given_tensors(expression)),
    )
    answer = _ANSWERS.get(key)
    if answer is None:
        if len(_ANSWERS) >= _MOST_ANSWERS:
            _ANSWERS.clear()
        answer = _ANSWERS[key] = bool(evaluate_condition(expression, scope).certain)
    return answer


_ABSENT = object()
_ANSWERS: dict[tuple[Any, ...], bool] = {}
_MOST_ANSWERS = 100_000


class _Evaluator:
    def __init__(self, scope: Scope, text: str) -> None:
        self._scope = scope
        self._text = text

    def condition(self, node: ast.expr) -> Truth:
        if isinstance(node, ast.BoolOp):
            return self._junction(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ~self.condition(node.operand)
        if isinstance(node, ast.Compare):
            return self._chain(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in _CLASS_TESTS:
                return classify(_CLASS_TESTS[name], self.number(node.args[0]))
            if name in ("any_of", "all_of"):
                return self._gather(node.args[0], name)
        value = self.number(node)
        if isinstance(value, bool | np.bool_) or _is_condition(value):
            return Truth.exact(value)
        raise ExpressionError(f"{self._text!r}: {ast.unparse(node)!r} is a number, not a condition")

    def _junction(self, node: ast.BoolOp) -> Truth:
        """Evaluate and / or; skip arrays if a scalar decides."""
        conjunction = isinstance(node.op, ast.And)
        result = self.condition(node.values[0])
        for operand in node.values[1:]:
            if (
                result.is_exact
                and np.ndim(result.certain) == 0
                and (bool(result.certain) is not conjunction)
            ):
                return result
            right = self.condition(operand)
            result = result & right if conjunction else result | right
        return result

    def _chain(self, node: ast.Compare) -> Truth:
        operands = [self.number(node.left), *map(self.number, node.comparators)]
        result: Truth | None = None
        for comparison, left, right in zip(node.ops, operands, operands[1:], strict=False):
            link = compare(type(comparison), left, right)
            result = link if result is None else result & link
        assert result is not None  # noqa: S101 - ast.Compare has at least one comparison
        return result

    def _gather(self, node: ast.expr, name: str) -> Truth:
        gather = self._scope.gather
        if gather is None:
            raise ExpressionError(
                f"{self._text!r}: {name} has no meaning here: the formula does not say over which "
                "elements (gather or gathers in golden/formula.py)"
            )
        rule = np.logical_or if name == "any_of" else np.logical_and
        inner = self.condition(node)
        if np.ndim(inner.certain) == 0 and np.ndim(inner.possible) == 0:
            return inner
        certain = gather(inner.certain, rule)
        if inner.is_exact:
            return Truth.exact(certain)
        return Truth(certain, gather(inner.possible, rule))

    def number(self, node: ast.expr) -> Any:
        handler: Callable[..., Any] = self._NUMBERS.get(type(node), _Evaluator._exact)
        return handler(self, node)

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _negation(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self._exact(node)
        operand = self.number(node.operand)
        if isinstance(operand, Interval):
            return Interval(-operand.high, -operand.low, operand.held_in)
        return -operand

    def _operation(self, node: ast.BinOp) -> Any:
        rule = _ARITHMETIC[type(node.op)]
        return arithmetic(rule, self.number(node.left), self.number(node.right))

    def _item(self, node: ast.Subscript) -> Any:
        return self.number(node.value)[self.number(node.slice)]

    def _choice(self, node: ast.IfExp) -> Any:
        return self.number(node.body if bool(self.condition(node.test).certain) else node.orelse)

    def _exact(self, node: ast.expr) -> Any:
        """Return the value of a condition used as a number (``ceilMode == (a < b)``)."""
        return self.condition(node).certain

    def _name(self, node: ast.Name) -> Any:
        name = node.id
        if name in CONSTANTS:
            return CONSTANTS[name]
        try:
            return self._scope.values[name]
        except KeyError:
            names = ", ".join(sorted(self._scope.values)) or "none"
            raise ExpressionError(
                f"{self._text!r}: {name!r} has no value here; known: {names}"
            ) from None

    def _call(self, node: ast.Call) -> Any:
        name, arguments = _function_name(node), node.args
        if name in (*OF_TENSORS, *OF_DTYPES):
            return self._tensor_function(name, arguments)
        if name == "broadcastable":
            return broadcastable(*(self._shape(name, argument) for argument in arguments))
        if name in _CLASS_TESTS or name in ("any_of", "all_of"):
            return self._exact(node)
        values = [self.number(argument) for argument in arguments]
        if name == "abs":
            return abs(middle(values[0]))
        if name in ("min", "max"):
            return _extremum(name, values)
        return _SCALAR_FUNCTIONS[name](*values)

    def _tensor_function(self, name: str, arguments: list[ast.expr]) -> int | tuple[int, ...]:
        if name in OF_DTYPES:
            return _OF_DTYPES[name](*(self._data_type(name, each) for each in arguments))
        if name == "given":
            return ast.unparse(arguments[0]) not in self._scope.null
        shape = self._shape(name, arguments[0])
        return _OF_SHAPES[name](shape, *map(self.number, arguments[1:]))

    def _data_type(self, name: str, tensor: ast.expr) -> DataType:
        tensor_name = tensor.id if isinstance(tensor, ast.Name) else ""
        dtype = self._scope.dtypes.get(tensor_name, self._scope.values.get(tensor_name))
        if not isinstance(dtype, str) or dtype not in DATA_TYPES:
            raise ExpressionError(f"{self._text!r}: {name} takes the name of a tensor")
        return DATA_TYPES[dtype]

    def _shape(self, name: str, tensor: ast.expr) -> Sequence[int]:
        if not isinstance(tensor, ast.Name) or tensor.id not in self._scope.shapes:
            raise ExpressionError(f"{self._text!r}: {name} takes the name of a tensor")
        return self._scope.shapes[tensor.id]

    _NUMBERS: ClassVar[dict[type[ast.expr], Callable[..., Any]]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.UnaryOp: _negation,
        ast.BinOp: _operation,
        ast.Subscript: _item,
        ast.IfExp: _choice,
        ast.Call: _call,
    }


def _axes(shape: Sequence[int], axes: Sequence[int]) -> int:
    valid_axes = range(-len(shape), len(shape))
    return len({axis % len(shape) for axis in axes if axis in valid_axes})


def _order(shape: Sequence[int], number: int) -> tuple[int, ...]:
    """Return axes in one of four orders, each also counted from the end: the next number."""
    axes = [*range(len(shape))]
    orders = (axes[::-1], [*axes[1:], *axes[:1]], [*axes[:-2], *axes[-2:][::-1]], axes)
    offset = len(shape) if number % 2 else 0
    return tuple(axis - offset for axis in orders[number // 2 % len(orders)])


_OF_SHAPES: dict[str, Callable[..., int | tuple[int, ...]]] = {
    "numel": math.prod,
    "rank": len,
    "dim": lambda shape, axis: int(shape[axis]),
    "trailing": lambda shape, count: tuple(shape[max(len(shape) - count, 0) :]),
    "axes": _axes,
    "axes_from": lambda shape, first: tuple(range(first, len(shape))),
    "order": _order,
    "each_axis": lambda shape, *numbers: tuple(
        itertools.islice(itertools.cycle(numbers), len(shape))
    ),
    "stretched": lambda shape, number: (number, *(number if n == 1 else n for n in shape)),
}

_OF_DTYPES: dict[str, Callable[..., int]] = {
    "itemsize": lambda known: known.itemsize,
    "isfloating": lambda known: known.floating is not None,
    "digits": lambda known: known.digits,
    "same_type": operator.eq,
}


def _function_name(node: ast.Call) -> str:
    assert isinstance(node.func, ast.Name)  # noqa: S101 - parsing lets nothing else pass
    return node.func.id


def broadcastable(*shapes: Sequence[int]) -> bool:
    """Whether shapes broadcast with one another (common document on broadcasting)."""
    turned = itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1)
    return all(len({*extents} - {1}) <= 1 for extents in turned)


def _is_condition(value: Any) -> bool:
    return getattr(value, "dtype", None) == np.bool_


def _extremum(name: str, values: list[Any]) -> Any:
    numbers = [middle(value) for value in (values if len(values) > 1 else values[0])]
    if all(np.ndim(number) == 0 for number in numbers):
        return min(numbers) if name == "min" else max(numbers)
    rule = np.minimum if name == "min" else np.maximum
    result = numbers[0]
    for number in numbers[1:]:
        result = rule(result, number)
    return result
