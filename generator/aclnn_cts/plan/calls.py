# SPDX-License-Identifier: Apache-2.0
"""Calls as the kinds of violations see them: wrong ones, and valid ones that are to be broken."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from typing_extensions import Self

from aclnn_cts.plan.binding import (
    Binding,
    Facts,
    Shape,
    UnboundError,
    bind,
    broadcasts,
    is_within,
    rebind,
    rule_shape,
)
from aclnn_cts.plan.cases import Case, token
from aclnn_cts.plan.layouts import is_contiguous, lay_out
from aclnn_cts.spec.clause_models import ErrorClause, spread_of
from aclnn_cts.spec.data_types import PUBLIC_FORMATS, castable
from aclnn_cts.spec.evaluation import broadcastable, evaluate_number, holds
from aclnn_cts.spec.expression import Expression, ExpressionError
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.parameter_clauses import clause_id
from aclnn_cts.violations.kind import Change
from aclnn_cts.violations.promotion import NotPromotable
from aclnn_cts.violations.values import MOST_ELEMENTS


@dataclass(frozen=True)
class BoundCall:
    """A call on a product, with the shapes, data types and values that follow from its facts."""

    spec: OperatorSpec
    product: str
    binding: Binding

    @cached_property
    def errors(self) -> list[ErrorClause]:
        """The error clauses that hold on the product; without support, only that one."""
        return self.spec.errors_on(self.product)

    def dtype(self, name: str) -> str:
        return self.binding.dtypes[name]

    def supported_dtypes(self, name: str) -> tuple[str, ...]:
        """Return the data types that the product supports for a parameter."""
        return self.spec.dtypes(name, self.product, untested=True)

    def allowed_dtypes(self, name: str) -> tuple[str, ...]:
        """Return the data types that a parameter may have, given those of all others."""
        source = self.spec.parameter(name).dtype
        if source is None:
            return self.supported_dtypes(name)
        if name in self.spec.dependent_types:
            dtype = self.dtype(source.removesuffix(".dtype"))
            # beside a type that is not supported, nothing is said of another
            return self.spec.dtypes_beside(name, dtype, self.product) or self.supported_dtypes(name)
        return (
            self.dtype(source.removesuffix(".dtype")),
            *self.spec.own_dtypes(name, self.product),
        )

    def is_convertible(self, name: str) -> bool:
        """Whether the promoted type of the inputs, if any, converts to an output's.

        Or whether that of a scalar converts to the promoted one.
        """
        promoted, dtype = self.spec.promoted_dtype(self.binding.dtypes), self.dtype(name)
        if promoted is None:
            return True
        is_scalar = name in self.spec.converted_scalars
        return castable(dtype, promoted) if is_scalar else castable(promoted, dtype)

    def has_common_types(self) -> bool:
        """Whether the parameters that must have a common data type have one."""
        types = {name: self.binding.dtypes[name] for name in self.spec.unpromotable}
        return not NotPromotable().is_unsuitable(self.spec, self.product, types)

    def has_supported_type(self) -> bool:
        """Whether the common data type is one that the page lists, where it must be."""
        if not any(error.kind.needs_support for error in self.errors):
            return True
        promoted = self.spec.promoted_dtype(self.binding.dtypes)
        return all(promoted in self.supported_dtypes(each.name) for each in self.spec.inputs)

    def allows_shape(self, name: str, shape: Shape) -> bool:
        """Whether a tensor may have a shape, given the shapes and values of everything else.

        An unknown shape (of an empty array) is allowed.
        """
        tensor = self.spec.tensor(name)
        if isinstance(tensor.shape, ShapeRule):
            allowed = self._is_allowed_by(tensor.shape, shape)
            if allowed is not None:
                return allowed
        choices = [choice.name for choice in tensor.choices] or [""]
        possible = [self.shape_by_rule(tensor, choice) for choice in choices]
        shapes = [candidate for candidate in possible if candidate is not None]
        return not shapes or shape in shapes

    def _is_allowed_by(self, rule: ShapeRule, shape: Shape) -> bool | None:
        """Return whether a rule allows a shape; None if its choices decide."""
        shapes = self.binding.shapes
        if rule.broadcasts_to is not None:
            return broadcasts(shape, shapes[rule.broadcasts_to])
        if rule.broadcasts_with is not None:
            return broadcastable(shape, shapes[rule.broadcasts_with])
        if rule.trailing_of is not None:
            target = shapes[rule.trailing_of]
            return 0 < len(shape) <= len(target) and shape == target[len(target) - len(shape) :]
        if rule.within is not None:
            axis = evaluate_number(rule.within.axis, self.binding.scope)
            return is_within(shape, shapes[rule.within.tensor], int(axis))
        is_open = rule.one_element and math.prod(shape) == 1
        sources = (shapes[name] for name in rule.broadcast_sources)
        return True if is_open or not broadcastable(*sources) else None

    def shape_by_rule(self, tensor: TensorParameter, choice: str) -> Shape | None:
        """Return the shape by a tensor's rule; None if it does not exist."""
        try:
            return rule_shape(tensor, choice or None, self.binding)
        except (UnboundError, ExpressionError):
            return None

    def usual_format(self, tensor: TensorParameter) -> str:
        """Return the first listed format for the tensor's number of dimensions."""
        rank = len(self.binding.shapes[tensor.name])
        fitting = (name for name in tensor.formats if PUBLIC_FORMATS.get(name, rank) == rank)
        return next(fitting, tensor.formats[0])

    def speaks_of(self, condition: Expression) -> bool:
        """Whether a condition holds in the call."""
        try:
            return holds(condition, self.binding.scope)
        except ExpressionError:
            # a name in the condition has no value: the array is null or too short
            return False

    def wants(self, output: TensorParameter) -> bool:
        """Whether the call requests an optional output."""
        return output.wanted is not None and self.speaks_of(output.wanted)

    def is_unwanted(self, output: TensorParameter) -> bool:
        """Whether the call says that it does not want an output."""
        return output.wanted is not None and not self.speaks_of(output.wanted)

    def broken_rules(self, *, open_ones: bool) -> Iterator[str]:
        """Yield the ids of the rules on the product that the call does not obey.

        Args:
            open_ones: Whether a rule counts as broken if it cannot be evaluated because another
                broken rule leaves names without values.
        """
        for rule in self.spec.rules_on(self.product):
            try:
                broken = not holds(rule.require, self.binding.scope)
            except ExpressionError:
                broken = open_ones
            if broken:
                yield rule.id

    @property
    def is_fixed(self) -> bool:
        """Whether shapes and attributes alone determine the results."""
        condition = self.spec.factors.data_dependent
        is_dependent = condition is None or holds(condition, self.binding.scope)
        return self.spec.is_uniform or not is_dependent


@dataclass(frozen=True)
class Call(BoundCall):
    """The call of a case, or of the tensors at one place of its lists.

    Attributes:
        case: The call of single tensors.
        whole: The call with all tensors of the lists.
    """

    case: Case
    whole: Case

    @classmethod
    def of(cls, spec: OperatorSpec, case: Case) -> Call:
        """Return the call of a case; with lists, that of their first tensors."""
        return cls.all_of(spec, case)[0]

    @classmethod
    def all_of(cls, spec: OperatorSpec, case: Case) -> tuple[Call, ...]:
        """Return the calls of single tensors of which a case consists."""
        return tuple(cls._of(spec, each.case, case) for each in case.slices)

    @classmethod
    def _of(cls, spec: OperatorSpec, case: Case, whole: Case) -> Call:
        binding = Binding(
            case.values,
            {tensor.name: tensor.shape for tensor in case.tensors},
            {tensor.name: tensor.dtype for tensor in case.tensors} | dict(case.scalars),
            {tensor.name for tensor in case.tensors if tensor.source == "null"},
        )
        return cls(spec, case.product, binding, case, whole)

    @cached_property
    def slices(self) -> tuple[Call, ...]:
        """The calls at all places of the lists."""
        return self.all_of(self.spec, self.whole) if self.spec.lists else (self,)

    @cached_property
    def null(self) -> set[str]:
        """The parameters for which a null pointer is passed."""
        null = {name for name, value in self.case.attributes.items() if value is None}
        return self.binding.null | null

    def is_null(self, name: str) -> bool:
        return name in self.null

    def is_member(self, name: str) -> bool:
        """Whether a parameter is a list that the call passes, of which this is one tensor."""
        return any(each.place is not None for each in self.whole.members(name))

    def is_contiguous(self, name: str) -> bool:
        tensor = self.case.tensor(name)
        return is_contiguous(tensor.shape, tensor.strides)

    @cached_property
    def no_shapes_follow(self) -> bool:
        """Whether no shapes follow from attributes that break a rule (a length of 0)."""
        if not any(self.broken_rules(open_ones=False)):
            return False
        listed = (tensor for tensor in self.spec.tensors if isinstance(tensor.shape, list))
        shapes = (self.shape_by_rule(tensor, "") for tensor in listed)
        return any(shape is None or min(shape, default=1) <= 0 for shape in shapes)


@dataclass(frozen=True)
class PlannedCall(BoundCall):
    """A call that is planned from facts."""

    facts: Facts

    @classmethod
    def of(cls, spec: OperatorSpec, product: str, facts: Facts) -> Self:
        """Bind the facts of a call.

        Raises:
            UnboundError: A shape or a name stays open or does not exist.
        """
        return cls(spec, product, bind(spec, facts), facts)

    def with_changes(self, change: Facts) -> Self:
        """Return the call with changed facts."""
        facts = {**self.facts, **change}
        return replace(self, binding=bind(self.spec, facts), facts=facts)

    def as_twin(self, shapes: frozenset[str] | None = None) -> Twin:
        return Twin(self.spec, self.product, self.binding, self.facts, shapes)


@dataclass(frozen=True)
class Twin(PlannedCall):
    """A call that passes.

    Attributes:
        shapes: The tensors whose shapes are broken; None for the most ordinary call, in which
            everything is broken.
    """

    shapes: frozenset[str] | None = None

    @cached_property
    def lengths(self) -> Mapping[str, Sequence[int]]:
        """The possible lengths of each list attribute."""
        return {
            name: sorted({len(level) for level in levels})
            for name, levels in self.spec.factors.attributes_of(self.product).items()
            if all(isinstance(level, list) for level in levels)
        }

    def to_break(self, names: Sequence[str]) -> list[str]:
        """Return which of the tensors are to get wrong shapes."""
        return [name for name in names if self.shapes is None or name in self.shapes]

    def with_dtypes(self, dtypes: Mapping[str, str]) -> Twin:
        """Return the call with other data types, whatever follows from them."""
        return replace(
            self, binding=replace(self.binding, dtypes={**self.binding.dtypes, **dtypes})
        )

    def can_be_bound(self, change: Change) -> bool:
        """Whether a change determines the shapes of all tensors."""
        try:
            self.with_changes(change)
        except (UnboundError, ExpressionError):
            return False
        return True

    def bound_shapes(self, change: Change) -> dict[str, Shape] | None:
        """Return the shapes of changed facts; None if they leave any open."""
        try:
            return self.with_changes(change).binding.shapes
        except (UnboundError, ExpressionError, ValueError, OverflowError):
            return None

    def shapes_that_follow(self, change: Change) -> dict[str, Shape] | None:
        """Return the shapes that follow from a broken attribute; None if there are none."""
        shapes = self.bound_shapes(change)
        possible = shapes is not None and all(
            min(shape, default=1) > 0 and math.prod(shape) <= MOST_ELEMENTS
            for shape in shapes.values()
        )
        return shapes if possible else None

    def follower_facts(self, change: Change, aspect: Literal["dtype", "shape"]) -> Change:
        """Return the twin's data types or shapes of the tensors that follow a changed one."""
        binding = self.binding
        values: Mapping[str, Any] = binding.dtypes if aspect == "dtype" else binding.shapes
        followed = {name for name in values if f"{aspect}:{name}" in change}
        facts: Change = {}
        parameters: tuple[TensorParameter | AttributeParameter, ...]
        parameters = (*self.spec.tensors, *self.spec.scalars)
        for each in parameters:
            source = getattr(each, aspect, None)
            sources = source.sources if isinstance(source, ShapeRule) else []
            if isinstance(source, str):
                sources = [source.removesuffix(f".{aspect}")]
            if not followed.isdisjoint(sources):
                followed.add(each.name)
                facts[f"{aspect}:{each.name}"] = values[each.name]
        if aspect == "shape" and not self.can_be_bound({**change, **facts}):
            # a conditional shape of the twin may not exist after the change
            facts |= {f"shape:{n}": s for n, s in values.items() if f"shape:{n}" not in change}
        return facts

    def with_what_follows(self, change: Change) -> Change:
        """Return a change, with the twin's shapes for followers whose shapes it leaves open."""
        if self.shapes_that_follow(change) is not None:
            return change
        followers = self.follower_facts(change, "shape")
        for fact in list(followers):
            others = {each: shape for each, shape in followers.items() if each != fact}
            if self.can_be_bound({**change, **others}):
                followers = others
        return {**change, **followers}

    def spread_of(self, tensor: TensorParameter) -> tuple[str, Shape] | None:
        """Return the fact of a tensor's spread dimension, and its extents; None if it has none."""
        if not isinstance(tensor.shape, list) or (spread := spread_of(tensor.shape)) is None:
            return None
        before, after = spread
        fact = f"dim:{tensor.shape[before]}".replace("*", "")
        shape = self.binding.shapes[tensor.name]
        # it may also be an attribute
        return (fact, shape[before : len(shape) - after]) if fact in self.facts else None

    def rules_broken_by(self, assignment: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the rules that the twin breaks if attributes or dimensions change."""
        values: Change = {
            name: tuple(x) if isinstance(x, list) else x for name, x in assignment.items()
        }
        binding = self.binding
        assigned = {name: values.pop(name) for name in binding.shapes.keys() & values.keys()}
        assigned_shapes = {name: shape for name, shape in assigned.items() if shape is not None}
        dtypes = {
            name: values.pop(f"{name}.dtype", dtype) for name, dtype in binding.dtypes.items()
        }
        null = self.null_with(assignment)
        shapes = {**binding.shapes, **assigned_shapes}
        changed = rebind(self.spec, {**binding.values, **values}, shapes, dtypes, null)
        return tuple(replace(self, binding=changed).broken_rules(open_ones=True))

    def null_with(self, assignment: Mapping[str, Any]) -> set[str]:
        """Return the tensors that become null: those without a shape of their own."""
        assigned_tensors = self.binding.shapes.keys() & assignment.keys()
        return (self.binding.null - assigned_tensors) | {
            name for name in assigned_tensors if assignment[name] is None
        }

    @staticmethod
    def token(value: Any) -> str:
        """Return a value as a case id shows it."""
        return token(value)

    def is_contiguous_in(self, layout: str, name: str) -> bool:
        """Whether a layout places the elements of a tensor one after another."""
        shape = self.binding.shapes[name]
        return is_contiguous(shape, lay_out(layout, shape).strides)

    def leaves_unbroken(self, name: str, kind: str) -> bool:
        """Whether the spec says that no call can break a requirement on a parameter."""
        return any(
            item.clause == clause_id(name, kind) and item.missing == "negative"
            for item in self.spec.one_sided
        )
