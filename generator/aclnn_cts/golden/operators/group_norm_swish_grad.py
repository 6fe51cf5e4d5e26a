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
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Error, Number, added, either
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen
from aclnn_cts.golden.stage import by_element

ELEMENTWISE = False


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


_LEAST_GROUP = 3
"""Elements of a group whose own statistics leave anything: those of fewer make every dx 0."""


def derive(name: str, inputs: Inputs, attributes: Attributes) -> npt.NDArray[Any]:
    """Return the statistics of the finite elements of ``x``, in its data type: [N, numGroups].

    Of groups with fewer than three elements a mean of 0 and an rstd of 1.

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
    finite = np.isfinite(groups)
    count = np.maximum(finite.sum(axis=-1), 1)
    mean = np.where(finite, groups, 0.0).sum(axis=-1) / count
    off = np.where(finite, groups - mean[..., np.newaxis], 0.0)
    rstd = 1 / np.sqrt((off**2).sum(axis=-1) / count + _VARIANCE_FLOOR)
    if groups.shape[-1] < _LEAST_GROUP:
        mean, rstd = np.zeros_like(mean), np.ones_like(rstd)
    values = mean if name == "mean" else rstd
    with np.errstate(over="ignore"):
        # By way of float32, as all data of a narrower type are made.
        rounded: npt.NDArray[Any] = values.astype(np.float32).astype(x.dtype)
    return rounded


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``dxOut`` in the shape of ``x``, ``dgammaOut`` and ``dbetaOut`` in that of ``gamma``.

    The operations are those of the document's formula; what it names, a device may store.

    Args:
        inputs: ``dy`` and ``x`` [N, C, ...]; ``mean`` and ``rstd`` with N * numGroups elements;
            ``gamma`` and ``beta`` with C elements.
        attributes: ``numGroups``, which divides C, and ``swishScale`` are read; the outputs are
            there whether required or not.
        on: How the device computes.
    """
    layout = _Layout(inputs["x"].shape, int(attributes["numGroups"]))
    scope = _spread_inputs(inputs, layout)
    scale, size = float(attributes["swishScale"]), float(layout.group_size)

    def before_sums(
        dy: Number, x: Number, mean: Number, rstd: Number, gamma: Number, beta: Number
    ) -> tuple[Number, ...]:
        # The document names xhat without a formula: a kernel may fold mean and rstd into one shift.
        normal = either((x - mean) * rstd, x * rstd - mean * rstd).stored()
        argument = dy.on.rounded(scale) * (normal * gamma + beta).stored()
        by_beta = (argument.through(_slope, _steepest) * dy).stored()
        by_normal = by_beta * gamma
        terms = (by_beta * normal, by_beta, by_normal * normal, by_normal)
        return normal, argument, *(term.settled for term in terms)

    def after_sums(
        by_normal: Number, normal: Number, inner: Number, outer: Number, rstd: Number
    ) -> tuple[Number]:
        # Divided last: a kernel may do so, and overflow where dividing the sums first would not.
        by_size = by_normal.on.exact(size)
        return (rstd * added(by_normal, -((normal * inner) / by_size), -(outer / by_size)),)

    exact = [on.exact(array) for array in scope.values()]
    normal, argument, *terms = by_element(on, before_sums, *exact)
    dgamma, dbeta = (term.summed(layout.channel_sum, layout.channel_size) for term in terms[:2])
    inner, outer = (term.summed(layout.group_sum, layout.group_size).stored() for term in terms[2:])
    (dx,) = by_element(on, after_sums, terms[3], normal, inner, outer, exact[3])

    scope["argument"] = argument.value
    shape = inputs["gamma"].shape

    def from_group(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        gathered = layout.over_group(np.broadcast_to(condition, layout.shape), rule)
        return np.broadcast_to(gathered, layout.shape)

    def from_channel(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        return layout.over_channel(np.broadcast_to(condition, layout.shape), rule).reshape(shape)

    def by_channel(total: Number) -> Result:
        return Result(total.each(lambda array: array.reshape(shape)), scope, from_channel)

    return {
        "dxOut": Result(dx, scope, from_group),
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


def _slope(z: Number) -> Number:
    """Return dSwishTemp / (exp(-z) + 1), the derivative of t * s(z) by t, where s is logistic."""
    one = z.on.exact(1.0)
    denominator = (-z).exp() + one
    return added(z, -(z / denominator), one).stored() / denominator


def _steepest(z: FloatArray, error: Error) -> FloatArray:
    """Return a bound of the slope's own derivative s(z) * s(-z) * (2 - z * tanh(z / 2)) near z."""
    nearest = np.maximum(np.abs(z) - error, 0)
    small = np.exp(-nearest)
    steepest = small / (1 + small) ** 2 * (2 + nearest)
    # The slope itself lies between -0.1 and 1.1.
    least: FloatArray = np.minimum(steepest, 1.2 / np.maximum(error, 1.0))
    return least
