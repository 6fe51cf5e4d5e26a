# SPDX-License-Identifier: Apache-2.0
"""Operators whose output element follows from the input elements at its place, in 100 digits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
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

from aclnn_cts.spec.models import OperatorSpec


def stem(spec: OperatorSpec) -> str:
    """Return the name of a function of elements, of tensors or of lists, in place or not."""
    return spec.kernel.removeprefix("foreach_").removeprefix("inplace_").removesuffix("_inplace")


def oracle(spec: OperatorSpec) -> Callable[[Arrays, Values], Elements]:
    """Return the oracle of the function here that has the name of the spec's formula.

    It gets an element of each input, then the attributes, in the order of the prototype, and what
    the spec derives. Where the page says how integers are rounded, a second function, whose name
    ends in ``_of_integers``, does that.
    """
    named = globals().get(spec.kernel) or FUNCTIONS.get(stem(spec))
    of_floats: Callable[..., Number] = named or globals()[stem(spec)]
    of_integers: Callable[..., Number] = globals().get(f"{spec.kernel}_of_integers", of_floats)
    (output,) = spec.outputs

    def elements(arrays: Arrays, values: Values) -> Elements:
        attributes = [
            number(values[each.name]) if each.attribute == "scalar" else values[each.name]
            for each in spec.attributes
        ]
        attributes += [values[name] for name in spec.derived]

        inputs = np.broadcast_arrays(*(arrays[tensor.name] for tensor in spec.inputs))
        # a scalar that is no integer makes the common type a floating one
        scalars = [values[each.name] for each in spec.attributes if each.attribute == "scalar"]
        are_whole = inputs[0].dtype.kind in "iu" and all(isinstance(x, int) for x in scalars)
        formula = of_integers if are_whole else of_floats

        def element(index: Index) -> Exact:
            numbers = [number(array[index]) for array in inputs]
            if "addcdiv" in spec.kernel and _is_negative_zero(inputs[2][index]):
                numbers[1] = -numbers[1]  # of a quotient by 0
            result = formula(*numbers, *attributes)
            if spec.kernel in WRAPPED and inputs[0].dtype.kind in "iu":
                result = wrapped(result, np.iinfo(inputs[0].dtype))
            turned = stem(spec) in POLES and _is_negative_zero(inputs[-1][index])
            return single(-result if turned else result)

        return {output.name: element}

    return elements


def wrapped(x: Number, info: np.iinfo[Any]) -> Number:
    """Return the integer of a type that has the lowest bits of any."""
    return (x - int(info.min)) % 2**info.bits + int(info.min)


def _is_negative_zero(x: np.generic) -> bool:
    return bool(x == 0 and np.signbit(x))


def power(x: Number, y: Number) -> Number:
    """Return x to the power of y; of a negative number to one with a fraction there is none."""
    if not (mpmath.isfinite(x) and mpmath.isfinite(y)) or (x < 0 and not mpmath.isint(y)):
        return mpmath.nan
    if x == 0:
        return mpmath.mpf(y == 0) if y >= 0 else mpmath.inf
    return x ** (int(y) if x < 0 else y)


def quotient(a: Number, b: Number) -> Number:
    """Return a / b; of 0 it is infinite, or no number."""
    if b == 0:
        return mpmath.nan if a == 0 or mpmath.isnan(a) else mpmath.sign(a) * mpmath.inf
    return a / b


def whole(x: Number) -> Number:
    """Return the largest whole number that is not above; Inf and NaN as they are."""
    return mpmath.floor(x) if mpmath.isfinite(x) else x


def within_one(function: Callable[[Number], Number]) -> Callable[[Number], Number]:
    """Return an inverse of the sine or the cosine, which numbers beyond 1 do not have."""
    return lambda x: function(x) if abs(x) <= 1 else mpmath.nan


def of_finite(function: Callable[[Number], Number]) -> Callable[[Number], Number]:
    """Return a function of angles, which Inf is not."""
    return lambda x: function(x) if mpmath.isfinite(x) else mpmath.nan


def logarithm(x: Number, base: Number) -> Number:
    """Return the logarithm, which a negative number does not have."""
    return mpmath.log(x) / mpmath.log(base) if not x < 0 else mpmath.nan


def truth(condition: Callable[..., bool]) -> Callable[..., Number]:
    """Return 1 where a condition holds, and 0 elsewhere."""
    return lambda *numbers: mpmath.mpf(bool(condition(*numbers)))


def of_bits(function: Callable[..., int]) -> Callable[..., Number]:
    """Return a function of integers, of which Python's have as many bits as are needed."""
    return lambda *numbers: mpmath.mpf(function(*map(int, numbers)))


def sum_of_powers(x: Number, y: Number, base: Number) -> Number:
    """Return the logarithm of the sum of two powers of a base."""
    if mpmath.isnan(x) or mpmath.isnan(y):
        return mpmath.nan
    if x == y or mpmath.isinf(x) or mpmath.isinf(y):
        return max(x, y) + (mpmath.log(2) / mpmath.log(base) if x == y else 0)
    return max(x, y) + mpmath.log1p(base ** -abs(x - y)) / mpmath.log(base)


def modulo(x: Number, y: Number) -> Number:
    """Return the remainder with the sign of y; the number itself if y is infinitely far beyond."""
    if mpmath.isnan(y) or not mpmath.isfinite(x) or y == 0:
        return mpmath.nan
    if mpmath.isinf(y):
        return x if not x or (x < 0) == (y < 0) else y
    with mpmath.workdps(700):
        return x - mpmath.floor(x / y) * y


COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}

FUNCTIONS: dict[str, Callable[..., Number]] = {
    **{
        f"{name}_{other}": truth(compare)
        for name, compare in COMPARISONS.items()
        for other in ("tensor", "scalar")
    },
    **{
        f"bitwise_{name}_{other}": of_bits(function)
        for name, function in (("and", operator.and_), ("or", operator.or_), ("xor", operator.xor))
        for other in ("tensor", "scalar", "tensor_out")
    },
    "logical_and": truth(lambda x, y: x != 0 and y != 0),
    "logical_or": truth(lambda x, y: x != 0 or y != 0),
    "logical_xor": truth(lambda x, y: (x != 0) ^ (y != 0)),
    "logical_not": truth(lambda x: x == 0),
    "is_finite": truth(mpmath.isfinite),
    "is_inf": truth(mpmath.isinf),
    "is_pos_inf": truth(lambda x: x == mpmath.inf),
    "is_neg_inf": truth(lambda x: x == -mpmath.inf),
    "acos": within_one(mpmath.acos),
    "a_cos": within_one(mpmath.acos),
    "acosh": lambda x: mpmath.acosh(x) if x >= 1 else mpmath.nan,
    "asinh": mpmath.asinh,
    "atanh": within_one(lambda x: x * mpmath.inf if abs(x) == 1 else mpmath.atanh(x)),
    "sinc": lambda x: mpmath.sincpi(x) if mpmath.isfinite(x) else mpmath.nan,
    "asin": within_one(mpmath.asin),
    "tan": of_finite(mpmath.tan),
    "log10": lambda x: logarithm(x, 10),
    "abs": abs,
    "add": lambda x, y, alpha: x + alpha * y,
    "add_v3": lambda y, x, alpha: x + alpha * y,
    "addcdiv": lambda x, y, z, value: x + value * quotient(y, z),
    "addcmul": lambda x, y, z, value: x + value * y * z,
    "adds": lambda x, y, alpha: x + alpha * y,
    **dict.fromkeys(("clamp", "clamp_tensor"), lambda x, least, most: max(min(x, most), least)),
    **dict.fromkeys(("clamp_max", "clamp_max_tensor"), min),
    **dict.fromkeys(("clamp_min", "clamp_min_tensor"), max),
    "add_relu": lambda x, y, alpha: max(x + alpha * y, mpmath.mpf(0)),
    **dict.fromkeys(
        ("masked_fill_scalar", "masked_fill_tensor"), lambda x, mask, value: value if mask else x
    ),
    **dict.fromkeys(("fill_scalar", "fill_tensor"), lambda _, value: value),
    "one": lambda _: mpmath.mpf(1),
    "zero": lambda _: mpmath.mpf(0),
    "atan2": mpmath.atan2,
    "pow_scalar_tensor": lambda y, x: power(x, y),
    **dict.fromkeys(("pow_tensor_scalar", "pow_tensor_tensor"), power),
    "div": quotient,
    "divs": quotient,
    **dict.fromkeys(("lerp", "lerps"), lambda start, end, weight: start + weight * (end - start)),
    "masked_scale": lambda x, mask, scale: x * mask * scale,
    **dict.fromkeys(
        ("xlog_ytensor", "xlog_yscalar_other"), lambda x, y: x * logarithm(y, mpmath.e)
    ),
    "xlog_yscalar_self": lambda y, x: x * logarithm(y, mpmath.e),
    "xlog1py": lambda x, y: x * logarithm(1 + y, mpmath.e) if x or mpmath.isnan(y) else x,
    "log_add_exp": lambda x, y: sum_of_powers(x, y, mpmath.e),
    "log_add_exp2": lambda x, y: sum_of_powers(x, y, mpmath.mpf(2)),
    "left_shift": of_bits(lambda x, count: x << max(count, 0)),
    "right_shift": of_bits(lambda x, count: x >> max(count, 0)),
    "is_in_scalar_tensor": truth(lambda y, x, _, invert: (x == y) != bool(invert)),
    "is_in_tensor_scalar": truth(lambda x, y, _, invert: (x == y) != bool(invert)),
    **dict.fromkeys(("floor_divide", "floor_divides"), lambda x, y: whole(quotient(x, y))),
    "remainder_tensor_tensor": modulo,
    "remainder_tensor_scalar": modulo,
    "remainder_scalar_tensor": lambda y, x: modulo(x, y),
    **dict.fromkeys(
        ("fmod_tensor", "fmod_scalar"),
        lambda x, y: mpmath.sign(x) * modulo(abs(x), abs(y)) if x else modulo(x, y),
    ),
    "maximum": max,
    "minimum": min,
    "mul": operator.mul,
    "muls": operator.mul,
    "rsub": lambda x, y, alpha: y - x * alpha,
    "rsubs": lambda x, y, alpha: y - x * alpha,
    "sub": lambda x, y, alpha: x - alpha * y,
    "subs": lambda x, y, alpha: x - alpha * y,
    "atan": mpmath.atan,
    "ceil": lambda x: mpmath.ceil(x) if mpmath.isfinite(x) else x,
    "cos": lambda x: mpmath.cos(x) if mpmath.isfinite(x) else mpmath.nan,
    "cosh": mpmath.cosh,
    "erf": mpmath.erf,
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "expm1": mpmath.expm1,
    "floor": lambda x: mpmath.floor(x) if mpmath.isfinite(x) else x,
    "frac": lambda x: (
        x - mpmath.sign(x) * mpmath.floor(abs(x)) if mpmath.isfinite(x) else mpmath.nan
    ),
    "log": lambda x: mpmath.log(x) if not x < 0 else mpmath.nan,
    "log1p": lambda x: mpmath.log(1 + x) if not x < -1 else mpmath.nan,
    "log2": lambda x: mpmath.log(x, 2) if not x < 0 else mpmath.nan,
    "neg": lambda x: -x,
    "reciprocal": lambda x: 1 / x if x else mpmath.inf,
    "round": lambda x: mpmath.nint(x) if mpmath.isfinite(x) else x,
    "rsqrt": lambda x: mpmath.sqrt(1 / x) if x > 0 else mpmath.nan if x else mpmath.inf,
    "sign": mpmath.sign,
    "sin": lambda x: mpmath.sin(x) if mpmath.isfinite(x) else mpmath.nan,
    "sinh": mpmath.sinh,
    "sqrt": lambda x: mpmath.sqrt(x) if not x < 0 else mpmath.nan,
    "square": lambda x: x * x,
    "trunc": lambda x: mpmath.sign(x) * mpmath.floor(abs(x)) if mpmath.isfinite(x) else x,
    **dict.fromkeys(("add_scalar", "add_scalar_v2", "add_scalar_list"), operator.add),
    **dict.fromkeys(("add_list", "add_list_v2"), lambda x, y, alpha: x + y * alpha),
    **dict.fromkeys(("sub_list", "sub_list_v2"), lambda x, y, alpha: x - y * alpha),
    **dict.fromkeys(
        ("addcdiv_scalar", "addcdiv_scalar_v2"),
        lambda x, y, z, scalar: x + quotient(y, z) * scalar,
    ),
    **dict.fromkeys(
        ("addcmul_scalar", "addcmul_scalar_v2"), lambda x, y, z, scalar: x + scalar * y * z
    ),
    "lerp_scalar": lambda start, end, weight: start + weight * (end - start),
    **dict.fromkeys(("maximum_scalar", "maximum_scalar_v2", "maximum_scalar_list"), max),
    **dict.fromkeys(("minimum_scalar", "minimum_scalar_v2", "minimum_scalar_list"), min),
    "copy": lambda x: x,
    **dict.fromkeys(("pow_list", "pow_scalar", "pow_scalar_v2", "pow_scalar_list"), power),
    "pow_scalar_and_tensor": lambda y, x: power(x, y),
    "div_list": quotient,
    **dict.fromkeys(("div_scalar", "div_scalar_v2", "div_scalar_list"), quotient),
    "lerp_list": lambda start, end, weight: start + weight * (end - start),
    "maximum_list": max,
    "minimum_list": min,
    "mul_list": operator.mul,
    **dict.fromkeys(("mul_scalar", "mul_scalar_v2", "mul_scalar_list"), operator.mul),
    **dict.fromkeys(("sub_scalar", "sub_scalar_v2", "sub_scalar_list"), operator.sub),
}

WRAPPED = {"bitwise_not", "foreach_neg", "left_shift"}
"""Of which integers beyond their type have its lowest bits."""

POLES = ("reciprocal", "rsqrt", "div_list", "div_scalar", "div", "floor_divide")
"""Of which 0 decides the sign of Inf."""


def sigmoid(x: Number) -> Number:
    """Return 1 / (1 + e^-x)."""
    return 1 / (1 + mpmath.exp(-x))


def swish(x: Number, beta: Number) -> Number:
    """Return x / (1 + e^(-beta x))."""
    return x / (1 + mpmath.exp(-beta * x))


def swish_backward(gradient: Number, x: Number, beta: Number) -> Number:
    """Return the gradient times s + beta x s (1 - s), s being 1 / (1 + e^(-beta x))."""
    s = 1 / (1 + mpmath.exp(-beta * x))
    return gradient * (s + beta * x * s / (1 + mpmath.exp(beta * x)))


def remainder_tensor_tensor_of_integers(x: Number, y: Number) -> Number:
    """Return the remainder, by 0 the number itself, as the constraints say of integers."""
    return modulo(x, y) if y else x


def remainder_tensor_scalar_of_integers(x: Number, y: Number) -> Number:
    """Return the same by a scalar."""
    return modulo(x, y) if y else x


def remainder_scalar_tensor_of_integers(y: Number, x: Number) -> Number:
    """Return the same of a scalar."""
    return modulo(x, y) if y else x


def tanh(x: Number) -> Number:
    """Return the hyperbolic tangent."""
    return mpmath.tanh(x)


def erfc(x: Number) -> Number:
    """Return 1 less the error function."""
    return mpmath.erfc(x)


def mish(x: Number) -> Number:
    """Return x tanh(log(1 + e^x))."""
    return x * mpmath.tanh(mpmath.log1p(mpmath.exp(x)))


def mish_backward(gradient: Number, x: Number) -> Number:
    """Return the gradient times t + x (1 - t^2) / (1 + e^-x), t being the gate of mish."""
    softplus = mpmath.log1p(mpmath.exp(x))
    rest = x / mpmath.cosh(softplus) ** 2 / (1 + mpmath.exp(-x))
    return gradient * (mpmath.tanh(softplus) + rest)


def softplus(x: Number, beta: Number, threshold: Number) -> Number:
    """Return log(1 + e^(beta x)) / beta, or x where beta x is above the threshold."""
    return x if beta * x > threshold else mpmath.log1p(mpmath.exp(beta * x)) / beta


def hardswish(x: Number) -> Number:
    """Return 0, x or x (x + 3) / 6, by where x lies: -3 and 3 belong to the outer pieces."""
    if x <= -3:
        return mpmath.mpf(0)
    return x if x >= 3 else x * (x + 3) / 6


def hardsigmoid(x: Number) -> Number:
    """Return x / 6 + 1 / 2, clipped to [0, 1]."""
    return min(max(x / 6 + mpmath.mpf("0.5"), mpmath.mpf(0)), mpmath.mpf(1))


def hardsigmoid_of_integers(x: Number) -> Number:
    """Return the same without its fraction."""
    return mpmath.floor(hardsigmoid(x))


def hardshrink(x: Number, lambd: Number) -> Number:
    """Return x, or 0 within lambd of it."""
    return x if x > lambd or x < -lambd else mpmath.mpf(0)


def shrink(x: Number, lambd: Number, bias: Number) -> Number:
    """Return x moved by bias towards 0, or 0 within lambd of it."""
    if x > lambd:
        return x - bias
    return x + bias if x < -lambd else mpmath.mpf(0)


def hardtanh_backward(gradient: Number, x: Number, least: Number, most: Number) -> Number:
    """Return the gradient, or 0 outside the ends."""
    return gradient if least <= x <= most else mpmath.mpf(0)


def celu(x: Number, alpha: Number) -> Number:
    """Return x, or alpha (e^(x / alpha) - 1) below 0."""
    return x if x >= 0 else alpha * mpmath.expm1(x / alpha)


def selu(x: Number) -> Number:
    """Return scale times x, or times alpha (e^x - 1) below 0."""
    scale = mpmath.mpf("1.0507009873554804934193349852946")
    alpha = mpmath.mpf("1.6732632423543772848170429916717")
    return scale * (x if x >= 0 else alpha * mpmath.expm1(x))


def selu_backward(gradient: Number, y: Number) -> Number:
    """Return the gradient times the slope of selu at the element whose selu is y."""
    scale = mpmath.mpf("1.0507009873554804934193349852946")
    alpha = mpmath.mpf("1.6732632423543772848170429916717")
    return gradient * (scale if y > 0 else y + scale * alpha)


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


def gelu(x: Number) -> Number:
    """Return x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), as a quotient that keeps digits."""
    u = mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)
    return x / (1 + mpmath.exp(-2 * u))


def gelu_backward(gradient: Number, x: Number) -> Number:
    """Return the gradient times the normal distribution function and x times its density."""
    return gradient * (mpmath.ncdf(x) + x * mpmath.npdf(x))


def gelu_backward_v2(gradient: Number, x: Number, _: str, is_tanh: int) -> Number:
    """Return the gradient times the slope of gelu, or of its approximation."""
    if not is_tanh:
        return gelu_backward(gradient, x)
    share = mpmath.sqrt(2 / mpmath.pi)
    cubic = mpmath.mpf("0.044715")
    t = mpmath.tanh(share * (x + cubic * x**3))
    steepness = share * (1 + 3 * cubic * x * x)
    return gradient * (1 + t + x * steepness * (1 - t * t)) / 2


def gelu_v2(x: Number, approximate: int) -> Number:
    """Return x times the normal distribution function, or its approximation."""
    return gelu(x) if approximate == 1 else x * mpmath.ncdf(x)


def log_sigmoid(x: Number) -> Number:
    """Return log(1 / (1 + e^-x)) as -log(1 + e^-x), which keeps its digits for a small e^-x."""
    return -mpmath.log1p(mpmath.exp(-x))


def leaky_relu(x: Number, slope: Number) -> Number:
    """Return the two terms of the document added up."""
    return max(mpmath.mpf(0), x) + slope * min(mpmath.mpf(0), x)


def signs(inputs: Arrays, _: Values) -> Elements:
    """Return whether each element has a sign, which a number of 100 digits lacks if it is 0."""
    x = inputs["self"]
    return {"out": lambda index: single(mpmath.mpf(bool(np.signbit(float(x[index])))))}


def bitwise_not(x: Number) -> Number:
    """Return whether a bool is false."""
    return 1 - x


def bitwise_not_of_integers(x: Number) -> Number:
    """Return the number whose bits are the others: in two's complement the two add up to -1."""
    return -1 - x


def relu(x: Number) -> Number:
    """Return the larger of 0 and x."""
    return max(mpmath.mpf(0), x)


def softshrink(x: Number, lambd: Number) -> Number:
    """Return x moved by lambd towards 0, or 0 within lambd of it."""
    if x > lambd:
        return x - lambd
    return x + lambd if x < -lambd else mpmath.mpf(0)


def hardshrink_backward(gradient: Number, x: Number, lambd: Number) -> Number:
    """Return the gradient beyond lambd, which counts as 0 below it, on either side, or 0."""
    return gradient if abs(x) > max(lambd, 0) else mpmath.mpf(0)


def softshrink_backward(gradient: Number, x: Number, lambd: Number) -> Number:
    """Return the same as hardshrink_backward: where softshrink is not 0, its slope is 1."""
    return hardshrink_backward(gradient, x, lambd)


def binary_cross_entropy_backward(
    gradient: Number,
    x: Number,
    target: Number,
    weight: Number,
    reduction: int,
    count: int,
) -> Number:
    """Return the gradient times the derivative of the loss; for a mean, its share."""
    share = gradient / count if reduction == 1 else gradient
    return share * weight * (x - target) / (x * (1 - x))


def kl_div_backward(gradient: Number, x: Number, target: Number, *others: int) -> Number:
    """Return the gradient times the derivative of target (log(target) - x) by x; a share of it."""
    del x
    reduction, log_target, count, batch = others
    divisor = {1: count, 3: batch}.get(int(reduction), 1)
    return -(mpmath.exp(target) if log_target else target) * gradient / divisor


def threshold(x: Number, threshold: Number, value: Number) -> Number:
    """Return the element above the threshold, or the value."""
    return x if x > threshold else value


def threshold_backward(gradient: Number, x: Number, threshold: Number) -> Number:
    """Return the gradient above the threshold, or 0."""
    return gradient if x > threshold else mpmath.mpf(0)


def hardsigmoid_backward(gradient: Number, x: Number) -> Number:
    """Return a sixth of the gradient between -3 and 3, which belong to neither piece, or 0."""
    return gradient / 6 if -3 < x < 3 else mpmath.mpf(0)


def log_sigmoid_backward(gradient: Number, x: Number, buffer: Number) -> Number:
    """Return the gradient times 1 / (1 + e^x)."""
    del buffer
    return gradient / (1 + mpmath.exp(x))


def silu_backward(gradient: Number, x: Number) -> Number:
    """Return the gradient times s (1 + x - x s), s being 1 / (1 + e^-x)."""
    s = 1 / (1 + mpmath.exp(-x))
    return gradient * s * (1 + x - x * s)


def sigmoid_backward(gradient: Number, output: Number) -> Number:
    """Return the gradient times the output and what it lacks of 1."""
    return gradient * output * (1 - output)


def leaky_relu_backward(gradient: Number, x: Number, slope: Number, _: int) -> Number:
    """Return the gradient, times the slope where x is not above 0."""
    return gradient if x > 0 else gradient * slope


def softplus_backward(gradient: Number, x: Number, beta: Number, threshold: Number) -> Number:
    """Return the gradient times the slope of softplus, which is 1 above the threshold."""
    return gradient if beta * x > threshold else gradient / (1 + mpmath.exp(-beta * x))


def tanh_backward(gradient: Number, output: Number) -> Number:
    """Return the gradient times 1 less the square of the output."""
    return gradient * (1 - output**2)


def squared_relu(x: Number) -> Number:
    """Return the square of the larger of 0 and x."""
    return max(mpmath.mpf(0), x) ** 2


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


def elu(x: Number, alpha: Number, scale: Number, rate: Number) -> Number:
    """Return scale x, or alpha scale (exp(rate x) - 1) at or below 0."""
    return scale * x if x > 0 else alpha * scale * mpmath.expm1(rate * x)


def elu_backward(
    gradient: Number, x: Number, alpha: Number, scale: Number, rate: Number, is_result: int
) -> Number:
    """Return the gradient times the slope of elu, x being its result or its input."""
    if x > 0:
        return gradient * scale
    grown = x + alpha * scale if is_result else alpha * scale * mpmath.exp(rate * x)
    return gradient * rate * grown


def logit(x: Number, eps: Number) -> Number:
    """Return ln(z / (1 - z)), z being x between eps and 1 - eps; of a negative number NaN."""
    if eps >= 0:
        x = eps if x < eps else min(x, 1 - mpmath.mpf(eps))
    if x in (0, 1):
        return mpmath.inf if x else -mpmath.inf
    return mpmath.log(x / (1 - x)) if 0 < x < 1 else mpmath.nan


def l1_loss_backward(
    gradient: Number, x: Number, target: Number, reduction: int, count: int, _: int
) -> Number:
    """Return the gradient with the sign of the difference, for the mean by the count of x."""
    slope = gradient * mpmath.sign(x - target)
    return slope / count if reduction == 1 else slope


def soft_margin_loss_backward(
    gradient: Number, x: Number, target: Number, reduction: int, count: int, _: int
) -> Number:
    """Return the gradient times -y / (1 + e^(x y)), for the mean by the count of x."""
    slope = -gradient * target / (1 + mpmath.exp(x * target))
    return slope / count if reduction == 1 else slope


def smooth_l1_loss_backward(
    gradient: Number, x: Number, target: Number, reduction: int, beta: Number, count: int, _: int
) -> Number:
    """Return the gradient times a share of beta or a sign, for the mean by the count of x."""
    difference = x - target
    close = abs(difference) < beta
    slope = gradient * (difference / beta if close else mpmath.sign(difference))
    return slope / count if reduction == 1 else slope


def mse_loss_backward(
    gradient: Number, x: Number, target: Number, reduction: int, count: int, _: int
) -> Number:
    """Return the gradient times the difference times 2, for the mean by the count of x."""
    slope = gradient * (x - target) * 2
    return slope / count if reduction == 1 else slope
