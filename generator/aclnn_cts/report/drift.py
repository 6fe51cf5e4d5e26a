# SPDX-License-Identifier: Apache-2.0
"""Errors and device times that grew or shrank between two runs.

Both are given for single cases, and for all cases of an operator and data type together.

Times are tested for a drift beyond chance: a case with the rank-sum test of Mann and Whitney, all
cases of an operator and data type with the signed-rank test of Wilcoxon over the logarithms of
their ratios. Neither makes an assumption about the distribution of times, which has a long tail.
Both test against BASE's times multiplied by the factor that makes a difference a drift, not
against BASE's times themselves: with enough launches each release is slower or faster by something.
The p-values are corrected for the number of tests by the method of Holm, which bounds the chance of
any false alarm, however the cases depend on each other.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from aclnn_cts.judge.standards import Figures
from aclnn_cts.report.cases import CaseEntry

Direction: TypeAlias = Literal["worse", "better"]

Pair: TypeAlias = tuple[CaseEntry, CaseEntry]
"""One case in BASE and in NEW."""

LEAST_LAUNCHES = 5
"""Fewer launches on a side cannot show anything: 4 against 4 have 70 orders, and chance picks the
extreme one more often than the usual significance of 1 % allows."""

LEAST_CASES = 7
"""Fewer cases of a group cannot show anything: chance gives 6 of one sign in 1 of 64 groups."""

LEAST_SCATTERED = 20
"""Fewer cases have no tenth in which more than chance shows."""

LEAST_TIME = 1e-3
"""A nanosecond: replaces a time of 0 in a ratio; the clock has no finer resolution."""

_MARGIN = 1.5
"""How many times what launches explain must be exceeded: they have a long tail, and are few."""

_QUARTILE = statistics.NormalDist().inv_cdf(0.75)
_TENTH = statistics.NormalDist().inv_cdf(0.9)
_OF_MEDIAN = math.sqrt(math.pi / 2)
"""How much wider the median scatters than the mean, of normal values."""


@dataclass(frozen=True)
class Thresholds:
    """Minimum sizes of a drift.

    Attributes:
        accuracy_factor: An error has drifted if it exceeds BASE's by more than this factor …
        accuracy_floor: … and differs from it by more than this, in ulps of the output's type.
        time_factor: A time has drifted if it exceeds BASE's, beyond chance, by more than this
            factor …
        time_floor: … and the medians differ by more than this, in microseconds: events of the
            runtime have no finer resolution.
        significance: The chance, at most, that any drift in time is reported where no case is
            slower by the factor; over all cases together, and over all groups together.
    """

    accuracy_factor: float = 1.5
    accuracy_floor: float = 0.1
    time_factor: float = 1.1
    time_floor: float = 0.5
    significance: float = 0.01


@dataclass(frozen=True)
class _Drift:
    """A figure that grew or shrank.

    Attributes:
        case: The case's id; None for all cases of the operator and data type.
        operator: The operator's name.
        dtype: Data type of the operator's first tensor.
        base: The figure in BASE.
        new: The figure in NEW.
        direction: ``worse`` if it grew.
    """

    case: str | None
    operator: str
    dtype: str
    base: float
    new: float
    direction: Direction


@dataclass(frozen=True)
class AccuracyDrift(_Drift):
    """An error that grew or shrank, in ulps of the output's type.

    Attributes:
        figure: ``worst`` is the largest error, ``mean`` the mean of the absolute errors.
    """

    figure: Literal["worst", "mean"]


@dataclass(frozen=True)
class TimeDrift(_Drift):
    """A median time on the device, in microseconds, that grew or shrank beyond chance.

    Of a group it is the median over its cases' medians.

    Attributes:
        ratio: Of a case, that of the medians; of a group the median over its cases' ratios.
        p_value: Probability of at least so large a difference without a drift by the factor,
            corrected for the number of cases or groups that were tested.
        samples: Launches in BASE and in NEW; of a group its cases, twice.
    """

    ratio: float
    p_value: float
    samples: tuple[int, int]


@dataclass(frozen=True)
class Tested:
    """How many times could be compared.

    Attributes:
        cases: Cases with enough launches on both sides.
        groups: Operators and data types with enough cases.
    """

    cases: int = 0
    groups: int = 0


class TimeDrifts(NamedTuple):
    """Comparison of the times of two runs.

    Attributes:
        drifts: The drifts of groups, then those of single cases.
        tested: How many could be tested.
        note: The reason why little or nothing could show, or why single cases prove little; empty
            if neither applies.
    """

    drifts: tuple[TimeDrift, ...]
    tested: Tested
    note: str


def accuracy_drifts(pairs: Iterable[Pair], limits: Thresholds) -> tuple[AccuracyDrift, ...]:
    """Return the drifts of groups, then those of single cases.

    Args:
        pairs: Cases that break no promise on either side; broken ones are listed as such.
        limits: Minimum sizes of a drift.
    """
    # All standards hold the same errors; they differ in what they allow.
    compared = [pair for pair in pairs if all("strict" in entry.standards for entry in pair)]
    return tuple(
        AccuracyDrift(name, group[0][1].operator, group[0][1].dtype, base, new, direction, figure)
        for name, group in (
            *((None, group) for group in _groups(compared)),
            *((pair[1].id, [pair]) for pair in compared),
        )
        for figure, base, new in _errors(group)
        if (direction := _direction(base, new, limits))
    )


def _groups(pairs: Iterable[Pair]) -> list[list[Pair]]:
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair[1].operator, pair[1].dtype), []).append(pair)
    return list(groups.values())


def _errors(group: Sequence[Pair]) -> Iterator[tuple[Literal["worst", "mean"], float, float]]:
    """Yield the largest and the mean error of some cases, each in BASE and NEW."""
    base, new = ([pair[side].standards["strict"] for pair in group] for side in (0, 1))
    yield "worst", _worst(base), _worst(new)
    yield "mean", _mean(base), _mean(new)


def _worst(figures: Sequence[Figures]) -> float:
    return max(each.worst_ulp for each in figures)


def _mean(figures: Sequence[Figures]) -> float:
    total = math.fsum(each.mean_abs_ulp * each.compared for each in figures)
    return total / max(sum(each.compared for each in figures), 1)


def _direction(base: float, new: float, limits: Thresholds) -> Direction | None:
    # Inf marks an element of another class; the difference of two of them has no size.
    if not abs(new - base) > limits.accuracy_floor:
        return None
    if new > base * limits.accuracy_factor:
        return "worse"
    return "better" if base > new * limits.accuracy_factor else None


def time_drifts(pairs: Iterable[Pair], limits: Thresholds) -> TimeDrifts:
    """Return the drifts of the device times of two runs.

    Args:
        pairs: Cases that break no promise on either side; a failing call may have left work out.
        limits: Minimum sizes of a drift.
    """
    timed = [pair for pair in pairs if min(_sizes(pair)) > 0]
    repeated = [pair for pair in timed if min(_sizes(pair)) >= LEAST_LAUNCHES]
    groups = [group for group in _groups(timed) if len(group) >= LEAST_CASES]
    of_cases = _significant(_of_cases(repeated, limits), limits)
    drifts = (*_significant([_of_group(group, limits) for group in groups], limits), *of_cases)
    note = scatter_note(repeated, limits) if of_cases else _note(timed, repeated, limits)
    return TimeDrifts(drifts, Tested(len(repeated), len(groups)), note)


def _sizes(pair: Pair) -> tuple[int, int]:
    base, new = pair
    return len(base.device_microseconds), len(new.device_microseconds)


def _orders(sizes: tuple[int, int]) -> int:
    """Return the number of orders of two samples; the rank-sum test's least p is its reciprocal."""
    return math.comb(sum(sizes), sizes[0])


def _note(timed: Sequence[Pair], repeated: Sequence[Pair], limits: Thresholds) -> str:
    if not timed:
        return "times are not compared: no case has any on both sides"
    if not repeated:
        return (
            f"times of single cases are not compared: none has {LEAST_LAUNCHES} launches on both "
            "sides; `aclnn-cts run --timings 20` makes more"
        )
    sizes = max(map(_sizes, repeated), key=_orders)
    if len(repeated) / _orders(sizes) <= limits.significance:
        return ""
    launches = " and ".join(map(str, dict.fromkeys(sizes)))
    return (
        f"times of single cases cannot differ beyond chance: {launches} launches are too few to "
        f"test {len(repeated)} cases at once; `aclnn-cts run --timings 20` makes more"
    )


def _both(slower: TimeDrift, faster: float) -> tuple[TimeDrift, TimeDrift]:
    """Return a drift in either direction, given that to the slower side and the other p-value."""
    return slower, replace(slower, p_value=faster, direction="better")


def _of_cases(pairs: Sequence[Pair], limits: Thresholds) -> list[tuple[TimeDrift, TimeDrift]]:
    """Return each case's drift in either direction, with p-values of its own test alone."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - a second that other commands need not pay

    factor = limits.time_factor
    found: dict[str, tuple[TimeDrift, TimeDrift]] = {}
    # Cases with equal numbers of launches are tested in one call, which is much faster.
    for sizes, group in itertools.groupby(sorted(pairs, key=_sizes), _sizes):
        own = list(group)
        base, new = (
            np.array([pair[side].device_microseconds for pair in own], dtype=np.float64)
            for side in (0, 1)
        )
        slower = np.asarray(mannwhitneyu(new, base * factor, alternative="greater", axis=1).pvalue)
        faster = np.asarray(mannwhitneyu(new * factor, base, alternative="less", axis=1).pvalue)
        for place, (_, entry) in enumerate(own):
            before, after = float(np.median(base[place])), float(np.median(new[place]))
            facts = (entry.id, entry.operator, entry.dtype, before, after)
            ratio = _ratio(after, before)
            drift = TimeDrift(*facts, "worse", ratio, float(slower[place]), sizes)
            found[entry.id] = _both(drift, float(faster[place]))
    return [found[entry.id] for _, entry in pairs]


def _of_group(pairs: Sequence[Pair], limits: Thresholds) -> tuple[TimeDrift, TimeDrift]:
    """Return the group's drift in either direction, with p-values of this test alone."""
    from scipy.stats import wilcoxon  # noqa: PLC0415 - a second that other commands need not pay

    base, new = (
        [statistics.median(pair[side].device_microseconds) for pair in pairs] for side in (0, 1)
    )
    ratios = list(map(_ratio, new, base))
    logs = [math.log(ratio) for ratio in ratios]
    margin = math.log(limits.time_factor)
    slower = wilcoxon([log - margin for log in logs], alternative="greater").pvalue
    faster = wilcoxon([log + margin for log in logs], alternative="less").pvalue
    first = pairs[0][1]
    medians = statistics.median(base), statistics.median(new)
    facts = (None, first.operator, first.dtype, *medians)
    sizes = len(pairs), len(pairs)
    drift = TimeDrift(*facts, "worse", statistics.median(ratios), float(slower), sizes)
    return _both(drift, float(faster))


def _ratio(after: float, before: float) -> float:
    return max(after, LEAST_TIME) / max(before, LEAST_TIME)


def _significant(
    found: Sequence[tuple[TimeDrift, TimeDrift]], limits: Thresholds
) -> tuple[TimeDrift, ...]:
    """Return the drifts beyond chance and beyond the floor, with corrected p-values, in order."""
    corrected = [
        [
            replace(both[way], p_value=p_value)
            for both, p_value in zip(found, holm([b[way].p_value for b in found]), strict=True)
        ]
        for way in (0, 1)
    ]
    return tuple(
        drift
        for both in zip(*corrected, strict=True)
        for drift in both
        if drift.p_value <= limits.significance
        and (drift.new - drift.base) * (1 if drift.direction == "worse" else -1) > limits.time_floor
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by the step-down method of Holm.

    S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
    Statistics 6 (1979).
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    scaled = (min(1.0, (len(order) - rank) * p_values[place]) for rank, place in enumerate(order))
    corrected = dict(zip(order, itertools.accumulate(scaled, max), strict=True))
    return [corrected[place] for place in range(len(p_values))]


def scatter_note(pairs: Sequence[Pair], limits: Thresholds) -> str:
    """Return a note when times vary in both directions more than launches explain; else empty.

    The launches of a case are made at one moment, so they agree with each other even where that
    moment was a busy one. Their own scatter then explains much less than the difference of two
    runs. A release seldom makes many cases slower and many others faster; a busy host does.

    Args:
        pairs: Cases with some launches on both sides.
        limits: Minimum sizes of a drift.
    """
    if len(pairs) < LEAST_SCATTERED:
        return ""
    logs = [(_logs(base), _logs(new)) for base, new in pairs]
    ratios = [statistics.median(new) - statistics.median(base) for base, new in logs]
    tenths = statistics.quantiles(ratios, n=10)
    explained = _TENTH * statistics.median(math.hypot(*map(_of_median, both)) for both in logs)
    least = max(math.log(limits.time_factor), _MARGIN * explained)
    if min(tenths[-1], -tenths[0]) <= least:
        return ""
    return (
        f"a tenth of the cases took more than {math.exp(tenths[-1]):.2f} times as long, another "
        f"tenth less than {math.exp(tenths[0]):.2f} times, and their launches do not explain it: "
        "unless the releases differ so much both ways, the hosts were busy now and then, and "
        "single cases say little"
    )


def _logs(entry: CaseEntry) -> list[float]:
    return [math.log(max(time, LEAST_TIME)) for time in entry.device_microseconds]


def _of_median(logs: Sequence[float]) -> float:
    """Return the standard deviation that values give to their median, robustly."""
    low, _, high = statistics.quantiles(logs, n=4)
    return _OF_MEDIAN * (high - low) / (2 * _QUARTILE) / math.sqrt(len(logs))
