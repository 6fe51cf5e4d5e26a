# SPDX-License-Identifier: Apache-2.0
"""Clause coverage: how many cases test each clause in each direction, and why some cannot.

A clause is tested *positively* where the promise must hold, *negatively* where its violation must
be refused, or where just outside it something else is promised. For value clauses, only the data
decide (:mod:`aclnn_cts.golden.inputs`). Cases of two products are often the same call, and the
expectation depends only on the product's arithmetic, so each distinct pair of call and arithmetic
is evaluated once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from aclnn_cts.errors import ExitCode, counted, form
from aclnn_cts.golden.expectations import call_key
from aclnn_cts.golden.inputs import settled
from aclnn_cts.golden.reach import Reach, reach_from_json, reach_of, reach_to_json
from aclnn_cts.plan.case_builder import requirements_broken
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import CoveringStore, code_digest
from aclnn_cts.plan.planner import plan
from aclnn_cts.plan.refusals import violated_ids
from aclnn_cts.spec.clause_models import (
    BATCH_CONSISTENCY,
    DETERMINISM,
    ErrorClause,
    Rule,
    ValueClause,
)
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import CommonClause, OneSided, OperatorSpec, Product
from aclnn_cts.spec.parameter_clauses import (
    PRODUCT_SUPPORT,
    ClauseBasis,
    StructuralClause,
    place,
    structural_clauses,
)
from aclnn_cts.spec.parts import parts_of
from aclnn_cts.suite import Suite
from aclnn_cts.worker_pool import spread

Direction: TypeAlias = Literal["positive", "negative"]
DIRECTIONS: tuple[Direction, ...] = ("positive", "negative")

Kind: TypeAlias = Literal["value", "error", "rule", "requirement", "product-support", "common"]


@dataclass(frozen=True)
class Promise:
    """A clause of an operator.

    Attributes:
        kind: The part of the spec that states it.
        basis: Its basis.
        place: Its place in the documents.
        needs: Directions in which it must be tested, by product on which it is promised.
        no_negative: Reason why it cannot be tested negatively on any product; None if it can.
        withheld: Special reasons why it is not promised, by product.
        twins_elsewhere: Of an error clause: whether the passing twins of its refused calls are
            calls on another product.
    """

    operator: str
    clause: str
    kind: Kind
    basis: ClauseBasis
    text: str
    place: str
    needs: Mapping[str, tuple[Direction, ...]]
    no_negative: str | None = None
    withheld: Mapping[str, str] = field(default_factory=dict)
    twins_elsewhere: bool = False


def promises_of(specs: SpecSet, spec: OperatorSpec) -> tuple[Promise, ...]:
    """Return all clauses of an operator: parameter table, rules, values, errors, common ones."""
    supported = [product for product in specs.products.values() if spec.supports(product.id)]
    return (
        *(_of_structure(specs, spec, clause) for clause in structural_clauses(spec)),
        *(_of_rule(spec, rule, supported) for rule in spec.rules),
        *(_of_value(spec, clause, supported) for clause in spec.clauses),
        *(_of_error(specs, spec, clause) for clause in spec.errors),
        *(_of_common(spec, clause, supported) for clause in specs.common_of(spec.operator)),
    )


def _of_structure(specs: SpecSet, spec: OperatorSpec, clause: StructuralClause) -> Promise:
    needs = {name: DIRECTIONS for name in specs.products if spec.supports(name)}
    if not clause.id.endswith("-absent"):
        # Where a rule demands a null pointer, nothing else is promised of the tensor.
        needs = {p: d for p, d in needs.items() if clause.parameter not in spec.reserved(p)}
    if clause.id == DETERMINISM:
        needs = {p: d for p, d in needs.items() if spec.determinism_on(p) != "unpromised"}
    if clause.id == BATCH_CONSISTENCY:
        needs = {p: d for p, d in needs.items() if spec.batch_level_on(p) is not None}
    on_product = clause.id == PRODUCT_SUPPORT
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="product-support" if on_product else "requirement",
        basis="stated",
        text=clause.text,
        place=place(spec, clause.where),
        needs={
            name: ("positive",) if spec.supports(name) else ("negative",)
            for name in specs.products
            if spec.mentions(name)
        }
        if on_product
        else needs,
        no_negative=clause.no_negative,
    )


def _of_rule(spec: OperatorSpec, rule: Rule, supported: Sequence[Product]) -> Promise:
    held = [p.id for p in supported if rule.products is None or p.id in rule.products]
    at = place(spec, rule.where)
    needs = dict.fromkeys(held, DIRECTIONS)
    return Promise(spec.operator, rule.id, "rule", "stated", rule.text, at, needs)


def _of_value(spec: OperatorSpec, clause: ValueClause, supported: Sequence[Product]) -> Promise:
    silent = [p.id for p in supported if not _is_held(spec, clause, p)]
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="value",
        basis="stated",
        text=clause.text,
        place=place(spec, clause.where),
        needs={p.id: DIRECTIONS for p in supported if p.id not in silent},
        withheld={
            name: f"cannot be tested on {name}: it has neither Inf nor NaN" for name in silent
        },
    )


def _is_held(spec: OperatorSpec, clause: ValueClause, product: Product) -> bool:
    held = [spec.clauses_of(output.name, inf_nan=product.inf_nan) for output in spec.outputs]
    return any(clause.id == each.id for clauses in held for each in clauses.values())


def _of_error(specs: SpecSet, spec: OperatorSpec, clause: ErrorClause) -> Promise:
    named = [p for p in specs.products if clause.products is None or p in clause.products]
    needs: dict[str, tuple[Direction, ...]]
    if clause.is_of_product:
        # the passing twin is a call on another product, which may not be selected
        needs = {p: ("negative",) for p in named if spec.mentions(p) and not spec.supports(p)}
    else:
        needs = {p: DIRECTIONS for p in named if spec.supports(p)}
    return Promise(
        operator=spec.operator,
        clause=clause.id,
        kind="error",
        basis=clause.basis,
        text=clause.text,
        place=place(spec, clause.where),
        needs=needs,
        twins_elsewhere=clause.is_of_product,
    )


def _of_common(spec: OperatorSpec, clause: CommonClause, supported: Sequence[Product]) -> Promise:
    needs = {product.id: DIRECTIONS for product in supported}
    facts = (clause.basis, clause.text, clause.place, needs, clause.no_negative)
    return Promise(spec.operator, clause.id, "common", *facts)


_CHUNK = 24
_KILLED = "a process was killed, perhaps for lack of memory; try again with --jobs 1"

OnReached: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage (``cover`` or ``reach``), the completed and the total count."""


@dataclass(frozen=True)
class ReachedCase:
    """A planned case and its reach."""

    case: Case
    reach: Reach = field(default_factory=Reach)


ReachedCases: TypeAlias = Mapping[str, tuple[ReachedCase, ...]]
"""By product."""


@dataclass(frozen=True)
class CoverageQuestion:
    """Selection of the cases to evaluate.

    Attributes:
        suite: The suite of the specs.
        first: Whether to stop evaluating when no value clause lacks a case or a stated reason.
            Further cases may show that a stated reason is stale.
        values: Whether value clauses are wanted, the only ones that need evaluated cases.
    """

    suite: Suite
    edition: str
    operators: tuple[str, ...]
    products: tuple[str, ...]
    tier: str
    first: bool = False
    values: bool = True

    @property
    def specs(self) -> SpecSet:
        """The specs in the edition asked for."""
        return load_specs(self.suite, self.edition)


def covered(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached = lambda *_: None
) -> tuple[ClauseCoverage, ...]:
    """Return the coverage of the selected operators.

    One process handles all of an operator, because its plans are much larger than its results.

    Args:
        question: The selection.
        progress: Receives the progress.
    """
    if len(question.operators) == 1:
        return _covered(question, jobs, progress)
    specs = question.specs
    # operators with many parameters take long, so they start first
    largest = sorted(question.operators, key=lambda name: -len(specs.operator(name).parameters))
    wanted = [replace(question, operators=(name,)) for name in largest]
    found: dict[str, tuple[ClauseCoverage, ...]] = {}
    progress("cover", 0, len(wanted))
    for name, clauses in zip(largest, spread(_covered, wanted, jobs, _KILLED), strict=True):
        found[name] = clauses
        progress("cover", len(found), len(wanted))
    return tuple(clause for name in question.operators for clause in found[name])


def _covered(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached = lambda *_: None
) -> tuple[ClauseCoverage, ...]:
    (operator,) = question.operators
    return cover(question.specs, operator, reached_cases(question, jobs, progress))


def reached_cases(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached = lambda *_: None
) -> ReachedCases:
    """Plan one operator on all products, and evaluate its cases if value clauses are wanted.

    Args:
        question: The selection.
        progress: Receives the progress.
    """
    specs = question.specs
    store = CoveringStore.of(question.suite)
    (operator,) = question.operators
    mentioned = specs.operator(operator).mentions
    # products share much of the work
    plans = {
        name: plan(specs, name, question.tier, [operator], store) if mentioned(name) else ()
        for name in question.products
    }
    if not question.values:
        return {product: tuple(map(ReachedCase, cases)) for product, cases in plans.items()}
    return _evaluated(question, plans, jobs, progress)


def _evaluated(
    question: CoverageQuestion, plans: Mapping[str, Iterable[Case]], jobs: int, report: OnReached
) -> dict[str, tuple[ReachedCase, ...]]:
    specs = question.specs
    calls: dict[Hashable, _Call] = {}
    for case in (case for cases in plans.values() for case in cases if case.expects_success):
        calls.setdefault(call_key(specs, case), _Call(case, set())).products.add(case.product)
    store, key = CoveringStore.of(question.suite), _key(question, calls.values())
    if (kept := store.kept("reach", key)) is not None:
        found = list(map(reach_from_json, kept))
    else:
        found = _reaches(question, tuple(calls.values()), jobs, report)
        store.keep("reach", key, map(reach_to_json, found))
    reaches = dict(zip(calls, found, strict=True))
    return {
        product: tuple(
            as_counted(specs, c, reaches.get(call_key(specs, c), Reach())) for c in cases
        )
        for product, cases in plans.items()
    }


_CODE = code_digest(
    "numpy", "golden/**/*.py", "plan/*.py", "spec/*.py", "violations/*.py", "report/coverage.py"
)
"""Computed at import, because the files may change while the process runs the old code."""


def _key(question: CoverageQuestion, calls: Iterable[_Call]) -> str:
    """Return the cache key: all that decides which calls are evaluated, and what they reach."""
    specs = question.specs
    parts = parts_of(question.suite, specs, question.operators)
    # with `first`, the quarantine decides which calls are evaluated
    selection = (question.edition, question.first, specs.quarantine.model_dump_json())
    named = [(call.case.id, sorted(call.products)) for call in calls]
    return repr((_CODE, selection, parts, named))


def _reaches(
    question: CoverageQuestion, calls: tuple[_Call, ...], jobs: int, report: OnReached
) -> list[Reach]:
    most = max(len(calls), 1) if question.first else _CHUNK
    chunks = [(question, calls[at : at + most]) for at in range(0, len(calls), most)]
    found: list[Reach] = []
    report("reach", 0, len(calls))
    for part in spread(_reach, chunks, jobs, _KILLED):
        found += part
        report("reach", len(found), len(calls))
    return found


@dataclass(frozen=True)
class _Call:
    """A valid call, and the products with the same arithmetic on which it is planned."""

    case: Case
    products: set[str]


def _reach(chunk: tuple[CoverageQuestion, tuple[_Call, ...]]) -> list[Reach]:
    """Return the reach of one operator's calls; none for calls that are not evaluated."""
    question, calls = chunk
    specs = question.specs
    if not question.first:
        return [reach_of(settled(specs, call.case)) for call in calls]
    spec = specs.operator(calls[0].case.operator)
    missing = {
        (product, promise.clause, direction)
        for promise in promises_of(specs, spec)
        if promise.kind == "value"
        for product, directions in promise.needs.items()
        for direction in _open_directions(spec, promise, directions, product)
    }
    found = [Reach()] * len(calls)
    # in the order of digests, which mixes scenes and data
    for number, call in sorted(enumerate(calls), key=lambda pair: pair[1].case.digest):
        if any(product in call.products for product, _, _ in missing):
            found[number] = reach_of(settled(specs, call.case))
            counted = as_counted(specs, call.case, found[number]).reach
            missing -= {
                (product, clause, direction)
                for product in call.products
                for direction in DIRECTIONS
                for clause in getattr(counted, direction)
            }
    return found


def as_counted(specs: SpecSet, case: Case, reach: Reach) -> ReachedCase:
    """Return a case's counted reach; none if its values are not judged."""
    quarantined = specs.quarantine.entry_of(case.id) is not None
    return ReachedCase(case, Reach() if quarantined else reach)


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

    def ids(self, promise: Promise, direction: Direction) -> tuple[str, ...]:
        """Return the cases that test a clause in a direction."""
        clause, refused = promise.clause, direction == "negative"
        if promise.kind == "value":
            return tuple(self._reaching.get((clause, direction), ()))
        if promise.kind == "error":
            if refused:
                return tuple(case.id for case in self._scenes.get(clause, ()))
            return self._twins(promise)
        if promise.kind == "product-support" and refused:
            return tuple(c.case.id for c in self.cases if not c.case.expects_success)
        working, others = (self._naming.get((clause, works), ()) for works in (True, False))
        if promise.kind == "common":
            # refused calls keep these promises, too
            return () if refused else (*working, *others)
        return tuple(others if refused else working)

    @cached_property
    def _reaching(self) -> Mapping[tuple[str, Direction], Sequence[str]]:
        """The cases whose data test each value clause in each direction."""
        found: dict[tuple[str, Direction], list[str]] = {}
        for each in self.cases:
            for direction in DIRECTIONS:
                for clause in getattr(each.reach, direction):
                    found.setdefault((clause, direction), []).append(each.case.id)
        return found

    @cached_property
    def _naming(self) -> Mapping[tuple[str, bool], Sequence[str]]:
        """The cases that name each clause, by whether they are valid calls."""
        found: dict[tuple[str, bool], list[str]] = {}
        for case in (each.case for each in self.cases):
            for clause in case.clauses:
                found.setdefault((clause, case.expects_success), []).append(case.id)
        return found

    def breaking(self, clause: str) -> dict[str, frozenset[str]]:
        """Return the refused calls that break a requirement, with all requirements they break."""
        return {name: names for name, names in self._broken.items() if clause in names}

    @cached_property
    def _broken(self) -> dict[str, frozenset[str]]:
        """The requirements that each refused call breaks."""
        refused = (each.case for each in self.cases if not each.case.expects_success)
        return {case.id: frozenset(requirements_broken(case)) for case in refused}

    def hides(self, promise: Promise) -> bool:
        """Whether all calls that break an error clause also break another one.

        Then a device that does not check the clause passes them all.
        """
        if promise.kind != "error":
            return False
        own = (c.case for c in self.cases if c.case.refused_by == (promise.clause,))
        return not any(violated_ids(self.spec, case) == (promise.clause,) for case in own)

    def _twins(self, promise: Promise) -> tuple[str, ...]:
        """Return the valid calls that differ from a refused one in one fact."""
        twins = dict.fromkeys(case.twin for case in self._scenes.get(promise.clause, ()))
        working = self.working if promise.twins_elsewhere else self._working
        return tuple(twin for twin in twins if twin is not None and twin in working)

    @cached_property
    def _scenes(self) -> Mapping[str, Sequence[Case]]:
        """The refused calls of each scene, which may be an error clause."""
        found: dict[str, list[Case]] = {}
        for case in (each.case for each in self.cases if not each.case.expects_success):
            found.setdefault(case.scene, []).append(case)
        return found

    @cached_property
    def _working(self) -> frozenset[str]:
        return frozenset(each.case.id for each in self.cases if each.case.expects_success)

    def contests(self, promise: Promise) -> Contests:
        """Return the contradictions of a clause; only value clauses have any."""
        if promise.kind != "value":
            return Contests()
        clause = promise.clause
        against: Counter[str] = Counter()
        cases = [c for c in self.cases if c.reach.contested.get(clause)]
        for each in cases:
            for pair, elements in each.reach.clashes.items():
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
        found = self.positive if direction == "positive" else self.negative
        return bool(found) and not (direction == "negative" and self.hidden)

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
        found: dict[tuple[Direction, str | None], dict[str, Reason]] = {}
        for each in self.products:
            for direction, reason in each.reasons.items():
                # contradictions are one reason, even if counts differ by product
                key = None if isinstance(reason, Contradiction) else reason
                found.setdefault((direction, key), {})[each.product] = reason
        told = [
            f"{self._lacks(direction, held)}: {_over_all(held.values())}{self._where(held)}"
            for (direction, _), held in found.items()
        ]
        return (*told, *self.withheld)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on few negative cases, which are not gaps."""
        return (*self._masked, *self._fragile)

    @property
    def _fragile(self) -> tuple[str, ...]:
        """Return a remark on products on which few calls break a rule or an error clause."""
        if self.promise.kind not in ("rule", "error"):
            return ()
        few = [each for each in self.products if 0 < len(each.negative) <= _FEW]
        most = max((len(each.negative) for each in few), default=0)
        where = self._where([each.product for each in few])
        told = f"fragile: at most {counted(most, 'call')} {form(most, 'breaks', 'break')} it{where}"
        return (told,) if few else ()

    @property
    def _masked(self) -> tuple[str, ...]:
        """Return a remark on products on which no call breaks a requirement alone."""
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
        return (f"no call breaks it alone: {with_it} broken, too{where}",)

    def _lacks(self, direction: Direction, products: Collection[str]) -> str:
        """Return the lack of a direction on some products."""
        own = [each for each in self.products if each.product in products]
        if direction == "negative" and any(each.negative for each in own):
            return "no call breaks it alone"
        return f"no {direction} case"

    @property
    def lacks(self) -> tuple[str, ...]:
        """The lacks without a reason."""
        return tuple(
            f"{self._lacks(direction, products)} on {', '.join(products)}"
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


def _over_all(reasons: Collection[Reason]) -> Reason:
    """Combine the reasons of several products: contradictions are added up."""
    parts = [each for each in reasons if isinstance(each, Contradiction)]
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
    whole = all(state == "covered" for state in promised)
    return ExitCode.PASSED if whole else ExitCode.BROKEN_PROMISE


def cover(specs: SpecSet, operator: str, reached: ReachedCases) -> tuple[ClauseCoverage, ...]:
    """Return the coverage of an operator.

    Args:
        reached: Its cases on the selected products.
    """
    spec = specs.operator(operator)
    working = frozenset(
        each.case.id for cases in reached.values() for each in cases if each.case.expects_success
    )
    evidence = {name: ClauseEvidence(spec, cases, working) for name, cases in reached.items()}
    return tuple(_cover(spec, promise, evidence) for promise in promises_of(specs, spec))


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
    """Whether cases test a direction that the spec declares untestable, on any product named."""
    named = [p for p in products if stated.products is None or p.product in stated.products]
    return any(product.tests(stated.missing) for product in named)


def _cover_on(
    spec: OperatorSpec, promise: Promise, product: str, evidence: ClauseEvidence
) -> ProductCoverage:
    needed = promise.needs[product]
    looked_for = DIRECTIONS if promise.twins_elsewhere else needed
    found = {
        direction: evidence.ids(promise, direction) if direction in looked_for else ()
        for direction in DIRECTIONS
    }
    hidden = evidence.hides(promise)
    missing = [
        direction
        for direction in needed
        if not found[direction] or (direction == "negative" and hidden)
    ]
    contests = evidence.contests(promise)
    reasons: dict[Direction, Reason] = {}
    for direction in missing:
        computed = contests.reason if direction == "positive" else None
        reason = _stated(spec, promise, direction, product) or computed
        if reason is not None:
            reasons[direction] = reason
    gaps = [direction for direction in missing if direction not in reasons]
    if set(missing) == set(DIRECTIONS) and not contests.cases:
        gaps = list(DIRECTIONS)  # with reasons for both directions nothing would be tested
    return ProductCoverage(
        product=product,
        positive=found["positive"],
        negative=found["negative"],
        contests=contests,
        reasons=reasons,
        gaps=tuple(gaps),
        breaking=evidence.breaking(promise.clause) if promise.kind in _REQUIREMENTS else None,
        hidden=hidden,
    )


def _open_directions(
    spec: OperatorSpec, promise: Promise, directions: Sequence[Direction], product: str
) -> Sequence[Direction]:
    """Return the directions without a stated reason; all if each has one."""
    unstated = [each for each in directions if _stated(spec, promise, each, product) is None]
    return unstated or directions


def _stated(spec: OperatorSpec, promise: Promise, direction: Direction, product: str) -> str | None:
    """Return the reason that the spec, or the kind of clause, gives for a missing direction."""
    for one in spec.one_sided:
        here = one.products is None or product in one.products
        if one.clause == promise.clause and one.missing == direction and here:
            return one.reason
    return promise.no_negative if direction == "negative" else None
