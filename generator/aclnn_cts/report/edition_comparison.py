# SPDX-License-Identifier: Apache-2.0
"""What differs between two editions of the documents, and how many cases that affects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aclnn_cts.golden.edition_outcomes import differing_outcomes
from aclnn_cts.plan.covering_store import CoveringStore
from aclnn_cts.plan.edition_cases import Cases, Movement, cases_of, holding, movements
from aclnn_cts.spec.edition_diff import EditionChange, changes, specs_differ
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import Edition, OperatorSpec


@dataclass(frozen=True)
class Affected:
    """A change, and how many cases it affects.

    Attributes:
        change: The change.
        before: Cases of the first edition that hold the clause.
        after: Cases of the second edition that hold it. Both are None for what no plan can tell:
            value clauses, which only the data reach, and points that are not promised.
    """

    change: EditionChange
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class OperatorNote:
    """What differs about one operator.

    Attributes:
        operator: The operator.
        changes: What came, went or changed.
        cases: Which cases came and went, by product.
        outcomes: Of how many distinct calls among the common cases the allowed results differ.
        copies: By edition, what its transcription had to do without.
    """

    operator: str
    changes: tuple[Affected, ...]
    cases: Mapping[str, Movement]
    outcomes: int
    copies: Mapping[str, Edition]

    @property
    def differs(self) -> bool:
        """Whether any promise, case or allowed result differs."""
        return bool(self.changes or self.cases or self.outcomes)


@dataclass(frozen=True)
class EditionComparison:
    """What is to be compared.

    Attributes:
        before: The specs in one edition.
        after: The specs in the other.
        operators: The operators.
        products: The products whose cases count.
        tier: The tier whose cases count.
        store: Where covering arrays are kept.
    """

    before: SpecSet
    after: SpecSet
    operators: tuple[str, ...]
    products: tuple[str, ...]
    tier: str
    store: CoveringStore | None = None


def compare(asked: EditionComparison) -> tuple[OperatorNote, ...]:
    """Return what differs between two editions about some operators.

    Args:
        asked: What is to be compared.

    Raises:
        WrongInputError: There is no such tier, or no cases can be made.
    """
    return tuple(_compare(asked, name) for name in asked.operators)


def _compare(asked: EditionComparison, operator: str) -> OperatorNote:
    old_spec, new_spec = asked.before.operator(operator), asked.after.operator(operator)
    if not specs_differ(old_spec, new_spec):
        return OperatorNote(operator, (), {}, 0, {})
    old, new = (
        cases_of(specs, operator, asked.products, asked.tier, asked.store)
        for specs in (asked.before, asked.after)
    )
    by_data = {clause.id for clause in (*old_spec.clauses, *new_spec.clauses)}
    affected = tuple(
        Affected(item) if item.id in by_data else _counted(item, old, new)
        for item in changes(old_spec, new_spec)
    )
    outcomes = differing_outcomes(asked.before, asked.after, operator, _common(old, new))
    return OperatorNote(operator, affected, movements(old, new), outcomes, _copies(asked, new_spec))


def _copies(asked: EditionComparison, spec: OperatorSpec) -> dict[str, Edition]:
    """Return by edition what its transcription had to do without."""
    names = (asked.before.edition, asked.after.edition)
    return {name: edition for name, edition in spec.editions.items() if name in names}


def _counted(change: EditionChange, old: Cases, new: Cases) -> Affected:
    if change.topic == "products" and change.id in new:
        return Affected(change, len(old[change.id]), len(new[change.id]))
    if not change.is_clause:
        return Affected(change)
    return Affected(change, holding(old, change.id), holding(new, change.id))


def _common(old: Cases, new: Cases) -> Cases:
    kept = {product: {case.id for case in cases} for product, cases in old.items()}
    return {
        product: tuple(case for case in cases if case.id in kept[product])
        for product, cases in new.items()
    }
