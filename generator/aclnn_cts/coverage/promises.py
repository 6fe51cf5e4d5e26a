# SPDX-License-Identifier: Apache-2.0
"""Clauses of an operator, and the directions in which each must be tested.

A clause is tested *positively* where the promise must hold, *negatively* where its violation must
be refused, or where just outside it something else is promised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from aclnn_cts.spec.clause_models import (
    BATCH_CONSISTENCY,
    DETERMINISM,
    ErrorClause,
    Rule,
    ValueClause,
)
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import CommonClause, OperatorSpec, Product
from aclnn_cts.spec.parameter_clauses import (
    PRODUCT_SUPPORT,
    ClauseBasis,
    StructuralClause,
    clause_id,
    place,
    structural_clauses,
)

Direction: TypeAlias = Literal["positive", "negative"]
DIRECTIONS: tuple[Direction, ...] = ("positive", "negative")

Kind: TypeAlias = Literal["value", "error", "rule", "requirement", "product-support", "common"]


@dataclass(frozen=True)
class Promise:
    """A clause of an operator.

    Attributes:
        kind: The part of the spec that states it.
        basis: Its basis.
        place: Its place in the documents.
        needs: Directions in which it must be tested, by product on which it is promised.
        no_negative: Reason why it cannot be tested negatively on any product; None if it can.
        withheld: Special reasons why it is not promised, by product.
        twins_elsewhere: Of an error clause: whether the passing twins of its refused calls are
            calls on another product.
    """

    operator: str
    clause: str
    kind: Kind
    basis: ClauseBasis
    text: str
    place: str
    needs: Mapping[str, tuple[Direction, ...]]
    no_negative: str | None = None
    withheld: Mapping[str, str] = field(default_factory=dict)
    twins_elsewhere: bool = False


def promises_of(specs: SpecSet, spec: OperatorSpec) -> tuple[Promise, ...]:
    """Return all clauses of an operator: parameter table, rules, values, errors, common ones."""
    supported = [product for product in specs.products.values() if spec.supports(product.id)]
    return (
        *(_structure_promise(specs, spec, clause) for clause in structural_clauses(spec)),
        *(_rule_promise(spec, rule, supported) for rule in spec.rules),
        *(_value_promise(spec, clause, supported) for clause in spec.clauses),
        *(_error_promise(specs, spec, clause) for clause in spec.errors),
        *(_common_promise(spec, clause, supported) for clause in specs.common_of(spec.operator)),
    )


def _structure_promise(specs: SpecSet, spec: OperatorSpec, clause: StructuralClause) -> Promise:
    needs: dict[str, tuple[Direction, ...]]
    on_product = clause.id == PRODUCT_SUPPORT
    if on_product:
        mentioned = filter(spec.mentions, specs.products)
        needs = {p: ("positive",) if spec.supports(p) else ("negative",) for p in mentioned}
    else:
        promising = (p for p in specs.products if _is_promised(spec, clause, p))
        needs = {p: _directions(spec, clause, p) for p in promising}
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="product-support" if on_product else "requirement",
        basis="stated",
        text=clause.text,
        place=place(spec, clause.where),
        needs=needs,
        no_negative=clause.no_negative,
    )


def _is_promised(spec: OperatorSpec, clause: StructuralClause, product: str) -> bool:
    """Whether a row of the parameter table holds on a product."""
    if not spec.supports(product):
        return False
    if clause.id == DETERMINISM:
        return spec.determinism_on(product) != "unpromised"
    if clause.id == BATCH_CONSISTENCY:
        return spec.batch_level_on(product) is not None
    # Where a rule demands a null pointer, nothing else is promised of the tensor.
    return clause.id.endswith("-absent") or clause.parameter not in spec.reserved_tensors(product)


def _directions(
    spec: OperatorSpec, clause: StructuralClause, product: str
) -> tuple[Direction, ...]:
    """Return the directions in which calls can test a row; a list may have no bound there."""
    name = clause.parameter
    is_length = clause.no_negative is None and name and clause.id == clause_id(name, "length")
    return ("positive",) if is_length and not spec.longest(product, name) else DIRECTIONS


def _rule_promise(spec: OperatorSpec, rule: Rule, supported: Sequence[Product]) -> Promise:
    products = [p.id for p in supported if rule.products is None or p.id in rule.products]
    at = place(spec, rule.where)
    needs = dict.fromkeys(products, DIRECTIONS)
    return Promise(spec.operator, rule.id, "rule", "stated", rule.text, at, needs)


def _value_promise(
    spec: OperatorSpec, clause: ValueClause, supported: Sequence[Product]
) -> Promise:
    silent = [p.id for p in supported if not _is_held(spec, clause, p)]
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="value",
        basis="stated",
        text=clause.text,
        place=place(spec, clause.where),
        needs={p.id: DIRECTIONS for p in supported if p.id not in silent},
        withheld={
            name: f"cannot be tested on {name}: it has neither Inf nor NaN" for name in silent
        },
    )


def _is_held(spec: OperatorSpec, clause: ValueClause, product: Product) -> bool:
    by_output = [spec.clauses_of(output.name, inf_nan=product.inf_nan) for output in spec.outputs]
    return any(clause.id == held.id for clauses in by_output for held in clauses.values())


def _error_promise(specs: SpecSet, spec: OperatorSpec, clause: ErrorClause) -> Promise:
    products = [p for p in specs.products if clause.products is None or p in clause.products]
    needs: dict[str, tuple[Direction, ...]]
    if clause.is_of_product:
        # the passing twin is a call on another product, which may not be selected
        needs = {p: ("negative",) for p in products if spec.mentions(p) and not spec.supports(p)}
    else:
        needs = {p: DIRECTIONS for p in products if spec.supports(p)}
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="error",
        basis=clause.basis,
        text=clause.text,
        place=place(spec, clause.where),
        needs=needs,
        twins_elsewhere=clause.is_of_product,
    )


def _common_promise(
    spec: OperatorSpec, clause: CommonClause, supported: Sequence[Product]
) -> Promise:
    needs = {product.id: DIRECTIONS for product in supported}
    facts = (clause.basis, clause.text, clause.place, needs, clause.no_negative)
    return Promise(spec.operator, clause.id, "common", *facts)


def stated_reason(
    spec: OperatorSpec, promise: Promise, direction: Direction, product: str
) -> str | None:
    """Return the reason that the spec, or the kind of clause, gives for a missing direction."""
    for declaration in spec.one_sided:
        here = declaration.products is None or product in declaration.products
        if declaration.clause == promise.clause and declaration.missing == direction and here:
            return declaration.reason
    return promise.no_negative if direction == "negative" else None
