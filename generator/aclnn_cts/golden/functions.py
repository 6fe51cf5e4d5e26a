# SPDX-License-Identifier: Apache-2.0
"""The functions of formulas.

A function that pages write as a term (``log(1 + exp(x))``) has the error of the operations of that
term. Its value is computed in another way where the term loses digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import methodcaller

import numpy as np

from aclnn_cts.golden.arithmetic import Error, Number, either, larger
from aclnn_cts.golden.bits import wrap
from aclnn_cts.golden.error_function import erfc
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.outcomes import ANY_INF, NAN, extremes_of
from aclnn_cts.spec.evaluation import round_outward


def expm1(x: Number) -> Number:
    """Return exp(x) - 1."""
    return replace(x.exp() - x.on.exact(1.0), value=np.expm1(x.value))


def sigmoid(x: Number) -> Number:
    """Return 1 / (1 + exp(-x))."""
    one = x.on.exact(1.0)
    return one / ((-x).exp() + one)


def log_sigmoid(x: Number) -> Number:
    """Return log(1 / (1 + exp(-x)))."""
    value = np.minimum(x.value, 0.0) - np.log1p(np.exp(-np.abs(x.value)))
    return replace(sigmoid(x).log(), value=value)


_FAR = 690.0
"""From here on float64 has no digits for 1 less the sigmoid."""


def log_one_minus_sigmoid(x: Number) -> Number:
    """Return log(1 - 1 / (1 + exp(-x))).

    Far out, 1 less the sigmoid is nothing but the sigmoid's error.
    """
    value = np.maximum(1.0 / (1.0 + np.exp(x.value)), np.exp(-_FAR))
    number = replace(x.on.exact(1.0) - sigmoid(x), value=value).log().result
    beyond = np.where(np.greater(x.value, _FAR), np.abs(x.value), 0.0)
    return replace(number, error=number.error + beyond)


def softplus(x: Number) -> Number:
    """Return log(1 + exp(x))."""
    value = np.maximum(x.value, 0.0) + np.log1p(np.exp(-np.abs(x.value)))
    return replace((x.exp() + x.on.exact(1.0)).log(), value=value)


def softplus_slope(x: Number) -> Number:
    """Return exp(x) / (1 + exp(x)), by the chain rule, or that fraction reduced.

    The exponential of the first may overflow.
    """

    def fraction(x: Number) -> Number:
        one, power = x.on.exact(1.0), x.exp()
        return either(one / ((-x).exp() + one), power / (power + one))

    def steepest(x: FloatArray, off: Error) -> FloatArray:
        power: FloatArray = np.exp(-np.maximum(np.abs(x) - off, 0.0))
        return power / ((1 + power) * (1 + power))

    return x.through(fraction, steepest)


def one_minus_square(x: Number) -> Number:
    """Return 1 - x * x."""
    return replace(x.on.exact(1.0) - x * x, value=(1 - x.value) * (1 + x.value))


def complementary_error(x: Number) -> Number:
    """Return 1 - erf(x)."""
    return replace(x.on.exact(1.0) - x.erf(), value=erfc(x.value))


def tan(x: Number) -> Number:
    """Return sin(x) / cos(x)."""
    return replace(x.sin() / x.cos(), value=np.tan(x.value))


def acos(x: Number) -> Number:
    """Return pi / 2 - asin(x)."""
    return replace(x.on.constant(math.pi / 2) - x.asin(), value=np.arccos(x.value))


def sinh(x: Number) -> Number:
    """Return 0.5 * (exp(x) - exp(-x))."""
    return replace(x.on.exact(0.5) * (x.exp() - (-x).exp()), value=np.sinh(x.value), factors=None)


def cosh(x: Number) -> Number:
    """Return 0.5 * (exp(x) + exp(-x))."""
    return replace(x.on.exact(0.5) * (x.exp() + (-x).exp()), value=np.cosh(x.value), factors=None)


def asinh(x: Number) -> Number:
    """Return log(x + sqrt(x * x + 1)); the sum loses its digits below 0."""
    root = (x * x + x.on.exact(1.0)).sqrt()
    total = x + root
    kept = np.where(x.value < 0, 1 / (root.value - x.value), total.value)
    return replace(replace(total, value=kept).log(), value=np.arcsinh(x.value))


def acosh(x: Number) -> Number:
    """Return log(x + sqrt(x * x - 1))."""
    root = (x * x - x.on.exact(1.0)).sqrt()
    return replace((x + root).log(), value=np.arccosh(x.value))


def atanh(x: Number) -> Number:
    """Return 0.5 * log((1 + x) / (1 - x))."""
    one = x.on.exact(1.0)
    half = x.on.exact(0.5) * ((one + x) / (one - x)).log()
    return replace(half, value=np.arctanh(x.value), factors=None)


def exp2(x: Number) -> Number:
    """Return exp(x * log(2))."""
    return replace((x * x.on.constant(math.log(2))).exp(), value=np.exp2(x.value))


def log2(x: Number) -> Number:
    """Return log(x) / log(2)."""
    return replace(x.log() / x.on.constant(math.log(2)), value=np.log2(x.value))


def log10(x: Number) -> Number:
    """Return log(x) / log(10)."""
    return replace(x.log() / x.on.constant(math.log(10)), value=np.log10(x.value))


def log1p(x: Number) -> Number:
    """Return log(1 + x)."""
    return replace((x.on.exact(1.0) + x).log(), value=np.log1p(x.value))


def normal_cdf(x: Number) -> Number:
    """Return 0.5 * (1 + erf(x / sqrt(2))), as one number: pages do not write its terms."""
    on = x.on
    error = (x / on.constant(math.sqrt(2))).erf()
    value = 0.5 * erfc(-x.value / math.sqrt(2))
    return replace(on.exact(0.5) * (error + on.exact(1.0)), value=value, factors=None)


def power(x: Number, y: Number) -> Number:
    """Return x to the power of y; its magnitude has the error of exp(y * log(abs(x))).

    A device may have rounded an odd y to an even one, which changes the sign. Those of integers are
    exact.
    """
    value = np.power(x.value, y.value)
    if x.on.whole:
        return x.on.exact(value)
    is_usual = np.isfinite(x.value) & (x.value != 0) & np.isfinite(y.value)
    size, exponent = abs(x.operand).result, y.operand.result
    size = replace(size, value=np.where(is_usual, size.value, 1.0))
    exponent = replace(exponent, value=np.where(is_usual, exponent.value, 0.0))
    result = (exponent * size.log()).exp()
    is_of_either_sign = (x.value < 0) & (np.asarray(exponent.total) > 0.5)
    error = result.error + np.where(is_of_either_sign, 2 * np.abs(result.value), 0.0)
    extremes = 0 if result.extremes is None else result.extremes
    extremes = np.where(is_usual, extremes, extremes_of(value)).astype(np.uint8)
    open_bits = extremes if extremes.any() else None
    return replace(result, value=value, error=error, extremes=open_bits, factors=None)


def host(x: Number) -> Number:
    """Return a scalar that the host computes in double, and passes in the computing type."""
    return x.on.round_scalar(float(x.value))


def narrowed(x: Number) -> Number:
    """Return a scalar in the narrowest type to which a device may convert it."""
    on, value = x.on, float(x.value)
    narrowest = min(on.scalar_types, default=on.storage, key=lambda grid: grid.fraction_bits)
    ends = round_outward(value, value, narrowest)
    return on.exact(min(ends, key=lambda end: abs(end - value)))


def wrapped(x: Number) -> Number:
    """Return a number; of an integer beyond its type, the lowest bits."""
    return x.on.exact(wrap(x.on.whole, x.value)) if x.on.whole else x


def _remainder(x: Number, y: Number, rule: np.ufunc, exact: np.ufunc) -> Number:
    """Return x less the multiple of y that a rule rounds its quotient by y to.

    Of a quotient that overflows, the fraction is unknown: some devices have NaN for it.
    """
    value = exact(x.value, y.value)
    if x.on.whole:
        is_itself = (y.value == 0) & (rule is np.floor)
        return x.on.exact(np.where(is_itself, x.value, value))
    rest = x - (x / y).truncate(rule) * y
    if rest.extremes is not None:
        overflows = np.isfinite(value) & ((rest.extremes & ANY_INF) != 0)
        rest = replace(rest, extremes=rest.extremes | overflows * NAN)
    return replace(rest, value=value, factors=None)


FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    "abs": lambda x: abs(x.operand),
    "exp": Number.exp,
    "log": Number.log,
    "sqrt": Number.sqrt,
    "tanh": Number.tanh,
    "erf": Number.erf,
    "erfc": complementary_error,
    "sin": Number.sin,
    "cos": Number.cos,
    "tan": tan,
    "asin": Number.asin,
    "acos": acos,
    "atan": Number.atan,
    "sinh": sinh,
    "cosh": cosh,
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "exp2": exp2,
    "log2": log2,
    "log10": log10,
    "log1p": log1p,
    "floor": methodcaller("truncate", np.floor),
    "ceil": methodcaller("truncate", np.ceil),
    "trunc": Number.truncate,
    "round": methodcaller("truncate", np.rint),
    "expm1": expm1,
    "sigmoid": sigmoid,
    "log_sigmoid": log_sigmoid,
    "log_one_minus_sigmoid": log_one_minus_sigmoid,
    "softplus": softplus,
    "softplus_slope": softplus_slope,
    "one_minus_square": one_minus_square,
    "normal_cdf": normal_cdf,
    "narrowed": narrowed,
    "wrapped": wrapped,
    "host": host,
    "max": larger,
    "min": lambda one, other: -larger(-one, -other),
    "with_sign": Number.with_sign_of,
    "remainder": lambda x, y: _remainder(x, y, np.floor, np.remainder),
    "power": power,
    "fmod": lambda x, y: _remainder(x, y, np.trunc, np.fmod),
}
