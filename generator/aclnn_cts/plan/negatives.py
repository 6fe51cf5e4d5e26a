# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused: each differs in one fact from a passing twin.

Some with a null pointer have a second thing wrong; the null pointer must be told before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Facts, bind
from aclnn_cts.plan.breakers import BREAKERS
from aclnn_cts.plan.building import Intent, build_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.rules import base_facts
from aclnn_cts.plan.twins import Twin
from aclnn_cts.spec.models import VIOLATIONS, ErrorClause, OperatorSpec


@dataclass(frozen=True)
class Violation:
    """One way to break a clause.

    Attributes:
        error: The clause that refuses it.
        detail: What is broken, for the case's id.
        facts: The twin's facts and the difference (with what follows from it).
    """

    error: ErrorClause
    detail: str
    facts: Facts


def negative_cases(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Case]:
    """Yield the calls that must be refused on a product.

    All of them differ from the most ordinary call; those that break the agreement of data types do
    so from a call of each data type. On a product without support, a call of each data type is
    refused as it is.

    Args:
        spec: The operator.
        product: The product whose promises count.
        factors: The factors of valid calls.
    """
    for number, dtypes in enumerate(dtype_choices(factors)):
        twin = {**base_facts(factors), **dtypes}
        passing = build_case(spec, product, twin, Intent("base", "smoke"))
        for violation in violations(spec, product, twin):
            if number and not _concerns_all_dtypes(violation.error):
                continue
            error = violation.error
            intent = Intent(error.id, "smoke", error.statuses, violation.detail, passing.id)
            yield build_case(spec, product, violation.facts, intent)


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    return error.dtype_differs is not None or error.unsupported_product is not None


def violations(spec: OperatorSpec, product: str, twin: Facts) -> Iterator[Violation]:
    """Yield every violation of every error clause: one fact, or a null pointer and one more.

    Args:
        spec: The operator.
        product: The product whose promises count; without support, that alone is the violation.
        twin: The facts of a call that passes.
    """
    at = Twin(spec, product, twin, bind(spec, twin))
    for error in spec.errors:
        if error.products is not None and product not in error.products:
            continue
        if not spec.supports(product) and error.unsupported_product is None:
            continue
        for field in VIOLATIONS:
            if getattr(error, field) is None:
                continue
            for detail, change in BREAKERS[field](at, error):
                yield Violation(error, detail, _given_inputs(spec, {**twin, **change}))


def _given_inputs(spec: OperatorSpec, facts: dict[str, Any]) -> dict[str, Any]:
    """Give every input its data: a call that is refused has no use for a producer's output."""
    for tensor in spec.inputs:
        if tensor.producer is not None:
            facts[f"fill:{tensor.name}"] = "bits"
    return facts
