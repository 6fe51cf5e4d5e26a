# SPDX-License-Identifier: Apache-2.0
"""aclnnAdaptiveAvgPool2d: the mean of each of outputSize[0] x outputSize[1] windows of a plane.

Of the extent L of an axis with n windows, window i takes the elements from floor(i * L / n) up to,
but not with, ceil((i + 1) * L / n): windows may differ by an element, and overlap by one.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Part, Result


def shape(inputs: Inputs, attributes: Attributes) -> tuple[int, ...]:
    """Return the shape of ``out``."""
    return (*inputs["self"].shape[:-2], *attributes["outputSize"])


def part(inputs: Inputs, attributes: Attributes, start: int, stop: int) -> Part:
    """Return the smaller call that gives some elements of ``out``."""
    rows, _ = _bounds(attributes)
    return windows.part(inputs, attributes, rows, attributes["outputSize"][1], start, stop)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the sums of the windows in the shape of ``out``."""
    rows, columns = _bounds(attributes)
    return windows.window_sums(inputs["self"], windows.over(rows, attributes.get("which")), columns)


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out``, the mean of each window."""
    longest = [int((stops - starts).max(initial=0)) for starts, stops in _bounds(attributes)]
    return {"out": Result(windows.mean(inputs, longest[0] * longest[1], on), {})}


def _bounds(attributes: Attributes) -> tuple[windows.Bounds, windows.Bounds]:
    """Return the windows along both axes; those of a part of the call if it is one."""
    sizes = zip((attributes["H"], attributes["W"]), attributes["outputSize"], strict=True)
    rows, columns = (
        (np.arange(count) * extent // count, -(-np.arange(1, count + 1) * extent // count))
        for extent, count in sizes
    )
    return rows, columns
