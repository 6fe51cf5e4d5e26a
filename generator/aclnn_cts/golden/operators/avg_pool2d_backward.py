# SPDX-License-Identifier: Apache-2.0
"""aclnnAvgPool2dBackward: an element gets a share of the gradient of each window that holds it.

The share is the gradient over the divisor that the forward operator has for that window.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Part, Result, widen


def shape(inputs: Inputs, attributes: Attributes) -> tuple[int, ...]:
    """Return the shape of ``gradInput``."""
    del attributes
    return inputs["self"].shape


def part(inputs: Inputs, attributes: Attributes, start: int, stop: int) -> Part:
    """Return the smaller call that gives some elements of ``gradInput``."""
    rows, gradient = windows.holding(attributes, "H"), {"gradOutput": inputs["gradOutput"]}
    return windows.part(gradient, attributes, rows, int(attributes["W"]), start, stop)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return sums of shares in the shape of ``gradInput``, and how many windows have a part."""
    which = attributes.get("which")
    rows, columns = (windows.holding(attributes, axis) for axis in "HW")
    divisors, overhangs = windows.divisors(attributes)
    if which is not None:
        band = slice(rows[0][which].min(), rows[1][which].max())
        divisors, overhangs = divisors[band], overhangs[band]
        rows = windows.over(rows, which)
    sums = windows.window_sums(widen(inputs["gradOutput"]) / divisors, rows, columns)
    covering = sums.pop("count")
    overhanging = windows.reduce_windows(np.add, overhangs.astype(np.float64), rows, columns)
    spread = {"covering": covering, "overhanging": overhanging}
    return sums | {n: np.broadcast_to(a, covering.shape) for n, a in spread.items()}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput``, the sum of the shares of each element."""
    longest = [
        int((stops - starts).max(initial=0))
        for starts, stops in (windows.holding(attributes, axis) for axis in "HW")
    ]
    size = inputs["size"]
    losses, terms = windows.losses(inputs, on), longest[0] * longest[1]
    sums = on.sums(inputs["total"], size, inputs["extremes"], terms, losses)
    # The share by which a quotient is off does not depend on the divisor. Below the normal range,
    # each is off by half the smallest number.
    one = on.keeping.exact(1.0)
    share = 3 * float((one * (one / on.exact(3.0))).operand.result.total)
    quotients = share * size + inputs["covering"] * (on.narrowest.smallest_subnormal / 2)
    scope = {name: widen(inputs[name]) for name in ("covering", "overhanging")}
    return {"gradInput": Result(replace(sums, error=sums.error + quotients), scope)}
