# SPDX-License-Identifier: Apache-2.0
"""Operators whose output element follows from the input elements at its place, in 100 digits."""

from __future__ import annotations

from collections.abc import Callable

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


def elementwise(
    output: str,
    inputs: tuple[str, ...],
    formula: Callable[..., Number],
    scalars: tuple[str, ...] = (),
) -> Callable[[Arrays, Values], Elements]:
    """Return the oracle of a formula of one element from each of the inputs, and of scalars."""

    def oracle(arrays: Arrays, values: Values) -> Elements:
        given = [number(values[name]) for name in scalars]

        def element(index: Index) -> Exact:
            return single(formula(*(number(arrays[name][index]) for name in inputs), *given))

        return {output: element}

    return oracle


def silu(x: Number) -> Number:
    """Return x / (1 + e^-x)."""
    return x / (1 + mpmath.exp(-x))


def fast_gelu(x: Number) -> Number:
    """Return x / (1 + e^(-1.702 x))."""
    return x / (1 + mpmath.exp(mpmath.mpf("-1.702") * x))


def fast_gelu_backward(gradient: Number, x: Number) -> Number:
    """Return the gradient times the slope of fast gelu, as the document writes it."""
    s = 1 / (mpmath.exp(mpmath.mpf("-1.702") * x) + 1)
    return gradient * ((s - 1) * mpmath.mpf("-1.702") * x + 1) * s


def log_sigmoid(x: Number) -> Number:
    """Return log(1 / (1 + e^-x)) as -log(1 + e^-x), which keeps its digits for a small e^-x."""
    return -mpmath.log1p(mpmath.exp(-x))


def leaky_relu(x: Number, slope: Number) -> Number:
    """Return the two terms of the document added up."""
    return max(mpmath.mpf(0), x) + slope * min(mpmath.mpf(0), x)


def softshrink(x: Number, lambd: Number) -> Number:
    """Return x moved by lambd towards 0, or 0 within lambd of it."""
    if x > lambd:
        return x - lambd
    return x + lambd if x < -lambd else mpmath.mpf(0)


def hardsigmoid_backward(gradient: Number, x: Number) -> Number:
    """Return a sixth of the gradient between -3 and 3, which belong to neither piece, or 0."""
    return gradient / 6 if -3 < x < 3 else mpmath.mpf(0)


def hardswish_backward(gradient: Number, x: Number) -> Number:
    """Return the gradient times 0, x / 3 + 0.5 or 1, by where x lies: -3 and 3 are in between."""
    if x < -3:
        return mpmath.mpf(0)
    return gradient if x > 3 else gradient * (x / 3 + mpmath.mpf("0.5"))


def hardswish_backward_v2(gradient: Number, x: Number) -> Number:
    """Return the same, with -3 and 3 belonging to the outer pieces."""
    if x <= -3:
        return mpmath.mpf(0)
    return gradient if x >= 3 else gradient * (x / 3 + mpmath.mpf("0.5"))
