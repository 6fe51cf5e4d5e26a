# SPDX-License-Identifier: Apache-2.0
"""Differences between two editions of the documents, and the number of affected cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aclnn_cts.errors import counted, wrapped
from aclnn_cts.golden.reach import differing_outcomes
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import Cases, Movement, cases_of, holding, movements
from aclnn_cts.spec.edition_diff import TOPICS, EditionChange, changes, specs_differ
from aclnn_cts.spec.editions import Edition
from aclnn_cts.spec.loading import SpecSet


@dataclass(frozen=True)
class ChangeEffect:
    """A change and the number of affected cases.

    Attributes:
        before: Cases of the first edition that exercise the clause.
        after: Cases of the second edition that exercise it. Both are None for value clauses, which
            only data reach, and for silences.
    """

    change: EditionChange
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class OperatorNote:
    """Differences of one operator.

    Attributes:
        changes: The changes.
        cases: The movements of cases by product.
        outcomes: Number of distinct calls among the common cases whose allowed results differ.
        copies: Gaps of the transcribed copy, by edition.
    """

    operator: str
    changes: tuple[ChangeEffect, ...]
    cases: Mapping[str, Movement]
    outcomes: int
    copies: Mapping[str, Edition]

    @property
    def differs(self) -> bool:
        """Whether any promise, case or allowed result differs."""
        return bool(self.changes or self.cases or self.outcomes)


def compare(
    before: SpecSet,
    after: SpecSet,
    operator: str,
    products: Sequence[str],
    tier: str,
    store: PlanCache | None = None,
) -> OperatorNote:
    """Return the differences between two editions for an operator.

    Raises:
        WrongInputError: There is no such tier, or cases cannot be made.
    """
    old_spec, new_spec = before.operator(operator), after.operator(operator)
    if not specs_differ(old_spec, new_spec):
        return OperatorNote(operator, (), {}, 0, {})
    old, new = (cases_of(specs, operator, products, tier, store) for specs in (before, after))
    by_data = {clause.id for clause in (*old_spec.clauses, *new_spec.clauses)}
    effects = tuple(
        ChangeEffect(item) if item.id in by_data else _count_cases(item, old, new)
        for item in changes(old_spec, new_spec)
    )
    outcomes = differing_outcomes(before, after, operator, _common_cases(old, new))
    names = (before.edition, after.edition)
    copies = {name: edition for name, edition in new_spec.editions.items() if name in names}
    return OperatorNote(operator, effects, movements(old, new), outcomes, copies)


def _count_cases(change: EditionChange, old: Cases, new: Cases) -> ChangeEffect:
    if change.topic == "products" and change.id in new:
        return ChangeEffect(change, len(old[change.id]), len(new[change.id]))
    if not change.is_clause:
        return ChangeEffect(change)
    return ChangeEffect(change, holding(old, change.id), holding(new, change.id))


def _common_cases(old: Cases, new: Cases) -> Cases:
    ids = {product: {case.id for case in cases} for product, cases in old.items()}
    return {
        product: tuple(case for case in cases if case.id in ids[product])
        for product, cases in new.items()
    }


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
                {**asdict(item.change), "cases_before": item.before, "cases_after": item.after}
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
    ]


def note_lines(note: OperatorNote) -> Iterator[str]:
    yield note.operator
    for topic in TOPICS:
        items = [item for item in note.changes if item.change.topic == topic]
        order = ("came", "changed", "went")
        edits = sorted(
            (i for i in items if not i.change.is_move), key=lambda i: order.index(i.change.kind)
        )
        if items:
            yield f"  {_TITLES[topic]}"
        for item in edits:
            yield from _change_lines(item)
        if moved := [item.change.id for item in items if item.change.is_move]:
            yield from _wrap("    unchanged, at another place: ", ", ".join(moved))
    if note.cases:
        yield "  Cases"
    for product, cases in note.cases.items():
        counts = f"{len(cases.came)} came, {len(cases.went)} went, {cases.stayed} stayed"
        yield f"    {product}: {counts}"
    if note.outcomes:
        calls = counted(note.outcomes, "call")
        yield f"    other results are allowed in {calls} that stayed"
    for name, copy in note.copies.items():
        yield from _copy_lines(name, copy)


def _change_lines(item: ChangeEffect) -> Iterator[str]:
    change = item.change
    if change.topic == "products":
        support = change.facets[0]
        yield f"    {change.id}: {support.before} → {support.after}{_case_counts(item)}"
        return
    place = f" [{change.place}]" if change.place and change.kind != "changed" else ""
    text = "" if change.kind == "changed" else f": {change.text}"
    yield from _wrap(f"    {change.kind} ", f"{change.id}{text}{place}{_case_counts(item)}")
    for facet in change.facets:
        before, after = facet.before or "nothing", facet.after or "nothing"
        yield from _wrap("      ", f"{facet.name}: {before} → {after}")


def _case_counts(item: ChangeEffect) -> str:
    """Return the number of affected cases in parentheses, for both editions if both have some."""
    if item.before is None or item.after is None:
        return ""
    if item.before and item.after and item.before != item.after:
        return f" ({item.before} → {_cases(item.after)})"
    return f" ({_cases(max(item.before, item.after))})"


def _cases(count: int) -> str:
    return counted(count, "case") if count else "no cases"


def _copy_lines(name: str, copy: Edition) -> Iterator[str]:
    if copy.note or copy.unreadable:
        yield f"  About the copy of {name}"
    for sentence in filter(None, (copy.note, *copy.unreadable)):
        yield from _wrap("    ", sentence)


def _wrap(begin: str, text: str) -> list[str]:
    indent = " " * (len(begin) - len(begin.lstrip()) + 4)
    return wrapped(" ".join(text.split()), _WIDTH, begin, indent)
