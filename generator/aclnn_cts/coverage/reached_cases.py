# SPDX-License-Identifier: Apache-2.0
"""Planned cases of an operator, and the value clauses that their data reach.

For value clauses, only the data decide (:mod:`aclnn_cts.golden.inputs`). Cases of two products are
often the same call, and the expectation depends only on the product's arithmetic, so each distinct
pair of call and arithmetic is evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from aclnn_cts.coverage.promises import DIRECTIONS, Direction, promises_of, stated_reason
from aclnn_cts.golden.expectations import call_key
from aclnn_cts.golden.inputs import settle
from aclnn_cts.golden.reach import Reach, reach_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parts import parts_of
from aclnn_cts.suite import Suite, code_digest
from aclnn_cts.worker_pool import spread

_CHUNK = 24
KILLED = "a process was killed, perhaps for lack of memory; try again with --jobs 1"

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


def reached_cases(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached = lambda *_: None
) -> ReachedCases:
    """Plan one operator on all products, and evaluate its cases if value clauses are wanted.

    Args:
        question: The selection.
        progress: Receives the progress.
    """
    specs = question.specs
    store = PlanCache.of(question.suite)
    (operator,) = question.operators
    mentioned = specs.operator(operator).mentions
    # products share much of the work
    plans = {
        name: plan(specs, name, question.tier, [operator], store) if mentioned(name) else ()
        for name in question.products
    }
    if not question.values:
        return {product: tuple(map(ReachedCase, cases)) for product, cases in plans.items()}
    return _evaluate(question, plans, jobs, progress)


def _evaluate(
    question: CoverageQuestion, plans: Mapping[str, Iterable[Case]], jobs: int, report: OnReached
) -> dict[str, tuple[ReachedCase, ...]]:
    specs = question.specs
    calls: dict[Hashable, _Call] = {}
    for case in (case for cases in plans.values() for case in cases if case.expects_success):
        calls.setdefault(call_key(specs, case), _Call(case, set())).products.add(case.product)
    store, key = PlanCache.of(question.suite), _key(question, calls.values())
    reach_list = store.load("reach", key, list[Reach])
    if reach_list is None:
        reach_list = _reaches(question, tuple(calls.values()), jobs, report)
        store.keep("reach", key, reach_list)
    reaches = dict(zip(calls, reach_list, strict=True))
    return {
        product: tuple(
            reached_case(specs, c, reaches.get(call_key(specs, c), Reach())) for c in cases
        )
        for product, cases in plans.items()
    }


_CODE = code_digest(
    *(f"{room}/**/*.py" for room in ("golden", "plan", "spec", "violations")),
    *(f"coverage/{name}.py" for name in ("promises", "reached_cases")),
    library="numpy",
)
"""Computed at import, because the files may change while the process runs the old code."""


def _key(question: CoverageQuestion, calls: Iterable[_Call]) -> str:
    """Return the cache key: all that decides which calls are evaluated, and what they reach."""
    specs = question.specs
    parts = parts_of(question.suite, specs, question.operators)
    # with `first`, the quarantine decides which calls are evaluated
    selection = (question.edition, question.first, specs.quarantine.model_dump_json())
    ids = [(call.case.id, sorted(call.products)) for call in calls]
    return repr((_CODE, selection, parts, ids))


def _reaches(
    question: CoverageQuestion, calls: tuple[_Call, ...], jobs: int, report: OnReached
) -> list[Reach]:
    most = max(len(calls), 1) if question.first else _CHUNK
    chunks = [(question, calls[at : at + most]) for at in range(0, len(calls), most)]
    reaches: list[Reach] = []
    report("reach", 0, len(calls))
    for part in spread(_reach, chunks, jobs, KILLED):
        reaches += part
        report("reach", len(reaches), len(calls))
    return reaches


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
        return [reach_of(settle(specs, call.case)) for call in calls]
    missing = _untested_values(specs, specs.operator(calls[0].case.operator))
    reaches = [Reach()] * len(calls)
    # in the order of digests, which mixes scenes and data
    for number, call in sorted(enumerate(calls), key=lambda pair: pair[1].case.digest):
        if any(product in call.products for product, _, _ in missing):
            reaches[number] = reach_of(settle(specs, call.case))
            counted = reached_case(specs, call.case, reaches[number]).reach
            missing -= {
                (product, clause, direction)
                for product in call.products
                for direction in DIRECTIONS
                for clause in getattr(counted, direction)
            }
    return reaches


def _untested_values(specs: SpecSet, spec: OperatorSpec) -> set[tuple[str, str, Direction]]:
    """Return the products, clauses and directions that need a case or have no stated reason."""
    return {
        (product, promise.clause, direction)
        for promise in promises_of(specs, spec)
        if promise.kind == "value"
        for product, directions in promise.needs.items()
        for reasons in [{d: stated_reason(spec, promise, d, product) for d in directions}]
        for direction, reason in reasons.items()
        if reason is None or None not in reasons.values()
    }


def reached_case(specs: SpecSet, case: Case, reach: Reach) -> ReachedCase:
    """Return a case's counted reach; none if its values are not judged."""
    quarantined = specs.quarantine.entry_of(case.id) is not None
    return ReachedCase(case, Reach() if quarantined else reach)
