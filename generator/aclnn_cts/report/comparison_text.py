# SPDX-License-Identifier: Apache-2.0
"""Forms of a comparison: plain text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from aclnn_cts.errors import counted, form, wrapped
from aclnn_cts.report.drift import AccuracyDrift, Direction, TimeDrift
from aclnn_cts.report.formatting import code, escape, prose
from aclnn_cts.report.run_comparison import (
    CaseChange,
    ChangeKind,
    ClauseChange,
    Gate,
    RunComparison,
    Side,
)
from aclnn_cts.report.view import Section
from aclnn_cts.results.document import waiver_notes

_WORSE: dict[Gate, tuple[str, str]] = {
    "failing": ("case newly fails", "cases newly fail"),
    "unproven": ("case is newly unproven", "cases are newly unproven"),
    "otherwise": ("case fails differently", "cases fail differently"),
    "gone": ("case is gone", "cases are gone"),
    "accuracy": ("error grew", "errors grew"),
    "time": ("time on the device grew", "times on the device grew"),
}

_TITLES: dict[ChangeKind, str] = {
    "newly-failing": "Newly failing",
    "newly-unproven": "Newly unproven",
    "fails-otherwise": "Failing differently",
    "changed": "Other changes",
    "newly-passing": "Newly passing",
    "gone": "Gone: in BASE only",
    "came": "Came: in NEW only",
}


def headline(comparison: RunComparison) -> str:
    """Return the gate's outcome in one sentence, which agrees with the exit status."""
    if worse := _regressions(comparison, gated=True):
        return f"NEW is worse than BASE: {worse}"
    if problems := len(comparison.base.problems) + len(comparison.new.problems):
        text = counted(problems, "problem")
        return f"Whether NEW is worse than BASE is unknown: the records have {text}"
    if stale := len(comparison.stale):
        waivers = f"{counted(stale, 'waiver')} {form(stale, 'is', 'are')}"
        return f"NEW is no worse than BASE, but {waivers} no longer needed"
    better = _better(comparison)
    return "NEW is no worse than BASE" + (f": {better} better" if better else "")


def aside(comparison: RunComparison) -> str:
    """Return regressions outside the gates in one line, or ""."""
    others = _regressions(comparison, gated=False)
    return f"no gate: {others}" if others else ""


def _better(comparison: RunComparison) -> int:
    """Return the number of improvements of the kinds that a gate counts."""
    better: dict[Gate, int] = {
        "failing": len(comparison.of_kind("newly-passing")),
        "accuracy": sum(drift.direction == "better" for drift in comparison.accuracy),
        "time": sum(drift.direction == "better" for drift in comparison.times),
    }
    return sum(count for gate, count in better.items() if gate in comparison.gates)


def _regressions(comparison: RunComparison, *, gated: bool) -> str:
    """Return the numbers of regressions in words, those in the gates or those outside."""
    counts = comparison.worse
    return ", ".join(
        f"{counts[gate]} {form(counts[gate], *words)}"
        for gate, words in _WORSE.items()
        if gate in counts and (gate in comparison.gates) is gated
    )


def note_lines(comparison: RunComparison) -> tuple[str, ...]:
    """Return notes, and waivers with messages."""
    waivers = (f"waiver {note}" for note in waiver_notes(comparison.waivers))
    return (*(f"note: {note}" for note in comparison.notes), *waivers)


def side_lines(comparison: RunComparison) -> tuple[str, str]:
    return f"BASE {_side(comparison.base)}", f"NEW {_side(comparison.new)}"


def _side(side: Side) -> str:
    cann = f"CANN {side.cann}" if side.cann else "CANN unknown"
    return (
        f"{side.product} on {side.soc}, {cann}, tier {side.tier}, {side.started or 'no date'}: "
        f"{counted(side.cases, 'case')}, {side.failing} failing, {side.waived} waived"
    )


def sections(comparison: RunComparison) -> Iterator[Section]:
    """Yield the sections that have rows; regressions come first."""
    options = comparison.options
    differences = tuple((d.name, d.base or "-", d.new or "-") for d in comparison.differences)
    every = (
        Section("Differences", ("", "BASE", "NEW"), differences),
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


def _cases(comparison: RunComparison, kind: ChangeKind) -> Section:
    rows = tuple(map(_case, comparison.of_kind(kind)))
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
            counted(drift.samples[0], "case")
            if drift.case is None
            else "{} and {} launches".format(*drift.samples),
        )
        for drift in drifts
        if drift.direction == direction
    )
    title = f"Times on the device that {word}, beyond chance, by more than a factor of {factor:g}"
    return Section(title, ("case", "BASE", "NEW", "ratio", "p", "of"), rows)


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
"""Maximum number of rows of a section in text forms."""

WIDTH = 100
"""Maximum table width, as in a run's summary; ids are never truncated."""


def as_text(comparison: RunComparison) -> str:
    return "\n".join(_text(comparison)) + "\n"


def _text(comparison: RunComparison) -> Iterator[str]:
    yield from wrapped(headline(comparison), WIDTH)
    yield from wrapped(aside(comparison), WIDTH)
    for line in side_lines(comparison):
        yield from wrapped(line, WIDTH, "  ")
    for note in note_lines(comparison):
        yield from wrapped(note, WIDTH)
    for section in sections(comparison):
        yield ""
        yield f"{section.title} ({len(section.rows)})"
        yield from (line.rstrip() for line in _table(section))
        yield from (f"  {line}" for line in _hidden(section))


def _table(section: Section) -> Iterator[str]:
    """Yield a section as a table if it fits, else with the cells below the ids."""
    rows = (section.columns, *section.rows[:MOST_ROWS])
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= WIDTH:
        for row in rows:
            yield "  " + "  ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True))
        return
    for name, *cells in rows[1:]:
        yield f"  {name}"
        pairs = zip(section.columns[1:], cells, strict=True)
        yield from wrapped("; ".join(f"{head}: {cell}" for head, cell in pairs), WIDTH, "    ")


def _hidden(section: Section) -> Iterator[str]:
    more = len(section.rows) - MOST_ROWS
    if more > 0:
        yield f"… and {more} more; `--format json` holds all"


def as_markdown(comparison: RunComparison) -> str:
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: RunComparison) -> Iterator[str]:
    yield f"# {headline(comparison)}"
    yield ""
    yield from (f"- {escape(line)}" for line in filter(None, [aside(comparison)]))
    yield from (f"- {escape(line)}" for line in side_lines(comparison))
    yield from (f"- {prose(note)}" for note in note_lines(comparison))
    for section in sections(comparison):
        yield ""
        yield f"## {section.title} ({len(section.rows)})"
        yield ""
        yield _row(section.columns)
        yield _row(["---"] * len(section.columns))
        yield from (_row(_cells(section, cells)) for cells in section.rows[:MOST_ROWS])
        yield from (f"\n{line}" for line in _hidden(section))


def _cells(section: Section, cells: Sequence[str]) -> list[str]:
    """Return a row's cells for Markdown: ids of cases as code, other text escaped."""
    return [
        code(cell) if column == "case" and not cell.startswith("all ") else escape(cell)
        for column, cell in zip(section.columns, cells, strict=True)
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_json(comparison: RunComparison) -> str:
    return comparison.model_dump_json(indent=1) + "\n"


FORMS: Mapping[Form, Callable[[RunComparison], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}
"""Writer of each form."""
