# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNorm: out = (self - meanOut) * rstdOut * gamma + beta.

meanOut is the mean of a group, and rstdOut 1 / sqrt(variance + eps), where the variance is the mean
of the squares of self - meanOut.
"""

from __future__ import annotations

import math

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, UPDATES, Arithmetic, either
from aclnn_cts.golden.data_kinds import Block, Uniform, Values
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.golden.moments import drift_of, off, update_mean
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
    updated = update_mean(mean, squares.value)
    elementwise = on.keeping
    mean = (either(mean, updated) if UPDATES in on.allowed else mean).under(elementwise)
    # About a mean that is off by d, the mean of the squares is larger by the square of d.
    drift = off(mean.operand.under(on))
    variance = squares + drift * drift
    if UPDATES in on.allowed:
        variance = either(variance, squares + drift_of(updated, squares.value))
    rstd = (on.exact(1.0) / (variance + on.round_scalar(eps)).sqrt()).under(elementwise)
    results = (x.under(elementwise) - mean) * rstd * gamma + beta, mean.operand, rstd.operand
    return dict(zip(outputs, results, strict=True))
