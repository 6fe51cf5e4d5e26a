# SPDX-License-Identifier: Apache-2.0
"""The search for a smaller case that fails in the same way: greedy, deterministic, bounded.

Steps make a case simpler in its circumstances, layouts, ranks, extents, attributes and data; each
is tried on the device.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from aclnn_cts.plan.cases import INTEGER_FILLS, Case
from aclnn_cts.plan.requirements import is_valid
from aclnn_cts.repro.facts import Candidate, build, candidate_of
from aclnn_cts.repro.looking import Seen
from aclnn_cts.repro.observed import ObservedCase
from aclnn_cts.repro.same_failure import fails_alike
from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.models import OperatorSpec

Item = TypeVar("Item", bound=Hashable)

Steps = Callable[[Item], Iterable[Sequence[Item]]]
"""Returns batches of simpler items, the simplest of each batch first."""

Fails = Callable[[Sequence[Item]], Sequence[bool]]
"""Returns for each item of a batch whether it still fails in the same way."""


@dataclass(frozen=True)
class Bounds:
    """When a search ends at the latest.

    Attributes:
        tries: Items that may be tried.
        expired: Whether time is up; the outcome then depends on the machine's speed.
    """

    tries: int
    expired: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Shrunk(Generic[Item]):
    """What a search came to.

    Attributes:
        smallest: The simplest item that fails: the first one, if no other does.
        tries: How many items were tried.
        ended: ``done`` if no step makes it simpler, or the bound that ended the search.
    """

    smallest: Item
    tries: int
    ended: str


def shrink(start: Item, steps: Steps[Item], fails: Fails[Item], bounds: Bounds) -> Shrunk[Item]:
    """Return the simplest item that fails, as far as the steps lead.

    Each step is taken from the simplest item so far. Of a batch the simplest item that fails is
    taken, if it fails alone, too: the others of its batch may have helped it.

    Args:
        start: An item that fails.
        steps: What may be simpler.
        fails: Tries items.
        bounds: When to end.
    """
    search = _Search(fails, bounds, {start})
    smallest = start
    while (simpler := search.step(steps(smallest))) is not None:
        smallest = simpler
    return Shrunk(smallest, search.tries, search.ended)


@dataclass
class _Search(Generic[Item]):
    fails: Fails[Item]
    bounds: Bounds
    known: set[Item]
    tries: int = 0
    ended: str = "done"

    def step(self, batches: Iterable[Sequence[Item]]) -> Item | None:
        """Return a simpler item that fails; None if there is none, or the search is over."""
        for batch in batches:
            fresh = [item for item in dict.fromkeys(batch) if item not in self.known]
            fresh = fresh[: max(self.bounds.tries - self.tries, 0)]
            if not fresh and self._over():
                return None
            found = self._try(fresh)
            if found is not None:
                return found
        return None

    def _over(self) -> bool:
        if self.tries >= self.bounds.tries:
            self.ended = "tries"
        elif self.bounds.expired():
            self.ended = "time"
        return self.ended != "done"

    def _try(self, batch: Sequence[Item]) -> Item | None:
        if not batch or self._over():
            return None
        self.known.update(batch)
        self.tries += len(batch)
        for item, failed in zip(batch, self.fails(batch), strict=True):
            if failed and (len(batch) == 1 or self.fails([item])[0]):
                return item
        return None


_FLOAT_FILLS = ("ones", "exact", "uniform")
_INTEGER_FILLS = ("zeros", "ones", *INTEGER_FILLS[:1])
"""Kinds of data, the simplest first."""


def simpler(spec: OperatorSpec, candidate: Candidate) -> Iterator[Sequence[Candidate]]:
    """Yield batches of simpler candidates; not each is a valid call.

    What takes most out of a case comes first, because it makes the later steps shorter.
    """
    yield _circumstances(candidate)
    yield _layouts(candidate)
    yield _all_small(candidate)
    yield from _ranks(candidate)
    yield from _extents(candidate)
    yield _attributes(spec, candidate)
    yield _fills(candidate)


def _circumstances(candidate: Candidate) -> list[Candidate]:
    found = [replace(candidate, again=())] if candidate.again else []
    if len(candidate.again) > 1:
        found += [replace(candidate, again=(each,)) for each in candidate.again]
    if candidate.deterministic:
        found.append(replace(candidate, deterministic=False))
    return found


def _layouts(candidate: Candidate) -> list[Candidate]:
    names = [
        name for name, x in candidate.facts if name.startswith("layout:") and x != "contiguous"
    ]
    together = [candidate.stating(dict.fromkeys(names, "contiguous"))] if names else []
    return together + [candidate.stating({name: "contiguous"}) for name in names]


def _shaping(candidate: Candidate) -> list[tuple[str, tuple[int, ...]]]:
    """Return the facts that hold extents: dimensions, and shapes that are free."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for name, value in candidate.facts:
        if name.startswith("dim:") and isinstance(value, int):
            found.append((name, (value,)))
        elif name.startswith(("dim:", "shape:")) and isinstance(value, tuple):
            found.append((name, value))
    return found


def _restated(candidate: Candidate, name: str, extents: tuple[int, ...]) -> Candidate:
    whole = isinstance(candidate.get(name), int)
    return candidate.stating({name: extents[0] if whole else extents})


def _all_small(candidate: Candidate) -> list[Candidate]:
    """All extents at once: 1, 2, 3, and half of what they are."""
    found = []
    for least in (1, 2, 3):
        changes = {n: tuple(min(x, least) for x in v) for n, v in _shaping(candidate)}
        found.append(_together(candidate, changes))
    halves = {n: tuple(max(x // 2, min(x, 1)) for x in v) for n, v in _shaping(candidate)}
    return [*found, _together(candidate, halves)]


def _together(candidate: Candidate, changes: dict[str, tuple[int, ...]]) -> Candidate:
    for name, extents in changes.items():
        candidate = _restated(candidate, name, extents)
    return candidate


def _ranks(candidate: Candidate) -> Iterator[list[Candidate]]:
    """Fewer axes, where the rank is free."""
    for name, extents in _shaping(candidate):
        if isinstance(candidate.get(name), int) or not extents:
            continue
        short = [(extent,) for extent in sorted(set(extents))] if len(extents) > 1 else []
        dropped = [extents[:at] + extents[at + 1 :] for at in range(len(extents))]
        yield [_restated(candidate, name, shape) for shape in (*short, *dropped) if shape]


def _extents(candidate: Candidate) -> Iterator[list[Candidate]]:
    """One extent at a time; the smallest first."""
    for name, extents in _shaping(candidate):
        for at, extent in enumerate(extents):
            yield [
                _restated(candidate, name, (*extents[:at], less, *extents[at + 1 :]))
                for less in smaller(extent)
            ]


def smaller(extent: int) -> list[int]:
    """Return the extents to try below one: the least ones, some between, and one less."""
    between = (extent // 8, extent // 4, extent // 2, extent - extent // 4, extent - 1)
    return sorted({x for x in (1, 2, 3, 4, *between) if 0 < x < extent})


def _attributes(spec: OperatorSpec, candidate: Candidate) -> list[Candidate]:
    """Return ordinary values of the attributes: in a spec's factors they come first."""
    found = []
    for name, levels in spec.factors.attributes.items():
        current = candidate.get(f"attribute:{name}")
        plain = [tuple(level) if isinstance(level, list) else level for level in levels]
        if current is not None:
            found += [candidate.stating({f"attribute:{name}": x}) for x in _before(plain, current)]
    return found


def _before(levels: Sequence[Any], current: Any) -> list[Any]:
    """Return the levels in front of the current one; all, if it is none of them."""
    for place, level in enumerate(levels):
        if repr(level) == repr(current):
            return list(levels[:place])
    return [level for level in levels if type(level) is type(current)]


def _fills(candidate: Candidate) -> list[Candidate]:
    found = []
    for name, kind in candidate.facts:
        if not name.startswith("fill:"):
            continue
        dtype = candidate.get(f"dtype:{name.removeprefix('fill:')}")
        order = _INTEGER_FILLS if DATA_TYPES[dtype].floating is None else _FLOAT_FILLS
        found += [candidate.stating({name: each}) for each in _before(order, kind)]
    return found


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
