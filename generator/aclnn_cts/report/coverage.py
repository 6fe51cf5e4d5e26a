# SPDX-License-Identifier: Apache-2.0
"""The rule map: how many cases test each clause, in each direction, and why some cannot.

A clause is tested *positively* where the promise must hold, *negatively* where its violation must
be refused, or where just outside it something else is promised. What a case claims does not
count for value clauses: the data decide (:mod:`aclnn_cts.golden.reach`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.errors import ExitCode
from aclnn_cts.report.promises import DIRECTIONS, Direction, Promise, promises_of
from aclnn_cts.report.reaching import ReachedCase, ReachedCases
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OneSided, OperatorSpec

State: TypeAlias = Literal["covered", "uncovered", "stale"]


@dataclass(frozen=True)
class ProductCoverage:
    """What the cases of one product do for one clause.

    Attributes:
        product: The product's id.
        positive: Ids of the cases that test the clause positively; of an error clause: the twins.
        negative: Ids of the cases that test it negatively.
        contested: Ids of the cases on which it contradicts another clause.
        clashes: Elements on which it does so, by the other clause.
        elements: Elements on which it does so.
        reasons: Why a direction without cases cannot have any.
        gaps: Directions that have neither cases nor a reason.
    """

    product: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    contested: tuple[str, ...]
    clashes: Mapping[str, int]
    elements: int
    reasons: Mapping[Direction, str]
    gaps: tuple[Direction, ...]


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
        found: dict[str, set[str]] = {}
        for product in self.products:
            for direction, reason in product.reasons.items():
                text = f"no {direction} case: {self._over_all(product, reason)}"
                found.setdefault(text, set()).add(product.product)
        everywhere = len(self.products)
        told = [
            text if len(names) == everywhere else f"{text} ({', '.join(sorted(names))})"
            for text, names in found.items()
        ]
        return (*told, *self.withheld)

    def _over_all(self, product: ProductCoverage, reason: str) -> str:
        """Return a contradiction with the counts of all products, any other reason as it is."""
        if reason != contradiction(product.clashes, product.elements, len(product.contested)):
            return reason
        elements = sum(each.elements for each in self.products)
        return contradiction(self.clashes, elements, self.contested)

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
        return "uncovered" if self.gaps else "stale" if self.stale else "covered"


def exit_code(coverage: Iterable[ClauseCoverage]) -> ExitCode:
    """Return the exit status for a rule map."""
    whole = all(clause.state == "covered" for clause in coverage)
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
        # The twin of a call that a product must refuse as such works on another product.
        working = frozenset(
            each.case.id for cases in own.values() for each in cases if each.case.expects_success
        )
        evidence = {product: _Evidence(cases, working) for product, cases in own.items()}
        found += [_cover(spec, promise, evidence) for promise in promises_of(specs, spec)]
    return tuple(found)


@dataclass(frozen=True)
class _Evidence:
    """The cases of one operator on one product, and its calls that must work on any product."""

    cases: Sequence[ReachedCase]
    working: frozenset[str]

    def ids(self, promise: Promise, direction: Direction) -> tuple[str, ...]:
        """Return the cases that test a clause in a direction."""
        if promise.kind == "value":
            return tuple(
                each.case.id
                for each in self.cases
                if promise.clause in getattr(each.reach, direction)
            )
        if promise.kind == "error":
            return self._of_error(promise.clause, direction)
        refused = direction == "negative"
        if promise.kind == "product-support" and refused:
            return tuple(c.case.id for c in self.cases if not c.case.expects_success)
        if promise.kind == "common":
            # A refused call keeps these promises, too; none of them is about being refused.
            return self._holding(promise.clause) if not refused else ()
        return tuple(
            c.case.id
            for c in self.cases
            if promise.clause in c.case.clauses and c.case.expects_success is not refused
        )

    def _of_error(self, clause: str, direction: Direction) -> tuple[str, ...]:
        broken = [c.case for c in self.cases if c.case.scene == clause]
        refused = [case for case in broken if not case.expects_success]
        if direction == "negative":
            return tuple(case.id for case in refused)
        twins = dict.fromkeys(case.twin for case in refused)
        return tuple(twin for twin in twins if twin is not None and twin in self.working)

    def _holding(self, clause: str) -> tuple[str, ...]:
        return tuple(c.case.id for c in self.cases if clause in c.case.clauses)


def _cover(
    spec: OperatorSpec, promise: Promise, evidence: Mapping[str, _Evidence]
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
    spec: OperatorSpec, promise: Promise, product: str, evidence: _Evidence
) -> ProductCoverage:
    needed = promise.needs[product]
    found = {
        direction: evidence.ids(promise, direction)
        if direction in needed or promise.kind == "error"
        else ()
        for direction in DIRECTIONS
    }
    clashes, contested = _contests(promise, evidence)
    elements = sum(each.reach.contested.get(promise.clause, 0) for each in evidence.cases)
    missing = [direction for direction in needed if not found[direction]]
    reasons: dict[Direction, str] = {}
    for direction in missing:
        reason = _stated(spec, promise, direction, product)
        if reason is None and direction == "positive" and _only_contested(promise, evidence):
            reason = contradiction(clashes, elements, len(contested))
        if reason is not None:
            reasons[direction] = reason
    gaps = [direction for direction in missing if direction not in reasons]
    if set(missing) == set(DIRECTIONS) and not contested:
        gaps = list(DIRECTIONS)  # reasons for both directions leave nothing that is tested
    return ProductCoverage(
        product=product,
        positive=found["positive"],
        negative=found["negative"],
        contested=contested,
        clashes=clashes,
        elements=elements,
        reasons=reasons,
        gaps=tuple(gaps),
    )


def _stated(spec: OperatorSpec, promise: Promise, direction: Direction, product: str) -> str | None:
    """Return the reason that the spec, or the kind of clause, gives for a missing direction."""
    for one in spec.one_sided:
        here = one.products is None or product in one.products
        if one.clause == promise.clause and one.missing == direction and here:
            return one.reason
    return promise.reasons.get(direction)


def _contests(promise: Promise, evidence: _Evidence) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the elements on which a value clause is contested, by its opponent, and the cases."""
    against: Counter[str] = Counter()
    cases: list[str] = []
    if promise.kind != "value":
        return {}, ()
    for each in evidence.cases:
        if not each.reach.contested.get(promise.clause):
            continue
        cases.append(each.case.id)
        for pair, elements in each.reach.clashes.items():
            if promise.clause in pair:
                other = pair[1] if pair[0] == promise.clause else pair[0]
                against[other] += elements
    return dict(against), tuple(cases)


def _only_contested(promise: Promise, evidence: _Evidence) -> bool:
    """Whether a value clause contradicts another one wherever it applies."""
    reaches = [each.reach for each in evidence.cases]
    applied = sum(reach.applied.get(promise.clause, 0) for reach in reaches)
    contested = sum(reach.contested.get(promise.clause, 0) for reach in reaches)
    return promise.kind == "value" and 0 < contested == applied


def contradiction(opponents: Iterable[str], elements: int, cases: int) -> str:
    """Return why a clause that contradicts others wherever it applies has no positive case."""
    return (
        f"contradicts {' and '.join(opponents)} wherever it applies ({elements} elements in "
        f"{cases} cases): either outcome is accepted"
    )
