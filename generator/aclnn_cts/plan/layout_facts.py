# SPDX-License-Identifier: Apache-2.0
"""Every layout, in one tensor at a time and in all tensors together.

So a failure tells which tensor's strides a device does not honour; a covering array, which changes
other things as well, cannot tell as plainly.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.factors import deep_layouts, dtype_choices
from aclnn_cts.plan.layouts import DEEP_INPUT_LAYOUTS
from aclnn_cts.plan.rules import base_facts
from aclnn_cts.spec.models import OperatorSpec

_SHAPE = (2, 3, 4, 5)
"""All extents differ, and every axis has neighbours: each permutation is another one."""


def layout_facts(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the facts of the calls with each layout; the data types take turns."""
    base = {**base_facts(factors), **free_shape_facts(spec, _SHAPE)}
    choices = itertools.chain(_one_at_a_time(spec), _together(spec))
    for chosen, dtypes in zip(choices, itertools.cycle(dtype_choices(factors)), strict=False):
        yield {**base, **dtypes, **chosen}


def free_shape_facts(spec: OperatorSpec, shape: tuple[int, ...]) -> dict[str, Any]:
    """Return the facts that give a shape to each input whose shape is free."""
    return {
        f"shape:{tensor.name}": shape
        for tensor in spec.inputs
        if tensor.shape is None and tensor.rank and len(shape) <= tensor.rank[1]
    }


def _one_at_a_time(spec: OperatorSpec) -> Iterator[dict[str, str]]:
    for tensor in spec.tensors:
        if tensor.non_contiguous:
            for layout in deep_layouts(tensor)[1:]:
                yield {f"layout:{tensor.name}": layout}


def _together(spec: OperatorSpec) -> Iterator[dict[str, str]]:
    for layout in DEEP_INPUT_LAYOUTS[1:]:
        yield {
            f"layout:{tensor.name}": layout
            for tensor in spec.tensors
            if tensor.non_contiguous and layout in deep_layouts(tensor)
        }
