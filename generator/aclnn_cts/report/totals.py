# SPDX-License-Identifier: Apache-2.0
"""Totals over all cases of a run, computed in one pass."""

from __future__ import annotations

import heapq
import math
import statistics
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from aclnn_cts.errors import form
from aclnn_cts.judge.standards import Figures
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.failure_message import common_texts, without_where

REFUSALS = "refusals"

SLOWEST = 10
"""Number of slowest cases."""

NO_CLAUSE = "without a clause"
"""Placeholder for the clause of failing cases that name none."""

MOST_UNPROVEN = 12
"""Maximum number of kept cases that prove nothing."""


def column_of(case: CaseEntry) -> str:
    """Return the column of the heat map for a case."""
    return case.dtype if case.basis is None else REFUSALS


def device_time(case: CaseEntry) -> float | None:
    """Return the median time of a case's launches in microseconds; None without launches."""
    return statistics.median(case.device_microseconds) if case.device_microseconds else None


@dataclass
class Accuracy:
    """Accuracy of an operator in one data type, by the strict standard.

    Attributes:
        cases: Cases whose outputs were compared.
        elements: Elements with a promise.
        worst_ulp: Largest error in ulps of the output's type; infinite if a class is wrong.
        worst_share: Largest error as a share of the strict tolerance; above 1 breaks it.
        worst_case: Id of the first case with that error.
        weighted: Sum of the mean signed errors, weighted by elements.
        weight: The total weight, of cases with a finite mean.
    """

    cases: int = 0
    elements: int = 0
    worst_ulp: float = -math.inf
    worst_share: float = -math.inf
    worst_case: str = ""
    weighted: float = 0.0
    weight: int = 0

    def add(self, case: str, figures: Figures) -> None:
        self.cases += 1
        self.elements += figures.compared
        self.worst_ulp = max(self.worst_ulp, figures.worst_ulp)
        if figures.worst_share > self.worst_share:
            self.worst_share, self.worst_case = figures.worst_share, case
        if math.isfinite(figures.mean_ulp):
            self.weighted += figures.mean_ulp * figures.compared
            self.weight += figures.compared

    @property
    def mean_ulp(self) -> float:
        """Mean of the signed errors in ulps, each case weighted by its elements."""
        return self.weighted / self.weight if self.weight else 0.0


@dataclass
class OfOperator:
    """The sums of one operator's cases.

    Attributes:
        outcomes: Cases by column of the heat map and outcome.
        calls: Calls of a recorded program, by the outcome of their case.
        accuracy: By data type.
        worst_share: The largest error, as a share of the strict tolerance; None if nothing was
            compared.
        device: Median device times of cases with launches, in microseconds.
        remarked: Number of cases with remarks …
        remark: … and the first of these, with its remark.
        unenforced: Number of accepted calls by unenforced requirement.
        is_contract: Whether it is a contract operator.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    accuracy: dict[str, Accuracy] = field(default_factory=dict)
    worst_share: float | None = None
    host_seconds: float = 0.0
    device: array[float] = field(default_factory=lambda: array("d"))
    remarked: int = 0
    remark: tuple[str, str] = ("", "")
    unenforced: Counter[str] = field(default_factory=Counter)
    is_contract: bool = False

    @property
    def counts(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for (_, outcome), count in self.outcomes.items():
            counts[outcome] += count
        return counts

    def add(self, case: CaseEntry, device: float | None) -> None:
        self.outcomes[column_of(case), case.outcome] += 1
        self.calls[case.outcome] += case.count
        standards = {} if self.is_contract else case.standards
        if (strict := standards.get("strict")) is not None:
            self.accuracy.setdefault(case.dtype, Accuracy()).add(case.id, strict)
        for figures in standards.values():
            self.worst_share = max(self.worst_share or 0.0, figures.worst_share)
        self.host_seconds += case.seconds
        if device is not None:
            self.device.append(device)
        if case.remarks:
            self.remarked += 1
            self.remark = self.remark if self.remarked > 1 else (case.id, case.remarks[0])
        if case.is_unenforced:
            self.unenforced.update(case.unenforced)


@dataclass
class FirstBroken:
    """A promise that failures name first.

    Attributes:
        clause: The clause's id; empty for cases that name none.
        first: The first of these failures.
        broken: Their broken clauses, with counts.
        others: Broken clauses that neither come first nor only say where.
        where: Features to which wrong values are limited.
    """

    operator: str
    clause: str
    first: CaseEntry
    count: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    where: dict[str, None] = field(default_factory=dict)

    def add(self, case: CaseEntry) -> None:
        self.count += 1
        self.broken.update(case.broken)
        self.others.update(without_where(case.broken[1:], case.only_in))
        self.where |= dict.fromkeys(map(common_texts, case.only_in))

    @property
    def only_in(self) -> str:
        """The feature to which their wrong values are limited, or ""."""
        return "; ".join(self.where)

    @property
    def besides(self) -> str:
        """The other clauses that these cases break, with counts, or ""."""
        return ", ".join(f"{name} ({count:,})" for name, count in self.others.most_common())


def tally(promises: Sequence[FirstBroken]) -> str:
    """Return the number of promises broken first, and of further broken ones.

    The run's outcome counts both.
    """
    first = {(each.operator, each.clause) for each in promises if each.clause}
    more = len(broken_promises(promises) - first)
    with_them = form(len(first), "it", "them")
    return f"{len(first):,} as first broken" + (f", {more:,} more with {with_them}" if more else "")


def broken_promises(promises: Iterable[FirstBroken]) -> set[tuple[str, str]]:
    """Return all broken promises: operators and clauses."""
    return {(each.operator, name) for each in promises for name in each.broken}


class Sums:
    """The sums of a run's cases.

    Attributes:
        operators: By operator, in the run's order.
        broken: The promises that failures name first, in the run's order.
        unproven: The first cases that prove nothing by themselves.
        followers: By refused valid call, the number of refusals that prove nothing because of it.
        by_value: Number of elements judged by value.
        by_class: Number of elements judged by class.
        powers: The resolution of each case that judges by value, in ulps.
    """

    def __init__(self, cases: Iterable[CaseEntry], contract_only: Collection[str] = ()) -> None:
        """Add up all cases.

        Args:
            cases: The cases.
            contract_only: The contract operators.
        """
        self.operators: dict[str, OfOperator] = {}
        self._contract_only = contract_only
        self.broken: dict[tuple[str, str], FirstBroken] = {}
        self.unproven: list[CaseEntry] = []
        self.followers: Counter[str] = Counter()
        self.by_value = self.by_class = 0
        self.powers = array("d")
        self._slowest: list[tuple[float, float, int, str, float | None]] = []
        for place, case in enumerate(cases):
            self._add(place, case)

    def _add(self, place: int, case: CaseEntry) -> None:
        device = device_time(case)
        is_contract = case.operator in self._contract_only
        sums = self.operators.setdefault(case.operator, OfOperator(is_contract=is_contract))
        sums.add(case, device)
        if case.fails:
            key = (case.operator, case.named_clause)
            self.broken.setdefault(key, FirstBroken(*key, case)).add(case)
        if case.is_unproven and case.refused_twin:
            self.followers[case.refused_twin] += 1
        elif case.is_unproven and len(self.unproven) < MOST_UNPROVEN:
            self.unproven.append(case)
        if (power := case.resolving) is not None:
            self.by_value += power.by_value
            self.by_class += power.by_class
            if power.ulps is not None and math.isfinite(power.ulps):
                self.powers.append(power.ulps)
        # the first case wins ties
        heapq.heappush(self._slowest, (device or 0.0, case.seconds, -place, case.id, device))
        if len(self._slowest) > SLOWEST:
            heapq.heappop(self._slowest)

    @property
    def counts(self) -> Counter[str]:
        return sum((sums.counts for sums in self.operators.values()), Counter())

    @property
    def planned(self) -> int:
        return self.counts.total()

    @property
    def failing(self) -> int:
        """Number of cases that break a promise and are not waived."""
        return sum(promise.count for promise in self.broken.values())

    @property
    def slowest(self) -> list[tuple[str, float, float | None]]:
        """The slowest cases, with seconds on the host and median microseconds."""
        return [(name, host, device) for _, host, _, name, device in sorted(self._slowest)[::-1]]
