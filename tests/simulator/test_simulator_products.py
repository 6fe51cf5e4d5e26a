# SPDX-License-Identifier: Apache-2.0
"""Which operators, data types and ranks go through on which product."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.simulator.conftest import Device
from tests.simulator.calls import INVALID, NULLABLE, OPERATORS, As, assert_refused, call

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
