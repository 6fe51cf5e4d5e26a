# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutDoMask: self / (1 - prob) where the mask's bit is set, otherwise 0.

Names for the spec's ``when``, output ``out``: ``self`` and ``keep`` (the element's mask bit);
``prob`` is an attribute.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import CONVERTED, FLOAT64, Arithmetic, either, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.operators.dropout_backward import kept


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return ``self`` as it is and ``keep``, its elements' mask bits, in its shape."""
    del attributes
    return {"self": inputs["self"], "keep": kept(inputs["mask"], inputs["self"])}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` for the aligned inputs, ``self`` and ``keep`` of one shape.

    A prob of 0 changes nothing, whatever the mask says; 1 turns everything into 0, Inf and NaN,
    too. Otherwise the operator works with the probability 1 - prob to keep an element, which it
    divides by or whose reciprocal it takes; the result is made in self's type and converted to that
    of out afterwards.
    """
    x, keep, prob = widen(inputs["self"]), inputs["keep"], float(attributes["prob"])
    scope = {"self": x, "keep": keep}
    number = on.exact(x)
    if prob == 0:
        return {"out": Result(number, scope)}
    if prob == 1:
        return {"out": Result(on.exact(np.zeros_like(x)), scope)}
    probability = (on.exact(1.0) - on.rounded(prob).stored()).stored().shared()
    scale = (on.exact(1.0) / probability).stored().shared()
    product = either(number * scale, number / probability).stored(CONVERTED)
    out = product if keep.all() else select(keep, product, on.exact(0.0))
    return {"out": Result(out, scope, shared=float(scale.total) * (1 - prob))}
