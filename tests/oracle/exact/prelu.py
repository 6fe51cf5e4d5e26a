# SPDX-License-Identifier: Apache-2.0
"""aclnnPrelu in 100 digits: the two terms of the document added up."""

from __future__ import annotations

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Values, number, single


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``; a weight of several elements has one per channel."""
    del values
    x, factors = inputs["self"], inputs["weight"].reshape(-1)

    def out(index: Index) -> Exact:
        a = number(factors[index[1] if factors.size > 1 else 0])
        zero = mpmath.mpf(0)
        return single(max(zero, number(x[index])) + a * min(zero, number(x[index])))

    return {"out": out}
