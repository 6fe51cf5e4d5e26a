# SPDX-License-Identifier: Apache-2.0
"""Which of an operator's cases on one product test a clause, and in which direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aclnn_cts.plan.case_builder import requirements_broken
from aclnn_cts.report.coverage_scan import ReachedCase
from aclnn_cts.report.promises import Direction, Promise


@dataclass(frozen=True)
class Contradiction:
    """Why a clause that contradicts others wherever it applies has no positive case.

    Attributes:
        opponents: The clauses that it contradicts.
        elements: Elements on which it does so.
        cases: Cases that have such elements.
    """

    opponents: tuple[str, ...]
    elements: int
    cases: int

    def __str__(self) -> str:
        return (
            f"contradicts {' and '.join(self.opponents)} wherever it applies ({self.elements} "
            f"elements in {self.cases} cases): either outcome is accepted"
        )

    @classmethod
    def over(cls, products: Iterable[Contradiction]) -> Contradiction:
        """Return the contradiction of one clause over several products."""
        parts = tuple(products)
        opponents = dict.fromkeys(name for part in parts for name in part.opponents)
        elements = sum(part.elements for part in parts)
        return cls(tuple(opponents), elements, sum(part.cases for part in parts))


@dataclass(frozen=True)
class Contests:
    """Where a value clause contradicts others.

    Attributes:
        clashes: Elements by the clause that it contradicts there.
        elements: Elements on which it contradicts any.
        cases: Ids of the cases that have such elements.
        throughout: Whether it applies somewhere, and contradicts another clause on all of that.
    """

    clashes: Counter[str]
    elements: int
    cases: tuple[str, ...]
    throughout: bool

    @property
    def reason(self) -> Contradiction | None:
        """Why the clause has no positive case, if that is because of the contradictions."""
        if not self.throughout:
            return None
        return Contradiction(tuple(self.clashes), self.elements, len(self.cases))


@dataclass(frozen=True)
class ClauseEvidence:
    """The cases of one operator on one product.

    Attributes:
        cases: The cases, with what their data reach.
        working: Ids of the operator's calls that must work, on any product.
    """

    cases: Sequence[ReachedCase]
    working: frozenset[str]

    def ids(self, promise: Promise, direction: Direction) -> tuple[str, ...]:
        """Return the cases that test a clause in a direction."""
        refused = direction == "negative"
        if promise.kind == "value":
            return self._of_value(promise.clause, direction)
        if promise.kind == "error":
            return self._refused(promise) if refused else self._twins(promise)
        if promise.kind == "product-support" and refused:
            return tuple(c.case.id for c in self.cases if not c.case.expects_success)
        if promise.kind == "common":
            # A refused call keeps these promises, too; none of them is about being refused.
            return self._holding(promise.clause) if not refused else ()
        return tuple(
            c.case.id
            for c in self.cases
            if promise.clause in c.case.clauses and c.case.expects_success is not refused
        )

    def breaking(self, clause: str) -> dict[str, frozenset[str]]:
        """Return the refused calls that break a requirement, with all requirements they break."""
        broken = {
            c.case.id: frozenset(requirements_broken(c.case))
            for c in self.cases
            if not c.case.expects_success
        }
        return {name: names for name, names in broken.items() if clause in names}

    def _of_value(self, clause: str, direction: Direction) -> tuple[str, ...]:
        return tuple(c.case.id for c in self.cases if clause in getattr(c.reach, direction))

    def _refused(self, promise: Promise) -> tuple[str, ...]:
        broken = [c.case for c in self.cases if c.case.scene == promise.clause]
        return tuple(case.id for case in broken if not case.expects_success)

    def _twins(self, promise: Promise) -> tuple[str, ...]:
        """Return the calls that differ from a refused one in one fact, and must work."""
        refused = set(self._refused(promise))
        twins = dict.fromkeys(c.case.twin for c in self.cases if c.case.id in refused)
        here = frozenset(c.case.id for c in self.cases if c.case.expects_success)
        working = self.working if promise.twins_elsewhere else here
        return tuple(twin for twin in twins if twin is not None and twin in working)

    def _holding(self, clause: str) -> tuple[str, ...]:
        return tuple(c.case.id for c in self.cases if clause in c.case.clauses)

    def contests(self, promise: Promise) -> Contests:
        """Return where a clause contradicts others; no clause does that but a value clause."""
        if promise.kind != "value":
            return Contests(Counter(), 0, (), throughout=False)
        clause = promise.clause
        against: Counter[str] = Counter()
        cases = [c for c in self.cases if c.reach.contested.get(clause)]
        for each in cases:
            for pair, elements in each.reach.clashes.items():
                if clause in pair:
                    against[pair[1] if pair[0] == clause else pair[0]] += elements
        contested = sum(c.reach.contested[clause] for c in cases)
        applied = sum(c.reach.applied.get(clause, 0) for c in self.cases)
        ids = tuple(c.case.id for c in cases)
        return Contests(against, contested, ids, throughout=0 < contested == applied)
