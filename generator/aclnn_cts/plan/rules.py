# SPDX-License-Identifier: Apache-2.0
"""Which facts are valid calls: the spec's rules, and a bound on size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.binding import Binding, Facts, UnboundError, bind
from aclnn_cts.spec.evaluation import holds
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import OperatorSpec, Rule, ShapeRule

_SHAPING = ("dim", "attribute", "shape")


def base_facts(factors: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the most ordinary facts: the first level of each factor."""
    return {name: levels[0] for name, levels in factors.items()}


def shaping_factors(factors: Mapping[str, Sequence[Any]]) -> tuple[str, ...]:
    """Return the factors on which shapes and rules can depend."""
    return tuple(name for name in factors if name.partition(":")[0] in _SHAPING)


def telling_facts(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]], most_elements: int
) -> Callable[[Facts], bool]:
    """Return a check that facts are a valid and telling call; it remembers its answers.

    Of bounded size, and telling as far as shapes go: a leading input of one element that is
    broadcast leaves outputs of equal elements, in which no two could be told apart. Special scenes
    make such calls, with other data that tell.

    Args:
        spec: The operator.
        product: The product whose rules count.
        factors: The factors that the facts choose from.
        most_elements: The largest tensor's greatest number of elements.
    """
    names = shaping_factors(factors)
    answers: dict[tuple[str, ...], bool] = {}

    def check(facts: Facts) -> bool:
        # As text: true and 1 are different facts, though equal as keys.
        key = tuple(str(facts.get(name)) for name in names)
        if key not in answers:
            valid = is_valid(spec, product, facts, most_elements)
            answers[key] = valid and _tells_elements_apart(spec, facts)
        return answers[key]

    return check


def is_valid(spec: OperatorSpec, product: str, facts: Facts, most_elements: int = 2**31) -> bool:
    """Whether facts describe a call that obeys all rules, with tensors of bounded size."""
    try:
        binding = bind(spec, facts)
    except (UnboundError, ExpressionError):
        return False
    return _bounded(binding, most_elements) and all(
        obeyed(rule, binding)
        for rule in spec.rules
        if rule.products is None or product in rule.products
    )


def _tells_elements_apart(spec: OperatorSpec, facts: Facts) -> bool:
    """Whether the leading input is more than one element that is broadcast to several."""
    if not spec.leading:
        return True
    rule = spec.tensor(spec.leading).shape
    if not isinstance(rule, ShapeRule) or not rule.broadcasts_to:
        return True
    shapes = bind(spec, facts).shapes
    single = math.prod(shapes[spec.leading]) == 1
    return not single or math.prod(shapes[rule.broadcasts_to]) <= 1


def _bounded(binding: Binding, most_elements: int) -> bool:
    return all(
        min(shape, default=0) >= 0 and math.prod(shape) <= most_elements
        for shape in binding.shapes.values()
    )


def obeyed(rule: Rule, binding: Binding) -> bool:
    """Whether a call obeys a rule; not if the rule cannot be evaluated for it."""
    try:
        return holds(rule.require, binding.scope)
    except ExpressionError:
        return False
