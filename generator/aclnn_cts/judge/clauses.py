# SPDX-License-Identifier: Apache-2.0
"""Which promises a failing element breaks, and what a clause says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ValueClause
from aclnn_cts.spec.structure import all_clause_texts


def reached_ids(bits: int, clauses: Sequence[ValueClause]) -> tuple[str, ...]:
    """Return the ids of the value clauses whose bits are set, in the spec's order."""
    return tuple(clause.id for number, clause in enumerate(clauses) if bits >> number & 1)


def broken_values(reached: Mapping[int, int], clauses: Sequence[ValueClause]) -> tuple[str, ...]:
    """Return the value clauses that failing elements break, most specific first.

    A clause that states an exception (anything but the formula's value) is more specific than one
    that promises the formula; among equals, the one that more elements break comes first, and then
    the one that the document makes an exception to others. A clause that promises nothing cannot be
    broken.

    Args:
        reached: Failing elements by the clauses that apply to them (bits of Expected.reached).
        clauses: The spec's value clauses.
    """
    counts: dict[int, int] = {}
    for bits, count in reached.items():
        for number, clause in enumerate(clauses):
            if bits >> number & 1 and clause.expect != "any":
                counts[number] = counts.get(number, 0) + count
    order = sorted(
        counts,
        key=lambda number: (
            clauses[number].expect == "value",
            -counts[number],
            not clauses[number].overrides,
            number,
        ),
    )
    return tuple(clauses[number].id for number in order)


def clause_texts(specs: SpecSet, operator: str) -> dict[str, tuple[str, str]]:
    """Return text and place of every clause of an operator, by id."""
    return all_clause_texts(specs.operator(operator), specs.common)
