# SPDX-License-Identifier: Apache-2.0
"""The gated linear unit and its gradient in 100 digits, as their pages write them."""

from __future__ import annotations

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Values, number, single


def glu(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: a / (1 + e^-b) for the halves a and b."""
    x, axis = inputs["self"], values["dim"] % inputs["self"].ndim
    half = x.shape[axis] // 2

    def out(index: Index) -> Exact:
        other = (*index[:axis], index[axis] + half, *index[axis + 1 :])
        return single(number(x[index]) / (1 + mpmath.exp(-number(x[other]))))

    return {"out": out}


def glu_backward(inputs: Arrays, values: Values) -> Elements:
    """Return ``out``: gradOut s, and gradOut s (a - a s), where s is 1 / (1 + e^-b)."""
    x, axis = inputs["self"], values["dim"] % inputs["self"].ndim
    half = x.shape[axis] // 2

    def out(index: Index) -> Exact:
        place = (*index[:axis], index[axis] % half, *index[axis + 1 :])
        other = (*index[:axis], index[axis] % half + half, *index[axis + 1 :])
        s = 1 / (1 + mpmath.exp(-number(x[other])))
        to_a, a = number(inputs["gradOut"][place]) * s, number(x[place])
        return single(to_a if index == place else to_a * (a - a * s))

    return {"out": out}
