# SPDX-License-Identifier: Apache-2.0
"""Case lists of ATK: how their cases become calls, and why one cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.atk import AtkCase, import_case, read_atk
from aclnn_cts.plan.call_list import Bell, ListedCall, case_of_call
from aclnn_cts.spec.loading import SpecSet


def tensor(name: str | None, **changed: Any) -> dict[str, Any]:
    """Return an input of a case as such lists have it."""
    return {
        "name": name, "type": "tensor", "required": True, "dtype": "fp32", "shape": [6],
        "range_values": [-2, 2], "backward": False, "align_32B": None, **changed,
    }  # fmt: skip


def attribute(name: str | None, values: Any, **changed: Any) -> dict[str, Any]:
    own = {"type": "attr", "dtype": "float", "range_values": values}
    return {"name": name, **own, **changed}


GIVEN = (tensor("grad"), tensor("x", dtype="fp32"), tensor("w", shape=[1]))


def prelu(*inputs: Any, **changed: Any) -> dict[str, Any]:
    given = inputs or GIVEN
    return {
        "id": 7, "name": "torch.ops.aten.prelu_backward", "aclnn_name": "aclnnPreluBackward",
        "api_type": "function", "standard": {"acc": "single_bm"}, "inputs": list(given), **changed,
    }  # fmt: skip


def logit(*inputs: Any) -> dict[str, Any]:
    return prelu(*inputs, aclnn_name="aclnnLogitGrad")


def test_names_tell_and_then_the_order(specs: SpecSet) -> None:
    """A name that is ours but for its spelling counts; the rest keep the prototype's order."""
    given = (tensor("w", shape=[1]), tensor("grad_output", dtype="bf16"), tensor("b"))
    call = import_case(specs, AtkCase.model_validate(prelu(*given)), {}).call
    assert call is not None
    assert call.name == "atk-7"
    assert list(call.tensors) == ["gradOutput", "self", "weight"]
    assert (call.members["gradOutput"][0].dtype, call.members["self"][0].shape) == (
        "bfloat16",
        (1,),
    )


def test_other_names_can_be_given(specs: SpecSet) -> None:
    """The order of another interface is not that of the prototype; what it told is reported."""
    case = AtkCase.model_validate(
        logit(tensor("g", dtype="fp16"), tensor("self"), attribute("eps", 1))
    )
    found = import_case(specs, case, {})
    assert found.by_order == {"x": "g", "dy": "self"}
    assert found.call is not None
    assert found.call.members["x"][0].dtype == "float16"
    named = import_case(specs, case, {"g": "dy", "self": "x"})
    assert named.by_order == {}
    assert named.call is not None
    assert named.call.members["dy"][0].dtype == "float16"


@pytest.mark.parametrize(
    ("values", "data"),
    [
        ([-2, 2], (-2.0, 2.0)),
        (["nan"], "nan"),
        ("nan", "nan"),
        (["-inf"], (-float("inf"), -float("inf"))),
        (3, (3.0, 3.0)),
        ([0.5], (0.5, 0.5)),
        (None, None),
        ({"name": "nd", "mean": 1, "std": 0.5}, Bell(mean=1.0, deviation=0.5)),
        ("[ -5, 0 )", (-5.0, -1.1754943508222875e-38)),
        ("(0, 1)", (1.1754943508222875e-38, 0.9999999403953552)),
        ("(1, 2]", (1.0000001192092896, 2.0)),
        (["-inf", 5], (-3.4028234663852886e38, 5.0)),
        ([0, "inf"], (0.0, 3.4028234663852886e38)),
        ([[-1, 1]], (-1.0, 1.0)),
    ],
)
def test_ranges(specs: SpecSet, values: Any, data: Any) -> None:
    """Two bounds, one value, or the spec's own first kind."""
    given = (tensor("gradOutput", range_values=values), tensor("self"), tensor("weight", shape=[1]))
    call = import_case(specs, AtkCase.model_validate(prelu(*given)), {}).call
    assert call is not None
    assert call.members["gradOutput"][0].data == data


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (attribute("eps", 0.25), 0.25),
        (attribute("eps", [0.25, 0.25]), 0.25),
        (attribute("eps", "inf"), float("inf")),
        (attribute("epsilon", None, value=0.5), 0.5),
        (attribute(None, 0.25), 0.25),
    ],
)
def test_attributes(specs: SpecSet, given: dict[str, Any], value: float) -> None:
    """One value, wherever the list has it."""
    call = import_case(
        specs, AtkCase.model_validate(logit(tensor("x"), tensor("dy"), given)), {}
    ).call
    assert call is not None
    assert call.attributes == {"eps": value}


@pytest.mark.parametrize("name", ["PreluBackward", "aclnnPreluBackward", "prelu_backward"])
def test_the_prefix_may_be_missing(specs: SpecSet, name: str) -> None:
    """Most lists leave it out."""
    call = import_case(specs, AtkCase.model_validate(prelu(aclnn_name=name)), {}).call
    assert call is not None
    assert call.operator == "aclnnPreluBackward"


def test_inputs_without_names_keep_their_order(specs: SpecSet) -> None:
    """Then nothing was renamed, so there is nothing to report."""
    inputs = (tensor(None, dtype="fp16"), tensor("", dtype="bf16"), tensor(None, shape=[1]))
    found = import_case(specs, AtkCase.model_validate(prelu(*inputs)), {})
    assert found.call is not None
    assert list(found.call.tensors) == ["gradOutput", "self", "weight"]
    assert found.by_order == {}


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [([0.1, 0.4], 0.1, 0.4), ("( 0, 0.5 )", 1e-300, 0.4999999), ([0.1, 0.2, 0.3], 0.1, 0.3)],
)
def test_a_range_of_an_attribute_is_drawn_from(
    specs: SpecSet, values: Any, low: float, high: float
) -> None:
    """The draw depends on the case alone, and cases differ."""
    drawn = []
    for number in (1, 1, 2, 3, 4):
        case = logit(tensor("x"), tensor("dy"), attribute("eps", values)) | {"id": number}
        call = import_case(specs, AtkCase.model_validate(case), {}).call
        assert call is not None
        drawn.append(call.attributes["eps"])
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
    assert all(low <= value <= high for value in drawn)


def leaky(slope: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """Return a case about an operator with a scalar, a switch and a free type of the output."""
    tensors = (tensor(None, **changed), tensor(None, **changed))
    switch = attribute("selfIsResult", ["inf"], dtype="bool")
    return prelu(*tensors, slope, switch, aclnn_name="LeakyReluBackward")


@pytest.mark.parametrize(
    ("dtype", "held", "values", "value"),
    [("int32", "int32", 1, 1), ("bf16", "bfloat16", 0.3, 0.30078125), ("bool", "bool", -2, True)],
)
def test_a_scalar_keeps_its_type(
    specs: SpecSet, dtype: str, held: str, values: float, value: float
) -> None:
    """Its value is one that the type has; a switch is on for any number but 0."""
    case = leaky(attribute("a", values, type="scalar", dtype=dtype))
    call = import_case(specs, AtkCase.model_validate(case), {}).call
    assert call is not None
    assert call.dtypes == {"negativeSlope": held}
    assert call.attributes == {"negativeSlope": value, "selfIsResult": True}
    made = case_of_call(specs, specs.product("atlas-a2"), call)
    assert made.scalars == {"negativeSlope": held}


@pytest.mark.parametrize(("dtype", "held"), [("fp16", "float16"), ("fp64", "double")])
def test_the_output_has_the_type_of_the_inputs(specs: SpecSet, dtype: str, held: str) -> None:
    """So do the executors of such lists."""
    case = leaky(attribute("a", 1, type="scalar", dtype="fp32"), dtype=dtype)
    call = import_case(specs, AtkCase.model_validate(case), {}).call
    assert call is not None
    made = case_of_call(specs, specs.product("atlas-a2"), call)
    assert made.tensor("out").dtype == held


def test_a_format_goes_to_the_tensors(specs: SpecSet) -> None:
    """Lists state it once, as an attribute that the operator does not have."""
    given = attribute("format", "NCHW", dtype="non_param")
    call = import_case(specs, AtkCase.model_validate(prelu(*GIVEN, given)), {}).call
    assert call is not None
    assert {each.format for (each,) in call.members.values()} == {"NCHW"}
    assert call.attributes == {}


def test_data_that_executors_make_are_made(specs: SpecSet) -> None:
    """Random numbers in place of places of maxima would be another call."""
    arrays = [attribute(n, v) for n, v in
              (("kernel_size", [2, 2]), ("stride", [2, 2]), ("padding", [0, 0]),
               ("dilation", [1, 1]), ("ceil_mode", False))]  # fmt: skip
    small = {"shape": [1, 2, 4, 4]}
    tensors = (
        tensor("gradOutput", **small), tensor("self", shape=[1, 2, 8, 8]),
        tensor("indices", dtype="int32", range_values=[0, 99], **small),
    )  # fmt: skip
    case = prelu(*tensors, *arrays, aclnn_name="MaxPool2dWithIndicesBackward")
    found = import_case(specs, AtkCase.model_validate(case), {})
    assert found.call is not None, found.reason
    assert found.made == ("indices",)
    made = case_of_call(specs, specs.product("atlas-a2"), found.call).tensor("indices").fill
    assert made is not None
    assert made.kind == "derived"


def test_an_optional_tensor_without_a_shape_is_null(specs: SpecSet) -> None:
    """Lists leave shape and type of an absent tensor open."""
    inputs = (
        tensor("self", range_values=[0.25, 0.5]), tensor("target", range_values=[0, 1]),
        tensor("weight", shape=None, dtype=None, range_values=None), attribute("reduction", 1),
    )  # fmt: skip
    found = import_case(
        specs, AtkCase.model_validate(prelu(*inputs, aclnn_name="BinaryCrossEntropy")), {}
    )
    assert found.call is not None, found.reason
    assert "weight" not in found.call.tensors


def test_types_that_no_case_uses_are_refused(specs: SpecSet) -> None:
    """The page supports them, but no result of theirs can be judged."""
    call = ListedCall.model_validate(
        {"name": "one", "operator": "aclnnInplaceSigmoid",
         "tensors": {"selfRef": {"dtype": "complex64", "shape": [4]}}}
    )  # fmt: skip
    with pytest.raises(WrongInputError, match="selfRef in complex64 is not tested on atlas-a2"):
        case_of_call(specs, specs.product("atlas-a2"), call)


def test_arrays(specs: SpecSet) -> None:
    """The numbers of an array are one list, or an attribute each."""
    size = {"shape": [1, 2, 8, 8]}
    grad = tensor("gradOutput", shape=[1, 2, 4, 4])
    many = [attribute("stride", 2), attribute("stride", 2)]
    rest = [
        attribute(n, v)
        for n, v in (("padding", [0, 0]), ("dilation", [1, 1]), ("ceil_mode", False))
    ]
    inputs = (grad, tensor("self", **size), attribute("kernel_size", [2, 2]), many, *rest)
    found = import_case(
        specs,
        AtkCase.model_validate(prelu(*inputs, aclnn_name="aclnnMaxPool2dWithMaskBackward")),
        {},
    )
    assert found.call is not None, found.reason
    assert found.call.attributes == {
        "kernelSize": [2, 2], "stride": [2, 2], "padding": [0, 0], "dilation": [1, 1],
        "ceilMode": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (prelu(aclnn_name="aclnnFoo"), "aclnnFoo"),
        (prelu(aclnn_name=None), "operator"),
        (prelu(tensor("x", dtype="complex64")), "complex"),
        (prelu(tensor("x", dtype="int8", range_values="nan")), "no number of int8"),
        (prelu(tensor("x", dtype="uint8", range_values=[-5, -1])), "no number of uint8"),
        (prelu(tensor("x", range_values={"name": "nd", "mean": 1})), "range_values"),
        (prelu(tensor("x", range_values="(2, 1)")), "range_values"),
        (prelu(tensor("x"), attribute("format", "NCX")), "NCX"),
        (prelu(tensor("x", dtype="fp8")), "fp8"),
        (prelu(tensor("x", range_values=[1, 2, 3])), "range_values"),
        (prelu(tensor("x", range_values=["big"])), "range_values"),
        (prelu(tensor("x", storage_shape=[9])), "storage_shape"),
        (prelu(tensor("x", shape=None)), "shape"),
        (prelu(tensor("x", shape=[-1])), "shape"),
        (prelu([tensor("x"), tensor("x")]), "list"),
        (prelu([]), "empty list"),
        (prelu(*(tensor(name) for name in "abcd")), "d"),
        (prelu(attribute("alpha", 1)), "alpha"),
        (logit(tensor("x"), tensor("dy"), attribute("eps", "small")), "eps"),
    ],
)
def test_why_a_case_cannot_be(specs: SpecSet, case: dict[str, Any], said: str) -> None:
    """The reason names what the import cannot turn into a call."""
    found = import_case(specs, AtkCase.model_validate(case), {})
    assert found.call is None
    assert said in found.reason


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (b'[{"id": 0', "cut off"),
        (b"[1, 2]", "0 must hold keys"),
        (b'{"id": 0}', "the whole file must be a list"),
        (json.dumps([prelu(), {"id": 1}]).encode(), "1.inputs is missing"),
        (json.dumps([prelu({"name": "x"})]).encode(), "0.inputs.0."),
        (json.dumps([prelu(tensor("x", shape="12"))]).encode(), "0.inputs.0."),
        (b"\xff\xfe[]", "not JSON"),
        (b"[" * 5000, "nested"),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(
    tmp_path: Path, content: bytes, said: str
) -> None:
    """The file, the place in it, and what is wrong there."""
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    with pytest.raises(WrongInputError) as refused:
        read_atk(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert said in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A path without a file is the user's mistake."""
    with pytest.raises(WrongInputError, match="cannot be read"):
        read_atk(tmp_path / "none.json")
