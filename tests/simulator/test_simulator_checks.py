# SPDX-License-Identifier: Apache-2.0
"""Phase one refuses what the documents refuse, with the documented status, and writes nothing.

Each refusal differs in one fact from a call that goes through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.simulator.conftest import Device
from tests.simulator.calls import INVALID, NULLABLE, Arguments, As, assert_refused, call

NULL_POINTER = 161001

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
