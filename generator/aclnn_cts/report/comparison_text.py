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
from aclnn_cts.report.waiving import told_waivers
from aclnn_cts.report.wording import code, escape, prose

Form: TypeAlias = Literal["text", "markdown", "json"]

MOST_ROWS = 20
"""Rows of a section that a person is shown."""

_WIDEST = 100
"""Characters of a cell on a terminal before it goes on in the next line."""


def as_text(comparison: RunComparison) -> str:
    """Return a comparison for a terminal."""
    return "\n".join(_text(comparison)) + "\n"


def _text(comparison: RunComparison) -> Iterator[str]:
    yield headline(comparison)
    yield from filter(None, [aside(comparison)])
    yield from (f"  {line}" for line in side_lines(comparison))
    yield from (f"note: {note}" for note in comparison.notes)
    yield from (f"waiver {told}" for told in told_waivers(comparison.waivers))
    for section in sections(comparison):
        yield ""
        yield f"{section.title} ({len(section.rows)})"
        yield from (f"  {line}" for line in _aligned(section))
        yield from (f"  {line}" for line in _hidden(section))


def _aligned(section: Section) -> Iterator[str]:
    rows = (tuple(map(_folded, cells)) for cells in section.rows[:MOST_ROWS])
    shown = [tuple([name] for name in section.columns), *rows]
    widths = [
        max(len(line) for cell in cells for line in cell) for cells in zip(*shown, strict=True)
    ]
    for cells in shown:
        for lines in itertools.zip_longest(*cells, fillvalue=""):
            padded = (line.ljust(width) for line, width in zip(lines, widths, strict=True))
            yield "  ".join(padded).rstrip()


def _folded(text: str) -> list[str]:
    """Return a cell's lines; a word, such as a case's id, stays whole to be copied."""
    return textwrap.wrap(text, _WIDEST, break_long_words=False, break_on_hyphens=False) or [""]


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
