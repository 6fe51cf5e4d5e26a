# SPDX-License-Identifier: Apache-2.0
"""Every clause of an operator: its kind, where it is promised, and which directions it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.spec.clause_models import DETERMINISM
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ErrorClause, OperatorSpec, Product, Rule, ValueClause
from aclnn_cts.spec.structure import (
    PRODUCT_SUPPORT,
    ClauseBasis,
    StructuralClause,
    place,
    structural_clauses,
)

Direction: TypeAlias = Literal["positive", "negative"]
DIRECTIONS: tuple[Direction, ...] = ("positive", "negative")

Kind: TypeAlias = Literal["value", "error", "rule", "requirement", "product-support", "common"]


BASIS_MEANINGS: Mapping[ClauseBasis, str] = {
    "stated": "a document says it",
    "suite": "no document says it; it is a rule of this suite",
    "status": "the document states the refusal and its status",
    "refusal": "the document states that such a call is refused or ends in an error, not how",
    "requirement": "the document states what callers must keep, not what happens otherwise",
}
"""What each basis of a clause means."""


@dataclass(frozen=True)
class Promise:
    """A clause of an operator, whatever part of the spec states it.

    Attributes:
        operator: The operator's name.
        clause: The clause's id.
        kind: What part of the spec it comes from.
        basis: What it rests on.
        text: What it says.
        place: Where in which document.
        needs: By product on which it is promised: the directions in which it must be tested.
        reasons: By direction: why it cannot be tested in it, on any product.
        withheld: By product on which it is not promised: why, if there is more to say than that
            the product or the clause leaves it out.
        twins_elsewhere: Of an error clause: whether the calls that differ from a refused one in a
            single fact, and must work, are calls on another product.
    """

    operator: str
    clause: str
    kind: Kind
    basis: ClauseBasis
    text: str
    place: str
    needs: Mapping[str, tuple[Direction, ...]]
    reasons: Mapping[Direction, str]
    withheld: Mapping[str, str]
    twins_elsewhere: bool = False


def promises_of(specs: SpecSet, spec: OperatorSpec) -> tuple[Promise, ...]:
    """Return all clauses of an operator: parameter table, rules, values, errors, common ones."""
    return (
        *(_of_structure(specs, spec, clause) for clause in structural_clauses(spec)),
        *(_of_rule(specs, spec, rule) for rule in spec.rules),
        *(_of_value(specs, spec, clause) for clause in spec.clauses),
        *(_of_error(specs, spec, clause) for clause in spec.errors),
        *_common(specs, spec),
    )


def _supported(specs: SpecSet, spec: OperatorSpec) -> list[Product]:
    return [product for product in specs.products.values() if spec.supports(product.id)]


def _of_structure(specs: SpecSet, spec: OperatorSpec, clause: StructuralClause) -> Promise:
    needs: dict[str, tuple[Direction, ...]]
    needs = {product.id: DIRECTIONS for product in _supported(specs, spec)}
    kind: Kind = "product-support" if clause.id == PRODUCT_SUPPORT else "requirement"
    if clause.id == PRODUCT_SUPPORT:
        needs = {
            name: ("positive",) if spec.supports(name) else ("negative",)
            for name in specs.products
            if spec.mentions(name)
        }
    if clause.id == DETERMINISM:
        needs = {p: d for p, d in needs.items() if spec.determinism_on(p) != "unpromised"}
    reasons: dict[Direction, str] = {}
    if clause.no_negative is not None:
        reasons["negative"] = clause.no_negative
    at = place(spec, clause.where)
    return Promise(spec.operator, clause.id, kind, "stated", clause.text, at, needs, reasons, {})


def _of_rule(specs: SpecSet, spec: OperatorSpec, rule: Rule) -> Promise:
    products = [
        product.id
        for product in _supported(specs, spec)
        if rule.products is None or product.id in rule.products
    ]
    needs = dict.fromkeys(products, DIRECTIONS)
    return Promise(
        spec.operator, rule.id, "rule", "stated", rule.text, place(spec, rule.where), needs, {}, {}
    )


def _of_value(specs: SpecSet, spec: OperatorSpec, clause: ValueClause) -> Promise:
    supported = _supported(specs, spec)
    silent = [p.id for p in supported if not _is_held(spec, clause, p)]
    needs = {p.id: DIRECTIONS for p in supported if p.id not in silent}
    withheld = {
        name: f"cannot be held against {name}: it has neither Inf nor NaN" for name in silent
    }
    at = place(spec, clause.where)
    return Promise(
        spec.operator, clause.id, "value", "stated", clause.text, at, needs, {}, withheld
    )


def _is_held(spec: OperatorSpec, clause: ValueClause, product: Product) -> bool:
    held = [spec.clauses_of(output.name, inf_nan=product.inf_nan) for output in spec.outputs]
    return any(clause.id == each.id for clauses in held for each in clauses.values())


def _of_error(specs: SpecSet, spec: OperatorSpec, clause: ErrorClause) -> Promise:
    named = [p for p in specs.products if clause.products is None or p in clause.products]
    needs: dict[str, tuple[Direction, ...]]
    if clause.unsupported_product:
        # The twin that works is a call on another product, which need not be asked for.
        needs = {p: ("negative",) for p in named if spec.mentions(p) and not spec.supports(p)}
    else:
        needs = {p: DIRECTIONS for p in named if spec.supports(p)}
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="error",
        basis=clause.basis,
        text=clause.text,
        place=place(spec, clause.where),
        needs=needs,
        reasons={},
        withheld={},
        twins_elsewhere=clause.unsupported_product is not None,
    )


def _common(specs: SpecSet, spec: OperatorSpec) -> Iterator[Promise]:
    needs = {product.id: DIRECTIONS for product in _supported(specs, spec)}
    for clause in specs.common:
        reasons: dict[Direction, str] = {}
        if clause.no_negative is not None:
            reasons["negative"] = clause.no_negative
        at = clause.place
        yield Promise(
            spec.operator,
            clause.id,
            "common",
            clause.basis,
            clause.text,
            at,
            needs,
            reasons,
            {},
        )
