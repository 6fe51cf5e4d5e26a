# SPDX-License-Identifier: Apache-2.0
"""Covering arrays: few rows that contain every combination of the levels of t factors.

A library makes the array of all combinations, without the rules that valid calls obey (a range of
one attribute that depends on another). Rows that break a rule are repaired by changing as little as
possible, and combinations that the repair lost are put into further rows. Combinations for which no
valid row is found are infeasible and left out. The library's own constraints are not a substitute:
with rules over 9 of 17 factors covertable 3.2 made 84 rows for single levels in 142 s, the repair
15 in half a second.

An array takes seconds to make and depends only on the spec, the factors and the code, so arrays and
plans are cached by content. A change of the spec that does not affect the factors makes a new plan
from the same arrays.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import math
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import covertable
from msgspec import ValidationError, msgpack

from aclnn_cts.cache import take
from aclnn_cts.errors import CtsError
from aclnn_cts.files import write_bytes, write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.suite import Suite, code_digest

Row = dict[str, int]
Combination = tuple[tuple[str, int], ...]

_MOST_CHANGES = 2
_LOOK_AHEAD = 40
_MOST_TRIED = 4096


@dataclass(frozen=True)
class Space:
    """The space of valid rows.

    Attributes:
        levels: Number of levels by factor; level 0 of all factors together is a valid row.
        bound: The factors that the rules read.
        valid: Whether a row (levels by factor, at least the bound ones) obeys the rules.
    """

    levels: Mapping[str, int]
    bound: tuple[str, ...]
    valid: Callable[[Mapping[str, int]], bool]


_MOST_TRIPLES = 30_000
"""Maximum number of combinations in an array of triples; making one takes more than linear time."""


def first_levels(factors: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return the factors with only so many first levels that an array of triples is affordable."""
    widest = max(len(levels) for levels in factors.values())
    for count in range(widest, 1, -1):
        cut = {name: list(levels[:count]) for name, levels in factors.items()}
        sizes = [len(levels) for levels in cut.values()]
        if sum(map(math.prod, itertools.combinations(sizes, 3))) <= _MOST_TRIPLES:
            return cut
    return {name: list(levels[:2]) for name, levels in factors.items()}


def covering_rows(
    factors: Mapping[str, Sequence[Any]],
    strength: int,
    bound: Sequence[str] = (),
    valid: Callable[[Mapping[str, Any]], bool] = lambda _row: True,
    idle: Callable[[str, Any], bool] = lambda _name, _level: False,
) -> list[dict[str, Any]]:
    """Return rows that cover every feasible combination of ``strength`` factors' levels.

    The rows depend only on the arguments (covertable orders combinations by a stable hash).
    Combinations without an idle level are covered by rows without one, if such rows are feasible.

    Args:
        factors: Levels by factor; the first levels together must be a valid row.
        strength: 1 for each level, 2 for all pairs, 3 for all triples.
        bound: The factors that ``valid`` reads.
        valid: Whether a row obeys the rules.
        idle: Whether a level leaves a call without work, so that the row shows little of others.
    """
    factors = {
        name: sorted(levels, key=functools.partial(idle, name)) for name, levels in factors.items()
    }

    def values(row: Mapping[str, int]) -> dict[str, Any]:
        return {name: levels[row.get(name, 0)] for name, levels in factors.items()}

    free = {name: len(levels) for name, levels in factors.items() if len(levels) > 1}
    relevant = tuple(name for name in bound if name in free)
    validity: dict[tuple[int, ...], bool] = {}

    def obeys(row: Mapping[str, int]) -> bool:
        key = tuple([row[name] for name in relevant])
        if key not in validity:
            validity[key] = valid(values(row))
        return validity[key]

    if not free:
        return [values({})]
    strength = min(strength, len(free))
    working = {name: max(sum(not idle(name, level) for level in factors[name]), 1) for name in free}
    rows = _array(Space(working, relevant, obeys), strength)
    if working != free:
        rows += _missing_rows(rows, strength, Space(free, relevant, obeys))
    return [values(row) for row in rows]


def _array(space: Space, strength: int) -> list[Row]:
    """Return the library's rows, repaired, and rows for what the repair lost."""
    named_rows = (
        dict(zip(space.levels, row, strict=True))
        for row in _library_rows(tuple(space.levels.items()), strength)
    )
    rows = [fixed for row in named_rows if (fixed := _repair(row, space, frozenset())) is not None]
    return rows + _missing_rows(rows, strength, space)


# large enough for all operators of a product; the next product shares their arrays
@functools.lru_cache(maxsize=256)
def _library_rows(sizes: tuple[tuple[str, int], ...], strength: int) -> tuple[tuple[int, ...], ...]:
    """Return the library's array, which takes seconds to make, in the order of the factors."""
    # Pass levels as indices, because the library orders and hashes them.
    indices = {name: list(range(count)) for name, count in sizes}
    index_rows = covertable.make(indices, strength=strength)
    return tuple(tuple(row[name] for name in indices) for row in index_rows)


def _repair(row: Row, space: Space, kept: frozenset[str]) -> Row | None:
    """Return a valid row with the fewest changes of bound factors."""
    changeable = [name for name in space.bound if name not in kept]
    for changes in range(_MOST_CHANGES + 1):
        for candidate in _change(row, changeable, changes, space):
            if space.valid(candidate):
                return candidate
    ordinary = {**row, **dict.fromkeys(changeable, 0)}
    return ordinary if space.valid(ordinary) else None


def _change(row: Row, changeable: Sequence[str], changes: int, space: Space) -> Iterator[Row]:
    """Yield the row with other levels in each choice of this many factors."""
    for names in itertools.combinations(changeable, changes):
        for levels in itertools.product(*(range(space.levels[name]) for name in names)):
            yield {**row, **dict(zip(names, levels, strict=True))}


def _combinations(names: Sequence[str], strength: int, space: Space) -> Iterator[Combination]:
    for chosen in itertools.combinations(names, strength):
        for levels in itertools.product(*(range(space.levels[name]) for name in chosen)):
            yield tuple(zip(chosen, levels, strict=True))


def _missing_rows(rows: Sequence[Row], strength: int, space: Space) -> list[Row]:
    """Return rows for the feasible combinations that no row has."""
    names = list(space.levels)
    covered = {
        tuple((name, row[name]) for name in chosen)
        for row in rows
        for chosen in itertools.combinations(names, strength)
    }
    pending = [item for item in _combinations(names, strength, space) if item not in covered]
    added: list[Row] = []
    while pending:
        first, pending = pending[0], pending[1:]
        partial = dict(first)
        row = (
            _complete(partial, space, len(added))
            or _graft(partial, [*rows, *added], space)
            or _search(partial, space)
        )
        if row is None:
            continue
        row = _enrich(row, partial, pending, space)
        added.append(row)
        pending = [item for item in pending if any(row[name] != level for name, level in item)]
    return added


def _complete(partial: Row, space: Space, turn: int) -> Row | None:
    """Return a valid row that holds ``partial``; unbound factors take their levels in turn."""
    row = {name: 0 if name in space.bound else turn % count for name, count in space.levels.items()}
    return _repair({**row, **partial}, space, frozenset(partial))


def _graft(partial: Row, rows: Sequence[Row], space: Space) -> Row | None:
    """Return a valid row that combines a known row with ``partial``.

    A level that needs many unusual ones beside it (a long row of few channels, if sizes are
    bounded) is in some row already, together with them.
    """
    changeable = [name for name in space.bound if name not in partial]
    grafts = [{**row, **partial} for row in rows if partial.items() & row.items()]
    candidates = (
        candidate
        for changes in range(_MOST_CHANGES)
        for graft in grafts
        for candidate in _change(graft, changeable, changes, space)
    )
    return next((row for row in candidates if space.valid(row)), None)


def _search(partial: Row, space: Space) -> Row | None:
    """Return a valid row that holds ``partial`` by trying all rows, if there are few."""
    changeable = [name for name in space.bound if name not in partial]
    if math.prod(space.levels[name] for name in changeable) > _MOST_TRIED:
        return None
    ordinary = {**dict.fromkeys(space.levels, 0), **partial}
    candidates = _change(ordinary, changeable, len(changeable), space)
    return next((row for row in candidates if space.valid(row)), None)


def _enrich(row: Row, fixed: Row, pending: Sequence[Combination], space: Space) -> Row:
    """Add further missing combinations to a row while it stays valid."""
    for item in pending[:_LOOK_AHEAD]:
        if any(fixed.get(name, level) != level for name, level in item):
            continue
        candidate = {**row, **dict(item)}
        if space.valid(candidate):
            row = candidate
            fixed.update(item)
    return row


Rows = list[dict[str, Any]]
T = TypeVar("T")


@dataclass(frozen=True)
class PlanCache:
    """A folder of covering arrays, plans, and what was found about the cases of plans.

    Attributes:
        folder: The folder, which may not exist yet.
    """

    folder: Path

    @classmethod
    def of(cls, suite: Suite) -> PlanCache:
        """Return the folder in which a suite keeps the covering arrays that it made."""
        return cls(suite.cache / "covering")

    def rows(
        self, content: str, factors: Mapping[str, Sequence[Any]], make: Callable[[], Rows]
    ) -> Rows:
        """Return cached rows, or make them.

        Damaged files are ignored. If the folder is not writable, the rows are remade each time.

        Args:
            content: Everything that the rows depend on, except code and factors.
            factors: Levels by factor; the rows choose among them.
        """
        text = f"{_CODE}\n{content}\n{list(factors.items())!r}"
        path = self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"
        cached = _read(path, factors) if take(self.folder, path.name) else None
        if cached is not None:
            return cached
        rows = make()
        with contextlib.suppress(CtsError):
            write_text(path, _text([_indices(row, factors) for row in rows]))
        return rows

    def plan(self, content: str, make: Callable[[], tuple[Case, ...]]) -> tuple[Case, ...]:
        """Return the cached plan, or make it; see :meth:`rows`.

        Args:
            content: Everything that the plan depends on, except the code.
        """
        return self.value("plan", content, tuple[Case, ...], make)

    def value(self, kind: str, content: str, form: type[T], make: Callable[[], T]) -> T:
        """Return a cached value that planning needs, or make it; see :meth:`rows`.

        Args:
            kind: What it is, a suffix of the cache's files.
            content: Everything that it depends on, except the code of planning.
        """
        key = _with_code(content)
        if (cached := self.load(kind, key, form)) is not None:
            return cached
        value = make()
        self.keep(kind, key, value)
        return value

    def has_plan(self, content: str) -> bool:
        """Whether a plan is cached, perhaps damaged."""
        return self.has("plan", _with_code(content))

    def load(self, kind: str, key: str, form: type[T]) -> T | None:
        """Return a cached value; None if it is missing or damaged.

        Args:
            kind: What it is, a suffix of the cache's files.
            key: Everything that it depends on, its form included.
        """
        path = self._path(kind, key)
        packed = _content(path) if take(self.folder, path.name) else b""
        with contextlib.suppress(ValidationError):  # of an earlier form
            return msgpack.decode(zlib.decompress(packed), type=form) if packed else None
        return None

    def has(self, kind: str, key: str) -> bool:
        """Whether a value is cached, perhaps damaged."""
        return self._path(kind, key).exists()

    def keep(self, kind: str, key: str, value: object) -> None:
        """Cache a value, if the folder is writable."""
        packed = zlib.compress(msgpack.encode(value), 1)
        with contextlib.suppress(CtsError):
            write_bytes(self._path(kind, key), hashlib.sha256(packed).digest() + packed)

    def _path(self, kind: str, key: str) -> Path:
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()}.{kind}"


def _with_code(content: str) -> str:
    return f"{_CODE}\n{content}"


def _indices(row: Mapping[str, Any], factors: Mapping[str, Sequence[Any]]) -> list[int]:
    # by type, too: true and 1 are equal but different levels
    return [
        [(type(level), repr(level)) for level in levels].index((type(row[name]), repr(row[name])))
        for name, levels in factors.items()
    ]


def _text(indices: list[list[int]]) -> str:
    """Return the text of a file: the rows, and their digest, which detects damage."""
    digest = hashlib.sha256(json.dumps(indices).encode()).hexdigest()
    return json.dumps({"rows": indices, "sha256": digest}) + "\n"


def _read(path: Path, factors: Mapping[str, Sequence[Any]]) -> Rows | None:
    """Return the rows of a file; None if it is missing or damaged."""
    try:
        text = path.read_text(encoding="utf-8")
        indices = json.loads(text)["rows"]
        if text != _text(indices):
            return None
        names = list(factors)
        return [
            {name: factors[name][index] for name, index in zip(names, row, strict=True)}
            for row in indices
        ]
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _content(path: Path) -> bytes:
    """Return the content after a file's digest; nothing if it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return b""
    digest, body = content[:32], content[32:]
    return body if hashlib.sha256(body).digest() == digest else b""


# at import, because the files may change while the process runs the old code
_CODE = code_digest("plan/*.py", "spec/*.py", "violations/*.py", library="covertable")
