# SPDX-License-Identifier: Apache-2.0
"""Times on the device that grew or shrank between two runs, beyond chance.

A case is tested with the rank-sum test of Mann and Whitney, all cases of an operator and data type
with the signed-rank test of Wilcoxon over the logarithms of their ratios. Neither asks how times
are distributed, which have a long tail. Both test against BASE's times multiplied by the factor
from which on a difference is news, not against BASE's times themselves: with enough launches each
release is slower or faster by something. The p-values are corrected for the number of tests by the
method of Holm, which bounds the chance of any false alarm, however the cases depend on each other.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from aclnn_cts.report.accuracy_drift import Pair
from aclnn_cts.report.comparison_values import Direction, Options, Tested, TimeDrift
from aclnn_cts.report.time_scatter import LEAST_TIME, scatter_note

LEAST_LAUNCHES = 5
"""Fewer launches on a side cannot show anything: 4 against 4 have 70 orders, and chance picks the
extreme one more often than the usual significance of 1 % allows."""

LEAST_CASES = 7
"""Fewer cases of a group cannot show anything: chance gives 6 of one sign in 1 of 64 groups."""


@dataclass(frozen=True)
class TimeDrifts:
    """What the times of two runs say.

    Attributes:
        drifts: The drifts of groups, then those of single cases.
        tested: How many could be tested.
        note: Why little or nothing could be seen, or why single cases say little; empty if there
            is nothing to say.
    """

    drifts: tuple[TimeDrift, ...]
    tested: Tested
    note: str


def time_drifts(pairs: Iterable[Pair], options: Options) -> TimeDrifts:
    """Return what the times of two runs say.

    Args:
        pairs: Cases that break no promise on either side; a failing call may have left work out.
        options: From where on a time has drifted.
    """
    timed = [pair for pair in pairs if _launches(pair) > 0]
    repeated = [pair for pair in timed if _launches(pair) >= LEAST_LAUNCHES]
    groups = [group for group in _groups(timed) if len(group) >= LEAST_CASES]
    drifts = (
        *_significant([_of_group(group, options) for group in groups], options),
        *_significant(_of_cases(repeated, options), options),
    )
    note = _note(timed, repeated, options)
    if any(drift.case is not None for drift in drifts):
        note = scatter_note(repeated, options)
    return TimeDrifts(drifts, Tested(len(repeated), len(groups)), note)


def _launches(pair: Pair) -> int:
    return min(len(entry.device_microseconds) for entry in pair)


def _sizes(pair: Pair) -> tuple[int, int]:
    base, new = pair
    return len(base.device_microseconds), len(new.device_microseconds)


def _orders(sizes: tuple[int, int]) -> int:
    """Return how many orders two samples have; 1 in so many is the least p of the rank-sum test."""
    return math.comb(sum(sizes), sizes[0])


def _groups(pairs: Iterable[Pair]) -> list[list[Pair]]:
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair[1].operator, pair[1].dtype), []).append(pair)
    return list(groups.values())


def _note(timed: Sequence[Pair], repeated: Sequence[Pair], options: Options) -> str:
    if not timed:
        return "times are not compared: no case has any on both sides"
    if not repeated:
        return (
            f"times of single cases are not compared: none has {LEAST_LAUNCHES} launches on both "
            "sides; `aclnn-cts run --timings 20` makes more"
        )
    sizes = max(map(_sizes, repeated), key=_orders)
    if len(repeated) / _orders(sizes) <= options.significance:
        return ""
    launches = " and ".join(map(str, dict.fromkeys(sizes)))
    return (
        f"times of single cases cannot differ beyond chance: {launches} launches are too few to "
        f"test {len(repeated)} cases at once; `aclnn-cts run --timings 20` makes more"
    )


def _of_cases(pairs: Sequence[Pair], options: Options) -> list[tuple[TimeDrift, TimeDrift]]:
    """Return each case's drift in either direction, with p-values of its own test alone."""
    found: dict[int, tuple[TimeDrift, TimeDrift]] = {}
    alike: dict[tuple[int, int], list[int]] = {}
    for place, (base, new) in enumerate(pairs):
        sizes = len(base.device_microseconds), len(new.device_microseconds)
        alike.setdefault(sizes, []).append(place)
    # Cases with as many launches are tested in one call, which takes a fraction of the time.
    for places in alike.values():
        tested = [pairs[place] for place in places]
        for place, pair, p_values in zip(places, tested, _rank_sums(tested, options), strict=True):
            found[place] = _of_case(pair, p_values)
    return [found[place] for place in range(len(pairs))]


def _rank_sums(pairs: Sequence[Pair], options: Options) -> Iterator[tuple[float, float]]:
    """Yield each case's p-values, slower and faster; all have as many launches on a side."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - a second that other commands need not pay

    base, new = (
        np.array([pair[side].device_microseconds for pair in pairs], dtype=np.float64)
        for side in (0, 1)
    )
    factor = options.time_factor
    slower = mannwhitneyu(new, base * factor, alternative="greater", axis=1).pvalue
    faster = mannwhitneyu(new * factor, base, alternative="less", axis=1).pvalue
    yield from zip(np.asarray(slower).tolist(), np.asarray(faster).tolist(), strict=True)


def _of_case(pair: Pair, p_values: tuple[float, float]) -> tuple[TimeDrift, TimeDrift]:
    entry = pair[1]
    base, new = (each.device_microseconds for each in pair)
    before, after = statistics.median(base), statistics.median(new)
    found = TimeDrift(
        case=entry.id,
        operator=entry.operator,
        dtype=entry.dtype,
        base=before,
        new=after,
        ratio=_ratio(after, before),
        p_value=p_values[0],
        samples=(len(base), len(new)),
        direction="worse",
    )
    return found, replace(found, p_value=p_values[1], direction="better")


def _of_group(pairs: Sequence[Pair], options: Options) -> tuple[TimeDrift, TimeDrift]:
    """Return the group's drift in either direction, with p-values of this test alone."""
    from scipy.stats import wilcoxon  # noqa: PLC0415 - a second that other commands need not pay

    medians = [
        tuple(statistics.median(entry.device_microseconds) for entry in pair) for pair in pairs
    ]
    ratios = [_ratio(after, before) for before, after in medians]
    logs = [math.log(ratio) for ratio in ratios]
    margin = math.log(options.time_factor)
    slower = wilcoxon([log - margin for log in logs], alternative="greater").pvalue
    faster = wilcoxon([log + margin for log in logs], alternative="less").pvalue
    found = TimeDrift(
        case=None,
        operator=pairs[0][1].operator,
        dtype=pairs[0][1].dtype,
        base=statistics.median(before for before, _ in medians),
        new=statistics.median(after for _, after in medians),
        ratio=statistics.median(ratios),
        p_value=float(slower),
        samples=(len(pairs), len(pairs)),
        direction="worse",
    )
    return found, replace(found, p_value=float(faster), direction="better")


def _ratio(after: float, before: float) -> float:
    return max(after, LEAST_TIME) / max(before, LEAST_TIME)


def _significant(
    found: Sequence[tuple[TimeDrift, TimeDrift]], options: Options
) -> tuple[TimeDrift, ...]:
    """Return the drifts beyond chance and beyond the floor, with corrected p-values, in order."""
    corrected: list[tuple[int, TimeDrift]] = []
    for way in (0, 1):
        drifts = [both[way] for both in found]
        p_values = holm([drift.p_value for drift in drifts])
        corrected += (
            (place, replace(drift, p_value=p_value))
            for place, (drift, p_value) in enumerate(zip(drifts, p_values, strict=True))
        )
    return tuple(
        drift
        for _, drift in sorted(corrected, key=lambda item: item[0])
        if drift.p_value <= options.significance
        and _is_large(drift.base, drift.new, drift.direction, options)
    )


def _is_large(base: float, new: float, direction: Direction, options: Options) -> bool:
    grown = new - base if direction == "worse" else base - new
    return grown > options.time_floor


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by the step-down method of Holm.

    S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
    Statistics 6 (1979).
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected
