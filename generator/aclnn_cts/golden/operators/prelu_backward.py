# SPDX-License-Identifier: Apache-2.0
"""aclnnPreluBackward: the gradients of y = x where x > 0, weight * x elsewhere.

``gradInput`` is gradOutput where self > 0, gradOutput * weight elsewhere; ``gradWeight`` sums
gradOutput * self over the elements with self <= 0 that one weight was applied to.

Names for the spec's ``when``, both outputs: ``gradOutput``, ``self`` and ``weight``, which
broadcast to self's shape; for ``gradWeight`` they belong inside ``any_of`` or ``all_of``, which
gather the elements that share the weight.
"""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, select
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.golden.movements import per_channel


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the inputs so that they broadcast to the shape of ``self``.

    ``weight`` has one element, or one per channel (dimension 1 of ``self``) in any shape.
    """
    del attributes
    return {**inputs, "weight": per_channel(inputs["weight"], inputs["self"].ndim)}


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``gradInput`` in the shape of ``self``, ``gradWeight`` in that of ``weight``.

    An empty sum is 0. A NaN in ``self`` belongs to neither case of the formula: the values that it
    reaches have no meaning.

    A device may run two kernels for gradWeight: one stores the products, another adds them.
    """
    del attributes
    scope = {name: widen(inputs[name]) for name in ("gradOutput", "self", "weight")}
    on = on.keeping
    dy, x, weight = map(on.exact, scope.values())
    positive = x.value > 0
    products = dy * x
    terms = select(positive, on.exact(0.0), products)
    outputs = {"gradInput": "self", "gradWeight": "weight"}
    yield Terms({"gradWeight": (terms, "weight")}, scope, outputs, {"gradWeight": "weight"})
    return {"gradInput": select(positive, dy, dy * weight)}
