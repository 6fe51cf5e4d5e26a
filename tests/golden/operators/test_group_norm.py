# SPDX-License-Identifier: Apache-2.0
"""The moments of aclnnGroupNorm and its relatives."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import UPDATES, Arithmetic
from aclnn_cts.golden.formula import Result
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet

ROWS = 400
FLOAT32 = DATA_TYPES["float32"].grid
EPS = 1e-5


def welford(x: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
    """Return mean and rstd of each row, updated in float32 by each element."""
    mean, total = np.zeros((2, len(x)), np.float32)
    for place, each in enumerate(x.T, 1):
        off = each - mean
        mean = mean + off / np.float32(place)
        total = total + off * (each - mean)
    return [mean, 1 / np.sqrt(total / np.float32(x.shape[1]) + np.float32(EPS))]


def statistics(specs: SpecSet, x: npt.NDArray[np.float32], *left_out: str) -> list[Result]:
    """Return the results for the moments, without some allowances."""
    named = set(specs.operator("aclnnGroupNorm").precision[0].allowances).difference(left_out)
    allowances = [own for own in specs.allowances.values() if own.id in named]
    on = Arithmetic.of(allowances, FLOAT32, FLOAT32)
    ones = np.ones(1, np.float32)
    inputs = {"self": x.reshape(len(x), 1, -1), "gamma": ones, "beta": 0 * ones}
    found = evaluate_whole("group_norm", inputs, {"group": 1, "eps": EPS}, on)
    return [found["meanOut"], found["rstdOut"]]


def within(found: npt.NDArray[np.float32], result: Result) -> bool:
    off = np.abs(found - result.value.reshape(-1))
    return bool((off <= result.error.reshape(-1)).all())


def test_moments_may_be_updated_by_each_element(specs: SpecSet) -> None:
    """For groups of any length, and for a mean far above the deviation; some need the allowance."""
    needed = set()
    for count in (1, 2, 3, 5, 9, 30, 257):
        for middle in (0.0, 3.0, 300.0):
            drawn = np.random.default_rng(count).uniform(-1, 1, (ROWS, count))
            x = (drawn + middle).astype(np.float32)
            found = welford(x)
            assert all(map(within, found, statistics(specs, x))), (count, middle)
            if not all(map(within, found, statistics(specs, x, UPDATES))):
                needed.add(middle)
    assert {3.0, 300.0} <= needed


def test_moments_are_off_by_no_more_than_derived(specs: SpecSet) -> None:
    """The variance by 2 e deviations and e^2, where the means are off by e."""
    x = np.random.default_rng(0).uniform(29, 31, (ROWS, 257)).astype(np.float32)
    (mean, rstd), (_, before) = (statistics(specs, x, *out) for out in ((), (UPDATES,)))
    off = mean.error.reshape(-1)
    deviation = x.astype(np.float64).std(axis=-1)
    variance = off * (off + 2 * deviation)
    most = before.error.reshape(-1) + variance * rstd.value.reshape(-1) ** 3 / 2 * 1.005
    assert (rstd.error.reshape(-1) <= most).all()


def test_means_are_updated_only_where_it_is_allowed(specs: SpecSet) -> None:
    """Without the allowance a mean is as far off as a sum's."""
    x = np.random.default_rng(0).uniform(29, 31, (ROWS, 257)).astype(np.float32)
    with_it, without = (statistics(specs, x, *out)[0] for out in ((), (UPDATES,)))
    assert (without.error < with_it.error).all()
