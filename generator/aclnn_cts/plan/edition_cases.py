# SPDX-License-Identifier: Apache-2.0
"""Which cases came and went from one edition of the documents to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet

Cases = Mapping[str, tuple[Case, ...]]
"""The cases of an operator by product."""


@dataclass(frozen=True)
class Movement:
    """The cases of one operator on one product in two editions.

    Attributes:
        came: Ids that only the later edition has.
        went: Ids that only the earlier edition has.
        stayed: How many cases both have.
    """

    came: tuple[str, ...]
    went: tuple[str, ...]
    stayed: int


def cases_of(
    specs: SpecSet,
    operator: str,
    products: Iterable[str],
    tier: str,
    store: CoveringStore | None = None,
) -> Cases:
    """Return an operator's cases on each of the products; none where it is not mentioned."""
    spec = specs.operator(operator)
    return {
        product: plan(specs, product, tier, [operator], store) if spec.mentions(product) else ()
        for product in products
    }


def movements(before: Cases, after: Cases) -> dict[str, Movement]:
    """Return by product which cases came and went; products on which nothing moved are left out."""
    found = {product: _moved(before[product], cases) for product, cases in after.items()}
    return {product: moved for product, moved in found.items() if moved.came or moved.went}


def _moved(before: Iterable[Case], after: Iterable[Case]) -> Movement:
    old, new = [case.id for case in before], [case.id for case in after]
    came, went = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    return Movement(tuple(came), tuple(went), len(new) - len(came))


def holding(cases: Cases, clause: str) -> int:
    """Return how many cases, on all products together, exercise a clause as such."""
    return sum(clause in case.clauses for own in cases.values() for case in own)
