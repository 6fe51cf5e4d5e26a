# SPDX-License-Identifier: Apache-2.0
"""The tables of a page: heat map, clauses, accuracy, times, open points, comparisons, cases."""

from __future__ import annotations

import functools
import heapq
import math
import statistics
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import open_points, percentage
from aclnn_cts.report.run_comparison import RunComparison, compare_results
from aclnn_cts.report.totals import REFUSALS, SLOWEST, Accuracy, column_of, device_time
from aclnn_cts.report.view import STATES, Run, State
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import (
    ClauseState,
    ClauseVerdict,
    DocumentGap,
    ResultsDocument,
    Silence,
)

ALL = "all"

MOST_CLAUSES = 2_000
"""Maximum number of clauses on the page; those with the best verdicts are left out."""

MOST_ROWS = 200
"""Maximum number of rows of any other table; commands and result files have all."""

MOST_CASES = 10_000
"""Maximum number of listed cases, so that any browser opens the page and filters are fast."""

CLAUSE_STATES: dict[ClauseState, State] = {
    "fail": "bad",
    "unproven": "warn",
    "unenforced": "note",
    "untested": "note",
    "contested-only": "note",
    "pass": "good",
}
"""The colours of the clauses' verdicts, the worst verdict first."""

_DEPTHS = 5
_KEPT = ("pass", "contested-only")

_BEYOND = -1.0
"""Replaces infinite errors, for which JSON has no literal."""

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


def _group_by(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


@dataclass(frozen=True)
class Cell:
    """Cases of one row and column of the heat map.

    Attributes:
        cases: Number of cases without unenforced ones.
        unenforced: Number of unenforced cases.
        kept: Number of cases that broke no promise.
        depth: The colour's strength, 1 to 5.
    """

    cases: int
    unenforced: int
    kept: int
    state: State
    depth: int

    @property
    def share(self) -> str:
        """The share that passes; 100 % only if all do, and a word if there is none."""
        return percentage(self.kept, self.cases) if self.cases else "unenforced"

    @property
    def numbers(self) -> str:
        more = f", {self.unenforced:,} unenforced" if self.unenforced else ""
        return f"{self.kept:,} of {self.cases:,} kept{more}"


class Column(NamedTuple):
    """A column of the heat map: its head, and the filter that leaves its cases."""

    name: str
    filter: str


class Row(NamedTuple):
    """The cells of an operator or family, None for no case, and their worst state."""

    name: str
    cells: tuple[Cell | None, ...]
    state: State

    @property
    def is_calm(self) -> bool:
        """Whether nothing in it failed or proves nothing."""
        return self.state in ("good", "note")


class Family(NamedTuple):
    """The totals of a family, and its operators, the worst first."""

    total: Row
    operators: tuple[Row, ...]


class HeatMap(NamedTuple):
    """The share of the cases that passes, by operator.

    ``data_types`` is the number of columns of data types, which come last, the most frequent first.
    """

    columns: tuple[Column, ...]
    data_types: int
    families: tuple[Family, ...]


def heat_map(runs: Sequence[Run]) -> HeatMap:
    """Return the heat map of some runs, with a column for each of several.

    Columns are the data types of valid calls; refused calls have their own column, because many
    have unsupported data types.
    """
    outcomes: dict[str, dict[str, Counter[str]]] = {}
    operators_of: Counter[str] = Counter()
    for run in runs:
        labels = (ALL, run.label) if len(runs) > 1 else (ALL,)
        for operator, sums in run.sums.operators.items():
            row = outcomes.setdefault(operator, {})
            operators_of.update({column for column, _ in sums.outcomes})
            for (column, outcome), count in sums.outcomes.items():
                for name in (*labels, column):
                    row.setdefault(name, Counter())[outcome] += count
    refusals = [REFUSALS] if operators_of.pop(REFUSALS, 0) else []
    data_types = sorted(operators_of, key=lambda name: (-operators_of[name], name))
    columns = (
        Column(ALL, ""),
        *(Column(name, f"&dtype={name}") for name in refusals),
        *(Column(run.label, f"&run={run.label}") for run in runs if len(runs) > 1),
        *(Column(name, f"&dtype={name}") for name in data_types),
    )
    family_of = {name: f for run in runs for name, f in run.document.scope.families.items()}
    families = []
    for family, names in _group_by(sorted(outcomes), lambda o: family_of.get(o, "other")).items():
        total: dict[str, Counter[str]] = {}
        for name in names:
            for column, counts in outcomes[name].items():
                total.setdefault(column, Counter()).update(counts)
        rows = sorted((_heat_row(name, outcomes[name], columns) for name in names), key=_severity)
        families.append(Family(_heat_row(family, total, columns), tuple(rows)))
    families.sort(key=lambda family: (_severity(family.total), family.total.name))
    return HeatMap(columns, len(data_types), tuple(families))


def _heat_row(name: str, cells: Mapping[str, Counter[str]], columns: Sequence[Column]) -> Row:
    row_cells = tuple(_cell(cells[c.name]) if c.name in cells else None for c in columns)
    return Row(name, row_cells, _cell(cells[ALL]).state)


_SEVERITIES: tuple[State, ...] = ("bad", "warn", "note", "good")


def _severity(row: Row) -> int:
    """Return the rank of a row: 0 if it fails."""
    return _SEVERITIES.index(row.state)


def _cell(outcomes: Counter[str]) -> Cell:
    states = {STATES[outcome] for outcome in outcomes}
    kept = sum(outcomes[outcome] for outcome in _KEPT)
    unenforced = outcomes["unenforced"]
    counting = outcomes.total() - unenforced
    calm: State = "good" if kept == outcomes.total() else "note"
    state = next((state for state in _SEVERITIES[:2] if state in states), calm)
    wrong = counting - kept
    depth = math.ceil(_DEPTHS * wrong / counting) if wrong else 1
    return Cell(counting, unenforced, kept, state, depth)


@dataclass(frozen=True)
class ClauseRow:
    """One clause.

    Attributes:
        key: The anchor: operator and clause.
        clause: Its verdict in the first run that has it.
        worst: Its worst verdict.
        runs: Its verdicts with the labels of the runs.
        cases: Number of cases that test it, over all runs.
        contested: Elements on which it contradicts another clause.
    """

    key: str
    clause: ClauseVerdict
    worst: ClauseState
    runs: tuple[tuple[str, ClauseState], ...]
    cases: int
    contested: int


class OperatorClauses(NamedTuple):
    """The clauses of one operator, the worst first, and counts by worst verdict.

    ``left_out`` is the number of clauses that are not listed.
    """

    operator: str
    rows: list[ClauseRow]
    counts: dict[ClauseState, int]
    left_out: int


def clauses_by_operator(runs: Sequence[Run], most: int = MOST_CLAUSES) -> list[OperatorClauses]:
    """Return the clauses of all runs by operator: failing ones first, else as in the documents.

    Args:
        most: Maximum number of listed clauses; if there are more, the best verdicts are left out.
    """
    every = [(run.label, clause) for run in runs for clause in run.document.clauses]
    order = list(CLAUSE_STATES)
    rows = sorted(
        map(_row, _group_by(every, lambda v: (v[1].operator, v[1].clause)).values()),
        key=lambda row: order.index(row.worst),
    )
    shown = {row.key for row in rows[:most]}
    return [
        OperatorClauses(
            operator,
            [row for row in of_operator if row.key in shown],
            dict(Counter(row.worst for row in of_operator)),
            sum(row.key not in shown for row in of_operator),
        )
        for operator, of_operator in sorted(_group_by(rows, lambda r: r.clause.operator).items())
    ]


def _row(entries: Sequence[tuple[str, ClauseVerdict]]) -> ClauseRow:
    first = entries[0][1]
    verdicts = {clause.verdict for _, clause in entries}
    # untested on one product does not affect a pass on another one
    tested = verdicts - {"untested"} or verdicts
    return ClauseRow(
        key=f"{first.operator}/{first.clause}",
        clause=first,
        worst=next(state for state in CLAUSE_STATES if state in tested),
        runs=tuple((label, clause.verdict) for label, clause in entries),
        cases=sum(clause.cases for _, clause in entries),
        contested=sum(clause.contested for _, clause in entries),
    )


class AccuracyRow(NamedTuple):
    """Accuracy of an operator in one data type in a run; ``worst_case`` is an anchor."""

    run: str
    operator: str
    dtype: str
    sums: Accuracy
    worst_case: str


def accuracies(runs: Sequence[Run], most: int = MOST_ROWS) -> list[AccuracyRow]:
    """Return the accuracy of each operator and data type; of very many, the largest errors."""
    rows = [
        AccuracyRow(run.label, operator, dtype, sums, run.key(sums.worst_case))
        for run in runs
        for operator, of_operator in sorted(run.sums.operators.items())
        for dtype, sums in sorted(of_operator.accuracy.items())
    ]
    if len(rows) <= most:
        return rows
    return heapq.nlargest(most, rows, key=lambda row: row.sums.worst_share)


class Timing(NamedTuple):
    """Times of cases: seconds on the host, and median microseconds of a launch."""

    run: str
    name: str
    cases: int
    host_seconds: float
    device_microseconds: float | None


def timings(runs: Sequence[Run], most: int = MOST_ROWS) -> list[Timing]:
    """Return the times of each operator, in the runs' order; of very many, the longest."""
    rows = [
        Timing(
            run.label,
            operator,
            sums.counts.total(),
            sums.host_seconds,
            statistics.median(sums.device) if sums.device else None,
        )
        for run in runs
        for operator, sums in run.sums.operators.items()
    ]
    if len(rows) <= most:
        return rows
    return heapq.nlargest(most, rows, key=lambda row: row.host_seconds)


def slowest(runs: Sequence[Run]) -> list[Timing]:
    """Return the slowest cases, on the device if times are known, else on the host."""
    cases = [
        Timing(run.label, run.key(name), 1, host, device)
        for run in runs
        for name, host, device in run.sums.slowest
    ]
    cases.sort(key=lambda case: (case.device_microseconds or 0.0, case.host_seconds), reverse=True)
    return cases[:SLOWEST]


class Reading(NamedTuple):
    """A text, with the labels of its runs."""

    text: str
    runs: tuple[str, ...]


class Contradiction(NamedTuple):
    """Two clauses that cannot both be kept, and which of them the devices follow."""

    operator: str
    clauses: tuple[str, str]
    elements: int
    readings: list[Reading]


class Openings(NamedTuple):
    """Points that the documents leave open, with statuses that the device returned."""

    contradictions: list[Contradiction]
    silences: list[Silence]
    statuses: list[tuple[DocumentGap, list[Reading]]]

    @property
    def numbers(self) -> str:
        """The numbers of open points, as a sentence."""
        return open_points(len(self.contradictions), len(self.silences), len(self.statuses))


def openings_of(runs: Sequence[Run]) -> Openings:
    """Return the open points of some runs' documents, each once, in order."""
    contests = [(run.label, each) for run in runs for each in run.document.contradictions]
    gaps = [(run.label, gap) for run in runs for gap in run.document.document_gaps]
    silences = dict.fromkeys(each for run in runs for each in run.document.not_promised)
    return Openings(
        contradictions=[
            Contradiction(
                *key,
                sum(contest.elements for _, contest in group),
                _readings((label, contest.followed) for label, contest in group),
            )
            for key, group in _group_by(contests, lambda c: (c[1].operator, c[1].clauses)).items()
        ],
        silences=list(silences),
        statuses=[
            (
                group[0][1],
                _readings((label, " and ".join(gap.given)) for label, gap in group if gap.given),
            )
            for group in _group_by(gaps, lambda g: (g[1].operator, g[1].clause)).values()
        ],
    )


def _readings(entries: Iterable[tuple[str, str]]) -> list[Reading]:
    """Return each text once, with the labels of its runs."""
    return [
        Reading(text, tuple(label for label, _ in group))
        for text, group in _group_by(entries, lambda each: each[1]).items()
    ]


def without_baseline(base: ResultsDocument | None, runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs of a page without its baseline; all if it is the only one."""
    if base is None:
        return tuple(runs)
    others = tuple(
        run
        for run in runs
        # the nonce identifies the run, however it was judged
        if run.document != base and (not base.nonce or run.document.nonce != base.nonce)
    )
    return others or tuple(runs)


def comparisons_with(base: ResultsDocument, runs: Sequence[Run]) -> list[tuple[Run, RunComparison]]:
    """Compare runs with an earlier run of their product.

    Raises:
        NotTrustworthyError: There is none, or two runs cannot be compared.
    """
    product = base.device.product
    others = without_baseline(base, runs)
    comparable = [run for run in others if run.document.device.product == product]
    if not comparable:
        labels = ", ".join(run.label for run in runs)
        raise NotTrustworthyError(
            f"the baseline is about {product}, but the page's runs are not ({labels}); name a "
            "baseline of the same product"
        )
    return [(run, compare_results(base, run.document)) for run in comparable]


_COLUMNS = (
    *("run", "id", "operator", "verdict", "dtype", "scene", "exercised", "broken", "share", "ulp"),
    *("milliseconds", "device", "told", "message", "behind"),
)


html_json = functools.partial(
    htmlsafe_json_dumps, ensure_ascii=False, allow_nan=False, separators=(",", ":")
)
"""Return JSON that cannot end its script element, whatever a device says."""


def page_data(runs: Sequence[Run], detailed: Collection[str], most: int = MOST_CASES) -> Markup:
    """Return the cases as compact JSON for the page's script.

    Names, clauses and sets of clauses are numbered, so that each is written once. If there are more
    cases than are listed, passed ones are left out first.

    Args:
        detailed: Keys of the cases that the page shows in full.
        most: Maximum number of listed cases.
    """
    names: dict[str, int] = {}
    clauses: dict[str, int] = {}
    sets: dict[tuple[int, ...], int] = {}

    def number_of(name: str) -> int:
        return names.setdefault(name, len(names))

    def set_of(case: CaseEntry, ids: Sequence[str]) -> int:
        keys = (f"{case.operator}/{name}" for name in ids)
        numbers = tuple(clauses.setdefault(key, len(clauses)) for key in keys)
        return sets.setdefault(numbers, len(sets))

    def row(place: int, run: Run, case: CaseEntry) -> list[object]:
        strict = case.standards.get("strict")
        device = device_time(case)
        is_detailed = run.key(case.id) in detailed
        return [
            place,
            case.id,
            number_of(case.operator),
            number_of(case.outcome),
            number_of(column_of(case)),
            number_of(case.scene),
            set_of(case, case.exercised),
            set_of(case, case.broken),
            None if strict is None else _short(strict.worst_share),
            None if strict is None else _short(strict.worst_ulp),
            _short(1000 * case.seconds),
            None if device is None else _short(device),
            int(is_detailed),
            case.message,
            run.command(case) if case.after and not is_detailed else "",
        ]

    cases = [row(place, run, case) for place, run, case in _choose_cases(runs, most)]
    return html_json(
        {
            "runs": [{"label": run.label, "command": run.command_start} for run in runs],
            "alone": len(runs) == 1,
            "states": STATES,
            "names": list(names),
            "clauses": list(clauses),
            "sets": [list(each) for each in sets],
            "columns": _COLUMNS,
            "cases": cases,
        }
    )


def _choose_cases(runs: Sequence[Run], most: int) -> Iterator[tuple[int, Run, CaseEntry]]:
    """Yield the listed cases in the runs' order, with run and run number."""
    planned = sum(run.sums.planned for run in runs)
    passing = sum(run.sums.counts[Verdict.PASS.value] for run in runs)
    others = min(planned - passing, most)
    room = {True: most - others, False: others}
    for place, run in enumerate(runs):
        cases: Iterable[CaseEntry] = run.document.cases
        if not room[True]:
            bad = [verdict for verdict in Verdict if verdict is not Verdict.PASS]
            cases = CaseFile.of(run.document.cases).where(verdicts=bad)
        for case in cases:
            passed = case.verdict is Verdict.PASS
            if room[passed]:
                room[passed] -= 1
                yield place, run, case
            elif not any(room.values()):
                return


def _short(value: float) -> float:
    return float(f"{value:.3g}") if math.isfinite(value) else _BEYOND
