# SPDX-License-Identifier: Apache-2.0
"""aclnnLogitGrad in 100 digits: the third case of the document's formula."""

from __future__ import annotations

import math

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import (
    Arrays,
    Elements,
    Exact,
    Index,
    Number,
    Values,
    number,
    single,
)


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``; where x lies does not matter, what is promised there is the spec's to say."""
    del values

    def out(index: Index) -> Exact:
        x, dy = float(inputs["x"][index]), float(inputs["dy"][index])
        denominator = number(x) * (1 - number(x))
        return single(_pole(x, dy) if denominator == 0 else number(dy) / denominator)

    return {"out": out}


def _pole(x: float, dy: float) -> Number:
    """Return dy / 0 as IEEE 754 has it: 0 / 0 is NaN, and the zero's sign counts."""
    if math.isnan(dy) or dy == 0:
        return mpmath.nan
    return mpmath.inf * math.copysign(1, dy) * math.copysign(1, x)
