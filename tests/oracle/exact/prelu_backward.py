# SPDX-License-Identifier: Apache-2.0
"""aclnnPreluBackward in 100 digits: both formulas of the document, case by case."""

from __future__ import annotations

import itertools

import numpy as np
from tests.oracle.exact.numbers import (
    Arrays,
    Elements,
    Exact,
    Index,
    Values,
    number,
    single,
    total,
)


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``gradInput`` and ``gradWeight``; a weight of several elements has one per channel."""
    del values
    x, weight = inputs["self"], inputs["weight"]
    gradient = np.broadcast_to(inputs["gradOutput"], x.shape)
    factors = weight.reshape(-1)

    def channel_of(index: Index) -> int:
        return index[1] if factors.size > 1 else 0

    def grad_input(index: Index) -> Exact:
        if x[index] > 0:
            return single(number(gradient[index]))
        return single(number(gradient[index]) * number(factors[channel_of(index)]))

    def grad_weight(index: Index) -> Exact:
        channel = int(np.ravel_multi_index(index, weight.shape)) if index else 0
        ranges = [range(extent) for extent in x.shape]
        if factors.size > 1:
            ranges[1] = range(channel, channel + 1)
        return total(
            number(gradient[place]) * number(x[place])
            for place in itertools.product(*ranges)
            if not x[place] > 0
        )

    return {"gradInput": grad_input, "gradWeight": grad_weight}
