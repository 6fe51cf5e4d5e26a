# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftmax: out = exp(self - m) / sum(exp(self - m)), where m is the largest along an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.data_kinds import Block, uniform
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, by_rows, widen
from aclnn_cts.spec.data_types import FloatFormat


def _last_largest(block: Block, floating: FloatFormat) -> npt.NDArray[np.float64]:
    """Ordinary values, but in every fourth row the last is so large that the results are 0 and 1.

    The exponential of its distance from the others overflows.
    """
    far = 800.0 if floating.max_exponent > 127 else 100.0
    row, column = np.divmod(np.arange(block.start, block.stop), block.shape[-1])
    is_far = (row % 4 == 0) & (column == block.shape[-1] - 1)
    return np.asarray(uniform(block.bits, -5.0, 5.0) + far * is_far)


FILLS = {
    "own-overflowing": lambda block, _: uniform(block.bits, 712.0, 722.0),
    "own-far-below": lambda block, _: uniform(block.bits, -70010.0, -70000.0),
    "own-last-largest": _last_largest,
}
"""The exponential of each of the first is beyond double; each of the second is below the least
number of float16.
"""


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return ``self`` folded around the axis ``dim``, and the largest element of each row."""
    aligned = by_rows(inputs, attributes["dim"])
    most = widen(aligned["self"]).max(axis=1, keepdims=True, initial=-math.inf)
    return {**aligned, "most": most}


def exponentials(inputs: Inputs, on: Arithmetic) -> tuple[Number, Number, Terms]:
    """Return self - m, its exponential, and the terms that add that up along the axis.

    ``all_of`` gathers a row along the axis.
    """
    scope = {"self": widen(inputs["self"])}
    below = (on.exact(scope["self"]) - on.exact(widen(inputs["most"]))).stored()
    power = below.exp().stored()
    terms = Terms(
        {"total": (power, "rows")}, scope, outputs={"out": "self"}, gathers={"out": "rows"}
    )
    return below, power, terms


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    del attributes
    _, power, terms = exponentials(inputs, on)
    sums = yield terms
    return {"out": power / sums["total"].stored()}
