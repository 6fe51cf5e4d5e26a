# SPDX-License-Identifier: Apache-2.0
"""Calls as the kinds of violations see them: wrong ones, and valid ones that are to be broken."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from aclnn_cts.plan.binding import Binding, Facts, Shape, UnboundError, bind, rebind
from aclnn_cts.plan.cases import Case, token
from aclnn_cts.plan.layouts import is_contiguous, lay_out
from aclnn_cts.plan.requirements import (
    allowed_dtypes,
    binding_of,
    broken_rules,
    errors_on,
    is_shape_allowed,
    shape_of,
    speaks_of,
    usual_format,
)
from aclnn_cts.spec.clause_models import ErrorClause, spread_of
from aclnn_cts.spec.expression import Expression, ExpressionError
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.parameter_clauses import clause_id
from aclnn_cts.violations.kind import Change
from aclnn_cts.violations.values import MOST_ELEMENTS


@dataclass(frozen=True)
class Bound:
    """A call on a product, whose facts are bound."""

    spec: OperatorSpec
    product: str
    binding: Binding

    @cached_property
    def errors(self) -> list[ErrorClause]:
        """The error clauses that hold on the product; without support, only that one."""
        return list(errors_on(self.spec, self.product))

    def dtype(self, name: str) -> str:
        return self.binding.dtypes[name]

    def supported_dtypes(self, name: str) -> tuple[str, ...]:
        """Return the data types that the product supports for a parameter."""
        return self.spec.dtypes(name, self.product, untested=True)

    def allowed_dtypes(self, name: str) -> tuple[str, ...]:
        """Return the data types that a parameter may have, given those of all others."""
        return allowed_dtypes(self.spec, self.spec.parameter(name), self.product, self.binding)

    def allows_shape(self, name: str, shape: Shape) -> bool:
        """Whether a tensor may have a shape, given the shapes and values of everything else."""
        return is_shape_allowed(self.spec.tensor(name), shape, self.binding)


@dataclass(frozen=True)
class Call(Bound):
    """A call whose violations are recognised."""

    case: Case

    @classmethod
    def of(cls, spec: OperatorSpec, case: Case) -> Call:
        return cls(spec, case.product, binding_of(case), case)

    @cached_property
    def null(self) -> set[str]:
        """The parameters for which a null pointer is passed."""
        null = {name for name, value in self.case.attributes.items() if value is None}
        return self.binding.null | null

    def is_null(self, name: str) -> bool:
        return name in self.null

    def speaks_of(self, condition: Expression) -> bool:
        """Whether a condition holds in the call."""
        return speaks_of(condition, self.binding)

    def is_contiguous(self, name: str) -> bool:
        tensor = self.case.tensor(name)
        return is_contiguous(tensor.shape, tensor.strides)

    @cached_property
    def no_shapes_follow(self) -> bool:
        """Whether no shapes follow from attributes that break a rule (a length of 0)."""
        if not any(broken_rules(self.spec, self.product, self.binding, open_ones=False)):
            return False
        listed = (tensor for tensor in self.spec.tensors if isinstance(tensor.shape, list))
        shapes = (shape_of(tensor, "", self.binding) for tensor in listed)
        return any(shape is None or min(shape, default=1) <= 0 for shape in shapes)


@dataclass(frozen=True)
class Twin(Bound):
    """A call that passes.

    Attributes:
        facts: Its facts.
        lengths: The possible lengths of each list attribute.
        shapes: The tensors whose shapes are broken; None for the most ordinary call, in which
            everything is broken.
    """

    facts: Facts
    lengths: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shapes: frozenset[str] | None = None

    def to_break(self, names: Sequence[str]) -> list[str]:
        """Return which of the tensors are to get wrong shapes."""
        return [name for name in names if self.shapes is None or name in self.shapes]

    def with_dtypes(self, dtypes: Mapping[str, str]) -> Twin:
        """Return the call with other data types, whatever follows from them."""
        return replace(
            self, binding=replace(self.binding, dtypes={**self.binding.dtypes, **dtypes})
        )

    def bound(self, change: Change) -> Binding:
        """Return the binding of changed facts."""
        return bind(self.spec, {**self.facts, **change})

    def can_be_bound(self, change: Change) -> bool:
        """Whether a change determines the shapes of all tensors."""
        try:
            self.bound(change)
        except (UnboundError, ExpressionError):
            return False
        return True

    def bound_shapes(self, change: Change) -> dict[str, Shape] | None:
        """Return the shapes of changed facts; None if they leave any open."""
        try:
            return self.bound(change).shapes
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

    def broken_rules(self, assignment: Mapping[str, Any]) -> tuple[str, ...]:
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
        return tuple(broken_rules(self.spec, self.product, changed, open_ones=True))

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

    def usual_format(self, name: str) -> str:
        return usual_format(self.spec.tensor(name), self.binding)

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
