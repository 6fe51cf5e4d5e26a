# SPDX-License-Identifier: Apache-2.0
"""aclnnGluBackward: the gradient of a s, where s = 1 / (1 + exp(-b)), for a and for b.

a and b are the halves of self along an axis, and so are the two gradients of out.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, add_numbers, either, select
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return ``gradOut`` and the halves ``a`` and ``b`` of ``self`` for each half of ``out``.

    ``first`` tells which half an element belongs to.
    """
    axis, gradient = attributes["dim"], inputs["gradOut"]
    a, b = np.split(inputs["self"], 2, axis=axis)
    halves = {"gradOut": (gradient, gradient), "a": (a, a), "b": (b, b)}
    halves["first"] = (np.ones(a.shape, np.bool_), np.zeros(a.shape, np.bool_))
    return {name: np.concatenate(each, axis=axis) for name, each in halves.items()}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOut", "a", "b")}
    on = on.keeping
    gradient, a, b = map(on.exact, scope.values())
    one = on.exact(1.0)
    s = one / ((-b).exp() + one)
    to_a = gradient * s
    slope = s * (a * add_numbers(one, -s))
    to_b = either(to_a * add_numbers(a, -(a * s)), gradient * slope)
    out = select(inputs["first"], to_a, to_b)
    return {"out": Result(out, {**scope, "first": inputs["first"]})}
