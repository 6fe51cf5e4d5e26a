# SPDX-License-Identifier: Apache-2.0
"""aclnnL1Loss: |self - target|, its mean or its sum."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.data_kinds import Block, uniform
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, widen
from aclnn_cts.golden.losses import align, reduced
from aclnn_cts.spec.data_types import FloatFormat

__all__ = ["FILLS", "align", "evaluate"]


def _billions(block: Block, _: FloatFormat) -> FloatArray:
    """Integers beyond 32 bits, of which thousands do not add up to 64."""
    return uniform(block.bits, -(2.0**40), 2.0**40)


FILLS = {"own-billions": _billions}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Yield what is to be added up, and return ``out``; that of integers is exact."""
    scope = {name: widen(inputs[name]) for name in ("self", "target")}
    x, y = map(on.exactly.exact, scope.values())
    losses = abs((x - y).stored())
    found = yield from reduced(losses, inputs, scope, attributes["reduction"])
    return {name: out.truncated() if on.integers else out for name, out in found.items()}
