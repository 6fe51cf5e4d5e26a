# SPDX-License-Identifier: Apache-2.0
"""The rule map for people and for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.report.coverage import ClauseCoverage
from aclnn_cts.report.gaps import document_gaps
from aclnn_cts.spec.loading import SpecSet

_STYLES = {"covered": "", "uncovered": "bold red", "stale": "yellow", "not promised": "dim"}


def coverage_json(coverage: Iterable[ClauseCoverage]) -> dict[str, Any]:
    """Return the rule map as one JSON document."""
    return {"clauses": [_entry(clause) for clause in coverage]}


def _entry(clause: ClauseCoverage) -> dict[str, Any]:
    return {
        "operator": clause.promise.operator,
        "clause": clause.promise.clause,
        "kind": clause.promise.kind,
        "basis": clause.promise.basis,
        "text": clause.promise.text,
        "state": clause.state,
        "positive": clause.positive,
        "negative": clause.negative,
        "negative_alone": clause.alone,
        "contested": clause.contested,
        "reason": "; ".join(clause.reasons) or None,
        "remarks": list(clause.remarks),
        "gaps": [
            {"missing": direction, "products": list(products)}
            for direction, products in clause.gaps.items()
        ],
        "stale": list(clause.stale),
        "products": {
            each.product: {
                "positive": len(each.positive),
                "negative": len(each.negative),
                "negative_alone": each.alone,
                "contested": len(each.contested),
                "reasons": {direction: str(why) for direction, why in each.reasons.items()},
            }
            for each in clause.products
        },
    }


def coverage_tables(specs: SpecSet, coverage: Sequence[ClauseCoverage]) -> Group:
    """Return a table for each operator, what is not promised, gaps, and what is uncovered."""
    parts: list[RenderableType] = []
    for operator in dict.fromkeys(clause.promise.operator for clause in coverage):
        own = [clause for clause in coverage if clause.promise.operator == operator]
        parts += [_table(operator, own), *_silences(specs, operator), Text()]
    parts += _uncovered(coverage)
    parts.append(Text(_total(coverage)))
    return Group(*parts)


def _total(coverage: Sequence[ClauseCoverage]) -> str:
    """Return how many clauses are covered, of those that are promised there at all."""
    states = Counter(clause.state for clause in coverage)
    silent = states.pop("not promised", 0)
    promised = sum(states.values())
    if not promised:
        return "no clause is promised on the products asked for"
    further = f"; {silent} further are not promised on the products asked for" if silent else ""
    return f"{states['covered']} of {promised} clauses are covered{further}"


def _table(operator: str, coverage: Iterable[ClauseCoverage]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title=operator, title_justify="left")
    table.add_column("clause", no_wrap=True)
    table.add_column("basis", no_wrap=True)
    for name in ("positive", "negative", "contested"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("reason")
    for clause in coverage:
        counts = (clause.positive, clause.negative, clause.contested)
        cells = [Text(str(count), style="" if count else "dim") for count in counts]
        title = Text(clause.promise.clause, style=_STYLES[clause.state])
        table.add_row(title, clause.promise.basis, *cells, Text("; ".join(_reasons(clause))))
    return table


def _reasons(clause: ClauseCoverage) -> tuple[str, ...]:
    silent = ("not promised",) if clause.state == "not promised" else ()
    return (*silent, *clause.reasons, *clause.remarks)


def _silences(specs: SpecSet, operator: str) -> Iterator[Text]:
    """Yield what the document of an operator does not say."""
    spec = specs.operator(operator)
    if spec.not_promised:
        yield Text("Not promised")
    for silence in spec.not_promised:
        yield Text(f"  {silence.id}: {silence.text}")
    gaps = document_gaps(spec)
    if gaps:
        yield Text("Gaps of the document")
    for gap in gaps:
        yield Text(f"  {gap.clause}: {gap.told}")


def _uncovered(coverage: Iterable[ClauseCoverage]) -> Iterator[Text]:
    for clause in coverage:
        name = f"{clause.promise.operator}/{clause.promise.clause}"
        for direction, products in clause.gaps.items():
            yield Text(
                f"uncovered: {name}: no {direction} case on {', '.join(products)}",
                style=_STYLES["uncovered"],
            )
        for missing in clause.stale:
            yield Text(
                f"stale: {name}: the spec says that no {missing} case can exist, but some do",
                style=_STYLES["stale"],
            )
