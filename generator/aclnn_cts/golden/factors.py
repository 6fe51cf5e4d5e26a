# SPDX-License-Identifier: Apache-2.0
"""The factors of a product, which a device may multiply in any order.

Another order has other partial products. A sum among the factors may be multiplied term by term, so
its largest term counts where it is larger than the sum.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

_FEWEST = 3
"""Factors or terms of a product that can be multiplied in several orders."""


class Extent(NamedTuple):
    """The magnitudes of partial products, by element.

    Attributes:
        most: The largest factor or partial product.
        least: The smallest one.
        most_product: The largest partial product of two or more factors; 0 without one.
        least_product: The smallest one; Inf without one.
    """

    most: Any
    least: Any
    most_product: Any = np.float64(0.0)
    least_product: Any = np.float64(np.inf)


def _size(value: Any) -> Any:
    """Return the magnitudes; 1 for an Inf, which has not left the range on the way."""
    return np.where(np.isfinite(value), np.abs(value), 1.0)


class Factors:
    """The factors of a number: a plain class, because formulas make many and ask few.

    Attributes:
        count: Number of factors; the terms of a sum count, too.
        is_product: Whether it is a product.
        has_sum: Whether it is a sum, or has one among its factors.
        is_settled: Whether the number already has what other orders may make of it.
    """

    is_settled = False

    def __init__(
        self,
        bound: Callable[[], Any],
        extent: Callable[[], Extent],
        top: Callable[[], float],
        count: int = 1,
        *,
        is_product: bool = False,
        has_sum: bool = False,
    ) -> None:
        """Create them from functions that return what the properties have."""
        self._bound, self._extent, self._top = bound, extent, top
        self.count, self.is_product, self.has_sum = count, is_product, has_sum

    @classmethod
    def single(cls, value: Any) -> Factors:
        """Return a number that is no product."""

        def extent() -> Extent:
            size = _size(value)
            return Extent(size, size)

        return cls(
            lambda: np.maximum(np.abs(value), 1.0),
            extent,
            lambda: float(np.abs(value).max(initial=1.0)),
        )

    @classmethod
    def sum_of(cls, value: Any, terms: Sequence[Factors]) -> Factors:
        """Return a sum of products."""

        def largest(sizes: Iterable[Any]) -> Any:
            return functools.reduce(np.maximum, sizes, _size(value))

        return cls(
            lambda: largest(term.bound for term in terms),
            lambda: Extent(largest(term.extent.most for term in terms), _size(value)),
            lambda: max(float(_size(value).max(initial=0.0)), *(term.top for term in terms)),
            len(terms),
            has_sum=True,
        )

    @functools.cached_property
    def bound(self) -> Any:
        """The product of all factors above 1: no partial product is larger."""
        return self._bound()

    @functools.cached_property
    def top(self) -> float:
        """An upper bound of ``bound`` in all elements, or NaN."""
        return self._top()

    @functools.cached_property
    def extent(self) -> Extent:
        """The magnitudes of partial products."""
        return self._extent()

    @property
    def in_any_order(self) -> bool:
        """Whether there are several orders."""
        return self.is_product and self.count >= _FEWEST and not self.is_settled

    def result(self) -> Factors:
        """Return the same factors, of a number that has what other orders may make of it."""
        factors = copy.copy(self)
        factors.is_settled = True
        return factors

    def inverse(self) -> Factors:
        """Return the factors of the reciprocal; a divisor is no sum of quotients."""

        def extent() -> Extent:
            own = self.extent
            return Extent(
                1.0 / own.least, 1.0 / own.most, 1.0 / own.least_product, 1.0 / own.most_product
            )

        def bound() -> Any:
            return np.maximum(1.0 / self.extent.least, 1.0)

        return Factors(
            bound,
            extent,
            lambda: float(bound().max(initial=1.0)),
            self.count,
            is_product=self.is_product,
        )

    def times(self, other: Factors) -> Factors:
        """Return the factors of a product."""

        def extent() -> Extent:
            first, its = self.extent, other.extent
            most, least = first.most * its.most, first.least * its.least
            return Extent(
                np.maximum(np.maximum(first.most, its.most), most),
                np.minimum(np.minimum(first.least, its.least), least),
                np.maximum(np.maximum(first.most_product, its.most_product), most),
                np.minimum(np.minimum(first.least_product, its.least_product), least),
            )

        return Factors(
            lambda: self.bound * other.bound,
            extent,
            lambda: self.top * other.top,
            self.count + other.count,
            is_product=True,
            has_sum=self.has_sum or other.has_sum,
        )

    def or_else(self, other: Factors, condition: Any = None) -> Factors:
        """Return the factors of either number; of the first only where a condition holds."""

        def choose(rule: Callable[[Any, Any], Any], first: Any, its: Any) -> Any:
            return rule(first, its) if condition is None else np.where(condition, first, its)

        def extent() -> Extent:
            first, its = self.extent, other.extent
            return Extent(
                choose(np.maximum, first.most, its.most),
                choose(np.minimum, first.least, its.least),
                choose(np.maximum, first.most_product, its.most_product),
                choose(np.minimum, first.least_product, its.least_product),
            )

        return Factors(
            lambda: choose(np.maximum, self.bound, other.bound),
            extent,
            lambda: max(self.top, other.top),
            max(self.count, other.count),
            is_product=self.is_product or other.is_product,
            has_sum=self.has_sum or other.has_sum,
        )
