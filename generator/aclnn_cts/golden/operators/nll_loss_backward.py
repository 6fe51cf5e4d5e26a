# SPDX-License-Identifier: Apache-2.0
"""aclnnNLLLossBackward: -gradOutput weight at the class of each sample, else 0."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, reading
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Result, widen
from aclnn_cts.golden.losses import MEAN
from aclnn_cts.golden.operators import nll_loss


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
    """Return ``target`` as aclnnNLLLoss has it, and as ``totalWeight`` the sum of what counts."""
    target = nll_loss.derive("target", inputs, attributes)
    if name == "target":
        return target
    weights = widen(inputs["weight"])[target.reshape(-1)]
    counted = weights[target.reshape(-1) != attributes["ignoreIndex"]]
    total: Array = counted.sum(keepdims=True).astype(np.float32)
    return total


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return what counts of each element of self, in shapes that broadcast to that of self.

    ``column`` is the class that an element belongs to, ``count`` the number of samples.
    """
    del attributes
    *samples, classes = inputs["self"].shape
    by_sample = (*samples, 1)
    gradient = inputs["gradOutput"]
    return {
        "gradOutput": gradient.reshape(by_sample if gradient.size > 1 else (1,)),
        "target": inputs["target"].reshape(by_sample).astype(np.float64),
        "column": np.arange(classes, dtype=np.float64),
        "weight": inputs["weight"],
        "totalWeight": inputs["totalWeight"],
        "count": np.array([float(np.prod(samples))]),
    }


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` as if each class were that of the sample; clauses say where it is 0.

    The document divides by the weights in one place, by the number of samples in another.
    """
    scope = {name: widen(array) for name, array in inputs.items()}
    shape = np.broadcast_shapes(*(array.shape for array in scope.values()))
    on = on.keeping
    gradient = on.exact(np.broadcast_to(scope["gradOutput"], shape))
    out = -gradient * on.exact(scope["weight"])
    if attributes["reduction"] == MEAN:
        out = reading(out / on.exact(scope["totalWeight"]), out / on.exact(scope["count"]))
    return {"out": Result(out, scope)}
