# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutBackward: gradOutput * scale where the mask's bit is set, otherwise 0.

Names for the spec's ``when``, output ``out``: ``gradOutput`` and ``keep`` (the element's mask bit);
``scale`` is an attribute.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return ``gradOutput`` as it is and ``keep``, its elements' mask bits, in its shape."""
    del attributes
    gradient = inputs["gradOutput"]
    return {"gradOutput": gradient, "keep": kept(inputs["mask"], gradient)}


def kept(mask: npt.NDArray[Any], elements: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which elements' bits are 1, in their shape.

    Element k (in row-major order) belongs to bit k % 8, counted from the least significant, of byte
    k // 8 of ``mask``. The bits beyond the last element pad the mask to 128 bits and mean nothing.
    """
    bits = np.unpackbits(mask.reshape(-1), count=elements.size, bitorder="little")
    return bits.view(np.bool_).reshape(elements.shape)


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for the aligned inputs, ``gradOutput`` and ``keep`` of one shape.

    The document makes two scales special: 0 turns everything into 0 (Inf and NaN, too), and 1
    changes nothing, whatever the mask holds. Otherwise the operator works with the probability to
    keep an element, 1 / scale, whose reciprocal it takes; the product is made in gradOutput's type
    and converted to that of out afterwards.
    """
    gradient, keep, scale = widen(inputs["gradOutput"]), inputs["keep"], float(attributes["scale"])
    scope = {"gradOutput": gradient, "keep": keep}
    number = on.exact(gradient)
    if scale == 1:
        return {"out": Result(number, scope)}
    if scale == 0:
        return {"out": Result(on.exact(np.zeros_like(gradient)), scope)}
    probability = on.rounded(1 / scale).stored()
    # float64 takes no such detour: the exact value is that of the formula.
    factor = replace((on.exact(1.0) / probability).stored(), value=np.asarray(scale)).shared()
    # A kernel may divide by the probability instead, with an error on one side all the time.
    divided = replace(number / probability.shared(), value=number.value * scale)
    product = either(number * factor, divided).stored(CONVERTED)
    out = product if keep.all() else select(keep, product, on.exact(0.0))
    return {"out": Result(out, scope, shared=float(factor.total) / scale)}
