# SPDX-License-Identifier: Apache-2.0
"""History of cases and clauses over the runs of a store."""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from aclnn_cts.errors import WrongInputError
from aclnn_cts.store import schema
from aclnn_cts.store.recording import contract_only
from aclnn_cts.store.runs import (
    RunFacts,
    Selection,
    content_of,
    differences,
    located,
    operators_of,
    selected,
    sheets_of,
)
from aclnn_cts.store.sheets import BROKEN, BY_WEIGHT, Letters, letters_of, places_of

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.intp]
Places = npt.NDArray[np.int32]

_WEIGHTS = np.zeros(256, dtype=np.uint8)
for _weight, _letter in enumerate(BY_WEIGHT):
    _WEIGHTS[ord(_letter)] = _weight

IS_BROKEN: Mask = np.zeros(256, dtype=np.bool_)
"""Masks letters of cases that break a promise."""
IS_BROKEN[[ord(letter) for letter in BROKEN]] = True


def worst_letter(letters: Letters) -> str:
    """Return the most severe of the letters (at least one)."""
    return BY_WEIGHT[int(_WEIGHTS[letters].max())]


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
    def _longest_failing(self) -> PlaceHistory | None:
        """The card that has failed longest; if none fails now, that of the latest series."""
        began = {place.began.age: place for place in self.places if place.began is not None}
        fails = {age: place for age, place in began.items() if place.fails}
        if fails:
            return fails[min(fails)]
        return began[max(began)] if began else None

    @property
    def began(self) -> RunFacts | None:
        """The first run of the latest failures; None if none failed on a known card."""
        place = self._longest_failing
        return place.began if place is not None else None

    @property
    def since(self) -> RunFacts | None:
        """The run since which all runs on some card failed, if any."""
        place = self._longest_failing
        return place.began if place is not None and place.fails else None

    @property
    def before(self) -> RunFacts | None:
        """The last passing run before :attr:`began`, on that card if it had one."""
        place = self._longest_failing
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


_STATE = np.dtype(
    [(name, np.intp) for name in ("runs", "broken", "first", "last", "since", "place")]
)


@dataclass
class _Tally:
    """State of one product's cases while sheets are read.

    Attributes:
        cases: By case number, as in :class:`CaseHistory`; numbers of runs, 0 for none.
        latest: The last run of each operator.
    """

    points: dict[int, list[Any]] = field(default_factory=dict)
    cases: npt.NDArray[np.void] = field(default_factory=lambda: np.zeros(0, _STATE))
    places: dict[int, tuple[set[int], set[int]]] = field(default_factory=dict)
    latest: dict[int, int] = field(default_factory=dict)

    def grow(self, size: int) -> None:
        """Make room for new cases."""
        more = size - len(self.cases)
        if more > 0:
            self.cases = np.concatenate((self.cases, np.zeros(more, _STATE)))

    def note(
        self, run: RunFacts, cases: Numbers, places: Places, broken: Mask, letter: str
    ) -> None:
        """Add the outcomes of cases in the next run, or of further cases in the same run."""
        at = np.broadcast_to(places, cases.shape)
        state = self.cases
        state["runs"][cases] += 1
        bad = cases[broken]
        state["broken"][bad] += 1
        for name in ("first", "since"):
            state[name][bad] = np.where(state[name][bad] == 0, run.id, state[name][bad])
        state["last"][bad] = run.id
        state["place"][bad] = at[broken]
        sound, there = cases[~broken], at[~broken]
        elsewhere = (there != state["place"][sound]) & (there != schema.NOWHERE)
        state["since"][sound[~elsewhere]] = 0
        point = self.points.setdefault(run.id, [BY_WEIGHT[0], 0, 0])
        point[0] = max(point[0], letter, key=BY_WEIGHT.index)
        point[1] += len(cases)
        point[2] += len(bad)

    def place(self, run: int, places: Places, broken: Mask) -> None:
        """Add the cards of these cases."""
        for number in set(places.tolist()) - {schema.NOWHERE}:
            here = places == number if len(places) > 1 else True
            runs, failing = self.places.setdefault(number, (set(), set()))
            runs.add(run)
            if np.any(broken & here):
                failing.add(run)


class _Names:
    """The selected cases of each list of names that sheets refer to."""

    def __init__(self, connection: Connection, subject: Subject) -> None:
        self._connection = connection
        self._subject = subject
        self._known: dict[tuple[int, int], tuple[Numbers, Numbers, int]] = {}
        self.numbers: dict[str, int] = {}
        self.matched: set[str] = set()

    def of(self, names: int, facts: int) -> tuple[Numbers, Numbers, int]:
        """Return the cases' indices in the sheet, their numbers, and the clause's index (or -1)."""
        clause = self._subject.clause
        key = names, facts if clause else 0
        if key not in self._known:
            self._known[key] = self._find(names, facts)
        return self._known[key]

    def _find(self, names: int, facts: int) -> tuple[Numbers, Numbers, int]:
        content = content_of(self._connection, names)
        ids: list[str] = content["cases"]
        places = list(range(len(ids)))
        clause = -1
        if self._subject.clause:
            if self._subject.clause not in content["clauses"]:
                return np.zeros(0, np.intp), np.zeros(0, np.intp), -1
            clause = content["clauses"].index(self._subject.clause)
            cases = content_of(self._connection, facts)["cases"]
            places = [place for place in places if clause in cases[place][3]]
        if self._subject.cases:
            wanted: set[str] = set()
            for pattern in self._subject.cases:
                found = fnmatch.filter(ids, pattern)
                wanted.update(found)
                if found:
                    self.matched.add(pattern)
            places = [place for place in places if ids[place] in wanted]
        numbers = [self.numbers.setdefault(ids[place], len(self.numbers)) for place in places]
        return np.array(places, np.intp), np.array(numbers, np.intp), clause


def _operators(connection: Connection, subject: Subject) -> dict[int, str]:
    """Return the operators that may have such cases, by number."""
    # an id begins with its operator, so most patterns exclude most operators
    heads = {pattern.partition(".")[0] for pattern in subject.cases}

    def may_have(name: str) -> bool:
        return not heads or any(
            fnmatch.fnmatchcase(name.removeprefix("aclnn"), head) or "*" in head for head in heads
        )

    return {
        number: name
        for number, name in operators_of(connection, subject.operators).items()
        if may_have(name)
    }


def history(connection: Connection, subject: Subject, selection: Selection) -> tuple[History, ...]:
    """Return the history of some cases on each product.

    Raises:
        WrongInputError: No run, operator, case or clause matches.
    """
    runs = selected(connection, selection)
    operators = _operators(connection, subject)
    names = _Names(connection, subject)
    tallies: dict[str, _Tally] = {}

    @functools.cache
    def breaking(details: int) -> list[int]:
        """Return the indices of the cases that broke the clause, from the details of a sheet."""
        cases = content_of(connection, details)["cases"]
        return [
            int(place) for place, each in cases.items() if subject.clause in each.get("broken", ())
        ]

    columns = ("operator", "letters", "clauses", "places", "names", "facts", "details")
    for row in sheets_of(connection, runs, operators, columns):
        run = runs[row.run]
        places, numbers, clause = names.of(row.names, row.facts)
        if not len(places):
            continue
        letters = letters_of(row.letters)[places]
        if clause >= 0:
            letter = chr(letters_of(row.clauses)[clause])
            broken = np.isin(places, breaking(row.details))
        else:
            letter = worst_letter(letters)
            broken = IS_BROKEN[letters]
        tally = tallies.setdefault(run.card_kind, _Tally())
        tally.grow(len(names.numbers))
        ran = places_of(row.places)
        ran = ran[places] if len(ran) > 1 else ran
        tally.note(run, numbers, ran, broken, letter)
        tally.place(run.id, ran, broken)
        tally.latest[row.operator] = run.id
    _require_found(subject, names, tallies)
    return tuple(
        _history(connection, product, tally, runs, list(names.numbers), operators)
        for product, tally in sorted(tallies.items())
    )


def _require_found(subject: Subject, names: _Names, tallies: Mapping[str, _Tally]) -> None:
    for pattern in subject.cases:
        if pattern not in names.matched:
            raise WrongInputError(f"no case in the store matches {pattern!r}")
    if not tallies:
        asked = f"tests {subject.clause!r}" if subject.clause else "matches"
        raise WrongInputError(f"no case in the store {asked}; see `aclnn-cts store show RUN`")


def _history(
    connection: Connection,
    product: str,
    tally: _Tally,
    runs: Mapping[int, RunFacts],
    names: Sequence[str],
    operators: Mapping[int, str],
) -> History:
    points = tuple(
        Point(run, *tally.points[number]) for number, run in runs.items() if number in tally.points
    )
    order = {number: place for place, number in enumerate(runs)}
    failed = np.flatnonzero(tally.cases["broken"])
    cases = [
        CaseHistory(
            case=names[number],
            runs=tested,
            broken=broken,
            first=runs[first],
            last=runs[last],
            since=runs.get(since),
        )
        for number, (tested, broken, first, last, since, _) in zip(
            failed.tolist(), tally.cases[failed].tolist(), strict=True
        )
    ]
    cases.sort(key=lambda each: (each.since is None, order[(each.since or each.last).id]))
    known = located(connection)
    places = [
        _place(*known[number], [runs[run] for run in sorted(held, key=order.__getitem__)], failing)
        for number, (held, failing) in tally.places.items()
    ]
    places.sort(key=lambda each: (-each.broken, each.host, each.card))
    marked = {run: contract_only(connection, run) for run in {*tally.latest.values()}}
    untested = (
        name
        for number, name in operators.items()
        if number in tally.latest and name in marked[tally.latest[number]]
    )
    return History(product, points, tuple(cases), tuple(places), tuple(untested))


def _place(
    host: str, card: int, runs: Sequence[RunFacts], failing: Collection[int]
) -> PlaceHistory:
    """Return the history of a card from its runs, the earliest first."""
    fails = [run.id in failing for run in reversed(runs)]
    latest = fails.index(True) if failing else len(runs)
    sound = fails.index(False, latest) if False in fails[latest:] else len(runs)
    return PlaceHistory(
        host=host,
        card=card,
        runs=len(runs),
        broken=len(failing),
        fails=fails[0],
        began=runs[len(runs) - sound] if failing else None,
        before=runs[len(runs) - sound - 1] if failing and sound < len(runs) else None,
    )
