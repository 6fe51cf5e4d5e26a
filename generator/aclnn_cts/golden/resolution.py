# SPDX-License-Identifier: Apache-2.0
"""Resolution of one output: the smallest detectable error, and swaps that the data hide.

An element is judged *by value* if the documents promise a value other than 0 there: the result must
lie within a tolerance. It is judged *by class* if they promise NaN, Inf or 0 instead: the result
must be of that class. A *plain zero* is 0 by the formula alone; memory that happens to be zeroed
passes for it. Other elements have no promise.

The *resolution* is the smallest error of one element, in ulps of the output's type at the expected
value, above which the element is rejected: the least tolerance of the elements judged by value.
Elements judged by class have no such number; every finite value except 0 is rejected.

Two neighbours are *told apart* if a device that swaps them would be caught: one of the two results
is not acceptable in the other's place. An axis *hides swaps* if no two neighbours along it are told
apart, although there are pairs of which both are judged, one at least by value. If all are judged
by class, nothing is hidden: each element alone tests its promise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from aclnn_cts.errors import counted
from aclnn_cts.golden.expected import (
    BLOCK,
    Expectation,
    Expected,
    FloatArray,
    Mask,
    tallies,
)
from aclnn_cts.golden.outcomes import ANY, EITHER, VALUE, ZERO
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.spec.data_types import FloatFormat

_FIRST_PAIRS = 1 << 8
"""Number of pairs to examine first; almost always one of them is told apart."""

MOST_PLAIN_ZEROS = 0.75
"""Maximum share of plain zeros among the judged elements; half are where negative numbers give
0."""

MOST_FALSE = 0.9
"""The same of conditions, of which 0 is an ordinary result."""

ENOUGH_OTHERS = 8
"""Minimum number of other judged elements, unless half are: if every other element is unwritten,
all of them pass once in 2^8 times."""


@dataclass(frozen=True)
class Resolution:
    """The resolution of one output, or of a whole case.

    Attributes:
        plain_zeros: Elements that are 0 by the formula alone.
        decisive: Elements at which an error as large as the value is rejected, and those judged
            by class.
        ulps: The smallest detectable error; Inf if no element is judged by value.
        hides_swaps: Whether an output hides swaps along every axis that has neighbours.
    """

    by_value: int = 0
    by_class: int = 0
    plain_zeros: int = 0
    decisive: int = 0
    ulps: float = math.inf
    hides_swaps: bool = False

    def description(self) -> str:
        """Describe the resolution."""
        if self.promises == 0:
            return "no element has a promise"
        parts = [
            f"rejects an error above {self.ulps:.3g} ulp of one element"
            if math.isfinite(self.ulps)
            else "no element is judged by value",
            f"{counted(self.by_value, 'element')} judged by value, {self.by_class:,} by class",
        ]
        if self.plain_zeros:
            parts.append(f"{self.plain_zeros} are 0 by the formula alone")
        return "; ".join(parts)

    @property
    def promises(self) -> int:
        """Elements with a promise."""
        return self.by_value + self.by_class + self.plain_zeros

    def over_input(self) -> Resolution:
        """Return it for an output that is written over an input.

        Unwritten memory holds the input, not zeros, so it does not pass for plain zeros.
        """
        zeros = self.plain_zeros
        by_class, decisive = self.by_class + zeros, self.decisive + zeros
        return replace(self, by_class=by_class, decisive=decisive, plain_zeros=0)

    def as_json(self) -> dict[str, float | int | None]:
        """Return the figures under the names of the results file."""
        return {
            "ulps": self.ulps if math.isfinite(self.ulps) else None,
            "by_value": self.by_value,
            "by_class": self.by_class,
            "plain_zeros": self.plain_zeros,
        }

    def __add__(self, other: Resolution) -> Resolution:
        """Return the resolution of several outputs, or blocks, together."""
        return Resolution(
            self.by_value + other.by_value,
            self.by_class + other.by_class,
            self.plain_zeros + other.plain_zeros,
            self.decisive + other.decisive,
            min(self.ulps, other.ulps),
            self.hides_swaps or other.hides_swaps,
        )


def resolve(expected: Expectation, floating: FloatFormat) -> Resolution:
    """Return the resolution of one output.

    Args:
        expected: What may come back.
        floating: How the output's type rounds.
    """
    answers = tallies(expected, Resolving(floating), {})
    parts = (Resolution(**tallied.totals) for tallied in answers)
    return sum(parts, Resolution()) + hidden(expected)


def hidden(expected: Expectation) -> Resolution:
    """Return whether one output hides swaps along every axis."""
    shape = expected.shape
    axes = [axis for axis, extent in enumerate(shape) if extent > 1 and all(shape)]
    with np.errstate(all="ignore"):
        return Resolution(hides_swaps=bool(axes) and all(_hides(expected, axis) for axis in axes))


@dataclass(frozen=True)
class Resolving:
    """The question that computes the fields of :class:`Resolution`.

    Attributes:
        floating: How the output's type rounds.
    """

    floating: FloatFormat
    reads: ClassVar[Mapping[str, str]] = {}
    rules: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("by_value", "by_class", "plain_zeros", "decisive"), "+"),
        "ulps": "min",
    }

    def __call__(self, arrays: Mapping[str, Any], expected: Expected) -> Mapping[str, Any]:
        """Return the kind of each element, and its resolution."""
        del arrays
        value, allowed = np.abs(expected.value), expected.allowed
        promised = np.not_equal(allowed, ANY)
        with_value = promised & np.not_equal(allowed & VALUE, 0)
        by_value = _is_by_value(expected)
        by_class = promised & ~with_value
        # if 0 is allowed, too, an error as large as the value is not rejected
        large = by_value & (expected.tolerance < value) & np.equal(allowed & ZERO, 0)
        decisive = large | by_class
        if expected.alternatives is not None:
            decisive = decisive & ~expected.has_alternatives()
        ulps = expected.tolerance / ulp_at(expected.value, self.floating)
        return {
            "by_value": by_value,
            "by_class": by_class,
            "plain_zeros": with_value & np.equal(value, 0),
            "decisive": decisive,
            "ulps": np.where(by_value, ulps, math.inf),
        }


def _is_by_value(block: Expected) -> Mask:
    allowed: Any = block.allowed
    promised = np.not_equal(allowed, ANY) & np.not_equal(allowed & VALUE, 0)
    by_value: Mask = promised & np.not_equal(block.value, 0) & np.isfinite(block.value)
    return by_value


def _hides(expected: Expectation, axis: int) -> bool:
    """Whether an axis hides swaps."""
    judged = False
    step = math.prod(expected.shape[axis + 1 :])
    for both, apart in _pairs(expected, expected.shape[axis], step):
        judged |= bool(both.any())
        if apart.any():
            return False
    return judged


def _pairs(expected: Expectation, extent: int, step: int) -> Iterator[tuple[Mask, Mask]]:
    """Yield, by block, the relevant and the distinguishable pairs along an axis.

    Args:
        expected: What may come back.
        extent: Extent of the axis.
        step: Distance of neighbours in elements.
    """
    start, length, pairs = 0, _FIRST_PAIRS, math.prod(expected.shape) - step
    while start < pairs:
        end = min(start + length, pairs)
        first = expected.part(slice(start, end))
        second = expected.part(slice(start + step, end + step))
        neighbours = (np.arange(start, end) // step + 1) % extent != 0
        start, length = end, BLOCK
        neighbours &= (first.allowed != ANY) & (second.allowed != ANY)
        neighbours &= _is_by_value(first) | _is_by_value(second)
        yield neighbours, neighbours & _apart(first, second)


def _apart(first: Expected, second: Expected) -> Mask:
    """Return where one result is not acceptable in the other's place.

    Two results that may be finite are taken as finite, because another possible outcome, such as an
    overflow, does not make a swap acceptable. They are apart if they differ by more than one of the
    tolerances. For other pairs, no class may be allowed for both.
    """
    finite = ((first.allowed & EITHER) != 0) & ((second.allowed & EITHER) != 0)
    distance = np.abs(_centre(first) - _centre(second))
    by_value = distance > np.minimum(_reach(first), _reach(second))
    by_class = (first.allowed & second.allowed) == 0
    return np.asarray(np.where(finite, by_value, by_class))


def _centre(expected: Expected) -> FloatArray:
    return np.where((expected.allowed & VALUE) != 0, expected.value, 0.0)


def _reach(expected: Expected) -> FloatArray:
    """Return the largest distance of an acceptable finite result from its centre."""
    allowed = expected.allowed & EITHER
    reach = np.where(allowed == ZERO, 0.0, expected.tolerance)
    return np.where(allowed == EITHER, np.maximum(reach, np.abs(expected.value)), reach)


def distrust(
    shapes: Mapping[str, tuple[int, ...]],
    found: Mapping[str, Resolution],
    *,
    fixed: bool = False,
    of_truths: bool = False,
    arranged: bool = False,
) -> str | None:
    """Return a message on why a valid call's case could not have failed; or None.

    It could not if

    * no element of it is decisive: wherever a value is promised, an error as large as the value
      itself would be accepted (0 for the value, or twice the value), and no class is promised
      anywhere; or
    * too many of the elements of which anything is promised are plain zeros, 0 by the formula
      alone: an unwritten output on memory that happens to be zeroed would pass there.
      Half may be, and :data:`MOST_PLAIN_ZEROS` where :data:`ENOUGH_OTHERS` are left, which suffice
      where an arrangement places elements among zeros, such as on a diagonal.
      A 0 that a clause promises where the plain formula says otherwise is no such zero; or
    * some output hides swaps along every axis that has neighbours: a device that mixed up its
      elements would return what is expected. Equal rows alone are no fault: a tensor that is
      repeated along an axis has them, and the other axes tell elements apart.

    Empty outputs are fine: such a case tests the status and the memory.

    Args:
        shapes: View shape of each output.
        found: The resolution of each output.
        fixed: Whether shapes and attributes alone determine the results, as a scene requests, so
            that equal elements and zeros are right.
        of_truths: Whether elements say where a condition holds.
        arranged: Whether elements are copies in other places.
    """
    elements = sum(math.prod(shape) for shape in shapes.values())
    if elements == 0:
        return None
    whole = sum(found.values(), Resolution())
    if whole.decisive == 0 and not (fixed and whole.plain_zeros):
        return (
            f"none of {counted(elements, 'element')} could have failed: wherever a value is "
            "promised, an error as large as the value would be accepted"
        )
    if fixed:
        return None
    others = whole.promises - whole.plain_zeros
    most = 1.0 if arranged else MOST_FALSE if of_truths else MOST_PLAIN_ZEROS
    enough = max((1 - most) * whole.promises, ENOUGH_OTHERS)
    if others < min(enough, whole.promises / 2):
        return (
            f"{whole.plain_zeros:,} of {counted(whole.promises, 'element')} are 0 by the formula "
            "alone: memory that was never written could pass for them"
        )
    for name, resolution in found.items():
        if resolution.hides_swaps:
            return f"no two neighbouring elements of {name} could be told apart if swapped"
    return None
