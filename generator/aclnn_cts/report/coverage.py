# SPDX-License-Identifier: Apache-2.0
"""The rule map: how many cases test each clause, in each direction, and why some cannot.

A clause is tested *positively* where the promise must hold, *negatively* where its violation must
be refused, or where just outside it something else is promised. What a case claims does not
count for value clauses: the data decide (:mod:`aclnn_cts.golden.reach`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.errors import ExitCode
from aclnn_cts.report.clause_evidence import ClauseEvidence, Contradiction
from aclnn_cts.report.clauses import document_gaps
from aclnn_cts.report.coverage_scan import ReachedCases
from aclnn_cts.report.promises import DIRECTIONS, Direction, Promise, promises_of
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OneSided, OperatorSpec

State: TypeAlias = Literal["covered", "uncovered", "stale", "not promised"]

Reason: TypeAlias = str | Contradiction
"""Why a direction has no cases: what the spec or the kind of clause says, or the data show."""

_REQUIREMENTS = ("requirement", "rule")
"""The kinds of clauses of which one call can break several."""


@dataclass(frozen=True)
class ProductCoverage:
    """What the cases of one product do for one clause.

    Attributes:
        product: The product's id.
        positive: Ids of the cases that test the clause positively; of an error clause: the twins.
        negative: Ids of the cases that test it negatively.
        contested: Ids of the cases on which it contradicts another clause.
        clashes: Elements on which it does so, by the other clause.
        reasons: Why a direction without cases cannot have any.
        gaps: Directions that have neither cases nor a reason.
        breaking: Of a requirement or rule: the refused calls that break it, each with all that it
            breaks; None of other clauses.
    """

    product: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    contested: tuple[str, ...]
    clashes: Mapping[str, int]
    reasons: Mapping[Direction, Reason]
    gaps: tuple[Direction, ...]
    breaking: Mapping[str, frozenset[str]] | None = None

    @property
    def alone(self) -> int | None:
        """Refused calls that break this requirement and no other; None for other clauses."""
        if self.breaking is None:
            return None
        return sum(len(broken) == 1 for broken in self.breaking.values())


@dataclass(frozen=True)
class ClauseCoverage:
    """What the cases of all products do for one clause.

    Attributes:
        promise: The clause.
        products: One entry for each product on which it is promised.
        stale: Directions of which the spec says that they cannot be tested, though cases do.
        withheld: Why it is not promised on further products.
    """

    promise: Promise
    products: tuple[ProductCoverage, ...]
    stale: tuple[Direction, ...]
    withheld: tuple[str, ...] = ()

    @property
    def positive(self) -> int:
        """Cases that test the clause positively, over all products."""
        return sum(len(product.positive) for product in self.products)

    @property
    def negative(self) -> int:
        """Cases that test the clause negatively, over all products."""
        return sum(len(product.negative) for product in self.products)

    @property
    def alone(self) -> int | None:
        """Refused calls that break this requirement and no other; None for other clauses."""
        if self.promise.kind not in _REQUIREMENTS:
            return None
        return sum(product.alone or 0 for product in self.products)

    @property
    def contested(self) -> int:
        """Cases on which the clause contradicts another one, over all products."""
        return sum(len(product.contested) for product in self.products)

    @property
    def clashes(self) -> Mapping[str, int]:
        """Elements on which the clause contradicts another one, by that clause."""
        total: Counter[str] = Counter()
        for product in self.products:
            total.update(product.clashes)
        return total

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why some direction has no cases, each reason once, with its direction."""
        found: dict[tuple[Direction, str | None], dict[str, Reason]] = {}
        for each in self.products:
            for direction, reason in each.reasons.items():
                # Contradictions are one reason, whatever the products' counts are.
                key = None if isinstance(reason, Contradiction) else reason
                found.setdefault((direction, key), {})[each.product] = reason
        told = [
            f"no {direction} case: {_over_all(by_product.values())}{self._where(by_product)}"
            for (direction, _), by_product in found.items()
        ]
        return (*told, *self.withheld)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What lessens the negative cases of a requirement, though it is no gap."""
        masked = [each for each in self.products if each.breaking and not each.alone]
        if not masked:
            return ()
        clause = self.promise.clause
        sets = [broken for each in masked for broken in (each.breaking or {}).values()]
        others = sorted({name for broken in sets for name in broken if name != clause})
        with_it = (
            f"another requirement ({others[0]}) is"
            if len(others) == 1
            else f"at least one of {', '.join(others)} is"
        )
        where = self._where([each.product for each in masked])
        return (f"no call breaks it alone: {with_it} broken with it{where}",)

    def _where(self, products: Iterable[str]) -> str:
        """Return the products in brackets, unless they are all on which the clause is promised."""
        names = sorted(products)
        return f" ({', '.join(names)})" if len(names) < len(self.products) else ""

    @property
    def gaps(self) -> dict[Direction, tuple[str, ...]]:
        """Products by the direction that is missing there without a reason."""
        missing = {
            direction: tuple(p.product for p in self.products if direction in p.gaps)
            for direction in DIRECTIONS
        }
        return {direction: names for direction, names in missing.items() if names}

    @property
    def state(self) -> State:
        """Whether the clause is covered wherever it is promised, for reasons that are true."""
        if not self.products:
            return "not promised"
        return "uncovered" if self.gaps else "stale" if self.stale else "covered"


def _over_all(reasons: Iterable[Reason]) -> Reason:
    """Return one reason for several products: contradictions added up, a text as it is."""
    all_of_them = tuple(reasons)
    contradictions = [each for each in all_of_them if isinstance(each, Contradiction)]
    return Contradiction.over(contradictions) if contradictions else all_of_them[0]


def exit_code(coverage: Iterable[ClauseCoverage]) -> ExitCode:
    """Return the exit status for a rule map; one without any promise proves nothing."""
    promised = [clause.state for clause in coverage if clause.state != "not promised"]
    if not promised:
        return ExitCode.NOT_TRUSTWORTHY
    whole = all(state == "covered" for state in promised)
    return ExitCode.PASSED if whole else ExitCode.BROKEN_PROMISE


def cover(
    specs: SpecSet, operators: Iterable[str], reached: ReachedCases
) -> tuple[ClauseCoverage, ...]:
    """Return the rule map of some operators.

    Args:
        specs: All specs.
        operators: The operators' names.
        reached: The cases by product; only these products count.
    """
    found: list[ClauseCoverage] = []
    for spec in map(specs.operator, operators):
        own = {
            product: [each for each in cases if each.case.operator == spec.operator]
            for product, cases in reached.items()
        }
        working = frozenset(
            each.case.id for cases in own.values() for each in cases if each.case.expects_success
        )
        evidence = {product: ClauseEvidence(cases, working) for product, cases in own.items()}
        found += [_cover(spec, promise, evidence) for promise in promises_of(specs, spec)]
    return tuple(found)


def _cover(
    spec: OperatorSpec, promise: Promise, evidence: Mapping[str, ClauseEvidence]
) -> ClauseCoverage:
    products = tuple(
        _cover_on(spec, promise, product, evidence[product])
        for product in promise.needs
        if product in evidence
    )
    stated = [one for one in spec.one_sided if one.clause == promise.clause]
    return ClauseCoverage(
        promise=promise,
        products=products,
        stale=tuple(dict.fromkeys(one.missing for one in stated if _is_stale(one, products))),
        withheld=tuple(text for name, text in promise.withheld.items() if name in evidence),
    )


def _is_stale(stated: OneSided, products: Iterable[ProductCoverage]) -> bool:
    """Whether cases do test what the spec says cannot be tested, on every product it names."""
    named = [p for p in products if stated.products is None or p.product in stated.products]
    return bool(named) and all(getattr(product, stated.missing) for product in named)


def _cover_on(
    spec: OperatorSpec, promise: Promise, product: str, evidence: ClauseEvidence
) -> ProductCoverage:
    needed = promise.needs[product]
    looked_for = DIRECTIONS if promise.twins_elsewhere else needed
    found = {
        direction: evidence.ids(promise, direction) if direction in looked_for else ()
        for direction in DIRECTIONS
    }
    missing = [direction for direction in needed if not found[direction]]
    contests = evidence.contests(promise)
    reasons: dict[Direction, Reason] = {}
    for direction in missing:
        computed = contests.reason if direction == "positive" else None
        reason = _stated(spec, promise, direction, product) or computed
        if reason is not None:
            reasons[direction] = reason
    gaps = [direction for direction in missing if direction not in reasons]
    if set(missing) == set(DIRECTIONS) and not contests.cases:
        gaps = list(DIRECTIONS)  # reasons for both directions leave nothing that is tested
    return ProductCoverage(
        product=product,
        positive=found["positive"],
        negative=found["negative"],
        contested=contests.cases,
        clashes=contests.clashes,
        reasons=reasons,
        gaps=tuple(gaps),
        breaking=evidence.breaking(promise.clause) if promise.kind in _REQUIREMENTS else None,
    )


def _stated(spec: OperatorSpec, promise: Promise, direction: Direction, product: str) -> str | None:
    """Return the reason that the spec, or the kind of clause, gives for a missing direction."""
    for one in spec.one_sided:
        here = one.products is None or product in one.products
        if one.clause == promise.clause and one.missing == direction and here:
            return one.reason
    return promise.reasons.get(direction)


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
