# SPDX-License-Identifier: Apache-2.0
"""A comparison as plain text for a terminal, and as Markdown for a merge request."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.report.comparison_document import comparison_document
from aclnn_cts.report.comparison_values import (
    AccuracyDrift,
    CaseChange,
    ChangeKind,
    ClauseChange,
    Direction,
    Gate,
    RunComparison,
    Side,
    TimeDrift,
)
from aclnn_cts.report.waiver_states import told_waivers
from aclnn_cts.report.wording import code, counted, escape, prose


@dataclass(frozen=True)
class Section:
    """A heading and a table.

    Attributes:
        title: What the rows are.
        columns: What their cells are.
        rows: The cells, as text.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


_WORSE: dict[Gate, tuple[str, str]] = {
    "failing": ("case newly fails", "cases newly fail"),
    "unproven": ("case proves nothing any more", "cases prove nothing any more"),
    "otherwise": ("case fails otherwise", "cases fail otherwise"),
    "gone": ("case is gone", "cases are gone"),
    "accuracy": ("error grew", "errors grew"),
    "time": ("time on the device grew", "times on the device grew"),
}

_TITLES: dict[ChangeKind, str] = {
    "newly-failing": "Newly failing",
    "newly-unproven": "Prove nothing any more",
    "fails-otherwise": "Fail otherwise",
    "changed": "Changed otherwise",
    "newly-passing": "Newly passing",
    "gone": "Gone: in BASE only",
    "came": "Came: in NEW only",
}


def headline(comparison: RunComparison) -> str:
    """Return the gate's outcome in one sentence, which agrees with the exit status."""
    worse = [_counted(comparison, gate) for gate in _WORSE if gate in comparison.gates]
    told = list(filter(None, worse))
    if told:
        return f"NEW is worse than BASE: {', '.join(told)}"
    problems = len(comparison.base.problems) + len(comparison.new.problems)
    if problems:
        told_of = counted(problems, "problem")
        return f"Whether NEW is worse than BASE cannot be told: the records have {told_of}"
    if comparison.stale:
        idle = counted(len(comparison.stale), "waiver")
        needed = "is not needed" if len(comparison.stale) == 1 else "are not needed"
        return f"NEW is no worse than BASE, but {idle} {needed} any more"
    better = _better(comparison)
    return "NEW is no worse than BASE" + (f": {better} better" if better else "")


def aside(comparison: RunComparison) -> str:
    """Return what got worse and is no gate, in one line; empty if nothing did."""
    others = [_counted(comparison, gate) for gate in _WORSE if gate not in comparison.gates]
    told = ", ".join(filter(None, others))
    return f"no gate: {told}" if told else ""


def _better(comparison: RunComparison) -> int:
    """Return how much got better of what would count if it had got worse."""
    better: dict[Gate, int] = {
        "failing": len(comparison.of_kind("newly-passing")),
        "accuracy": sum(drift.direction == "better" for drift in comparison.accuracy),
        "time": sum(drift.direction == "better" for drift in comparison.times),
    }
    return sum(count for gate, count in better.items() if gate in comparison.gates)


def _counted(comparison: RunComparison, gate: Gate) -> str:
    """Return how much got worse of what a gate is about; empty if nothing did."""
    count = comparison.worse.get(gate, 0)
    one, several = _WORSE[gate]
    return f"{count} {one if count == 1 else several}" if count else ""


def side_lines(comparison: RunComparison) -> tuple[str, str]:
    """Return a line about each run."""
    return f"BASE {_side(comparison.base)}", f"NEW {_side(comparison.new)}"


def _side(side: Side) -> str:
    cann = f"CANN {side.cann}" if side.cann else "CANN unknown"
    return (
        f"{side.product} on {side.soc}, {cann}, tier {side.tier}, {side.started or 'no date'}: "
        f"{side.cases} cases, {side.failing} failing, {side.waived} waived"
    )


def sections(comparison: RunComparison) -> Iterator[Section]:
    """Yield the sections that have rows; what got worse comes first."""
    options = comparison.options
    every = (
        _differences(comparison),
        *(_cases(comparison, kind) for kind in ("newly-failing", "newly-unproven")),
        _cases(comparison, "fails-otherwise"),
        _accuracy(comparison.accuracy, "worse", options.accuracy_factor),
        _times(comparison.times, "worse", options.time_factor),
        _clauses(comparison.clauses),
        *(_cases(comparison, kind) for kind in ("gone", "changed", "newly-passing")),
        _accuracy(comparison.accuracy, "better", options.accuracy_factor),
        _times(comparison.times, "better", options.time_factor),
        _cases(comparison, "came"),
    )
    yield from (section for section in every if section.rows)


def _differences(comparison: RunComparison) -> Section:
    rows = tuple((d.name, d.base or "-", d.new or "-") for d in comparison.differences)
    return Section("Not the same", ("", "BASE", "NEW"), rows)


def _cases(comparison: RunComparison, kind: ChangeKind) -> Section:
    found = comparison.of_kind(kind)
    rows = tuple(_case(change) for change in found)
    return Section(_TITLES[kind], ("case", "BASE", "NEW", "clauses", "why"), rows)


def _case(change: CaseChange) -> tuple[str, ...]:
    waiver = f"waived by {change.waiver}: " if change.waiver else ""
    return (
        change.case,
        change.base.value if change.base else "-",
        change.new.value if change.new else "-",
        ", ".join(change.clauses) or "-",
        waiver + change.message or "-",
    )


def _accuracy(drifts: Iterable[AccuracyDrift], direction: Direction, factor: float) -> Section:
    word = "grew" if direction == "worse" else "shrank"
    rows = tuple(
        (
            drift.case or f"all {drift.operator} {drift.dtype}",
            drift.figure,
            f"{drift.base:.3g} ulp",
            f"{drift.new:.3g} ulp",
        )
        for drift in drifts
        if drift.direction == direction
    )
    title = f"Errors that {word} by more than a factor of {factor:g}"
    return Section(title, ("case", "error", "BASE", "NEW"), rows)


def _times(drifts: Iterable[TimeDrift], direction: Direction, factor: float) -> Section:
    word = "grew" if direction == "worse" else "shrank"
    rows = tuple(
        (
            drift.case or f"all {drift.operator} {drift.dtype}",
            f"{drift.base:.4g} µs",
            f"{drift.new:.4g} µs",
            f"{drift.ratio:.2f}",
            f"{drift.p_value:.1g}",
            f"{drift.samples[0]} cases" if drift.case is None else _launches(drift.samples),
        )
        for drift in drifts
        if drift.direction == direction
    )
    title = f"Times on the device that {word}, beyond chance, by more than a factor of {factor:g}"
    return Section(title, ("case", "BASE", "NEW", "ratio", "p", "of"), rows)


def _launches(samples: Sequence[int]) -> str:
    return f"{samples[0]} and {samples[1]} launches"


def _clauses(changes: Iterable[ClauseChange]) -> Section:
    rows = tuple(
        (
            f"{change.operator}/{change.clause}",
            change.base or "-",
            change.new or "-",
            str(len(change.newly_failing)),
            str(len(change.newly_passing)),
            change.place,
        )
        for change in changes
        if change.is_news
    )
    columns = ("clause", "BASE", "NEW", "newly failing", "newly passing", "document")
    return Section("Clauses", columns, rows)


Form: TypeAlias = Literal["text", "markdown", "json"]

MOST_ROWS = 20
"""Rows of a section that a person is shown."""

WIDTH = 100
"""Columns on a terminal at most, as of a run's summary; ids alone are longer, and stay whole."""

_CELL = 40
"""Characters of a cell below its row's id before it goes on in the next line."""

_LEAST = 30
"""Columns that a row's last cell, its reason, takes beside the others; else it stands below."""


def as_text(comparison: RunComparison) -> str:
    """Return a comparison for a terminal."""
    return "\n".join(_text(comparison)) + "\n"


def _text(comparison: RunComparison) -> Iterator[str]:
    yield from _lines(headline(comparison))
    yield from _lines(aside(comparison))
    for line in side_lines(comparison):
        yield from _lines(line, "  ")
    for note in comparison.notes:
        yield from _lines(f"note: {note}")
    for told in told_waivers(comparison.waivers):
        yield from _lines(f"waiver {told}")
    for section in sections(comparison):
        yield ""
        yield f"{section.title} ({len(section.rows)})"
        yield from (line.rstrip() for line in _table(section))
        yield from (f"  {line}" for line in _hidden(section))


def _lines(text: str, indent: str = "") -> list[str]:
    """Return a text in lines that fit; a word, such as a case's id, stays whole to be copied."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(section: Section) -> Iterator[str]:
    """Yield a section's rows under their heads: side by side if they fit, else below their ids."""
    rows = (section.columns, *section.rows[:MOST_ROWS])
    whole = [
        line for lines in _beside([[[cell] for cell in row] for row in rows]) for line in lines
    ]
    if max(map(len, whole)) <= WIDTH - 2:
        yield from (f"  {line}" for line in whole)
        return
    for row, lines in zip(rows, _behind_ids(rows), strict=True):
        yield f"  {row[0]}"
        yield from (f"    {line}" for line in lines)


def _behind_ids(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return what stands below the first cell of each row, the last cell beside or below it."""
    middle = [[_folded(cell, _CELL) for cell in row[1:-1]] for row in rows]
    beside = _beside(middle)
    last = [row[-1] for row in rows]
    room = WIDTH - 6 - max(len(line) for lines in beside for line in lines)
    longest_word = max((len(word) for cell in last for word in cell.split()), default=0)
    if room >= max(min(max(map(len, last)), _LEAST), longest_word):
        pairs = zip(middle, last, strict=True)
        return _beside([[*cells, _folded(cell, room)] for cells, cell in pairs])
    below = [[f"  {line}" for line in _folded(cell, WIDTH - 6)] for cell in last]
    return [[*lines, *further] for lines, further in zip(beside, below, strict=True)]


def _beside(rows: Sequence[Sequence[Sequence[str]]]) -> list[list[str]]:
    """Return each row's lines, from cells that are lines themselves; columns have one width."""
    widths = [
        max(len(line) for cell in cells for line in cell) for cells in zip(*rows, strict=True)
    ]
    return [
        [
            "  ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True)).rstrip()
            for lines in itertools.zip_longest(*row, fillvalue="")
        ]
        for row in rows
    ]


def _folded(text: str, width: int) -> list[str]:
    """Return a cell's lines; a word stays whole."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _hidden(section: Section) -> Iterator[str]:
    more = len(section.rows) - MOST_ROWS
    if more > 0:
        yield f"… and {more} more; `--format json` holds all"


def as_markdown(comparison: RunComparison) -> str:
    """Return a comparison for a page that shows Markdown."""
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: RunComparison) -> Iterator[str]:
    yield f"# {headline(comparison)}"
    yield ""
    yield from (f"- {escape(line)}" for line in filter(None, [aside(comparison)]))
    yield from (f"- {escape(line)}" for line in side_lines(comparison))
    yield from (f"- note: {prose(note)}" for note in comparison.notes)
    yield from (f"- waiver {prose(told)}" for told in told_waivers(comparison.waivers))
    for section in sections(comparison):
        yield ""
        yield f"## {section.title} ({len(section.rows)})"
        yield ""
        yield _row(section.columns)
        yield _row(["---"] * len(section.columns))
        yield from (_row(_cells(section, cells)) for cells in section.rows[:MOST_ROWS])
        yield from (f"\n{line}" for line in _hidden(section))


def _cells(section: Section, cells: Sequence[str]) -> list[str]:
    """Return a row's cells for Markdown: ids of cases as code, whatever else as it is."""
    return [
        code(cell) if column == "case" and not cell.startswith("all ") else escape(cell)
        for column, cell in zip(section.columns, cells, strict=True)
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_json(comparison: RunComparison) -> str:
    """Return a comparison for a program; the format is named in it."""
    return comparison_document(comparison).model_dump_json(indent=1) + "\n"


FORMS: Mapping[Form, Callable[[RunComparison], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}
"""What writes each form."""
