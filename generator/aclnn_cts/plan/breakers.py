# SPDX-License-Identifier: Apache-2.0
"""How each kind of promise is broken: by one fact at a time, or by a null pointer and one more.

A breaker gets a passing call and an error clause, and yields what to change, with a name for the
case's id.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from aclnn_cts.plan.binding import Binding, Facts, UnboundError, bind
from aclnn_cts.plan.building import token
from aclnn_cts.plan.layouts import contiguous_strides, lay_out
from aclnn_cts.plan.requirements import is_shape_allowed
from aclnn_cts.spec.data_types import PRIVATE_FORMATS, STATUSES
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
class Twin:
    """A call that passes.

    Attributes:
        spec: The operator.
        product: The product whose promises count.
        facts: What was chosen for it.
        binding: What the facts come to.
    """

    spec: OperatorSpec
    product: str
    facts: Facts
    binding: Binding


Change = dict[str, Any]
Breaker = Callable[[Twin, ErrorClause], Iterator[tuple[str, Change]]]


def _null(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.null_pointer or []:
        yield name, {f"null:{name}": True}
        if error.statuses != (STATUSES["ACLNN_ERR_PARAM_NULLPTR"],):
            continue
        # Two things wrong at once: the null pointer is to be told first.
        for detail, change in itertools.chain(_wrong_type(at, name), _wrong_value(at)):
            yield f"{name}+{detail}", {f"null:{name}": True, **change}


def _wrong_type(at: Twin, null: str) -> Iterator[tuple[str, Change]]:
    """Yield an unsupported data type for the first tensor that is not null."""
    name = next((tensor.name for tensor in at.spec.tensors if tensor.name != null), None)
    for dtype in _unsupported(at, name)[:1] if name is not None else ():
        yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _wrong_value(at: Twin) -> Iterator[tuple[str, Change]]:
    """Yield the first attribute value that another error clause refuses on the product."""
    refused = (
        found
        for error in at.spec.errors
        if error.products is None or at.product in error.products
        for found in _assign(at, error)
    )
    yield from itertools.islice(refused, 1)


def _unsupported(at: Twin, name: str) -> list[str]:
    supported = at.spec.dtypes(name, at.product)
    return [dtype for dtype in REFUSED_DTYPES if dtype not in supported]


def _dtype_outside(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.dtype_outside_support or []:
        for dtype in _unsupported(at, name):
            yield from _with_and_without_followers(
                at, f"{name}_{dtype}", {f"dtype:{name}": dtype}, "dtype"
            )


def _dtype_differs(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.dtype_differs or []:
        for dtype in (*at.spec.dtypes(name, at.product), *_unsupported(at, name)):
            if dtype != at.binding.dtypes[name]:
                yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _rank_above(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.rank_outside or []:
        tensor = at.spec.tensor(name)
        greatest = (tensor.rank or (0, 8))[1]
        shape = at.binding.shapes[name]
        change = _reshaped(at, tensor, _padded(shape, greatest + 1))
        yield from _with_and_without_followers(at, f"{name}_rank{greatest + 1}", change, "shape")
        if isinstance(tensor.shape, ShapeRule) and is_shape_allowed(tensor, (1,), at.binding):
            # Whatever its number of dimensions, one element is no wrong number of elements.
            yield f"{name}_one_rank{greatest + 1}", {f"shape:{name}": (1,) * (greatest + 1)}
    yield from _rank_above_together(at, error)


def _rank_above_together(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    """Yield one more dimension for all tensors whose dimensions have names.

    These names tie their shapes together: one tensor alone would be refused for its shape.
    """
    names = error.rank_outside or []
    if len(names) > 1 and any(_has_named_dims(at.spec.tensor(name)) for name in names):
        rank = max(len(at.binding.shapes[name]) for name in names) + 1
        shapes = {name: _padded(at.binding.shapes[name], rank) for name in names}
        yield f"all_rank{rank}", {f"shape:{name}": shape for name, shape in shapes.items()}


def _has_named_dims(tensor: TensorParameter) -> bool:
    """Whether a fixed number of dimensions is listed, none of which spreads."""
    dims = tensor.shape
    return isinstance(dims, list) and not any(isinstance(dim, str) for dim in dims)


def _padded(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return the shape with so many dimensions, the new ones of extent 1: no element is added."""
    return (*shape[:1], *(1,) * (rank - len(shape)), *shape[1:])


def _rank_below(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.rank_below or []:
        tensor = at.spec.tensor(name)
        rank = (tensor.rank or (1, 8))[0] - 1
        yield f"{name}_rank{rank}", {f"shape:{name}": at.binding.shapes[name][:rank]}


def _reshaped(at: Twin, tensor: TensorParameter, shape: tuple[int, ...]) -> Change:
    """Return the change that gives a tensor a shape: by its spread dimension if it has one."""
    dims = tensor.shape
    if isinstance(dims, list) and dims and isinstance(dims[-1], str):
        spread = at.binding.shapes[tensor.name][len(dims) - 1 :]
        return {f"dim:{dims[-1].removeprefix('*')}": _padded(spread, len(shape) - len(dims) + 1)}
    return {f"shape:{tensor.name}": shape}


def _shape_differs(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.shape_differs or []:
        tensor = at.spec.tensor(name)
        for broken in _neighbour_shapes(tensor, at.binding.shapes[name]):
            if is_shape_allowed(tensor, broken, at.binding):
                continue
            detail = f"{name}_{token(broken) if broken else 'scalar'}"
            change = {f"shape:{name}": broken}
            yield from _with_and_without_followers(at, detail, change, "shape")


def _with_and_without_followers(
    at: Twin, detail: str, change: Change, aspect: Literal["dtype", "shape"]
) -> Iterator[tuple[str, Change]]:
    """Yield a change as it is, and again with the twin's data types or shapes of what follows it.

    With the followers changed, too, a device may refuse the call for one of them, without a look at
    the tensor itself.
    """
    yield detail, change
    kept = _followers_kept(at, change, aspect)
    if kept:
        yield f"{detail}_alone", {**change, **kept}


def _followers_kept(at: Twin, change: Change, aspect: Literal["dtype", "shape"]) -> Change:
    """Return the twin's data types or shapes of the tensors that follow a changed one."""
    values: Mapping[str, Any] = at.binding.dtypes if aspect == "dtype" else at.binding.shapes
    followed = {key.removeprefix(f"{aspect}:") for key in change if key.startswith(f"{aspect}:")}
    found: Change = {}
    for tensor in at.spec.tensors:
        source = getattr(tensor, aspect)
        if isinstance(source, str) and source.removesuffix(f".{aspect}") in followed:
            followed.add(tensor.name)
            found[f"{aspect}:{tensor.name}"] = values[tensor.name]
    return found


def _neighbour_shapes(tensor: TensorParameter, shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield each extent off by one, and other shapes of as many elements."""
    for axis, extent in enumerate(shape):
        for changed in (extent + 1, extent - 1):
            if changed > 0:
                yield (*shape[:axis], changed, *shape[axis + 1 :])
    if isinstance(tensor.shape, str):
        yield (*shape, 1)
    if shape != shape[::-1]:
        yield shape[::-1]


def _format_outside(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.format_outside_support or []:
        allowed = at.spec.tensor(name).formats
        # Operators that take ND do not look at the other public formats.
        public = () if "ND" in allowed else ("NHWC",)
        for offered in (*PRIVATE_FORMATS, *public):
            if offered not in allowed:
                yield f"{name}_{offered}", {f"format:{name}": offered}


def _empty(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
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


def _non_contiguous(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    for name in error.non_contiguous or []:
        shape = at.binding.shapes[name]
        for layout in ("transposed", "stepped", "sliced"):
            # A slice of a vector only has an offset: its elements stand side by side.
            if lay_out(layout, shape).strides != contiguous_strides(shape):
                yield f"{name}_{layout}", {f"layout:{name}": layout}


def _assign(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    attributes = {attribute.name for attribute in at.spec.attributes}
    for assignment in error.assign or []:
        change = {
            f"{'attribute' if name in attributes else 'dim'}:{name}": (
                tuple(value) if isinstance(value, list) else value
            )
            for name, value in assignment.items()
        }
        detail = "-".join(f"{name}_{token(value)}" for name, value in assignment.items())
        kept = {f"shape:{name}": shape for name, shape in at.binding.shapes.items()}
        shapes = _shapes_that_follow(at, change)
        if shapes is None:
            yield detail, {**change, **kept}
            continue
        yield detail, change
        # A device that ignores the value must not be saved by the shapes that follow from it.
        if shapes != at.binding.shapes and attributes >= assignment.keys():
            yield f"{detail}_alone", {**change, **kept}


def _shapes_that_follow(at: Twin, change: Change) -> dict[str, tuple[int, ...]] | None:
    """Return the shapes with a broken attribute; None if it leaves none that could be built."""
    try:
        shapes = bind(at.spec, {**at.facts, **change}).shapes
    except (UnboundError, ExpressionError, ValueError, OverflowError):
        return None
    possible = all(
        min(shape, default=1) > 0 and math.prod(shape) <= _MOST_ELEMENTS
        for shape in shapes.values()
    )
    return shapes if possible else None


def _product(at: Twin, error: ErrorClause) -> Iterator[tuple[str, Change]]:
    """Yield the call as it is: the product alone makes it wrong."""
    del error
    if not at.spec.supports(at.product):
        yield "", {}


BREAKERS: dict[str, Breaker] = {
    "null_pointer": _null,
    "dtype_outside_support": _dtype_outside,
    "dtype_differs": _dtype_differs,
    "rank_outside": _rank_above,
    "rank_below": _rank_below,
    "shape_differs": _shape_differs,
    "format_outside_support": _format_outside,
    "empty_tensor": _empty,
    "non_contiguous": _non_contiguous,
    "assign": _assign,
    "unsupported_product": _product,
}
"""By the field of :class:`aclnn_cts.spec.models.ErrorClause` that asks for it."""
