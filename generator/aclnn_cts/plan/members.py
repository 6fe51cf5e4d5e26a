# SPDX-License-Identifier: Apache-2.0
"""The members of lists: a call is planned for one place of its lists, and the others are added.

So shapes, layouts and data are planned as for single tensors, whatever the lengths of the lists.
The planned tensors take turns among the places. Those beside them are ordinary and of other shapes,
so that a device that mixes places up shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.plan.binding import Facts, Shape
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.cases import AttributeValue, TensorCase
from aclnn_cts.spec.data_types import DATA_TYPES, can_hold
from aclnn_cts.spec.models import OperatorSpec, TensorParameter

LENGTHS = (2, 1, 5)
"""The usual numbers of tensors in a list."""

MANY = 33
"""A number of tensors that no page states as a bound: more than a word has bits."""

_SHAPES: tuple[Shape, ...] = ((17,), (3, 5), (2, 3, 4), (8,), (), (2, 2, 2, 3))
"""The shapes beside the planned one; few elements, because there may be many of them."""

_OF_THE_PLANNED = ("shape", "layout", "null", "shares")
"""The kinds of facts about a list that only the planned tensors have."""

PLACES = "places"
"""The fact with the facts of each place, of a call that states its whole lists."""

MakeTensor = Callable[[PlannedCall, TensorParameter], TensorCase]


def lengths(spec: OperatorSpec, product: str) -> list[int]:
    """Return the lengths of lists to try, the usual one first."""
    longest = spec.longest(product) or max(LENGTHS)
    return [length for length in LENGTHS if length <= longest]


def length_fact(spec: OperatorSpec) -> str:
    """Return the fact that states the length of all lists."""
    return f"length:{spec.lists[0].name}"


@dataclass(frozen=True)
class Lists:
    """The lists of a call.

    Attributes:
        call: The call of the planned tensors.
        make: Makes a tensor of a call.
        turn: A number by which the planned tensors take turns among the places.
    """

    call: PlannedCall
    make: MakeTensor
    turn: int

    def tensors(self, planned: Sequence[TensorCase]) -> Iterator[TensorCase]:
        """Yield the tensors of the whole call: planned ones, and those beside them in lists."""
        for parameter, tensor in zip(self.call.spec.tensors, planned, strict=True):
            if parameter.length is None or tensor.source == "null":
                yield tensor
                continue
            yield from (self._member(parameter, at) for at in self._places(parameter.name))

    def scalars(self, name: str) -> tuple[AttributeValue, ...]:
        """Return the scalars of a list, of which one is planned."""
        calls = (self._call_at(self._facts_at(place)) for place in self._places(name))
        return tuple(call.binding.values[name] for call in calls)

    @property
    def _length(self) -> int:
        """The length of the lists; only the planned tensors are beside a null pointer."""
        facts, spec = self.call.facts, self.call.spec
        if any(facts.get(f"null:{each.name}") for each in spec.lists):
            return 1
        return int(facts.get(length_fact(spec), 1))

    def _places(self, name: str) -> range:
        """Return the places of a list, which may be longer or shorter than the others."""
        return range(self._length + self.call.facts.get(f"extra:{name}", 0))

    def _call_at(self, facts: Facts) -> PlannedCall:
        return PlannedCall.of(self.call.spec, self.call.product, facts)

    def _facts_at(self, place: int) -> Facts:
        """Return the facts of the call at a place."""
        if PLACES in self.call.facts:
            facts: Facts = self.call.facts[PLACES][place]
            return facts
        return self.call.facts if place == self.turn % self._length else self._beside(place)

    def _member(self, parameter: TensorParameter, place: int) -> TensorCase:
        name, facts, at_place = parameter.name, self.call.facts, self._facts_at(place)
        dtype, wrong = facts.get(f"member-dtype:{name}", ("", None))
        if self._is_at(place, wrong):
            at_place = {**at_place, f"dtype:{name}": dtype}
        tensor = self.make(self._call_at(at_place), parameter)
        if self._is_at(place, facts.get(f"null-member:{name}")):
            tensor = replace(tensor, source="null", fill=None)
        in_list = any(each.name == tensor.shares for each in self.call.spec.lists)
        shares = f"{tensor.shares}[{place}]" if in_list else tensor.shares
        return replace(tensor, name=f"{name}[{place}]", shares=shares)

    def _beside(self, place: int) -> Facts:
        """Return the facts of the tensors and scalars at another place than the planned ones."""
        spec = self.call.spec
        lists = spec.lists
        names = {f"{kind}:{each.name}" for kind in _OF_THE_PLANNED for each in lists}
        facts = {fact: value for fact, value in self.call.facts.items() if fact not in names}
        planned = self.call.binding.shapes[lists[0].name]
        for each in lists:
            if each.is_input and each.shape is None:
                shapes = [
                    shape
                    for shape in _SHAPES
                    if shape != planned and each.ranks[0] <= len(shape) <= each.ranks[1]
                ]
                facts[f"shape:{each.name}"] = shapes[place % len(shapes)]
        for name in spec.scalar_lists:
            value, dtype = facts.get(f"attribute:{name}"), DATA_TYPES[self.call.dtype(name)]
            levels = spec.factors.attributes_of(self.call.product)[name]
            numbers = [each for each in levels if not isinstance(each, str)]
            others = [each for each in numbers if each != value and can_hold(each, dtype)]
            facts[f"attribute:{name}"] = others[place % len(others)] if others else value
        return facts

    def _is_at(self, place: int, wanted: int | None) -> bool:
        return wanted is not None and place == wanted % self._length
