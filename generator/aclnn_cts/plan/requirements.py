# SPDX-License-Identifier: Apache-2.0
"""Validity of calls: supported data types, shapes that fit together, and rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.binding import Binding, Facts, UnboundError, bind, chosen_dtype, rule_shape
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.clause_models import ErrorClause, Rule
from aclnn_cts.spec.data_types import DATA_TYPES, PUBLIC_FORMATS, can_hold
from aclnn_cts.spec.evaluation import broadcastable, evaluate_number, holds
from aclnn_cts.spec.expression import (
    Expression,
    ExpressionError,
    given_tensors,
    parse,
    typed_names,
)
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.violations.promotion import cannot_become


def holds_on(promise: Rule | ErrorClause, product: str) -> bool:
    """Whether a rule or an error clause holds on a product."""
    return promise.products is None or product in promise.products


def errors_on(spec: OperatorSpec, product: str) -> Iterator[ErrorClause]:
    """Yield the error clauses that hold on a product; without support, only that one."""
    for error in spec.errors:
        if holds_on(error, product) and (spec.supports(product) or error.is_of_product):
            yield error


def is_wanted(output: TensorParameter, binding: Binding) -> bool:
    """Whether a call requests an optional output."""
    return output.wanted is not None and speaks_of(output.wanted, binding)


def speaks_of(condition: Expression, binding: Binding) -> bool:
    """Whether a condition holds in a call."""
    try:
        return holds(condition, binding.scope)
    except ExpressionError:
        # a name in the condition has no value: the array is null or too short
        return False


def binding_of(case: Case) -> Binding:
    """Return the binding of a case."""
    return Binding(
        case.values,
        {tensor.name: tensor.shape for tensor in case.tensors},
        {tensor.name: tensor.dtype for tensor in case.tensors} | dict(case.scalars),
        {tensor.name for tensor in case.tensors if tensor.source == "null"},
    )


def allowed_dtypes(
    spec: OperatorSpec,
    parameter: TensorParameter | AttributeParameter,
    product: str,
    binding: Binding,
) -> tuple[str, ...]:
    """Return the data types that a tensor or a scalar may have, given those of all others."""
    if parameter.dtype is None:
        return spec.dtypes(parameter.name, product, untested=True)
    source = binding.dtypes[parameter.dtype.removesuffix(".dtype")]
    return (source, *spec.own_dtypes(parameter.name, product))


def _is_allowed_by(rule: ShapeRule, shape: tuple[int, ...], binding: Binding) -> bool | None:
    """Return whether a rule allows a shape; None if its choices decide."""
    if rule.broadcasts_to is not None:
        return broadcasts(shape, binding.shapes[rule.broadcasts_to])
    if rule.broadcasts_with is not None:
        return broadcastable(shape, binding.shapes[rule.broadcasts_with])
    if rule.trailing_of is not None:
        target = binding.shapes[rule.trailing_of]
        return 0 < len(shape) <= len(target) and shape == target[len(target) - len(shape) :]
    is_open = rule.one_element and math.prod(shape) == 1
    sources = (binding.shapes[name] for name in rule.broadcast_sources)
    return True if is_open or not broadcastable(*sources) else None


def is_shape_allowed(parameter: TensorParameter, shape: tuple[int, ...], binding: Binding) -> bool:
    """Whether a tensor may have a shape, given the shapes and values of everything else.

    An unknown shape (of an empty array) is allowed.
    """
    if isinstance(parameter.shape, ShapeRule):
        allowed = _is_allowed_by(parameter.shape, shape, binding)
        if allowed is not None:
            return allowed
    choices = [choice.name for choice in parameter.choices] or [""]
    possible = [shape_of(parameter, choice, binding) for choice in choices]
    shapes = [candidate for candidate in possible if candidate is not None]
    return not shapes or shape in shapes


def shape_of(parameter: TensorParameter, choice: str, binding: Binding) -> tuple[int, ...] | None:
    try:
        return rule_shape(parameter, choice or None, binding)
    except (UnboundError, ExpressionError):
        return None


def usual_format(parameter: TensorParameter, binding: Binding) -> str:
    """Return the first listed format for the tensor's number of dimensions."""
    rank = len(binding.shapes[parameter.name])
    fitting = (name for name in parameter.formats if PUBLIC_FORMATS.get(name, rank) == rank)
    return next(fitting, parameter.formats[0])


def broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to exactly ``target`` (common document on broadcasting)."""
    padded = (1,) * (len(target) - len(shape)) + shape
    return len(shape) <= len(target) and all(
        extent in (1, target_extent) for extent, target_extent in zip(padded, target, strict=True)
    )


def broken_rules(
    spec: OperatorSpec, product: str, binding: Binding, *, open_ones: bool
) -> Iterator[str]:
    """Yield the ids of the rules on a product that a call does not obey.

    Args:
        binding: The binding of the call.
        open_ones: Whether a rule counts as broken if it cannot be evaluated because another broken
            rule leaves names without values.
    """
    for rule in spec.rules:
        if holds_on(rule, product):
            try:
                broken = not holds(rule.require, binding.scope)
            except ExpressionError:
                broken = open_ones
            if broken:
                yield rule.id


_SHAPING = ("dim", "attribute", "shape")


def base_facts(factors: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the most ordinary facts: the first level of each factor."""
    return {name: levels[0] for name, levels in factors.items()}


def shaping_factors(spec: OperatorSpec, factors: Mapping[str, Sequence[Any]]) -> tuple[str, ...]:
    """Return the factors that can affect shapes and rules."""
    # a scalar's data type determines its possible values
    typed = {f"dtype:{spec.dtype_root(scalar.name)}" for scalar in spec.scalars}
    for rule in spec.rules:
        typed |= {f"dtype:{tensor}" for tensor in typed_names(rule.require)}
    typed |= {f"null:{each.name}" for each in spec.outputs if each.wanted is not None}
    chosen = (choice.when for each in spec.tensors for choice in each.choices if choice.when)
    for condition in (*(rule.require for rule in spec.rules), *chosen):
        typed |= {f"null:{name}" for name in given_tensors(condition)}
    if spec.conversion_targets:
        typed |= {f"dtype:{each.name}" for each in spec.tensors}
    return tuple(name for name in factors if name.partition(":")[0] in _SHAPING or name in typed)


_MOST_CHANGES = 2
_MOST_TRIED = 4096


def nearest_valid(
    spec: OperatorSpec,
    product: str,
    facts: Facts,
    factors: Mapping[str, Sequence[Any]],
    kept: Collection[str] = (),
) -> Facts | None:
    """Return the valid facts that differ least from others; None if there are none near them.

    Args:
        facts: The facts wanted; themselves if they are valid.
        factors: The levels of the factors that may change.
        kept: Factors that may not.
    """
    names = [name for name in shaping_factors(spec, factors) if name not in kept]
    nearby = (
        {**facts, **dict(zip(changed, levels, strict=True))}
        for count in range(_MOST_CHANGES + 1)
        for changed in itertools.combinations(names, count)
        for levels in itertools.product(*(factors[name] for name in changed))
    )
    tried = itertools.islice(nearby, _MOST_TRIED)
    return next((each for each in tried if is_valid(spec, product, each)), None)


def can_show_errors(
    spec: OperatorSpec, product: str, most_elements: int
) -> Callable[[Facts], bool]:
    """Return a check that facts are a valid call that can show errors.

    The call has a bounded size, and its shapes do not hide errors: if a leading input of one
    element is broadcast, all elements of the output are equal. Special scenes make such calls with
    other data.

    Args:
        most_elements: Maximum number of elements of a tensor.
    """

    def check(facts: Facts) -> bool:
        valid = is_valid(spec, product, facts, most_elements)
        return valid and _distinguishes_elements(spec, facts)

    return check


def is_valid(
    spec: OperatorSpec,
    product: str,
    facts: Facts,
    most_elements: float = math.inf,
    *,
    may_be_fixed: bool = False,
) -> bool:
    """Whether facts describe a call of bounded size that obeys all rules and can show errors.

    Args:
        most_elements: Maximum number of elements of a tensor.
        may_be_fixed: Whether results that do not depend on data are allowed, as a scene may
            request.
    """
    if not all(_holds_number(spec, scalar, facts) for scalar in spec.scalars):
        return False  # rejects most rows of several scalars before the slow binding
    try:
        binding = bind(spec, facts)
    except (UnboundError, ExpressionError):
        return False
    return (
        _is_small(binding, most_elements)
        and not any(
            facts.get(f"null:{each.name}") and is_wanted(each, binding) for each in spec.outputs
        )
        and all(_has_its_rank(tensor, binding) for tensor in spec.inputs)
        and all(_holds_result(scalar, facts, binding) for scalar in spec.scalars)
        and not any(broken_rules(spec, product, binding, open_ones=True))
        and not any(
            cannot_become(spec, binding.dtypes[name], binding.dtypes)
            for name in spec.conversion_targets
        )
        and (may_be_fixed or not is_fixed(spec, binding))
    )


def is_fixed(spec: OperatorSpec, binding: Binding) -> bool:
    """Whether shapes and attributes alone determine the results of a call."""
    condition = spec.factors.data_dependent
    return condition is not None and not holds(condition, binding.scope)


def _holds_number(spec: OperatorSpec, scalar: AttributeParameter, facts: Facts) -> bool:
    """Whether a scalar's data type can hold its chosen number, if any."""
    value = facts.get(f"attribute:{scalar.name}")
    if value is None or isinstance(value, str):
        return True
    return can_hold(value, DATA_TYPES[chosen_dtype(spec, scalar, facts)])


def _holds_result(scalar: AttributeParameter, facts: Facts, binding: Binding) -> bool:
    """Whether a scalar's data type can hold the value of its chosen expression."""
    value = facts.get(f"attribute:{scalar.name}")
    if not isinstance(value, str):
        return True
    return can_hold(
        evaluate_number(parse(value), binding.scope), DATA_TYPES[binding.dtypes[scalar.name]]
    )


def _distinguishes_elements(spec: OperatorSpec, facts: Facts) -> bool:
    """Whether the leading input is not a single element that is broadcast to several.

    Operators whose values are not tested need no such difference.
    """
    if spec.is_contract or not spec.leading:
        return True
    shapes = bind(spec, facts).shapes
    single = math.prod(shapes[spec.leading]) == 1
    return not single or all(math.prod(shapes[each.name]) <= 1 for each in spec.outputs)


def _has_its_rank(tensor: TensorParameter, binding: Binding) -> bool:
    """Whether a shape that follows from another tensor's has an allowed rank."""
    least, greatest = tensor.ranks
    return least <= len(binding.shapes[tensor.name]) <= greatest


def _is_small(binding: Binding, most_elements: float) -> bool:
    return all(
        min(shape, default=0) >= 0 and math.prod(shape) <= most_elements
        for shape in binding.shapes.values()
    )
