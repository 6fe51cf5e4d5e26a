# SPDX-License-Identifier: Apache-2.0
"""A smaller case that fails in the same way, looked for on the device."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.rules import is_valid
from aclnn_cts.repro.facts import Candidate, build, candidate_of
from aclnn_cts.repro.looking import Seen
from aclnn_cts.repro.observed import ObservedCase
from aclnn_cts.repro.same_failure import fails_alike
from aclnn_cts.repro.shrinking import Bounds, Shrunk, shrink
from aclnn_cts.repro.steps import simpler
from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.spec.models import OperatorSpec

MOST_TRIES = 300
MOST_SECONDS = 300.0
"""A search ends by itself after some dozens of tries; the bounds are for faults that vary."""


@dataclass(frozen=True)
class Smaller:
    """What a search came to.

    Attributes:
        known: The smaller case; the one that was given, if there is none.
        said: One sentence about the search.
    """

    known: ObservedCase
    said: str


def make_smaller(bench: TrialBench, known: ObservedCase) -> Smaller:
    """Return a smaller case that breaks the same promise in the same way.

    Raises:
        NotTrustworthyError: Something would not build or start.
        WrongInputError: The toolkit is none.
    """
    if not known.verdict.verdict.breaks_promise:
        return Smaller(known, "not made smaller, because it broke no promise by itself")
    spec = bench.specs.operator(known.case.operator)
    start = candidate_of(spec, known.case)
    if start is None:
        return Smaller(known, "not made smaller, because no facts of the spec make it")
    trials = _Trials(bench, spec, known)
    if trials.fails([start]) != [True]:
        return Smaller(known, _another_way(bench))
    end = time.monotonic() + MOST_SECONDS
    bounds = Bounds(MOST_TRIES, lambda: time.monotonic() > end)
    shrunk = shrink(start, lambda each: simpler(spec, each), trials.fails, bounds)
    return _conclude(known, trials, shrunk, start)


def _another_way(bench: TrialBench) -> str:
    """Return what to say of a case that does not fail as it did: the device may be another."""
    real = f"device {bench.number} of this host"
    device = "the simulated device" if bench.cann is None else real
    return (
        f"not made smaller, because run alone on {device} it did not fail in the same way; if it "
        "failed on another device, such as that of a kit's host, try there"
    )


def _conclude(
    known: ObservedCase, trials: _Trials, shrunk: Shrunk[Candidate], start: Candidate
) -> Smaller:
    if shrunk.smallest == start:
        return Smaller(known, f"as it was planned: no smaller case failed in {shrunk.tries} tries")
    seen = trials.seen[shrunk.smallest]
    said = (
        f"made smaller: from {size_of(known.case)} to {size_of(seen.case)} in {shrunk.tries} tries"
    )
    if shrunk.ended != "done":
        said += f", when the bound on {shrunk.ended} ended the search"
    kept = (*seen.verdict.broken, *seen.verdict.exercised)
    blamed = tuple(name for name in known.blamed if name in kept) or seen.verdict.broken
    small = replace(
        known, case=seen.case, verdict=seen.verdict, blamed=blamed, message=seen.verdict.message
    )
    return Smaller(small, said)


def size_of(case: Case) -> str:
    """Return shape and layouts of a case in a few words."""
    first = case.tensors[0]
    shape = "x".join(map(str, first.shape)) or "a scalar"
    layouts = sorted({tensor.layout for tensor in case.tensors} - {"contiguous"})
    return f"{shape} {' and '.join(layouts) or 'contiguous'}"


class _Trials:
    """Runs candidates, and remembers what those that failed in the same way showed."""

    def __init__(self, bench: TrialBench, spec: OperatorSpec, known: ObservedCase) -> None:
        self._bench = bench
        self._spec = spec
        self._known = known
        self.seen: dict[Candidate, Seen] = {}

    def fails(self, batch: Sequence[Candidate]) -> list[bool]:
        cases = {each: case for each in batch if (case := self._build(each)) is not None}
        by_id = {case.id: case for case in cases.values()}
        seen = self._bench.run(list(by_id.values())).seen if by_id else {}
        failed = []
        for each in batch:
            found = seen[cases[each].id] if each in cases else None
            alike = found is not None and fails_alike(self._known.verdict, found.verdict)
            if found is not None and alike:
                self.seen[each] = found
            failed.append(alike)
        return failed

    def _build(self, candidate: Candidate) -> Case | None:
        """Return the case, if it promises what the original one does."""
        original = self._known.case
        case = build(self._spec, original, candidate)
        if case is None:
            return None
        if case.expects_success:
            facts = dict(candidate.facts)
            return case if is_valid(self._spec, case.product, facts) else None
        # A call that is refused for another reason says nothing about this one.
        return case if case.clauses == original.clauses else None
