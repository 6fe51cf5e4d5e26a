# SPDX-License-Identifier: Apache-2.0
"""Ordinary calls of operators: what other operators' cases make besides their own call."""

from __future__ import annotations

from aclnn_cts.plan.building import Purpose, build_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.rules import base_facts
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, Product


def ordinary_call(spec: OperatorSpec, product: Product) -> Case:
    """Return the most ordinary call of an operator on a product: each fact at its first level."""
    facts = base_facts(factors_of(spec, product, "smoke"))
    return build_case(spec, product.id, facts, Purpose("base", "smoke"))


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
