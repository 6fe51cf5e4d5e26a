# SPDX-License-Identifier: Apache-2.0
"""The case file: one fact per line, exactly as the programs read them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from aclnn_cts.emit.case_file import case_file_text, device_bytes
from aclnn_cts.emit.data_files import DataReference, PayloadField
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.planner import plan
from aclnn_cts.plan.validity import base_facts
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

NONCE = "0123456789abcdef0123456789abcdef"


def test_a_hand_made_case(specs: SpecSet) -> None:
    """Every line of a case with a transposed input, worked out by hand."""
    facts = {
        "shape:x": (2, 3),
        "dtype:x": "float16",
        "layout:x": "transposed",
        "layout:out": "embedded",
        "attribute:eps": 0.25,
    }
    case = build_case(
        PlannedCall.of(specs.operator("aclnnLogitGrad"), "atlas-a2", facts), Intent("base", "smoke")
    )
    fields = {"x": PayloadField(0, 12), "dy": PayloadField(12, 12)}
    reference = DataReference("ab/abc.npy", 24, fields, "00")
    assert case_file_text(specs, "aclnnLogitGrad", [(case, reference)], NONCE) == (
        "aclnn-cts-cases 6 aclnnLogitGrad\n"
        "nonce 0123456789abcdef0123456789abcdef\n"
        f"case {case.id}\n"
        "data ab/abc.npy 24\n"
        "runs 2\n"
        "slack 32\n"
        "guard 65536\n"
        "deterministic 0\n"
        "tensor x input 1 2 shape 2,3 strides 1,2 offset 0 storage 3,2 data 0 12\n"
        "tensor dy input 1 2 shape 2,3 strides 3,1 offset 0 storage 2,3 data 12 12\n"
        "tensor out output 1 2 shape 2,3 strides 3,1 offset 0 storage 25 output\n"
        "attribute eps double 0x1.0000000000000p-2\n"
        "end\n"
    )


@pytest.mark.parametrize("elements", [1 << 8, 1 << 16])
def test_memory_of_the_tensors(specs: SpecSet, elements: int) -> None:
    """Storage counts, gaps included, and guards and room on top; a null tensor takes nothing."""
    facts = {"shape:x": (elements,), "dtype:x": "float16", "layout:x": "stepped"}
    case = build_case(
        PlannedCall.of(specs.operator("aclnnLogitGrad"), "atlas-a2", facts), Intent("size", "full")
    )
    storages = sum(2 * math.prod(tensor.storage) for tensor in case.tensors)
    assert storages > 3 * 2 * elements
    assert 0 < device_bytes(specs, case) - storages <= 3 * (2 * 1024 + 64)
    without = replace(case, tensors=(*case.tensors[:2], replace(case.tensors[2], source="null")))
    assert device_bytes(specs, without) < device_bytes(specs, case)
    assert device_bytes(specs, replace(case, again=("in-flight",))) == 3 * device_bytes(specs, case)


def test_memory_of_a_producer(specs: SpecSet) -> None:
    """The mask and the maxima that the forward operator writes take memory, too."""
    spec = specs.operator("aclnnMaxPool2dWithMaskBackward")
    facts = {"dim:N": 4, "dim:C": 64, "dim:H": 64, "dim:W": 64}
    base = base_facts(factors_of(spec, specs.product("atlas-a2"), "smoke"))
    call = PlannedCall.of(spec, "atlas-a2", {**base, **facts})
    made, given = (
        build_case(call.with_changes({"source:indices": source}), Intent("size", "full"))
        for source in ("producer", "data")
    )
    more = sum(made.tensor(name).numel for name in ("indices", "gradOutput"))
    assert device_bytes(specs, made) - device_bytes(specs, given) > more


def test_a_producer(specs: SpecSet) -> None:
    """The forward operator's call: self of the case itself, its outputs as scratch, attributes."""
    facts = {
        "dim:N": 1, "dim:C": 2, "dim:H": 4, "dim:W": 6, "layout:self": "sliced",
        "attribute:kernelSize": (2, 2), "attribute:stride": (), "attribute:padding": (0,),
        "attribute:dilation": (1, 1), "attribute:ceilMode": True,
    }  # fmt: skip
    spec = specs.operator("aclnnMaxPool2dWithMaskBackward")
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))
    fields = {"gradOutput": PayloadField(0, 48), "self": PayloadField(48, 192)}
    text = case_file_text(
        specs, spec.operator, [(case, DataReference("a/b.npy", 240, fields))], NONCE
    )
    lines = text.splitlines()
    assert "attribute stride ints -" in lines
    assert "attribute ceilMode bool 1" in lines
    assert (
        "tensor indices input 2 0 shape 1,2,4,64 strides 512,256,64,1 offset 0 storage 1,2,4,64 "
        "from-producer"
    ) in lines
    own = next(line for line in lines if line.startswith("tensor self "))
    view = own.removeprefix("tensor ").rsplit(" data ", 1)[0]
    assert f"producer-tensor {view} same self" in lines
    assert (
        "producer-tensor out output 0 0 shape 1,2,2,3 strides 12,6,3,1 offset 0 storage 1,2,2,3 "
        "scratch"
    ) in lines
    assert (
        "producer-tensor indices output 2 0 shape 1,2,4,64 strides 512,256,64,1 offset 0 "
        "storage 1,2,4,64 scratch"
    ) in lines
    assert "producer-attribute kernelSize ints 2,2" in lines
    assert "producer aclnnMaxPool2dWithMask" in lines


def test_a_strided_tensor_from_a_producer(specs: SpecSet) -> None:
    """The measured call's view has the layout; the producer's output stays plain."""
    facts = {
        "dim:N": 2, "dim:C": 3, "dim:H": 4, "dim:W": 6, "layout:indices": "sliced",
        "attribute:kernelSize": (2, 2), "attribute:stride": (), "attribute:padding": (0,),
        "attribute:dilation": (1, 1), "attribute:ceilMode": False,
    }  # fmt: skip
    spec = specs.operator("aclnnMaxPool2dWithMaskBackward")
    case = build_case(PlannedCall.of(spec, "atlas-training", facts), Intent("base", "smoke"))
    fields = {"gradOutput": PayloadField(0, 144), "self": PayloadField(144, 576)}
    text = case_file_text(
        specs, spec.operator, [(case, DataReference("a/b.npy", 720, fields))], NONCE
    )
    lines = text.splitlines()
    assert (
        "tensor indices input 2 0 shape 2,3,4,64 strides 816,272,68,1 offset 819 "
        "storage 3,3,4,68 from-producer"
    ) in lines
    assert (
        "producer-tensor indices output 2 0 shape 2,3,4,64 strides 768,256,64,1 offset 0 "
        "storage 2,3,4,64 scratch"
    ) in lines


def test_further_runs(specs: SpecSet, planned: Callable[..., tuple[Case, ...]]) -> None:
    """One line for each execution variant, and the other calls on memory of their own."""
    case = next(
        case for case in planned("atlas-a2", "smoke", "aclnnLogitGrad") if case.scene == "state"
    )
    fields = {tensor.name: PayloadField(0, 144) for tensor in case.inputs}
    text = case_file_text(specs, case.operator, [(case, DataReference("a", 288, fields))], NONCE)
    assert text.endswith(
        "".join(f"again {variant}\n" for variant in case.again) + "other aclnnLayerNorm\n"
        "other-tensor input input 0 2 shape 4,9 strides 9,1 offset 0 storage 4,9 scratch\n"
        "other-tensor weightOptional input 0 2 shape 9 strides 1 offset 0 storage 9 scratch\n"
        "other-tensor biasOptional input 0 2 shape 9 strides 1 offset 0 storage 9 scratch\n"
        "other-tensor out output 0 2 shape 4,9 strides 9,1 offset 0 storage 4,9 scratch\n"
        "other-tensor meanOutOptional output 0 2 shape 4,1 strides 1,1 offset 0 "
        "storage 4,1 scratch\n"
        "other-tensor rstdOutOptional output 0 2 shape 4,1 strides 1,1 offset 0 "
        "storage 4,1 scratch\n"
        "other-attribute normalizedShape ints 9\n"
        "other-attribute eps double 0x1.4f8b588e368f1p-17\n"
        "decoy aclnnLogitGrad\n"
        "decoy-tensor x input 0 2 shape 129 strides 1 offset 0 storage 129 scratch\n"
        "decoy-tensor dy input 0 2 shape 129 strides 1 offset 0 storage 129 scratch\n"
        "decoy-tensor out output 0 2 shape 129 strides 1 offset 0 storage 129 scratch\n"
        "decoy-attribute eps double 0x1.0000000000000p+0\n"
        "end\n"
    )


def one_attribute(specs: SpecSet, case: Case, value: Any) -> str:
    changed = replace(case, attributes={"eps": value})
    fields = {t.name: PayloadField(0, 0) for t in case.inputs}
    text = case_file_text(specs, case.operator, [(changed, DataReference(None, 0, fields))], NONCE)
    return next(line for line in text.splitlines() if line.startswith("attribute"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (-0.0, "-0x0.0p+0"),
        (1e-6, "0x1.0c6f7a0b5ed8dp-20"),
    ],
)
def test_numbers_are_exact(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]], value: float, text: str
) -> None:
    """Hexadecimal digits lose nothing; what has none is named as C names it."""
    case = planned("atlas-a2", "smoke", "aclnnLogitGrad")[0]
    assert one_attribute(specs, case, value) == f"attribute eps double {text}"
    assert one_attribute(specs, case, None) == "attribute eps double-null"


@pytest.mark.parametrize(
    ("dtype", "value", "text"),
    [
        ("float32", 0.25, "0 0000803e"),
        ("float16", 0.1, "1 662e"),
        ("bfloat16", -2.0, "27 00c0"),
        ("double", 0.25, "11 000000000000d03f"),
        ("int32", 3.0, "3 03000000"),
        ("int8", -1.0, "2 ff"),
        ("bool", 1.0, "12 01"),
        ("complex64", 1.0, "16 0000803f00000000"),
    ],
)
def test_a_scalar_is_its_bytes(specs: SpecSet, dtype: str, value: float, text: str) -> None:
    """In the order of memory, after the conversion to its data type; null has no value."""
    facts = {"shape:self": (3,), "attribute:negativeSlope": value, "dtype:negativeSlope": dtype}
    lines = []
    for more in ({}, {"null:negativeSlope": True}):
        intent = Intent("base", "smoke", is_valid=False)
        case = build_case(
            PlannedCall.of(specs.operator("aclnnLeakyRelu"), "atlas-a2", facts | more), intent
        )
        fields = {"self": PayloadField(0, 12)}
        reference = DataReference("ab/abc.npy", 12, fields, "00")
        lines += case_file_text(specs, case.operator, [(case, reference)], NONCE).splitlines()
    found = [line for line in lines if line.startswith("attribute")]
    assert found == [
        f"attribute negativeSlope scalar {text}",
        "attribute negativeSlope scalar-null",
    ]


def test_a_list_of_scalars_is_the_bytes_of_all(specs: SpecSet) -> None:
    spec = specs.operator("aclnnForeachAddScalarList")
    facts = {"shape:x": (3,), "attribute:scalars": 1.5, "length:x": 2}
    lines = []
    for more in ({}, {"null:scalars": True}):
        call = PlannedCall.of(spec, "atlas-a2", facts | more)
        case = build_case(call, Intent("base", "smoke", is_valid=False))
        fields = {each.name: PayloadField(0, 4 * each.numel) for each in case.inputs}
        reference = DataReference("ab/abc.npy", 12, fields, "00")
        lines += case_file_text(specs, case.operator, [(case, reference)], NONCE).splitlines()
    assert sorted(case.attributes) == ["scalars"]
    first, null = (line for line in lines if line.startswith("attribute"))
    assert null == "attribute scalars scalars-null"
    kind, _, elements = first.removeprefix("attribute scalars ").partition(" 0 ")
    assert kind == "scalars"
    assert {elements[:8], elements[8:]} == {"0000c03f", "000040c0"}  # 1.5, and -3 beside it


def test_a_tensor_that_is_overwritten(specs: SpecSet) -> None:
    """It has data as an input has."""
    facts = {"shape:selfRef": (3,), "attribute:negativeSlope": 0.5}
    spec = specs.operator("aclnnInplaceLeakyRelu")
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))
    reference = DataReference("ab/abc.npy", 12, {"selfRef": PayloadField(0, 12)}, "00")
    text = case_file_text(specs, case.operator, [(case, reference)], NONCE)
    view = "shape 3 strides 1 offset 0 storage 3"
    assert f"\ntensor selfRef inout 0 2 {view} data 0 12\n" in text
    assert [tensor.name for tensor in case.inputs] == [tensor.name for tensor in case.outputs]


def test_refused_calls_have_null_pointers(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """A null tensor and a null array stand as such; nothing to read is `data -`."""
    cases = [c for c in planned("atlas-a2", "smoke") if c.scene.startswith("null-pointer")]
    pooling = "aclnnMaxPool2dWithMaskBackward"
    of_pooling = [case for case in cases if case.operator == pooling]
    fields = {name: PayloadField(0, 1) for name in ("gradOutput", "self", "indices")}
    references = [(case, DataReference(None, 0, fields)) for case in of_pooling]
    lines = case_file_text(specs, pooling, references, NONCE).splitlines()
    nulls = [line for line in lines if line.startswith("tensor") and line.endswith(" null")]
    assert {line.split(" ")[1] for line in nulls} == {"gradOutput", "self", "indices", "gradInput"}
    assert {"attribute kernelSize ints-null", "attribute dilation ints-null", "data -"} <= {*lines}


def test_every_line_of_the_plan_is_well_formed(
    specs: SpecSet, forms: tuple[OperatorSpec, ...], planned: Callable[..., tuple[Case, ...]]
) -> None:
    """Single spaces, no tabs, a known first word, one `end` for each case."""
    words = {"case", "data", "runs", "slack", "deterministic", "tensor", "attribute", "end"}
    words |= {"producer", "producer-tensor", "producer-attribute"}
    words |= {"again", "other", "other-tensor", "other-attribute", "guard"}
    words |= {"decoy", "decoy-tensor", "decoy-attribute", "nonce", "launch", "calls"}
    for operator in (spec.operator for spec in forms):
        own = planned("atlas-a2", "smoke", operator)
        fields = {tensor.name: PayloadField(0, 1) for case in own for tensor in case.inputs}
        text = case_file_text(
            specs, operator, [(c, DataReference("a", 9, fields)) for c in own], NONCE
        )
        first, *lines = text.splitlines()
        assert first == f"aclnn-cts-cases 6 {operator}"
        assert {line.split(" ", 1)[0] for line in lines} <= words
        assert not any("  " in line or "\t" in line or line.endswith(" ") for line in lines)
        assert lines.count("end") == len(own)


def test_timed_launches_are_for_calls_that_must_work(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """Each such case says how many; a refused call has no time, and by default none is timed."""
    cases = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    fields = {name: PayloadField(0, 0) for name in ("x", "dy", "out")}
    both = [(case, DataReference("a/b.npy", 0, fields)) for case in cases]
    text = case_file_text(specs, "aclnnLogitGrad", both, NONCE, timed=7)
    asked = [block.count("\ntimed 7\nend\n") for block in text.split("case ")[1:]]
    assert asked == [int(case.expects_success) for case in cases]
    assert 0 in asked
    assert "timed" not in case_file_text(specs, "aclnnLogitGrad", both, NONCE)


def test_truths_are_written_as_numbers(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """0 or 1 each, also none at all."""
    operator = "aclnnGroupNormBackward"
    cases = planned("atlas-a2", "smoke", operator)
    fields = {tensor.name: PayloadField(0, 1) for tensor in cases[0].inputs}
    references = [(case, DataReference(None, 0, fields)) for case in cases]
    lines = case_file_text(specs, operator, references, NONCE).splitlines()
    masks = {line.removeprefix("attribute outputMask bools ") for line in lines}
    assert {"1,1,1", "1,0,1", "0,0,1", "1,1", "-"} <= masks


def test_bits_of_a_uint64(specs: SpecSet) -> None:
    """Programs read int64; the C function gets the same bits."""
    spec = specs.operator("aclnnInplaceUniform")
    base = base_facts(factors_of(spec, specs.product("atlas-a2"), "smoke"))
    facts = {**base, "attribute:seed": 2**64 - 1, "attribute:offset": 2**63 - 1}
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))
    reference = DataReference("a", 0, {"selfRef": PayloadField(0, 0)})
    lines = case_file_text(specs, spec.operator, [(case, reference)], NONCE).splitlines()
    assert "attribute seed int64 -1" in lines
    assert f"attribute offset int64 {2**63 - 1}" in lines


def test_a_null_pointer_in_a_call_beside_the_measured_one(specs: SpecSet) -> None:
    """What must be null is null in decoys, too; else they would be refused."""
    cases = plan(specs, "ascend-950", "smoke", ["aclnnDropoutV3"])
    case = next(case for case in cases if case.scene == "state")
    reference = DataReference("a", 0, {"input": PayloadField(0, 0)})
    text = case_file_text(specs, case.operator, [(case, reference)], NONCE)
    noise = [line for line in text.splitlines() if "tensor optionalNoiseShape" in line]
    assert len(noise) > 1
    assert all(line.endswith(" null") for line in noise)
