# SPDX-License-Identifier: Apache-2.0
"""How each kind of promise is broken: by one fact at a time, or by a null pointer and one more.

A breaker gets a passing call and an error clause, and yields what to change, with a name for the
case's id.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from aclnn_cts.plan.binding import UnboundError, bind
from aclnn_cts.plan.building import token
from aclnn_cts.plan.layouts import contiguous_strides, lay_out
from aclnn_cts.plan.shape_breakers import empty, rank_above, rank_below, shape_differs
from aclnn_cts.plan.twins import Broken, Change, Twin, with_and_without_followers
from aclnn_cts.spec.data_types import PRIVATE_FORMATS
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import ErrorClause

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


Breaker = Callable[[Twin, ErrorClause], Broken]


def _null(at: Twin, error: ErrorClause) -> Broken:
    for name in error.null_pointer or []:
        yield name, {f"null:{name}": True}
        if error.basis != "status":
            continue
        # Two things wrong at once: a device that looks at the one must not trip over the other.
        for detail, change in itertools.chain(_wrong_type(at, name), _wrong_value(at)):
            yield f"{name}+{detail}", {f"null:{name}": True, **change}


def _wrong_type(at: Twin, null: str) -> Broken:
    """Yield an unsupported data type for the first tensor that is not null."""
    name = next((tensor.name for tensor in at.spec.tensors if tensor.name != null), None)
    for dtype in _unsupported(at, name)[:1] if name is not None else ():
        yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _wrong_value(at: Twin) -> Broken:
    """Yield the first attribute value that another error clause refuses on the product."""
    refused = (
        found
        for error in at.spec.errors
        if error.products is None or at.product in error.products
        for found in _assign(at, error)
    )
    yield from itertools.islice(refused, 1)


def _unsupported(at: Twin, name: str) -> list[str]:
    supported = at.spec.supported_dtypes(name, at.product)
    return [dtype for dtype in REFUSED_DTYPES if dtype not in supported]


def _dtype_outside(at: Twin, error: ErrorClause) -> Broken:
    for name in error.dtype_outside_support or []:
        for dtype in _unsupported(at, name):
            yield from with_and_without_followers(
                at, f"{name}_{dtype}", {f"dtype:{name}": dtype}, "dtype"
            )


def _dtype_differs(at: Twin, error: ErrorClause) -> Broken:
    for name in error.dtype_differs or []:
        for dtype in (*at.spec.dtypes(name, at.product), *_unsupported(at, name)):
            if dtype != at.binding.dtypes[name]:
                yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _format_outside(at: Twin, error: ErrorClause) -> Broken:
    for name in error.format_outside_support or []:
        allowed = at.spec.tensor(name).formats
        # Operators that take ND do not look at the other public formats.
        public = () if "ND" in allowed else ("NHWC",)
        for offered in (*PRIVATE_FORMATS, *public):
            if offered not in allowed:
                yield f"{name}_{offered}", {f"format:{name}": offered}


def _non_contiguous(at: Twin, error: ErrorClause) -> Broken:
    for name in error.non_contiguous or []:
        shape = at.binding.shapes[name]
        for layout in ("transposed", "stepped", "sliced"):
            # A slice of a vector only has an offset: its elements stand side by side.
            if lay_out(layout, shape).strides != contiguous_strides(shape):
                yield f"{name}_{layout}", {f"layout:{name}": layout}


def _assign(at: Twin, error: ErrorClause) -> Broken:
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


def _product(at: Twin, error: ErrorClause) -> Broken:
    """Yield the call as it is: the product alone makes it wrong."""
    del error
    if not at.spec.supports(at.product):
        yield "", {}


BREAKERS: dict[str, Breaker] = {
    "null_pointer": _null,
    "dtype_outside_support": _dtype_outside,
    "dtype_differs": _dtype_differs,
    "rank_outside": rank_above,
    "rank_below": rank_below,
    "shape_differs": shape_differs,
    "format_outside_support": _format_outside,
    "empty_tensor": empty,
    "non_contiguous": _non_contiguous,
    "assign": _assign,
    "unsupported_product": _product,
}
"""By the field of :class:`aclnn_cts.spec.models.ErrorClause` that asks for it."""
