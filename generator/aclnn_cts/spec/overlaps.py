# SPDX-License-Identifier: Apache-2.0
"""Search for elements to which both a value clause and a silence, or two value clauses, apply.

Conditions are evaluated at points drawn from the special values and the numbers that the conditions
themselves name, because no solver decides them in general.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.spec.clause_models import Complaint, NotPromised, ValueClause
from aclnn_cts.spec.evaluation import Scope, Truth, evaluate_condition
from aclnn_cts.spec.expression import Expression, ExpressionError, calls
from aclnn_cts.spec.models import OperatorSpec

_POINTS = 2048
_COMMON = (-np.inf, -2.5, -1.0, -0.25, 0.0, 0.25, 1.0, 2.5, np.inf, np.nan)
_ITEMS = 4
"""Number of items of each array attribute."""

_EXTENTS = (3, 3, 3, 3, 3)
"""The shape of each tensor, for conditions on ranks and extents."""


def overlap_complaints(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield a complaint for each silence about elements of which a clause speaks."""
    for number, silence in enumerate(spec.not_promised):
        for clause in () if silence.when is None or silence.products else spec.clauses:
            if clause.expect == "any":
                continue
            try:
                point = _common_point(spec, silence, clause)
            except ExpressionError as error:
                yield ("not_promised", number, "when"), f"not comparable with clauses: {error}"
                continue
            if point is not None:
                values = ", ".join(f"{name} = {value}" for name, value in point.items())
                sentence = (
                    f"{silence.id!r} overlaps the clause {clause.id!r}: both apply with {values}; "
                    "restrict the `when` of one of them"
                )
                yield ("not_promised", number, "when"), sentence


def may_clash(spec: OperatorSpec) -> bool:
    """Whether two value clauses that expect different outcomes apply to some element.

    Whether they contradict each other also depends on the formula's value there.
    """
    return any(
        "any" not in (one.expect, other.expect)
        and one.expect != other.expect
        and _common_point(spec, one, other) is not None
        for one, other in combinations(spec.clauses, 2)
    )


def _common_point(
    spec: OperatorSpec, one: NotPromised | ValueClause, other: ValueClause
) -> Mapping[str, Any] | None:
    """Return values with which two entries apply; None if none were found."""
    when = one.when
    if when is None or (one.output and other.output and set(one.output).isdisjoint(other.output)):
        return None
    overriding = [
        clause.when
        for clause in spec.clauses
        if not {one.id, other.id}.isdisjoint(clause.overrides)
    ]
    conditions = (when, other.when, *overriding)
    names = sorted(set[str]().union(*(condition.names for condition in conditions)))
    values = {name: _draw(name, conditions) for name in names}
    aliases = {alias for tensor in spec.tensors for alias in (tensor.name, *tensor.stands_for)}
    both: Any = np.zeros(_POINTS, bool)
    for dtype in ("float32", "int32"):
        scope = Scope(
            values,
            dict.fromkeys(aliases, _EXTENTS),
            lambda condition, _: condition,
            dict.fromkeys(aliases, dtype),
        )
        with np.errstate(all="ignore"):
            first, second, *others = (
                evaluate_condition(condition, scope) for condition in conditions
            )
        overridden = functools.reduce(Truth.__or__, others, Truth.exact(value=False))
        both = both | (first & second & ~overridden).certain
    if not both.any():
        return None
    place = int(np.argmax(both))
    return {name: _at(value, place) for name, value in values.items()}


def _at(drawn: Any, place: int) -> Any:
    if isinstance(drawn, int):
        return drawn
    return [_at(item, place) for item in drawn] if isinstance(drawn, tuple) else drawn[place].item()


def _draw(name: str, conditions: tuple[Expression, ...]) -> Any:
    """Return the values of a name at all points, the same ones each time."""
    source = np.random.default_rng([ord(letter) for letter in name])
    nodes = [node for condition in conditions for node in ast.walk(condition.tree)]
    if any(name == axis for condition in conditions for _, axis in calls(condition, "dim")):
        return 0  # an axis, which is the same for all points
    truths = [*(condition.tree for condition in conditions), *_operands(nodes)]

    def draw(is_truth: bool) -> Any:  # noqa: FBT001 - only here
        if is_truth:
            return source.integers(0, 2, _POINTS) == 1
        return source.choice(_pool(nodes), _POINTS)

    items = [n for n in nodes if isinstance(n, ast.Subscript) and ast.unparse(n.value) == name]
    if items:
        is_truth = any(item is truth for item in items for truth in truths)
        return tuple(draw(is_truth) for _ in range(_ITEMS))
    return draw(_has_name(name, truths))


def _has_name(name: str, nodes: Iterable[ast.AST]) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in nodes)


def _operands(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """Yield the operands of `and`, `or` and `not`, which must be conditions."""
    for node in nodes:
        if isinstance(node, ast.BoolOp):
            yield from node.values
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node.operand


def _pool(nodes: Iterable[ast.AST]) -> npt.NDArray[np.float64]:
    """Return the special values, and numbers at and around those that conditions name."""
    constants = {
        float(node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    }
    around = (
        sign * (value + step) for value in constants for step in (-0.5, 0, 0.5) for sign in (1, -1)
    )
    return np.array([*_COMMON, *around])
