# SPDX-License-Identifier: Apache-2.0
"""A comparison as plain text for a terminal, and as Markdown for a merge request."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from aclnn_cts.report.comparison_document import comparison_document
from aclnn_cts.report.comparison_sections import Section, aside, headline, sections, side_lines
from aclnn_cts.report.comparison_values import RunComparison
from aclnn_cts.report.waiver_states import told_waivers
from aclnn_cts.report.wording import code, escape, prose

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
