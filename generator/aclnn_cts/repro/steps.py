# SPDX-License-Identifier: Apache-2.0
"""The steps that make a case simpler: circumstances, layouts, ranks, extents, attributes, data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from aclnn_cts.plan.cases import INTEGER_FILLS
from aclnn_cts.repro.facts import Candidate
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.models import OperatorSpec

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
