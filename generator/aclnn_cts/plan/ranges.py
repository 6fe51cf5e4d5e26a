# SPDX-License-Identifier: Apache-2.0
"""Ranges of values as case lists write them.

A range is one value, two bounds, an interval as text such as ``( 0, 5 ]``, or the moments of a
normal distribution. Of a range, a call gets the values that its data type has.
"""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclnn_cts.spec.data_types import DataType, FloatFormat, round_to_type

_INTERVAL = re.compile(r"\s*([\[(])\s*([^\s,]+)\s*,\s*([^\s,]+)\s*([\])])\s*")

_NORMAL = ("nd", "normal")
"""Names of the normal distribution."""


@dataclass(frozen=True)
class Moments:
    """A normal distribution."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class Interval:
    """Numbers between two bounds; equal ones are a single value, which may be NaN or infinite."""

    low: float
    high: float
    without_low: bool = False
    without_high: bool = False

    @property
    def is_value(self) -> bool:
        """Whether it is a single value."""
        return repr(self.low) == repr(self.high)

    def within(self, data_type: DataType) -> tuple[float, float] | None:
        """Return the least and the greatest number of a type in it; None if there is none.

        Beside another bound, an infinite one stands for the largest finite number.
        """
        if self.is_value:
            return self._value(data_type)
        grid = data_type.grid
        # the largest integers of 64 bits are not float64 numbers
        most = math.nextafter(grid.max_finite, 0.0) if data_type.is_wide else grid.max_finite
        least = grid.least_finite
        low = _inside(self.low, data_type, 1, excluded=self.without_low)
        high = _inside(self.high, data_type, -1, excluded=self.without_high)
        low, high = max(low, least), min(high, most)
        return (low, high) if low <= high else None

    def _value(self, data_type: DataType) -> tuple[float, float] | None:
        kind = data_type.numpy.kind
        if self.without_low or self.without_high or (kind in "iu" and not math.isfinite(self.low)):
            return None
        value = float(bool(self.low) if kind == "b" else self.low)
        if kind in "iu" and round_to_type(int(value), data_type) != value:
            return None
        return value, value


def _inside(bound: float, data_type: DataType, sign: int, *, excluded: bool) -> float:
    """Return the first number of a type from a bound on, upwards or downwards."""
    if math.isinf(bound):
        return bound
    if data_type.floating is None:
        whole = math.ceil(bound) if sign > 0 else math.floor(bound)
        return float(whole + sign if excluded and whole == bound else whole)
    rounded = float(round_to_type(bound, data_type))
    if not excluded or not math.isfinite(rounded):
        return bound
    return (
        rounded
        if (rounded - bound) * sign > 0
        else _next(rounded, data_type, data_type.floating, sign)
    )


def _next(number: float, data_type: DataType, floating: FloatFormat, sign: int) -> float:
    """Return the neighbour of a number of a type; of 0 the smallest normal one."""
    if number == 0:
        return sign * floating.smallest_normal
    at = data_type.numpy.type(number)
    return float(np.nextafter(at, data_type.numpy.type(sign * math.inf)))


def read_range(values: Any) -> Interval | Moments | None:
    """Return the range that a case list states; None if it states something else."""
    if isinstance(values, dict):
        return _read_moments(values)
    if isinstance(values, str) and (match := _INTERVAL.fullmatch(values)):
        opening, low, high, closing = match.groups()
        return _interval(low, high, opening + closing)
    if isinstance(values, list) and len(values) == 2:
        return _interval(*values)
    if isinstance(values, list) and len(values) == 1:
        return read_range(values[0])
    number = read_number(values)
    return None if number is None else Interval(number, number)


def _interval(low: Any, high: Any, brackets: str = "[]") -> Interval | None:
    first, last = read_number(low), read_number(high)
    if first is None or last is None:
        return None
    interval = Interval(first, last, brackets[0] == "(", brackets[1] == ")")
    return interval if first <= last or interval.is_value else None


def _read_moments(values: dict[Any, Any]) -> Moments | None:
    mean, deviation = (read_number(values.get(key)) for key in ("mean", "std"))
    if set(values) != {"name", "mean", "std"} or values["name"] not in _NORMAL:
        return None
    if mean is None or deviation is None or not (math.isfinite(mean) and 0 <= deviation < math.inf):
        return None
    return Moments(mean, deviation)


def read_number(value: Any) -> float | None:
    """Parse a number, which may be written as text. Returns None if it is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def draw(values: Any, data_type: DataType, seed: str) -> float | int | bool | None:
    """Return one number of a type from a range or from more than two values; None if none fits.

    Args:
        seed: Equal seeds give equal numbers.
    """
    source = random.Random(seed)  # noqa: S311 - equal seeds have to give equal numbers
    if isinstance(values, bool):
        return round_to_type(values, data_type)
    if isinstance(values, list) and (len(values) > 2 or bool in map(type, values)):
        return draw(values[int(source.random() * len(values))], data_type, seed)
    interval = read_range(values)
    if isinstance(interval, Moments):
        return round_to_type(source.gauss(interval.mean, interval.deviation), data_type)
    bounds = None if interval is None else interval.within(data_type)
    return None if bounds is None else _draw(*bounds, data_type, source.random())


def _draw(low: float, high: float, data_type: DataType, share: float) -> float | int | bool:
    if repr(low) == repr(high):
        return round_to_type(low if data_type.floating else int(low), data_type)
    if data_type.floating is None:
        return round_to_type(int(low) + int(share * (int(high) - int(low) + 1)), data_type)
    number = float(round_to_type(low * (1 - share) + high * share, data_type))
    return min(max(number, low), high)
