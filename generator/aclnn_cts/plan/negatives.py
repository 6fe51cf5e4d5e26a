# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused: each differs in one fact from a passing twin.

Some with a null pointer have a second thing wrong; the null pointer must be told before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Facts, bind
from aclnn_cts.plan.breakers import BREAKERS
from aclnn_cts.plan.building import Intent, build_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.extents import TWIN, twin_scenes
from aclnn_cts.plan.factors import dtype_choices
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
    """Yield the calls that must be refused on a product.

    All of them differ from the most ordinary call; those that break the agreement of data types do
    so from a call of each data type, those about shapes from calls of several ranks. On a product
    without support, a call of each data type is refused as it is.

    Args:
        spec: The operator.
        product: The product whose promises count.
        factors: The factors of valid calls.
    """
    for number, dtypes in enumerate(dtype_choices(factors)):
        twin = {**base_facts(factors), **dtypes}
        concerned = _concerns_all_dtypes if number else _concerns_any
        yield from _refused(spec, product, twin, "base", concerned)
    if not spec.supports(product):
        return
    ordinary = bind(spec, base_facts(factors)).shapes
    for number, facts in enumerate(twin_scenes(spec, product, factors)):
        shapes = bind(spec, facts).shapes
        names = (
            name
            for name, shape in shapes.items()
            if number == 0
            or len(shape) != len(ordinary[name])
            or isinstance(spec.tensor(name).shape, ShapeRule)
        )
        yield from _refused(spec, product, facts, TWIN, _concerns_shapes, frozenset(names))


def _refused(
    spec: OperatorSpec,
    product: str,
    twin: Facts,
    scene: str,
    chosen: Callable[[ErrorClause], bool],
    shapes: frozenset[str] | None = None,
) -> Iterator[Case]:
    """Yield the calls that break the chosen clauses and else are as the twin of that scene."""
    passing = build_case(spec, product, twin, Intent(scene, "smoke"))
    for violation in violations(spec, product, twin, shapes):
        error = violation.error
        if chosen(error):
            intent = Intent(error.id, "smoke", error.statuses, violation.detail, passing.id)
            yield build_case(spec, product, violation.facts, intent)


def _concerns_any(_error: ErrorClause) -> bool:
    return True


_SHAPE_VIOLATIONS = ("rank_outside", "rank_below", "shape_differs", "empty_tensor", "assign")


def _concerns_shapes(error: ErrorClause) -> bool:
    return any(getattr(error, field) is not None for field in _SHAPE_VIOLATIONS)


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    return error.dtype_differs is not None or error.unsupported_product is not None


def violations(
    spec: OperatorSpec, product: str, twin: Facts, shapes: frozenset[str] | None = None
) -> Iterator[Violation]:
    """Yield every violation of every error clause: one fact, or a null pointer and one more.

    Args:
        spec: The operator.
        product: The product whose promises count; without support, that alone is the violation.
        twin: The facts of a call that passes.
        shapes: The tensors whose shapes are to be broken; all if None.
    """
    lengths = {
        name: sorted({len(level) for level in levels})
        for name, levels in spec.factors.attributes.items()
        if all(isinstance(level, list) for level in levels)
    }
    at = Twin(spec, product, twin, bind(spec, twin), lengths, shapes)
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
