# SPDX-License-Identifier: Apache-2.0
"""Calls that break an error clause: each differs in one fact from a passing twin.

Some with a null pointer have a second thing wrong; no page says which of the two is told.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Facts, UnboundError, bind
from aclnn_cts.plan.breakers import BREAKERS
from aclnn_cts.plan.building import Intent, build_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.requirements import violated_ids
from aclnn_cts.plan.rules import base_facts
from aclnn_cts.plan.twins import Twin
from aclnn_cts.spec.models import VIOLATIONS, ErrorClause, OperatorSpec, ShapeRule


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
    """Yield the calls that must be refused on a product, and the twins that are no ordinary call.

    Most of them differ from the most ordinary call; those that break the agreement of data types do
    so from a call of each data type. On a product without support, a call of each data type is
    refused as it is.

    Args:
        spec: The operator.
        product: The product whose promises count.
        factors: The factors of valid calls.
    """
    for number, dtypes in enumerate(dtype_choices(factors)):
        twin = {**base_facts(factors), **dtypes}
        for error in _errors_on(spec, product):
            if not number or _concerns_all_dtypes(error):
                yield from _cases_of(spec, product, error, twin)


def _cases_of(spec: OperatorSpec, product: str, error: ErrorClause, twin: Facts) -> Iterator[Case]:
    """Yield the calls that break a clause; from a twin of which the clause speaks.

    That need not be the ordinary call: a clause may speak of tensors of another shape only.
    """
    for at in _twins(spec, twin):
        found = []
        passing = build_case(spec, product, at, Intent("base", "smoke"))
        for violation in violations(spec, product, at, error):
            detail, facts = violation.detail, violation.facts
            intent = Intent(error.id, "smoke", is_valid=False, detail=detail, twin=passing.id)
            case = build_case(spec, product, facts, intent)
            if error.when is None or error.id in violated_ids(spec, case):
                found.append(case)
        yield from (passing, *found) if found and at is not twin else found
        if found or error.when is None:
            return


def _twins(spec: OperatorSpec, twin: Facts) -> Iterator[Facts]:
    """Yield the ordinary call, and it with each other shape that one of its inputs may have."""
    yield twin
    for tensor in spec.inputs:
        choices = tensor.shape.one_of if isinstance(tensor.shape, ShapeRule) else None
        for choice in choices or []:
            other = {**twin, f"shape:{tensor.name}": choice.name}
            with contextlib.suppress(UnboundError):
                bind(spec, other)
                yield other


def _errors_on(spec: OperatorSpec, product: str) -> Iterator[ErrorClause]:
    for error in spec.errors:
        here = error.products is None or product in error.products
        if here and (spec.supports(product) or error.unsupported_product is not None):
            yield error


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    return error.dtype_differs is not None or error.unsupported_product is not None


def violations(
    spec: OperatorSpec, product: str, twin: Facts, error: ErrorClause
) -> Iterator[Violation]:
    """Yield every violation of an error clause: one fact, or a null pointer and one more.

    Args:
        spec: The operator.
        product: The product whose promises count; without support, that alone is the violation.
        twin: The facts of a call that passes.
        error: The clause.
    """
    at = Twin(spec, product, twin, bind(spec, twin))
    for field in VIOLATIONS:
        if getattr(error, field) is not None:
            for detail, change in BREAKERS[field](at, error):
                yield Violation(error, detail, _given_inputs(spec, {**twin, **change}))


def _given_inputs(spec: OperatorSpec, facts: dict[str, Any]) -> dict[str, Any]:
    """Give every input its data: a call that is refused has no use for a producer's output."""
    for tensor in spec.inputs:
        if tensor.producer is not None:
            facts[f"fill:{tensor.name}"] = "bits"
    return facts
