# SPDX-License-Identifier: Apache-2.0
"""Phase one refuses what the documents refuse, with the documented status, and writes nothing.

Each refusal differs in one fact from a call that goes through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.simulator.conftest import Device, Outcome, Tensor

NULL_POINTER = 161001
INVALID = 161002
UNTOUCHED_WORKSPACE_SIZE = 0xDEAD

Arguments = dict[str, Any]


def logit_grad(device: Device) -> Arguments:
    x = device.dense(np.full((2, 3), 0.5), np.float32)
    return {"x": x, "dy": x, "eps": -1.0, "out": x}


def dropout_backward(device: Device) -> Arguments:
    gradient = device.dense(np.ones((2, 3)), np.float32)
    mask = device.dense(np.full(16, 0xFF), np.uint8)
    return {"gradOutput": gradient, "mask": mask, "scale": 2.0, "out": gradient}


def prelu_backward(device: Device) -> Arguments:
    x = device.dense(np.ones((2, 3, 4)), np.float32)
    weight = device.dense(np.ones(3), np.float32)
    return {
        "gradOutput": x,
        "self": x,
        "weight": weight,
        "gradInput": x,
        "gradWeight": weight,
    }


def group_norm_swish_grad(device: Device) -> Arguments:
    x = device.dense(np.ones((2, 6, 4)), np.float32)
    statistics = device.dense(np.ones((2, 3)), np.float32)
    channel = device.dense(np.ones(6), np.float32)
    return {
        "dy": x,
        "mean": statistics,
        "rstd": statistics,
        "x": x,
        "gamma": channel,
        "beta": channel,
        "numGroups": 3,
        "dataFormatOptional": "NCHW",
        "swishScale": 1.0,
        "dgammaIsRequire": True,
        "dbetaIsRequire": True,
        "dxOut": x,
        "dgammaOut": channel,
        "dbetaOut": channel,
    }


def max_pool(device: Device) -> Arguments:
    return {
        "self": device.dense(np.ones((1, 2, 6, 6)), np.float32, "NCHW"),
        "kernelSize": [2, 2],
        "stride": [2, 2],
        "padding": [0, 0],
        "dilation": [1, 1],
        "ceilMode": False,
        "out": device.dense(np.ones((1, 2, 3, 3)), np.float32, "NCHW"),
        "indices": device.dense(np.zeros((1, 2, 4, 64)), np.int8, "NCHW"),
    }


def max_pool_backward(device: Device) -> Arguments:
    there = max_pool(device)
    self, out = there.pop("self"), there.pop("out")
    indices = there.pop("indices")
    return {"gradOutput": out, "self": self, "indices": indices, **there, "gradInput": self}


OPERATORS: dict[str, Callable[[Device], Arguments]] = {
    "aclnnLogitGrad": logit_grad,
    "aclnnDropoutBackward": dropout_backward,
    "aclnnPreluBackward": prelu_backward,
    "aclnnGroupNormSwishGrad": group_norm_swish_grad,
    "aclnnMaxPool2dWithMask": max_pool,
    "aclnnMaxPool2dWithMaskBackward": max_pool_backward,
}
NULLABLE = {
    "aclnnLogitGrad": ["x", "dy", "out"],
    "aclnnDropoutBackward": ["gradOutput", "mask", "out"],
    "aclnnPreluBackward": ["gradOutput", "self", "weight", "gradInput", "gradWeight"],
    "aclnnGroupNormSwishGrad": [
        *("dy", "mean", "rstd", "x", "gamma", "beta", "dxOut", "dgammaOut", "dbetaOut")
    ],
    "aclnnMaxPool2dWithMask": [
        *("self", "kernelSize", "stride", "padding", "dilation", "out", "indices")
    ],
    "aclnnMaxPool2dWithMaskBackward": [
        *("gradOutput", "self", "indices", "kernelSize", "stride", "padding", "dilation"),
        "gradInput",
    ],
}
UNSUPPORTED = {
    "aclnnLogitGrad": ["atlas-200i-500-a2", "atlas-inference", "atlas-training"],
    "aclnnDropoutBackward": ["atlas-200i-500-a2", "atlas-inference"],
    "aclnnPreluBackward": ["atlas-200i-500-a2", "atlas-inference"],
    "aclnnGroupNormSwishGrad": ["atlas-200i-500-a2", "atlas-inference", "atlas-training"],
    "aclnnMaxPool2dWithMask": ["ascend-950", "atlas-200i-500-a2"],
    "aclnnMaxPool2dWithMaskBackward": ["ascend-950", "atlas-200i-500-a2", "atlas-inference"],
}
PRODUCTS = [
    *("ascend-950", "atlas-a3", "atlas-a2"),
    *("atlas-200i-500-a2", "atlas-inference", "atlas-training"),
]


@dataclass(frozen=True)
class As:
    """A change of a tensor: other elements, shape, data type or format."""

    shape: tuple[int, ...] | None = None
    dtype: Any = None
    layout: str | None = None
    stepped: bool = False

    def apply(self, device: Device, tensor: Tensor) -> Tensor:
        """A tensor like `tensor` with the change."""
        shape = tensor.shape if self.shape is None else self.shape
        make = device.stepped if self.stepped else device.dense
        dtype = self.dtype or tensor.storage.dtype
        return make(np.ones(shape), dtype, self.layout or tensor.layout)


RANK_9 = As(shape=(1, 1, 1, 1, 1, 1, 1, 2, 3))
POOL_CHANGES: list[Arguments] = [
    {"kernelSize": []},
    {"kernelSize": [2, 2, 2]},
    {"kernelSize": [0, 2]},
    {"kernelSize": [2, -1]},
    {"stride": [2, 2, 2]},
    {"stride": [0]},
    {"stride": [2, -2]},
    {"padding": []},
    {"padding": [0, 0, 0]},
    {"padding": [-1, 0]},
    {"padding": [0, 2]},
    {"dilation": []},
    {"dilation": [1, 1, 1]},
    {"dilation": [1, 2]},
    {"dilation": [0]},
    {"kernelSize": [2**62, 2**62]},
    {"kernelSize": [7, 7]},
    {"indices": As(shape=(1, 2, 4, 32))},
    {"indices": As(dtype=np.uint8)},
    {"self": As(dtype=np.float16)},
    {"self": As(dtype=np.float64)},
    {"self": As(layout="NHWC")},
    {"indices": As(layout="NHWC")},
]
# One change of several parameters at a time where one alone would break two rules.
INVALID_CHANGES: list[tuple[str, Arguments]] = [
    *(("aclnnLogitGrad", {name: As(dtype=np.float16)}) for name in ("x", "dy", "out")),
    ("aclnnLogitGrad", dict.fromkeys(("x", "dy", "out"), As(dtype=np.float64))),
    ("aclnnLogitGrad", {"dy": As(shape=(3, 2))}),
    ("aclnnLogitGrad", {"out": As(shape=(6,))}),
    ("aclnnLogitGrad", {"dy": As(layout="NCHW")}),
    ("aclnnLogitGrad", {"out": As(layout="NCHW")}),
    ("aclnnLogitGrad", dict.fromkeys(("x", "dy", "out"), As(layout="FRACTAL_NZ"))),
    ("aclnnLogitGrad", dict.fromkeys(("x", "dy", "out"), RANK_9)),
    ("aclnnDropoutBackward", {"gradOutput": As(dtype=np.float64)}),
    ("aclnnDropoutBackward", {"out": As(dtype=np.int32)}),
    ("aclnnDropoutBackward", {"mask": As(dtype=np.int8)}),
    *(("aclnnDropoutBackward", {"scale": s}) for s in (0.5, 0.999, -1.0, float("nan"))),
    ("aclnnDropoutBackward", {"out": As(shape=(3, 2))}),
    ("aclnnDropoutBackward", {"mask": As(shape=(15,))}),
    ("aclnnDropoutBackward", {"mask": As(shape=(32,))}),
    ("aclnnDropoutBackward", dict.fromkeys(("gradOutput", "out"), RANK_9)),
    ("aclnnDropoutBackward", dict.fromkeys(("gradOutput", "out"), As(shape=()))),
    (
        "aclnnDropoutBackward",
        {"gradOutput": As(shape=(0,)), "out": As(shape=(0,)), "mask": As(shape=(0,))},
    ),
    *(
        ("aclnnPreluBackward", {name: As(dtype=np.float16)})
        for name in NULLABLE["aclnnPreluBackward"]
    ),
    (
        "aclnnPreluBackward",
        dict.fromkeys(NULLABLE["aclnnPreluBackward"], As(dtype=np.float64)),
    ),
    ("aclnnPreluBackward", dict.fromkeys(("weight", "gradWeight"), As(shape=(4,)))),
    ("aclnnPreluBackward", dict.fromkeys(("weight", "gradWeight"), As(shape=(3, 1, 1)))),
    ("aclnnPreluBackward", {"gradWeight": As(shape=(1, 3, 1))}),
    ("aclnnPreluBackward", {"weight": As(shape=(1,))}),
    ("aclnnPreluBackward", {"gradOutput": As(shape=(2, 3, 5))}),
    ("aclnnPreluBackward", {"gradOutput": As(shape=(1, 2, 3, 4))}),
    ("aclnnPreluBackward", {"gradInput": As(shape=(2, 12))}),
    (
        "aclnnPreluBackward",
        dict.fromkeys(("gradOutput", "self", "gradInput"), As(shape=(2, 3, 1, 1, 1, 1, 1, 1, 4))),
    ),
    (
        "aclnnPreluBackward",
        dict.fromkeys(("gradOutput", "self", "gradInput"), As(shape=(3,))),
    ),
    *(
        ("aclnnGroupNormSwishGrad", {name: As(dtype=np.float16)})
        for name in NULLABLE["aclnnGroupNormSwishGrad"]
    ),
    *(("aclnnGroupNormSwishGrad", {"numGroups": groups}) for groups in (0, -3, 4)),
    ("aclnnGroupNormSwishGrad", {"x": As(shape=(2, 4, 6))}),
    ("aclnnGroupNormSwishGrad", {"mean": As(shape=(3, 2))}),
    ("aclnnGroupNormSwishGrad", {"rstd": As(shape=(2, 6))}),
    ("aclnnGroupNormSwishGrad", {"mean": As(shape=(6,))}),
    ("aclnnGroupNormSwishGrad", {"gamma": As(shape=(5,))}),
    ("aclnnGroupNormSwishGrad", {"beta": As(shape=(7,))}),
    ("aclnnGroupNormSwishGrad", {"dxOut": As(shape=(2, 24))}),
    ("aclnnGroupNormSwishGrad", {"dgammaOut": As(shape=(5,))}),
    ("aclnnGroupNormSwishGrad", {"dbetaOut": As(shape=(2, 3))}),
    *(
        ("aclnnGroupNormSwishGrad", {name: As(stepped=True)})
        for name in ("dxOut", "dgammaOut", "dbetaOut")
    ),
    *(
        (operator, change)
        for operator in ("aclnnMaxPool2dWithMask", "aclnnMaxPool2dWithMaskBackward")
        for change in POOL_CHANGES
    ),
    ("aclnnMaxPool2dWithMask", {"out": As(shape=(1, 2, 3, 4))}),
    ("aclnnMaxPool2dWithMask", {"out": As(layout="ND")}),
    ("aclnnMaxPool2dWithMask", {"self": As(shape=(6, 6))}),
    ("aclnnMaxPool2dWithMask", {"self": As(shape=(1, 0, 6, 6)), "out": As(shape=(1, 0, 3, 3))}),
    ("aclnnMaxPool2dWithMaskBackward", {"gradOutput": As(shape=(1, 2, 3, 4))}),
    ("aclnnMaxPool2dWithMaskBackward", {"gradOutput": As(dtype=np.float16)}),
    ("aclnnMaxPool2dWithMaskBackward", {"gradInput": As(shape=(1, 2, 36))}),
    (
        "aclnnMaxPool2dWithMaskBackward",
        dict.fromkeys(("gradOutput", "self", "indices", "gradInput"), As(layout="ND")),
    ),
]


def call(device: Device, operator: str, changes: Arguments) -> Outcome:
    arguments = OPERATORS[operator](device)
    for name, change in changes.items():
        is_tensor = isinstance(change, As)
        arguments[name] = change.apply(device, arguments[name]) if is_tensor else change
    return device.run(operator, *arguments.values())


def assert_refused(outcome: Outcome, status: int, operator: str) -> None:
    assert outcome.status == status, outcome.message
    assert outcome.workspace == UNTOUCHED_WORKSPACE_SIZE
    assert outcome.message.startswith(f"{operator}GetWorkspaceSize: ")


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("product", PRODUCTS)
def test_product_support(device: Callable[[str], Device], operator: str, product: str) -> None:
    """An operator goes through on the products that its document names, and on no other."""
    outcome = call(device(product), operator, {})
    if product in UNSUPPORTED[operator]:
        assert_refused(outcome, INVALID, operator)
        assert product in outcome.message
    else:
        assert outcome.status == 0, outcome.message


@pytest.mark.parametrize(
    ("operator", "name"), [(operator, name) for operator in NULLABLE for name in NULLABLE[operator]]
)
def test_null_pointer(a2: Device, operator: str, name: str) -> None:
    """A null tensor or array is refused with the status of its own, and the message names it."""
    outcome = call(a2, operator, {name: None})
    assert_refused(outcome, NULL_POINTER, operator)
    assert outcome.message.endswith(f": {name} is null")


def test_null_pointer_comes_first(training: Device) -> None:
    """A null pointer outweighs everything else, even a product without the operator."""
    x = As(dtype=np.float64)
    outcome = call(training, "aclnnLogitGrad", {"x": x, "dy": None})
    assert_refused(outcome, NULL_POINTER, "aclnnLogitGrad")


@pytest.mark.parametrize(("operator", "changes"), INVALID_CHANGES)
def test_invalid_parameter(a2: Device, operator: str, changes: Arguments) -> None:
    """One broken rule is enough for the refusal."""
    assert_refused(call(a2, operator, changes), INVALID, operator)


@pytest.mark.parametrize(
    ("operator", "changes"),
    [
        ("aclnnLogitGrad", dict.fromkeys(("x", "dy", "out"), As(layout="NCHW"))),
        ("aclnnDropoutBackward", {"mask": As(shape=(4, 4))}),
        ("aclnnDropoutBackward", {"scale": float("inf")}),
        ("aclnnPreluBackward", dict.fromkeys(("weight", "gradWeight"), As(shape=(1, 1)))),
        ("aclnnPreluBackward", dict.fromkeys(("weight", "gradWeight"), As(shape=(1, 3, 1)))),
        ("aclnnGroupNormSwishGrad", {"dataFormatOptional": None}),
        ("aclnnMaxPool2dWithMask", {"stride": []}),
        ("aclnnMaxPool2dWithMaskBackward", {"stride": [2]}),
    ],
)
def test_accepted(a2: Device, operator: str, changes: Arguments) -> None:
    """What lies just inside the rules goes through."""
    outcome = call(a2, operator, changes)
    assert outcome.status == 0, outcome.message


def test_largest_group(a2: Device) -> None:
    """A group has at most 4000 channels."""
    for channels, status in ((4000, 0), (4001, INVALID)):
        x = As(shape=(1, channels, 1))
        changes: Arguments = {
            **dict.fromkeys(("dy", "x", "dxOut"), x),
            **dict.fromkeys(("mean", "rstd"), As(shape=(1, 1))),
            **dict.fromkeys(("gamma", "beta", "dgammaOut", "dbetaOut"), As(shape=(channels,))),
            "numGroups": 1,
        }
        assert call(a2, "aclnnGroupNormSwishGrad", changes).status == status


@pytest.mark.parametrize(
    ("operator", "names"),
    [
        ("aclnnDropoutBackward", ["gradOutput", "out"]),
        ("aclnnPreluBackward", NULLABLE["aclnnPreluBackward"]),
        ("aclnnMaxPool2dWithMask", ["self", "out"]),
        ("aclnnMaxPool2dWithMaskBackward", ["gradOutput", "self", "gradInput"]),
    ],
)
def test_bfloat16_by_product(a2: Device, training: Device, operator: str, names: list[str]) -> None:
    """bfloat16 goes through on A2 but not on the training products."""
    changes = dict.fromkeys(names, As(dtype=ml_dtypes.bfloat16))
    assert call(a2, operator, changes).status == 0
    assert_refused(call(training, operator, changes), INVALID, operator)


def test_inference_pools_only_float32(device: Callable[[str], Device]) -> None:
    """The inference products pool float32 and nothing else."""
    half = dict.fromkeys(("self", "out"), As(dtype=np.float16))
    outcome = call(device("atlas-inference"), "aclnnMaxPool2dWithMask", half)
    assert_refused(outcome, INVALID, "aclnnMaxPool2dWithMask")


def test_training_pools_back_only_four_dimensions(a2: Device, training: Device) -> None:
    """A single sample (C, H, W) goes back through A2 but not through the training products."""
    shapes = {"gradOutput": (2, 3, 3), "self": (2, 6, 6), "indices": (2, 4, 64)}
    changes = {name: As(shape=shape) for name, shape in shapes.items()}
    changes["gradInput"] = replace(changes["self"])
    assert call(a2, "aclnnMaxPool2dWithMaskBackward", changes).status == 0
    refused = call(training, "aclnnMaxPool2dWithMaskBackward", changes)
    assert_refused(refused, INVALID, "aclnnMaxPool2dWithMaskBackward")
