# SPDX-License-Identifier: Apache-2.0
"""Syntax of the specs' expression language.

Expressions are parsed with :mod:`ast` and checked against a whitelist; nothing is executed as
Python. :mod:`aclnn_cts.spec.evaluation` gives them their meaning, and
:mod:`aclnn_cts.golden.expressions` that of formulas, which have more functions.
"""

from __future__ import annotations

import ast
import functools
import itertools
import keyword
import math
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, TypeGuard, cast

FUNCTIONS: dict[str, tuple[int, int, str]] = {
    "isnan": (1, 1, "whether a value is NaN"),
    "isinf": (1, 1, "whether a value is Inf or -Inf"),
    "isfinite": (1, 1, "whether a value is neither NaN nor infinite"),
    "abs": (1, 1, "magnitude"),
    "min": (1, 8, "least of several values, or of an array"),
    "max": (1, 8, "greatest of several values, or of an array"),
    "len": (1, 1, "length of an array attribute, or of a spread dimension"),
    "others": (2, 2, "how many numbers of an array differ from one: `others(repeats, 1)`"),
    "numel": (1, 1, "number of elements of a tensor"),
    "rank": (1, 1, "number of dimensions of a tensor"),
    "dim": (2, 2, "extent of a tensor's dimension: `dim(self, 1)`"),
    "trailing": (2, 2, "the last extents of a tensor; all if it has fewer: `trailing(self, 2)`"),
    "axes": (
        2,
        2,
        "how many axes of a tensor an array names, each counted once: `axes(self, dims)`",
    ),
    "axes_from": (2, 2, "the axes of a tensor from a number on: `axes_from(self, 0)` for all"),
    "itemsize": (1, 1, "bytes of an element of a tensor"),
    "isfloating": (1, 1, "whether the data type of a tensor is a floating one"),
    "digits": (
        1,
        1,
        "binary digits of a tensor's elements: 24 of float32, 11 of float16, 8 of bfloat16",
    ),
    "same_type": (2, 2, "whether tensors, or attributes that are data types, have one data type"),
    "order": (2, 2, "one of the orders of a tensor's axes, some counted from the end"),
    "each_axis": (2, 8, "a number for each axis of a tensor, in turn: `each_axis(self, 2, 1)`"),
    "stretched": (2, 2, "a number, and a tensor's shape with it in place of extents of 1"),
    "given": (1, 1, "whether a tensor is passed, and no null pointer"),
    "broadcastable": (2, 8, "whether two tensors broadcast with one another"),
    "product": (1, 1, "product of the extents of a spread dimension"),
    "ceil_div": (2, 2, "quotient rounded up"),
    "align": (2, 2, "first argument rounded up to a multiple of the second"),
    "any_of": (1, 1, "whether a condition holds for any element that contributes to the output"),
    "all_of": (1, 1, "whether a condition holds for all elements that contribute to the output"),
}
"""Least and greatest number of arguments, and meaning, by function."""

FORMULA_FUNCTIONS: dict[str, tuple[int, int, str]] = {
    "abs": (1, 1, "magnitude"),
    "exp": (1, 1, "exponential"),
    "expm1": (1, 1, "`exp(x) - 1`"),
    "log": (1, 1, "natural logarithm"),
    "sqrt": (1, 1, "square root"),
    "tanh": (1, 1, "hyperbolic tangent"),
    "erf": (1, 1, "error function"),
    "erfc": (1, 1, "`1 - erf(x)`"),
    "sin": (1, 1, "sine"),
    "cos": (1, 1, "cosine"),
    "tan": (1, 1, "`sin(x) / cos(x)`"),
    "asin": (1, 1, "inverse sine"),
    "acos": (1, 1, "`pi / 2 - asin(x)`"),
    "atan": (1, 1, "inverse tangent"),
    "sinh": (1, 1, "`0.5 * (exp(x) - exp(-x))`"),
    "cosh": (1, 1, "`0.5 * (exp(x) + exp(-x))`"),
    "asinh": (1, 1, "`log(x + sqrt(x ** 2 + 1))`"),
    "acosh": (1, 1, "`log(x + sqrt(x ** 2 - 1))`"),
    "atanh": (1, 1, "`0.5 * log((1 + x) / (1 - x))`"),
    "exp2": (1, 1, "`exp(x * log(2))`"),
    "log2": (1, 1, "`log(x) / log(2)`"),
    "log10": (1, 1, "`log(x) / log(10)`"),
    "log1p": (1, 1, "`log(1 + x)`"),
    "floor": (1, 1, "the largest whole number that is not above"),
    "ceil": (1, 1, "the smallest whole number that is not below"),
    "trunc": (1, 1, "a term without its fraction"),
    "round": (1, 1, "the nearest whole number, of two the even one"),
    "remainder": (2, 2, "`x - floor(x / y) * y`; of integers x where y is 0"),
    "fmod": (2, 2, "`x - trunc(x / y) * y`"),
    "power": (2, 2, "`x ** y` as `exp(y * log(x))`; of negative numbers to whole powers, too"),
    "sigmoid": (1, 1, "`1 / (1 + exp(-x))`"),
    "log_sigmoid": (1, 1, "`log(1 / (1 + exp(-x)))`"),
    "log_one_minus_sigmoid": (1, 1, "`log(1 - 1 / (1 + exp(-x)))`"),
    "softplus": (1, 1, "`log(1 + exp(x))`"),
    "softplus_slope": (1, 1, "`1 / (1 + exp(-x))` or `exp(x) / (1 + exp(x))`"),
    "one_minus_square": (1, 1, "`1 - x ** 2`"),
    "normal_cdf": (1, 1, "`0.5 * (1 + erf(x / sqrt(2)))`"),
    "isnan": (1, 1, "whether a value is NaN"),
    "isinf": (1, 1, "whether a value is Inf or -Inf"),
    "isfinite": (1, 1, "whether a value is neither NaN nor infinite"),
    "signbit": (1, 1, "whether a value is negative, or -0"),
    "min": (2, 2, "the smaller of two terms"),
    "max": (2, 2, "the larger of two terms"),
    "with_sign": (2, 2, "the first term, negated where the second one is negative"),
    "wrapped": (1, 1, "a term; of an integer beyond its type, the lowest bits"),
    "truncated": (1, 1, "a term without its fraction, if the inputs are integers"),
    "host": (1, 1, "a term of scalars that the host computes in double: it is rounded once"),
    "narrowed": (1, 1, "a scalar in the narrowest type to which a device may convert it"),
    "sum": (2, 2, "sum along an axis, or several: `sum(exp(self), dim)`"),
    "prod": (2, 2, "product along axes"),
    "mean": (2, 2, "`sum(x, axes) / count` of an input, or the sum of the quotients"),
    "deviations": (2, 2, "sum along axes of the squares of an input's differences from its mean"),
    "logsumexp": (2, 2, "`log(sum(exp(x), axes))` of an input, or less its largest element first"),
    "amax": (2, 2, "the largest along axes"),
    "amin": (2, 2, "the smallest along axes"),
    "any": (2, 2, "whether a condition holds for any element along axes: `any(self != 0, dim)`"),
    "all": (2, 2, "whether a condition holds for all elements along axes"),
    "unstored": (
        1,
        1,
        "a term that no device keeps in the tensors' type, nor its intermediate results",
    ),
    "reduce": (2, 2, "losses, or by `reduction` (1, 2) their mean or sum; a whole formula only"),
    "equal_forms": (2, 4, "terms that a device may compute alike; the first one gives the value"),
    "readings": (2, 2, "terms that a page calls equal and that differ"),
}
"""The same for formulas. A function written as a term has that term's error, and a value that keeps
its digits."""

ROUNDING = ("floor", "ceil", "trunc", "round")
"""Functions that leave no fraction, so that those of a quotient of integers are exact."""

EXACT = ("abs", "min", "max", "with_sign", *ROUNDING, "wrapped")
"""Functions without a rounding, of integers in their own type."""

COMPOSITES = {"mean": "mean", "deviations": "mean", "logsumexp": "largest"}
"""Functions of all elements of an input along axes that compute with what is common to these."""

ADDING = ("sum", "prod")
"""Functions of all elements along axes that may leave the type of these: they have the output's."""

REDUCTIONS = (*ADDING, *COMPOSITES, "amax", "amin", "any", "all")
"""Functions of all elements along axes; those of extremes and truths do not compute."""

TRUTHS = ("any", "all")
"""Those of conditions, which are conditions."""

MARKS = ("unstored", "host", "narrowed", "truncated", "equal_forms", "readings", "reduce")
"""Functions that only say what else a device may do; the value is that of their first argument."""

WRITTEN: Mapping[str, ast.expr] = {
    name: ast.parse(term, mode="eval").body
    for name, term in {
        "expm1": "exp(x) - 1",
        "erfc": "1 - erf(x)",
        "tan": "sin(x) / cos(x)",
        "acos": f"{math.pi / 2!r} - asin(x)",
        "sinh": "0.5 * (exp(x) - exp(-x))",
        "cosh": "0.5 * (exp(x) + exp(-x))",
        "asinh": "log(x + sqrt(x * x + 1))",
        "acosh": "log(x + sqrt(x * x - 1))",
        "atanh": "0.5 * log((1 + x) / (1 - x))",
        "exp2": f"exp(x * {math.log(2)!r})",
        "log2": f"log(x) / {math.log(2)!r}",
        "log10": f"log(x) / {math.log(10)!r}",
        "log1p": "log(1 + x)",
        "sigmoid": "1 / (1 + exp(-x))",
        "log_sigmoid": "log(1 / (1 + exp(-x)))",
        "log_one_minus_sigmoid": "log(1 - 1 / (1 + exp(-x)))",
        "softplus": "log(1 + exp(x))",
        "softplus_slope": "1 / (1 + exp(-x))",
        "one_minus_square": "1 - x * x",
        "normal_cdf": f"(1 + erf(x / {math.sqrt(2)!r})) / 2",
        "remainder": "x - floor(x / y) * y",
        "fmod": "x - trunc(x / y) * y",
    }.items()
}
"""The terms that pages write for functions of x, or of x and y."""

REMAINDERS = ("remainder", "fmod")
"""Those that are exact of integers."""

MOVEMENTS: dict[str, tuple[int, int, str]] = {
    "largest": (2, 2, "the largest element of an input along an axis: `largest(self, dim)`"),
    "half": (3, 3, "the first (0) or the second (1) half of an input along an axis"),
    "channels": (2, 2, "an input of one element for all, or for each channel, of another"),
    "bits": (2, 2, "the bits of an input, from the least significant, one per element of another"),
}
"""The same for functions that only move elements of inputs; each is a whole formula with a name."""

ARRANGEMENTS: dict[str, tuple[int, int, str]] = {
    "permute": (2, 2, "the axes in another order: `permute(self, dims)`"),
    "flip": (2, 2, "the reverse along some axes: `flip(self, dims)`"),
    "roll": (3, 3, "moved round along axes, or round all elements: `roll(self, shifts, dims)`"),
    "repeat": (2, 2, "copies beside one another, along the last axes: `repeat(self, repeats)`"),
    "interleave": (2, 3, "each element, or slice along an axis, several times in a row"),
    "expand": (2, 2, "stretched to a shape with which it broadcasts: `expand(self, size)`"),
    "cut": (5, 5, "a part of some axes: `cut(self, starts, ends, axes, steps)`"),
    "pad": (3, 3, "with a number around it: `pad(self, padding, value)`"),
    "reflect": (2, 2, "with its mirror image around it, which repeats no border"),
    "replicate": (2, 2, "with copies of its border around it"),
    "wrap": (2, 2, "with copies of its other end around it"),
    "tril": (2, 2, "0 above a diagonal of the two last axes: `tril(self, diagonal)`"),
    "triu": (2, 2, "0 below it"),
    "flatten": (2, 2, "the axes before one as a single one, and likewise those from it on"),
    "matrix": (2, 2, "all elements on a diagonal of a matrix of 0: `matrix(self, diagonal)`"),
    "diagonal": (2, 2, "a diagonal of a matrix, or `matrix` of a tensor of one axis"),
    "gather": (3, 3, "elements at places along an axis, one for each: `gather(self, dim, index)`"),
    "select": (3, 3, "slices at places along an axis: `select(self, dim, index)`"),
    "take": (2, 2, "elements at places in row-major order: `take(self, index)`"),
    "slices": (2, 2, "slices at places along the first axes, which the last axis of places lists"),
    "fill": (4, 4, "with a number at places along an axis: `fill(self, dim, index, value)`"),
    "copy": (4, 4, "with slices of another at places: `copy(self, dim, index, source)`"),
    "update": (3, 3, "with slices of another at places along the first axes, as `slices` reads"),
}
"""The same for functions that arrange the elements of an input, which is their first argument, as
the only output; the others are attributes, whole numbers, or an input of places. A padding has two
numbers per axis, of what is before and behind, and begins with the last axis."""

PLACES: Mapping[str, int] = {
    "gather": 2,
    "select": 2,
    "take": 1,
    "slices": 1,
    "fill": 2,
    "copy": 2,
    "update": 1,
}
"""Which argument of an arrangement is an input of places; negative ones count from the end."""

SOURCES: Mapping[str, int] = {"copy": 3, "update": 2}
"""Which argument of an arrangement is another input of elements, for the places alone."""

CONSTANTS: dict[str, float | bool] = {
    "inf": float("inf"),
    "nan": float("nan"),
    "true": True,
    "false": False,
    "pi": math.pi,
}

_ALLOWED_NODES = (
    ast.Expression,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.USub,
    ast.BinOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Subscript,
    ast.IfExp,
)
_NOT_IN_FORMULAS = (ast.FloorDiv, ast.Mod, ast.Subscript)
_OF_CONSTANTS: Mapping[Any, Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
}
TESTS = ("isnan", "isinf", "isfinite", "signbit")

_WHOLE = (
    *(*MARKS, *EXACT, *TESTS, *REMAINDERS, "power"),
    *(each for each in REDUCTIONS if each not in COMPOSITES),
)
"""Functions of integers that give integers."""

BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.Invert)
"""The operators of the bits of integers."""


@dataclass(frozen=True)
class _Language:
    """What expressions of a kind may contain.

    Attributes:
        functions: Least and greatest number of arguments, and meaning, by function.
        nodes: The nodes of the syntax tree.
        parts: The same in words.
        has_texts: Whether texts may be compared.
    """

    functions: Mapping[str, tuple[int, int, str]]
    nodes: tuple[type[ast.AST], ...]
    parts: str
    has_texts: bool = True


_EXPRESSIONS = _Language(
    FUNCTIONS,
    _ALLOWED_NODES,
    "comparisons, and / or / not, + - * / // %, a if b else c, name[i]",
)
_FORMULAS = _Language(
    {**FORMULA_FUNCTIONS, **MOVEMENTS, **ARRANGEMENTS},
    (*(node for node in _ALLOWED_NODES if node not in _NOT_IN_FORMULAS), ast.Pow, *BITS),
    "comparisons, and / or / not, + - * / **, & | ^ ~ << >>, a if b else c",
    has_texts=False,
)

_PYTHON_ALONE = re.compile(
    rf"\b(?:{'|'.join({*keyword.kwlist} - {'and', 'or', 'not', 'if', 'else'})})\b"
)
"""Python keywords that are plain names here, because a C parameter may be named `lambda`."""

_MOST_CHARACTERS = 400
_MOST_DEPTH = 40


class ExpressionError(ValueError):
    """An invalid expression; the message names the part and what is allowed."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression.

    Attributes:
        tree: The root node of its syntax tree; every node is on the whitelist.
        names: The names it reads, without function names and constants.
    """

    text: str
    tree: ast.expr = field(repr=False)
    names: frozenset[str] = field(repr=False)

    def __hash__(self) -> int:
        """Expressions with the same text are the same expression."""
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        """Expressions with the same text are the same expression."""
        return isinstance(other, Expression) and other.text == self.text


@functools.lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """Parse an expression of the specs.

    Args:
        text: For example ``eps >= 0 and not (eps <= x <= 1 - eps)``.

    Raises:
        ExpressionError: The text is not an expression, or uses a part that the language lacks.
    """
    return _expression(text, _EXPRESSIONS)


@functools.lru_cache(maxsize=4096)
def parse_formula(text: str) -> Expression:
    """Parse a formula.

    Args:
        text: For example ``self / (1 + exp(-self))``.

    Raises:
        ExpressionError: The text is not an expression, or uses a part that formulas lack.
    """
    formula = _expression(text, _FORMULAS)
    _check_kind(formula.tree, wants_condition=is_condition(formula.tree))
    reductions_in(formula)
    for node in ast.walk(formula.tree):
        if isinstance(node, ast.expr):
            constant_of(node)
    return formula


def _expression(text: str, language: _Language) -> Expression:
    if len(text) > _MOST_CHARACTERS:
        raise ExpressionError(f"the expression is longer than {_MOST_CHARACTERS} characters")
    try:
        root = _syntax_tree(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ExpressionError(f"{text!r} is not an expression: {reason}") from None
    _check(root, text, 0, language)
    return Expression(text, root, names_in(root))


def names_in(tree: ast.AST) -> frozenset[str]:
    """Return the names that an expression reads, without functions and constants."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in called and node.id not in CONSTANTS
    )


def _syntax_tree(text: str) -> ast.expr:
    """Return the syntax tree, with all names of C as names."""
    python = _PYTHON_ALONE.sub(lambda word: word[0].swapcase(), text)
    root = ast.parse(python, mode="eval").body
    if python == text:
        return root
    for node in ast.walk(root):
        if isinstance(node, ast.Name):
            node.id = ast.get_source_segment(text, node) or node.id
        if _is_text(node):
            node.value = ast.literal_eval(ast.get_source_segment(text, node) or "")
    return root


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


OF_DTYPES = ("itemsize", "isfloating", "digits", "same_type")
"""The functions of a tensor's data type."""

OF_TENSORS = (
    "numel",
    "rank",
    "dim",
    "trailing",
    "axes",
    "axes_from",
    "order",
    "each_axis",
    "stretched",
    "given",
)
"""The functions whose first argument is a tensor."""


@functools.lru_cache(maxsize=4096)
def typed_names(expression: Expression) -> tuple[str, ...]:
    """Return the names on whose data types an expression depends."""
    return tuple(
        name for function in OF_DTYPES for names in calls(expression, function) for name in names
    )


@functools.lru_cache(maxsize=4096)
def given_tensors(expression: Expression) -> tuple[str, ...]:
    """Return the tensors in ``given(...)`` of an expression."""
    return tuple(name for (name,) in calls(expression, "given"))


def calls(expression: Expression, function: str) -> tuple[tuple[str, ...], ...]:
    """Return the arguments, as text, of each call of a function within an expression."""
    return tuple(arguments for called, arguments in _all_calls(expression) if called == function)


@functools.lru_cache(maxsize=4096)
def _all_calls(expression: Expression) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (node.func.id, tuple(ast.unparse(argument) for argument in node.args))
        for node in ast.walk(expression.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )


def _check_node(node: ast.AST, text: str, language: _Language) -> None:
    """Raise ExpressionError if a node is not part of the language, whatever is in it."""
    if not isinstance(node, language.nodes):
        raise ExpressionError(
            f"{_part(node, text) or type(node).__name__!r} is not part of the expression language; "
            f"allowed are {language.parts} and the functions {', '.join(language.functions)}"
        )
    if isinstance(node, ast.Constant) and type(node.value) not in (int, float):
        raise ExpressionError(
            f"{_part(node, text)!r}: only numbers, inf, nan, true and false are constants, and "
            "texts beside == or != alone"
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_power(node.right):
        raise ExpressionError(f"{_part(node, text)!r}: the exponents of formulas are 2, 3 and 4")
    if isinstance(node, ast.Call):
        _check_call(node, text, language.functions)


def _check(node: ast.AST, text: str, depth: int, language: _Language) -> None:
    if depth > _MOST_DEPTH:
        raise ExpressionError(f"{text!r} is nested deeper than {_MOST_DEPTH} levels")
    _check_node(node, text, language)
    if isinstance(node, ast.Call):
        for argument in node.args:
            _check(argument, text, depth + 1, language)
        return
    asks_for_texts = (
        language.has_texts
        and isinstance(node, ast.Compare)
        and all(isinstance(sign, ast.Eq | ast.NotEq) for sign in node.ops)
    )
    for child in ast.iter_child_nodes(node):
        if not (asks_for_texts and _is_text(child)):
            _check(child, text, depth + 1, language)


def is_condition(node: ast.expr) -> bool:
    """Whether a part of a formula is a condition by its form."""
    return (
        isinstance(node, ast.BoolOp | ast.Compare)
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        or (isinstance(node, ast.Call) and name_of(node) in (*TESTS, *TRUTHS))
        or (isinstance(node, ast.Name) and node.id in ("true", "false"))
    )


def uses_bits(tree: ast.expr) -> bool:
    """Whether a formula has operators of bits."""
    return any(isinstance(getattr(node, "op", None), BITS) for node in ast.walk(tree))


def _check_kind(node: ast.expr, *, wants_condition: bool) -> None:
    """Require that a part of a formula is a condition, or a number, as its place asks for."""
    is_truth = is_condition(node)
    # an attribute is either
    is_either = isinstance(node, ast.Name) and node.id not in CONSTANTS
    if is_truth != wants_condition and not is_either:
        kinds = ("a number", "a condition")
        raise ExpressionError(
            f"{ast.unparse(node)!r} is {kinds[is_truth]}, not {kinds[wants_condition]}"
        )
    has_conditions = isinstance(node, ast.BoolOp) or (is_truth and isinstance(node, ast.UnaryOp))
    has_conditions |= isinstance(node, ast.Compare) and is_condition(node.left)
    is_of_conditions = isinstance(node, ast.Call) and name_of(node) in TRUTHS
    for child in ast.iter_child_nodes(node):
        is_test = isinstance(node, ast.IfExp) and child is node.test
        is_test |= is_of_conditions and child is node.args[0]  # type: ignore[attr-defined]
        if isinstance(child, ast.expr) and not (isinstance(node, ast.Call) and child is node.func):
            _check_kind(child, wants_condition=has_conditions or is_test)


def name_of(call: ast.Call) -> str:
    """Return the name of the function that is called."""
    return cast("ast.Name", call.func).id


def reduction_of(expression: Expression) -> tuple[ast.expr, str] | None:
    """Return losses and reduction of the formula ``reduce(losses, reduction)``; None of others."""
    tree = expression.tree
    if not (isinstance(tree, ast.Call) and name_of(tree) == "reduce"):
        return None
    losses, reduction = tree.args
    return (losses, reduction.id) if isinstance(reduction, ast.Name) else None


def comparisons_in(expression: Expression) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield both sides of each comparison, in either order."""
    for node in ast.walk(expression.tree):
        if isinstance(node, ast.Compare):
            for left, right in itertools.pairwise((node.left, *node.comparators)):
                yield left, right
                yield right, left


def plain_text(tree: ast.expr) -> str:
    """Return an expression as text that does not depend on how it was written."""
    value = constant_of(tree)
    if value is None:
        return ast.unparse(tree)
    return str(int(value)) if value.is_integer() else str(value)


Called: TypeAlias = tuple[str, list[str]]
"""A function and its arguments as text."""


def movement_of(expression: Expression) -> Called | None:
    """Return the function and the arguments of a formula that only moves elements, if it does."""
    return _called(expression, MOVEMENTS)


def arrangement_of(expression: Expression) -> Called | None:
    """Return the same of a formula that arranges the elements of an input as the output."""
    return _called(expression, ARRANGEMENTS)


def places_in(called: Called | None) -> str:
    """Return the index that an arrangement reads; empty if it reads none."""
    function, arguments = called or ("", [])
    return arguments[PLACES[function]] if function in PLACES else ""


def _called(expression: Expression, functions: Collection[str]) -> Called | None:
    tree = expression.tree
    if not (isinstance(tree, ast.Call) and name_of(tree) in functions):
        return None
    return name_of(tree), [ast.unparse(argument) for argument in tree.args]


class AxisReduction(NamedTuple):
    """A sum along an axis within a formula, or another function of all elements there.

    Attributes:
        rule: One of :data:`REDUCTIONS`.
        term: What is added up.
        names: The names that it reads.
        axis: The attribute or the derived value that names the axis, or several.
    """

    rule: str
    term: ast.expr
    names: frozenset[str]
    axis: str


@functools.lru_cache(maxsize=4096)
def reductions_in(expression: Expression) -> Mapping[str, AxisReduction]:
    """Return the sums along an axis, and other reductions, within a formula, by their text.

    Raises:
        ExpressionError: One contains another, or reads no input.
    """
    sums = {}
    for node in ast.walk(expression.tree):
        if is_reduction(node):
            term, axis = node.args
            if any(map(is_reduction, ast.walk(term))):
                raise ExpressionError(f"{ast.unparse(node)!r} is a sum of sums")
            if not names_in(term):
                raise ExpressionError(f"{ast.unparse(node)!r} reduces no input")
            reduction = AxisReduction(name_of(node), term, names_in(term), ast.unparse(axis))
            sums[ast.unparse(node)] = reduction
    return sums


def is_reduction(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a part of a formula is a sum along an axis, or another reduction."""
    return isinstance(node, ast.Call) and name_of(node) in REDUCTIONS


def names_outside_reductions(expression: Expression) -> set[str]:
    """Return the names that a formula reads element by element."""

    def names(node: ast.AST) -> Iterator[str]:
        if is_reduction(node):
            return
        if isinstance(node, ast.Name):
            yield node.id
        for child in ast.iter_child_nodes(node):
            yield from names(child)

    return set(names(expression.tree))


@functools.lru_cache(maxsize=8192)
def constant_of(node: ast.expr) -> float | None:
    """Return the value of a part of a formula without names; None if it has any.

    Raises:
        ExpressionError: It has no finite value.
    """
    function: Callable[..., float]
    if isinstance(node, ast.Constant):
        return float(cast("float", node.value))
    if isinstance(node, ast.Name):
        return float(CONSTANTS[node.id]) if node.id in CONSTANTS else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        function, operands = operator.neg, [node.operand]
    elif isinstance(node, ast.BinOp) and type(node.op) in _OF_CONSTANTS:
        function, operands = _OF_CONSTANTS[type(node.op)], [node.left, node.right]
    elif isinstance(node, ast.Call) and name_of(node) in _OF_CONSTANTS:
        function, operands = _OF_CONSTANTS[name_of(node)], node.args
    else:
        return None
    values = [value for operand in operands if (value := constant_of(operand)) is not None]
    if len(values) < len(operands):
        return None
    try:
        return float(function(*values))
    except (ArithmeticError, ValueError) as error:
        raise ExpressionError(f"{ast.unparse(node)!r} has no value: {error}") from None


@functools.lru_cache(maxsize=8192)
def has_fractions(tree: ast.expr) -> bool:
    """Whether a formula of integers may give a fraction."""
    exact = {id(node.args[0]) for node in ast.walk(tree) if is_whole_quotient(node)}
    return any(
        ((value := constant_of(node)) is not None and not value.is_integer())
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and id(node) not in exact)
        or (isinstance(node, ast.Call) and name_of(node) not in _WHOLE)
        for node in ast.walk(tree)
        if isinstance(node, ast.expr)
    )


def is_whole_quotient(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a part of a formula is a quotient without its fraction."""
    return (
        isinstance(node, ast.Call)
        and name_of(node) in ROUNDING
        and isinstance(node.args[0], ast.BinOp)
        and isinstance(node.args[0].op, ast.Div)
    )


def _is_power(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (2, 3, 4)


def _part(node: ast.AST, text: str) -> str | None:
    """Return the source text of a node; None for an operator."""
    return ast.get_source_segment(text.strip(), node) if isinstance(node, ast.expr) else None


def _check_call(node: ast.Call, text: str, functions: Mapping[str, tuple[int, int, str]]) -> None:
    if not isinstance(node.func, ast.Name) or node.func.id not in functions:
        raise ExpressionError(f"{_part(node, text)!r}: known functions are {', '.join(functions)}")
    least, most, _ = functions[node.func.id]
    if node.keywords or not least <= len(node.args) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise ExpressionError(
            f"{_part(node, text)!r}: {node.func.id} takes {count} plain argument(s)"
        )
