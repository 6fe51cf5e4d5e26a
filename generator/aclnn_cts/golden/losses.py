# SPDX-License-Identifier: Apache-2.0
"""Common parts of losses: of each element, or their mean or sum by ``reduction``."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import CONVERTED, Number, either, reading
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


def reduced(
    losses: Number,
    inputs: Inputs,
    scope: Mapping[str, Any],
    attributes: Attributes,
    output: str = "out",
) -> Sums:
    """Return the output for the losses of the elements.

    The mean may also be the sum of losses that were divided before.
    """
    reduction = attributes["reduction"]
    if reduction not in (MEAN, SUM):
        yield Terms({}, scope, {output: "self"}, {})
        return {output: losses.stored(CONVERTED)}
    count = losses.on.exact(widen(inputs["count"]))
    terms = {"total": (losses, "count")}
    if reduction == MEAN:
        terms["shares"] = (losses / count, "count")
    sums = yield Terms(terms, scope, {output: "count"}, {output: "count"})
    out = sums["total"].stored()
    if reduction == MEAN:
        out = either(out / count, sums["shares"])
    return {output: out.stored(CONVERTED)}


def share_of_each(factor: Number, attributes: Attributes) -> Number:
    """Return the weight of each loss in a gradient; for a mean, a share of the factor.

    Its divisor is the number of elements of self (``count``), or of the output (``stretched``),
    which differs if inputs broadcast together.
    """
    if attributes["reduction"] != MEAN:
        return factor
    names = [name for name in ("count", "stretched") if name in attributes]
    shares = [factor / factor.on.exact(float(attributes[name])) for name in names]
    return reading(shares[0], shares[-1])


def gradient_by(slope: Number, gradient: Number, attributes: Attributes) -> Number:
    """Return a gradient times the slope of each loss; for a mean a share, in either order.

    Args:
        slope: The derivative of each loss, as it may be stored.
    """
    if attributes["reduction"] != MEAN:
        return (gradient * slope).stored(CONVERTED)
    share = share_of_each(gradient.on.exact(1.0), attributes)
    slope_first = (gradient * slope).stored() * share
    share_first = (gradient * share.stored()).stored() * slope
    return either(slope_first, share_first).stored(CONVERTED)
