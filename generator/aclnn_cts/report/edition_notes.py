# SPDX-License-Identifier: Apache-2.0
"""What differs between two editions of the documents, as a release note and as data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from aclnn_cts.report.edition_comparison import Affected, OperatorNote
from aclnn_cts.spec.edition_diff import TOPICS
from aclnn_cts.spec.models import Edition

_WIDTH = 100

_TITLES = {
    "products": "Products",
    "promises": "Promises",
    "refusals": "Refusals and their status",
    "determinism": "Determinism",
    "precision": "Precision",
    "derived": "Derived values",
    "not promised": "Not promised",
}


def notes_as_json(notes: Sequence[OperatorNote]) -> list[dict[str, Any]]:
    """Return the notes as plain data, with the ids of the cases that came and went."""
    return [
        {
            "operator": note.operator,
            "changes": [
                {**item.change.as_json(), "cases_before": item.before, "cases_after": item.after}
                for item in note.changes
            ],
            "cases": {product: asdict(moved) for product, moved in note.cases.items()},
            "differing_outcomes": note.outcomes,
            "copies": {
                name: copy.model_dump(include={"note", "unreadable"})
                for name, copy in note.copies.items()
            },
        }
        for note in notes
        if note.differs
    ]


def note_lines(note: OperatorNote) -> Iterator[str]:
    """Yield the lines of one operator's note."""
    yield note.operator
    for topic in TOPICS:
        own = [item for item in note.changes if item.change.topic == topic]
        told = sorted((i for i in own if not i.change.only_moved), key=_by_kind)
        if own:
            yield f"  {_TITLES[topic]}"
        for item in told:
            yield from _change_lines(item)
        yield from _moved_lines([item.change.id for item in own if item.change.only_moved])
    if note.cases:
        yield "  Cases"
    for product, moved in note.cases.items():
        counts = f"{len(moved.came)} came, {len(moved.went)} went, {moved.stayed} stayed"
        yield f"    {product}: {counts}"
    if note.outcomes:
        calls = f"{note.outcomes} call{'' if note.outcomes == 1 else 's'}"
        yield f"    other results are allowed in {calls} that stayed"
    for name, copy in note.copies.items():
        yield from _copy_lines(name, copy)


def _by_kind(item: Affected) -> int:
    return ("came", "changed", "went").index(item.change.kind)


def _moved_lines(names: Sequence[str]) -> Iterator[str]:
    """Yield one line on the promises that stand unchanged, but elsewhere on the page."""
    if names:
        yield from _wrapped("    unchanged, at another place: ", ", ".join(names))


def _change_lines(item: Affected) -> Iterator[str]:
    change = item.change
    if change.topic == "products":
        support = change.facets[0]
        yield f"    {change.id}: {support.before} → {support.after}{_affected(item)}"
        return
    place = f" [{change.place}]" if change.place and change.kind != "changed" else ""
    text = "" if change.kind == "changed" else f": {change.text}"
    yield from _wrapped(f"    {change.kind} ", f"{change.id}{text}{place}{_affected(item)}")
    for facet in change.facets:
        before, after = facet.before or "nothing", facet.after or "nothing"
        yield from _wrapped("      ", f"{facet.name}: {before} → {after}")


def _affected(item: Affected) -> str:
    """Return how many cases hold a clause, in brackets; both counts if both editions have some."""
    if item.before is None or item.after is None:
        return ""
    if item.before and item.after and item.before != item.after:
        return f" ({item.before} → {_cases(item.after)})"
    return f" ({_cases(max(item.before, item.after))})"


def _cases(count: int) -> str:
    return f"{count or 'no'} case{'' if count == 1 else 's'}"


def _copy_lines(name: str, copy: Edition) -> Iterator[str]:
    if copy.note or copy.unreadable:
        yield f"  About the copy of {name}"
    for sentence in filter(None, (copy.note, *copy.unreadable)):
        yield from _wrapped("    ", sentence)


def _wrapped(begin: str, text: str) -> list[str]:
    indent = " " * (len(begin) - len(begin.lstrip()) + 4)
    return textwrap.wrap(
        " ".join(text.split()),
        _WIDTH,
        initial_indent=begin,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
