# SPDX-License-Identifier: Apache-2.0
"""All cases of a tier with what their data reach, for many products at once.

Cases of two products are often the same call. What decides the expectation of a call is the
product's arithmetic only, so each distinct pair of call and arithmetic is evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from aclnn_cts.golden.expectations import call_key
from aclnn_cts.golden.reach import Reach, reach_of
from aclnn_cts.judge.judge_run import spread
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

_CHUNK = 24
_KILLED = "a process was killed, perhaps for lack of memory; try again with --jobs 1"

OnReached: TypeAlias = Callable[[str, int, int], None]
"""Is told the stage (``plan`` or ``reach``), how much of it is done, and of how much."""


@dataclass(frozen=True)
class ReachedCase:
    """A planned case, and what its data reach."""

    case: Case
    reach: Reach = field(default_factory=Reach)


ReachedCases: TypeAlias = Mapping[str, tuple[ReachedCase, ...]]
"""By product."""


@dataclass(frozen=True)
class CoverageQuestion:
    """Which cases are to be evaluated.

    Attributes:
        suite: Its specs count.
        edition: The edition of the documents.
        operators: Names of tested operators.
        products: Ids of products.
        tier: The tier.
    """

    suite: Suite
    edition: str
    operators: tuple[str, ...]
    products: tuple[str, ...]
    tier: str

    @property
    def specs(self) -> SpecSet:
        """The specs in the edition asked for."""
        return load_specs(self.suite, self.edition)


@dataclass(frozen=True)
class _Chunk:
    question: CoverageQuestion
    cases: tuple[Case, ...]


def reached_cases(
    question: CoverageQuestion, jobs: int = 1, progress: OnReached | None = None
) -> ReachedCases:
    """Plan and evaluate all cases of a tier.

    Args:
        question: Which ones.
        jobs: Processes to use.
        progress: Is told how far the work is.
    """
    report = progress or _silent
    specs = question.specs
    # Many parameters take long to plan: first, so that no process is left alone with them.
    largest = sorted(question.operators, key=lambda name: -len(specs.operator(name).parameters))
    wanted = [replace(question, operators=(name,)) for name in largest]
    plans: dict[str, list[Case]] = {product: [] for product in question.products}
    report("plan", 0, len(wanted))
    for number, found in enumerate(spread(_plan, wanted, jobs, _KILLED)):
        for product, cases in zip(question.products, found, strict=True):
            plans[product] += cases
        report("plan", number + 1, len(wanted))
    return _evaluated(question, plans, jobs, report)


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total


def _plan(wanted: CoverageQuestion) -> list[tuple[Case, ...]]:
    """Plan one operator on all products, which share much of the work."""
    specs = wanted.specs
    store = CoveringStore.of(wanted.suite)
    (operator,) = wanted.operators
    mentioned = specs.operator(operator).mentions
    return [
        plan(specs, product, wanted.tier, [operator], store) if mentioned(product) else ()
        for product in wanted.products
    ]


def _evaluated(
    question: CoverageQuestion, plans: Mapping[str, Iterable[Case]], jobs: int, report: OnReached
) -> dict[str, tuple[ReachedCase, ...]]:
    specs = question.specs
    distinct: dict[Hashable, Case] = {}
    for case in (case for cases in plans.values() for case in cases if case.expects_success):
        distinct.setdefault(call_key(specs, case), case)
    cases = tuple(distinct.values())
    chunks = [_Chunk(question, cases[at : at + _CHUNK]) for at in range(0, len(cases), _CHUNK)]
    found: list[Reach] = []
    report("reach", 0, len(cases))
    for part in spread(_reach, chunks, jobs, _KILLED):
        found += part
        report("reach", len(found), len(cases))
    reaches = dict(zip(distinct, found, strict=True))
    return {
        product: tuple(
            as_counted(specs, c, reaches.get(call_key(specs, c), Reach())) for c in cases
        )
        for product, cases in plans.items()
    }


def _reach(chunk: _Chunk) -> list[Reach]:
    specs = chunk.question.specs
    return [reach_of(specs, case) for case in chunk.cases]


def as_counted(specs: SpecSet, case: Case, reach: Reach) -> ReachedCase:
    """Return what a case counts for: nothing, if no value of it is judged."""
    quarantined = specs.quarantine.entry_of(case.id) is not None
    return ReachedCase(case, Reach() if quarantined else reach)
