# SPDX-License-Identifier: Apache-2.0
"""Regions of input values in which all wrong elements of an output lie, and no right ones.

A device that clamps a divisor is wrong only where an input is small, and its calls have nothing
else in common. The values, or the magnitudes, of the inputs at the places of the wrong elements
form an interval. It says something if no right element lies in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.comparison import ElementErrors
from aclnn_cts.plan.cases import Case, TensorCase

Measure = Literal["value", "magnitude", "NaN"]
"""What lies in the interval; of ``NaN``, all wrong elements and no others are NaN."""


@dataclass(frozen=True)
class Region:
    """Where an input's values lie at wrong elements, and at no right ones.

    Attributes:
        input: The input's name.
        measure: What is in the interval.
        least: The least value at a wrong element; 0 of NaN, as is the next one.
        greatest: The greatest one.
        below: The greatest value of a right element below the interval; None without one.
        above: The least value of a right element above the interval; None without one.
        normal: The least normal number of the input's data type; 0 of integers.
        wrong: Number of wrong elements.
        right: Number of right elements.
    """

    input: str
    measure: Measure
    least: float
    greatest: float
    below: float | None = None
    above: float | None = None
    normal: float = 0.0
    wrong: int = 0
    right: int = 0

    @property
    def is_apart(self) -> bool:
        """Whether no right element is known to lie in it."""
        return (self.below is None or self.below < self.least) and (
            self.above is None or self.greatest < self.above
        )

    @property
    def chance(self) -> float:
        """The probability that as many elements drawn at random lie apart."""
        # below all others, above them, or anywhere among them
        ends = self.below is None or self.above is None
        places = 2 if ends else self.right + 1
        count = self.wrong + self.right
        ways = math.lgamma(count + 1) - math.lgamma(self.wrong + 1) - math.lgamma(self.right + 1)
        return min(1.0, places * math.exp(-ways))

    @property
    def is_subnormal(self) -> bool:
        """Whether it holds the subnormal numbers and no others, as far as is known."""
        if self.measure != "magnitude" or self.above is None:
            return False
        return 0 < self.least <= self.greatest < self.normal <= self.above

    def __str__(self) -> str:
        name = f"|{self.input}|" if self.measure == "magnitude" else self.input
        if self.measure == "NaN":
            return f"{name} is NaN"
        if self.is_subnormal:
            return f"{self.input} is subnormal"
        if self.least == self.greatest:
            return f"{name} is {self.least:.3g}"
        if self.below is None and self.above is not None:
            return f"{name} is at most {self.greatest:.3g} (right from {self.above:.3g})"
        if self.above is None and self.below is not None:
            return f"{name} is at least {self.least:.3g} (right up to {self.below:.3g})"
        return f"{name} is between {self.least:.3g} and {self.greatest:.3g}"


class RegionSearch:
    """Collects the regions of one output, block by block."""

    def __init__(
        self, inputs: Mapping[str, npt.NDArray[Any]], normal: Mapping[str, float], first: int
    ) -> None:
        """Start at a wrong element.

        Args:
            inputs: The inputs at the places of the output's elements, one-dimensional.
            normal: The least normal number of each one's data type; 0 of integers.
            first: The place of a wrong element.
        """
        self._inputs = inputs
        self._found: dict[_Key, Region] = {}
        for name, array in inputs.items():
            value = widen(array[first : first + 1])
            for measure in _measures(float(value[0])):
                least = float(_measure(value, measure)[0])
                self._found[name, measure] = Region(
                    name, measure, least, least, normal=normal[name]
                )

    def add(self, block: ElementErrors) -> None:
        """Add the next elements."""
        here = slice(block.start, block.start + len(block.wrong))
        right = block.promised & ~block.wrong
        for key, region in list(self._found.items()):
            values = widen(self._inputs[key[0]][here])
            grown = _with(region, values[block.wrong], values[right])
            if grown is None:
                del self._found[key]
            else:
                self._found[key] = grown

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions, once all elements are added."""
        return tuple(self._found.values())


def search_regions(
    case: Case, output: TensorCase, inputs: Mapping[str, npt.NDArray[Any]], first: int
) -> RegionSearch:
    """Return a search that starts at a wrong element of an output.

    Args:
        inputs: The data of the inputs; those of the output's shape count.
        first: The flat index of the element.
    """
    beside = {
        name: array.reshape(-1)
        for name, array in inputs.items()
        if array.shape == output.shape and array.dtype.kind != "c"
    }
    floating = {name: case.tensor(name).data_type.floating for name in beside}
    normal = {name: grid.smallest_normal if grid else 0.0 for name, grid in floating.items()}
    return RegionSearch(beside, normal, first)


_Key = tuple[str, Measure]


def _measures(value: float) -> tuple[Measure, ...]:
    return ("NaN",) if math.isnan(value) else ("value", "magnitude")


def _measure(values: FloatArray, measure: Measure) -> FloatArray:
    """Return where values lie; all NaN at 0 and other numbers at 1, if only NaN counts."""
    if measure == "NaN":
        return np.where(np.isnan(values), 0.0, 1.0)
    return np.abs(values) if measure == "magnitude" else values


def _with(region: Region, wrong: FloatArray, right: FloatArray) -> Region | None:
    """Return a region with further elements; None if no interval keeps them apart."""
    placed, others = _measure(wrong, region.measure), _measure(right, region.measure)
    if np.isnan(placed).any() or (region.measure == "NaN" and placed.any()):
        return None
    least = float(placed.min(initial=region.least))
    greatest = float(placed.max(initial=region.greatest))
    grown = Region(
        region.input,
        region.measure,
        least,
        greatest,
        *_neighbours(others, least, greatest),
        region.normal,
        len(wrong),
        len(right),
    )
    if ((others >= least) & (others <= greatest)).any():
        return None
    return _join_two(region, grown)


def _neighbours(
    values: FloatArray, least: float, greatest: float
) -> tuple[float | None, float | None]:
    below, above = values[values < least], values[values > greatest]
    return (
        float(below.max()) if len(below) else None,
        float(above.min()) if len(above) else None,
    )


def _join_two(one: Region, other: Region) -> Region | None:
    """Return the region of the elements of both; None if an element of one lies in the other."""
    below = [each for each in (one.below, other.below) if each is not None]
    above = [each for each in (one.above, other.above) if each is not None]
    region = Region(
        one.input,
        one.measure,
        min(one.least, other.least),
        max(one.greatest, other.greatest),
        max(below, default=None),
        min(above, default=None),
        min(one.normal, other.normal),
        one.wrong + other.wrong,
        one.right + other.right,
    )
    return region if region.is_apart else None


def join(all_found: Sequence[Sequence[Region]]) -> tuple[Region, ...]:
    """Return the regions that several outputs or cases have in common."""
    if not all_found:
        return ()
    common: dict[_Key, Region] = {(each.input, each.measure): each for each in all_found[0]}
    for regions in all_found[1:]:
        others = {(each.input, each.measure): each for each in regions}
        both = ((key, _join_two(common[key], others[key])) for key in common.keys() & others.keys())
        common = {key: each for key, each in both if each is not None}
    return tuple(common[key] for key in sorted(common, key=lambda key: (key[1] != "value", key[0])))
