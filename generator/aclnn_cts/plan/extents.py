# SPDX-License-Identifier: Apache-2.0
"""Calls that differ in their extents: counts beside cores, coincidences, ranks and twins.

All follow from the axes of an operator: the dimensions that its spec names, or those of its free
shape. A dimension that an attribute divides (channels by groups) counts as two axes, the number of
parts and the extent of each, so that both grow and both meet each other axis.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import bind
from aclnn_cts.plan.cases import Tier
from aclnn_cts.plan.factors import dtype_choices, layout_of_all
from aclnn_cts.plan.validity import base_facts, valid_call
from aclnn_cts.spec.clause_models import spread_of
from aclnn_cts.spec.models import OperatorSpec, ShapeRule

Chosen = dict[str, Any]
Extents = tuple[int, ...]
Named = Iterator[tuple[str, Chosen]]

_DISTINCT = (2, 3, 5, 7, 9, 4, 11, 8)
"""Distinct extents for different axes; small, so that such calls are cheap."""

_COUNTS = (48, 49, 96, 109)
"""Numbers of rows around the number of cores, and larger ones that it does not divide. A truncated
product with the float32 reciprocal of 109 is not the quotient.
"""

_QUOTIENTS = (1, 3, 5)

_LEAST_HIGH_RANK = 5

_HIGH_RANK_LAYOUTS = ("transposed", "reversed", "sliced", "stepped", "expanded")
"""Layouts for the highest rank; steps along all of its axes would take a thousandfold storage."""

_MOST_ELEMENTS: dict[Tier, float] = {"smoke": 2**25, "standard": 2**25, "full": math.inf}
"""Limit for all tensors; derived ones may be many times larger than an input."""


@dataclass(frozen=True)
class Axis:
    """An axis with its own extent.

    Attributes:
        fact: The fact that states it: ``dim:N``, ``shape:x``, ``attribute:numGroups``.
        several: Whether the fact is a tuple to which the axis adds one extent.
        divides: For an attribute, the dimension that is a multiple of it; the next axis is the
            quotient.
    """

    fact: str
    several: bool = False
    divides: str = ""


def _divisors(spec: OperatorSpec, dims: Sequence[str]) -> dict[str, str]:
    """Return the attribute that must divide each dimension, according to the rules."""
    attributes = {item.name for item in spec.attributes if item.attribute == "int64"}
    divisors = {}
    for rule in spec.rules:
        for node in ast.walk(rule.require.tree):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                dim, attribute = ast.unparse(node.left), ast.unparse(node.right)
                if dim in dims and attribute in attributes:
                    divisors[dim] = attribute
    return divisors


class Space:
    """The extents that an operator's calls can have on a product."""

    def __init__(self, spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]):
        """Create it from the factors of any tier; levels show which dimensions are spread."""
        self.spec = spec
        self.product = product
        self.factors = factors
        self.base = base_facts(factors)
        self.free = [
            f"shape:{t.name}" for t in spec.inputs if t.shape is None and t.rank is not None
        ][:1]
        self.dims = {name: levels[0] for name, levels in factors.items() if name[:4] == "dim:"}
        self.settings = {
            name: levels for name, levels in factors.items() if name.startswith("attribute:")
        }

    @property
    def ranks(self) -> tuple[int, int]:
        """Least and greatest number of axes of the free shape or the spread dimension; or 0, 0."""
        for tensor in self.spec.inputs:
            least, greatest = tensor.ranks
            if f"shape:{tensor.name}" in self.free:
                return least, greatest
            if spread := spread_of(tensor.shape):
                return max(least - sum(spread), 0), greatest - sum(spread)
        return 0, 0

    def axes(self, rank: int) -> tuple[Axis, ...]:
        """Return all axes, with ``rank`` of the free shape or the spread dimension."""
        names = [name.removeprefix("dim:") for name in self.dims]
        divisors = _divisors(self.spec, names)
        axes = [Axis(fact, several=True) for fact in self.free for _ in range(rank)]
        for name in names:
            fact = f"dim:{name}"
            if isinstance(self.dims[fact], tuple):
                axes += [Axis(fact, several=True)] * rank
                continue
            if name in divisors:
                axes.append(Axis(f"attribute:{divisors[name]}", divides=name))
            axes.append(Axis(fact))
        return tuple(axes)

    @property
    def ordinary_rank(self) -> int:
        """Number of free dimensions of an ordinary call: three at most, or one spread one."""
        return min(3, self.ranks[1]) if self.free else 1

    def ordinary_axes(self) -> tuple[Axis, ...]:
        """Return the axes of an ordinary call."""
        return self.axes(self.ordinary_rank)

    def facts(self, axes: Sequence[Axis], extents: Extents) -> Chosen:
        """Return the facts that give the axes these extents."""
        spread = [name for name, level in self.dims.items() if isinstance(level, tuple)]
        chosen: Chosen = dict.fromkeys([*self.free, *spread], ())
        for axis, extent in zip(axes, extents, strict=True):
            if axis.several:
                chosen[axis.fact] = (*chosen[axis.fact], extent)
            else:
                chosen[axis.fact] = extent
        for axis in axes:
            if axis.divides:
                chosen[f"dim:{axis.divides}"] *= chosen[axis.fact]
        return chosen

    def valid(
        self, chosen: Chosen, tier: Tier = "smoke", *, settings: bool = True
    ) -> Chosen | None:
        """Return a valid call with these facts: the ordinary one, or with one other setting.

        If ``settings`` is false, only settings of shapes are tried. If another tensor has a part of
        an axis, one axis may be twice as long instead.
        """
        open_names = [
            name
            for name, levels in self.factors.items()
            if name not in chosen
            and (
                name.startswith("shape:")
                if isinstance(levels[0], str)
                else settings and name.startswith("attribute:")
            )
        ]
        settings_of = ({name: level} for name in open_names for level in self.factors[name])
        changes = itertools.chain(
            [chosen], self._double(chosen), ({**each, **chosen} for each in settings_of)
        )
        for change in changes:
            facts = {**self.base, **change}
            if self.is_valid(facts, tier):
                return facts
        return None

    def is_valid(self, facts: Chosen, tier: Tier = "smoke") -> bool:
        """Whether all facts of a call are valid together, and its tensors of bounded size."""
        return bool(valid_call(self.spec, self.product, facts, _MOST_ELEMENTS[tier]))

    def _double(self, chosen: Chosen) -> Iterator[Chosen]:
        for fact in (*self.free, *self.dims) if self.spec.resize_rules else ():
            level = chosen.get(fact, ())
            extents = level if isinstance(level, tuple) else (level,)
            for at, extent in enumerate(extents):
                longer = (*extents[:at], 2 * extent, *extents[at + 1 :])
                yield {**chosen, fact: longer if isinstance(level, tuple) else 2 * extent}


def extent_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, Chosen]]:
    """Yield the names and facts of the small calls, all of smoke; data types take turns."""
    space = Space(spec, product, factors)
    dtypes = dtype_choices(factors)
    small: Named = itertools.chain(
        _twins(space),
        _counts(space),
        _coincidences(space),
        _ranks(space),
        _deep_views(space, _HIGH_RANK_LAYOUTS),
        _strided_settings(space),
        _edges(space),
        _identities(space),
        _modes_of_one_element(space),
    )
    if spec.is_contract:  # most wrong extents show only in values
        small = itertools.chain(
            _ones(space, space.ordinary_rank),
            _edges(space),
            _identities(space),
            _modes_of_one_element(space),
            _deep_views(space, ("transposed", "sliced")),
        )
    if spec.types_in_turn:
        small = _sampled(small)
    for (name, chosen), dtype in zip(small, itertools.cycle(dtypes), strict=False):
        facts = space.valid({**chosen, **(other_data(factors) if name == TWIN else dtype)})
        if facts is not None:
            yield name, facts


_FEW = 3
"""Smoke holds one in this many of the calls with the same purpose, for an operator that mixes data
types."""


def _sampled(calls: Named) -> Named:
    """Yield some of the calls with the same purpose, and all twins."""
    counts: Counter[str] = Counter()
    for name, chosen in calls:
        if name == TWIN or counts[name] % _FEW == 0:
            yield name, chosen
        counts[name] += 1


def other_data(factors: Mapping[str, Sequence[Any]]) -> Chosen:
    """Return another kind of data for the first input, unlike other scenes."""
    fills = (name for name, levels in factors.items() if "normal" in levels)
    return dict.fromkeys(itertools.islice(fills, 1), "normal")


TWIN = "twin"
"""The scene of further twins of refused calls, besides the most ordinary call."""


def _twins(space: Space) -> Named:
    """Yield calls of the least, a middle and the greatest rank, and with shorter lists.

    Their extents differ, so that each axis is checked by itself, and their data differ from other
    scenes with the same shapes.
    """
    least, greatest = space.ranks
    between = (1, 4) if space.free else ()
    for rank in sorted({least, *(rank for rank in between if least < rank < greatest), greatest}):
        axes = space.axes(rank)
        yield TWIN, space.facts(axes, _asymmetric(len(axes)))
    lists = {
        name: min((level for level in levels if level is not None), key=len)
        for name, levels in space.settings.items()
        if isinstance(levels[0], tuple)
    }
    if any(len(shortest) < len(space.base[name]) for name, shortest in lists.items()):
        axes = space.axes(least)
        yield TWIN, {**space.facts(axes, _asymmetric(len(axes))), **lists}


def _asymmetric(count: int) -> Extents:
    """Return distinct extents above 1; from the sixth on, only neighbours differ."""
    if count <= _LEAST_HIGH_RANK:
        return _DISTINCT[:count]
    return (*((2, 3)[at % 2] for at in range(count - 1)), 5)


def _strided_settings(space: Space) -> Named:
    """Yield each further value of an attribute, with gaps in all tensors that may have them."""
    axes = space.ordinary_axes()
    ordinary = space.facts(axes, _asymmetric(len(axes)))
    layouts = itertools.cycle(("stepped", "sliced"))
    for name, levels in space.settings.items():
        for level, layout in zip(levels[1:], layouts, strict=False):
            chosen = {**ordinary, **layout_of_all(space.spec, layout), name: level}
            yield "strided-setting", chosen


def twin_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Chosen]:
    """Yield the facts of the calls of the scene :data:`TWIN`."""
    for name, facts in extent_scenes(spec, product, factors):
        if name == TWIN:
            yield facts


def _counts(space: Space) -> Named:
    """Yield each axis with about as many indices as cards have cores, and odd quotients."""
    axes = space.ordinary_axes()
    plain = _asymmetric(len(axes))
    for place, count in itertools.product(range(len(axes)), _COUNTS):
        yield "count", space.facts(axes, (*plain[:place], count, *plain[place + 1 :]))
    embedded = {f"layout:{tensor.name}": "embedded" for tensor in space.spec.outputs}
    for name, levels in space.factors.items():
        if len(levels) > 1 and isinstance(levels[0], bool):
            for place in range(len(axes)):
                extents = (*plain[:place], _COUNTS[1], *plain[place + 1 :])
                yield "count", {**space.facts(axes, extents), **embedded, name: levels[1]}
    for place, axis in enumerate(axes):
        if axis.divides:
            for parts, quotient in itertools.product(_QUOTIENTS, _QUOTIENTS):
                extents = (*plain[:place], parts, quotient, *plain[place + 2 :])
                yield "quotient", space.facts(axes, extents)


def _coincidences(space: Space) -> Named:
    """Yield calls in which two axes are equally long, all are, and none are.

    A device that mistakes one axis for another is right in the first and wrong in the last, or the
    other way round.
    """
    sizes = (2, 3, 4) if space.free else (2,)
    for rank in dict.fromkeys(min(rank, space.ranks[1]) for rank in sizes):
        axes = space.axes(rank)
        yield from (("coincidence", space.facts(axes, extents)) for extents in _alike(axes))
    alike = _alike(axes)
    below_two = space.axes(space.ranks[0])
    for chosen in (
        *(space.facts(axes, extents) for extents in alike[:2]),
        space.facts(below_two, _asymmetric(len(below_two))),
    ):
        yield from (("coincidence", {**chosen, **choice}) for choice in _shape_choices(space))
    yield from _broadcasts(space, space.facts(axes, alike[0]))


def _alike(axes: Sequence[Axis]) -> list[Extents]:
    """Return extents that all differ, that are all equal, and with each pair equal."""
    plain = _asymmetric(len(axes))
    alike = [plain, (5,) * len(axes)]
    for one, two in itertools.combinations(range(len(axes)), 2):
        longer = max(plain[one], plain[two])
        alike.append(tuple(longer if at in (one, two) else e for at, e in enumerate(plain)))
    for place, axis in enumerate(axes):
        if axis.divides:  # the divided dimension itself, which is not an axis
            whole = plain[place] * plain[place + 1]
            others = (at for at in range(len(axes)) if at not in (place, place + 1))
            alike += [(*plain[:at], whole, *plain[at + 1 :]) for at in others]
    return alike


def _shape_choices(space: Space) -> Iterator[Chosen]:
    """Yield each further alternative shape of a tensor."""
    for name, levels in space.factors.items():
        if name.startswith("shape:") and isinstance(levels[0], str):
            yield from ({name: level} for level in levels[1:])
            tensor = space.spec.tensor(name.removeprefix("shape:"))
            if isinstance(tensor.shape, ShapeRule) and tensor.shape.one_element:
                yield from ({name: (1,) * rank} for rank in range(tensor.ranks[1] + 1))


def _broadcasts(space: Space, chosen: Chosen) -> Named:
    """Yield each set of axes along which a tensor that broadcasts has an extent of 1."""
    facts = space.valid(chosen)
    for tensor in space.spec.inputs if facts is not None else ():
        rule = tensor.shape
        if not isinstance(rule, ShapeRule) or rule.partner is None or facts is None:
            continue
        target = bind(space.spec, facts).shapes[rule.partner]
        for mask in list(itertools.product((True, False), repeat=len(target)))[1:-1]:
            shape = tuple(e if keep else 1 for e, keep in zip(target, mask, strict=True))
            yield "coincidence", {**chosen, f"shape:{tensor.name}": shape}
            if not mask[0] and not all(mask[1:]):
                yield "coincidence", {**chosen, f"shape:{tensor.name}": shape[1:]}


def _ones(space: Space, rank: int) -> Named:
    """Yield calls of a rank with an extent of 1 in each place, where any stride is right."""
    axes = space.axes(rank)
    plain = _asymmetric(len(axes))
    loose = {
        f"layout:{each.name}": "loose-ones" for each in space.spec.tensors if each.non_contiguous
    }
    for place in range(len(axes)):
        yield "rank", {**space.facts(axes, (*plain[:place], 1, *plain[place + 1 :])), **loose}


def _edges(space: Space) -> Named:
    """Yield calls in which attributes are as near to each other as a rule lets them be."""
    for rule in space.spec.rules:
        for node in ast.walk(rule.require.tree):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.LtE | ast.GtE):
                less, more = (
                    f"attribute:{ast.unparse(x)}" for x in (node.left, *node.comparators[:1])
                )
                if less in space.base and more in space.base:
                    yield "edge", {less: space.base[more]}


def _identities(space: Space) -> Named:
    """Yield calls in which an array is what the last extents of the first input are."""
    shapes = bind(space.spec, space.base).shapes
    shape = next((shapes[tensor.name] for tensor in space.spec.inputs), ())
    for name, (usual, *_) in space.settings.items():
        if isinstance(usual, tuple) and usual and type(usual[0]) is int:
            yield "coincidence", {name: shape[-len(usual) :]}


_MOST_MODES = 4
"""Number of whole numbers or texts beyond which they are an attribute's extents or axes."""


def _modes_of_one_element(space: Space) -> Named:
    """Yield each mode with the first tensor that stretches from one element, as a loss's gradient.

    Whoever sums or averages has a gradient of one element, whatever the mode.
    """
    axes = space.ordinary_axes()
    ordinary = space.facts(axes, _asymmetric(len(axes)))
    stretched = (name for name, levels in space.factors.items() if "all-one" in levels)
    for name in itertools.islice(stretched, 1):
        for mode, levels in space.settings.items():
            are_plain = all(type(level) in (int, str) for level in levels)
            for level in levels if are_plain and 1 < len(levels) <= _MOST_MODES else ():
                yield "coincidence", {**ordinary, name: "all-one", mode: level}


def _ranks(space: Space) -> Named:
    """Yield high ranks with every axis longer than 1, also equally, and 1 in each place."""
    least, greatest = space.ranks
    fixed = len(space.axes(0))
    high = [rank for rank in range(least, greatest + 1) if fixed + rank >= _LEAST_HIGH_RANK]
    choices = itertools.cycle([{}, *_shape_choices(space)])
    for rank in high:
        axes = space.axes(rank)
        # one more than the least extents, so that none equals the twin of a refused call
        extents = tuple(e + 1 for e in _asymmetric(len(axes)))
        for choice in (*itertools.islice(choices, 2), {}):
            yield "rank", {**space.facts(axes, extents), **choice}
        yield "rank", space.facts(axes, (2,) * len(axes))
    for rank in dict.fromkeys((*high[:1], *high[-1:])) or (greatest,):
        yield from _ones(space, rank)


def _deep_views(space: Space, layouts: Sequence[str]) -> Named:
    """Yield calls of the highest rank, if it is high, with each layout."""
    axes = space.axes(space.ranks[1])
    for layout in layouts if len(axes) >= _LEAST_HIGH_RANK else ():
        chosen = space.facts(axes, _asymmetric(len(axes)))
        yield "rank", {**chosen, **layout_of_all(space.spec, layout)}
