# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutBackward in 100 digits: one product, where a bit of the mask is 1."""

from __future__ import annotations

import numpy as np
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Values, number, single


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: a scale of 0 makes everything 0, one of 1 changes nothing."""
    gradient, octets = inputs["gradOutput"], inputs["mask"].reshape(-1)
    scale = float(values["scale"])

    def out(index: Index) -> Exact:
        place = int(np.ravel_multi_index(index, gradient.shape)) if index else 0
        kept = int(octets[place // 8]) >> (place % 8) & 1
        if scale == 1:
            return single(number(gradient[index]))
        if scale == 0 or not kept:
            return single(number(0))
        return single(number(gradient[index]) * number(scale))

    return {"out": out}
