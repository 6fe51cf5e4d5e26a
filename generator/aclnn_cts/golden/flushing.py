# SPDX-License-Identifier: Apache-2.0
"""Subnormal inputs that a device may flush to 0, and the resulting alternatives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import SLIVER
from aclnn_cts.golden.expected import Alternatives, Expected, FloatArray, Mask
from aclnn_cts.golden.formula import Inputs
from aclnn_cts.golden.outcomes import VALUE
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat

MOST_COMBINED = 3
"""Maximum number of inputs with subnormal numbers of which all subsets are evaluated."""

_WIDE = np.dtype(np.longdouble).name
"""The type in which double inputs are evaluated."""
_UNSIGNED: dict[int, Any] = {2: np.uint16, 4: np.uint32}


def _flushed_format(dtype: str) -> FloatFormat | None:
    """Return the format of a data type that may be flushed; None for others."""
    if dtype == _WIDE:
        return DATA_TYPES["double"].floating
    if dtype not in DATA_TYPES or np.dtype(DATA_TYPES[dtype].numpy).itemsize not in _UNSIGNED:
        return None
    return DATA_TYPES[dtype].floating


def is_subnormal(array: Any) -> Any:
    """Return which numbers of a floating type are subnormal; none for other types."""
    floating = _flushed_format(array.dtype.name)
    if floating is None:
        return np.zeros(array.shape, np.bool_)
    if array.dtype == np.longdouble:
        return (np.abs(array) < floating.smallest_normal) & (array != 0)
    unsigned = _UNSIGNED[array.dtype.itemsize]
    fraction = unsigned((1 << floating.fraction_bits) - 1)
    sign = unsigned(1 << (8 * array.dtype.itemsize - 1))
    # maps 0 to the largest number
    bits = (np.ascontiguousarray(array).view(unsigned) & ~sign) - unsigned(1)
    return np.asarray(bits < fraction).reshape(array.shape)


def without_subnormals(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Replace subnormal numbers by zeros of their sign."""
    return np.where(is_subnormal(array), array * array.dtype.type(0), array)


def flush(inputs: Inputs, names: Sequence[str]) -> Inputs:
    """Return the inputs with the subnormal numbers of some replaced by zeros."""
    return {**inputs, **{name: without_subnormals(inputs[name]) for name in names}}


def subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the sets of inputs that may be flushed; of many inputs, only all together."""
    least = 1 if len(names) <= MOST_COMBINED else len(names)
    for size in range(least, len(names) + 1):
        yield from itertools.combinations(names, size)


def flush_sets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield each input, and all together: the sets that may be flushed if there are sums.

    Further sets make hardly any difference to a sum.
    """
    yield from ((name,) for name in names)
    if len(names) > 1:
        yield tuple(names)


def covering(own: Expected, other: Expected) -> tuple[FloatArray, Mask]:
    """Return tolerances that cover another expectation, and where they cannot.

    A flushed term of a sum changes all elements, but hardly. If the other expectation exceeds the
    tolerance by less than :data:`SLIVER` of it, the tolerance is widened.
    """
    same = np.equal(own.value, other.value) | (np.isnan(own.value) & np.isnan(other.value))
    same = same & np.greater_equal(own.tolerance, other.tolerance)
    farthest = np.abs(own.value - other.value) + other.tolerance
    near = np.less_equal(farthest, own.tolerance * (1 + SLIVER))
    same = same | near | np.equal(own.allowed & VALUE, 0)
    same = same & np.equal(own.allowed, other.allowed)
    return np.where(near & same, np.maximum(own.tolerance, farthest), own.tolerance), ~same


def differing(
    expected: Expected, other: Expected, index: npt.NDArray[np.int64] | None = None
) -> Alternatives:
    """Return the elements for which another expectation accepts different results.

    Args:
        expected: The expectation, whose tolerances may be widened.
        other: Another one of the same shape.
        index: The flat indices of the elements; all of the output's if absent.
    """
    flat, other = expected.flat(), other.flat()
    tolerance, apart = covering(flat, other)
    flat.tolerance[...] = tolerance
    where = np.flatnonzero(apart)
    return Alternatives(where if index is None else index[where], other.at(where))


def with_alternatives(expected: Expected, others: Sequence[Alternatives]) -> Expected:
    """Return an expectation with alternatives."""
    return replace(expected, alternatives=Alternatives.join(others)) if others else expected
