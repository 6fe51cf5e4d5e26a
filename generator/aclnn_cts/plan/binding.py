# SPDX-License-Identifier: Apache-2.0
"""Deriving all shapes, data types and named values of a case from its facts.

A *fact* is one choice: ``dtype:x``, ``shape:self``, ``dim:N``, ``attribute:eps``, ``layout:out``,
``fill:x``, ``format:x``, ``source:indices``. Everything else follows from the spec. So a negative
case has the facts of its passing twin and one more, their difference.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aclnn_cts.errors import counted
from aclnn_cts.spec.arrangements import SHAPES
from aclnn_cts.spec.clause_models import MOST_DIMENSIONS
from aclnn_cts.spec.data_types import DATA_TYPES, round_to_type
from aclnn_cts.spec.evaluation import Scope, evaluate_number, holds
from aclnn_cts.spec.expression import Expression, ExpressionError, arrangement_of, parse
from aclnn_cts.spec.models import (
    ARRAYS,
    SCALARS,
    AttributeParameter,
    OperatorSpec,
    Resized,
    ShapeChoice,
    ShapeRule,
    TensorParameter,
)
from aclnn_cts.spec.names import unknown

Facts = Mapping[str, Any]
Shape = tuple[int, ...]


@dataclass
class Binding:
    """The shapes, data types and values that follow from facts.

    Attributes:
        values: Attributes, dimensions and derived scalars by name.
        shapes: View shapes by tensor name.
        dtypes: Data type names by the name of a tensor or a scalar.
        null: The tensors for which a null pointer is passed.
        scope: The scope in which shape rules are evaluated.
    """

    values: dict[str, Any] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    null: set[str] = field(default_factory=set)
    scope: Scope = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Create the scope, which shows values as they are bound."""
        self.scope = Scope(self.values, self.shapes, dtypes=self.dtypes, null=self.null)

    def argument(self, text: str) -> Any:
        """Return an argument of an arrangement: a shape, a value or a number."""
        if text in self.shapes:
            return self.shapes[text]
        return self.values[text] if text in self.values else int(text)

    def ready(self, expression: Expression) -> bool:
        """Whether all names that an expression reads are bound."""
        return all(name in self.values or name in self.shapes for name in expression.names)


class UnboundError(ValueError):
    """The facts leave a shape or a name open, or choose a shape that does not exist."""


def bind(spec: OperatorSpec, facts: Facts) -> Binding:
    """Return all shapes, data types and values that follow from the facts.

    Raises:
        UnboundError: A shape or a name stays open or does not exist.
    """
    binding = Binding()
    for key, value in facts.items():
        kind, _, name = key.partition(":")
        if kind == "dim":
            binding.values[name] = value
        if kind == "shape" and isinstance(value, tuple):
            binding.shapes[name] = value
        if kind == "null" and value:
            binding.null.add(name)
    _bind_dtypes(spec, facts, binding)
    _bind_attributes(spec, facts, binding)
    open_tensors = _bind_what_follows(spec, facts, binding)
    if open_tensors:
        raise UnboundError(f"{spec.operator}: nothing determines {', '.join(open_tensors)}")
    return binding


def _bind_what_follows(spec: OperatorSpec, facts: Facts, binding: Binding) -> Iterable[str]:
    """Bind derived names and shapes, which may follow from one another; return the open tensors."""
    open_names = {name: each for name, each in spec.derived.items() if name not in binding.values}
    open_tensors = {each.name: each for each in spec.tensors if each.name not in binding.shapes}
    while open_names or open_tensors:
        before = len(open_names) + len(open_tensors)
        _bind_ready_names(open_names, binding)
        _bind_ready_shapes(open_tensors, facts, binding)
        if len(open_names) + len(open_tensors) == before:
            break
    return open_tensors


def _bind_attributes(spec: OperatorSpec, facts: Facts, binding: Binding) -> None:
    for attribute in spec.attributes:
        is_absent = attribute.absent is not None and facts.get(f"null:{attribute.name}")
        level = None if is_absent else facts.get(f"attribute:{attribute.name}")
        value = attribute.absent if level is None else level
        if isinstance(value, str) and attribute.attribute not in ("string", "dtype"):
            value = evaluate_number(parse(value), binding.scope)
        if attribute.attribute == "dtype" and value is not None:
            name, dot, _ = str(value).partition(".")
            value = binding.dtypes[name] if dot else value
        if attribute.attribute in ARRAYS and value is not None:
            value = tuple(value)
        if attribute.attribute == "double" and value is not None:
            value = float(value)
        if attribute.attribute == "float" and value is not None:
            value = round_to_type(float(value), DATA_TYPES["float32"])
        if attribute.attribute in SCALARS and level is not None:
            value = round_to_type(value, DATA_TYPES[binding.dtypes[attribute.name]])
        binding.values[attribute.name] = value


def _bind_dtypes(spec: OperatorSpec, facts: Facts, binding: Binding) -> None:
    parameters: tuple[TensorParameter | AttributeParameter, ...] = (*spec.tensors, *spec.scalars)
    for parameter in parameters:
        binding.dtypes[parameter.name] = chosen_dtype(spec, parameter, facts)


def chosen_dtype(
    spec: OperatorSpec, parameter: TensorParameter | AttributeParameter, facts: Facts
) -> str:
    """Return the data type chosen for a tensor, a scalar or its source; by default the first."""
    chosen: str | None = facts.get(f"dtype:{parameter.name}")
    if chosen is None and parameter.dtype is not None:
        source = chosen_dtype(spec, spec.tensor(parameter.dtype.removesuffix(".dtype")), facts)
        return parameter.dtypes_by.get(source, [source])[0]
    return chosen or (parameter.dtypes or ["float32"])[0]


def _bind_ready_names(open_names: dict[str, Expression], binding: Binding) -> None:
    for name, expression in list(open_names.items()):
        if not binding.ready(expression):
            continue
        try:
            value = evaluate_number(expression, binding.scope)
            binding.values[name] = bool(value) if isinstance(value, np.bool_) else value
        except ExpressionError:
            # A broken attribute (an array of length 0) leaves names without a value. Shapes that
            # need them must then be facts, as in negative cases.
            continue
        del open_names[name]


def _bind_ready_shapes(
    open_tensors: dict[str, TensorParameter], facts: Facts, binding: Binding
) -> None:
    for name, tensor in list(open_tensors.items()):
        shape = rule_shape(tensor, facts.get(f"shape:{name}"), binding)
        if shape is not None:
            binding.shapes[name] = shape
            del open_tensors[name]


def rebind(
    spec: OperatorSpec,
    values: Mapping[str, Any],
    shapes: Mapping[str, Shape],
    dtypes: Mapping[str, str],
    null: Iterable[str],
) -> Binding:
    """Return a binding with other attributes or dimensions, and derive everything else."""
    plain_values = {name: value for name, value in values.items() if name not in spec.derived}
    binding = Binding(plain_values, dict(shapes), dict(dtypes), set(null))
    _bind_what_follows(spec, {}, binding)
    return binding


def rule_shape(tensor: TensorParameter, choice: str | None, binding: Binding) -> Shape | None:
    """Return the shape by a tensor's rule; None while its sources are open.

    Args:
        choice: The name of one of its alternative shapes.
        binding: Values and shapes that are known.

    Raises:
        UnboundError: There is no such choice, or it does not exist for these values.
    """
    rule = tensor.shape
    if isinstance(rule, str):
        return binding.shapes.get(rule.removesuffix(".shape"))
    if isinstance(rule, list):
        return _dims(rule, binding)
    other = (rule.partner or rule.trailing_of) if isinstance(rule, ShapeRule) else None
    if isinstance(rule, ShapeRule) and other:
        _require_one_of(choice, rule.levels)
        target = binding.shapes.get(other)
        return None if target is None else broadcast_shape(choice or rule.levels[0], target)
    if isinstance(rule, ShapeRule):
        return _shape_of_rule(tensor, rule, choice, binding)
    return None


def _shape_of_rule(
    tensor: TensorParameter, rule: ShapeRule, choice: str | None, binding: Binding
) -> Shape | None:
    if rule.broadcast_of:
        return _broadcast_shape(rule.broadcast_of, binding)
    if tensor.choices:
        return _choice_shape(tensor.choices, choice, binding)
    if rule.arranged:
        return _arrange(rule.arranged, binding)
    if rule.within:
        return _shape_within(rule, choice, binding)
    return _resize(rule.resized, binding) if rule.resized else None


def broadcast_shape(variant: str, target: Shape) -> Shape:
    """Return a shape that broadcasts to ``target``, or with it (common document on broadcasting).

    Args:
        variant: One of those that :attr:`ShapeRule.levels` names.

    Raises:
        UnboundError: There would be more dimensions than tensors have.
    """
    if variant == "more" and len(target) >= MOST_DIMENSIONS:
        raise UnboundError(
            f"the shape {variant!r} does not exist with {counted(len(target), 'dimension')}"
        )
    return _BROADCAST_SHAPES[variant](target) if target or variant == "more" else target


_BROADCAST_SHAPES: dict[str, Callable[[Shape], Shape]] = {
    "full": lambda target: target,
    "inner-one": lambda target: (*target[:-1], 1),
    "outer-one": lambda target: (1, *target[1:]),
    "fewer": lambda target: target[1:],
    "last-two": lambda target: target[-2:],
    "last": lambda target: target[-1:],
    "all-one": lambda target: (1,) * len(target),
    "more": lambda target: (2, *target),
    "stretched": lambda target: tuple(3 if extent == 1 else extent for extent in target),
    "crossed": lambda target: tuple(3 if extent == 1 else 1 for extent in target),
}


def broadcast_together(shapes: Iterable[Shape]) -> Shape:
    """Return the shape to which shapes broadcast together.

    For other shapes, return the result of a device without checks: the largest extent along each
    axis.
    """
    turned = itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1)
    return tuple(0 if 0 in extents else max(extents) for extents in turned)[::-1]


def broadcasts(shape: Shape, target: Shape) -> bool:
    """Whether a shape broadcasts to exactly ``target`` (common document on broadcasting)."""
    padded = (1,) * (len(target) - len(shape)) + shape
    return len(shape) <= len(target) and all(
        extent in (1, target_extent) for extent, target_extent in zip(padded, target, strict=True)
    )


def _broadcast_shape(names: Sequence[str], binding: Binding) -> Shape | None:
    shapes = [binding.shapes[name] for name in names if name in binding.shapes]
    return broadcast_together(shapes) if len(shapes) == len(names) else None


def _dims(dims: list[Any], binding: Binding) -> Shape | None:
    shape: list[int] = []
    for dim in dims:
        if isinstance(dim, str):
            extents = binding.values.get(dim.removeprefix("*"))
            if extents is None:
                return None
            shape.extend(extents)
        elif not binding.ready(dim):
            return None
        else:
            shape.append(int(evaluate_number(dim, binding.scope)))
    return tuple(shape)


def _shape_within(rule: ShapeRule, choice: str | None, binding: Binding) -> Shape | None:
    _require_one_of(choice, rule.levels)
    within = rule.within
    if within is None or within.tensor not in binding.shapes or not binding.ready(within.axis):
        return None
    bounds, axis = binding.shapes[within.tensor], evaluate_number(within.axis, binding.scope)
    if axis not in range(-len(bounds), len(bounds)):
        if bounds or axis not in (-1, 0):
            raise UnboundError(f"{within.tensor} has no axis {axis} among its {len(bounds)}")
        return bounds
    along = int(axis) % len(bounds)
    lengths = {"shorter": -(-bounds[along] // 2), "longer": 2 * bounds[along] + 1}
    others = [max(extent - 1, min(extent, 1)) for extent in bounds] if choice == "part" else bounds
    return (*others[:along], lengths.get(str(choice), bounds[along]), *others[along + 1 :])


def is_within(shape: Shape, bounds: Shape, axis: int) -> bool:
    """Whether no extent exceeds that of ``bounds``, but along one axis, counted from either end."""
    along = axis % len(bounds) if bounds else 0
    pairs = enumerate(zip(shape, bounds, strict=False))
    return len(shape) == len(bounds) and all(
        extent <= bound or at == along for at, (extent, bound) in pairs
    )


def _resize(rule: Resized, binding: Binding) -> Shape | None:
    shape = binding.shapes.get(rule.tensor)
    if shape is None or not all(map(binding.ready, rule.expressions.values())):
        return None
    axis_values = evaluate_number(rule.axis, binding.scope)
    valid_axes = range(-len(shape), len(shape))
    axes: set[int] = set()
    for axis in axis_values if isinstance(axis_values, tuple | list) else (axis_values,):
        if axis not in valid_axes:
            raise UnboundError(f"{rule.tensor} has no axis {axis} among its {len(shape)}")
        axes.update(range(axis % len(shape), len(shape)) if rule.onward else [axis % len(shape)])
    if rule.extent is None or not (rule.kept is None or holds(rule.kept, binding.scope)):
        return tuple(extent for axis, extent in enumerate(shape) if axis not in axes)
    new_extent = int(evaluate_number(rule.extent, binding.scope))
    return tuple(new_extent if axis in axes else extent for axis, extent in enumerate(shape))


def arranged(spec: OperatorSpec, binding: Binding) -> tuple[str, list[Any]]:
    """Return the arrangement of an operator's formula, and its arguments in a call."""
    function, arguments = spec.arrangement or ("", [])
    names = {tensor.as_input: tensor.name for tensor in spec.inputs}
    return function, [binding.argument(names.get(each, each)) for each in arguments]


def _arrange(formula: Expression, binding: Binding) -> Shape | None:
    called = arrangement_of(formula)
    if called is None or not binding.ready(formula):
        return None
    function, arguments = called
    if arguments[0] not in binding.shapes:
        return None
    try:
        return SHAPES[function](*map(binding.argument, arguments))
    except (ValueError, TypeError) as error:  # a broken attribute may be null
        raise UnboundError(f"{formula.text}: {error}") from None


def _require_one_of(name: str | None, known: Sequence[str]) -> None:
    if name is not None and name not in known:
        raise UnboundError(unknown("shape", name, known))


def _choice_shape(choices: list[ShapeChoice], name: str | None, binding: Binding) -> Shape | None:
    _require_one_of(name, [choice.name for choice in choices])
    # Without a fact, as for an output, take the first shape that exists.
    offered = [item for item in choices if name in (None, item.name)]
    for choice in offered:
        needed = filter(None, (choice.pad_to_rank, choice.when))
        if not all(map(binding.ready, needed)):
            return None
        if choice.when is None or holds(choice.when, binding.scope):
            break
    else:
        raise UnboundError(f"the shape {offered[0].name!r} does not exist for these facts")
    if choice.broadcast_of:
        return _broadcast_shape(choice.broadcast_of, binding)
    shape = _dims(choice.dims or [], binding)
    if choice.pad_to_rank is not None and shape is not None:
        rank = int(evaluate_number(choice.pad_to_rank, binding.scope))
        shape += (1,) * (rank - len(shape))
    return shape


def binding_of(
    spec: OperatorSpec, shapes: Mapping[str, Shape], attributes: Mapping[str, Any]
) -> Binding:
    """Return attributes, dimensions and derived values for shapes that are given, not planned.

    Args:
        shapes: View shapes of (at least) the inputs.
    """
    absent = {each.name: each.absent for each in spec.attributes if each.absent is not None}
    present = {name: value for name, value in attributes.items() if value is not None}
    binding = Binding({**attributes, **absent, **present}, dict(shapes))
    for tensor in spec.tensors:
        if tensor.name in shapes and isinstance(tensor.shape, list):
            _read_dims(tensor.shape, shapes[tensor.name], binding.values)
    _bind_what_follows(spec, {}, binding)
    return binding


def _read_dims(dims: list[Any], shape: Shape, values: dict[str, Any]) -> None:
    at = 0
    for dim in dims:
        if isinstance(dim, str):
            end = at + max(len(shape) - len(dims) + 1, 0)
            values.setdefault(dim.removeprefix("*"), tuple(shape[at:end]))
            at = end
            continue
        if dim.text.isidentifier() and at < len(shape):
            values.setdefault(dim.text, shape[at])
        at += 1
