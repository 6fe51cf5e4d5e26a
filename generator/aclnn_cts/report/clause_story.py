# SPDX-License-Identifier: Apache-2.0
"""What a person reads about one clause: what it says, where, and which cases test it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aclnn_cts.plan.command_line import Ran, run_command
from aclnn_cts.report.coverage import ClauseCoverage
from aclnn_cts.report.promises import BASIS_MEANINGS, DIRECTIONS
from aclnn_cts.report.results import ResultsDocument
from aclnn_cts.report.wording import counted
from aclnn_cts.spec.clause_models import VIOLATIONS
from aclnn_cts.spec.data_types import status_name
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ErrorClause, OperatorSpec, Rule, ValueClause

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
    specs: SpecSet, coverage: ClauseCoverage, tier: str, told: ResultsDocument | None = None
) -> Iterator[str]:
    """Yield the lines of a clause's story.

    Args:
        specs: All specs.
        coverage: What the cases of the tier do for it.
        tier: The tier.
        told: The run whose verdict is told, too.
    """
    promise = coverage.promise
    spec = specs.operator(promise.operator)
    yield f"{promise.operator}/{promise.clause}"
    yield _line("says", promise.text)
    yield _line("document", promise.place)
    yield _line("kind", _KINDS[promise.kind])
    yield _line("basis", f"{promise.basis}: {BASIS_MEANINGS[promise.basis]}")
    yield from _content(spec, promise.clause)
    yield from _contradictions(coverage)
    yield from _evidence(coverage, tier, specs.edition)
    for reason in coverage.reasons:
        yield _line("reason", reason)
    for remark in coverage.remarks:
        yield _line("remark", remark)
    for direction, products in coverage.gaps.items():
        yield _line("uncovered", f"no {direction} case on {', '.join(products)}")
    if not coverage.products:
        places = ", ".join(promise.needs) or "no product"
        yield _line("promised on", places)
    if told is not None:
        yield from _verdict(told, promise.operator, promise.clause)


def silence_story(specs: SpecSet, operator: str, name: str) -> Iterator[str]:
    """Yield what there is to say about a point of which nothing is promised."""
    text = {silence.id: silence.text for silence in specs.operator(operator).not_promised}[name]
    yield f"{operator}/{name}"
    yield _line("not promised", text)
    yield _line("kind", "a silence of the document: no case holds a device to it")


def _line(label: str, text: str) -> str:
    return f"  {label + ':':<{_LABEL + 1}} {text}"


def _content(spec: OperatorSpec, name: str) -> Iterator[str]:
    """Yield what the spec says about the clause besides its text."""
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
    yield _line("outputs", ", ".join(clause.output or [output.name for output in spec.outputs]))
    yield _line("when", clause.when.text)
    yield _line("expect", clause.expect)
    if clause.overrides:
        yield _line("overrides", ", ".join(clause.overrides))
    above = [other.id for other in spec.clauses if clause.id in other.overrides]
    if above:
        yield _line("overridden", f"by {', '.join(above)}")
    if clause.needs_inf_nan:
        yield _line("needs", "a product that has Inf and NaN")


def _rule(rule: Rule) -> Iterator[str]:
    yield _line("require", rule.require.text)
    if rule.products is not None:
        yield _line("products", ", ".join(rule.products))


def _error(error: ErrorClause) -> Iterator[str]:
    for field in VIOLATIONS:
        value = getattr(error, field)
        if value is not None:
            broken = field.replace("_", " ")
            yield _line("broken by", broken if value is True else f"{broken}: {_listed(value)}")
    if error.when is not None:
        yield _line("when", error.when.text)
    names = " or ".join(map(status_name, error.statuses))
    yield _line("status", names or "any but ACLNN_SUCCESS")
    if error.basis == "requirement":
        yield _line("accepted", "`unenforced`, neither pass nor fail")
    if error.products is not None:
        yield _line("products", ", ".join(error.products))
    if error.note is not None:
        yield _line("note", " ".join(error.note.split()))


def _listed(values: list[Any]) -> str:
    return ", ".join(
        " and ".join(f"{name} = {given}" for name, given in value.items())
        if isinstance(value, dict)
        else str(value)
        for value in values
    )


def _contradictions(coverage: ClauseCoverage) -> Iterator[str]:
    for other, elements in coverage.clashes.items():
        yield _line("contradicts", f"{other}, on {elements} elements: both outcomes are accepted")
    if coverage.contested:
        yield _line("contested", f"in {counted(coverage.contested, 'case')}")


def _evidence(coverage: ClauseCoverage, tier: str, edition: str) -> Iterator[str]:
    for direction in DIRECTIONS:
        for each in coverage.products:
            found = each.positive if direction == "positive" else each.negative
            yield _line(
                direction, f"{counted(len(found), 'case')} of tier {tier} on {each.product}"
            )
            for name in found[:_EXAMPLES]:
                yield f"    {' '.join(run_command(name, each.product, Ran(tier, edition)))}"


def _verdict(told: ResultsDocument, operator: str, clause: str) -> Iterator[str]:
    own = [e for e in told.clauses if (e.operator, e.clause) == (operator, clause)]
    if not own:
        yield _line("run", "says nothing about it")
    for entry in own:
        yield _line("run", f"{entry.verdict}, {counted(entry.cases, 'case')}")
        if entry.contested:
            reading = entry.reading or "now one clause, now another"
            yield _line("reading", f"on {entry.contested} elements the device follows {reading}")
