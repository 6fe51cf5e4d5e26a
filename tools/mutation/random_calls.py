# SPDX-License-Identifier: Apache-2.0
"""Random calls of an operator beyond those of the plan, valid ones and such as must be refused."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from aclnn_cts.plan.binding import UnboundError
from aclnn_cts.plan.calls import PlannedCall, Twin
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.refused_cases import refused_cases, violations
from aclnn_cts.plan.validity import valid_call
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import OperatorSpec, Product

_MOST_ELEMENTS = 6000
_REFUSED_SHARE = 0.25
_ATTEMPTS = 400
"""Tries to find facts that obey all rules; after so many, shapes are taken from the plan."""


def random_calls(spec: OperatorSpec, product: Product, count: int, seed: int) -> tuple[Case, ...]:
    """Return calls with random facts and with data from fresh seeds.

    Args:
        spec: The operator.
        product: Where it is called; without support, the calls are those that must be refused.
        count: How many calls.
        seed: Decides them.
    """
    if not spec.supports(product.id):
        return tuple(refused_cases(spec, product.id, factors_of(spec, product, "smoke")))
    rng = random.Random(f"{spec.operator} {product.id} {seed}")  # noqa: S311 - no secret
    cases: dict[str, Case] = {}
    for case in _calls(spec, product, rng):
        cases[case.id] = case
        if len(cases) == count:
            break
    return tuple(cases.values())


def _calls(spec: OperatorSpec, product: Product, rng: random.Random) -> Iterator[Case]:
    number = 0
    while True:
        facts = _random_facts(spec, product, rng)
        case = _refuse(spec, product, facts, rng) if rng.random() < _REFUSED_SHARE else None
        number += 1
        if case is None:
            case = build_case(PlannedCall.of(spec, product.id, facts), Intent("random", "full"))
        yield _reseed(case, f"{number} {rng.random()}")


def _random_facts(spec: OperatorSpec, product: Product, rng: random.Random) -> dict[str, Any]:
    factors = factors_of(spec, product, "full")
    for attempt in range(_ATTEMPTS):
        facts = {name: rng.choice(levels) for name, levels in factors.items()}
        if attempt < _ATTEMPTS / 2:
            for name, level in facts.items():
                facts[name] = _vary(spec, name, level, rng)
        if valid_call(spec, product.id, facts, _MOST_ELEMENTS):
            return facts
    return {name: levels[0] for name, levels in factors.items()}


def _vary(spec: OperatorSpec, name: str, level: Any, rng: random.Random) -> Any:
    """Return a level, or, half of the time, another value of its kind."""
    kind, _, parameter = name.partition(":")
    if rng.random() < 0.5:
        return level
    if kind == "shape" and not isinstance(level, str):
        return _shape(spec.tensor(parameter).rank, rng)
    if kind == "dim":
        return rng.randint(1, 12) if isinstance(level, int) else _shape((0, 3), rng)
    return _attribute(level, rng) if kind == "attribute" else level


def _attribute(level: Any, rng: random.Random) -> Any:
    """Return another value of an attribute; a name, a truth value or nothing stays."""
    if isinstance(level, tuple):
        return tuple(rng.randint(0, 4) for _ in level)
    if isinstance(level, float):
        return rng.choice([rng.uniform(-1, 1), rng.uniform(0, 0.5), rng.gauss(0, 3)])
    if isinstance(level, int) and not isinstance(level, bool):
        return rng.randint(0, 8)
    return level


def _shape(rank: Any, rng: random.Random) -> tuple[int, ...]:
    low, high = (0, 8) if rank is None else rank
    shape = [rng.randint(1, 9) for _ in range(rng.randint(low, high))]
    while math.prod(shape) > _MOST_ELEMENTS:
        shape[rng.randrange(len(shape))] = 1
    return tuple(shape)


def _refuse(
    spec: OperatorSpec, product: Product, facts: dict[str, Any], rng: random.Random
) -> Case | None:
    """Return a call that differs from a valid one in one fact; None if none can be made."""
    try:
        error = rng.choice(spec.errors_on(product.id))
        wrong, broken = rng.choice(list(violations(Twin.of(spec, product.id, facts), error)))
        intent = Intent(error.id, "full", is_valid=False, detail=wrong.detail, twin="random")
        return build_case(PlannedCall.of(spec, product.id, broken), intent)
    except (UnboundError, ExpressionError, IndexError):
        return None


def _reseed(case: Case, seed: str) -> Case:
    """Return the case with other data and an id of its own."""
    digest = hashlib.sha256(f"{case.id} {seed}".encode()).hexdigest()[:10]
    tensors = tuple(
        tensor
        if tensor.fill is None
        else replace(tensor, fill=replace(tensor.fill, seed=f"{digest}/{tensor.name}"))
        for tensor in case.tensors
    )
    return replace(case, id=f"{case.id.rsplit('.', 1)[0]}.{digest}", tensors=tensors)
