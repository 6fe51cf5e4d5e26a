# SPDX-License-Identifier: Apache-2.0
"""Every tensor that may be non-contiguous meets every layout, by itself and with all others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.layouts import DEEP_INPUT_LAYOUTS, DEEP_OUTPUT_LAYOUTS, contiguous_strides
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

Forms = tuple[OperatorSpec, ...]
Planned = Callable[..., tuple[Case, ...]]


def layout_cases(planned: Planned, operator: str) -> list[Case]:
    return [c for c in planned("atlas-a2", "standard", operator) if c.scene == "layout"]


def unusual(case: Case) -> dict[str, str]:
    return {t.name: t.layout for t in case.tensors if t.layout != "contiguous"}


@pytest.mark.parametrize("operator", ["aclnnLogitGrad", "aclnnDropoutBackward"])
def test_one_tensor_at_a_time(specs: SpecSet, planned: Planned, operator: str) -> None:
    """Where four dimensions allow a layout, some case has it in this tensor and in no other."""
    alone = [unusual(case) for case in planned("atlas-a2", "standard", operator)]
    found = {next(iter(names.items())) for names in alone if len(names) == 1}
    for tensor in specs.operator(operator).tensors:
        if tensor.shape is None or isinstance(tensor.shape, str):
            wanted = DEEP_INPUT_LAYOUTS if tensor.is_input else DEEP_OUTPUT_LAYOUTS
            assert {(tensor.name, layout) for layout in wanted[1:]} <= found


def of_four_axes(forms: Forms) -> list[OperatorSpec]:
    """Return the operators whose inputs may have them: fewer do not allow every layout."""
    return [
        spec
        for spec in forms
        if spec.supports("atlas-a2")
        and any(tensor.non_contiguous for tensor in spec.inputs)
        and max(
            (tensor.rank[1] for tensor in spec.inputs or spec.tensors if tensor.rank), default=8
        )
        >= 4
    ]


def test_all_tensors_together(forms: Forms, planned: Planned) -> None:
    """Each layout once in all tensors that can have it, in every operator."""
    for spec in of_four_axes(forms):
        movable = {
            tensor.name for tensor in spec.tensors if tensor.non_contiguous and not tensor.producer
        } - spec.reserved_tensors("atlas-a2")
        cases = layout_cases(planned, spec.operator)
        assert (
            sum(movable <= unusual(case).keys() for case in cases) >= len(DEEP_OUTPUT_LAYOUTS) - 1
        ), spec.operator


def test_strides_and_offsets_that_devices_get_wrong(forms: Forms, planned: Planned) -> None:
    """Offsets off the 32-byte grid, steps in each axis, gaps in outputs, repeated inputs."""
    for spec in of_four_axes(forms):
        tensors = [t for case in layout_cases(planned, spec.operator) for t in case.tensors]
        first = next(t.name for t in spec.inputs if t.non_contiguous)
        own = [t for t in tensors if t.name == first and len(t.shape) >= 4]
        assert own, spec.operator
        rank = min(len(t.shape) for t in own)
        assert any(t.offset * DATA_TYPES[t.dtype].numpy.itemsize % 32 for t in own)
        # Elements that are written lie apart.
        assert spec.tensor(first).tensor == "inout" or any(0 in t.strides for t in own)
        assert any(t.offset and t.strides == contiguous_strides(t.shape) for t in own)
        for axis in range(rank):
            inner = [contiguous_strides(t.storage)[axis] for t in own if len(t.storage) == rank]
            strides = [t.strides[axis] for t in own if len(t.storage) == rank]
            assert any(a > b for a, b in zip(strides, inner, strict=True)), (spec.operator, axis)


def test_views_of_models(forms: Forms, planned: Planned) -> None:
    """Each input of two axes or more is once half of longer rows, and once has a loose stride."""
    for spec in of_four_axes(forms):
        first = next(tensor for tensor in spec.inputs if tensor.non_contiguous)
        layouts = {
            case.tensor(first.name).layout
            for case in planned("atlas-a2", "smoke", spec.operator)
            if case.expects_success
        }
        assert {"half-rows", "loose-ones"} <= layouts, spec.operator


def test_layouts_where_a_page_asks_for_even_extents(planned: Planned) -> None:
    """An operator that halves its rows meets the layouts in a shape that it takes."""
    for operator in ("aclnnFatreluMul", "aclnnGeluMul", "aclnnSwiGluGrad"):
        assert layout_cases(planned, operator), operator
