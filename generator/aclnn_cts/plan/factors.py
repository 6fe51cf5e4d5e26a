# SPDX-License-Identifier: Apache-2.0
"""The factors of an operator's calls on a product, and their levels.

Factors follow from the parameters (data types, shapes, layouts) and from what the spec adds
(dimensions, attribute values, kinds of data). The first level of each factor is the most ordinary.

If the document leaves a shape free, its levels are the shapes in this module. A block on the device
is 32 bytes: 8 float32 or 16 float16 elements. Extents one below, at and one above such blocks find
wrong tails; prime extents find wrong strides; one shape of some 66,000 elements is larger than a
core's on-chip tile in every data type.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.cases import Tier
from aclnn_cts.plan.layouts import (
    CONTIGUOUS_LAYOUTS,
    DEEP_INPUT_LAYOUTS,
    DEEP_OUTPUT_LAYOUTS,
    INPUT_LAYOUTS,
    OUTPUT_LAYOUTS,
)
from aclnn_cts.plan.members import length_fact, lengths
from aclnn_cts.plan.validity import base_facts, nearest_valid, valid_call
from aclnn_cts.spec.data_types import DATA_TYPES, can_hold
from aclnn_cts.spec.models import (
    AttributeParameter,
    OperatorSpec,
    Product,
    ShapeRule,
    TensorParameter,
)

Shape = tuple[int, ...]

SMALL_SHAPES: tuple[Shape, ...] = (
    (4, 9),
    (),
    (1,),
    (7,),
    (8,),
    (17,),
    (31,),
    (129,),
    (1, 1),
    (3, 16),
    (2, 33),
    (5, 3, 7),
    (2, 1, 15),
    (2, 3, 4, 5),
    (1, 3, 2, 17),
    (2, 3, 1, 2, 9),
    (2, 1, 3, 1, 2, 7),
    (1, 2, 1, 3, 2, 1, 5),
    (2, 1, 2, 1, 3, 2, 1, 3),
)
"""Every rank from 0 to 8; few elements, so that the checked-in golden data stay small."""

FURTHER_SHAPES: tuple[Shape, ...] = (
    (9,),
    (15,),
    (16,),
    (32,),
    (33,),
    (63,),
    (255,),
    (256,),
    (1021,),
    (4099,),
    (16, 16),
    (127, 3),
    (1, 257),
    (33, 1),
    (61, 67),
    (8, 16, 32),
    (13, 1, 31),
    (3, 5, 7, 11),
    (16, 3, 8, 8),
    (2, 2, 3, 5, 13),
    (3, 2, 2, 2, 3, 11),
    (1, 3, 2, 1, 2, 4, 17),
    (2, 2, 2, 2, 2, 2, 2, 15),
    (1, 1, 1, 1, 1, 1, 1, 1),
    (257, 259),
)
"""Tails around blocks of 32 bytes, primes, and one shape that crosses on-chip tiles."""

EMPTY_SHAPES: tuple[Shape, ...] = (
    (0,),
    (3, 0),
    (0, 5),
    (2, 0, 4),
    (2, 3, 0, 1),
    (0, 0),
    (1, 2, 0, 2, 1),
    (2, 1, 1, 0, 1, 3),
    (1, 0, 2, 1, 1, 1, 2),
    (1, 1, 0, 1, 1, 1, 1, 2),
)


def free_shapes(rank: tuple[int, int], shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return those of ``shapes`` whose rank the document allows."""
    least, greatest = rank
    return tuple(shape for shape in shapes if least <= len(shape) <= greatest)


_STANDARD_MOST_ELEMENTS = 2**21


def traversal_shapes(rank: tuple[int, int]) -> tuple[Shape, ...]:
    """Return the shapes of the public precision standard's traversal.

    For each rank, 2^k and 2^k - 1 for k up to 20 (operator precision standard, section 1.2) are
    given to the axes in turn; other axes are 1 or 2, and no shape has more than 2^21 elements.
    """
    shapes: list[Shape] = []
    for dimensions in range(max(rank[0], 1), rank[1] + 1):
        for power in range(21):
            for extent in {2**power, max(2**power - 1, 1)}:
                axis = power % dimensions
                other = 2 if extent * 2 ** (dimensions - 1) <= _STANDARD_MOST_ELEMENTS else 1
                shapes.append(tuple(extent if at == axis else other for at in range(dimensions)))
    return tuple(dict.fromkeys(shapes))


Factor = dict[str, list[Any]]

_MOST_ELEMENTS = {"smoke": 700, "standard": 300_000, "full": 2**21}


def most_elements(tier: Tier) -> int:
    """Return the maximum number of elements of a tensor; smoke data are checked in."""
    return _MOST_ELEMENTS[tier]


def factors_of(spec: OperatorSpec, product: Product, tier: Tier) -> Factor:
    """Return the factors of the calls that must work, with their levels.

    Args:
        tier: Determines the number of shapes and layouts.
    """
    factors: Factor = {}
    for tensor in spec.tensors:
        levels = _dtype_levels(spec, tensor, product)
        if _is_chosen(tensor, levels):
            factors[f"dtype:{tensor.name}"] = levels
        shapes = shape_levels(tensor, tier) if tensor.is_input else []  # an output's follows
        if shapes:
            factors[f"shape:{tensor.name}"] = shapes
    for scalar in spec.scalars:
        levels = _dtype_levels(spec, scalar, product)
        if _is_chosen(scalar, levels):
            factors[f"dtype:{scalar.name}"] = levels
    if spec.lists:
        factors[length_fact(spec)] = lengths(spec, product.id)
    factors |= {f"dim:{name}": _hashable(x) for name, x in spec.factors.dims_of(product.id).items()}
    attributes = spec.factors.attributes_of(product.id)
    factors |= {f"attribute:{name}": _hashable(x) for name, x in attributes.items()}
    factors |= {f"layout:{tensor.name}": list(_layouts(tensor, tier)) for tensor in spec.tensors}
    factors |= {f"fill:{name}": _fills(x, product) for name, x in spec.factors.fill.items()}
    for tensor in spec.inputs:
        if tensor.producer is not None:
            is_layout_known = product.architecture in tensor.producer.layout_known_on
            factors[f"source:{tensor.name}"] = (
                ["producer", "data"] if is_layout_known else ["producer"]
            )
    optional = (tensor.name for tensor in spec.tensors if tensor.absent is not None)
    factors |= {f"null:{name}": _presence(spec, name, product) for name in optional}
    return _with_a_valid_base(spec, product, factors)


def _presence(spec: OperatorSpec, name: str, product: Product) -> list[bool]:
    """Return whether to pass a null pointer; true first if the tensor voids an output's promise."""
    if name in spec.reserved_tensors(product.id):
        return [True]
    unpromised = {each.unpromised.text for each in spec.outputs if each.unpromised is not None}
    return [True, False] if f"given({name})" in unpromised else [False, True]


def _dtype_levels(
    spec: OperatorSpec, parameter: TensorParameter | AttributeParameter, product: Product
) -> list[Any]:
    levels = spec.own_dtypes(parameter.name, product.id)
    # the default is that of the other tensor
    return [*levels] if parameter.dtype is None else [None, *levels]


def _is_chosen(
    parameter: TensorParameter | AttributeParameter, levels: Sequence[str | None]
) -> bool:
    """Whether a call must name the data type: there are several, or a product has another one."""
    usual = (parameter.dtypes or ["float32"])[0]
    return len(levels) > 1 or (bool(levels) and levels[0] not in (None, usual))


def _with_a_valid_base(spec: OperatorSpec, product: Product, factors: Factor) -> Factor:
    """Return factors whose first levels are a valid call on the product, if there is one near.

    If possible, the first free shape is valid with each data type.
    """
    base, reordered = base_facts(factors), dict(factors)
    for name, levels in factors.items():
        if name.startswith("shape:") and isinstance(levels[0], tuple):
            for shape in sorted(levels, key=lambda each: len(each) != len(levels[0])):
                calls = ({**base, **dtypes, name: shape} for dtypes in dtype_choices(factors))
                if all(valid_call(spec, product.id, facts) for facts in calls):
                    reordered[name] = [shape, *(each for each in levels if each != shape)]
                    break
    base = base_facts(reordered)
    if valid_call(spec, product.id, {**base, **next(dtype_choices(reordered))}):
        return reordered  # the ordinary call has one type everywhere, not each tensor's first one
    near = nearest_valid(spec, product.id, base, reordered)
    chosen = base if near is None else near.facts
    return {
        name: levels
        if chosen[name] is levels[0]
        else [chosen[name], *(each for each in levels if each is not chosen[name])]
        for name, levels in reordered.items()
    }


def is_empty_extent(name: str, level: Any) -> bool:
    """Whether a level of a factor is an extent of 0, or a shape with one."""
    extents = level if isinstance(level, tuple) else (level,)
    return name.startswith(("dim:", "shape:")) and 0 in extents


def _hashable(levels: Sequence[Any]) -> list[Any]:
    """Return levels with tuples for the lists of YAML."""
    return [tuple(level) if isinstance(level, list) else level for level in levels]


def _fills(kinds: Sequence[str], product: Product) -> list[str]:
    """Return the kinds of data that a product can hold."""
    if product.inf_nan:
        return list(kinds)
    return list(dict.fromkeys(map(finite_kind, kinds)))


def finite_kind(kind: str) -> str:
    """Return the kind of data that replaces one with Inf and NaN."""
    return _FINITE_KINDS.get(kind, kind)


_FINITE_KINDS = {
    "special": "special-finite",
    "lone-special": "lone",
    "special-corner": "special-finite",
    "special-corner-summable": "special-finite",
    # a product that computes float32 in float16 would overflow on the largest values
    "special-no-nan": "special-mild",
}


def shape_levels(tensor: TensorParameter, tier: Tier) -> list[Any]:
    """Return the shapes to try for a tensor with a free shape or alternatives; else nothing."""
    if tensor.shape is None and tensor.rank is not None:
        shapes: Sequence[tuple[int, ...]] = SMALL_SHAPES
        if tier != "smoke":
            shapes = (*SMALL_SHAPES, *FURTHER_SHAPES)
        first, *others = free_shapes(tensor.rank, shapes)
        return [first, *others] if first else [*others, first]  # a lone element is no usual call
    if isinstance(tensor.shape, ShapeRule):
        return list(tensor.shape.levels)
    return []


def _layouts(tensor: TensorParameter, tier: Tier) -> tuple[str, ...]:
    if not tensor.non_contiguous:
        return CONTIGUOUS_LAYOUTS
    if tier == "full":
        return deep_layouts(tensor)
    return OUTPUT_LAYOUTS if tensor.is_output else INPUT_LAYOUTS


def deep_layouts(tensor: TensorParameter) -> tuple[str, ...]:
    """Return all layouts that a tensor that may be non-contiguous can have."""
    return DEEP_OUTPUT_LAYOUTS if tensor.is_output else DEEP_INPUT_LAYOUTS


def layout_of_all(spec: OperatorSpec, layout: str) -> dict[str, str]:
    """Return the facts that give a layout to every tensor that can have it."""
    return {
        f"layout:{tensor.name}": layout
        for tensor in spec.tensors
        if tensor.non_contiguous and layout in deep_layouts(tensor)
    }


def _are_types(levels: Sequence[Any]) -> bool:
    return all(isinstance(level, str) and level in DATA_TYPES for level in levels)


def type_factors(factors: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the factors that are data types: of tensors, of scalars, and attributes."""
    return [
        name
        for name, levels in factors.items()
        if name.startswith("dtype:") or (name.startswith("attribute:") and _are_types(levels))
    ]


def dtype_choices(factors: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield each data type as facts, the same for all tensors and attributes that can have it.

    A scalar whose type cannot hold its first value has the first one that it can hold.
    """
    names = type_factors(factors)
    if not names or not names[0].startswith("dtype:"):
        yield {}
        return
    for dtype in factors[names[0]]:
        chosen = {name: dtype if dtype in factors[name] else factors[name][0] for name in names}
        yield chosen | dict(_held_values(factors, chosen))


def _held_values(
    factors: Mapping[str, Sequence[Any]], dtypes: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the values of scalars in place of first ones that their types cannot hold."""
    for name, dtype in dtypes.items():
        value = f"attribute:{name.partition(':')[2]}"
        levels = factors.get(value, ()) if dtype is not None else ()
        if all(isinstance(level, int | float) for level in levels):
            held = (level for level in levels if can_hold(level, DATA_TYPES[dtype]))
            yield from ((value, level) for level in itertools.islice(held, 1) if level != levels[0])
