# SPDX-License-Identifier: Apache-2.0
"""Statistics of many runs: flaky cases, cards that disagree, and permanent changes of figures.

The figures are accuracy and device time.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, select

from aclnn_cts.report.common_cause import tail
from aclnn_cts.report.drift import Thresholds, holm
from aclnn_cts.store import schema
from aclnn_cts.store.history import IS_BROKEN
from aclnn_cts.store.runs import (
    RunFacts,
    Selection,
    by_version,
    content_of,
    differences,
    fetched,
    located,
    operators_of,
    selected,
    sheets_of,
)
from aclnn_cts.store.sheets import LETTERS, letters_of, places_of

Counts = npt.NDArray[np.intp]

CONFIDENCE = 0.95
"""Confidence of the intervals."""

SIGNIFICANCE = 0.01
"""Maximum probability that any card is reported if all are alike."""

_FLAKY = ord(LETTERS["flaky"])

_PROVES = np.ones(256, dtype=np.bool_)
"""Masks letters of cases that prove something about their card."""
_PROVES[[ord(LETTERS[name]) for name in ("missing", "untrusted")]] = False


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
class _Build:
    """Outcomes of an operator's cases on one build; arrays by case, dicts by place."""

    numbers: dict[str, int] = field(default_factory=dict)
    tried: dict[int, Counts] = field(default_factory=dict)
    failed: dict[int, Counts] = field(default_factory=dict)
    reruns: dict[int, Counts] = field(default_factory=dict)
    runs: set[tuple[int, int]] = field(default_factory=set)
    failures: list[tuple[int, int, Counts]] = field(default_factory=list)

    def _of(self, counts: dict[int, Counts], place: int) -> Counts:
        known = counts.get(place, np.zeros(0, np.intp))
        counts[place] = np.pad(known, (0, len(self.numbers) - len(known)))
        return counts[place]

    def note(
        self, run: int, cases: Counts, letters: npt.NDArray[np.uint8], ran: npt.NDArray[np.int32]
    ) -> None:
        """Add a sheet."""
        told = _PROVES[letters]
        for place in set(ran.tolist()) - {schema.NOWHERE}:
            here = told if len(ran) == 1 else told & (ran == place)
            own, ends = cases[here], letters[here]
            if not len(own):
                continue
            bad = own[IS_BROKEN[ends]]
            self.runs.add((run, place))
            self._of(self.tried, place)[own] += 1
            if len(bad):
                self._of(self.failed, place)[bad] += 1
                self._of(self.reruns, place)[own[ends == _FLAKY]] += 1
                self.failures.append((run, place, bad))

    def tables(self) -> tuple[list[int], Counts, Counts, Counts]:
        """Return the places, and tables of place by case: tried, failed, flaky within a run."""
        places = sorted(self.tried)
        tables = (
            np.array([self._of(counts, place) for place in places])
            for counts in (self.tried, self.failed, self.reruns)
        )
        return places, *tables  # type: ignore[return-value]


@dataclass
class _Card:
    """Outcomes of one card on one build.

    Attributes:
        runs: Number of runs with any case there.
        own: Number of these in which a case failed that failed only on this card.
        cases: Number of failures of each such case.
    """

    runs: set[int] = field(default_factory=set)
    own: set[int] = field(default_factory=set)
    cases: dict[str, int] = field(default_factory=dict)


def flakiness(
    connection: Connection, selection: Selection, operators: Sequence[str] = ()
) -> Flakiness:
    """Return the flaky cases and the odd cards of some runs.

    Raises:
        WrongInputError: There are no such runs or operators.
    """
    runs = selected(connection, selection)
    known = located(connection)
    cards: dict[str, dict[int, _Card]] = {}
    cases: list[FlakyCase] = []
    for number in operators_of(connection, operators):
        for build, found in _builds(connection, number, runs):
            cases.extend(_flaky_cases(found, build, known))
            _note_cards(found, cards.setdefault(build, {}))
    cases.sort(key=lambda each: (each.rate.failed / each.rate.tried, each.case))
    return Flakiness(
        tuple(cases),
        tuple(_odd_cards(cards, known)),
        len(runs),
        {run.build: f"{run.card_kind}, CANN {run.cann or 'unknown'}" for run in runs.values()},
    )


def _builds(
    connection: Connection, operator: int, runs: Mapping[int, RunFacts]
) -> Iterator[tuple[str, _Build]]:
    """Yield an operator's cases, build by build."""
    lists: dict[int, list[str]] = {}
    columns = ("letters", "places", "names")
    rows = sheets_of(connection, runs, [operator], columns, [schema.run.c.build])
    for build, own in itertools.groupby(rows, key=lambda row: runs[row.run].build):
        found = _Build()
        numbered: dict[int, Counts] = {}
        for row in own:
            if row.names not in lists:
                lists[row.names] = content_of(connection, row.names)["cases"]
            if row.names not in numbered:
                names = lists[row.names]
                numbered[row.names] = np.array(
                    [found.numbers.setdefault(name, len(found.numbers)) for name in names], np.intp
                )
            found.note(row.run, numbered[row.names], letters_of(row.letters), places_of(row.places))
        yield build, found


Located = Mapping[int, tuple[str, int]]


def _flaky_cases(found: _Build, build: str, known: Located) -> Iterator[FlakyCase]:
    names = list(found.numbers)
    places, tried, failed, reruns = found.tables()
    mixed = ((failed > 0) & (failed < tried)) | (reruns > 0)
    totals = tried.sum(axis=0), failed.sum(axis=0)
    for row, case in np.argwhere(mixed).tolist():
        others = [
            int(total[case] - own[row, case])
            for total, own in zip(totals, (tried, failed), strict=True)
        ]
        yield FlakyCase(
            case=names[case],
            host=known[places[row]][0],
            card=known[places[row]][1],
            build=build,
            rate=Rate.of(int(failed[row, case]), int(tried[row, case])),
            elsewhere=Rate.of(others[1], others[0]) if others[0] else None,
            reruns=int(reruns[row, case]),
        )


def _note_cards(found: _Build, cards: dict[int, _Card]) -> None:
    """Add the runs of each card, and the cases that failed only on it."""
    names = list(found.numbers)
    places, tried, failed, _ = found.tables()
    for run, place in found.runs:
        cards.setdefault(place, _Card()).runs.add(run)
    elsewhere = tried.sum(axis=0) - tried
    kept = (elsewhere > 0) & (failed.sum(axis=0) == failed)
    rows = {place: row for row, place in enumerate(places)}
    for run, place, bad in found.failures:
        own = bad[kept[rows[place], bad]]
        if not len(own):
            continue
        card = cards[place]
        card.own.add(run)
        for case in own.tolist():
            card.cases[names[case]] = card.cases.get(names[case], 0) + 1


def _odd_cards(cards: Mapping[str, Mapping[int, _Card]], known: Located) -> list[OddCard]:
    found: list[Any] = []
    for build, of_build in cards.items():
        tried = sum(len(card.runs) for card in of_build.values())
        failed = sum(len(card.own) for card in of_build.values())
        for place, card in of_build.items():
            if not card.own:
                continue
            own, runs = len(card.own), len(card.runs)
            chance = tail(own, failed, runs, tried)  # Fisher's exact test
            found.append((place, build, card, failed - own, tried - runs, chance))
    corrected = holm([each[-1] for each in found])
    odd = [
        OddCard(
            host=known[place][0],
            card=known[place][1],
            build=build,
            rate=Rate.of(len(card.own), len(card.runs)),
            siblings=Rate.of(failed, tried),
            cases=tuple(sorted(card.cases, key=lambda name: (-card.cases[name], name))),
            p_value=p_value,
        )
        for (place, build, card, failed, tried, _), p_value in zip(found, corrected, strict=True)
    ]
    return sorted(odd, key=lambda each: (each.p_value, each.host, each.card))


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
    """Yield the permanent changes of a figure that exceed a drift."""
    told = [each.value for each in values]
    # levels are medians, so they differ at most by the range
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
