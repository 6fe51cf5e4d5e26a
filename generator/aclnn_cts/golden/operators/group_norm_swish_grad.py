# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSwishGrad: the gradients of swish(group_norm(x)).

With xhat = (x - mean) * rstd, t = xhat * gamma + beta, z = swishScale * t and s(z) the logistic
function, swish is t * s(z), its slope is s(z) * (1 + z - z * s(z)), and

- dYNew = dy * slope;
- dbeta = sum of dYNew, dgamma = sum of dYNew * xhat, over N and all axes behind the channels;
- dx = rstd * (gamma * dYNew - xhat * inner - outer), where inner and outer are the *means* of
  gamma * dYNew * xhat and gamma * dYNew over the group. The document's formula leaves out the
  division by the number of elements, without which dx is no gradient of group norm.

``mean`` and ``rstd`` are taken as given; they need not be the statistics of ``x``.

Names for the spec's ``when``, all outputs: ``dy``, ``x``, ``mean``, ``rstd``, ``gamma``, ``beta``
and ``argument`` (z), which broadcast to the shape of x. ``any_of`` and ``all_of`` gather the
element's group for dx, and the channel (over N and all axes behind) for dgamma and dbeta.

**What ``bound`` covers.** Each step carries its value and the magnitude that its rounding errors
scale with (running error analysis; Higham, Accuracy and Stability of Numerical Algorithms, section
3.3): the magnitudes of both operands of a sum or a difference, and for a product the errors of
either factor times the other factor. So it is not too small: it grows with the cancellation in
x - mean (as if computed as x * rstd - mean * rstd), in xhat * gamma + beta, in the slope and in
dx, and sees that an error in z moves the slope by the error times the slope's derivative, where an
error of a few ulps in z is as large as z itself makes it. And it is not vacuous: without
cancellation each step's magnitude is just that of its value, cancellations add up instead of
multiplying, and the exponential's sensitivity vanishes where the logistic function is flat. It is
Inf where an intermediate result may exceed float32, in which the operator computes.

**What float64 rounds here.** The same analysis counts the roundings to float64, each half an ulp of
``bound``, by which a result may be off. Split the bound into the value's magnitude and the rest. In
a product the errors of both factors' magnitudes add up, and the rest is carried on as it is: it has
the roundings of both factors and one more. A sum or a difference has those of its worse operand and
one more, a sum of n terms n - 1 more. So each step counts its own. What comes out is 17 and the
terms of the group's sums for dx, 9 and 6 and the terms of the channel's for dgamma and dbeta.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Result, additions, widen

ELEMENTWISE = False

_STEP = 2.0**-21
"""What a few roundings may change relatively: 8 unit roundoffs of float32, the computing type.

Only used where first-order analysis would fail, for errors of errors.
"""

_UNDERFLOW = 2.0**-126 / 2.0**-24
"""The magnitude whose rounding error is float32's smallest normal number: what underflow loses."""

_LARGEST = 2.0**128
"""Where float32 ends: an intermediate result beyond it may have become Inf, and then anything."""

_SLOPE_UNDERFLOW = 128 * _UNDERFLOW
"""The logistic function underflows in float32 at z = -87 to -104, and is multiplied by z there."""

_SLOPE_ROUNDINGS = 6
"""What the slope's own evaluation rounds, given z. exp is off by 2 (one ulp), s(z) by 3, s(-z) by 5
and z * s(-z) by 6 relatively; with the sum, the product and s(z)'s own the slope is off by
s(z) * (5 + 11 * abs(z) * s(-z)), which is below 6 of what is called ``made`` in :func:`_slope`.
What z inherits, at most 5, is that many of ``inherited``."""

_SATURATED = 18.0
"""Beyond this z, exp(-z) vanishes beside 1 in float32 (exp(-18) < 2^-25)."""


def _or_overflow(bound: FloatArray) -> FloatArray:
    """Return a bound, or Inf where what it bounds may leave float32."""
    return np.where(bound < _LARGEST, bound, np.inf)


@dataclass(frozen=True)
class _Computed:
    """An intermediate result.

    Attributes:
        value: The exact value.
        bound: What its rounding errors, made and inherited, scale with; at least ``abs(value)``.
        roundings: How many roundings to float64, each half an ulp of ``bound``, it is off by.
    """

    value: FloatArray
    bound: FloatArray
    roundings: int

    @classmethod
    def exact(cls, value: FloatArray) -> _Computed:
        """Return an input as a result that only its own next rounding will change."""
        return cls(value, np.abs(value), 0)

    def __add__(self, other: _Computed) -> _Computed:
        bound = _or_overflow(self.bound + other.bound)
        return _Computed(self.value + other.value, bound, self._one_more(other))

    def __sub__(self, other: _Computed) -> _Computed:
        bound = _or_overflow(self.bound + other.bound)
        return _Computed(self.value - other.value, bound, self._one_more(other))

    def _one_more(self, other: _Computed) -> int:
        return max(self.roundings, other.roundings) + 1

    def __mul__(self, other: _Computed) -> _Computed:
        value = self.value * other.value
        first_order = (
            self.bound * np.abs(other.value) + np.abs(self.value) * other.bound - np.abs(value)
        )
        bound = first_order + _STEP * self.bound * other.bound + _UNDERFLOW
        return _Computed(value, _or_overflow(bound), self.roundings + other.roundings + 1)

    def summed(self, rule: Callable[[FloatArray], FloatArray], terms: int) -> _Computed:
        """Return sums of ``terms`` each; errors scale with the sum of the terms' magnitudes."""
        value, bound = rule(self.value), _or_overflow(rule(self.bound))
        return _Computed(value, bound, self.roundings + additions(terms))

    def divided_by(self, count: int) -> _Computed:
        """Return a quotient; what overflowed before the division stays Inf."""
        return _Computed(self.value / count, self.bound / count, self.roundings + 1)


@dataclass(frozen=True)
class _Layout:
    """How elements [N, C, ...] share statistics and channels."""

    shape: tuple[int, ...]
    groups: int

    def per_channel(self, values: FloatArray) -> FloatArray:
        """Shape one value per channel so that it broadcasts to the elements."""
        return values.reshape(1, self.shape[1], *self._ones)

    def per_group(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Shape one value per batch and group so that it broadcasts to the elements."""
        batches, channels = self.shape[:2]
        by_channel = np.repeat(
            values.reshape(batches, self.groups), channels // self.groups, axis=1
        )
        return by_channel.reshape(batches, channels, *self._ones)

    def over_group(self, values: npt.NDArray[Any], rule: np.ufunc) -> npt.NDArray[Any]:
        """Reduce the elements of each group; broadcasts to the elements again."""
        grouped = values.reshape(self.shape[0], self.groups, -1)
        return self.per_group(np.asarray(rule.reduce(grouped, axis=2)))

    def over_channel(self, values: npt.NDArray[Any], rule: np.ufunc) -> npt.NDArray[Any]:
        """Reduce over N and all axes behind the channels, to one value per channel."""
        return np.asarray(rule.reduce(values, axis=(0, *range(2, len(self.shape)))))

    @property
    def group_size(self) -> int:
        """Elements of a group."""
        return math.prod(self.shape[1:]) // self.groups

    @property
    def channel_size(self) -> int:
        """Elements that share a channel, over N and all axes behind."""
        return math.prod(self.shape) // self.shape[1]

    def group_sum(self, values: FloatArray) -> FloatArray:
        """Return the sum over each group; broadcasts to the elements again."""
        return self.over_group(values, np.add)

    def channel_sum(self, values: FloatArray) -> FloatArray:
        """Return the sum over N and all axes behind the channels."""
        return self.over_channel(values, np.add)

    @property
    def _ones(self) -> tuple[int, ...]:
        return (1,) * (len(self.shape) - 2)


_VARIANCE_FLOOR = 1e-5
"""Added to a variance before the root, as the forward operator's default does."""


def derive(name: str, inputs: Inputs, attributes: Attributes) -> npt.NDArray[Any]:
    """Return the statistics that belong to ``x``, in its data type: [N, numGroups].

    Args:
        name: ``mean``, or ``rstd``, the inverse of the standard deviation.
        inputs: ``x``; nothing else is read.
        attributes: Holds numGroups.

    Raises:
        WrongInputError: Another input is asked for.
    """
    if name not in ("mean", "rstd"):
        raise WrongInputError(f"{name} cannot be derived: only mean and rstd follow from x")
    x = inputs["x"]
    groups = widen(x).reshape(x.shape[0], attributes["numGroups"], -1)
    with np.errstate(invalid="ignore", over="ignore"):
        if name == "mean":
            values = groups.mean(axis=-1)
        else:
            values = 1 / np.sqrt(groups.var(axis=-1) + _VARIANCE_FLOOR)
        # By way of float32, as all data of a narrower type are made.
        rounded: npt.NDArray[Any] = values.astype(np.float32).astype(x.dtype)
    return rounded


def evaluate(inputs: Inputs, attributes: Attributes) -> dict[str, Result]:
    """Return ``dxOut`` in the shape of ``x``, ``dgammaOut`` and ``dbetaOut`` in that of ``gamma``.

    Args:
        inputs: ``dy`` and ``x`` [N, C, ...]; ``mean`` and ``rstd`` with N * numGroups elements;
            ``gamma`` and ``beta`` with C elements.
        attributes: ``numGroups``, which divides C, and ``swishScale`` are read; the outputs are
            there whether required or not.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return _evaluate(inputs, int(attributes["numGroups"]), float(attributes["swishScale"]))


def _evaluate(inputs: Inputs, groups: int, swish_scale: float) -> dict[str, Result]:
    layout = _Layout(inputs["x"].shape, groups)
    scope = _spread_inputs(inputs, layout)
    dy, x, mean, rstd, gamma, beta = map(_Computed.exact, scope.values())

    normal = (x - mean) * rstd
    argument = _Computed.exact(np.asarray(swish_scale)) * (normal * gamma + beta)
    by_beta = dy * _slope(argument)
    by_normal = by_beta * gamma
    inner = (by_normal * normal).summed(layout.group_sum, layout.group_size)
    outer = by_normal.summed(layout.group_sum, layout.group_size)
    # Divided last: a kernel may do so, and overflow where dividing the sums first would not.
    correction = (normal * inner + outer).divided_by(layout.group_size)
    dx = rstd * (by_normal - correction)
    dgamma = (by_beta * normal).summed(layout.channel_sum, layout.channel_size)
    dbeta = by_beta.summed(layout.channel_sum, layout.channel_size)

    scope["argument"] = argument.value
    shape = inputs["gamma"].shape

    def from_group(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        gathered = layout.over_group(np.broadcast_to(condition, layout.shape), rule)
        return np.broadcast_to(gathered, layout.shape)

    def from_channel(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        return layout.over_channel(np.broadcast_to(condition, layout.shape), rule).reshape(shape)

    def by_channel(total: _Computed) -> Result:
        value, bound = total.value.reshape(shape), total.bound.reshape(shape)
        return Result(value, bound, scope, from_channel, roundings=total.roundings)

    return {
        "dxOut": Result(dx.value, dx.bound, scope, from_group, roundings=dx.roundings),
        "dgammaOut": by_channel(dgamma),
        "dbetaOut": by_channel(dbeta),
    }


def _spread_inputs(inputs: Inputs, layout: _Layout) -> dict[str, FloatArray]:
    """Return the six inputs in the order of the formula, all broadcasting to the shape of x."""
    wide = {name: widen(inputs[name]) for name in ("dy", "x", "mean", "rstd", "gamma", "beta")}
    return (
        wide
        | {name: layout.per_group(wide[name]) for name in ("mean", "rstd")}
        | {name: layout.per_channel(wide[name]) for name in ("gamma", "beta")}
    )


def _slope(z: _Computed) -> _Computed:
    """Return s(z) * (1 + z * s(-z)), the derivative of t * s(z) by t, where s is logistic.

    s(-z) stands for 1 - s(z), which would cancel. The document subtracts z * s(z) from z instead,
    so that errors of z's size meet 1: ``made`` has them, up to where exp(-z) vanishes beside 1 and
    the difference is exactly 0. ``inherited`` is the error of z times the steepest derivative
    s(z) * s(-z) * (2 + z * (1 - 2 * s(z))) within a few roundings of z; it covers the condition of
    the exponential, too, since the bound of z is at least its magnitude.
    """
    logistic, complement = _logistic(z.value)
    size = np.abs(z.value)
    made = logistic * (1 + 2 * np.where(z.value > _SATURATED, _SATURATED, size))
    nearest = np.maximum(size - _STEP * z.bound, 0)
    rising, falling = _logistic(nearest)
    inherited = rising * falling * (2 + nearest) * z.bound
    value = logistic * (1 + z.value * complement)
    roundings = max(_SLOPE_ROUNDINGS, z.roundings)
    return _Computed(value, made + inherited + _SLOPE_UNDERFLOW, roundings)


def _logistic(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return s(z) = 1 / (1 + exp(-z)) and s(-z), without overflow and cancellation."""
    small = np.exp(-np.abs(z))
    larger, smaller = 1 / (1 + small), small / (1 + small)
    return np.where(z >= 0, larger, smaller), np.where(z >= 0, smaller, larger)
