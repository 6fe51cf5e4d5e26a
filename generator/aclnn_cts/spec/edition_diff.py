# SPDX-License-Identifier: Apache-2.0
"""Promises of an operator that came, went or changed between two editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from aclnn_cts.spec.clause_models import (
    DETERMINISM,
    ErrorClause,
    NotPromised,
    Precision,
    Rule,
    ValueClause,
)
from aclnn_cts.spec.expression import Expression
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT, StructuralClause, structural_clauses
from aclnn_cts.violations import KINDS

Kind: TypeAlias = Literal["came", "went", "changed"]
Topic: TypeAlias = Literal[
    "products", "promises", "refusals", "determinism", "precision", "derived", "not promised"
]
TOPICS: tuple[Topic, ...] = get_args(Topic)

Facets: TypeAlias = dict[str, str]
Clause: TypeAlias = ValueClause | Rule | ErrorClause | StructuralClause


@dataclass(frozen=True)
class Facet:
    """One aspect of a promise that differs."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class EditionChange:
    """A difference between two editions about one product, promise or silence.

    Attributes:
        kind: Whether only the later edition has it, only the earlier, or both differently.
        id: The clause's id, or the product's.
        text: Its text, in the latest edition that has it.
        place: Its place there; empty if it has none.
        facets: The differing facets of a change.
    """

    topic: Topic
    kind: Kind
    id: str
    text: str
    place: str = ""
    facets: tuple[Facet, ...] = ()

    @property
    def is_clause(self) -> bool:
        """Whether cases can exercise it."""
        return self.topic in ("promises", "refusals", "determinism")

    @property
    def is_move(self) -> bool:
        """Whether only the place on the page differs."""
        return bool(self.facets) and all(facet.name == "place" for facet in self.facets)


def changes(before: OperatorSpec, after: OperatorSpec) -> tuple[EditionChange, ...]:
    """Return the differences between two editions of an operator's document, by topic."""
    return tuple(
        change
        for topic in TOPICS
        for change in _compare(topic, _entries(before, topic), _entries(after, topic))
    )


def specs_differ(before: OperatorSpec, after: OperatorSpec) -> bool:
    """Whether two editions of a spec differ in anything at all."""
    return before.model_copy(update={"editions": {}}) != after.model_copy(update={"editions": {}})


def values_differ(before: OperatorSpec, after: OperatorSpec) -> bool:
    """Whether any promise on the elements of an output can differ.

    Places, texts and data types do not count: data types decide which calls there are, not their
    results.
    """
    return _values(before) != _values(after)


def _values(spec: OperatorSpec) -> tuple[Any, ...]:
    """Return everything that determines the allowed outcomes of a given call.

    The tolerance matters near an overflow or around 0, and with it the error budget.
    """
    held_types = {attribute.name: attribute.held_in for attribute in spec.attributes}
    clauses = [
        (clause.model_dump(exclude={"text", "where", "when"}), clause.when.text)
        for clause in spec.clauses
    ]
    silences = [
        (item.when.text, item.output, item.products) for item in spec.not_promised if item.when
    ]
    formula = spec.golden, [(name, expression.text) for name, expression in spec.formula.items()]
    budgets = [item.model_dump(exclude={"why"}) for item in spec.precision]
    return clauses, silences, _derived_names(spec), spec.computes_in, held_types, formula, budgets


def _derived_names(spec: OperatorSpec) -> dict[str, str]:
    return {name: expression.text for name, expression in spec.derived.items()}


def _compare(
    topic: Topic, before: dict[str, Facets], after: dict[str, Facets]
) -> Iterator[EditionChange]:
    for name, facets in before.items():
        if name not in after:
            yield _change(topic, "went", name, facets)
        elif facets != after[name]:
            yield _change(topic, "changed", name, after[name], _differences(facets, after[name]))
    for name, facets in after.items():
        if name not in before:
            yield _change(topic, "came", name, facets)


def _change(
    topic: Topic, kind: Kind, name: str, facets: Facets, differing: tuple[Facet, ...] = ()
) -> EditionChange:
    return EditionChange(topic, kind, name, facets["text"], facets.get("place", ""), differing)


def _differences(before: Facets, after: Facets) -> tuple[Facet, ...]:
    names = dict.fromkeys([*before, *after])
    pairs = ((name, before.get(name, ""), after.get(name, "")) for name in names)
    return tuple(Facet(name, old, new) for name, old, new in pairs if old != new)


def _entries(spec: OperatorSpec, topic: Topic) -> dict[str, Facets]:
    """Return a spec's facets of a topic by id; each has at least a text."""
    if topic == "products":
        return {name: {"text": support} for name, support in spec.products.items()}
    if topic == "not promised":
        return {
            item.id: {"text": item.text} | _facets_of(item, ("when", "output", "products"))
            for item in spec.not_promised
        }
    if topic == "derived":
        return {name: {"text": text} for name, text in _derived_names(spec).items()}
    if topic == "precision":
        return _budgets(spec)
    return {clause.id: _facets(clause) for clause in _clauses(spec, topic)}


def _budgets(spec: OperatorSpec) -> dict[str, Facets]:
    """Return each output's allowed error, and the narrower computing types by product."""
    budgets = {
        item.output: {"text": item.why} | _facets_of(item, ("allowances",))
        for item in spec.precision
    }
    narrower = {
        product: {"text": "computes " + ", ".join(f"{a} in {b}" for a, b in types.items())}
        for product, types in spec.computes_in.items()
    }
    return {**budgets, **narrower}


def _clauses(spec: OperatorSpec, topic: Topic) -> Iterator[Clause]:
    if topic == "refusals":
        yield from spec.errors
        return
    for clause in structural_clauses(spec):
        if clause.id == PRODUCT_SUPPORT:
            continue  # the table of products is a topic of its own
        if (clause.id == DETERMINISM) == (topic == "determinism"):
            yield clause
    if topic == "promises":
        yield from spec.rules
        yield from spec.clauses


def _facets(clause: Clause) -> Facets:
    facets = {"text": clause.text, "place": f"{clause.where.section}, {clause.where.item}"}
    if isinstance(clause, StructuralClause):
        return facets
    names = {
        ValueClause: ("when", "expect", "output", "overrides", "needs_inf_nan"),
        Rule: ("require", "products"),
        ErrorClause: ("basis", "status", "when", "products", *KINDS),
    }[type(clause)]
    return facets | _facets_of(clause, names)


def _facets_of(item: Clause | Precision | NotPromised, names: Iterable[str]) -> Facets:
    return {name: _display(value) for name in names if (value := getattr(item, name)) is not None}


def _display(value: Any) -> str:
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {item}" for name, item in value.items())
    return ", ".join(map(_display, value)) if isinstance(value, list) else str(value)
