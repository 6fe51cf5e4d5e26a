# SPDX-License-Identifier: Apache-2.0
"""aclnnAvgPool2d: the sum of each window of a plane with padding, divided by one of three divisors.

These are divisorOverride unless it is 0, the number of positions of a kernel with countIncludePad,
and the number of elements of the plane in the window without.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Part, Result, widen


def shape(inputs: Inputs, attributes: Attributes) -> tuple[int, ...]:
    """Return the shape of ``out``."""
    return (*inputs["self"].shape[:-2], int(attributes["Ho"]), int(attributes["Wo"]))


def part(inputs: Inputs, attributes: Attributes, start: int, stop: int) -> Part:
    """Return the smaller call that gives some elements of ``out``."""
    rows = windows.along(attributes, "H")
    inside = windows.inside(rows, attributes["H"])
    return windows.part(inputs, attributes, inside, int(attributes["Wo"]), start, stop)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return sums of windows in the shape of ``out``, their divisors, and which overhang."""
    which = attributes.get("which")
    rows, columns = (windows.inside(windows.along(attributes, a), attributes[a]) for a in "HW")
    sums = windows.window_sums(inputs["self"], windows.over(rows, which), columns)
    divisors, overhangs = windows.divisors(attributes)
    selection = slice(None) if which is None else which
    spread = {"count": divisors[selection], "overhangs": overhangs[selection]}
    return sums | {n: np.broadcast_to(a, sums["total"].shape) for n, a in spread.items()}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out``, the quotient of each window."""
    terms = min(int(attributes["kH"]), int(attributes["H"]))
    terms *= min(int(attributes["kW"]), int(attributes["W"]))
    scope = {"overhangs": np.not_equal(widen(inputs["overhangs"]), 0)}
    return {"out": Result(windows.mean(inputs, terms, on), scope)}
