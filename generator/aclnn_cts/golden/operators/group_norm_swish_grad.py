# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSwishGrad: the gradients of swish(group_norm(x)).

With xhat = (x - mean) * rstd, t = xhat * gamma + beta, z = swishScale * t and s(z) the logistic
function, swish is t * s(z), its slope is s(z) * (1 + z - z * s(z)), and

- dYNew = dy * slope;
- dbeta = sum of dYNew, dgamma = sum of dYNew * xhat, over N and all axes behind the channels;
- dx = rstd * (gamma * dYNew - xhat * inner - outer), where inner and outer are the *means* of
  gamma * dYNew * xhat and gamma * dYNew over the group. The document's formula leaves out the
  division by the number of elements, without which dx is not the gradient.

``mean`` and ``rstd`` are taken as given; they need not be the statistics of ``x``.

Names for the spec's ``when``, all outputs: ``dy``, ``x``, ``mean``, ``rstd``, ``gamma``, ``beta``
and ``argument`` (z), which broadcast to the shape of x. ``any_of`` and ``all_of`` gather the
element's group for dx, and the channel (over N and all axes behind) for dgamma and dbeta.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Error, Number, add_numbers, either
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.golden.operators.group_norm import group

_VARIANCE_FLOOR = 1e-5
"""Added to a variance before the root, as the forward operator's default does."""


_LEAST_GROUP = 3
"""Elements of a group whose own statistics leave anything: those of fewer make every dx 0."""


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
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
        rounded: Array = values.astype(np.float32).astype(x.dtype)
    return rounded


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    return group(inputs, int(attributes["numGroups"]))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Return ``dxOut`` in the shape of ``x``, ``dgammaOut`` and ``dbetaOut`` in that of ``gamma``.

    The operations are those of the document's formula. The terms of sums are not stored.

    Args:
        attributes: ``swishScale`` is read; the outputs are there whether required or not.
        on: How the device computes.
    """
    names = ("dy", "x", "mean", "rstd", "gamma", "beta")
    scope = {name: widen(inputs[name]) for name in names}
    dy, x, mean, rstd, gamma, beta = map(on.exact, scope.values())
    # The document names xhat without a formula: a kernel may fold mean and rstd into one shift.
    normal = either((x - mean) * rstd, x * rstd - mean * rstd).under(on.keeping)
    argument = on.round_scalar(float(attributes["swishScale"])) * (normal * gamma + beta)
    scope["argument"] = argument.value
    by_beta = (argument.through(_slope, _steepest) * dy).under(on.keeping)
    outputs = ("dxOut", "dgammaOut", "dbetaOut")
    count = on.exact(widen(inputs["count"]))
    return (yield from gradients(by_beta, normal, count, scope, "x", outputs))


def gradients(
    by_beta: Number,
    normal: Number,
    count: Number,
    scope: Inputs,
    x: str,
    outputs: tuple[str, str, str],
) -> Sums:
    """Return the gradients of a normalised tensor times gamma plus beta.

    Args:
        by_beta: The gradient of each element after beta was added.
        normal: The normalised tensor.
        count: How many elements a group has.
        scope: The aligned inputs, and names for ``when``.
        x: What the page calls the tensor that is normalised.
        outputs: What the page calls the gradients of that, of gamma and of beta.
    """
    on = count.on
    rstd, gamma = on.exact(scope["rstd"]), on.exact(scope["gamma"])
    by_normal = (by_beta * gamma).under(on)
    dx, dgamma, dbeta = outputs
    sums = yield Terms(
        {
            dgamma: (by_beta * normal, "gamma"),
            dbeta: (by_beta, "gamma"),
            "inner": (by_normal * normal, "mean"),
            "outer": (by_normal, "mean"),
        },
        scope,
        outputs={dx: x, dgamma: "gamma", dbeta: "gamma"},
        gathers={dx: "mean", dgamma: "gamma", dbeta: "gamma"},
    )
    inner, outer = (sums[name].under(on.keeping) for name in ("inner", "outer"))
    # Divided last: a kernel may do so, and overflow where dividing the sums first would not.
    return {dx: rstd * add_numbers(by_normal, -((normal * inner) / count), -(outer / count))}


def _slope(z: Number) -> Number:
    """Return dSwishTemp / (exp(-z) + 1), the derivative of t * s(z) by t, where s is logistic."""
    one = z.on.exact(1.0)
    denominator = (-z).exp() + one
    return add_numbers(z, -(z / denominator), one).under(z.on.keeping) / denominator


def _steepest(z: FloatArray, error: Error) -> FloatArray:
    """Return a bound of the slope's own derivative s(z) * s(-z) * (2 - z * tanh(z / 2)) near z."""
    nearest = np.maximum(np.abs(z) - error, 0)
    small = np.exp(-nearest)
    steepest = small / (1 + small) ** 2 * (2 + nearest)
    # The slope itself lies between -0.1 and 1.1.
    least: FloatArray = np.minimum(steepest, 1.2 / np.maximum(error, 1.0))
    return least
