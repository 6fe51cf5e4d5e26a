# SPDX-License-Identifier: Apache-2.0
"""The rule map for people and for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.report.coverage import ClauseCoverage
from aclnn_cts.report.gaps import document_gaps
from aclnn_cts.spec.loading import SpecSet

_STYLES = {"covered": "", "uncovered": "bold red", "stale": "yellow"}


def coverage_json(coverage: Iterable[ClauseCoverage]) -> dict[str, Any]:
    """Return the rule map as one JSON document."""
    return {"clauses": [_entry(clause) for clause in coverage]}


def _entry(clause: ClauseCoverage) -> dict[str, Any]:
    return {
        "operator": clause.promise.operator,
        "clause": clause.promise.clause,
        "kind": clause.promise.kind,
        "text": clause.promise.text,
        "state": clause.state,
        "positive": clause.positive,
        "negative": clause.negative,
        "contested": clause.contested,
        "reason": "; ".join(clause.reasons) or None,
        "gaps": [
            {"missing": direction, "products": list(products)}
            for direction, products in clause.gaps.items()
        ],
        "stale": list(clause.stale),
        "products": {
            each.product: {
                "positive": len(each.positive),
                "negative": len(each.negative),
                "contested": len(each.contested),
                "reasons": dict(each.reasons),
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
    count = sum(clause.state == "covered" for clause in coverage)
    parts.append(Text(f"{count} of {len(coverage)} clauses are covered"))
    return Group(*parts)


def _table(operator: str, coverage: Iterable[ClauseCoverage]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title=operator, title_justify="left")
    table.add_column("clause", no_wrap=True)
    for name in ("positive", "negative", "contested"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("reason")
    for clause in coverage:
        counts = (clause.positive, clause.negative, clause.contested)
        cells = [Text(str(count), style="" if count else "dim") for count in counts]
        title = Text(clause.promise.clause, style=_STYLES[clause.state])
        table.add_row(title, *cells, Text("; ".join(clause.reasons)))
    return table


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
        accepted = " or ".join(gap.accepted)
        yield Text(f"  {gap.clause}: the document does not tell which code; accepted: {accepted}")


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
