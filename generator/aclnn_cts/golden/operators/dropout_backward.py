# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutBackward: gradOutput * scale where the mask's bit is set, otherwise 0.

Names for the spec's ``when``, output ``out``: ``gradOutput`` and ``keep`` (the element's mask bit);
``scale`` is an attribute.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen

ELEMENTWISE = True


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return ``gradOutput`` as it is and ``keep``, its elements' mask bits, in its shape.

    Element k (in row-major order) belongs to bit k % 8, counted from the least significant, of byte
    k // 8 of ``mask``. The bits beyond the last element pad the mask to 128 bits and mean nothing.
    """
    del attributes
    gradient = inputs["gradOutput"]
    bits = np.unpackbits(inputs["mask"].reshape(-1), count=gradient.size, bitorder="little")
    return {"gradOutput": gradient, "keep": bits.view(np.bool_).reshape(gradient.shape)}


def evaluate(inputs: Inputs, attributes: Attributes) -> dict[str, Result]:
    """Return ``out`` for the aligned inputs, ``gradOutput`` and ``keep`` of one shape.

    The document makes two scales special: 0 turns everything into 0 (Inf and NaN, too), and 1
    changes nothing, whatever the mask says. ``bound`` is the value's magnitude: there is one
    product, and nothing cancels. That product is the only rounding to float64, too.
    """
    gradient, keep, scale = widen(inputs["gradOutput"]), inputs["keep"], float(attributes["scale"])
    if scale == 0:
        value = np.zeros_like(gradient)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            value = gradient * scale
        if scale != 1:
            np.copyto(value, 0.0, where=~keep)
    scope = {"gradOutput": gradient, "keep": keep}
    roundings = 0 if scale in (0, 1) else 1
    return {"out": Result(value, np.abs(value), scope, roundings=roundings)}
