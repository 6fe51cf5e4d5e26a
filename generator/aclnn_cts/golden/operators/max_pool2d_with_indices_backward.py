# SPDX-License-Identifier: Apache-2.0
"""aclnnMaxPool2dWithIndicesBackward: each window hands its gradient to the element it names.

Names for the spec's ``when``: ``selected``, how many windows name the element, and
``unsupported``, how many windows that hold it hold a NaN or -Inf, too. Without ``indices`` a window
names the first of its maxima.
"""

from __future__ import annotations

from itertools import islice

import numpy as np

from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Part, Result, widen
from aclnn_cts.golden.operators import max_pool2d_with_indices


def shape(inputs: Inputs, attributes: Attributes) -> tuple[int, ...]:
    """Return the shape of ``gradInput``."""
    del attributes
    return inputs["self"].shape


def part(inputs: Inputs, attributes: Attributes, start: int, stop: int) -> Part:
    """Return the windows over some elements of ``gradInput``, and what these windows hold."""
    height, width, count, columns = (int(attributes[name]) for name in ("H", "W", "Ho", "Wo"))
    first, last = start // (height * width), -(-stop // (height * width))
    top, bottom, low, high = 0, height, 0, count
    if last - first == 1:
        top, bottom = start // width - first * height, -(-stop // width) - first * height
        starts, stops = (bound[top:bottom] for bound in windows.holding(attributes, "H"))
        low = min(int(starts.min()), count - 1)
        high = max(int(stops.max()), low + 1)
    seen = (first * count + low) * columns, ((last - 1) * count + high) * columns
    chosen_planes, names, _ = max_pool2d_with_indices.part(inputs, attributes, *seen)
    of_windows = {
        name: inputs[name].reshape(-1, count, columns)[first:last, low:high]
        for name in ("gradOutput", "indices")
        if name in inputs
    }
    band = {"top": top, "bottom": bottom, "low": low}
    return (
        {**chosen_planes, **of_windows},
        {**names, **band},
        start - (first * height + top) * width,
    )


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return, in the shape of ``gradInput``, what the windows over an element hand to it."""
    aligned = max_pool2d_with_indices.align(inputs, attributes)
    top, low = attributes.get("top", 0), attributes.get("low", 0)
    band = slice(top, attributes.get("bottom", int(attributes["H"])))
    width = int(attributes["W"])
    rows = tuple(bound[band] - low for bound in windows.holding(attributes, "H"))
    places = inputs.get("indices", aligned["place"])
    spoiled = aligned["unsupported"].astype(np.float64)
    columns = windows.holding(attributes, "W")
    unsupported = np.zeros((*spoiled.shape[:-2], len(rows[0]), len(columns[0])))
    if spoiled.any():
        unsupported = windows.reduce_windows(np.add, spoiled, (rows[0], rows[1]), columns)
    handed = windows.scatter(widen(inputs["gradOutput"]), places - top * width, unsupported.shape)
    return handed | {"unsupported": unsupported}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput``, the sum of the gradients of each element."""
    terms = windows.overlapping(attributes)
    number = on.sums(inputs["total"], inputs["size"], inputs["extremes"], terms)
    scope = {name: widen(inputs[name]) for name in ("selected", "unsupported")}
    return {"gradInput": Result(number, scope)}


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
    """Return ``indices``: the second maximum of each window, or the only one."""
    del name
    choices = islice(max_pool2d_with_indices.choices(inputs, attributes), 2)
    *_, places = (choice["place"] for choice in choices)
    return np.maximum(places, 0)
