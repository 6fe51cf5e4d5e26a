# SPDX-License-Identifier: Apache-2.0
"""What can vary in an operator's calls on a product: factors and their levels.

Factors follow from the parameters (data types, shapes, layouts) and from what the spec adds
(dimensions, attribute values, kinds of data). The first level of each factor is the most ordinary.
"""

from __future__ import annotations

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
from aclnn_cts.plan.shapes import FURTHER_SHAPES, SMALL_SHAPES, free_shapes
from aclnn_cts.spec.models import OperatorSpec, Product, ShapeRule, TensorParameter
from aclnn_cts.spec.names import BROADCASTS

Factor = dict[str, list[Any]]

_MOST_ELEMENTS = {"smoke": 700, "standard": 300_000, "full": 2**21}


def most_elements(tier: Tier) -> int:
    """Return how many elements the largest tensor of a case may have; smoke data are checked in."""
    return _MOST_ELEMENTS[tier]


def factors_of(spec: OperatorSpec, product: Product, tier: Tier) -> Factor:
    """Return the factors of the calls that must work, with their levels.

    Args:
        spec: The operator.
        product: The product whose promises count.
        tier: Decides how many shapes and layouts there are.
    """
    factors: Factor = {}
    for tensor in spec.tensors:
        levels = list(spec.dtypes(tensor.name, product.id))
        if tensor.dtypes is not None and len(levels) > 1:
            factors[f"dtype:{tensor.name}"] = levels
        shapes = shape_levels(tensor, tier) if tensor.is_input else []  # an output's follows
        if shapes:
            factors[f"shape:{tensor.name}"] = shapes
    factors |= {f"dim:{name}": _hashable(x) for name, x in spec.factors.dims.items()}
    factors |= {f"attribute:{name}": _hashable(x) for name, x in spec.factors.attributes.items()}
    factors |= {f"layout:{tensor.name}": list(_layouts(tensor, tier)) for tensor in spec.tensors}
    factors |= {f"fill:{name}": _fills(x, product) for name, x in spec.factors.fill.items()}
    for tensor in spec.inputs:
        if tensor.producer is not None:
            known = product.architecture in tensor.producer.layout_known_on
            factors[f"source:{tensor.name}"] = ["producer", "data"] if known else ["producer"]
    return factors


def _hashable(levels: Sequence[Any]) -> list[Any]:
    """Return levels with tuples for the lists of YAML."""
    return [tuple(level) if isinstance(level, list) else level for level in levels]


def _fills(kinds: Sequence[str], product: Product) -> list[str]:
    """Return the kinds of data that a product can hold: one without Inf and NaN gets none."""
    if product.inf_nan:
        return list(kinds)
    return list(dict.fromkeys(map(finite_kind, kinds)))


def finite_kind(kind: str) -> str:
    """Return the kind of data that takes the place of one with Inf and NaN."""
    return _FINITE_KINDS.get(kind, kind)


_FINITE_KINDS = {
    "special": "special-finite",
    "special-corner": "special-finite",
    "special-corner-summable": "special-finite",
    # Pooling computes float32 in float16 there: the largest values would be infinite, and windows
    # that hold -Inf are not promised anything.
    "special-no-nan": "special-mild",
}


def shape_levels(tensor: TensorParameter, tier: Tier) -> list[Any]:
    """Return the shapes to try for a tensor whose shape is free or a choice; else nothing."""
    if tensor.shape is None and tensor.rank is not None:
        shapes: Sequence[tuple[int, ...]] = SMALL_SHAPES
        if tier != "smoke":
            shapes = (*SMALL_SHAPES, *FURTHER_SHAPES)
        return list(free_shapes(tensor.rank, shapes))
    if isinstance(tensor.shape, ShapeRule):
        if tensor.shape.broadcasts_to:
            return list(BROADCASTS)
        return [choice.name for choice in tensor.shape.one_of or []]
    return []


def _layouts(tensor: TensorParameter, tier: Tier) -> tuple[str, ...]:
    if not tensor.non_contiguous:
        return CONTIGUOUS_LAYOUTS
    if tier == "full":
        return deep_layouts(tensor)
    return INPUT_LAYOUTS if tensor.is_input else OUTPUT_LAYOUTS


def deep_layouts(tensor: TensorParameter) -> tuple[str, ...]:
    """Return all layouts that a tensor that may be non-contiguous can have."""
    return DEEP_INPUT_LAYOUTS if tensor.is_input else DEEP_OUTPUT_LAYOUTS


def layout_of_all(spec: OperatorSpec, layout: str) -> dict[str, str]:
    """Return the facts that give a layout to every tensor that can have it."""
    return {
        f"layout:{tensor.name}": layout
        for tensor in spec.tensors
        if tensor.non_contiguous and layout in deep_layouts(tensor)
    }


def dtype_choices(factors: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield each data type as facts, the same for all tensors that can have it."""
    names = [name for name in factors if name.startswith("dtype:")]
    if not names:
        yield {}
        return
    for dtype in factors[names[0]]:
        yield {name: dtype if dtype in factors[name] else factors[name][0] for name in names}
