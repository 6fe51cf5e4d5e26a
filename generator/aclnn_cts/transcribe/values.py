# SPDX-License-Identifier: Apache-2.0
"""Rules and values of attributes, as a spec states them, from the intervals of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from aclnn_cts.spec.models import ARRAYS, SCALARS
from aclnn_cts.transcribe.page_model import Interval

_WHOLE = ("int64", "uint64", "int32", "int", "int8", *ARRAYS)
_FAR = 2**31 - 1
"""The greatest number that is planned; more would only take time."""

PLACEHOLDERS: dict[str, list[Any]] = {
    "bool": [False, True],
    "double": [1.0, 2.0],
    "float": [1.0, 2.0],
    "scalar": [1, 2],
    "scalars": [1, 2],
    "string": ["none"],
    "dtype": ["float32"],
    "ints": [[1]],
    "bools": [[False, True]],
}
"""Values of attributes by kind; those of ``FREE`` kinds are as good as any others."""

FREE = ("bool", "double", "float", *SCALARS, "bools")


def rule(name: str, kind: str, interval: Interval, tensor: str) -> str:
    """Return the condition that valid values of an attribute fulfil, as an expression.

    Args:
        tensor: The tensor whose axes an array names.
    """
    if interval.is_distinct:
        return f"axes({tensor}, {name}) == len({name})"
    if interval.length is not None:
        return f"len({name}) == {interval.length}"
    if interval.values:
        return _one_of(name, interval.values)
    least, most = (f"min({name})", f"max({name})") if kind in ARRAYS else (name, name)
    if interval.elements:
        most = f"max({', '.join(f'{name}[{element}]' for element in interval.elements)})"
    above, below = "<" + "=" * (not interval.above), "<" + "=" * (not interval.below)
    low = f"{interval.low} {above} {least}" if interval.low else ""
    high = f"{most} {below} {interval.high}" if interval.high else ""
    if low and high and least == most:
        return f"{low} {below} {interval.high}"
    return " and ".join(filter(None, (low, high)))


def _one_of(name: str, values: tuple[int, ...]) -> str:
    low, high = min(values), max(values)
    if set(values) == set(range(low, high + 1)):
        return f"{low} <= {name} <= {high}"
    return " or ".join(f"{name} == {value}" for value in values)


def inside(kind: str, intervals: tuple[Interval, ...]) -> list[Any]:
    """Return valid values of an attribute, the usual one first; none if the page states none."""
    ranges = [e for e in intervals if e.length is None and not e.is_distinct and not e.elements]
    numbers = list(dict.fromkeys(n for each in ranges for n in _inside(kind, each)))
    lengths = [each.length for each in intervals if each.length is not None]
    if kind not in ARRAYS:
        return numbers
    return [[number] * (lengths[0] if lengths else 1) for number in numbers]


def _inside(kind: str, interval: Interval) -> Iterator[int | float]:
    if interval.values:
        yield from interval.values
        return
    if "rank(" in interval.low + interval.high:
        yield from (0, -1)
        return
    low, high = _number(interval.low), _number(interval.high)
    if kind in _WHOLE:
        least = None if low is None else int(low) + interval.above
        most = None if high is None else int(high) - interval.below
        for each in (least, most):
            if each is not None and abs(each) <= _FAR:
                yield each
        if least is not None and most is None:
            yield least + 1
    elif low is not None and high is not None:
        yield (low + high) / 2
        yield from (low,) * (not interval.above)
        yield from (high,) * (not interval.below)
    elif low is not None:
        yield from (low + 1.0, *((low,) * (not interval.above)))
    elif high is not None:
        yield from (high - 1.0, *((high,) * (not interval.below)))


def outside(kind: str, interval: Interval) -> list[Any]:
    """Return values of an attribute that an interval excludes."""
    if interval.is_distinct or interval.elements:
        return [[0, 0], [1, 1]] if interval.is_distinct else []
    if interval.length is not None:
        return [[1] * length for length in (interval.length - 1, interval.length + 1)]
    if "rank(" in interval.low + interval.high:
        numbers: list[int | float] = [2, -3, 8, -9]
    elif interval.values:
        numbers = [min(interval.values) - 1, max(interval.values) + 1]
    else:
        step = 1 if kind in _WHOLE else 1.0
        low, high = _number(interval.low), _number(interval.high)
        below = [] if low is None else [low - (0 if interval.above else step)]
        beyond = [] if high is None else [high + (0 if interval.below else step)]
        numbers = [int(each) if kind in _WHOLE else each for each in (*below, *beyond)]
    return [[number] for number in numbers] if kind in ARRAYS else numbers


def _number(text: str) -> float | None:
    """Return a finite bound; nothing is planned at an infinite one, and nothing lies beyond."""
    number = float(text or "inf")
    return None if math.isinf(number) else number
