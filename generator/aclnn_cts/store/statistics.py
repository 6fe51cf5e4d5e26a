# SPDX-License-Identifier: Apache-2.0
"""Statistics of many runs: flaky cases, cards that disagree, and permanent changes of figures.

The figures are accuracy and device time.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.report.common_cause import tail
from aclnn_cts.report.drift import Thresholds, holm
from aclnn_cts.store.columns import BROKEN
from aclnn_cts.store.folder import Store
from aclnn_cts.store.runs import (
    RunFacts,
    Selection,
    all_runs,
    by_version,
    differences,
    operators_of,
    select_runs,
)

CONFIDENCE = 0.95
"""Confidence of the intervals."""

SIGNIFICANCE = 0.01
"""Maximum probability that any card is reported if all are alike."""


@dataclass(frozen=True)
class Rate:
    """A failure rate.

    Attributes:
        failed: Number of failures.
        tried: Number of trials.
        low: Lower end of the exact interval of Clopper and Pearson for the rate.
    """

    failed: int
    tried: int
    low: float
    high: float

    @classmethod
    def of(cls, failed: int, tried: int) -> Rate:
        """Return a rate with its interval."""
        from scipy.special import betaincinv  # noqa: PLC0415 - other questions need not pay

        tail = (1 - CONFIDENCE) / 2
        low = float(betaincinv(failed, tried - failed + 1, tail)) if failed else 0.0
        high = float(betaincinv(failed + 1, tried - failed, 1 - tail)) if failed < tried else 1.0
        return cls(failed, tried, low, high)


@dataclass(frozen=True)
class FlakyCase:
    """A case that broke a promise once and kept it another time, on one card and build.

    Attributes:
        card: Number of the card; -1 if it is not known.
        elsewhere: Its rate on other cards with the same build; None if it ran on none.
        reruns: Number of runs in which it failed once and passed another time.
    """

    case: str
    host: str
    card: int
    build: str
    rate: Rate
    elsewhere: Rate | None
    reruns: int


@dataclass(frozen=True)
class OddCard:
    """A card on which cases fail that pass on all others with the same build.

    Attributes:
        card: Number of the card; -1 if it is not known.
        rate: Rate of its runs with such a case.
        siblings: Rate of the other cards' runs with a case that failed on only that card.
        cases: The cases, the most frequent failures first.
        p_value: Probability of at least such a difference between equal cards, corrected for the
            number of cards.
    """

    host: str
    card: int
    build: str
    rate: Rate
    siblings: Rate
    cases: tuple[str, ...]
    p_value: float

    @property
    def disagrees(self) -> bool:
        """Whether it is significant."""
        return self.p_value <= SIGNIFICANCE


@dataclass(frozen=True)
class Flakiness:
    """The result.

    Attributes:
        cases: Flaky cases, the rarest failures first, because they are the hardest to see.
        cards: Cards with failures of their own, the most significant first.
        builds: The builds, with descriptions.
    """

    cases: tuple[FlakyCase, ...]
    cards: tuple[OddCard, ...]
    runs: int
    builds: Mapping[str, str]


@dataclass
class _Card:
    """Outcomes of one card on one build.

    Attributes:
        runs: Number of runs with any case there.
        odd_runs: The runs in which a case failed that failed only on this card.
        cases: Number of failures of each such case.
    """

    runs: int = 0
    odd_runs: set[int] = field(default_factory=set)
    cases: dict[str, int] = field(default_factory=dict)


Place: TypeAlias = tuple[str, str, int]
"""Build, host and card."""

_ROWS = (
    "(SELECT entries.build, name, host, card, n, outcome FROM entries JOIN chosen USING (run) "
    "WHERE entry = 'case' AND outcome NOT IN ('missing', 'untrusted') AND host IS NOT NULL "
    "AND operator IN (SELECT unnest(?)))"
)
"""Cases that prove something about their card."""


def flakiness(store: Store, selection: Selection, operators: Sequence[str] = ()) -> Flakiness:
    """Return the flaky cases and the odd cards of some runs.

    Raises:
        WrongInputError: There are no such runs or operators.
    """
    operator_names = operators_of(all_runs(store), operators)
    runs = select_runs(store, selection)
    store.rows(
        "CREATE OR REPLACE TEMP TABLE bad AS SELECT build, name, host, card, n "  # noqa: S608 - ours
        f"FROM {_ROWS} WHERE outcome IN {BROKEN}",
        [operator_names],
    )
    # of the rates in SQL's order, only cases that ever failed
    rates = store.rows(
        "WITH own AS (SELECT build, name, host, card, count(*) AS tried, "  # noqa: S608 - ours
        f"count_if(outcome IN {BROKEN}) AS failed, count_if(outcome = 'flaky') AS reruns "
        f"FROM {_ROWS} JOIN (SELECT DISTINCT build, name FROM bad) USING (build, name) "
        "GROUP BY ALL) SELECT *, sum(tried) OVER same - tried, sum(failed) OVER same - failed "
        "FROM own WINDOW same AS (PARTITION BY build, name)",
        [operator_names],
    )
    cases = [
        FlakyCase(
            case=name,
            host=host,
            card=card,
            build=build,
            rate=Rate.of(failed, trials),
            elsewhere=Rate.of(int(others), int(of)) if of else None,
            reruns=reruns,
        )
        for build, name, host, card, trials, failed, reruns, of, others in rates
        if 0 < failed < trials or reruns
    ]
    cases.sort(
        key=lambda flaky: (
            flaky.rate.failed / flaky.rate.tried,
            *(flaky.case, flaky.build, flaky.host, flaky.card),
        )
    )
    alone = {
        (build, host, card, name)
        for build, name, host, card, _, failed, _, of, others in rates
        if failed and of and not others
    }
    return Flakiness(
        tuple(cases),
        tuple(_odd_cards(_cards(store, operator_names, alone))),
        len(runs),
        {run.build: f"{run.card_kind}, CANN {run.cann or 'unknown'}" for run in runs.values()},
    )


def _cards(
    store: Store, operators: Sequence[str], alone: Collection[tuple[str, str, int, str]]
) -> dict[Place, _Card]:
    """Return the runs of each card, with the cases that failed only on it."""
    query = f"SELECT build, host, card, count(DISTINCT n) FROM {_ROWS} GROUP BY ALL"  # noqa: S608 - ours
    cards = {
        (build, host, card): _Card(runs)
        for build, host, card, runs in store.rows(query, [operators])
    }
    for build, name, host, card, n in store.rows("SELECT build, name, host, card, n FROM bad"):
        if (build, host, card, name) in alone:
            card_counts = cards[build, host, card]
            card_counts.odd_runs.add(n)
            card_counts.cases[name] = card_counts.cases.get(name, 0) + 1
    return cards


def _odd_cards(cards: Mapping[Place, _Card]) -> list[OddCard]:
    odd_cards: list[Any] = []
    for build in sorted({build for build, _, _ in cards}):
        of_build = {place: card for place, card in cards.items() if place[0] == build}
        trials = sum(card.runs for card in of_build.values())
        failed = sum(len(card.odd_runs) for card in of_build.values())
        for place, card in sorted(of_build.items(), key=lambda item: item[0]):
            if card.odd_runs:
                card_failures, runs = len(card.odd_runs), card.runs
                chance = tail(card_failures, failed, runs, trials)  # Fisher's exact test
                odd_cards.append((place, card, failed - card_failures, trials - runs, chance))
    corrected = holm([odd_card[-1] for odd_card in odd_cards])
    odd = [
        OddCard(
            host=host,
            card=number,
            build=build,
            rate=Rate.of(len(card.odd_runs), card.runs),
            siblings=Rate.of(failed, trials),
            cases=tuple(sorted(card.cases, key=lambda name: (-card.cases[name], name))),
            p_value=p_value,
        )
        for ((build, host, number), card, failed, trials, _), p_value in zip(
            odd_cards, corrected, strict=True
        )
    ]
    return sorted(odd, key=lambda odd_card: (odd_card.p_value, odd_card.host, odd_card.card))


Figure: TypeAlias = Literal["worst_ulp", "mean_ulp", "microseconds"]

FIGURES: Mapping[Figure, str] = {
    "worst_ulp": "worst error, ulp",
    "mean_ulp": "mean error, ulp",
    "microseconds": "time, µs",
}

LEAST = 5
"""Minimum number of runs on each side of a change; fewer may be busy nights."""


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
        base: Median of the figure from the previous change to this one.
        new: Median of the figure from this change to the next one.
        differences: Differences between these two runs.
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
        tier: The tier, because other tiers have other cases.
        values: Its values, in order of time.
        releases: Its values by version of CANN.
    """

    product: str
    tier: str
    operator: str
    dtype: str
    figure: Figure
    values: tuple[Value, ...]
    releases: tuple[Release, ...]
    changes: tuple[Change, ...]


def trends(store: Store, selection: Selection, operators: Sequence[str] = ()) -> Iterator[Trend]:
    """Yield the trends of some runs.

    Raises:
        WrongInputError: There are no such runs or operators.
    """
    operator_names = operators_of(all_runs(store), operators)
    runs = list(select_runs(store, selection).values())
    rows = store.rows(_FIGURES, [operator_names])
    for key, group in itertools.groupby(rows, key=lambda row: row[:4]):
        points = list(group)
        for place, figure in enumerate(FIGURES, start=5):
            values = tuple(
                # beyond these digits, sums depend on the order of their terms
                Value(runs[row[4]], float(f"{row[place]:.12g}"))
                for row in points
                if row[place] is not None and not math.isnan(row[place])
            )
            if values:
                operator, product, tier, dtype = key
                releases = tuple(_releases(values))
                changes = tuple(_changes(values, figure))
                yield Trend(product, tier, operator, dtype, figure, values, releases, changes)


_MEASURED = "FILTER (compared > 0 AND coalesce(by_value, 1) > 0)"
"""Where no element is judged by value, as in a contract operator, no error was measured."""

_FIGURES = (
    "SELECT operator, card_kind, tier, dtype, n, "  # noqa: S608 - ours
    f"max(nullif(worst_ulp, 'nan')) {_MEASURED}, "
    f"sum(mean_abs_ulp * compared) {_MEASURED} / sum(compared) {_MEASURED}, "
    # the clock does not resolve a time of 0
    "exp(avg(ln(greatest(microseconds, 0.001))) FILTER (microseconds IS NOT NULL)) "
    "FROM entries JOIN chosen USING (run) WHERE entry = 'case' "
    "AND verdict NOT IN ('fail', 'crash', 'timeout', 'flaky') "
    "AND operator IN (SELECT unnest(?)) GROUP BY ALL ORDER BY ALL"
)


def _releases(values: Sequence[Value]) -> Iterator[Release]:
    by_run = {value.run.id: value.value for value in values}
    for cann, runs in by_version([value.run for value in values]).items():
        versions = [by_run[run.id] for run in runs]
        yield Release(cann, len(versions), statistics.median(versions), max(versions))


def _changes(values: Sequence[Value], figure: Figure) -> Iterator[Change]:
    """Yield the permanent changes of a figure that exceed a drift."""
    series = [value.value for value in values]
    # levels are medians, so they differ at most by the range
    if len(values) < 2 * LEAST or not _matters(min(series), max(series), figure):
        return
    ends = [0, *_breaks(np.array(series)), len(values)]
    medians = [statistics.median(series[start:end]) for start, end in itertools.pairwise(ends)]
    for place, base, new in zip(ends[1:], medians, medians[1:], strict=False):
        if _matters(base, new, figure):
            before, after = values[place - 1].run, values[place].run
            yield Change(before, after, base, new, differences(before, after))


def _breaks(values: npt.NDArray[np.float64]) -> list[int]:
    """Return where the level of a series changes.

    Ranks replace values, so that infinite errors and busy nights have bounded weight. The penalty
    is that of the Bayesian information criterion for a level and its place, 3 ln n times the
    variance, R. Killick, P. Fearnhead, I. Eckley, Optimal Detection of Changepoints With a Linear
    Computational Cost, JASA 107 (2012).
    """
    import ruptures  # noqa: PLC0415 - it takes a second to import
    from scipy.stats import rankdata  # noqa: PLC0415 - as above

    ranks = rankdata(values)
    ranks = (ranks - ranks.mean()) / ranks.std()
    search = ruptures.KernelCPD(kernel="linear", min_size=LEAST).fit(ranks.reshape(-1, 1))
    return list(search.predict(pen=3 * math.log(len(ranks)))[:-1])


def _matters(base: float, new: float, figure: Figure) -> bool:
    """Whether two levels differ by at least a drift."""
    limits = Thresholds()
    factor, floor = (
        (limits.time_factor, limits.time_floor)
        if figure == "microseconds"
        else (limits.accuracy_factor, limits.accuracy_floor)
    )
    low, high = sorted((base, new))
    return high > low * factor and high - low > floor
