# SPDX-License-Identifier: Apache-2.0
"""Clause coverage as tables and JSON, and explanations of single clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.coverage.clause_coverage import ClauseCoverage, State
from aclnn_cts.coverage.promises import DIRECTIONS
from aclnn_cts.errors import counted
from aclnn_cts.spec.clause_models import ErrorClause, Rule, ValueClause
from aclnn_cts.spec.data_types import open_status, status_name
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import ClauseBasis
from aclnn_cts.violations import KINDS

_ORDER: tuple[State, ...] = ("uncovered", "stale", "covered", "not promised")
_STYLES = {"covered": "", "uncovered": "bold red", "stale": "yellow", "not promised": "dim"}


BASIS_MEANINGS: dict[ClauseBasis, str] = {
    "stated": "a document says it",
    "suite": "no document says it; it is a rule of this suite",
    "status": "the document states the refusal and its status",
    "refusal": "the document states that such a call is refused or ends in an error, but not how",
    "requirement": "the document states what callers must keep, but not what happens otherwise",
}
"""Meaning of each basis."""


def coverage_json(specs: SpecSet, coverage: Sequence[ClauseCoverage]) -> dict[str, Any]:
    """Return the coverage as one JSON document."""
    operators = dict.fromkeys(clause.promise.operator for clause in coverage)
    return {
        "contract_only": [name for name in operators if specs.operator(name).is_contract],
        "clauses": [_entry(clause) for clause in coverage],
    }


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
            product.product: {
                "positive": len(product.positive),
                "negative": len(product.negative),
                "negative_alone": product.alone,
                "contested": len(product.contests.cases),
                "reasons": {direction: str(why) for direction, why in product.reasons.items()},
            }
            for product in clause.products
        },
    }


MOST_OPERATORS = 12
"""Maximum number of operators that have a line each unless all are asked for."""


def coverage_tables(
    specs: SpecSet, coverage: Sequence[ClauseCoverage], *, verbose: bool = False
) -> Group:
    """Return a table of one operator's clauses, or of several operators, and what is uncovered.

    Args:
        verbose: Whether each of very many operators has a line, not only their families.
    """
    by_operator: dict[str, list[ClauseCoverage]] = {}
    for clause in coverage:
        by_operator.setdefault(clause.promise.operator, []).append(clause)
    parts: list[RenderableType] = []
    if len(by_operator) == 1:
        ((operator, clauses),) = by_operator.items()
        title = title_of(specs.operator(operator))
        parts += [_table(title, clauses), *_silences(specs, operator), Text()]
    elif verbose or len(by_operator) <= MOST_OPERATORS:
        parts.append(_summary(specs, "operator", by_operator))
    else:
        families: dict[str, list[ClauseCoverage]] = {}
        for clause in coverage:
            family = specs.operator(clause.promise.operator).document.family
            families.setdefault(family, []).append(clause)
        parts += [_summary(specs, "family", families), Text("`--verbose` lists each operator")]
    parts += _gap_lines(coverage)
    parts.append(Text(_total(coverage) + _contract_note(specs, coverage)))
    return Group(*parts)


def title_of(spec: OperatorSpec) -> str:
    """Return an operator's name, with a mark if only its contract is tested."""
    mark = " (contract only: the values of its outputs are not tested)"
    return spec.operator + mark * spec.is_contract


def _summary(specs: SpecSet, head: str, by_name: Mapping[str, Sequence[ClauseCoverage]]) -> Table:
    """Return a table of operators or families."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(head, no_wrap=True)
    for state in _ORDER:
        table.add_column(state, justify="right", no_wrap=True)
    table.add_column("values", no_wrap=True)
    for name, clauses in by_name.items():
        states = Counter(clause.state for clause in clauses)
        counts = ((states[state], _STYLES[state]) for state in _ORDER)
        cells = (Text(str(count), style if count else "dim") for count, style in counts)
        operators = {clause.promise.operator for clause in clauses}
        tested = sum(not specs.operator(operator).is_contract for operator in operators)
        values = f"{tested} of {len(operators)} tested"
        if len(operators) == 1:
            values = "tested" if tested else "not tested"
        table.add_row(name, *cells, values)
    return table


def _contract_note(specs: SpecSet, coverage: Sequence[ClauseCoverage]) -> str:
    """Return a note on the number of operators without value clauses."""
    operators = {clause.promise.operator for clause in coverage}
    count = sum(specs.operator(name).is_contract for name in operators)
    return f"; the values of {counted(count, 'operator')} are not tested" if count else ""


def _total(coverage: Sequence[ClauseCoverage]) -> str:
    """Return the number of covered clauses, of those that are promised on the products."""
    states = Counter(clause.state for clause in coverage)
    silent = states.pop("not promised", 0)
    promised = sum(states.values())
    if not promised:
        return "no clause is promised on the products asked for"
    further = f"; {silent} further are not promised on the products asked for" if silent else ""
    return f"{states['covered']} of {counted(promised, 'clause')} covered{further}"


def _table(operator: str, coverage: Iterable[ClauseCoverage]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title=operator, title_justify="left")
    table.add_column("clause", no_wrap=True)
    table.add_column("basis", no_wrap=True)
    for name in ("positive", "negative", "contested"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("reason")
    # uncovered clauses first
    for clause in sorted(coverage, key=lambda clause: _ORDER.index(clause.state)):
        counts = (clause.positive, clause.negative, clause.contested)
        cells = [Text(str(count), style="" if count else "dim") for count in counts]
        title = Text(clause.promise.clause, style=_STYLES[clause.state])
        table.add_row(title, clause.promise.basis, *cells, Text("; ".join(_reasons(clause))))
    return table


def _reasons(clause: ClauseCoverage) -> tuple[str, ...]:
    silent = ("not promised",) if clause.state == "not promised" else ()
    return (*silent, *clause.reasons, *clause.remarks)


def _silences(specs: SpecSet, operator: str) -> Iterator[Text]:
    """Yield the silences of an operator's document."""
    spec = specs.operator(operator)
    if spec.not_promised:
        yield Text("Not promised")
    for silence in spec.not_promised:
        yield Text(f"  {silence.id}: {silence.text}")
    gaps = [error for error in spec.errors if len(error.statuses) != 1]
    if gaps:
        yield Text("Gaps of the document")
    for error in gaps:
        yield Text(f"  {error.id}: {open_status(map(status_name, error.statuses))}")


def _gap_lines(coverage: Iterable[ClauseCoverage]) -> Iterator[Text]:
    for clause in coverage:
        name = f"{clause.promise.operator}/{clause.promise.clause}"
        for lack in clause.lacks:
            yield Text(f"uncovered: {name}: {lack}", style=_STYLES["uncovered"])
        for missing in clause.stale:
            yield Text(
                f"stale: {name}: the spec says that no {missing} case can test it, but some do",
                style=_STYLES["stale"],
            )


_EXAMPLES = 3
_LABEL = 12

_KINDS = {
    "value": "value clause: what may come back",
    "error": "error clause: a call that must not be made",
    "rule": "rule: a condition of valid calls",
    "requirement": "row of the parameter table, or determinism",
    "product-support": "row of the table of products",
    "common": "clause that all operators share",
}


def clause_story(
    specs: SpecSet, coverage: ClauseCoverage, tier: str, command: Callable[[str, str], str]
) -> Iterator[str]:
    """Yield the lines of a clause's story.

    Args:
        coverage: Its coverage by the tier.
        command: Returns the command that runs a case on a product.
    """
    promise = coverage.promise
    spec = specs.operator(promise.operator)
    yield f"{promise.operator}/{promise.clause}"
    yield fact("says", promise.text)
    yield fact("document", promise.place)
    yield fact("kind", _KINDS[promise.kind])
    yield fact("basis", f"{promise.basis}: {BASIS_MEANINGS[promise.basis]}")
    yield from _content(spec, promise.clause)
    yield from _contradictions(coverage)
    yield from _evidence(coverage, tier, command)
    for reason in coverage.reasons:
        yield fact("reason", reason)
    for remark in coverage.remarks:
        yield fact("remark", remark)
    for lack in coverage.lacks:
        yield fact("uncovered", lack)
    if not coverage.products:
        places = ", ".join(promise.needs) or "no product"
        yield fact("promised on", places)


def silence_story(specs: SpecSet, operator: str, name: str) -> Iterator[str]:
    """Yield the lines about a point without a promise."""
    silence = {silence.id: silence for silence in specs.operator(operator).not_promised}[name]
    yield f"{operator}/{name}"
    yield fact("not promised", silence.text)
    yield fact("kind", "a silence of the document: no case holds a device to it")
    if silence.when is not None:
        yield fact("when", silence.when.text)
    if silence.output is not None:
        yield fact("outputs", ", ".join(silence.output))
    if silence.products is not None:
        yield fact("products", ", ".join(silence.products))


def fact(label: str, text: str) -> str:
    return f"  {label + ':':<{_LABEL + 1}} {text}"


def _content(spec: OperatorSpec, name: str) -> Iterator[str]:
    """Yield the clause's statements in the spec, except its text."""
    for clause in spec.clauses:
        if clause.id == name:
            yield from _value(spec, clause)
    for rule in spec.rules:
        if rule.id == name:
            yield from _rule(rule)
    for error in spec.errors:
        if error.id == name:
            yield from _error(error)


def _value(spec: OperatorSpec, clause: ValueClause) -> Iterator[str]:
    yield fact("outputs", ", ".join(clause.output or [output.name for output in spec.outputs]))
    yield fact("when", clause.when.text)
    yield fact("expect", clause.expect)
    if clause.expect == "value":
        for name, expression in spec.formula.items():
            yield fact("formula", f"{name} = {expression.text}")
    if clause.overrides:
        yield fact("overrides", ", ".join(clause.overrides))
    above = [other.id for other in spec.clauses if clause.id in other.overrides]
    if above:
        yield fact("overridden", f"by {', '.join(above)}")
    if clause.needs_inf_nan:
        yield fact("needs", "a product that has Inf and NaN")


def _rule(rule: Rule) -> Iterator[str]:
    yield fact("require", rule.require.text)
    if rule.products is not None:
        yield fact("products", ", ".join(rule.products))


def _error(error: ErrorClause) -> Iterator[str]:
    for field in KINDS:
        value = getattr(error, field)
        if value is not None:
            broken = field.replace("_", " ")
            yield fact("broken by", broken if value is True else f"{broken}: {_texts(value)}")
    if error.when is not None:
        yield fact("when", error.when.text)
    names = " or ".join(map(status_name, error.statuses))
    yield fact("status", names or "any but ACLNN_SUCCESS")
    if error.basis == "requirement":
        yield fact("accepted", "`unenforced`, neither pass nor fail")
    if error.products is not None:
        yield fact("products", ", ".join(error.products))
    if error.note is not None:
        yield fact("note", " ".join(error.note.split()))


def _texts(values: list[Any]) -> str:
    return ", ".join(
        " and ".join(f"{name} = {setting}" for name, setting in value.items())
        if isinstance(value, dict)
        else str(value)
        for value in values
    )


def _contradictions(coverage: ClauseCoverage) -> Iterator[str]:
    for other, elements in coverage.clashes.items():
        yield fact(
            "contradicts", f"{other}, on {counted(elements, 'element')}: both outcomes are accepted"
        )
    if coverage.contested:
        yield fact("contested", f"in {counted(coverage.contested, 'case')}")


def _evidence(
    coverage: ClauseCoverage, tier: str, command: Callable[[str, str], str]
) -> Iterator[str]:
    for direction in DIRECTIONS:
        for product in coverage.products:
            ids = product.positive if direction == "positive" else product.negative
            yield fact(
                direction, f"{counted(len(ids), 'case')} of tier {tier} on {product.product}"
            )
            for name in ids[:_EXAMPLES]:
                yield f"    {command(name, product.product)}"
