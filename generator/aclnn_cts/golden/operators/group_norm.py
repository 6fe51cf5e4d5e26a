# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNorm: out = (self - meanOut) * rstdOut * gamma + beta.

meanOut is the mean of a group, and rstdOut 1 / sqrt(variance + eps), where the variance is the mean
of the squares of self - meanOut.
"""

from __future__ import annotations

import math

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, UPDATES, Arithmetic, Number, either
from aclnn_cts.golden.data_kinds import Block, Uniform, Values
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.spec.data_types import FloatFormat

_SPREAD = Uniform(-1.0, 3.0, slope=7.0)
"""Values that lie ever further apart: large groups of any others have alike statistics."""


def _close(block: Block, floating: FloatFormat) -> FloatArray:
    """The same, so small that a small eps counts."""
    return _SPREAD(block, floating) * 2.0**-12


def _flat(block: Block, floating: FloatFormat) -> FloatArray:
    """The same, but for the first half, which is 0: its groups have no variance."""
    place = block.places / max(math.prod(block.shape), 1)
    return np.where(place < 0.5, 0.0, _SPREAD(block, floating))


FILLS: dict[str, Values] = {"own-spread": _SPREAD, "own-close": _close, "own-flat": _flat}


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    return with_means(group(inputs, int(attributes["group"])), (2, 3))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    names, outputs = ("self", "gamma", "beta"), ("out", "meanOut", "rstdOut")
    return (yield from normalise(inputs, names, attributes["eps"], outputs, on))


def group(inputs: Inputs, groups: int) -> Inputs:
    """Return the inputs so that they broadcast to [samples, groups, channels of a group, the rest].

    ``count`` is how many elements a group has.

    Args:
        inputs: Tensors of one shape, ``mean`` and ``rstd`` of groups, ``gamma`` and ``beta``.
        groups: How many groups there are.
    """
    samples, channels, *inner = next(iter(inputs.values())).shape
    per_group, length = channels // groups, math.prod(inner)
    whole = samples, groups, per_group, length
    shapes = dict.fromkeys(("mean", "rstd"), (samples, groups, 1, 1))
    shapes |= dict.fromkeys(("gamma", "beta"), (1, groups, per_group, 1))
    aligned = {name: array.reshape(shapes.get(name, whole)) for name, array in inputs.items()}
    return {**aligned, "count": np.array(float(max(per_group * length, 1)))}


def with_means(inputs: Inputs, axes: tuple[int, ...]) -> Inputs:
    """Return aligned inputs with the ``mean`` of ``count`` elements of the first one."""
    total = widen(next(iter(inputs.values()))).sum(axis=axes, keepdims=True)
    return {**inputs, "mean": total / float(inputs["count"])}


def normalise(
    inputs: Inputs,
    names: tuple[str, str, str],
    eps: float,
    outputs: tuple[str, str, str],
    on: Arithmetic,
) -> Sums:
    """Return the outputs for grouped inputs; ``any_of`` and ``all_of`` gather a group.

    Args:
        inputs: As :func:`with_means` returns them.
        names: What the page calls the tensor whose groups are normalised, its weight and offset.
        eps: What is added to the variance.
        outputs: What the page calls the normalised tensor, the mean and the reciprocal of the root.
        on: How the device computes.
    """
    scope = {each: widen(inputs[each]) for each in names}
    x, gamma, beta = map(on.exact, scope.values())
    count, middle = on.exact(widen(inputs["count"])), on.exact(widen(inputs["mean"]))
    square = (x - middle) * (x - middle)
    sums = yield Terms(
        {
            "total": (x, "mean"),
            "shares": (x / count, "mean"),
            "squares": (square, "mean"),
            "square shares": (square / count, "mean"),
        },
        scope,
        dict(zip(outputs, (names[0], "mean", "mean"), strict=True)),
        gathers=dict.fromkeys(outputs, "mean"),
    )
    mean = either(sums["total"] / count, sums["shares"])
    squares = either(sums["squares"] / count, sums["square shares"])
    updated = _update(mean, squares)
    elementwise = on.keeping
    mean = (either(mean, updated) if UPDATES in on.allowed else mean).under(elementwise)
    # About a mean that is off by d, the mean of the squares is larger by the square of d.
    off = _off(mean.operand.under(on))
    variance = squares + off * off
    if UPDATES in on.allowed:
        drift, deviation = _off(updated), on.exact(np.sqrt(squares.value))
        variance = either(variance, squares + drift * (drift + deviation + deviation))
    rstd = (on.exact(1.0) / (variance + on.round_scalar(eps)).sqrt()).under(elementwise)
    results = (x.under(elementwise) - mean) * rstd * gamma + beta, mean.operand, rstd.operand
    return dict(zip(outputs, results, strict=True))


_DEVIATIONS = 1.11
"""The largest mean of |d(k)|, in standard deviations, as :func:`_update` defines d(k)."""


def _update(mean: Number, variance: Number) -> Number:
    """Return the mean if each element updates it, and the sum M of squares, in Welford's way.

    With d(k) = x(k) - m(k - 1), m(k) = m(k - 1) + d(k) / k and M(k) = M(k - 1) + d(k) (x(k) -
    m(k)). A rounding of m(k) is k times as large in k m(k), the sum of the first k elements, so
    that the roundings of all m(k) make the mean as far off as those of a serial sum. Each quotient
    adds the roundings of a difference and a division by k; their mean is that of |d(k)|. Because K
    times the variance is the sum of d(k)^2 (k - 1) / k, Cauchy's inequality bounds this mean by
    sqrt((K - 1 + H) / K) standard deviations, H being 1 + 1/2 + ... + 1/(K - 1): at most 1.11, at
    K = 5.

    If m(k) is off by e(k), M is the sum of squares about the last m less the sum of
    d(k) ((k - 1) e(k - 1) + k e(k)) / k. With no e(k) above e, Cauchy's inequality bounds the
    latter by 2 K e standard deviations, so that the variance is off by at most
    e (e + 2 standard deviations). Merging the moments of parts is off by no more.
    """
    on = mean.on
    one, deviation = on.exact(1.0), on.exact(_DEVIATIONS * np.sqrt(variance.value))
    return mean + _off((deviation - on.exact(0.0)) / one)


def _off(number: Number) -> Number:
    """Return how far a device's number is off."""
    return number - number.on.exact(number.value)
