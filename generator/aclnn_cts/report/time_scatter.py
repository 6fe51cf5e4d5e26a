# SPDX-License-Identifier: Apache-2.0
"""Whether the times of two runs say more about their hosts than about what they ran.

The launches of a case are made at one moment, so they agree with each other even where that moment
was a busy one. Their own scatter then explains much less than what lies between two runs. A release
seldom makes many cases slower and many others faster; a host that is busy now and then does.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from aclnn_cts.report.accuracy_drift import Pair
from aclnn_cts.report.comparison_values import Options
from aclnn_cts.report.document import CaseEntry

LEAST_TIME = 1e-3
"""A nanosecond: what a time of 0 is taken for in a ratio; the clock tells no finer ones."""

LEAST_CASES = 20
"""Fewer cases have no tenth that more than chance is to be seen in."""

_MARGIN = 1.5
"""How many times what launches explain must be exceeded: they have a long tail, and are few."""

_QUARTILE = statistics.NormalDist().inv_cdf(0.75)
_TENTH = statistics.NormalDist().inv_cdf(0.9)
_OF_MEDIAN = math.sqrt(math.pi / 2)
"""How much wider the median scatters than the mean, of normal values."""


def scatter_note(pairs: Sequence[Pair], options: Options) -> str:
    """Return how far times went both ways, if launches do not explain it; empty if they do.

    Args:
        pairs: Cases with some launches on both sides.
        options: From where on a time has drifted.
    """
    if len(pairs) < LEAST_CASES:
        return ""
    logs = [(_logs(base), _logs(new)) for base, new in pairs]
    ratios = [statistics.median(new) - statistics.median(base) for base, new in logs]
    tenths = statistics.quantiles(ratios, n=10)
    explained = _TENTH * statistics.median(math.hypot(*map(_of_median, both)) for both in logs)
    least = max(math.log(options.time_factor), _MARGIN * explained)
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
