# SPDX-License-Identifier: Apache-2.0
"""The twins of refused calls: calls that pass, and that differ from refused ones in one fact."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Facts, UnboundError
from aclnn_cts.plan.calls import PlannedCall, Twin
from aclnn_cts.plan.extents import other_data, twin_scenes
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.validity import base_facts, nearest_valid, valid_call
from aclnn_cts.spec.models import OperatorSpec, ShapeRule
from aclnn_cts.violations.kind import Setting


@dataclass(frozen=True)
class Twins:
    """The twins of an operator's refused calls on a product."""

    spec: OperatorSpec
    product: str
    factors: Mapping[str, Sequence[Any]]

    def ordinary(self) -> Iterator[Twin]:
        """Yield the ordinary call with each data type, or the nearest valid one.

        On a product without support, it is refused as it is.
        """
        for dtypes in dtype_choices(self.factors):
            facts = {**base_facts(self.factors), **dtypes}
            if not self.spec.supports(self.product):
                yield Twin.of(self.spec, self.product, facts)
            elif near := nearest_valid(self.spec, self.product, facts, self.factors, kept=dtypes):
                yield near.as_twin()

    def of_ranks(self) -> Iterator[Twin]:
        """Yield calls of several ranks, beside which shapes are broken."""
        ordinary = PlannedCall.of(self.spec, self.product, base_facts(self.factors)).binding.shapes
        calls = (
            valid_call(self.spec, self.product, facts, may_be_fixed=True)
            for facts in twin_scenes(self.spec, self.product, self.factors)
        )
        for number, call in enumerate(filter(None, calls)):
            names = (
                name
                for name, shape in call.binding.shapes.items()
                if number == 0
                or len(shape) != len(ordinary[name])
                or isinstance(self.spec.tensor(name).shape, ShapeRule)
            )
            yield call.as_twin(frozenset(names))

    def with_settings(self) -> Iterator[tuple[Setting, Twin]]:
        """Yield the ordinary call with other attribute values, for which a device may skip checks.

        For contract operators, these are only negative values, such as an axis that is counted
        from the end, and lists that are left out, and so follow from another one.
        """
        ordinary = {**base_facts(self.factors), **other_data(self.factors)}
        for name, (usual, *levels) in self.factors.items():
            if name.startswith("attribute:"):
                further = levels[:_OTHER_LEVELS]
                further += [()] if isinstance(usual, tuple) and () not in (usual, *further) else []
                for level in further:
                    setting = _setting_of(usual, level)
                    if self.spec.is_contract and setting == "other":
                        continue
                    if call := valid_call(self.spec, self.product, {**ordinary, name: level}):
                        yield setting, call.as_twin()

    def further(self) -> Iterator[Twin]:
        """Yield the ordinary call without optional parameters, and with each other level.

        Also with each dimension empty if outputs are then empty: counts that multiply to 0 may
        differ without a wrong product.
        """
        base = base_facts(self.factors)
        optional: dict[str, Any] = {name: True for name in self.factors if name.startswith("null:")}
        others = [optional] if optional else []
        for name, levels in self.factors.items():
            if name.startswith(("dim:", "attribute:", "shape:", "dtype:")):
                others += [{name: level} for level in levels[1:]]
            if name.startswith("dim:"):
                others.append({name: (0,) if isinstance(levels[0], tuple) else 0})
        if self.spec.unpromotable:
            others += dtype_choices(self.factors)  # some types are valid only beside themselves
        for other in others:
            facts = {**base, **other}
            call = valid_call(self.spec, self.product, facts, may_be_fixed=True)
            if call is not None and _may_be_empty(call):
                yield call.as_twin()


def _may_be_empty(call: PlannedCall) -> bool:
    """Whether no tensor is empty, or all outputs are, and all that are may be."""
    spec, shapes = call.spec, call.binding.shapes
    empty = {name for name, shape in shapes.items() if not math.prod(shape)}
    may_be = all(spec.tensor(name).empty for name in empty)
    return not empty or (may_be and empty.issuperset(output.name for output in spec.outputs))


def _setting_of(usual: Any, level: Any) -> Setting:
    if level == ():
        return "left-out"
    is_negative = isinstance(level, int) and level < 0 <= usual
    return "negative" if is_negative else "other"


_OTHER_LEVELS = 2
"""Number of further values of each attribute that refused calls are tried with."""


def near_twins(twin: Twin) -> Iterator[Twin]:
    """Yield the twin, and variants of it in one value, shape or type."""
    yield twin
    for facts in _other_facts(twin.spec, twin.product):
        with contextlib.suppress(UnboundError):
            other = twin.with_changes(facts)
            if not any(other.broken_rules(open_ones=True)):
                yield other


def _other_facts(spec: OperatorSpec, product: str) -> Iterator[Facts]:
    values = [
        {f"attribute:{name}": level}
        for name, levels in spec.factors.attributes_of(product).items()
        for level in levels[1:]
    ]
    shapes = [
        {f"shape:{tensor.name}": choice.name} for tensor in spec.inputs for choice in tensor.choices
    ]
    yield from (*values, *shapes)
    for tensor in spec.inputs:
        types = spec.own_dtypes(tensor.name, product)
        yield from ({f"dtype:{tensor.name}": dtype} for dtype in types[1:])
    # a shape may be right only with another value
    yield from ({**value, **shape} for value in values for shape in shapes)
