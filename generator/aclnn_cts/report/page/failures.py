# SPDX-License-Identifier: Apache-2.0
"""The failing cases of a page, group by group, with what is told of each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from aclnn_cts.judge.comparison import Picture
from aclnn_cts.report.cases import CaseEntry, CaseFile
from aclnn_cts.report.explanation import Group, groups_of
from aclnn_cts.report.failure_message import told_common
from aclnn_cts.report.results import (
    ResultsDocument,
)
from aclnn_cts.report.view import Run
from aclnn_cts.report.wording import counted, percentage

DETAIL_BYTES = 2_500_000
"""Room for what is told of single cases: a page of 5,000 cases stays under 5 MB."""

_OPEN = 10
"""Cases of a large group that are seen at once."""

_NEARLY = 2
"""Further cases that are not worth folding."""

_NAMED = 2
"""Clauses that are named of a group whose cases name more than one clause more first."""


@dataclass(frozen=True)
class BrokenClause:
    """A clause that a case breaks, with what it says and where."""

    key: str
    clause: str
    text: str
    place: str


@dataclass(frozen=True)
class Detail:
    """One failing case.

    Attributes:
        key: What a link to it names.
        case: All that is known about it.
        clauses: The clauses that it breaks, but for what says where.
        only_in: In what alone the operator's values are wrong, in words.
        call: What the call is, in lines for people; empty if the record does not tell.
        command: Runs it again.
    """

    key: str
    case: CaseEntry
    clauses: tuple[BrokenClause, ...]
    only_in: str
    call: str
    command: str


@dataclass(frozen=True)
class FailingGroup:
    """Failing cases that have something in common.

    Attributes:
        title: That in a few words.
        told: In a sentence: how many have it, and how many passing ones.
        details: The cases that are told in full.
        further: Keys of those that are not, for want of room.
    """

    run: Run
    group: Group
    title: str
    told: str
    details: tuple[Detail, ...]
    further: tuple[str, ...]

    @property
    def first(self) -> tuple[Detail, ...]:
        """The cases that are seen at once."""
        return self.details[:_OPEN] if len(self.details) > _OPEN + _NEARLY else self.details

    @property
    def folded(self) -> tuple[Detail, ...]:
        """The cases that are folded behind them."""
        return self.details[len(self.first) :]

    @property
    def named(self) -> tuple[tuple[str, int], ...]:
        """The clauses that are named of those that its cases name first, with how many do."""
        clauses = self.group.clauses
        return clauses if len(clauses) <= _NAMED + 1 else clauses[:_NAMED]

    @property
    def unnamed(self) -> int:
        """How many such clauses are not named."""
        return len(self.group.clauses) - len(self.named)


def failing_groups(
    runs: Sequence[Run], size_of: Callable[[Detail], int], room: int = DETAIL_BYTES
) -> tuple[FailingGroup, ...]:
    """Return the groups of failing cases; each is given its share of the room.

    Args:
        size_of: Returns how many bytes it takes to tell a case.
        room: Bytes for all cases.
    """
    groups = [(run, group) for run in runs for group in groups_of(run.document.cases)]
    told = _told(groups, size_of, room)
    return tuple(
        FailingGroup(
            run=run,
            group=group,
            title=_title(group),
            told=_sentence(group),
            details=tuple(told[key] for key in keys if key in told),
            further=tuple(key for key in keys if key not in told),
        )
        for run, group in groups
        for keys in ([run.key(name) for name in group.cases],)
    )


def _told(
    groups: Sequence[tuple[Run, Group]], size_of: Callable[[Detail], int], room: int
) -> dict[str, Detail]:
    """Return the cases that there is room for: the first of each group, then the second ones."""
    found: dict[str, Detail] = {}
    texts = {run.label: clause_texts(run.document) for run, _ in groups}
    files = {run.label: CaseFile.of(run.document.cases) for run, _ in groups}
    for rank in itertools.zip_longest(*(group.cases for _, group in groups)):
        for (run, _), name in zip(groups, rank, strict=True):
            held = files[run.label].find(name) if name is not None else None
            if held is None:
                continue
            detail = _detail(run, held[1], texts[run.label])
            room -= size_of(detail)
            if room < 0:
                return found
            found[detail.key] = detail
    return found


def clause_texts(document: ResultsDocument) -> dict[str, BrokenClause]:
    """Return the clauses of a run by their keys."""
    return {
        f"{each.operator}/{each.clause}": BrokenClause(
            f"{each.operator}/{each.clause}", each.clause, each.text, each.place
        )
        for each in document.clauses
    }


def _detail(run: Run, case: CaseEntry, texts: Mapping[str, BrokenClause]) -> Detail:
    where = {name for common in case.only_in for name in common.clauses}
    keys = [(f"{case.operator}/{name}", name) for name in case.broken if name not in where]
    clauses = tuple(texts.get(key, BrokenClause(key, name, "", "")) for key, name in keys)
    only_in = "; ".join(map(told_common, case.only_in))
    return Detail(run.key(case.id), case, clauses, only_in, call_of(case.story), run.command(case))


def call_of(story: str) -> str:
    """Return the part of a case's story that says what the call is."""
    lines = story.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith("call:")]
    if not starts:
        return ""
    kept = itertools.takewhile(lambda line: not line.startswith("again:"), lines[starts[0] :])
    return "\n".join(kept).removeprefix("call:").strip()


def _title(group: Group) -> str:
    if group.facts:
        return " and ".join(group.facts)
    return f"they break {group.clauses[0][0]}" if group.clauses else "no clause is named"


def _sentence(group: Group) -> str:
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
    """Return what a picture shows, in a sentence."""
    elements = math.prod(picture.shape)
    shape = "×".join(map(str, picture.shape)) or "scalar"
    how = (
        "read as text, line by line"
        if len(picture.shape) < 2 and picture.rows > 1
        else "last axis to the right, the others folded downward"
    )
    share = percentage(picture.wrong, elements) if elements else "0 %"
    return (
        f"{picture.output} [{shape}]: {picture.wrong:,} of {elements:,} elements wrong "
        f"({share}); {how}, {picture.columns:,} to a line"
    )
