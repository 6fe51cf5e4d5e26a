# SPDX-License-Identifier: Apache-2.0
"""The search for a smaller thing that still fails: greedy, deterministic, bounded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

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
