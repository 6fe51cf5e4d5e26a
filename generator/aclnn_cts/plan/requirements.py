# SPDX-License-Identifier: Apache-2.0
"""Which requirements a call does not meet, seen from its own shapes, data types and attributes.

Nothing here goes by the reason for which a case was made: a case that was meant to break a rule
and does not is found out by that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from aclnn_cts.plan.binding import Binding, UnboundError, derived_shape
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.spec.evaluation import holds
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import OperatorSpec, Rule, ShapeRule, TensorParameter
from aclnn_cts.spec.structure import PRODUCT_SUPPORT, clause_id


def broken_requirements(spec: OperatorSpec, case: Case) -> tuple[str, ...]:
    """Return the ids of the structural clauses and rules that a call does not meet.

    A call with a null pointer is refused for that alone, before anything else is looked at; so it
    tests no other requirement. On a product without support, support is what is missing. Where a
    rule is broken (a kernel of 0), no shape follows from the attributes, so none can be wrong.
    """
    if not spec.supports(case.product):
        return (PRODUCT_SUPPORT,)
    if any(tensor.source == "null" for tensor in case.tensors) or None in case.attributes.values():
        return ()
    binding = binding_of(case)
    rules = tuple(_broken_rules(spec, case, binding))
    return rules or tuple(
        clause_id(tensor.name, kind)
        for tensor in case.tensors
        for kind in _broken_kinds(spec, tensor, case, binding)
    )


def broken_besides_null(spec: OperatorSpec, case: Case) -> tuple[str, ...]:
    """Return the requirements that a call would not meet if it had no null pointer.

    A call in which an attribute is null says nothing of other requirements.
    """
    whole = tuple(
        replace(tensor, source="data" if tensor.role == "input" else "output")
        for tensor in case.tensors
    )
    return broken_requirements(spec, replace(case, tensors=whole))


def binding_of(case: Case) -> Binding:
    """Return the shapes, data types and values of a case that was made."""
    return Binding(
        {**case.names, **case.attributes},
        {tensor.name: tensor.shape for tensor in case.tensors},
        {tensor.name: tensor.dtype for tensor in case.tensors},
    )


def _broken_kinds(
    spec: OperatorSpec, tensor: TensorCase, case: Case, binding: Binding
) -> Iterator[str]:
    parameter = spec.tensor(tensor.name)
    if tensor.dtype not in _allowed_dtypes(spec, parameter, case, binding):
        yield "dtype"
    if parameter.rank and not parameter.rank[0] <= len(tensor.shape) <= parameter.rank[1]:
        yield "rank"
    if tensor.format not in parameter.formats:
        yield "format"
    if not is_shape_allowed(parameter, tensor.shape, binding):
        yield "shape"


def _allowed_dtypes(
    spec: OperatorSpec, parameter: TensorParameter, case: Case, binding: Binding
) -> tuple[str, ...]:
    if parameter.dtype is None:
        return spec.dtypes(parameter.name, case.product)
    return (binding.dtypes[parameter.dtype.removesuffix(".dtype")],)


def is_shape_allowed(parameter: TensorParameter, shape: tuple[int, ...], binding: Binding) -> bool:
    """Whether a tensor may have a shape, given the shapes and values of everything else.

    A shape of which nothing can be said (a kernel without numbers leaves no windows) is allowed.
    """
    rule = parameter.shape
    if isinstance(rule, ShapeRule) and rule.broadcasts_to is not None:
        return broadcasts(shape, binding.shapes[rule.broadcasts_to])
    if isinstance(rule, ShapeRule) and rule.one_element and math.prod(shape) == 1:
        return True
    known = _known_shapes(parameter, binding)
    return not known or shape in known


def _known_shapes(parameter: TensorParameter, binding: Binding) -> list[tuple[int, ...]]:
    """Return the shapes that a tensor may have, as far as they follow from everything else."""
    rule = parameter.shape
    choices = [choice.name for choice in rule.one_of or []] if isinstance(rule, ShapeRule) else [""]
    possible = [_shape_of(parameter, choice, binding) for choice in choices]
    return [candidate for candidate in possible if candidate is not None]


def difference(
    parameter: TensorParameter, shape: tuple[int, ...], binding: Binding
) -> Literal["count", "dimensions", "direction"]:
    """Return in what a shape differs from all that a tensor may have.

    ``direction``: the two shapes broadcast together, but to another shape than they must;
    ``dimensions``: as many elements as an allowed shape; else ``count``.
    """
    rule = parameter.shape
    if isinstance(rule, ShapeRule) and rule.broadcasts_to is not None:
        target = binding.shapes[rule.broadcasts_to]
        return "direction" if _compatible(shape, target) else "count"
    counts = {math.prod(known) for known in _known_shapes(parameter, binding)}
    return "dimensions" if math.prod(shape) in counts else "count"


def _compatible(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    """Whether two shapes broadcast together."""
    pairs = zip(reversed(one), reversed(two), strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)


def _shape_of(parameter: TensorParameter, choice: str, binding: Binding) -> tuple[int, ...] | None:
    try:
        return derived_shape(parameter, choice or None, binding)
    except (UnboundError, ExpressionError):
        return None


def broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to exactly ``target`` (common document on broadcasting)."""
    padded = (1,) * (len(target) - len(shape)) + shape
    return len(shape) <= len(target) and all(
        extent in (1, wanted) for extent, wanted in zip(padded, target, strict=True)
    )


def _broken_rules(spec: OperatorSpec, case: Case, binding: Binding) -> Iterator[str]:
    for rule in spec.rules:
        if (rule.products is None or case.product in rule.products) and _is_broken(rule, binding):
            yield rule.id


def _is_broken(rule: Rule, binding: Binding) -> bool:
    try:
        return not holds(rule.require, binding.scope)
    except ExpressionError:
        # Another broken rule leaves this one without the values that it is about.
        return False
