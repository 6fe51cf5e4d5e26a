# SPDX-License-Identifier: Apache-2.0
"""Functions of all elements of an input along axes that compute with what is common to these.

They need several sums. What is common, such as the mean, is known before: ``align`` adds it to the
inputs, as one element for each row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from aclnn_cts.golden.arithmetic import UPDATES, Number, either
from aclnn_cts.golden.moments import drift_of, off, update_mean
from aclnn_cts.spec.expression import COMPOSITES

Numbers: TypeAlias = Mapping[str, Number]

COUNT = "elements of a row"


def common_name(function: str, name: str) -> str:
    """Return the name of the aligned array with what is common to the elements of each row."""
    return f"{COMPOSITES[function]} of {name}"


def _deviation_terms(x: Number, mean: Number, count: Number) -> dict[str, Number]:
    return {"total": x, "shares": x / count, "squares": (x - mean) * (x - mean)}


def _mean_of_sums(sums: Numbers, count: Number) -> Number:
    return either(sums["total"] / count, sums["shares"])


def _updated(sums: Numbers, count: Number) -> Number:
    return update_mean(_mean_of_sums(sums, count), sums["squares"].value / count.value)


def _mean(sums: Numbers, count: Number) -> Number:
    """Return the mean, which a device may keep updating."""
    mean = _mean_of_sums(sums, count)
    return either(mean, _updated(sums, count)) if UPDATES in count.on.allowed else mean


def _deviations(sums: Numbers, count: Number) -> Number:
    """Return the sum of squares about a mean that a device has computed, or keeps updating."""
    on, squares, mean = count.on, sums["squares"], _mean(sums, count)
    # about a mean that is off by d, each square is larger by that of d, as far as others do not
    # make up for it
    drift = off(mean.under(on.keeping).operand.under(on))
    result = squares + count * (drift * drift)
    if UPDATES in on.allowed:
        drift = drift_of(_updated(sums, count), squares.value / count.value)
        result = either(result, squares + count * drift)
    return result


def _logsumexp_terms(x: Number, largest: Number, count: Number) -> dict[str, Number]:
    del count
    return {"powers": x.exp(), "shares": (x - largest).exp(), "largest": x}


def _logsumexp(sums: Numbers, count: Number) -> Number:
    """Return the logarithm of the sum, or that of the sum of smaller terms and the largest one."""
    del count
    shifted, plain = sums["shares"].log() + sums["largest"], sums["powers"].log()
    # the powers may overflow where the shares do not
    value = np.where(np.isfinite(shifted.value), shifted.value, plain.value)
    return replace(either(plain, shifted), value=value, factors=None)


class Composite(NamedTuple):
    """How a function is computed.

    Attributes:
        terms: Returns what is added up, from elements, what is common to a row, and its length.
        result: Returns the function from the sums, and the length.
        rules: What becomes of terms that are not added up, by name.
    """

    terms: Callable[[Number, Number, Number], dict[str, Number]]
    result: Callable[[Numbers, Number], Number]
    rules: Mapping[str, str] = {}


FUNCTIONS: Mapping[str, Composite] = {
    "mean": Composite(_deviation_terms, _mean),
    "deviations": Composite(_deviation_terms, _deviations),
    "logsumexp": Composite(_logsumexp_terms, _logsumexp, {"largest": "amax"}),
}
