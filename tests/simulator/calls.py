# SPDX-License-Identifier: Apache-2.0
"""A valid call of each simulated operator, and changes of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.simulator.conftest import Device, Outcome, Tensor
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
