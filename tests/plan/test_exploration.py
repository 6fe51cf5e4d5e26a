# SPDX-License-Identifier: Apache-2.0
"""Exploration: calls are valid, differ, can be repeated, and are what a list says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.call_list import ListedCall, call_list_text, case_of_call, cases_of_list
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.exploration import Explorer, listed_call
from aclnn_cts.spec.loading import SpecSet

OPERATORS = (
    *("aclnnSilu", "aclnnSoftmax", "aclnnAdd", "aclnnAvgPool2d", "aclnnGroupNormSwishGrad"),
    *(
        "aclnnForeachMulListInplace",
        "aclnnForeachAddScalarList",
        "aclnnMaxPool2dWithMaskBackward",
        "aclnnInplaceRelu",
    ),
)


def draw(specs: SpecSet, operator: str, seed: int, count: int) -> list[ListedCall]:
    spec = specs.operator(operator)
    product = next(name for name in ("atlas-a2", "ascend-950") if spec.supports(name))
    explorer = Explorer(specs, spec, specs.product(product), seed)
    calls = [explorer.draw() for _ in range(count)]
    return [call for call in calls if call is not None]


@pytest.mark.parametrize("operator", OPERATORS)
def test_equal_seeds_draw_equal_calls(specs: SpecSet, operator: str) -> None:
    calls = draw(specs, operator, 1, 4)
    assert len(calls) == 4
    assert draw(specs, operator, 1, 4) == calls
    assert draw(specs, operator, 2, 4) != calls


def test_levels_take_turns(specs: SpecSet) -> None:
    """Types, ranks, views and kinds of data all occur among a few calls."""
    tensors = [call.members["self"][0] for call in draw(specs, "aclnnSilu", 5, 40)]
    assert {tensor.dtype for tensor in tensors} == {"float32", "float16", "bfloat16"}
    assert len({len(tensor.shape) for tensor in tensors}) > 4
    assert len({str(tensor.data) for tensor in tensors}) > 10
    assert 5 < sum(tensor.view is not None for tensor in tensors) < 35
    assert len({tensor.shape[-1] for tensor in tensors if tensor.shape}) > 15


@pytest.mark.parametrize("operator", OPERATORS)
def test_calls_are_a_list(specs: SpecSet, tmp_path: Path, operator: str) -> None:
    """What is written is read back as the same cases."""
    calls = draw(specs, operator, 3, 5)
    path = tmp_path / "calls.yaml"
    path.write_text(call_list_text(calls), encoding="utf-8")
    product = "atlas-a2" if specs.operator(operator).supports("atlas-a2") else "ascend-950"
    cases = cases_of_list(specs, path, product)
    again = [case_of_call(specs, specs.product(product), call) for call in calls]
    assert [case.id for case in cases] == [case.id for case in again]
    assert all(case.expects_success for case in cases)


@pytest.mark.parametrize("operator", ["aclnnSilu", "aclnnSoftmax", "aclnnAdd", "aclnnAvgPool2d"])
def test_a_planned_case_can_be_listed(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]], operator: str
) -> None:
    """Tensors, views and attributes are those of the case; only few cases need a scene."""
    spec, product = specs.operator(operator), specs.product("atlas-a2")
    cases = [case for case in planned("atlas-a2", "smoke", operator) if case.expects_success]
    refused = 0
    for case in cases:
        try:
            again = case_of_call(specs, product, listed_call(spec, case))
        except WrongInputError:
            refused += 1
            continue
        assert again.attributes == case.attributes
        for tensor, other in zip(case.tensors, again.tensors, strict=True):
            figures = (tensor.dtype, tensor.shape, tensor.strides, tensor.offset, tensor.storage)
            assert figures == (other.dtype, other.shape, other.strides, other.offset, other.storage)
            assert (tensor.fill and tensor.fill.kind) == (other.fill and other.fill.kind)
    assert refused <= len(cases) // 20
