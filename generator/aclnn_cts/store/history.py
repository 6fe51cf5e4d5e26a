# SPDX-License-Identifier: Apache-2.0
"""History of cases and clauses over the runs of a store."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aclnn_cts.errors import WrongInputError
from aclnn_cts.store.columns import BROKEN, BY_WEIGHT, LETTERS, worst_letter
from aclnn_cts.store.folder import Store
from aclnn_cts.store.runs import (
    RunFacts,
    Selection,
    all_runs,
    differences,
    operators_of,
    select_runs,
)


@dataclass(frozen=True)
class Subject:
    """The subject of a query: cases that match all fields.

    Attributes:
        cases: Ids or patterns of cases; all if empty.
        clause: Id of a clause; empty for any.
    """

    cases: tuple[str, ...] = ()
    clause: str = ""
    operators: tuple[str, ...] = ()


@dataclass(frozen=True)
class Point:
    """The outcome of a run.

    Attributes:
        letter: The most severe letter, or that of the clause.
        tested: Number of selected cases.
        broken: Number of these that broke a promise, or the clause.
    """

    run: RunFacts
    letter: str
    tested: int
    broken: int


@dataclass(frozen=True)
class CaseHistory:
    """The history of a case that failed in some run.

    Attributes:
        broken: Number of runs in which it failed.
        first: The first run in which it failed.
        last: The last run in which it failed.
        since: The run since which it has always failed on the card where it failed last; None if it
            has passed there since.
    """

    case: str
    runs: int
    broken: int
    first: RunFacts
    last: RunFacts
    since: RunFacts | None


@dataclass(frozen=True)
class PlaceHistory:
    """History on one card.

    Attributes:
        card: Number of the card; -1 if unknown.
        runs: Number of runs with any of the cases there.
        broken: Number of these with a failing case.
        fails: Whether the last of these failed.
        began: The first run of the latest series of failing runs; None if none failed.
        before: The last run before that series, if any.
    """

    host: str
    card: int
    runs: int
    broken: int
    fails: bool
    began: RunFacts | None
    before: RunFacts | None


def longest_failing(places: Iterable[PlaceHistory]) -> PlaceHistory | None:
    """Return the card that has failed longest; if none fails now, that of the latest series."""
    began = {place.began.age: place for place in places if place.began is not None}
    fails = {age: place for age, place in began.items() if place.fails}
    if fails:
        return fails[min(fails)]
    return began[max(began)] if began else None


def failing_since(places: Iterable[PlaceHistory]) -> RunFacts | None:
    """Return the run since which all runs on some card failed, if any."""
    place = longest_failing(places)
    return place.began if place is not None and place.fails else None


@dataclass(frozen=True)
class History:
    """The history of some cases on one product.

    Attributes:
        product: The product; simulated devices are told apart from cards.
        points: The runs with any of the cases, the earliest first.
        cases: The cases that failed, the longest failing first.
        places: The cards, those with most failing runs first.
        contract_only: The operators whose values the last of their runs does not test.
    """

    product: str
    points: tuple[Point, ...]
    cases: tuple[CaseHistory, ...]
    places: tuple[PlaceHistory, ...]
    contract_only: tuple[str, ...]

    @property
    def failing(self) -> tuple[Point, ...]:
        """The runs in which any of the cases failed."""
        return tuple(point for point in self.points if point.broken)

    @property
    def began(self) -> RunFacts | None:
        """The first run of the latest failures; None if none failed on a known card."""
        place = longest_failing(self.places)
        return place.began if place is not None else None

    @property
    def since(self) -> RunFacts | None:
        """The run since which all runs on some card failed, if any."""
        return failing_since(self.places)

    @property
    def before(self) -> RunFacts | None:
        """The last passing run before :attr:`began`, on that card if it had one."""
        place = longest_failing(self.places)
        if place is None or place.began is None:
            return None
        if place.before is not None:
            return place.before
        age = place.began.age
        sound = (point.run for point in self.points if not point.broken and point.run.age < age)
        return max(sound, key=lambda run: run.age, default=None)

    @property
    def changes(self) -> tuple[str, ...]:
        """Differences between the last passing and the first failing run."""
        if self.before is None or self.began is None:
            return ()
        return differences(self.before, self.began)


_IS_BROKEN = f"outcome IN {BROKEN}"
WEIGHT = f"list_position({list(BY_WEIGHT)}, outcome)"
"""An expression for the severity of an outcome."""


@dataclass(frozen=True)
class _Source:
    """Selected cases as a part of a query.

    Attributes:
        where: Its conditions, which hold no text of a user.
        values: The values of its parameters.
        broken: A condition for cases that broke a promise, or the clause.
    """

    where: str
    values: tuple[str, ...]
    broken: str

    @classmethod
    def of(cls, subject: Subject) -> _Source:
        conditions, values, broken = ["entry = 'case'"], list[str](), _IS_BROKEN
        for column, names, same in (
            ("operator", subject.operators, "="),
            ("name", subject.cases, "GLOB"),
        ):
            if names:
                # an equality lets DuckDB skip the parts of files that cannot have it
                signs = ("=" if set(name).isdisjoint("*?[") else same for name in names)
                conditions.append(f"({' OR '.join(f'{column} {sign} ?' for sign in signs)})")
                values += names
        if subject.clause:
            conditions.append("list_contains(string_split(exercised, ' '), ?)")
            values.append(subject.clause)
            broken = (
                "coalesce(list_contains(string_split(broken, ' '), getvariable('clause')), false)"
            )
        return cls(" AND ".join(conditions), tuple(values), broken)

    @property
    def rows(self) -> str:
        return (
            "(SELECT card_kind, operator, name, n, coalesce(host, '') AS host, card, outcome, "  # noqa: S608 - ours
            f"{self.broken} AS bad FROM entries JOIN chosen USING (run) WHERE {self.where})"
        )


def history(store: Store, subject: Subject, selection: Selection) -> tuple[History, ...]:
    """Return the history of some cases on each product.

    Raises:
        WrongInputError: No run, operator, case or clause matches.
    """
    operators_of(all_runs(store), subject.operators)
    runs = list(select_runs(store, selection).values())
    source = _Source.of(subject)
    store.rows("SET VARIABLE clause = ?", [subject.clause])
    store.rows(
        "CREATE OR REPLACE TEMP TABLE seen AS SELECT '' AS subject, card_kind, operator, n, host, "  # noqa: S608 - ours
        f"card, count(*) AS tested, count_if(bad) AS broken, max({WEIGHT}) AS weight "
        f"FROM {source.rows} GROUP BY ALL",
        source.values,
    )
    cases = _cases(store, source, subject, runs)
    points = _points(store, subject, runs)
    if not points:
        condition = f"tests {subject.clause!r}" if subject.clause else "matches"
        raise WrongInputError(f"no case in the store {condition}; see `aclnn-cts store show RUN`")
    places = place_histories(store, runs)
    untested: dict[str, list[str]] = {}
    for kind, operator, last in store.rows(
        "SELECT card_kind, operator, max(n) FROM seen GROUP BY ALL ORDER BY operator"
    ):
        if operator in runs[last].contract_only:
            untested.setdefault(kind, []).append(operator)
    return tuple(
        History(
            kind,
            points_of_kind,
            cases.get(kind, ()),
            places.get(("", kind), ()),
            tuple(untested.get(kind, ())),
        )
        for kind, points_of_kind in sorted(points.items())
    )


def _points(
    store: Store, subject: Subject, runs: Sequence[RunFacts]
) -> dict[str, tuple[Point, ...]]:
    """Return the outcome of each run by product."""
    letters: dict[tuple[str, int], str] = {}
    if subject.clause:
        query = (
            "SELECT operator, n, outcome FROM entries JOIN chosen USING (run) "
            "WHERE entry = 'clause' AND name = ?"
        )
        rows = store.rows(query, [subject.clause])
        letters = {(operator, n): LETTERS[outcome] for operator, n, outcome in rows}
    points: dict[str, dict[int, Point]] = {}
    for kind, operator, n, tested, broken, weight in store.rows(
        "SELECT card_kind, operator, n, sum(tested), sum(broken), max(weight) FROM seen "
        "GROUP BY ALL ORDER BY n"
    ):
        letter = LETTERS[BY_WEIGHT[weight - 1]]
        if subject.clause:
            letter = letters.get((operator, n), LETTERS["untested"])
        points_of_kind = points.setdefault(kind, {})
        before = points_of_kind.get(n, Point(runs[n], letter, 0, 0))
        worst = worst_letter((letter, before.letter))
        points_of_kind[n] = Point(
            runs[n], worst, before.tested + int(tested), before.broken + int(broken)
        )
    return {kind: tuple(points_of_kind.values()) for kind, points_of_kind in points.items()}


def _cases(
    store: Store, source: _Source, subject: Subject, runs: Sequence[RunFacts]
) -> dict[str, tuple[CaseHistory, ...]]:
    """Return the histories of the cases that failed, by product.

    Raises:
        WrongInputError: A pattern matches no case.
    """
    store.rows(
        "CREATE OR REPLACE TEMP TABLE tried AS SELECT card_kind, name, host, card, "  # noqa: S608 - ours
        "count(*) AS tested, count_if(bad) AS broken, min(n) FILTER (bad) AS first, "
        "max(n) FILTER (bad) AS last, max(n) FILTER (NOT bad) AS passed "
        f"FROM {source.rows} GROUP BY ALL",
        source.values,
    )
    if subject.cases:
        names = [name for (name,) in store.rows("SELECT DISTINCT name FROM tried")]
        for pattern in subject.cases:
            if not fnmatch.filter(names, pattern):
                raise WrongInputError(f"no case in the store matches {pattern!r}")
    rows = store.rows(
        "SELECT card_kind, name, sum(tested), sum(broken), min(first), max(last), "
        "coalesce(max(passed) FILTER (host = '' OR (host, card) = place), -1) < max(last) FROM "
        "(SELECT *, arg_max((host, card), last) OVER (PARTITION BY card_kind, name) AS place "
        "FROM tried) GROUP BY card_kind, name HAVING sum(broken) > 0"
    )
    began = _began(store, source, sorted({name for _, name, *_, fails in rows if fails}))
    histories: dict[str, list[tuple[tuple[bool, int, str], CaseHistory]]] = {}
    for kind, name, tested, broken, first, last, _ in rows:
        since = began.get((kind, name))
        case = CaseHistory(
            case=name,
            runs=int(tested),
            broken=int(broken),
            first=runs[first],
            last=runs[last],
            since=None if since is None else runs[since],
        )
        key = since is None, last if since is None else since, name
        histories.setdefault(kind, []).append((key, case))
    return {
        kind: tuple(case for _, case in sorted(histories_of_kind, key=lambda item: item[0]))
        for kind, histories_of_kind in histories.items()
    }


def _began(
    store: Store, source: _Source, names: Sequence[str]
) -> dict[tuple[str, str], int | None]:
    """Return the run since which each of some cases has always failed where it failed last.

    A failure ends when the case passes on the card on which it failed last, or has no record.
    """
    if not names:
        return {}
    rows = store.rows(
        "WITH rows AS (SELECT *, last_value(CASE WHEN bad THEN (host, card) END IGNORE NULLS) "  # noqa: S608 - ours
        f"OVER (PARTITION BY card_kind, name ORDER BY n) AS place FROM {source.rows} "
        "WHERE name IN (SELECT unnest(?))), "
        "ended AS (SELECT *, coalesce(max(n) FILTER (NOT bad AND (host = '' OR "
        "(host, card) = place)) OVER (PARTITION BY card_kind, name), -1) AS ended FROM rows) "
        "SELECT card_kind, name, min(n) FILTER (bad AND n > ended) FROM ended GROUP BY ALL",
        [*source.values, list(names)],
    )
    return {(kind, name): since for kind, name, since in rows}


_PLACE = "PARTITION BY subject, card_kind, host, card"


def place_histories(
    store: Store, runs: Sequence[RunFacts]
) -> dict[tuple[str, str], tuple[PlaceHistory, ...]]:
    """Return the histories by card of each subject and product in the table ``seen``."""
    histories: dict[tuple[str, str], list[PlaceHistory]] = {}
    for subject, kind, host, card, tested, broken, fails, began, before in store.rows(
        "WITH own AS (SELECT subject, card_kind, host, card, n, sum(broken) > 0 AS bad FROM seen "  # noqa: S608 - ours
        "WHERE host <> '' GROUP BY ALL), "
        f"ends AS (SELECT *, max(n) OVER ({_PLACE}) AS latest, "
        f"max(n) FILTER (bad) OVER ({_PLACE}) AS last FROM own), "
        "series AS (SELECT *, max(n) FILTER (NOT bad AND n < last) "
        f"OVER ({_PLACE}) AS before FROM ends) "
        "SELECT subject, card_kind, host, card, count(*), count_if(bad), any_value(last = latest), "
        "min(n) FILTER (bad AND n > coalesce(before, -1)), any_value(before) "
        "FROM series GROUP BY subject, card_kind, host, card"
    ):
        place = PlaceHistory(
            host=host,
            card=card,
            runs=tested,
            broken=broken,
            fails=bool(fails),
            began=None if began is None else runs[began],
            before=None if before is None else runs[before],
        )
        histories.setdefault((subject, kind), []).append(place)
    return {
        key: tuple(sorted(places, key=lambda place: (-place.broken, place.host, place.card)))
        for key, places in histories.items()
    }
