# SPDX-License-Identifier: Apache-2.0
"""Common parts of losses: of each element, or their mean or sum by ``reduction``."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import CONVERTED, Number, either
from aclnn_cts.golden.formula import (
    Attributes,
    Inputs,
    Sums,
    Terms,
    aligned_shape,
    has_sums,
    widen,
)

MEAN, SUM = 1, 2


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs of one shape, and the ``count`` of their elements."""
    del attributes
    return {**inputs, "count": np.array(float(np.prod(aligned_shape(inputs))))}


def is_by_place(module: ModuleType) -> bool:
    """Whether each term of a formula needs only the elements of inputs at its own place."""
    if hasattr(module, "align"):
        return module.align is align
    return not has_sums(module) and not hasattr(module, "part")


def reduce_losses(
    losses: Number,
    inputs: Inputs,
    scope: Mapping[str, Any],
    reduction: int,
    output: str = "out",
) -> Sums:
    """Return the output for the losses of the elements.

    The mean may also be the sum of losses that were divided before.

    Args:
        inputs: The aligned inputs, the first in the shape of the losses.
        reduction: 1 for the mean, 2 for the sum; otherwise the losses are the output.
    """
    if reduction not in (MEAN, SUM):
        yield Terms({}, scope, {output: next(iter(inputs))}, {})
        return {output: losses.store(CONVERTED)}
    count = losses.on.exact(widen(inputs["count"]))
    terms = {"total": (losses, "count")}
    if reduction == MEAN:
        # the formula does not name the shares, so no device keeps them in the tensors' type
        terms["shares"] = ((losses / count).result, "count")
    sums = yield Terms(terms, scope, {output: "count"}, {output: "count"})
    out = sums["total"]
    if reduction == MEAN:
        out = either(out / count, sums["shares"])
    return {output: out.store(CONVERTED)}
