# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused: each differs in one fact from a passing twin.

Some with a null pointer have a second thing wrong.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Facts, UnboundError, bind
from aclnn_cts.plan.case_builder import Intent, build_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.extents import TWIN, other_data, twin_scenes
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.requirements import base_facts, is_valid, violated_ids
from aclnn_cts.plan.twins import Twin
from aclnn_cts.plan.violations import BREAKERS
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
    """Yield the calls that must be refused on a product, and passing twins that no scene has.

    Most of them differ from the most ordinary call; those that break the agreement of data types do
    so from a call of each data type, those about shapes from calls of several ranks. On a product
    without support, a call of each data type is refused as it is.

    Args:
        spec: The operator.
        product: The product whose promises count.
        factors: The factors of valid calls.
    """
    errors = list(errors_on(spec, product))
    for number, dtypes in enumerate(dtype_choices(factors)):
        twin = {**base_facts(factors), **dtypes}
        for error in errors:
            if not number or _concerns_all_dtypes(error):
                yield from _beside_ordinary(spec, product, error, twin)
    if not spec.supports(product):
        return
    ordinary = bind(spec, base_facts(factors)).shapes
    for number, facts in enumerate(twin_scenes(spec, product, factors)):
        shapes = bind(spec, facts).shapes
        names = frozenset(
            name
            for name, shape in shapes.items()
            if number == 0
            or len(shape) != len(ordinary[name])
            or isinstance(spec.tensor(name).shape, ShapeRule)
        )
        passing = build_case(spec, product, facts, Intent(TWIN, "smoke"))
        for error in filter(_concerns_shapes, errors):
            yield from _beside(spec, passing, violations(spec, product, facts, error, names))
    for other in _other_settings(spec, product, factors):
        passing = build_case(spec, product, other, Intent(TWIN, "smoke"))
        yield passing
        for error in errors:
            if error.basis == "status" and error.assign is None:
                broken = violations(spec, product, other, error)
                yield from _beside(spec, passing, broken, once=True)


def _other_settings(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Facts]:
    """Yield the ordinary call with another value of one attribute: some skip checks for these."""
    ordinary = {**base_facts(factors), **other_data(factors)}
    for name, levels in factors.items():
        if name.startswith("attribute:"):
            for level in levels[1 : 1 + _OTHER_LEVELS]:
                facts = {**ordinary, name: level}
                if is_valid(spec, product, facts):
                    yield facts


_OTHER_LEVELS = 2
"""Values of each attribute, beside the ordinary one, beside which calls are refused."""


def _beside_ordinary(
    spec: OperatorSpec, product: str, error: ErrorClause, twin: Facts
) -> Iterator[Case]:
    """Yield the calls that break a clause beside the ordinary call, or one near it.

    A clause may speak of tensors of another shape only than the ordinary call has.
    """
    for at in _twins(spec, twin):
        passing = build_case(spec, product, at, Intent("base", "smoke"))
        found = list(_beside(spec, passing, violations(spec, product, at, error)))
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


def _beside(
    spec: OperatorSpec, passing: Case, broken: Iterable[Violation], *, once: bool = False
) -> Iterator[Case]:
    """Yield the calls that break a clause and else are as a passing one.

    With ``once``, one for each parameter that is wrong.
    """
    seen: set[str] = set()
    for violation in broken:
        error, parameter = violation.error, re.split("[_+]", violation.detail)[0]
        if once and parameter in seen:
            continue
        intent = Intent(error.id, "smoke", is_valid=False, detail=violation.detail, twin=passing.id)
        case = build_case(spec, passing.product, violation.facts, intent)
        if error.when is None or error.id in violated_ids(spec, case):
            seen.add(parameter)
            yield case


def errors_on(spec: OperatorSpec, product: str) -> Iterator[ErrorClause]:
    """Yield the error clauses that hold on a product; without support, that one alone."""
    for error in spec.errors:
        here = error.products is None or product in error.products
        if here and (spec.supports(product) or error.unsupported_product is not None):
            yield error


_SHAPE_VIOLATIONS = ("rank_outside", "rank_below", "shape_differs", "empty_tensor", "assign")


def _concerns_shapes(error: ErrorClause) -> bool:
    return any(getattr(error, field) is not None for field in _SHAPE_VIOLATIONS)


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    return error.dtype_differs is not None or error.unsupported_product is not None


def violations(
    spec: OperatorSpec,
    product: str,
    twin: Facts,
    error: ErrorClause,
    shapes: frozenset[str] | None = None,
) -> Iterator[Violation]:
    """Yield every violation of an error clause: one fact, or a null pointer and one more.

    Args:
        spec: The operator.
        product: The product whose promises count; without support, that alone is the violation.
        twin: The facts of a call that passes.
        error: The clause.
        shapes: The tensors whose shapes are to be broken; all if None.
    """
    lengths = {
        name: sorted({len(level) for level in levels})
        for name, levels in spec.factors.attributes.items()
        if all(isinstance(level, list) for level in levels)
    }
    at = Twin(spec, product, twin, bind(spec, twin), lengths, shapes)
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
