# SPDX-License-Identifier: Apache-2.0
"""Valid calls: those of bounded size that obey all rules and whose shapes fit together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.binding import Facts, UnboundError, arranged, chosen_dtype
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.spec.arrangements import SHAPES
from aclnn_cts.spec.data_types import DATA_TYPES, can_hold
from aclnn_cts.spec.evaluation import evaluate_number
from aclnn_cts.spec.expression import ExpressionError, given_tensors, parse, typed_names
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, TensorParameter

_SHAPING = ("dim", "attribute", "shape")


def base_facts(factors: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the most ordinary facts: the first level of each factor."""
    return {name: levels[0] for name, levels in factors.items()}


def shaping_factors(spec: OperatorSpec, factors: Mapping[str, Sequence[Any]]) -> tuple[str, ...]:
    """Return the factors that can affect shapes and rules."""
    # a scalar's data type determines its possible values
    typed = {f"dtype:{spec.dtype_root(scalar.name)}" for scalar in spec.scalars}
    for name in spec.dependent_types:
        typed |= {f"dtype:{name}", f"dtype:{spec.dtype_root(name)}"}
    for rule in spec.rules:
        typed |= {f"dtype:{tensor}" for tensor in typed_names(rule.require)}
    typed |= {f"null:{each.name}" for each in spec.outputs if each.wanted is not None}
    chosen = (choice.when for each in spec.tensors for choice in each.choices if choice.when)
    for condition in (*(rule.require for rule in spec.rules), *chosen):
        typed |= {f"null:{name}" for name in given_tensors(condition)}
    typed |= {f"dtype:{name}" for name in spec.unpromotable}
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
) -> PlannedCall | None:
    """Return the valid call that differs least from some facts; None if no similar call is valid.

    Args:
        facts: The facts wanted; the call has them if they are valid.
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
    return next(filter(None, (valid_call(spec, product, each) for each in tried)), None)


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
        call = valid_call(spec, product, facts, most_elements)
        return call is not None and _distinguishes_elements(call)

    return check


def valid_call(
    spec: OperatorSpec,
    product: str,
    facts: Facts,
    most_elements: float = math.inf,
    *,
    may_be_fixed: bool = False,
) -> PlannedCall | None:
    """Return the call of bounded size that facts describe; None if it cannot pass or show errors.

    Args:
        most_elements: Maximum number of elements of a tensor.
        may_be_fixed: Whether results that do not depend on data are allowed, as a scene may
            request.
    """
    if not all(_holds_number(spec, scalar, facts) for scalar in spec.scalars):
        return None  # rejects most rows of several scalars before the slow binding
    try:
        call = PlannedCall.of(spec, product, facts)
    except (UnboundError, ExpressionError):
        return None
    is_valid = (
        _is_small(call, most_elements)
        and not any(facts.get(f"null:{each.name}") and call.wants(each) for each in spec.outputs)
        and all(_has_its_rank(tensor, call) for tensor in spec.inputs)
        and all(_has_its_extents(tensor, call) for tensor in spec.outputs)
        and all(call.dtype(name) in call.allowed_dtypes(name) for name in spec.dependent_types)
        and all(_holds_result(scalar, call) for scalar in spec.scalars)
        and not any(call.broken_rules(open_ones=True))
        and _has_its_places(call)
        and all(map(call.is_convertible, spec.conversion_targets))
        and call.has_common_types()
        and (not spec.mixes_types or call.has_supported_type())
        and (may_be_fixed or spec.is_uniform or not call.is_fixed)
        # an index into one element can only name that element
        and (may_be_fixed or not spec.places or _distinguishes_elements(call))
    )
    return call if is_valid else None


def _holds_number(spec: OperatorSpec, scalar: AttributeParameter, facts: Facts) -> bool:
    """Whether a scalar's data type can hold its chosen number, if any."""
    value = facts.get(f"attribute:{scalar.name}")
    if value is None or isinstance(value, str):
        return True
    return can_hold(value, DATA_TYPES[chosen_dtype(spec, scalar, facts)])


def _holds_result(scalar: AttributeParameter, call: PlannedCall) -> bool:
    """Whether a scalar's data type can hold the value of its chosen expression."""
    value = call.facts.get(f"attribute:{scalar.name}")
    if not isinstance(value, str):
        return True
    number = evaluate_number(parse(value), call.binding.scope)
    return can_hold(number, DATA_TYPES[call.dtype(scalar.name)])


def _distinguishes_elements(call: PlannedCall) -> bool:
    """Whether the leading input is not a single element that is broadcast to several.

    Operators whose values are not tested need no such difference.
    """
    spec, shapes = call.spec, call.binding.shapes
    if spec.is_contract or not spec.leading:
        return True
    single = math.prod(shapes[spec.leading]) == 1
    return not single or all(math.prod(shapes[each.name]) <= 1 for each in spec.outputs)


def _has_its_rank(tensor: TensorParameter, call: PlannedCall) -> bool:
    """Whether a shape that follows from another tensor's has an allowed rank."""
    least, greatest = tensor.ranks
    return least <= len(call.binding.shapes[tensor.name]) <= greatest


def _has_its_extents(output: TensorParameter, call: PlannedCall) -> bool:
    """Whether an output has an allowed rank, and elements if it must, whatever arranges it."""
    is_arranged = output.rule is not None and output.rule.arranged is not None
    may_be_empty = output.empty or 0 not in call.binding.shapes[output.name]
    return not is_arranged or (may_be_empty and _has_its_rank(output, call))


def _has_its_places(call: PlannedCall) -> bool:
    """Whether places, if there are any, are different ones of existing elements."""
    if not call.spec.places:
        return True
    function, arguments = arranged(call.spec, call.binding)
    try:
        SHAPES[function](*arguments)
    except ValueError:
        return False
    return True


def _is_small(call: PlannedCall, most_elements: float) -> bool:
    return all(
        min(shape, default=0) >= 0 and math.prod(shape) <= most_elements
        for shape in call.binding.shapes.values()
    )
