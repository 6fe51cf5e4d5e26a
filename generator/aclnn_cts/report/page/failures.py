# SPDX-License-Identifier: Apache-2.0
"""The failing cases of a page, group by group, and the pictures of their wrong outputs."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree import ElementTree as ET

from aclnn_cts.errors import counted
from aclnn_cts.judge.comparison import EDGES, NOTHING, ErrorBin, Picture
from aclnn_cts.report.common_cause import Group, groups_of
from aclnn_cts.report.formatting import percentage
from aclnn_cts.report.view import Run
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import ClauseVerdict
from aclnn_cts.results.failure_message import common_texts, without_where

DETAIL_BYTES = 2_500_000
"""Bytes for details of single cases; a page of 5,000 cases stays under 5 MB."""

_OPEN = 10
"""Number of open cases of a large group."""

_NEARLY = 2
"""Number of further cases that are not worth folding."""

_NAMED = 2
"""Maximum number of named clauses of a group."""


@dataclass(frozen=True)
class Detail:
    """One failing case.

    Attributes:
        key: The anchor.
        case: The case.
        clauses: The broken clauses, except those that only say where, by id; None if the run has no
            verdict on one.
        only_in: The feature to which the operator's wrong values are limited.
        call: The description of the call; empty if the record lacks it.
        command: Runs it again.
    """

    key: str
    case: CaseEntry
    clauses: Mapping[str, ClauseVerdict | None]
    only_in: str
    call: str
    command: str


@dataclass(frozen=True)
class FailingGroup:
    """Failing cases with something in common.

    Attributes:
        title: What they have in common.
        figures: The numbers of failing and passing cases with it, as text.
        details: The cases that are shown in full.
        further: Keys of cases without room.
    """

    run: Run
    group: Group
    title: str
    figures: str
    details: tuple[Detail, ...]
    further: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return f"failing={self.run.key(self.group.cases[0])}"

    @property
    def first(self) -> tuple[Detail, ...]:
        """The open cases."""
        return self.details[:_OPEN] if len(self.details) > _OPEN + _NEARLY else self.details

    @property
    def folded(self) -> tuple[Detail, ...]:
        """The collapsed cases."""
        return self.details[len(self.first) :]

    @property
    def named(self) -> tuple[tuple[str, int], ...]:
        """The clauses that its cases name first, with counts, up to a limit."""
        clauses = self.group.clauses
        return clauses if len(clauses) <= _NAMED + 1 else clauses[:_NAMED]

    @property
    def unnamed(self) -> int:
        """Number of such clauses beyond the limit."""
        return len(self.group.clauses) - len(self.named)


class FailingOperator(NamedTuple):
    """A failing operator in the first screen.

    Attributes:
        anchor: The anchor of its largest group.
        cases: Number of its failing cases.
        title: The title of its largest group.
        is_new: Whether a case of it did not fail in the baseline.
    """

    name: str
    anchor: str
    cases: int
    title: str
    is_new: bool


def failing_operators(
    groups: Sequence[FailingGroup], newly_failing: Collection[str]
) -> tuple[FailingOperator, ...]:
    """Return the operators of some groups: new ones first, then the most cases.

    Args:
        newly_failing: The operators with a case that did not fail in the baseline.
    """
    cases = Counter[str]()
    first: dict[str, FailingGroup] = {}
    for group in groups:
        cases[group.group.operator] += len(group.group.cases)
        first.setdefault(group.group.operator, group)
    operators = (
        FailingOperator(name, group.anchor, cases[name], group.title, name in newly_failing)
        for name, group in first.items()
    )
    return tuple(sorted(operators, key=lambda each: (not each.is_new, -each.cases)))


def failing_groups(
    runs: Sequence[Run], size_of: Callable[[Detail], int], room: int = DETAIL_BYTES
) -> tuple[FailingGroup, ...]:
    """Return the groups of failing cases, each with its share of the room.

    Args:
        size_of: Returns the size of a case's details in bytes.
        room: Bytes for all cases.
    """
    groups = [(run, group) for run in runs for group in groups_of(run.document.cases)]
    details = _choose_details(groups, size_of, room)
    return tuple(
        FailingGroup(
            run=run,
            group=group,
            title=_title(group),
            figures=_sentence(group),
            details=tuple(details[key] for key in keys if key in details),
            further=tuple(key for key in keys if key not in details),
        )
        for run, group in groups
        for keys in ([run.key(name) for name in group.cases],)
    )


def _choose_details(
    groups: Sequence[tuple[Run, Group]], size_of: Callable[[Detail], int], room: int
) -> dict[str, Detail]:
    """Return the cases with room: the first of each group, then the second ones, and so on."""
    details: dict[str, Detail] = {}
    texts = {run.label: run.document.by_clause for run, _ in groups}
    files = {run.label: CaseFile.of(run.document.cases) for run, _ in groups}
    for rank in itertools.zip_longest(*(group.cases for _, group in groups)):
        for (run, _), name in zip(groups, rank, strict=True):
            match = files[run.label].find(name) if name is not None else None
            if match is None:
                continue
            detail = _detail(run, match[1], texts[run.label])
            room -= size_of(detail)
            if room < 0:
                return details
            details[detail.key] = detail
    return details


def _detail(run: Run, case: CaseEntry, texts: Mapping[tuple[str, str], ClauseVerdict]) -> Detail:
    names = without_where(case.broken, case.only_in)
    clauses = {name: texts.get((case.operator, name)) for name in names}
    only_in = "; ".join(map(common_texts, case.only_in))
    return Detail(run.key(case.id), case, clauses, only_in, call_of(case.story), run.command(case))


def call_of(story: str) -> str:
    """Return the part of a case's failure message that describes the call."""
    lines = story.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith("call:")]
    if not starts:
        return ""
    call_lines = itertools.takewhile(lambda line: not line.startswith("again:"), lines[starts[0] :])
    return "\n".join(call_lines).removeprefix("call:").strip()


def _title(group: Group) -> str:
    if group.facts:
        return " and ".join(group.facts)
    return f"they break {group.clauses[0][0]}" if group.clauses else "no clause is named"


def _sentence(group: Group) -> str:
    where = f"; elements are wrong only where {group.region}" if group.region is not None else ""
    return _figures(group) + where


def _figures(group: Group) -> str:
    share = f"{len(group.cases):,} of {counted(group.failing, 'failing case')}"
    sort = "be refused" if group.refusals else "work"
    if not group.passing:
        return f"{share}; no call that must {sort} passes"
    calls = f"{counted(group.passing, 'passing call')} that must {sort}"
    if not group.facts:
        return f"{share}, beside {calls}"
    if not group.passing_with:
        return f"{share}; none of {calls} has it"
    return f"{share}; {group.passing_with:,} of {calls} have it, too"


def picture_caption(picture: Picture) -> str:
    elements = math.prod(picture.shape)
    shape = "×".join(map(str, picture.shape)) or "scalar"
    how = (
        "read as text, line by line"
        if len(picture.shape) < 2 and picture.rows > 1
        else "last axis to the right, the others folded downward"
    )
    share = percentage(picture.wrong, elements) if elements else "0 %"
    return (
        f"{picture.output} [{shape}]: {picture.wrong:,} of {counted(elements, 'element')} wrong "
        f"({share}); {how}, {picture.columns:,} to a line"
    )


_SIDES = (7, 22)
_SIDE = 224
"""Approximate width or height of a picture in pixels; its cells have 7 to 22."""

_BAR, _GAP = 9, 3
_LETTER = 4.4
"""Width of a letter of a label; slots grow with their labels."""

_TOP, _TALLEST, _BELOW = 8, 44, 12
"""Heights of the counts above the bars, of the highest bar, and of the labels below."""

_MOST_EMPTY = 4
"""Maximum number of consecutive empty bins that are drawn."""


def grid_svg(picture: Picture) -> str:
    """Return a picture of an output's errors; one path per shade keeps it small."""
    high, wide = len(picture.grid), max(map(len, picture.grid), default=0)
    label = f"{counted(picture.wrong, 'wrong element')} of {picture.output} in its layout"
    root = _svg("grid", wide, high, label)
    side = min(max(_SIDE // max(wide, high, 1), _SIDES[0]), _SIDES[1])
    root.set("width", str(wide * side))
    root.set("height", str(high * side))
    shades: dict[str, list[str]] = {"0": []}
    for row, line in enumerate(picture.grid):
        shades["0"].append(f"M0 {row}.5h{len(line.rstrip(NOTHING))}")
        for shade, column, count in _runs(line):
            if shade not in (NOTHING, "0"):
                shades.setdefault(shade, []).append(f"M{column} {row}.5h{count}")
    for shade in sorted(shades):
        ET.SubElement(root, "path", {"class": f"s{shade}", "d": "".join(shades[shade])})
    lines = [f"M{column} 0v{high}" for column in range(1, wide)]
    lines += [f"M0 {row}h{wide}" for row in range(1, high)]
    ET.SubElement(root, "path", {"class": "lines", "d": "".join(lines)})
    return ET.tostring(root, encoding="unicode")


def _runs(line: str) -> Iterator[tuple[str, int, int]]:
    """Yield each run of equal characters: character, start and length."""
    column = 0
    for sign, same in itertools.groupby(line):
        length = len(list(same))
        yield sign, column, length
        column += length


@dataclass(frozen=True)
class _Bar:
    """Elements with errors in a range.

    Attributes:
        name: The label below the bar.
        description: Shown beside the pointer.
    """

    name: str
    description: str
    elements: int = 0
    wrong: int = 0

    @property
    def count(self) -> str:
        """The label above the bar."""
        return _short(self.elements) if self.elements else ""

    @property
    def width(self) -> float:
        """The bar's slot: wide enough for both labels."""
        return max(_BAR, _LETTER * max(len(self.name), len(self.count))) + _GAP


def histogram_svg(picture: Picture) -> str:
    """Return a histogram of an output's errors; wrong elements are stacked on right ones.

    The heights are logarithmic, so that one wrong element among a million is visible.
    """
    bars = list(_bars(picture.histogram))
    if picture.another_class:
        wrong = picture.another_class
        bars.append(_Bar("class", f"{wrong} of a class that is not allowed", wrong, wrong))
    width = sum(bar.width for bar in bars)
    description = "; ".join(bar.description for bar in bars if bar.elements)
    label = f"errors of {picture.output} in ulps: {description}"
    root = _svg("histogram", width, _TOP + _TALLEST + _BELOW, label)
    most = max((bar.elements for bar in bars), default=1)
    left = 0.0
    for bar in bars:
        height = _TALLEST * math.log1p(bar.elements) / math.log1p(most)
        _draw(ET.SubElement(root, "g"), bar, left, height)
        left += bar.width
    ET.SubElement(root, "path", {"class": "axis", "d": f"M0 {_TOP + _TALLEST + 0.5}h{left:g}"})
    return ET.tostring(root, encoding="unicode")


def _draw(group: ET.Element, bar: _Bar, left: float, tall: float) -> None:
    """Draw a bar of some height, its count above it and its name below."""
    ET.SubElement(group, "title").text = bar.description
    red = tall * bar.wrong / bar.elements if bar.elements else 0.0
    bottom, middle = _TOP + _TALLEST, left + bar.width / 2
    for kind, top, part in (
        ("right", bottom - tall + red, tall - red),
        ("wrong", bottom - tall, red),
    ):
        if part > 0:
            box = {"class": kind, "x": f"{middle - _BAR / 2:g}", "y": f"{top:.1f}"}
            ET.SubElement(group, "rect", {**box, "width": f"{_BAR}", "height": f"{part:.1f}"})
    _write(group, middle, bottom - tall - 2, bar.count)
    _write(group, middle, bottom + 8, bar.name)


def _write(group: ET.Element, middle: float, base: float, text: str) -> None:
    if text:
        ET.SubElement(group, "text", {"x": f"{middle:g}", "y": f"{base:.1f}"}).text = text


def _bars(histogram: Sequence[ErrorBin]) -> Iterator[_Bar]:
    """Yield the bins up to the last one with elements; many consecutive empty ones become one."""
    bin_by_end = {error_bin.ulps: error_bin for error_bin in histogram}
    empty: list[_Bar] = []
    start = ""
    for end in (*EDGES, math.inf):
        name = _name(end)
        if end in bin_by_end:
            if len(empty) > _MOST_EMPTY:
                above, last = start and f"above {start} and ", empty[-1].name
                empty = [_Bar(f"…{last}", f"{above}up to {last} ulp: none")]
            yield from empty
            empty, start = [], name
            errors = bin_by_end[end]
            text = f"{_size(end)}: {counted(errors.elements, 'element')}, {errors.wrong:,} wrong"
            yield _Bar(name, text, errors.elements, errors.wrong)
        else:
            empty.append(_Bar(name, f"{_size(end)}: none"))


def _name(end: float) -> str:
    """Return a bin's largest error, such as ``½``, ``512`` or ``2^20``; the last bin has none."""
    if math.isinf(end):
        return f">{_name(EDGES[-1])}"
    if end <= 1:
        return {0.0: "0", 0.5: "½"}.get(end, "1")
    return f"{end:.0f}" if end < 1000 else f"2^{math.log2(end):.0f}"


def _size(end: float) -> str:
    if end == 0:
        return "none"
    return f"above {_name(EDGES[-1])} ulp" if math.isinf(end) else f"up to {_name(end)} ulp"


def _short(number: int) -> str:
    """Return a count in at most four characters: ``512``, ``16k``, ``1.2M``."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            share = number / unit
            return f"{share:.1f}{sign}" if share < 9.95 else f"{share:.0f}{sign}"
    return str(number)


def _svg(kind: str, width: float, height: float, label: str) -> ET.Element:
    facts = {"class": kind, "viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}"}
    return ET.Element("svg", {**facts, "height": f"{height:g}", "role": "img", "aria-label": label})
