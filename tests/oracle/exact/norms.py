# SPDX-License-Identifier: Apache-2.0
"""Normalisations in 100 digits, as their pages write them."""

from __future__ import annotations

import functools
import itertools
import math

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
    total,
)


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


def rms_norm_grad(inputs: Arrays, values: Values) -> Elements:
    """Return ``dxOut`` as the page writes it, and ``dgammaOut``, its dg summed over the rows."""
    del values
    dy, x, rstd, gamma = (inputs[name] for name in ("dy", "x", "rstd", "gamma"))
    leading = x.ndim - gamma.ndim

    def weighted(index: Index) -> Number:
        return number(dy[index]) * number(gamma[index[leading:]])

    def normal(index: Index) -> Number:
        return number(rstd[index[:leading]]) * number(x[index])

    @functools.cache
    def mean(row: Index) -> Number:
        of_row = [(*row, *place) for place in np.ndindex(gamma.shape)]
        return mpmath.fsum(weighted(each) * normal(each) for each in of_row) / gamma.size

    def dx(index: Index) -> Exact:
        row = index[:leading]
        return Exact((weighted(index) - normal(index) * mean(row)) * number(rstd[row]), None)

    def dgamma(index: Index) -> Exact:
        of_column = [(*row, *index) for row in np.ndindex(rstd.shape)]
        return total(number(dy[each]) * normal(each) for each in of_column)

    return {"dxOut": dx, "dgammaOut": dgamma}


def layer_norm(inputs: Arrays, values: Values) -> Elements:
    """Return ``meanOutOptional`` and ``rstdOutOptional`` of each row, and ``out`` with both."""
    x, weight, bias = (inputs[name] for name in ("input", "weightOptional", "biasOptional"))
    leading = x.ndim - len(values["normalizedShape"])

    @functools.cache
    def mean(row: Index) -> Number:
        return mpmath.fsum(map(number, x[row].reshape(-1))) / weight.size

    @functools.cache
    def rstd(row: Index) -> Number:
        squares = [(number(each) - mean(row)) ** 2 for each in x[row].reshape(-1)]
        return 1 / mpmath.sqrt(mpmath.fsum(squares) / len(squares) + number(values["eps"]))

    def out(index: Index) -> Exact:
        row, place = index[:leading], index[leading:]
        normal = (number(x[index]) - mean(row)) * rstd(row)
        return Exact(normal * number(weight[place]) + number(bias[place]), None)

    return {
        "out": out,
        "meanOutOptional": lambda index: Exact(mean(index[:leading]), None),
        "rstdOutOptional": lambda index: Exact(rstd(index[:leading]), None),
    }


def group_norm(inputs: Arrays, values: Values) -> Elements:
    """Return ``meanOut`` and ``rstdOut`` of each group, and ``out`` with both and the weights."""
    return _group_norm(inputs, "self", values["group"], values["eps"], "out")


def group_norm_backward(inputs: Arrays, values: Values) -> Elements:
    """Return the gradients of the group norm, with the sums of each group and each channel."""
    names = ("gradOut", "input", "mean", "rstd", "gamma")
    gradient, x, mean, rstd, gamma = (inputs[name] for name in names)
    samples, channels = x.shape[:2]
    own = channels // values["group"]

    @functools.cache
    def of_group(group: Index) -> tuple[Number, Number]:
        return number(mean[group]), number(rstd[group])

    @functools.cache
    def normal(index: Index) -> Number:
        middle, scale = of_group((index[0], index[1] // own))
        return (number(x[index]) - middle) * scale

    def weighted(index: Index) -> Number:
        return number(gradient[index]) * number(gamma[index[1]])

    @functools.cache
    def means(sample: int, group: int) -> tuple[Number, Number]:
        places = [
            (sample, channel, *place)
            for channel in range(group * own, (group + 1) * own)
            for place in np.ndindex(x.shape[2:])
        ]
        outer = mpmath.fsum(map(weighted, places)) / len(places)
        return mpmath.fsum(weighted(each) * normal(each) for each in places) / len(places), outer

    def grad_input(index: Index) -> Exact:
        group = (index[0], index[1] // own)
        inner, outer = means(*group)
        return Exact(number(rstd[group]) * (weighted(index) - normal(index) * inner - outer), None)

    def of_channel(channel: int) -> list[Index]:
        rest = itertools.product(range(samples), np.ndindex(x.shape[2:]))
        return [(sample, channel, *place) for sample, place in rest]

    def grad_gamma(index: Index) -> Exact:
        return total(number(gradient[each]) * normal(each) for each in of_channel(index[0]))

    def grad_beta(index: Index) -> Exact:
        return total(number(gradient[each]) for each in of_channel(index[0]))

    return {"gradInput": grad_input, "gradGammaOut": grad_gamma, "gradBetaOut": grad_beta}


def group_norm_swish(inputs: Arrays, values: Values) -> Elements:
    """Return what the group norm does, and Swish of its result as ``yOut`` if it is active."""
    found = _group_norm(inputs, "x", values["numGroups"], values["eps"], "yOut")
    return _swish(found, "yOut", values["swishScale"]) if values["activateSwish"] else found


def group_norm_silu(inputs: Arrays, values: Values) -> Elements:
    """Return what the group norm does, with SiLU of its result as ``out``."""
    return _swish(group_norm(inputs, values), "out", 1.0)


def group_norm_silu_v2(inputs: Arrays, values: Values) -> Elements:
    """Return what the group norm does, and SiLU of its result as ``out`` if it is active."""
    found = group_norm(inputs, values)
    return _swish(found, "out", 1.0) if values["activateSilu"] else found


def _swish(found: Elements, output: str, scale: float) -> Elements:
    def swish(index: Index) -> Exact:
        normal = found[output](index).value
        return Exact(normal / (1 + mpmath.exp(-number(scale) * normal)), None)

    return {**found, output: swish}


def _group_norm(inputs: Arrays, name: str, groups: int, eps: float, output: str) -> Elements:
    x = inputs[name]
    grouped = x.reshape(x.shape[0], groups, math.prod(x.shape[1:]) // groups)

    @functools.cache
    def mean(group: Index) -> Number:
        return mpmath.fsum(map(number, grouped[group])) / grouped.shape[2]

    @functools.cache
    def rstd(group: Index) -> Number:
        squares = [(number(each) - mean(group)) ** 2 for each in grouped[group]]
        return 1 / mpmath.sqrt(mpmath.fsum(squares) / len(squares) + number(eps))

    def out(index: Index) -> Exact:
        channel = index[1]
        group = (index[0], channel * groups // x.shape[1])
        normal = (number(x[index]) - mean(group)) * rstd(group)
        weight, offset = (number(inputs[name][channel]) for name in ("gamma", "beta"))
        return Exact(normal * weight + offset, None)

    return {
        output: out,
        "meanOut": lambda index: Exact(mean(index[:2]), None),
        "rstdOut": lambda index: Exact(rstd(index[:2]), None),
    }
