# SPDX-License-Identifier: Apache-2.0
"""Values of attributes, dimensions, shapes or data types that break a rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aclnn_cts.violations.kind import Broken, Change, Check, Kind, Setting

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec

MOST_ELEMENTS = 2**22
"""Limit for tensors that follow from a broken attribute; beyond it the twin's shapes stay."""

_EXTREMES = (2**63 - 1, 2**32, 2**31, -1, -(2**31), -(2**32), -(2**63))
"""Integers to show devices that keep only the lower 32 bits; a power of two is added to an ordinary
one."""


class Assign(Kind):
    key = "assign"
    description = (
        "Attribute values, dimensions, shapes or data types (`x.dtype`) that break the rule; a "
        "mapping from a name to several values sets one at a time."
    )
    form = "assignments"
    covers = "rules"
    needs_given = False
    is_of_shapes = True
    is_once = False

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        attributes = {attribute.name for attribute in at.spec.attributes}
        kinds = dict.fromkeys(attributes, "attribute") | dict.fromkeys(at.binding.shapes, "shape")
        names = {parameter.name for parameter in at.spec.parameters}
        for assignment in _assignments(at, error):
            if not at.rules_broken_by(assignment):
                continue  # wrong only for another twin: 9 channels in 3 groups are right
            change = _change(at, kinds, assignment)
            values = [(name.removesuffix(".dtype"), value) for name, value in assignment.items()]
            detail = "-".join(f"{name}_{at.token(value)}" for name, value in values)
            first = values[0][0] if values[0][0] in names else ""
            if kinds.keys().isdisjoint(assignment):
                # dimensions determine the shapes, also empty ones
                yield Broken(first, detail, change)
                continue
            further_shapes = {
                f"shape:{name}": shape
                for name, shape in at.binding.shapes.items()
                if name not in assignment
            }
            shapes = at.shapes_that_follow(change)
            if shapes is None:
                yield Broken(first, detail, {**change, **further_shapes})
                for cut in _of_one(at, change):
                    yield Broken(first, f"{detail}_cut", {**change, **cut})
                continue
            yield Broken(first, detail, change)
            # shapes that follow from the value must not reveal it to a device that ignores it
            if shapes != at.binding.shapes and kinds.keys() >= assignment.keys():
                yield Broken(first, f"{detail}_alone", {**change, **further_shapes}, is_alone=True)

    def holds(self, call: Call, error: ErrorClause) -> bool:
        """The condition says it all: a clause needs one."""
        del call, error
        return True

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        for rule in spec.rules:
            yield Check(
                "",
                arguments=(("code", rule.require), ("text", rule.text)),
                reads=rule.require.names,
                on=None if rule.products is None else tuple(rule.products),
            )

    def is_tried_beside(self, setting: Setting, error: ErrorClause) -> bool:
        values = [value for item in error.assignments for value in item.values()]
        return setting == "left-out" and all(isinstance(value, list) for value in values)


def _change(at: Twin, kinds: Mapping[str, str], assignment: Mapping[str, Any]) -> Change:
    """Return an assignment as facts."""
    change: Change = {}
    for name, value in assignment.items():
        if value is not None or name not in at.binding.shapes:
            typed = name.removesuffix(".dtype")
            fact = f"{kinds.get(name, 'dim')}:{name}" if typed == name else f"dtype:{typed}"
            change[fact] = tuple(value) if isinstance(value, list) else value
    null = at.null_with(assignment)
    return change | {f"null:{name}": name in null for name in null ^ at.binding.null}


def _of_one(at: Twin, change: Change) -> Iterator[Change]:
    """Yield shapes in which extents of 0 are 1, as if quotients were rounded towards 0."""
    shapes = at.bound_shapes(change) or {}
    outputs = {output.name: shapes[output.name] for output in at.spec.outputs if shapes}
    if min((extent for shape in outputs.values() for extent in shape), default=1) != 0:
        return
    cut = {name: tuple(max(extent, 1) for extent in shape) for name, shape in outputs.items()}
    if all(math.prod(shape) <= MOST_ELEMENTS for shape in cut.values()):
        yield {f"shape:{name}": shape for name, shape in cut.items()}


def _assignments(at: Twin, error: ErrorClause) -> Iterator[dict[str, Any]]:
    """Yield the values that a clause states, and others that break the same rules.

    For numbers and lists these are more extreme ones, in each place of each valid length, and
    longer lists.
    """
    examples = [item for item in error.assignments if at.shapes is None or _is_list(at, item)]
    yield from examples
    texts = [repr(item) for item in examples]
    broken = [at.rules_broken_by(item) for item in examples]
    for item in examples:
        for further in _further_assignments(at, item):
            if repr(further) not in texts and at.rules_broken_by(further) in broken:
                texts.append(repr(further))
                yield further


def _further_assignments(at: Twin, item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield other values of an attribute that are wrong in the same way as a stated one."""
    ((name, value), *others) = item.items()
    attributes = {attribute.name: attribute for attribute in at.spec.attributes}
    ordinary = at.binding.values.get(name)
    if others or ordinary is None or name not in attributes or isinstance(value, bool):
        return
    limit = attributes[name].numbers
    for changed in _further_values(value, ordinary, at.lengths.get(name, ())):
        if not limit or changed in limit:
            yield {name: changed}


def _is_list(at: Twin, item: Mapping[str, Any]) -> bool:
    """Whether values are lists of other lengths than in the most ordinary call."""
    return not at.shapes and all(name in at.lengths for name in item)


def _further_values(value: Any, ordinary: Any, lengths: Sequence[int]) -> Iterator[Any]:
    """Yield values that are wrong in the same way as ``value``, compared with an ordinary one."""
    if isinstance(value, int) and isinstance(ordinary, int):
        yield from _more_extreme(value, ordinary)
    if not isinstance(value, list) or not lengths:
        return
    if len(value) not in lengths:
        yield from ([value[0]] * length for length in (4, 5, 8) if len(value) > max(lengths))
        return
    usual = list(ordinary) or [1]
    for wrong in dict.fromkeys(x for x in value if x != usual[0]):
        for number in (wrong, *_more_extreme(wrong, usual[0])):
            for length in lengths:
                for place in range(length):
                    yield [*usual[:1] * place, number, *usual[:1] * (length - place - 1)]


def _more_extreme(wrong: int, usual: int) -> Iterator[int]:
    """Yield more extreme numbers on the same side, some with the usual number's lower 32 bits."""
    for extreme in _EXTREMES:
        number = extreme + usual if abs(extreme) == 2**32 else extreme
        if (number < 0 and number < wrong < usual) or number > wrong > usual:
            yield number
