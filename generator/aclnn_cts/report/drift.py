# SPDX-License-Identifier: Apache-2.0
"""Errors and device times that grew or shrank between two runs.

Both are computed for single cases, and for all cases of an operator and data type.

Times are tested for a drift beyond chance: a case with the rank-sum test of Mann and Whitney, all
cases of an operator and data type with the signed-rank test of Wilcoxon over the logarithms of
their ratios. Neither makes an assumption about the distribution of times, which has a long tail.
Both test against BASE's times multiplied by the minimum factor of a drift, because with enough
launches any two releases differ significantly. The p-values are corrected for the number of tests
by the method of Holm, which bounds the chance of any false alarm, however the cases depend on each
other.
"""

from __future__ import annotations

import itertools
import math
import statistics
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from aclnn_cts.errors import counted
from aclnn_cts.judge.standards import Figures
from aclnn_cts.results.cases import CaseEntry

Direction: TypeAlias = Literal["worse", "better"]

Pair: TypeAlias = tuple[CaseEntry, CaseEntry]
"""One case in BASE and in NEW."""

LEAST_LAUNCHES = 5
"""Minimum number of launches per side: 4 against 4 have 70 orders, and the extreme one has a larger
probability than the usual significance of 1 %."""

LEAST_CASES = 7
"""Minimum number of cases of a group: 6 equal signs have a probability of 1/64."""

LEAST_SCATTERED = 20
"""Minimum number of cases whose tenths are meaningful."""

LEAST_TIME = 1e-3
"""Replaces a time of 0 in a ratio: a nanosecond, the resolution of the clock."""

_TOGETHER = 4096
"""Maximum number of cases per call of the test."""

_MARGIN = 1.5
"""Safety factor for the explained scatter, because launches are few and have a long tail."""

_QUARTILE = statistics.NormalDist().inv_cdf(0.75)
_TENTH = statistics.NormalDist().inv_cdf(0.9)
_OF_MEDIAN = math.sqrt(math.pi / 2)
"""Ratio of the median's to the mean's standard error, for normal values."""


@dataclass(frozen=True)
class Thresholds:
    """Minimum sizes of a drift.

    Attributes:
        accuracy_factor: An error has drifted if it exceeds BASE's by more than this factor …
        accuracy_floor: … and differs from it by more than this, in ulps of the output's type.
        time_factor: A time has drifted if it exceeds BASE's, beyond chance, by more than this
            factor …
        time_floor: … and the medians differ by more than this, in microseconds, the resolution of
            runtime events.
        significance: Maximum probability that any drift in time is reported if no case is slower by
            the factor; for all cases together, and for all groups together.
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
        dtype: Data type of the operator's first tensor.
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

    For a group, the median of its cases' medians.

    Attributes:
        ratio: Ratio of the medians; for a group, the median of its cases' ratios.
        p_value: Probability of at least so large a difference without a drift by the factor,
            corrected for the number of cases or groups that were tested.
        samples: Launches in BASE and in NEW; for a group, its number of cases twice.
    """

    ratio: float
    p_value: float
    samples: tuple[int, int]


@dataclass(frozen=True)
class Tested:
    """Number of compared times.

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
        tested: Number of tested cases and groups.
        note: A warning that drifts could hardly show, or that single cases prove little; may be
            empty.
    """

    drifts: tuple[TimeDrift, ...]
    tested: Tested
    note: str


class AccuracySums:
    """Collects the errors of pairs of cases that drifted, one pair after the other."""

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._cases: list[AccuracyDrift] = []
        self._groups: dict[tuple[str, str], _Errors] = {}

    def add(self, pair: Pair) -> None:
        """Add a case that breaks no promise on either side."""
        # all standards have the same errors
        if not all("strict" in entry.standards for entry in pair):
            return
        base, new = (entry.standards["strict"] for entry in pair)
        entry = pair[1]
        group, errors = (entry.operator, entry.dtype), _Errors()
        errors.add(base, new)
        self._groups.setdefault(group, _Errors()).add(base, new)
        self._cases += errors.drifts(entry.id, group, self._limits)

    def drifts(self) -> tuple[AccuracyDrift, ...]:
        """Return the drifts of groups, then those of single cases."""
        groups = (
            drift
            for key, errors in self._groups.items()
            for drift in errors.drifts(None, key, self._limits)
        )
        return (*groups, *self._cases)


class _Errors:
    """The largest error, and the terms of the mean error, of some cases in BASE and NEW."""

    def __init__(self) -> None:
        self._worst = [-math.inf, -math.inf]
        self._compared = [0, 0]
        self._weighted = (array("d"), array("d"))

    def add(self, *figures: Figures) -> None:
        for side, side_figures in enumerate(figures):
            self._worst[side] = max(self._worst[side], side_figures.worst_ulp)
            self._compared[side] += side_figures.compared
            self._weighted[side].append(side_figures.mean_abs_ulp * side_figures.compared)

    def drifts(
        self, case: str | None, group: tuple[str, str], limits: Thresholds
    ) -> Iterator[AccuracyDrift]:
        mean = [
            math.fsum(weighted) / max(compared, 1)
            for weighted, compared in zip(self._weighted, self._compared, strict=True)
        ]
        figures: tuple[tuple[Literal["worst", "mean"], list[float]], ...]
        figures = (("worst", self._worst), ("mean", mean))
        for figure, (base, new) in figures:
            direction = _direction(base, new, limits)
            if direction:
                yield AccuracyDrift(case, *group, base, new, direction, figure)


def _direction(base: float, new: float, limits: Thresholds) -> Direction | None:
    # Inf marks an element of another class; their difference is undefined
    if not abs(new - base) > limits.accuracy_floor:
        return None
    if new > base * limits.accuracy_factor:
        return "worse"
    return "better" if base > new * limits.accuracy_factor else None


_Candidate: TypeAlias = tuple[int, TimeDrift, TimeDrift]
"""Index of a test among all tests, and the drifts that it may show: slower and faster."""


class TimeSums:
    """Compares the times of pairs of cases, one pair after the other."""

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._timed = 0
        self._medians: dict[tuple[str, str], tuple[array[float], array[float]]] = {}
        self._waiting: dict[tuple[int, int], list[tuple[int, Pair]]] = {}
        self._tested = array("d"), array("d")
        self._candidates: list[tuple[int, _Candidate]] = []
        self._scatter = Scatter()
        self._sizes: Counter[tuple[int, int]] = Counter()

    def add(self, pair: Pair) -> None:
        """Add a case that breaks no promise on either side; failing calls may skip work."""
        sizes = _sizes(pair)
        if min(sizes) == 0:
            return
        self._timed += 1
        entry = pair[1]
        medians = self._medians.setdefault((entry.operator, entry.dtype), (array("d"), array("d")))
        for side, case in enumerate(pair):
            medians[side].append(statistics.median(case.device_microseconds))
        if min(sizes) < LEAST_LAUNCHES:
            return
        self._scatter.add(pair)
        # cases with equal numbers of launches are tested in one call, which is much faster
        self._waiting.setdefault(sizes, []).append((self._sizes.total(), pair))
        self._sizes[sizes] += 1
        if len(self._waiting[sizes]) >= _TOGETHER:
            self._test(sizes)

    def _test(self, sizes: tuple[int, int]) -> None:
        """Test the pending cases; keep possible drifts, and all p-values."""
        from scipy.stats import mannwhitneyu  # noqa: PLC0415 - a second that other commands need not pay

        pending, first = self._waiting.pop(sizes), len(self._tested[0])
        factor = self._limits.time_factor
        base, new = (
            np.array([pair[side].device_microseconds for _, pair in pending], dtype=np.float64)
            for side in (0, 1)
        )
        slower = np.asarray(mannwhitneyu(new, base * factor, alternative="greater", axis=1).pvalue)
        faster = np.asarray(mannwhitneyu(new * factor, base, alternative="less", axis=1).pvalue)
        for all_p_values, p_values in zip(self._tested, (slower, faster), strict=True):
            all_p_values.extend(p_values.tolist())
        # the correction only increases p-values
        for at in np.flatnonzero(np.minimum(slower, faster) <= self._limits.significance).tolist():
            position, (_, entry) = pending[at]
            before, after = float(np.median(base[at])), float(np.median(new[at]))
            facts = (entry.id, entry.operator, entry.dtype, before, after)
            ratio = _ratio(after, before)
            drift = TimeDrift(*facts, "worse", ratio, float(slower[at]), sizes)
            self._candidates.append((position, (first + at, *_both(drift, float(faster[at])))))

    def drifts(self) -> TimeDrifts:
        """Return the drifts of groups, then those of single cases."""
        for sizes in list(self._waiting):
            self._test(sizes)
        groups = [
            _of_group(key, *medians, self._limits)
            for key, medians in self._medians.items()
            if len(medians[0]) >= LEAST_CASES
        ]
        p_values = ([each[0].p_value for each in groups], [each[1].p_value for each in groups])
        candidates = [(number, *both) for number, both in enumerate(groups)]
        of_groups = _significant(candidates, p_values, self._limits)
        in_order = [drift for _, drift in sorted(self._candidates, key=lambda each: each[0])]
        of_cases = _significant(in_order, self._tested, self._limits)
        note = self._scatter.note(self._limits) if of_cases else self._note()
        tested = Tested(self._sizes.total(), len(groups))
        return TimeDrifts((*of_groups, *of_cases), tested, note)

    def _note(self) -> str:
        if not self._timed:
            return "times are not compared: no case has any on both sides"
        repeated = self._sizes.total()
        if not repeated:
            return (
                f"times of single cases are not compared: none has {LEAST_LAUNCHES} launches on "
                "both sides; `aclnn-cts run --timings 20` makes more"
            )
        sizes = max(self._sizes, key=_orders)
        if repeated / _orders(sizes) <= self._limits.significance:
            return ""
        launches = " and ".join(map(str, dict.fromkeys(sizes)))
        return (
            f"times of single cases cannot differ beyond chance: with only {launches} "
            f"launches of each of {counted(repeated, 'case')}; `aclnn-cts run --timings 20` "
            "makes more"
        )


def _sizes(pair: Pair) -> tuple[int, int]:
    base, new = pair
    return len(base.device_microseconds), len(new.device_microseconds)


def _orders(sizes: tuple[int, int]) -> int:
    """Return the number of orders of two samples; the rank-sum test's least p is its reciprocal."""
    return math.comb(sum(sizes), sizes[0])


def _both(slower: TimeDrift, faster: float) -> tuple[TimeDrift, TimeDrift]:
    """Return a drift in either direction, from the slower one and the p-value of the other."""
    return slower, replace(slower, p_value=faster, direction="better")


def _of_group(
    group: tuple[str, str], base: Sequence[float], new: Sequence[float], limits: Thresholds
) -> tuple[TimeDrift, TimeDrift]:
    """Return a group's drift in either direction, with uncorrected p-values.

    Args:
        group: Operator and data type.
        base: The median time of each case in BASE.
        new: The median time of each case in NEW.
        limits: Minimum sizes of a drift.
    """
    ratios = list(map(_ratio, new, base))
    logs = [math.log(ratio) for ratio in ratios]
    margin = math.log(limits.time_factor)
    slower = _chance_of_excess([log - margin for log in logs])
    faster = _chance_of_excess([-log - margin for log in logs])
    facts = (None, *group, statistics.median(base), statistics.median(new))
    sizes = len(base), len(new)
    drift = TimeDrift(*facts, "worse", statistics.median(ratios), slower, sizes)
    return _both(drift, faster)


def _chance_of_excess(values: Sequence[float]) -> float:
    """Return the p-value of a signed-rank test; most groups have no value above 0."""
    if max(values) <= 0:
        return 1.0
    from scipy.stats import wilcoxon  # noqa: PLC0415 - a second that other commands need not pay

    return float(wilcoxon(values, alternative="greater").pvalue)


def _ratio(after: float, before: float) -> float:
    return max(after, LEAST_TIME) / max(before, LEAST_TIME)


def _significant(
    candidates: Iterable[_Candidate],
    p_values: tuple[Sequence[float], Sequence[float]],
    limits: Thresholds,
) -> tuple[TimeDrift, ...]:
    """Return the drifts beyond chance and beyond the floor, with corrected p-values.

    Args:
        candidates: Candidate drifts.
        p_values: The p-values of all tests, for slower and for faster.
        limits: Minimum sizes of a drift.
    """
    corrected = list(map(holm, p_values))
    return tuple(
        replace(drift, p_value=corrected[side][test])
        for test, *drifts in candidates
        for side, drift in enumerate(drifts)
        if corrected[side][test] <= limits.significance
        and (drift.new - drift.base) * (1 if side == 0 else -1) > limits.time_floor
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


class Scatter:
    """Scatter of times in both directions, and the part that launches explain.

    The launches of a case are made at one moment, so they agree even if the host was busy then, and
    their scatter explains much less than the difference of two runs. A release seldom makes many
    cases slower and many others faster, but a busy host does.
    """

    def __init__(self) -> None:
        self._ratios, self._explained = array("d"), array("d")

    def add(self, pair: Pair) -> None:
        """Add a case with some launches on both sides."""
        base, new = (
            [math.log(max(time, LEAST_TIME)) for time in case.device_microseconds] for case in pair
        )
        self._ratios.append(statistics.median(new) - statistics.median(base))
        self._explained.append(math.hypot(_of_median(base), _of_median(new)))

    def note(self, limits: Thresholds) -> str:
        """Return the note; empty if times do not vary beyond that."""
        if len(self._ratios) < LEAST_SCATTERED:
            return ""
        tenths = statistics.quantiles(self._ratios, n=10)
        explained = _TENTH * statistics.median(self._explained)
        least = max(math.log(limits.time_factor), _MARGIN * explained)
        if min(tenths[-1], -tenths[0]) <= least:
            return ""
        return (
            f"a tenth of the cases took more than {math.exp(tenths[-1]):.2f} times as long, "
            f"another tenth less than {math.exp(tenths[0]):.2f} times, and their launches do not "
            "explain it: unless the releases differ so much both ways, the hosts were busy now and "
            "then, and single cases say little"
        )


def _of_median(logs: Sequence[float]) -> float:
    """Return a robust estimate of the standard deviation of the median."""
    low, _, high = statistics.quantiles(logs, n=4)
    return _OF_MEDIAN * (high - low) / (2 * _QUARTILE) / math.sqrt(len(logs))
