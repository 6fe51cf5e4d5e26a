# SPDX-License-Identifier: Apache-2.0
"""How each kind of promise is broken: by one fact at a time, or by a null pointer and one more.

A breaker gets a passing call and an error clause, and yields what to change, with a name for the
case's id.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.binding import UnboundError, bind, rebound
from aclnn_cts.plan.case_builder import token
from aclnn_cts.plan.layouts import contiguous_strides, lay_out
from aclnn_cts.plan.rules import obeyed
from aclnn_cts.plan.shape_violations import empty, rank_above, rank_below, shape_differs
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
    for names in _of_one_shape(at, error.dtype_differs or []):
        for dtype in at.spec.dtypes(names[0], at.product):
            if all(dtype != at.binding.dtypes[name] for name in names):
                change = {f"dtype:{name}": dtype for name in names}
                yield f"{'-'.join(names)}_{dtype}", change


def _of_one_shape(at: Twin, names: Sequence[str]) -> list[list[str]]:
    """Return the tensors that belong together, and all of them: mixed types keep to such groups."""
    groups: dict[Any, list[str]] = {}
    for name in names:
        groups.setdefault(at.binding.shapes[name], []).append(name)
    together = [list(names), *groups.values()] if len(groups) > 1 else [list(names)]
    return [group for group in together if len(group) > 1]


def _format_outside(at: Twin, error: ErrorClause) -> Broken:
    for name in error.format_outside_support or []:
        allowed = at.spec.tensor(name).formats
        # No page says that an operator that takes ND refuses the other public formats. One that
        # does not must refuse ND (the common document on formats).
        public = () if "ND" in allowed else ("NHWC", "ND", "HWCN")
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
    for assignment in _assignments(at, error):
        if not _broken_rules(at, assignment):
            continue  # wrong beside another twin only: 9 channels in 3 groups are right
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


_EXTREMES = (2**63 - 1, 2**32, 2**31, -1, -(2**31), -(2**32), -(2**63))
"""Integers of which devices keep the lower 32 bits; a power of two is added to an ordinary one."""


def _assignments(at: Twin, error: ErrorClause) -> Iterator[dict[str, Any]]:
    """Yield the values that a clause states, and others that break the very same rules.

    Of a single number and of lists: more extreme ones, in each place of each length that is valid,
    and longer lists.
    """
    stated = [item for item in error.assign or [] if at.shapes is None or _is_list(at, item)]
    yield from stated
    known = [repr(item) for item in stated]
    attributes = {attribute.name for attribute in at.spec.attributes}
    broken = [_broken_rules(at, item) for item in stated]
    for item in stated:
        ((name, value), *others) = item.items()
        ordinary = at.binding.values.get(name)
        if others or ordinary is None or name not in attributes or isinstance(value, bool):
            continue
        for changed in _further_values(value, ordinary, at.lengths.get(name, ())):
            further = {name: changed}
            if repr(further) not in known and _broken_rules(at, further) in broken:
                known.append(repr(further))
                yield further


def _is_list(at: Twin, item: Mapping[str, Any]) -> bool:
    """Whether values are for lists of other lengths than those of the most ordinary call."""
    return not at.shapes and all(name in at.lengths for name in item)


def _further_values(value: Any, ordinary: Any, lengths: Sequence[int]) -> Iterator[Any]:
    """Yield values that are wrong in the way in which ``value`` is, against an ordinary one."""
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
                places = [[number if at == place else usual[0] for at in range(length)]
                          for place in range(length)]  # fmt: skip
                yield from places


def _more_extreme(wrong: int, usual: int) -> Iterator[int]:
    """Yield numbers further off on the same side, some of whose lower 32 bits are the usual one."""
    for extreme in _EXTREMES:
        number = extreme + usual if abs(extreme) == 2**32 else extreme
        if (number < 0 and number < wrong < usual) or number > wrong > usual:
            yield number


def _broken_rules(at: Twin, assignment: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the rules that the twin breaks with other values of attributes or dimensions."""
    values = {name: tuple(x) if isinstance(x, list) else x for name, x in assignment.items()}
    binding = rebound(at.spec, {**at.binding.values, **values}, at.binding.shapes)
    return tuple(
        rule.id
        for rule in at.spec.rules
        if (rule.products is None or at.product in rule.products) and not obeyed(rule, binding)
    )


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
