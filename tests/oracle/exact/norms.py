# SPDX-License-Identifier: Apache-2.0
"""Normalisations in 100 digits, as their pages write them."""

from __future__ import annotations

import functools

import mpmath  # type: ignore[import-untyped, unused-ignore]
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Number, Values, number


def rms_norm(inputs: Arrays, values: Values) -> Elements:
    """Return ``rstdOut``, 1 / Rms(x) of a row, and ``yOut``, that times x times gamma."""
    x, gamma = inputs["x"], inputs["gamma"]
    leading = x.ndim - gamma.ndim

    @functools.cache
    def inverse(row: Index) -> Number:
        squares = [number(each) ** 2 for each in x[row].reshape(-1)]
        return 1 / mpmath.sqrt(mpmath.fsum(squares) / len(squares) + number(values["epsilon"]))

    def y(index: Index) -> Exact:
        scaled = inverse(index[:leading]) * number(x[index])
        return Exact(scaled * number(gamma[index[leading:]]), None)

    return {"yOut": y, "rstdOut": lambda index: Exact(inverse(index[:leading]), None)}
