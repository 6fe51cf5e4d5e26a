# SPDX-License-Identifier: Apache-2.0
"""Scenes of their own, beside the covering array: they are not crossed with the other factors.

The public precision standard (section 1.4) asks for empty tensors, scalars, extreme extents and
every special value in every input and data type; special values enter one input at a time, so that
a failure tells which.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Facts
from aclnn_cts.plan.cases import Tier
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.layout_facts import free_shape_facts, layout_facts
from aclnn_cts.plan.rules import base_facts
from aclnn_cts.plan.shapes import EMPTY_SHAPES, free_shapes, traversal_shapes
from aclnn_cts.spec.models import OperatorSpec


@dataclass(frozen=True)
class Scene:
    """The facts of one case outside the covering array.

    Attributes:
        name: Why the case exists.
        tier: The lowest tier that holds it.
        facts: What was chosen.
    """

    name: str
    tier: Tier
    facts: Facts


def scenes(spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], tier: Tier) -> Iterator[Scene]:
    """Yield the scenes of an operator up to a tier, without those about extents.

    Args:
        spec: The operator.
        factors: The tier's factors.
        tier: The highest tier wanted.
    """
    base = base_facts(factors)
    for dtypes in dtype_choices(factors):
        facts = {**base, **dtypes}
        yield Scene("base", "smoke", facts)
        yield from _empty_scenes(spec, facts)
        yield from _special_scenes(spec, factors, facts)
        yield from _common_fill_scenes(spec, factors, facts)
        yield from _threshold_scenes(spec, factors, facts)
    for facts in layout_facts(spec, factors):
        yield Scene("layout", "smoke", facts)
    if tier == "full":
        yield from _traversal_scenes(spec, base, factors)


def _empty_scenes(spec: OperatorSpec, facts: Facts) -> Iterator[Scene]:
    for tensor in spec.inputs:
        if not tensor.empty or tensor.shape is not None or tensor.rank is None:
            continue
        for number, shape in enumerate(free_shapes(tensor.rank, EMPTY_SHAPES)):
            tier: Tier = "smoke" if number < 2 else "standard"
            yield Scene("empty", tier, {**facts, f"shape:{tensor.name}": shape})


SPECIAL_FILLS = (
    "special",
    "special-corner",
    "special-corner-summable",
    "special-finite",
    "special-no-nan",
    "special-mild",
    "subnormal",
    "large",
)


def _special_scenes(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], facts: Facts
) -> Iterator[Scene]:
    for tensor in spec.inputs:
        name = f"fill:{tensor.name}"
        for kind in factors.get(name, []):
            if kind in SPECIAL_FILLS:
                tier: Tier = "smoke" if kind.startswith("special") else "standard"
                yield Scene("special", tier, {**facts, name: kind})


def _common_fill_scenes(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], facts: Facts
) -> Iterator[Scene]:
    """Special values in all inputs at once; data on which the exact result is representable."""
    offered = {
        name: [kind for kind in factors.get(name, []) if kind.startswith("special")]
        for name in (f"fill:{tensor.name}" for tensor in spec.inputs)
    }
    together = {name: kinds[0] for name, kinds in offered.items() if kinds}
    yield Scene("special-together", "smoke", {**facts, **together})
    exact = {name: "exact" for name in offered if "exact" in factors.get(name, [])}
    yield Scene("exact", "smoke", {**facts, **exact})


_THRESHOLD_SHAPE = (257,)
"""Room for all neighbours of four thresholds, several times over, and a tail."""


def _threshold_scenes(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], facts: Facts
) -> Iterator[Scene]:
    """Data around each threshold, for each value of the attributes that move it."""
    for tensor in spec.inputs:
        names = {name for threshold in tensor.thresholds for name in threshold.names}
        moving = [f"attribute:{a.name}" for a in spec.attributes if a.name in names]
        if not tensor.thresholds:
            continue
        chosen = {
            f"fill:{tensor.name}": "around-thresholds",
            **free_shape_facts(spec, _THRESHOLD_SHAPE),
        }
        for values in itertools.product(*(factors[name] for name in moving)):
            moved = dict(zip(moving, values, strict=True))
            yield Scene("thresholds", "smoke", {**facts, **chosen, **moved})


def _traversal_scenes(
    spec: OperatorSpec, base: Facts, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """The public standard's traversal: ranks and extents, half uniform and half normal data."""
    free = next((t for t in spec.inputs if t.shape is None and t.rank is not None), None)
    if free is None or free.rank is None:
        return
    dtypes = list(dtype_choices(factors))
    for number, shape in enumerate(traversal_shapes(free.rank)):
        fill = ("uniform", "normal")[number % 2]
        fills = {
            key: fill if fill in levels else levels[0]
            for key, levels in factors.items()
            if key.startswith("fill:")
        }
        for chosen in dtypes:
            facts = {**base, **chosen, **fills, f"shape:{free.name}": shape}
            yield Scene("traversal", "full", facts)
