# SPDX-License-Identifier: Apache-2.0
"""Two inputs in one storage: halves of each row, as of a gate, or one tensor passed twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from aclnn_cts.emit.case_file import case_file_text, device_bytes
from aclnn_cts.emit.data_files import DataReference, PayloadField
from aclnn_cts.golden.data_kinds import fill_inputs
from aclnn_cts.golden.inputs import settle
from aclnn_cts.judge.features import facts_of
from aclnn_cts.plan.binding import UnboundError
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent, TensorCase, case_to_json
from aclnn_cts.plan.planner import ordinary_call
from aclnn_cts.results.failure_message import describe_call
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

Planned = Callable[..., tuple[Case, ...]]
HALVES = {"layout:x": "first-half", "layout:dy": "second-half", "shares:dy": "x"}
TWICE = {"fill:x": "exact", "fill:dy": "exact", "shares:dy": "x"}


def call(specs: SpecSet, facts: dict[str, Any]) -> Case:
    facts = {"shape:x": (2, 3), "attribute:eps": 0.25, **facts}
    return build_case(
        PlannedCall.of(specs.operator("aclnnLogitGrad"), "atlas-a2", facts), Intent("base", "smoke")
    )


def pairs(cases: tuple[Case, ...]) -> list[tuple[TensorCase, TensorCase]]:
    """Return the tensors in one storage of each case of the scene, the owner first."""
    found = []
    for case in cases:
        shared = [tensor for tensor in case.tensors if tensor.shares is not None]
        assert len(shared) == (case.scene == "sharing"), case.id
        found += [(case.tensor(tensor.shares or ""), tensor) for tensor in shared]
    return found


def alike(spec: OperatorSpec, case: Case) -> list[tuple[str, str]]:
    """Return the inputs of equal shape and data type that an ordinary call reads only."""
    inputs = [t for t in case.tensors if (t.role, t.source) == ("input", "data")]
    return [
        (one.name, two.name)
        for one, two in combinations(inputs, 2)
        if (one.shape, one.dtype) == (two.shape, two.dtype)
        if not any(spec.tensor(each.name).producer for each in (one, two))
    ]


@pytest.mark.parametrize("tier", ["smoke", "standard"])
def test_each_kind_of_each_pair(
    specs: SpecSet, forms: tuple[OperatorSpec, ...], planned: Planned, tier: str
) -> None:
    """Smoke holds a pair of each kind, standard the others; no output is in a shared storage."""
    product = specs.product("atlas-a2")
    kinds = set()
    for spec in (spec for spec in forms if spec.supports(product.id)):
        own = pairs(planned(product.id, tier, spec.operator))
        strided = [pair for pair in own if pair[1].layout == "second-half"]
        twice = [pair for pair in own if pair not in strided]
        usual = alike(spec, ordinary_call(spec, product))
        if usual and all(t.non_contiguous for t in spec.inputs) and tier == "smoke":
            assert len(strided) == 1, spec.operator
        assert tier == "standard" or max(len(strided), len(twice)) <= 1
        for owner, tensor in own:
            assert owner.role == tensor.role == "input"
            assert owner.source == tensor.source == "data"
            assert (owner.dtype, owner.shape) == (tensor.dtype, tensor.shape)
            assert (owner.strides, owner.storage) == (tensor.strides, tensor.storage)
        assert all(two.offset == one.shape[-1] and one.offset == 0 for one, two in strided)
        assert all(two.offset == one.offset and two.fill == one.fill for one, two in twice)
        kinds |= {pair[1].layout for pair in own}
    assert kinds == {"second-half", "contiguous"}


def test_what_only_a_difference_shows_is_not_passed_twice(planned: Planned) -> None:
    """A loss of a tensor and itself is 0, which could not fail; its halves can."""
    cases = planned("atlas-a2", "standard", "aclnnL1Loss", "aclnnL1LossBackward")
    found = {(one.name, two.name, two.layout) for one, two in pairs(cases)}
    assert found == {
        ("self", "target", "second-half"),
        ("gradOutput", "self", "second-half"),
        ("gradOutput", "target", "second-half"),
        ("gradOutput", "self", "contiguous"),
        ("gradOutput", "target", "contiguous"),
    }


def test_values_can_fail(specs: SpecSet, planned: Planned) -> None:
    """Whether or not data are drawn again, one tensor has one content, and results differ by it."""
    own = [case for case in planned("atlas-a2", "standard") if case.scene == "sharing"]
    twice = []
    for case in own:
        if specs.operator(case.operator).is_contract:
            continue
        draw = settle(specs, case)
        assert draw.is_trusted, case.id
        for tensor in draw.case.tensors:
            if draw.case.elements_of(tensor) is not tensor:
                owner = draw.inputs[tensor.shares or ""]
                assert owner.tobytes() == draw.inputs[tensor.name].tobytes()
                twice.append(case)
    assert len(twice) > 5


@pytest.mark.parametrize(
    ("facts", "lines"),
    [
        (
            HALVES,
            (
                "tensor x input 0 2 shape 2,3 strides 6,1 offset 0 storage 2,6 data 0 24",
                "tensor dy input 0 2 shape 2,3 strides 6,1 offset 3 storage 2,6 "
                "shares x data 24 24",
            ),
        ),
        (
            TWICE,
            (
                "tensor x input 0 2 shape 2,3 strides 3,1 offset 0 storage 2,3 data 0 24",
                "tensor dy input 0 2 shape 2,3 strides 3,1 offset 0 storage 2,3 shares x data 0 24",
            ),
        ),
    ],
)
def test_lines_of_the_case_file(
    specs: SpecSet, facts: dict[str, str], lines: tuple[str, ...]
) -> None:
    """Different elements have data of their own, the same ones the same data."""
    case = call(specs, facts)
    fields = {"x": PayloadField(0, 24), "dy": PayloadField(24, 24)}
    text = case_file_text(specs, case.operator, [(case, DataReference("a", 48, fields))], "0" * 32)
    assert set(lines) <= set(text.splitlines())


def test_one_storage_counts_once(specs: SpecSet) -> None:
    """A tensor in the storage of another one takes no memory."""
    alone, twice = call(specs, {}), call(specs, TWICE)
    assert device_bytes(specs, alone) - device_bytes(specs, twice) > twice.tensors[0].numel * 4


def test_the_same_data(specs: SpecSet) -> None:
    """A tensor that is passed twice has one seed; halves have one each."""
    spec = specs.operator("aclnnLogitGrad")
    twice = fill_inputs(spec, call(specs, TWICE))
    np.testing.assert_array_equal(twice["x"], twice["dy"])
    halves = fill_inputs(spec, call(specs, {**HALVES, **TWICE}))
    assert not np.array_equal(halves["x"], halves["dy"])


@pytest.mark.parametrize(
    "facts",
    [
        {**TWICE, "fill:dy": "uniform"},
        {**TWICE, "dtype:dy": "float16"},
        {**TWICE, "shape:dy": (3, 3)},
        {**TWICE, "layout:dy": "stepped"},
        {**TWICE, "null:x": True},
        {**TWICE, "shares:dy": None, "shares:out": "x"},
        {**HALVES, "layout:x": "contiguous"},
        {**HALVES, "layout:dy": "half-rows", "layout:x": "second-half"},
    ],
)
def test_what_cannot_be_in_one_storage(specs: SpecSet, facts: dict[str, Any]) -> None:
    """Facts that no memory could fulfil make no case."""
    with pytest.raises(UnboundError, match="cannot be in the storage of x"):
        call(specs, facts)


@pytest.mark.parametrize(
    ("facts", "said", "fact"),
    [
        (
            HALVES,
            "second-half: strides [6, 1] offset 3 in [2, 6], in the storage of x",
            "in the storage of",
        ),
        (TWICE, "contiguous, the same elements as x, exact", "is"),
    ],
)
def test_it_is_said(specs: SpecSet, facts: dict[str, str], said: str, fact: str) -> None:
    """A message names the owner, and what failing cases have in common may be the storage."""
    case = call(specs, facts)
    assert any(said in line for line in describe_call(case))
    assert f"dy {fact} x" in repr(facts_of(specs.operator(case.operator), case))


def test_as_json(specs: SpecSet) -> None:
    """Only a tensor that shares a storage has the key."""
    stated = ["shares" in tensor for tensor in case_to_json(call(specs, HALVES))["tensors"]]
    assert stated == [False, True, False]


@pytest.mark.parametrize("owner", ["dy", "out", "none"])
def test_an_owner_that_is_none_is_refused(specs: SpecSet, owner: str) -> None:
    """A damaged record does not get as far as a search for the owner."""
    case = call(specs, HALVES)
    first, second, *others = case.tensors
    with pytest.raises(ValueError, match="dy shares the storage of no earlier tensor"):
        replace(case, tensors=(first, replace(second, shares=owner), *others))
