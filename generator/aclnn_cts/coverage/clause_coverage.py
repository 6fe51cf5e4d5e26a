# SPDX-License-Identifier: Apache-2.0
"""Clause coverage: how many cases test each clause in each direction, and why some cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from aclnn_cts.coverage.promises import DIRECTIONS, Direction, Promise, promises_of, stated_reason
from aclnn_cts.coverage.reached_cases import (
    KILLED,
    CoverageQuestion,
    OnReached,
    ReachedCase,
    ReachedCases,
    reached_cases,
)
from aclnn_cts.errors import ExitCode, counted, form
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.case_builder import broken_requirements
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.violated_clauses import violated_ids
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OneSided, OperatorSpec
from aclnn_cts.worker_pool import spread


@dataclass(frozen=True)
class Contradiction:
    """Reason of a clause without positive cases: it contradicts others wherever it applies.

    Attributes:
        opponents: The clauses that it contradicts.
        elements: Number of elements with a contradiction.
        cases: Number of cases with such elements.
    """

    opponents: tuple[str, ...]
    elements: int
    cases: int

    def __str__(self) -> str:
        return (
            f"contradicts {' and '.join(self.opponents)} wherever it applies "
            f"({counted(self.elements, 'element')} in {counted(self.cases, 'case')}): "
            "either outcome is accepted"
        )


@dataclass(frozen=True)
class Contests:
    """The contradictions of a value clause.

    Attributes:
        clashes: Numbers of elements, by contradicted clause.
        cases: Ids of the cases with such elements.
        reason: Why the clause has no positive case, if because of contradictions.
    """

    clashes: Mapping[str, int] = field(default_factory=dict)
    cases: tuple[str, ...] = ()
    reason: Contradiction | None = None


@dataclass(frozen=True)
class ClauseEvidence:
    """The cases of one operator on one product.

    Attributes:
        cases: The cases, with what their data reach.
        working: Ids of the operator's valid calls, on any product.
    """

    spec: OperatorSpec
    cases: Sequence[ReachedCase]
    working: frozenset[str]

    @cached_property
    def refused(self) -> Sequence[Case]:
        return [reached.case for reached in self.cases if not reached.case.expects_success]

    def ids(self, promise: Promise, direction: Direction) -> tuple[str, ...]:
        """Return the cases that test a clause in a direction."""
        clause, negative = promise.clause, direction == "negative"
        if promise.kind == "value":
            return tuple(c.case.id for c in self.cases if clause in getattr(c.reach, direction))
        if promise.kind == "error":
            return self._error_cases(promise, negative=negative)
        if promise.kind == "product-support" and negative:
            return tuple(case.id for case in self.refused)
        valid, refused = (self._cases_by_clause.get((clause, works), ()) for works in (True, False))
        if promise.kind == "common":
            # refused calls keep these promises, too
            return () if negative else (*valid, *refused)
        return tuple(refused if negative else valid)

    def _error_cases(self, promise: Promise, *, negative: bool) -> tuple[str, ...]:
        """Return an error clause's refused calls, or the valid ones that differ in one fact."""
        refused = [case for case in self.refused if case.scene == promise.clause]
        if negative:
            return tuple(case.id for case in refused)
        valid = (
            self.working
            if promise.twins_elsewhere
            else {reached.case.id for reached in self.cases if reached.case.expects_success}
        )
        twins = dict.fromkeys(case.twin for case in refused)
        return tuple(twin for twin in twins if twin is not None and twin in valid)

    @cached_property
    def _cases_by_clause(self) -> Mapping[tuple[str, bool], Sequence[str]]:
        """The cases that name each clause, by whether they are valid calls."""
        ids: dict[tuple[str, bool], list[str]] = {}
        for case in (reached.case for reached in self.cases):
            for clause in case.clauses:
                ids.setdefault((clause, case.expects_success), []).append(case.id)
        return ids

    def breaking(self, promise: Promise) -> dict[str, frozenset[str]] | None:
        """Return the refused calls that break a requirement, with all requirements they break."""
        if promise.kind not in _REQUIREMENTS:
            return None
        return {
            name: names
            for name, names in self._requirements_by_case.items()
            if promise.clause in names
        }

    @cached_property
    def _requirements_by_case(self) -> dict[str, frozenset[str]]:
        """The requirements that each refused call breaks."""
        return {case.id: frozenset(broken_requirements(case)) for case in self.refused}

    def hides(self, promise: Promise) -> bool:
        """Whether all calls that break an error clause also break another one.

        Then a device that does not check the clause passes them all.
        """
        clauses = (promise.clause,)
        return promise.kind == "error" and not any(
            case.refused_by == clauses and violated_ids(Call.of(self.spec, case)) == clauses
            for case in self.refused
        )

    def contests(self, promise: Promise) -> Contests:
        """Return the contradictions of a clause; only value clauses have any."""
        if promise.kind != "value":
            return Contests()
        clause = promise.clause
        against: Counter[str] = Counter()
        cases = [c for c in self.cases if c.reach.contested.get(clause)]
        for reached in cases:
            for pair, elements in reached.reach.clashes.items():
                if clause in pair:
                    against[pair[1] if pair[0] == clause else pair[0]] += elements
        contested = sum(c.reach.contested[clause] for c in cases)
        applied = sum(c.reach.applied.get(clause, 0) for c in self.cases)
        throughout = 0 < contested == applied
        reason = Contradiction(tuple(against), contested, len(cases)) if throughout else None
        return Contests(against, tuple(c.case.id for c in cases), reason)


State: TypeAlias = Literal["covered", "uncovered", "stale", "not promised"]

Reason: TypeAlias = str | Contradiction
"""Why a direction has no cases: a statement of the spec, the kind of clause, or the data."""

_FEW = 3
"""Up to this many negative cases of a rule are fragile: a change of factors may lose them."""

_REQUIREMENTS = ("requirement", "rule")
"""The kinds of clauses of which one call can break several."""


@dataclass(frozen=True)
class ProductCoverage:
    """Coverage of one clause on one product.

    Attributes:
        positive: Ids of the cases that test the clause positively; of an error clause: the twins.
        negative: Ids of the cases that test it negatively.
        reasons: Why a direction without cases cannot have any.
        gaps: Directions that have neither cases nor a reason.
        breaking: Of a requirement or rule: the refused calls that break it, each with all
            requirements that it breaks; None of other clauses.
        hidden: Of an error clause: whether each call that breaks it also breaks another one.
    """

    product: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    contests: Contests
    reasons: Mapping[Direction, Reason]
    gaps: tuple[Direction, ...]
    breaking: Mapping[str, frozenset[str]] | None = None
    hidden: bool = False

    def tests(self, direction: Direction) -> bool:
        """Whether a device that broke the clause in a direction would be caught."""
        ids = self.positive if direction == "positive" else self.negative
        return bool(ids) and not (direction == "negative" and self.hidden)

    @property
    def alone(self) -> int | None:
        """Refused calls that break this requirement and no other; None for other clauses."""
        if self.breaking is None:
            return None
        return sum(len(broken) == 1 for broken in self.breaking.values())


@dataclass(frozen=True)
class ClauseCoverage:
    """Coverage of one clause on all products.

    Attributes:
        products: One entry for each product on which it is promised.
        stale: Directions that the spec declares untestable although cases test them.
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
        return sum(len(product.contests.cases) for product in self.products)

    @property
    def clashes(self) -> Mapping[str, int]:
        """Elements on which the clause contradicts another one, by that clause."""
        total: Counter[str] = Counter()
        for product in self.products:
            total.update(product.contests.clashes)
        return total

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why some direction has no cases, each reason once, with its direction."""
        reasons: dict[tuple[Direction, str | None], dict[str, Reason]] = {}
        for product in self.products:
            for direction, reason in product.reasons.items():
                # contradictions are one reason, even if counts differ by product
                key = None if isinstance(reason, Contradiction) else reason
                reasons.setdefault((direction, key), {})[product.product] = reason
        sentences = [
            f"{self._lack(direction, names)}: {_combine(names.values())}{self._where(names)}"
            for (direction, _), names in reasons.items()
        ]
        return (*sentences, *self.withheld)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on few negative cases, which are not gaps."""
        return (*self._mask_remarks, *self._fragility_remarks)

    @property
    def _fragility_remarks(self) -> tuple[str, ...]:
        """Return a remark on products on which few calls break a rule or an error clause."""
        if self.promise.kind not in ("rule", "error"):
            return ()
        few = [product for product in self.products if 0 < len(product.negative) <= _FEW]
        most = max((len(product.negative) for product in few), default=0)
        where = self._where([product.product for product in few])
        text = f"fragile: at most {counted(most, 'call')} {form(most, 'breaks', 'break')} it{where}"
        return (text,) if few else ()

    @property
    def _mask_remarks(self) -> tuple[str, ...]:
        """Return a remark on products on which no call breaks a requirement alone."""
        masked = [product for product in self.products if product.breaking and not product.alone]
        if not masked:
            return ()
        clause = self.promise.clause
        sets = [broken for product in masked for broken in (product.breaking or {}).values()]
        others = sorted({name for broken in sets for name in broken if name != clause})
        with_it = (
            f"another requirement ({others[0]}) is"
            if len(others) == 1
            else f"at least one of {', '.join(others)} is"
        )
        where = self._where([product.product for product in masked])
        return (f"no call breaks it alone: {with_it} broken, too{where}",)

    def _lack(self, direction: Direction, products: Collection[str]) -> str:
        """Return the lack of a direction on some products."""
        lacking = [product for product in self.products if product.product in products]
        if direction == "negative" and any(product.negative for product in lacking):
            return "no call breaks it alone"
        return f"no {direction} case"

    @property
    def lacks(self) -> tuple[str, ...]:
        """The lacks without a reason."""
        return tuple(
            f"{self._lack(direction, products)} on {', '.join(products)}"
            for direction, products in self.gaps.items()
        )

    def _where(self, products: Iterable[str]) -> str:
        """Return the products in parentheses, unless they are all products of the clause."""
        names = sorted(products)
        return f" ({', '.join(names)})" if len(names) < len(self.products) else ""

    @property
    def gaps(self) -> dict[Direction, tuple[str, ...]]:
        """Products without cases and without a reason, by direction."""
        missing = {
            direction: tuple(p.product for p in self.products if direction in p.gaps)
            for direction in DIRECTIONS
        }
        return {direction: names for direction, names in missing.items() if names}

    @property
    def state(self) -> State:
        """The state of the clause over all products."""
        if not self.products:
            return "not promised"
        return "uncovered" if self.gaps else "stale" if self.stale else "covered"


def _combine(reasons: Collection[Reason]) -> Reason:
    """Combine the reasons of several products: contradictions are added up."""
    parts = [reason for reason in reasons if isinstance(reason, Contradiction)]
    if not parts:
        return next(iter(reasons))
    opponents = dict.fromkeys(name for part in parts for name in part.opponents)
    elements, cases = sum(part.elements for part in parts), sum(part.cases for part in parts)
    return Contradiction(tuple(opponents), elements, cases)


def exit_code(coverage: Iterable[ClauseCoverage]) -> ExitCode:
    """Return the exit status for coverage; without any promise it proves nothing."""
    promised = [clause.state for clause in coverage if clause.state != "not promised"]
    if not promised:
        return ExitCode.NOT_TRUSTWORTHY
    is_complete = all(state == "covered" for state in promised)
    return ExitCode.PASSED if is_complete else ExitCode.BROKEN_PROMISE


def cover(specs: SpecSet, operator: str, reached: ReachedCases) -> tuple[ClauseCoverage, ...]:
    """Return the coverage of an operator.

    Args:
        reached: Its cases on the selected products.
    """
    spec = specs.operator(operator)
    working = frozenset(
        case.case.id for cases in reached.values() for case in cases if case.case.expects_success
    )
    evidence = {name: ClauseEvidence(spec, cases, working) for name, cases in reached.items()}
    return tuple(_cover_clause(spec, promise, evidence) for promise in promises_of(specs, spec))


def _cover_clause(
    spec: OperatorSpec, promise: Promise, evidence: Mapping[str, ClauseEvidence]
) -> ClauseCoverage:
    products = tuple(
        _cover_product(spec, promise, product, evidence[product])
        for product in promise.needs
        if product in evidence
    )
    return ClauseCoverage(
        promise=promise,
        products=products,
        stale=tuple(dict.fromkeys(_stale_directions(spec.one_sided, promise.clause, products))),
        withheld=tuple(text for name, text in promise.withheld.items() if name in evidence),
    )


def _stale_directions(
    declarations: Iterable[OneSided], clause: str, products: Sequence[ProductCoverage]
) -> Iterator[Direction]:
    """Yield directions that the spec declares untestable, and cases test on a product named."""
    for declaration in declarations:
        for product in products if declaration.clause == clause else ():
            is_named = declaration.products is None or product.product in declaration.products
            if is_named and product.tests(declaration.missing):
                yield declaration.missing


def _cover_product(
    spec: OperatorSpec, promise: Promise, product: str, evidence: ClauseEvidence
) -> ProductCoverage:
    needed = promise.needs[product]
    looked_for = DIRECTIONS if promise.twins_elsewhere else needed
    ids: dict[Direction, tuple[str, ...]] = dict.fromkeys(DIRECTIONS, ())
    ids |= {direction: evidence.ids(promise, direction) for direction in looked_for}
    hidden = evidence.hides(promise)
    missing = [
        direction
        for direction in needed
        if not ids[direction] or (direction == "negative" and hidden)
    ]
    contests = evidence.contests(promise)
    reasons: dict[Direction, Reason] = {}
    for direction in missing:
        contradiction = contests.reason if direction == "positive" else None
        reason = stated_reason(spec, promise, direction, product) or contradiction
        if reason is not None:
            reasons[direction] = reason
    gaps = [direction for direction in missing if direction not in reasons]
    if set(missing) == set(DIRECTIONS) and not contests.cases:
        gaps = list(DIRECTIONS)  # with reasons for both directions nothing would be tested
    return ProductCoverage(
        product=product,
        positive=ids["positive"],
        negative=ids["negative"],
        contests=contests,
        reasons=reasons,
        gaps=tuple(gaps),
        breaking=evidence.breaking(promise),
        hidden=hidden,
    )


def cover_operators(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached = lambda *_: None
) -> tuple[ClauseCoverage, ...]:
    """Return the coverage of the selected operators.

    One process handles all of an operator, because its plans are much larger than its results.

    Args:
        question: The selection.
        progress: Receives the progress.
    """
    if len(question.operators) == 1:
        return _cover_operator(question, jobs, progress)
    specs = question.specs
    # operators with many parameters take long, so they start first
    largest = sorted(question.operators, key=lambda name: -len(specs.operator(name).parameters))
    questions = [replace(question, operators=(name,)) for name in largest]
    by_operator: dict[str, tuple[ClauseCoverage, ...]] = {}
    progress("cover", 0, len(questions))
    for name, clauses in zip(
        largest, spread(_cover_operator, questions, jobs, KILLED), strict=True
    ):
        by_operator[name] = clauses
        progress("cover", len(by_operator), len(questions))
    return tuple(clause for name in question.operators for clause in by_operator[name])


def _cover_operator(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached = lambda *_: None
) -> tuple[ClauseCoverage, ...]:
    (operator,) = question.operators
    return cover(question.specs, operator, reached_cases(question, jobs, progress))
