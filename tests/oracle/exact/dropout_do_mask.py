# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutDoMask in 100 digits: one quotient, where a bit of the mask is 1."""

from __future__ import annotations

import numpy as np
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Values, number, single


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: a prob of 0 changes nothing, one of 1 makes everything 0."""
    x, octets, prob = inputs["self"], inputs["mask"].reshape(-1), float(values["prob"])

    def out(index: Index) -> Exact:
        place = int(np.ravel_multi_index(index, x.shape)) if index else 0
        dropped = not int(octets[place // 8]) >> (place % 8) & 1
        if prob == 0:
            return single(number(x[index]))
        if prob == 1 or dropped:
            return single(number(0))
        return single(number(x[index]) / (1 - number(prob)))

    return {"out": out}
