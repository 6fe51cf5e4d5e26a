# SPDX-License-Identifier: Apache-2.0
"""Large calls: each axis long, powers of two and sizes beside them, many rows, shapes of models.

What a device does with a large tensor (tiles, cores, offsets beyond 16 bits) shows in all outputs,
also in those whose values are not tested: elements that are not written or not finite, writes
outside a tensor, refusals and crashes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import UnboundError, bind
from aclnn_cts.plan.cases import Tier
from aclnn_cts.plan.extents import Chosen, Space
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import ExpressionError, calls
from aclnn_cts.spec.models import OperatorSpec

SIZE = "size"
"""The scene of large calls."""

_TAIL = 3
"""Elements beyond a power of two; odd, so that no data type fills the last block of 32 bytes."""

_LONG_SUM = 2**13
"""Further elements of the longest axis of smoke: in a float32 sum, the loss of three terms among
2^16 is no more than rounding, the loss of an eighth is.
"""


@dataclass(frozen=True)
class ModelShape:
    """A shape of a real model.

    Attributes:
        shape: Extents of a tensor.
        source: The model, and the tensor that has this shape in it.
    """

    shape: tuple[int, ...]
    source: str


VOCABULARY = (2, 50257)
"""The shape of models that smoke has: the shortest last axis beyond 2^15."""

MODEL_SHAPES = (
    ModelShape(VOCABULARY, "GPT-2: logits of two tokens over its vocabulary"),
    ModelShape((1, 4096), "Llama 2 7B: hidden state of one token"),
    ModelShape((1, 1, 8192), "Llama 2 70B: hidden state of one token of one sequence"),
    ModelShape((17, 5120), "Llama 2 13B: hidden states of a short prompt"),
    ModelShape((5, 32000), "Llama 2: logits over its vocabulary"),
    ModelShape((3, 128256), "Llama 3: logits over its vocabulary"),
    ModelShape((1, 151936), "Qwen 2: logits of one token over its vocabulary"),
    ModelShape((2, 12, 197, 197), "ViT-B/16: attention of 12 heads over 197 patches"),
    ModelShape((65604, 64), "GPT-2: 12 heads of 64 for each of 5,467 tokens"),
)
"""Shapes of language and vision models, from the configurations that were published with them."""

_ROWS = (2113, 129)
"""More than 33 rows for each of 64 cores, with a last axis beyond a repeat of 128 elements."""

_LONG = 2**14
"""Terms of a sum beyond which rounding in a narrow type may hide any error."""

_POWER = (3, _LONG)
"""A last axis of whole blocks, tiles and repeats."""

_BESIDE_TILES = (1, 2**12 + 1)
"""A single element beyond whole tiles, of which no other size leaves less than three."""


def size_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]], tier: Tier
) -> Iterator[tuple[str, Chosen]]:
    """Yield the facts of the large calls that belong to exactly this tier."""
    space = Space(spec, product, factors)
    dtypes = list(dtype_choices(factors))
    planned: list[Chosen] = []
    if space.ordinary_axes():  # else only attributes determine the lengths of outputs
        sizes = _contract_sizes if spec.is_contract else _sizes
        planned = [*sizes(space, dtypes, tier), *_shape_calls(space, dtypes, tier)]
    further = _of_large_outputs(space, planned) if tier == "smoke" else ()
    for facts in (*planned, *further):
        yield SIZE, facts


def _of_large_outputs(space: Space, planned: Sequence[Chosen]) -> Iterator[Chosen]:
    """Yield a call past 2^12 elements for each output that no planned call makes so large.

    Attributes may decide whether it grows with an input, such as the reduction of a loss.
    """
    for output in space.spec.outputs:
        if not any(_is_large(space, facts, output.name) for facts in planned):
            large = (
                facts
                for facts in _with_each_attribute(space)
                if _is_large(space, facts, output.name) and space.is_valid(facts)
            )
            yield from itertools.islice(large, 1)


def _with_each_attribute(space: Space) -> Iterator[Chosen]:
    """Yield calls with one axis beyond 2^12 and another value of an attribute, valid or not."""
    axes = space.ordinary_axes()
    changes: list[Chosen] = [{}]
    changes += ({name: level} for name, levels in space.settings.items() for level in levels)
    grown = [
        space.facts(axes, extents)
        for place in range(len(axes))
        for extents in _long_axis(len(axes), place, 2**12 + _TAIL, ((3, 1), (3, 3), (1, 3)))
    ]
    grown += (
        {axis.fact: (extent,) if axis.several else extent}
        for axis in axes
        for extent in (2**12 + _TAIL, 2**12 + _STEPS[-1])
    )
    for chosen, change in itertools.product(grown or [{}], changes):
        yield {**space.base, **chosen, **change}


def _is_large(space: Space, facts: Chosen, output: str) -> bool:
    """Whether an output has more than 2^12 elements in a call, if the call has shapes at all."""
    try:
        return math.prod(bind(space.spec, facts).shapes[output]) > 2**12
    except (UnboundError, ExpressionError):
        return False


def _sizes(space: Space, dtypes: Sequence[Chosen], tier: Tier) -> Iterator[Chosen]:
    """Yield calls past 2^12, 2^16, 2^20, 2^24 and 2^27 elements, one axis long at a time.

    Only the widest type shows a lost term in a large sum, so the large calls of smoke have that
    type.
    """
    places = range(len(space.ordinary_axes()))
    wide, narrow = dtypes[:1], dtypes[1:]
    plans: dict[Tier, list[tuple[int, Sequence[Chosen], Sequence[int]]]] = {
        "smoke": [(2**12, dtypes, places), (2**16, wide, places)],
        "standard": [(2**17, narrow or wide, places), (2**20, wide, places[-1:])],
        "full": [(2**20, dtypes, places), (2**24, dtypes, places[-1:]), (2**27, wide, places[-1:])],
    }
    embedded = {f"layout:{t.name}": "embedded" for t in space.spec.outputs}
    for size, offered, axes in plans[tier]:
        for place in axes:
            facts = _grown(space, place, size, tier)
            if facts is None:
                continue
            in_turn = space.spec.types_in_turn and len(axes) > 1
            for turn, dtype in enumerate(offered[place :: len(axes)] if in_turn else offered):
                # past 2^12, other attributes take turns; the first call has the ordinary ones
                is_used = size == 2**12 or _flushes_shares(dtype, size)
                moved = facts if is_used else _with_others(space, facts, place + turn)
                yield {**moved, **dtype, **(embedded if dtype in narrow else {})}
            if size == 2**12 and (whole := _grown(space, place, size, tier, tail=0)):
                yield _with_others(space, whole, place + 1)
            if size == 2**12 or place == places[-1]:
                yield from _across_thresholds(space, {**facts, **offered[0]}, place)


def _flushes_shares(dtype: Chosen, size: int) -> bool:
    """Whether a type may hold 0 for the share of one of so many elements in their mean.

    Whatever the data are, no element of such a mean can fail.
    """
    names = (name for key, name in dtype.items() if key.startswith("dtype:") and name is not None)
    formats = (DATA_TYPES[name].floating for name in names)
    return any(each is not None and each.smallest_normal * size > 1 for each in formats)


def _contract_sizes(space: Space, dtypes: Sequence[Chosen], tier: Tier) -> Iterator[Chosen]:
    """Yield fewer calls for operators whose values are not tested: types and attributes in turn."""
    places = range(len(space.ordinary_axes()))
    plans: dict[Tier, list[tuple[int, Sequence[int]]]] = {
        "smoke": [(2**12, places)],
        "standard": [(2**16, places), (2**20, places[-1:])],
        "full": [(2**24, places[-1:])],
    }
    for size, axes in plans[tier]:
        for place in axes:
            facts = _grown(space, place, size, tier)
            if facts is None:
                continue
            # tiles are cheap, so each mode has one along each axis
            for turn in range(place, place + (MODES if size == 2**12 else 1)):
                yield _in_turn(space, _with_others(space, facts, turn), dtypes, turn)


MODES = 3
"""Values of an attribute that choose what an operator does; more are numbers or axes."""


def _in_turn(space: Space, facts: Chosen, dtypes: Sequence[Chosen], turn: int) -> Chosen:
    """Return the call with the data type whose turn it is, or the next that it can have."""
    first = turn % len(dtypes)
    typed = [{**facts, **dtype} for dtype in (*dtypes[first:], *dtypes[:first])]
    return next(filter(space.is_valid, typed), typed[0])


def _grown(space: Space, place: int, size: int, tier: Tier, *, tail: int = _TAIL) -> Chosen | None:
    """Return a valid call in which one axis is so long that there are more elements than ``size``.

    Up to 2^16 the axis alone is longer than that. The others are short, or as in the ordinary call.
    """
    axes = space.ordinary_axes()
    # Past 2^16 a neighbour grows, too: longer sums over one axis would show little. Of the calls of
    # smoke at 2^16 one has the most elements; for the others, a neighbour of 2 will do.
    near = 17 if size > 2**16 else 2 if size == 2**16 and place < len(axes) - 1 else 3
    others = (1, 2, 3) if size == 2**16 else (1, 3)
    long = (size if size <= 2**16 else size // 16) + tail + (_LONG_SUM if size == 2**16 else 0)
    short = (*((near, other) for other in others), (1, 3))
    for extents in _long_axis(len(axes), place, long, short):
        facts = space.valid(space.facts(axes, extents), tier, settings=False)
        if facts is not None:
            return facts
    axis = axes[place]
    return None if axis.several else space.valid({axis.fact: long}, tier, settings=False)


def _long_axis(
    count: int, place: int, long: int, short: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, ...]]:
    """Yield extents, one of them long; ``short`` has those of its neighbour and of the others."""
    neighbour = place - 1 if place else 1
    for beside, other in short:
        extents = [beside if at == neighbour else other for at in range(count)]
        extents[place] = long
        yield tuple(extents)


def _with_others(space: Space, facts: Chosen, turn: int) -> Chosen:
    """Return a large call with other values of the attributes, as far as it stays valid.

    Those that are extents themselves keep theirs.
    """
    extents = {axis.fact for axis in space.ordinary_axes()}
    for name, levels in space.settings.items():
        if name not in extents:
            changed = {**facts, name: levels[turn % len(levels)]}
            if space.is_valid(changed):
                facts = changed
    return facts


def _across_thresholds(space: Space, facts: Chosen, turn: int) -> Iterator[Chosen]:
    """Yield a large call whose data lie on all sides of the thresholds, if there are any.

    They show if a tile or a core takes a different branch. The attributes that move thresholds take
    their values in turn, as far as the call stays valid.
    """
    tensors = [tensor for tensor in space.spec.inputs if tensor.thresholds]
    fills = {f"fill:{t.name}": space.spec.threshold_fill(t.name) for t in tensors}
    moving = {
        name for tensor in tensors for threshold in tensor.thresholds for name in threshold.names
    }
    chosen = {
        # The first values are those of the other large calls.
        name: levels[(turn + 3) % len(levels)]
        for name, levels in space.settings.items()
        if name.removeprefix("attribute:") in moving
    }
    if fills:
        moved = {**facts, **fills, **chosen}
        yield moved if space.is_valid(moved) else {**facts, **fills}


def _shape_calls(space: Space, dtypes: Sequence[Chosen], tier: Tier) -> Iterator[Chosen]:
    """Yield calls with many rows, of powers of two, and with shapes of models.

    Types take turns, but where values are tested, only the widest one shows errors of a long sum.
    """
    has_sums = _has_rows(space.spec) and not space.spec.is_contract
    for turn, shape in enumerate(_shapes(space.spec, tier)):
        facts = _fit(space, shape, tier)
        if facts is not None:
            own_turn = 0 if has_sums and shape[-1] > _LONG else turn
            yield _in_turn(space, facts, dtypes, own_turn)


def _has_rows(spec: OperatorSpec) -> bool:
    """Whether a row is more than its elements."""
    return "elementwise" not in spec.traits


def _shapes(spec: OperatorSpec, tier: Tier) -> Iterator[tuple[int, ...]]:
    """Yield the shapes of a tier: the first ones with the widest type, as sums show most in it."""
    if tier == "smoke" and _has_rows(spec):
        yield _ROWS
        yield VOCABULARY
    if tier == ("standard" if spec.is_contract else "smoke"):
        yield _POWER
    if tier == "smoke":
        yield _BESIDE_TILES
    if tier == "standard":
        yield from (each.shape for each in MODEL_SHAPES if each.shape != VOCABULARY)


def _fit(space: Space, shape: Sequence[int], tier: Tier) -> Chosen | None:
    """Return a valid call with the last axis and the number of rows of ``shape``."""
    along = _along_last(space)
    least, greatest = space.ranks
    axes = space.axes(min(max(len(shape), least), greatest)) if space.free else space.axes(1)
    for extents, step in itertools.product(_spread(shape, len(axes)), _STEPS):
        aligned = (*extents[:-1], -(-extents[-1] // step) * step)
        chosen = space.facts(axes, aligned)
        facts = space.valid({**chosen, **along}, tier) or space.valid(chosen, tier)
        if facts is not None:
            return facts
    return None


def _spread(shape: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Yield extents of so many axes, with the rows in front and short axes between."""
    *before, last = shape
    rows = math.prod(before)
    if count == len(shape):
        yield tuple(shape)
    elif count < 3:
        yield (rows, last) if count == 2 else (rows * last,)
    else:
        yield (rows, *(1,) * (count - 2), last)
        yield (rows, *(1,) * (count - 3), 3, last)


_STEPS = (1, 64)
"""The last axis is a multiple of one of these, because some pages ask for whole blocks."""


def _along_last(space: Space) -> Chosen:
    """Return the values by which attributes that name axes name the last one."""
    names = {
        name
        for rule in space.spec.rules
        if calls(rule.require, "rank")
        for name in rule.require.names
    }
    return {
        fact: last
        for fact, levels in space.factors.items()
        if fact.removeprefix("attribute:") in names
        for last in (-1, (-1,))
        if last in levels
    }
