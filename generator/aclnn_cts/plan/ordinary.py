# SPDX-License-Identifier: Apache-2.0
"""Ordinary calls of operators: what other operators' cases make besides their own call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aclnn_cts.plan.binding import Facts
from aclnn_cts.plan.case_builder import Intent, build_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.factors import factors_of, most_elements
from aclnn_cts.plan.requirements import base_facts, is_valid, shaping_factors
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, Product

_INTENT = Intent("base", "smoke")


def ordinary_call(spec: OperatorSpec, product: Product) -> Case:
    """Return the most ordinary call of an operator on a product: each fact at its first level."""
    facts = base_facts(factors_of(spec, product, "smoke"))
    return build_case(spec, product.id, facts, _INTENT)


def decoy_call(spec: OperatorSpec, product: Product, case: Case) -> Case:
    """Return a small call of the case's operator that differs from it in shapes and attributes.

    It has the case's data types, so that what an operator keeps by data type is shared, too. Where
    no valid call has other shapes, the attributes differ; where none has those, nothing does.
    """
    factors = factors_of(spec, product, "smoke")
    base = base_facts(factors)
    for name in base:
        kind, _, parameter = name.partition(":")
        if kind == "dtype":
            base[name] = case.tensor(parameter).dtype
    most = max(len(levels) for levels in factors.values())
    calls = [
        build_case(spec, product.id, _turned(spec, product.id, factors, base, turn), _INTENT)
        for turn in range(1, most + 1)
    ]
    return max(calls, key=lambda call: _distance(call, case))


def _turned(
    spec: OperatorSpec,
    product: str,
    factors: Mapping[str, Sequence[Any]],
    base: Facts,
    turn: int,
) -> Facts:
    """Return valid facts with each shape and attribute that many levels on, where it may be."""
    facts = dict(base)
    for name in shaping_factors(factors):
        changed = {**facts, name: factors[name][turn % len(factors[name])]}
        if is_valid(spec, product, changed, most_elements("smoke")):
            facts = changed
    return facts


def _distance(call: Case, case: Case) -> tuple[bool, int, int, int]:
    """Return how well a call is told from a case: by shapes, attributes, and work to do."""
    pairs = zip(call.tensors, case.tensors, strict=True)
    sizes = [tensor.numel for tensor in call.tensors]
    return (
        all(sizes),
        sum(ours.shape != theirs.shape for ours, theirs in pairs),
        sum(repr(value) != repr(case.attributes[name]) for name, value in call.attributes.items()),
        max(sizes),
    )


def another_operator(specs: SpecSet, operator: str, product: str) -> OperatorSpec:
    """Return the operator that runs before a call of ``operator`` that must not depend on it.

    It is the first tested one, by name, that works on the product and that no producer must help.
    Where there is no other, it is the operator itself.
    """
    possible = (
        spec
        for spec in specs.tested
        if spec.operator != operator
        and spec.supports(product)
        and all(tensor.producer is None for tensor in spec.inputs)
    )
    return next(possible, specs.operator(operator))
