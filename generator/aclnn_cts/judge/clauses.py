# SPDX-License-Identifier: Apache-2.0
"""Which promises a failing element breaks, and what a clause says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.clashes import CLASSES
from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.metrics import classify
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ValueClause
from aclnn_cts.spec.structure import all_clause_texts


def reached_ids(bits: int, clauses: Sequence[ValueClause]) -> tuple[str, ...]:
    """Return the ids of the value clauses whose bits are set, in the spec's order."""
    return tuple(clause.id for number, clause in enumerate(clauses) if bits >> number & 1)


def follows(clause: ValueClause, actual: FloatArray, expected: Expected) -> npt.NDArray[np.bool_]:
    """Return which elements came back as a clause says, whatever other clauses say of them.

    Args:
        clause: A clause that reaches all of them.
        actual: What came back, widened; one-dimensional.
        expected: What may come back, of the same elements.
    """
    if clause.expect != "value":
        return (classify(actual) & np.uint8(CLASSES[clause.expect])).astype(np.bool_)
    other_class = classify(actual) & expected.formula & ~np.uint8(Outcome.VALUE)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(actual - expected.value) <= expected.tolerance
    # The tolerance of an infinite value is infinite, too.
    near &= np.isfinite(actual) & np.isfinite(expected.value)
    return np.asarray(near | (other_class != 0))


def broken_by(
    wrong: npt.NDArray[np.bool_],
    actual: npt.NDArray[Any],
    expected: Expected,
    clauses: Sequence[ValueClause],
) -> Mapping[int, int]:
    """Return how many failing elements there are by the clauses that they break, as bits.

    A clause that reaches an element, and that the element keeps, is not broken by it. Where an
    element keeps each clause by itself, as far as the strict tolerance tells, all are named.

    Args:
        wrong: Which elements fail; one-dimensional.
        actual: What came back.
        expected: What may come back.
        clauses: The spec's value clauses.
    """
    failing = expected.flat().at(np.flatnonzero(wrong))
    got = widen(actual.reshape(-1)[wrong])
    broken = np.zeros_like(failing.reached)
    for number, clause in enumerate(clauses):
        bit = np.uint32(1 << number)
        own = (failing.reached & bit) != 0
        if clause.expect != "any" and own.any():
            broken[own & ~follows(clause, got, failing)] |= bit
    values, counts = np.unique(np.where(broken, broken, failing.reached), return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def broken_values(broken: Mapping[int, int], clauses: Sequence[ValueClause]) -> tuple[str, ...]:
    """Return the value clauses that failing elements break, most specific first.

    A clause that states an exception (anything but the formula's value) is more specific than one
    that promises the formula; among equals, the one that more elements break comes first, and then
    the one that the document makes an exception to others. A clause that promises nothing cannot be
    broken.

    Args:
        broken: Failing elements by the clauses that they break (bits as in Expected.reached).
        clauses: The spec's value clauses.
    """
    counts: dict[int, int] = {}
    for bits, count in broken.items():
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
