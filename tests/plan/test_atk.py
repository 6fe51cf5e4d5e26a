# SPDX-License-Identifier: Apache-2.0
"""Case lists of ATK: how their cases become calls, and why one cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.atk import AtkCase, imported, read_atk
from aclnn_cts.spec.loading import SpecSet


def tensor(name: str, **changed: Any) -> dict[str, Any]:
    """Return an input of a case as such lists have it."""
    return {
        "name": name, "type": "tensor", "required": True, "dtype": "fp32", "shape": [6],
        "range_values": [-2, 2], "backward": False, "align_32B": None, **changed,
    }  # fmt: skip


def attribute(name: str, values: Any, **changed: Any) -> dict[str, Any]:
    return {"name": name, "type": "attr", "dtype": "float", "range_values": values, **changed}


def prelu(*inputs: Any, **changed: Any) -> dict[str, Any]:
    given = inputs or (tensor("grad"), tensor("x", dtype="fp32"), tensor("w", shape=[1]))
    return {
        "id": 7, "name": "torch.ops.aten.prelu_backward", "aclnn_name": "aclnnPreluBackward",
        "api_type": "function", "standard": {"acc": "single_bm"}, "inputs": list(given), **changed,
    }  # fmt: skip


def logit(*inputs: Any) -> dict[str, Any]:
    return prelu(*inputs, aclnn_name="aclnnLogitGrad")


def test_names_tell_and_then_the_order(specs: SpecSet) -> None:
    """A name that is ours but for its spelling counts; the rest keep the prototype's order."""
    given = (tensor("w", shape=[1]), tensor("grad_output", dtype="bf16"), tensor("b"))
    call = imported(specs, AtkCase.model_validate(prelu(*given)), {}).call
    assert call is not None
    assert call.name == "atk-7"
    assert list(call.tensors) == ["gradOutput", "self", "weight"]
    assert (call.tensors["gradOutput"].dtype, call.tensors["self"].shape) == ("bfloat16", (1,))


def test_other_names_can_be_given(specs: SpecSet) -> None:
    """The order of another interface is not that of the prototype; what it told is reported."""
    case = AtkCase.model_validate(
        logit(tensor("g", dtype="fp16"), tensor("self"), attribute("eps", 1))
    )
    found = imported(specs, case, {})
    assert found.by_order == {"x": "g", "dy": "self"}
    assert found.call is not None
    assert found.call.tensors["x"].dtype == "float16"
    named = imported(specs, case, {"g": "dy", "self": "x"})
    assert named.by_order == {}
    assert named.call is not None
    assert named.call.tensors["dy"].dtype == "float16"


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
    ],
)
def test_ranges(specs: SpecSet, values: Any, data: Any) -> None:
    """Two bounds, one value, or the spec's own first kind."""
    given = (tensor("gradOutput", range_values=values), tensor("self"), tensor("weight", shape=[1]))
    call = imported(specs, AtkCase.model_validate(prelu(*given)), {}).call
    assert call is not None
    assert call.tensors["gradOutput"].data == data


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (attribute("eps", 0.25), 0.25),
        (attribute("eps", [0.25, 0.25]), 0.25),
        (attribute("eps", "inf"), float("inf")),
        (attribute("epsilon", None, value=0.5), 0.5),
    ],
)
def test_attributes(specs: SpecSet, given: dict[str, Any], value: float) -> None:
    """One value, wherever the list has it."""
    call = imported(specs, AtkCase.model_validate(logit(tensor("x"), tensor("dy"), given)), {}).call
    assert call is not None
    assert call.attributes == {"eps": value}


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
    found = imported(
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
        (logit(tensor("x"), tensor("dy"), attribute("eps", [0, 1])), "eps"),
    ],
)
def test_why_a_case_cannot_be(specs: SpecSet, case: dict[str, Any], said: str) -> None:
    """The reason names what the import cannot turn into a call."""
    found = imported(specs, AtkCase.model_validate(case), {})
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
