# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused: each differs in one fact from a passing twin."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aclnn_cts.plan.binding import Binding, Facts, UnboundError, bind
from aclnn_cts.plan.building import token
from aclnn_cts.spec.data_types import PRIVATE_FORMATS
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import ErrorClause, OperatorSpec, ShapeRule, TensorParameter

REFUSED_DTYPES = (
    "double",
    "int32",
    "int8",
    "uint8",
    "int64",
    "bool",
    "complex64",
    "int16",
    "bfloat16",
    "float16",
    "float32",
)
"""Data types to offer where the document does not promise them, the likeliest mistakes first."""

_MOST_ELEMENTS = 2**22
"""A broken attribute may ask for tensors too large to make; beyond this the twin's shapes stay."""


@dataclass(frozen=True)
class Violation:
    """One way to break a clause.

    Attributes:
        error: The clause that refuses it.
        detail: What is broken, for the case's id.
        facts: The twin's facts and the one difference (with what follows from it).
    """

    error: ErrorClause
    detail: str
    facts: Facts


@dataclass(frozen=True)
class _Twin:
    spec: OperatorSpec
    product: str
    facts: Facts
    binding: Binding


Breaker = Callable[[_Twin, ErrorClause], Iterator[tuple[str, dict[str, Any]]]]


def violations(spec: OperatorSpec, product: str, twin: Facts) -> Iterator[Violation]:
    """Yield every single-fact violation of every error clause.

    Args:
        spec: The operator.
        product: The product whose promises count.
        twin: The facts of a call that passes.
    """
    at = _Twin(spec, product, twin, bind(spec, twin))
    for error in spec.errors:
        if error.products is not None and product not in error.products:
            continue
        for field, breaker in _BREAKERS.items():
            if getattr(error, field) is None:
                continue
            for detail, change in breaker(at, error):
                facts = _given_inputs(spec, {**twin, **change})
                yield Violation(error, detail, facts)


def _given_inputs(spec: OperatorSpec, facts: dict[str, Any]) -> dict[str, Any]:
    """Give every input its data: a call that is refused has no use for a producer's output."""
    for tensor in spec.inputs:
        if tensor.producer is not None:
            facts[f"fill:{tensor.name}"] = "bits"
    return facts


def _null(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    del at
    for name in error.null_pointer or []:
        yield name, {f"null:{name}": True}


def _dtype_outside(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in error.dtype_outside_support or []:
        supported = at.spec.dtypes(name, at.product)
        for dtype in REFUSED_DTYPES:
            if dtype not in supported:
                yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _dtype_differs(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in error.dtype_differs or []:
        for dtype in at.spec.dtypes(name, at.product):
            if dtype != at.binding.dtypes[name]:
                yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _rank_outside(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in error.rank_outside or []:
        tensor = at.spec.tensor(name)
        greatest = (tensor.rank or (0, 8))[1]
        spread = _spread_of(tensor)
        if spread is None:
            shape = (2, *(1,) * (greatest - 1), 3)
            yield f"{name}_rank{greatest + 1}", {f"shape:{name}": shape}
        else:
            fixed = len(tensor.shape) - 1 if isinstance(tensor.shape, list) else 0
            rest = (2, *(1,) * (greatest - fixed))
            yield f"{name}_rank{greatest + 1}", {f"dim:{spread}": rest}


def _spread_of(tensor: TensorParameter) -> str | None:
    if isinstance(tensor.shape, list) and tensor.shape and isinstance(tensor.shape[-1], str):
        return tensor.shape[-1].removeprefix("*")
    return None


def _shape_differs(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in error.shape_differs or []:
        shape = at.binding.shapes[name]
        for broken in _neighbour_shapes(at.spec.tensor(name), shape):
            if not _allowed(at, name, broken):
                yield f"{name}_{token(broken) if broken else 'scalar'}", {f"shape:{name}": broken}


def _neighbour_shapes(tensor: TensorParameter, shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for axis, extent in enumerate(shape):
        for changed in (extent + 1, extent - 1):
            if changed > 0:
                yield (*shape[:axis], changed, *shape[axis + 1 :])
    if isinstance(tensor.shape, str):
        yield (*shape, 1)


def _allowed(at: _Twin, name: str, shape: tuple[int, ...]) -> bool:
    """Whether the spec allows the shape after all (it broadcasts, or is another choice)."""
    rule = at.spec.tensor(name).shape
    if not isinstance(rule, ShapeRule):
        return False
    if rule.broadcasts_to is not None:
        target = at.binding.shapes[rule.broadcasts_to]
        padded = (1,) * (len(target) - len(shape)) + shape
        return len(shape) <= len(target) and all(
            extent in (1, wanted) for extent, wanted in zip(padded, target, strict=True)
        )
    return any(
        _shape_of(at, {f"shape:{name}": choice.name}, name) == shape for choice in rule.one_of or []
    )


def _shape_of(at: _Twin, change: Mapping[str, Any], name: str) -> tuple[int, ...] | None:
    try:
        return bind(at.spec, {**at.facts, **change}).shapes[name]
    except (UnboundError, ExpressionError):
        return None


def _format_outside(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in error.format_outside_support or []:
        allowed = at.spec.tensor(name).formats
        # Operators that take ND do not look at the other public formats.
        public = () if "ND" in allowed else ("NHWC",)
        for offered in (*PRIVATE_FORMATS, *public):
            if offered not in allowed:
                yield f"{name}_{offered}", {f"format:{name}": offered}


def _empty(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in error.empty_tensor or []:
        tensor = at.spec.tensor(name)
        if isinstance(tensor.shape, list) and f"dim:{_first_dim(tensor)}" in at.facts:
            yield name, {f"dim:{_first_dim(tensor)}": 0}
        else:
            shape = at.binding.shapes[name]
            yield name, {f"shape:{name}": (0, *shape[1:]) if shape else (0,)}


def _first_dim(tensor: TensorParameter) -> str:
    first = tensor.shape[0] if isinstance(tensor.shape, list) and tensor.shape else ""
    return first if isinstance(first, str) else first.text


def _non_contiguous(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    del at
    for name in error.non_contiguous or []:
        for layout in ("transposed", "stepped"):
            yield f"{name}_{layout}", {f"layout:{name}": layout}


def _assign(at: _Twin, error: ErrorClause) -> Iterator[tuple[str, dict[str, Any]]]:
    attributes = {attribute.name for attribute in at.spec.attributes}
    for assignment in error.assign or []:
        change = {
            f"{'attribute' if name in attributes else 'dim'}:{name}": (
                tuple(value) if isinstance(value, list) else value
            )
            for name, value in assignment.items()
        }
        detail = "-".join(f"{name}_{token(value)}" for name, value in assignment.items())
        yield detail, {**change, **_shapes_kept(at, change)}


def _shapes_kept(at: _Twin, change: Mapping[str, Any]) -> dict[str, Any]:
    """Return the twin's shapes where a broken attribute leaves none that could be built."""
    try:
        shapes = bind(at.spec, {**at.facts, **change}).shapes
        if all(
            min(shape, default=1) > 0 and math.prod(shape) <= _MOST_ELEMENTS
            for shape in shapes.values()
        ):
            return {}
    except (UnboundError, ExpressionError, ValueError, OverflowError):
        pass
    return {f"shape:{name}": shape for name, shape in at.binding.shapes.items()}


_BREAKERS: dict[str, Breaker] = {
    "null_pointer": _null,
    "dtype_outside_support": _dtype_outside,
    "dtype_differs": _dtype_differs,
    "rank_outside": _rank_outside,
    "shape_differs": _shape_differs,
    "format_outside_support": _format_outside,
    "empty_tensor": _empty,
    "non_contiguous": _non_contiguous,
    "assign": _assign,
}
