# SPDX-License-Identifier: Apache-2.0
"""Applying a spec's value clauses to the elements of a block.

Masks are applied as bytes of all ones or all zeros: NumPy's ``where=`` goes element by element,
while these run in vector registers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import STATED, Expected, Outcome
from aclnn_cts.golden.outcomes import Bits
from aclnn_cts.spec.evaluation import Scope, Truth, evaluate_condition
from aclnn_cts.spec.models import ValueClause

ALL_OUTCOMES = np.uint8(Outcome.ANY)

_STATED = {expect: np.uint8(outcome) for expect, outcome in STATED.items()}


@dataclass(frozen=True)
class ClauseSet:
    """The value clauses that speak of one output in one call.

    Attributes:
        clauses: By the number that stands for them in ``Expected.reached``.
        settled: Conditions that the call's scalars decide for all elements at once.
    """

    clauses: Mapping[int, ValueClause]
    settled: Mapping[int, Truth] = field(default_factory=dict)

    @classmethod
    def of(cls, clauses: Mapping[int, ValueClause], scope: Scope) -> ClauseSet:
        """Return the clauses that can apply, given the scalars.

        Args:
            clauses: By number.
            scope: Values of attributes, dimensions and derived names.
        """
        settled = {
            number: evaluate_condition(clause.when, scope)
            for number, clause in clauses.items()
            if clause.when.names <= scope.values.keys()
        }
        possible = {
            number: clause
            for number, clause in clauses.items()
            if number not in settled or bool(settled[number].possible)
        }
        return cls(possible, settled)

    def conditions(self, scope: Scope) -> dict[int, Truth]:
        """Return where each clause applies after overrides; what applies nowhere is left out."""
        raw: dict[int, Truth] = {}
        for number, clause in self.clauses.items():
            truth = self.settled.get(number) or evaluate_condition(clause.when, scope)
            if np.any(truth.possible):
                raw[number] = truth
        numbers = {self.clauses[number].id: number for number in raw}
        effective = dict(raw)
        for number, truth in raw.items():
            for overridden in self.clauses[number].overrides:
                if overridden in numbers:
                    effective[numbers[overridden]] &= ~truth
        return effective


def apply_clauses(clauses: ClauseSet, scope: Scope, outcome: Bits, into: Expected) -> None:
    """Fill a block's ``allowed``, ``reached``, ``contested``, ``undecided`` and ``formula``.

    Args:
        clauses: The clauses of the output.
        scope: Scalars, and the formula's arrays.
        outcome: What satisfies the formula's value.
        into: The expectation to fill.
    """
    common = np.full(outcome.shape, ALL_OUTCOMES)
    union = np.zeros(outcome.shape, np.uint8)
    reached = np.zeros(outcome.shape, np.uint32)
    undecided: Any = False
    for number, truth in clauses.conditions(scope).items():
        bits = _STATED.get(clauses.clauses[number].expect, outcome)
        applies = _bytes(truth.possible)
        common &= bits | ~applies
        union |= bits & applies
        reached |= (applies & np.uint8(1)).astype(np.uint32) << np.uint32(number)
        if not truth.is_exact:
            undecided = undecided | np.not_equal(truth.possible, truth.certain)
    if np.any(undecided):
        np.copyto(common, union, where=undecided)
    np.equal(common, 0, out=into.contested)
    if into.contested.any():
        np.copyto(common, union, where=into.contested)
    into.allowed[...] = common
    into.reached[...] = reached
    into.undecided[...] = undecided
    into.formula[...] = outcome


def _bytes(condition: Any) -> npt.NDArray[np.uint8] | np.uint8:
    """Return a condition as bytes: 255 where it holds, 0 elsewhere."""
    if np.ndim(condition) == 0:
        return np.uint8(255 if condition else 0)
    return np.negative(np.ascontiguousarray(condition).view(np.uint8))
