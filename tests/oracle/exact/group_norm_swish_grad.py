# SPDX-License-Identifier: Apache-2.0
"""aclnnGroupNormSwishGrad in 100 digits: the document's chain of formulas, element by element.

The document's formula of dx has sums where the derivative of group norm has means; they are means
here.
"""

from __future__ import annotations

import functools
import itertools

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Number, Values, number


class _Chain:
    """The intermediate results of one call, each worked out once."""

    def __init__(self, inputs: Arrays, groups: int, scale: float) -> None:
        self.inputs = inputs
        self.shape = inputs["x"].shape
        self.channels_per_group = self.shape[1] // groups
        self.scale = number(scale)
        self.mean, self.rstd = (
            inputs[name].reshape(self.shape[0], groups) for name in ("mean", "rstd")
        )
        self.gamma, self.beta = (inputs[name].reshape(-1) for name in ("gamma", "beta"))
        self.xhat = functools.cache(self._xhat)
        self.dy_new = functools.cache(self._dy_new)
        self.means = functools.cache(self._means)

    def _xhat(self, at: Index) -> Number:
        group = at[1] // self.channels_per_group
        mean, rstd = self.mean[at[0], group], self.rstd[at[0], group]
        return (number(self.inputs["x"][at]) - number(mean)) * number(rstd)

    def _dy_new(self, at: Index) -> Number:
        dy_temp = self.xhat(at) * number(self.gamma[at[1]]) + number(self.beta[at[1]])
        argument = self.scale * dy_temp
        denominator = mpmath.exp(-argument) + 1
        swish_temp = argument - argument / denominator + 1
        return swish_temp / denominator * number(self.inputs["dy"][at])

    def _means(self, sample: int, group: int) -> tuple[Number, Number]:
        """Return the group's means of gamma * dYNew * xhat and of gamma * dYNew."""
        first = group * self.channels_per_group
        inner = outer = mpmath.mpf(0)
        count = 0
        for channel in range(first, first + self.channels_per_group):
            for at in self.places(range(sample, sample + 1), channel):
                weighted = number(self.gamma[channel]) * self.dy_new(at)
                inner += weighted * self.xhat(at)
                outer += weighted
                count += 1
        return inner / count, outer / count

    def places(self, samples: range, channel: int) -> itertools.product[Index]:
        """Return the indices of a channel's elements."""
        behind = (range(extent) for extent in self.shape[2:])
        return itertools.product(samples, (channel,), *behind)

    def dx(self, at: Index) -> Number:
        """Return an element of dx."""
        group = at[1] // self.channels_per_group
        inner, outer = self.means(at[0], group)
        own = self.dy_new(at) * number(self.gamma[at[1]])
        return number(self.rstd[at[0], group]) * (own - self.xhat(at) * inner - outer)


def oracle(inputs: Arrays, values: Values) -> Elements:
    """Return ``dxOut``, ``dgammaOut`` and ``dbetaOut``."""
    chain = _Chain(inputs, int(values["numGroups"]), float(values["swishScale"]))
    samples = range(chain.shape[0])

    def channel_of(index: Index) -> int:
        return int(np.ravel_multi_index(index, inputs["gamma"].shape))

    def dgamma(index: Index) -> Exact:
        places = chain.places(samples, channel_of(index))
        return Exact(sum((chain.dy_new(at) * chain.xhat(at) for at in places), mpmath.mpf(0)), None)

    def dbeta(index: Index) -> Exact:
        places = chain.places(samples, channel_of(index))
        return Exact(sum((chain.dy_new(at) for at in places), mpmath.mpf(0)), None)

    return {
        "dxOut": lambda index: Exact(chain.dx(index), None),
        "dgammaOut": dgamma,
        "dbetaOut": dbeta,
    }
