# SPDX-License-Identifier: Apache-2.0
"""Accuracy and device time over many runs, and their permanent changes."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, select

from aclnn_cts.report.drift import Thresholds
from aclnn_cts.store import schema
from aclnn_cts.store.runs import (
    RunFacts,
    Selection,
    by_version,
    differences,
    fetched,
    operators_of,
    selected,
)

Figure: TypeAlias = Literal["worst_ulp", "mean_ulp", "microseconds"]

FIGURES: Mapping[Figure, str] = {
    "worst_ulp": "worst error, ulp",
    "mean_ulp": "mean error, ulp",
    "microseconds": "time, µs",
}

LEAST = 5
"""Runs on either side of a change at least: fewer are as likely a busy night."""


class Value(NamedTuple):
    """A figure of one run."""

    run: RunFacts
    value: float


@dataclass(frozen=True)
class Change:
    """A permanent change of a figure.

    Attributes:
        before: The last run before it.
        after: The first run after it.
        base: Median of the figure from the change before to this one.
        new: Median of the figure from this change to the next one.
        differences: What is not the same about these two runs.
    """

    before: RunFacts
    after: RunFacts
    base: float
    new: float
    differences: tuple[str, ...]

    @property
    def worse(self) -> bool:
        """Whether the figure grew."""
        return self.new > self.base


@dataclass(frozen=True)
class Release:
    """A figure over the runs of one version of CANN."""

    cann: str
    runs: int
    median: float
    largest: float


@dataclass(frozen=True)
class Trend:
    """One figure of an operator and data type.

    Attributes:
        product: The product; simulated devices are told apart from cards.
        tier: The tier: others hold other cases.
        values: Its values, the earliest run first.
        releases: The same by version of CANN.
    """

    product: str
    tier: str
    operator: str
    dtype: str
    figure: Figure
    values: tuple[Value, ...]
    releases: tuple[Release, ...]
    changes: tuple[Change, ...]


def trends(
    connection: Connection, selection: Selection, operators: Sequence[str] = ()
) -> Iterator[Trend]:
    """Yield the trends of some runs.

    Raises:
        WrongInputError: There are no such runs or operators.
    """
    runs = selected(connection, selection)
    table = schema.summary
    for number, operator in operators_of(connection, operators).items():
        query = select(table).where(table.c.operator == number)
        rows = {(row.dtype, row.run): row for row in fetched(connection, query)}
        groups: dict[tuple[str, str, str], list[tuple[RunFacts, object]]] = {}
        for dtype in sorted({dtype for dtype, _ in rows}):
            for run in runs.values():
                if (dtype, run.id) in rows:
                    key = run.card_kind, run.tier, dtype
                    groups.setdefault(key, []).append((run, rows[dtype, run.id]))
        for (product, tier, dtype), group in sorted(groups.items()):
            for figure in FIGURES:
                values = tuple(
                    Value(run, value)
                    for run, row in group
                    if (value := getattr(row, figure)) is not None
                )
                if values:
                    releases = tuple(_releases(values))
                    changes = tuple(_changes(values, figure))
                    yield Trend(product, tier, operator, dtype, figure, values, releases, changes)


def _releases(values: Sequence[Value]) -> Iterator[Release]:
    of = {each.run.id: each.value for each in values}
    for cann, runs in by_version([each.run for each in values]).items():
        own = [of[run.id] for run in runs]
        yield Release(cann, len(own), statistics.median(own), max(own))


def _changes(values: Sequence[Value], figure: Figure) -> Iterator[Change]:
    """Yield the permanent changes of a figure that are large enough to matter."""
    told = [each.value for each in values]
    # Levels are medians, so they differ by no more than the ends of the range.
    if len(values) < 2 * LEAST or not _matters(min(told), max(told), figure):
        return
    ends = [0, *_breaks(np.array(told)), len(values)]
    medians = [statistics.median(told[start:end]) for start, end in itertools.pairwise(ends)]
    for place, base, new in zip(ends[1:], medians, medians[1:], strict=False):
        if _matters(base, new, figure):
            before, after = values[place - 1].run, values[place].run
            yield Change(before, after, base, new, differences(before, after))


def _breaks(values: npt.NDArray[np.float64]) -> list[int]:
    """Return where the level of a series changes.

    Ranks instead of values: errors without a size and busy nights count as the largest, no more.
    The penalty is that of the Bayesian information criterion for a level and its place, 3 ln n
    times the variance, R. Killick, P. Fearnhead, I. Eckley, Optimal Detection of Changepoints With
    a Linear Computational Cost, JASA 107 (2012).
    """
    import ruptures  # noqa: PLC0415 - it takes a second to import
    from scipy.stats import rankdata  # noqa: PLC0415 - as above

    ranks = rankdata(values)
    ranks = (ranks - ranks.mean()) / ranks.std()
    search = ruptures.KernelCPD(kernel="linear", min_size=LEAST).fit(ranks.reshape(-1, 1))
    return list(search.predict(pen=3 * math.log(len(ranks)))[:-1])


def _matters(base: float, new: float, figure: Figure) -> bool:
    """Whether two levels differ as much as a drift of two runs must."""
    limits = Thresholds()
    factor, floor = (
        (limits.time_factor, limits.time_floor)
        if figure == "microseconds"
        else (limits.accuracy_factor, limits.accuracy_floor)
    )
    low, high = sorted((base, new))
    return high > low * factor and high - low > floor
