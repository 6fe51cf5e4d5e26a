# SPDX-License-Identifier: Apache-2.0
"""Numbers with the error of a device that computes the formula's operations.

Each operation computes the value in float64, passes its operands' errors on (running error
analysis; Higham, Accuracy and Stability of Numerical Algorithms, section 3.3) and adds its own,
from the allowances of ``specs/allowances.yaml``. The last operation's own rounding stays separate
until another operation needs the number: if it is the final one, it is the rounding to the output's
type and counts once. The same formula with float64 as the device (:data:`FLOAT64`) gives the error
of the golden value.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.error_function import erf
from aclnn_cts.golden.expected import FloatArray, Mask, Real
from aclnn_cts.golden.factors import Factors
from aclnn_cts.golden.outcomes import (
    ANY_INF,
    EXTREME,
    FINITE,
    NAN,
    NEG_INF,
    NEGATIVE,
    NOTHING,
    POS_INF,
    POSITIVE,
    ZERO,
    Bits,
    absolutes,
    extremes_of,
    inverses,
    join,
    negatives,
    products,
    sums_of,
    with_hidden,
)
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat, IntegerFormat
from aclnn_cts.spec.evaluation import round_outward
from aclnn_cts.spec.models import Allowance

Error: TypeAlias = FloatArray | float
"""An array of the value's shape, or 0.0 for all elements."""

Reduce: TypeAlias = Callable[[np.ufunc, npt.NDArray[Any]], npt.NDArray[Any]]
"""Reduces an array with one element per term to one with an element per sum, by a rule."""

STORED = "intermediates-in-own-type"
CONVERTED = "converted-afterwards"
SCALARS = "scalars-in-own-type"
RECIPROCAL = "division-by-reciprocal"
FLUSHED = "subnormals-flushed"
ORDERS = "products-in-any-order"
UPDATES = "moments-by-updates"

_FLOAT32 = DATA_TYPES["float32"].grid

_MARGIN = 1 + 2.0**-6
"""Margin at the ends of a type's range for the errors of partial products."""


@dataclass(frozen=True)
class Arithmetic:
    """How a device computes.

    Attributes:
        computing: The type in which it computes.
        storage: The tensors' own type, in which it may keep intermediate results.
        allowed: Ids of the allowances that apply.
        ulps: Largest errors of operations in ulps of their types, half an ulp by default.
        accumulation_factor: The error of a sum of K terms is at most this times sqrt(K - 1)
            roundings, plus :func:`rounding_error`, and at most K - 1 roundings.
        rearranged: Additional relative error of a mathematically equal expression.
        real: The type in which values and errors are computed.
        integers: Whether the inputs are integers.
        whole: The type to which inputs and scalars are promoted, if all of them are integers.
        saturates: Whether the product has no Inf, so that overflows may give the largest finite
            number.
        reading: Which of two terms the device follows if a document calls differing terms equal.
        output: The type of the first output, if it is floating.
        keeps: Whether each intermediate result may be kept in the storage type.
        copies: Whether results are copies of inputs, so that a -0 keeps its sign.
    """

    computing: FloatFormat
    storage: FloatFormat
    allowed: Collection[str] = ()
    ulps: Mapping[str, float] = field(default_factory=dict)
    accumulation_factor: float = math.inf
    rearranged: float = 0.0
    real: Real = np.float64
    integers: bool = False
    whole: IntegerFormat | None = None
    saturates: bool = False
    reading: int = 0
    output: FloatFormat | None = None
    keeps: bool = False
    copies: bool = False

    @classmethod
    def of(
        cls,
        allowances: Iterable[Allowance],
        computing: FloatFormat,
        storage: FloatFormat,
        real: Real = np.float64,
    ) -> Arithmetic:
        """Return the arithmetic for some allowances."""
        used_allowances = list(allowances)
        factors = [
            a.accumulation_factor for a in used_allowances if a.accumulation_factor is not None
        ]
        return cls(
            computing,
            storage,
            frozenset(allowance.id for allowance in used_allowances),
            {name: ulps for allowance in used_allowances for name, ulps in allowance.ulps.items()},
            max(factors, default=math.inf),
            sum(a.rearrangement_ulps or 0.0 for a in used_allowances) * 2 * computing.unit_roundoff,
            real=real,
        )

    @property
    def flushes(self) -> bool:
        """Whether subnormal numbers may count as 0."""
        return FLUSHED in self.allowed

    @property
    def is_storage_narrower(self) -> bool:
        """Whether the storage type is narrower than the computing type."""
        return self.storage.fraction_bits < self.computing.fraction_bits

    @property
    def narrowest(self) -> FloatFormat:
        """The type with the smallest range in which an intermediate result may be kept."""
        return (
            self.storage if STORED in self.allowed and self.is_storage_narrower else self.computing
        )

    def ulps_of(self, operation: str) -> float:
        """Return the largest error of an operation in ulps."""
        return self.ulps.get(operation, 0.5)

    def additions(self, terms: int) -> float:
        """Return the number of roundings in the error of an unbiased sum of ``terms`` terms.

        A sum of K terms takes K - 1 additions. Their rounding errors grow like the square root of
        their number with overwhelming probability (Higham and Mary, "A new approach to
        probabilistic rounding error analysis", 2019), and never faster than their number.
        """
        count = max(terms - 1, 0) if self.ulps_of("add") else 0
        return min(float(count), self.accumulation_factor * math.sqrt(count)) if count else 0.0

    def may_lose(self, terms: int) -> bool:
        """Whether roundings in one direction may exceed the error bound of unbiased sums."""
        return self.additions(terms) < terms - 1

    def exact(self, value: FloatArray | float) -> Number:
        """Return an input, which has no error."""
        array: Any = np.asarray(value)
        array = array.astype(np.result_type(array.dtype, self.real), copy=False)
        is_finite = np.abs(array).max(initial=0.0) < np.inf
        return Number(self, array, extremes=None if is_finite else extremes_of(array))

    def sums(
        self, finite: FloatArray, size: FloatArray, extremes: Bits, terms: int, losses: Error = 0.0
    ) -> Number:
        """Return existing sums of inputs.

        Args:
            finite: Sums of the finite elements.
            size: The sums of their magnitudes.
            extremes: Bits of the other elements.
            terms: Number of terms of the longest sum.
            losses: Sums of :func:`rounding_error`, where known.
        """
        value = np.where(extremes & POS_INF, np.inf, np.where(extremes, -np.inf, finite))
        value = np.where(sums_of(extremes) & NAN, np.nan, value)
        nothing = np.zeros(finite.shape)
        reach = (size + finite) / 2, (size - finite) / 2
        total = Total(value, nothing, nothing, size, *reach, nothing + losses, extremes)
        return total.number(self, terms)

    def round_scalar(self, value: float) -> Number:
        """Return a scalar that is passed in the computing type."""
        return replace(self.exact(value), ulps=0.5, grid=self.computing)

    def constant(self, value: float) -> Number:
        """Return a constant of the formula, which is rounded once.

        A decimal that float32 does not have is not exact in a wider type either.
        """
        return self.exact(value) if holds(value, _FLOAT32) else self.round_scalar(value).result

    def convert(self, value: FloatArray) -> Number:
        """Return an input converted to the computing type, which may round an integer."""
        number = self.exact(value)
        return self._rounded(number, self.computing) if self.integers else number

    def promote(self, value: FloatArray) -> Number:
        """Return integers beside floating inputs, converted to their type or the computing one."""
        number = self.exact(value)
        return either(*(self._rounded(number, to) for to in (self.computing, self.storage)))

    def _rounded(self, number: Number, to: FloatFormat) -> Number:
        is_rounded = np.abs(number.value) > 2.0 ** (to.fraction_bits + 1)
        return replace(number, ulps=np.where(is_rounded, 0.5, 0.0), grid=to).result

    def narrow(self, computing: FloatFormat) -> Arithmetic:
        """Return the arithmetic of a device with a narrower type; golden values do not change."""
        if not self.allowed:
            return self
        share = computing.unit_roundoff / self.computing.unit_roundoff
        return replace(self, computing=computing, rearranged=self.rearranged * share)

    @property
    def keeping(self) -> Arithmetic:
        """Return the arithmetic in which each intermediate result may be kept in storage type."""
        return replace(self, keeps=True)

    @property
    def exactly(self) -> Arithmetic:
        """Return the arithmetic of a device that computes integers exactly."""
        if not self.integers:
            return self
        whole = LONG_DOUBLE.computing
        ulps = {**self.ulps, "add": 0.0, "multiply": 0.0}
        return replace(self, computing=whole, storage=whole, ulps=ulps)

    @property
    def scalar_types(self) -> set[FloatFormat]:
        """The types to which a device may convert a scalar parameter."""
        return {self.storage, self.output or self.storage} if SCALARS in self.allowed else set()

    def scalar(self, value: float) -> Number:
        """Return a scalar parameter, which a device may convert once to another type.

        That is the type of the tensors or, after which kernels of a narrower result may compute,
        the output's.
        """

        def convert(number: Number, grid: FloatFormat) -> Number:
            if holds(value, grid):
                return number
            return replace(number, ulps=0.5, grid=grid).result

        number = convert(self.exact(value), self.computing)
        number = functools.reduce(
            either, (convert(number, grid) for grid in self.scalar_types), number
        )
        return number.common_factor()


class _Once:
    """A property that is computed once.

    Unlike ``functools.cached_property``, it does not make a number keep itself, which only the
    garbage collector would free, long after its block.
    """

    def __init__(self, compute: Callable[[Number], Number]) -> None:
        """Create it from the function that computes it."""
        self._compute = compute

    def __get__(self, number: Number, owner: type[Number]) -> Number:
        value = self._compute(number)
        if value is not number:
            number.__dict__[self._compute.__name__] = value
        return value


@dataclass(frozen=True)
class Number:
    """Values that a device computes, with their largest errors.

    Attributes:
        on: How the device computes.
        value: The exact values in float64.
        error: Error before the last operation's own rounding, without the part that is proportional
            to the values.
        spread: Further error that is independent of an element's own rounding: roundings in the
            storage type, which have no bias, and those of a factor that the whole call shares.
        extremes: Bits of :class:`Outcome` for possible Inf and NaN, and for a 0 in place of the
            value: a flushed number, or one divided by Inf, is 0 and nothing between 0 and the
            value. Further bits for the sign of a number whose value is 0 or Inf only because it
            lies beyond the type of golden values. None if there are none.
        ulps: Largest error of the last operation, in ulps of ``grid``; by element or for all.
        grid: The type that the last operation rounds to; None if nothing is left to be rounded.
        factors: The factors of a product, or the terms of a sum; None if it is neither.
    """

    on: Arithmetic
    value: FloatArray
    error: Error = 0.0
    spread: Error = 0.0
    extremes: Bits | None = None
    ulps: Error = 0.0
    grid: FloatFormat | None = None
    factors: Factors | None = None

    @property
    def total(self) -> Error:
        """The error without the last operation's own rounding."""
        return _plus(self.error, self.spread)

    @cached_property
    def own_factors(self) -> Factors:
        """The factors; the number itself if it is neither a product nor a sum."""
        return self.factors or Factors.single(self.value)

    @property
    def share(self) -> float:
        """The relative error of a scalar."""
        total, size = float(np.asarray(self.total)), abs(float(self.value))
        return total / size if total and size else 0.0

    @property
    def spanning(self) -> Number:
        """The kept number with a possible 0 within its error.

        For operations that do not map 0 to 0.
        """
        number = self.operand.result
        if number.extremes is None or not (number.extremes & ZERO).any():
            return number
        error = np.where(number.extremes & ZERO, np.abs(number.value), 0.0)
        extremes = number.extremes & ~ZERO
        return replace(number, error=np.maximum(number.error, error), extremes=extremes)

    @_Once
    def operand(self) -> Number:
        """The number as the operand of the next operation.

        A device may have kept it in the storage type. An operation may be computed in that type, so
        its ulps may be ulps of that type.
        """
        on = self.on
        return self.store() if on.keeps and self.grid == on.computing else self

    @_Once
    def result(self) -> Number:
        """The number rounded, flushed, overflown.

        Elements that may be Inf or NaN have no error. The caller sets numpy's error state.
        """
        return self.as_factor.in_any_order

    @_Once
    def as_factor(self) -> Number:
        """The number as ``settled``, but with factors in the order of the formula so far."""
        if self.grid is None:
            return self
        size, total = np.abs(self.value), self.total
        rounding = (size + total) * (self.ulps * 2 * self.grid.unit_roundoff)
        computed = self.grid == self.on.computing
        error = _plus(self.error, rounding) if computed else self.error
        spread = self.spread if computed else _plus(self.spread, rounding)
        extremes = self.extremes
        if not (size + _plus(error, spread)).max(initial=0.0) < self.grid.overflow:
            # rounding to nearest keeps numbers below the threshold finite
            beyond_nearest = np.maximum(rounding - size * self.grid.unit_roundoff, 0.0)
            extremes = self.overflown(self.grid, total + beyond_nearest)
        error, spread, flushed = self._with_losses(self.grid, error, spread)
        if flushed is not None:
            extremes = join(extremes, np.asarray(flushed * ZERO, np.uint8))
        if extremes is not None:
            error, spread = _sane(error, self.value), _sane(spread, self.value)
        return Number(self.on, self.value, error, spread, extremes, factors=self.factors)

    @property
    def in_any_order(self) -> Number:
        """The number if its factors are multiplied in any order.

        A partial product that the formula's own order does not have may overflow, be flushed, or
        lose digits below the normal range.
        """
        on, factors = self.on, self.factors
        if factors is None or not factors.in_any_order or ORDERS not in on.allowed:
            return self
        limit, normal = on.computing.overflow / _MARGIN, on.computing.smallest_normal * _MARGIN
        size = np.abs(self.value)
        # no partial product is smaller than the product divided by the largest one
        if factors.top < limit and size.min(initial=np.inf) >= factors.top * normal:
            return self
        bound = factors.bound
        usual = (bound < limit) & (size >= bound * normal)
        if usual.all():
            return self
        extent = factors.extent
        beyond = ~usual & ~(extent.most_product < limit)
        below = ~usual & ~(extent.least_product >= normal) & (size > 0)
        return self._beyond_range(factors, beyond, below) if (beyond | below).any() else self

    def _beyond_range(self, factors: Factors, beyond: Mask, below: Mask) -> Number:
        """Return a product of which some partial products leave the computing type's range.

        Args:
            factors: Its factors.
            beyond: Where one may overflow.
            below: Where one may lie below the normal range, and the product is not 0.
        """
        kinds = _kinds(self)
        signs = ((kinds & POSITIVE) != 0) * POS_INF | ((kinds & NEGATIVE) != 0) * NEG_INF
        none = ((kinds & NOTHING) != 0) | below
        finite = np.isfinite(self.value)
        if factors.has_sum:
            # its terms may be Inf of different signs
            signs, none = signs | finite * ANY_INF, none | beyond
        low, smallest = factors.extent.least_product, self.on.computing.smallest_subnormal
        vanishes = below & (self.on.flushes | (low < smallest))
        bits = beyond * (signs | none * NAN) | vanishes * np.where(finite, ZERO, NAN)
        bits = join(self.extremes, np.asarray(bits, np.uint8))
        # where one partial product is 0, another may keep a digit or two; the smallest number may
        # be rounded up from just above its half
        ulps = np.divide(smallest, low, where=low > 0, out=np.full_like(low, np.inf))
        lost = np.where(ulps < 2, np.maximum(ulps - 1, np.minimum(ulps, 0.5)), 0.5)
        share = np.where(below & (low > 0), lost, 0.0)
        digits = np.abs(self.value) * share + below * smallest
        error = _plus(self.error, digits)
        return replace(
            self,
            error=_sane(error, self.value),
            spread=_sane(self.spread, self.value),
            extremes=bits if np.any(bits) else None,
            factors=factors.result(),
        )

    def _with_losses(
        self, grid: FloatFormat, error: Error, spread: Error
    ) -> tuple[Error, Error, Mask | None]:
        """Return the errors of the rounded number below the normal range, and where it may be 0.

        There ulps are constant, and numbers may be flushed; None if no number may, or only numbers
        with 0 within their error.

        Args:
            grid: The type to which it is rounded.
            error: Its error without the limits of the range.
            spread: Its spread.
        """
        size, computed = np.abs(self.value), grid == self.on.computing
        small = size < grid.smallest_normal + _plus(error, spread)
        if not small.any():
            return error, spread, None
        # half of double's is not a float
        smallest = self.on.real(grid.smallest_subnormal)
        inherited = self.error if computed else self.spread
        # numbers nearest to 0 are rounded to 0, or not rounded in this type
        nothing = (size > 0) & (size + self.total < smallest / 2) & np.less_equal(self.ulps, 0.5)
        rounded = small & ~nothing & (self.total + size > 0)
        least = inherited + self.ulps * smallest
        if computed:
            error = np.where(rounded, np.maximum(error, least), error)
        else:
            spread = np.where(rounded, np.maximum(spread, least), spread)
        flushed = (small if self.on.flushes else nothing) & (size > _plus(error, spread))
        return error, spread, flushed if flushed.any() else None

    def overflown(self, grid: FloatFormat, total: Error) -> Bits | None:
        """Return ``extremes`` with Inf where a number within ``total`` may overflow a type."""
        reach = np.abs(self.value) + total
        if reach.max(initial=0.0) < grid.overflow:
            return self.extremes
        bits = extremes_of(self.value)
        beyond = np.isfinite(self.value) & ~(reach < grid.overflow)
        bits[beyond & (self.value + total >= grid.overflow)] |= POS_INF
        bits[beyond & (total - self.value >= grid.overflow)] |= NEG_INF
        return join(self.extremes, bits)

    def store(self, allowance: str = STORED, held_in: FloatFormat | None = None) -> Number:
        """Return the number after it may have been stored in a type; the storage type if None.

        An operation may be computed in that type, so its ulps may be ulps of that type.
        """
        on, grid = self.on, held_in or self.on.storage
        is_narrower = grid.fraction_bits < on.computing.fraction_bits
        if self.grid is None or allowance not in on.allowed or not is_narrower:
            return self
        return replace(self.as_factor, ulps=np.maximum(self.ulps, 0.5), grid=grid)

    def under(self, on: Arithmetic) -> Number:
        """Return the number as one of another arithmetic."""
        return replace(self, on=on)

    def pass_on(self) -> Number:
        """Return the number after one kernel may have passed it to another.

        Such values have the type of the operator's outputs, which may be narrower than other
        inputs.
        """
        return self.store(held_in=self.on.output)

    def common_factor(self) -> Number:
        """Return the number as a factor of all elements, with one error for a whole call."""
        settled = self.operand.result
        return replace(
            settled,
            error=0.0,
            spread=_plus(settled.error, settled.spread),
        )

    def addend(self) -> Number:
        """Return the number as an addend of all elements, with one error for a whole call.

        Unlike that of a shared factor, this error cannot be separated from the elements' own.
        """
        settled = self.operand.result
        return replace(settled, error=_plus(settled.error, settled.spread), spread=0.0)

    def truncate(self, rule: Callable[[FloatArray], FloatArray] = np.trunc) -> Number:
        """Return the number without its fraction, or another integer within its error.

        A few roundings of the type of golden values do not count, because the value may be an
        integer.
        """
        a = self.operand.result
        value, total = rule(a.value), a.total
        share = 2.0 ** -(np.finfo(self.on.real).nmant - 2)
        size = np.abs(a.value)
        # beyond, neighbouring whole numbers are as near, but for those of integers
        is_beyond = (share * size >= 1) & (self.on.whole is None)
        total = np.where((total > share * size) | is_beyond, total, 0.0)
        up, down = rule(a.value + total) - value, value - rule(a.value - total)
        error = _sane(np.maximum(up, down), value)
        return replace(a, value=value, error=error, spread=0.0, factors=None)

    def __neg__(self) -> Number:
        extremes = None if self.extremes is None else negatives(self.extremes)
        return replace(self, value=-self.value, extremes=extremes)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        extremes = None if self.extremes is None else absolutes(self.extremes)
        return replace(self, value=np.abs(self.value), extremes=extremes)

    def __add__(self, other: Number) -> Number:
        return add_numbers(self, other)

    def __sub__(self, other: Number) -> Number:
        return add_numbers(self, -other)

    def __mul__(self, other: Number) -> Number:
        a, b = self.operand.as_factor, other.operand.as_factor
        value = a.value * b.value
        factors = a.own_factors.times(b.own_factors)
        sizes = np.abs(a.value), np.abs(b.value)
        error = _plus(_times(sizes[0], b.error), _times(sizes[1], a.error))
        error = _plus(error, _times(a.error, b.error))
        spread = _plus(_times(sizes[0], b.spread), _times(sizes[1], a.spread))
        spread = _plus(spread, _times(a.spread, b.total))
        spread = _plus(spread, _times(a.error, b.spread))
        extremes = None
        if a.extremes is not None or b.extremes is not None:
            extremes = products(_kinds(a), _kinds(b), value)
        return self.result_of("multiply", value, error, spread, extremes, factors=factors)

    def __truediv__(self, other: Number) -> Number:
        on = self.on
        if RECIPROCAL in on.allowed and not self._is_one():
            reciprocal = (on.exact(1.0) / other).as_factor
            product = self.times_reciprocal(reciprocal, self.value / other.value)
            # a division is off by more than the product where ulps are constant
            below = np.abs(product.value) < on.narrowest.smallest_normal
            if not below.any():
                return product
            return replace(product, ulps=np.where(below, on.ulps_of("divide"), product.ulps))
        a, b = self.operand.as_factor, other.operand.as_factor
        value = a.value / b.value
        factors = _quotient_factors(a, b)
        least = np.maximum(np.abs(b.value) - b.total, 0.0)
        error = _times(1 / least, _plus(a.error, _times(np.abs(value), b.error)))
        spread = _times(1 / least, _plus(a.spread, _times(np.abs(value), b.spread)))
        extremes = None
        if a.extremes is not None or b.extremes is not None or not least.min(initial=1.0) > 0:
            extremes = products(_kinds(a), inverses(_kinds(b)), value)
            # the exact result of an operation may be finite, but beyond the type of golden values
            hidden = np.abs(a.value) / np.finfo(on.real).max
            is_hidden = np.isinf(b.value) & (np.asarray(other.ulps) > 0)
            error = np.where(is_hidden, np.fmax(error, hidden), error)
            if on.saturates:
                gone = (_kinds(b) & ANY_INF) != 0
                overflow_error = np.abs(value) + np.abs(a.value) / on.narrowest.max_finite
                error = np.where(gone, np.fmax(error, overflow_error), error)
            open_ended = ~(least > 0) & ((b.total + np.zeros(value.shape)) > 0)
            error = np.where(open_ended, np.inf, error)
        quotient = self.result_of("divide", value, error, spread, extremes, factors=factors)
        return quotient._divide(b)

    def _divide(self, divisor: Number) -> Number:
        """Return a quotient that is not rounded in a type in which its divisor is Inf.

        A device with a finite divisor has it in a wider type, and divides in that type.
        """
        on, least = self.on, np.abs(divisor.value) - divisor.total
        wider = (least >= on.narrowest.overflow) & np.isfinite(divisor.value)
        if not wider.any():
            return self
        smallest = np.where(least >= on.computing.overflow, 0.0, on.computing.smallest_subnormal)
        ulp = np.maximum(np.abs(self.value) * (2 * on.computing.unit_roundoff), smallest)
        error = _plus(self.error, np.where(wider, self.ulps * ulp, 0.0))
        return replace(self, error=error, ulps=np.where(wider, 0.0, self.ulps))

    def times_reciprocal(self, reciprocal: Number, value: FloatArray) -> Number:
        """Return a quotient computed by a reciprocal, given its exact value."""
        return replace(self * reciprocal, value=value)

    def through(
        self,
        function: Callable[[Number], Number],
        steepest: Callable[[FloatArray, Error], FloatArray],
    ) -> Number:
        """Return a function of the number that uses it more than once, with its error counted once.

        Args:
            function: Computes the function of a number without error.
            steepest: Given values and an error, returns the largest slope of the function within
                that error.
        """
        a = self.spanning
        mapped = function(Number(self.on, a.value, extremes=a.extremes)).operand.result
        slope = steepest(a.value, a.total)
        error, spread = (
            _plus(direct, _times(slope, inherited))
            for direct, inherited in ((mapped.error, a.error), (mapped.spread, a.spread))
        )
        if a.extremes is not None:
            error, spread = _sane(error, mapped.value), _sane(spread, mapped.value)
        return replace(mapped, error=error, spread=spread)

    def with_sign_of(self, other: Number) -> Number:
        """Return the number times the sign of another one, without a rounding.

        If the other one may be 0 or have the other sign, so may the result.
        """
        sign = other.operand.result
        signed = select(np.less(sign.value, 0), -self, self)
        size = np.abs(sign.value)
        signs_off = np.add(size <= sign.total, size < sign.total, dtype=np.float64)
        signed = replace(signed, error=np.maximum(signed.error, signs_off * np.abs(signed.value)))
        bits = None if sign.extremes is None else sign.extremes & (NAN | ZERO)
        return replace(signed, extremes=join(signed.extremes, bits))

    def errors_by(self, change: Callable[[Error], Error]) -> tuple[Error, Error]:
        """Return error and spread of a function, from how much it changes with an error."""
        error = 0.0 if _is_none(self.error) else change(self.error)
        return error, 0.0 if _is_none(self.spread) else change(self.total) - error

    def exp(self) -> Number:
        """Return the exponential."""
        a = self.spanning
        value = np.exp(a.value)

        def change(off: Error) -> Error:
            near = _times(value, np.expm1(off))
            # far below 0 the exponential stays small for any error
            return np.where(np.less(off, 1), near, np.exp(a.value + off) - value)

        extremes = None
        if a.extremes is not None:
            infinite = (a.extremes & NEG_INF) != 0
            extremes = np.asarray((a.extremes & (POS_INF | NAN)) | infinite * ZERO, np.uint8)
        result = self.result_of("exp", value, *a.errors_by(change), extremes)
        return replace(result, extremes=with_hidden(result.extremes, value, np.isfinite(a.value)))

    def log(self) -> Number:
        """Return the natural logarithm; -Inf is possible for a number that may be computed as 0."""
        on, a = self.on, self.operand.result
        value = np.log(a.value)
        least = a.value - a.total
        # a positive computed number is at least the smallest subnormal
        floor = (on.computing.min_exponent - on.computing.fraction_bits) * math.log(2)

        def change(off: Error) -> Error:
            share = off / np.abs(a.value)
            down = np.minimum(-np.log1p(-np.minimum(share, 1.0)), np.maximum(value - floor, 0.0))
            up = np.minimum(
                np.log1p(share), np.maximum(math.log(on.computing.overflow) - value, 0.0)
            )
            return np.maximum(down, up)

        extremes = None
        if a.extremes is not None or not least.min(initial=1.0) > 0:
            kinds, bits = _kinds(a), extremes_of(value)
            bits = bits | ((kinds & NOTHING) != 0) * NEG_INF | (kinds & POS_INF)
            extremes = np.asarray(bits | (_below_zero(a) != 0) * NAN, np.uint8)
        return self.result_of("log", value, *a.errors_by(change), extremes)

    def sqrt(self) -> Number:
        """Return the square root; NaN is possible for a number that may be computed as negative."""
        a = self.operand.result
        value = np.sqrt(a.value)

        def change(off: Error) -> Error:
            down = off / (value + np.sqrt(a.value - off))
            return np.where(a.value > off, down, np.maximum(value, np.sqrt(a.value + off) - value))

        extremes = None
        if a.extremes is not None or not (a.value - a.total).min(initial=0.0) >= 0:
            kinds = _kinds(a)
            bits = extremes_of(value) | (kinds & (POS_INF | ZERO))
            extremes = np.asarray(bits | (_below_zero(a) != 0) * NAN, np.uint8)
        return self.result_of("sqrt", value, *a.errors_by(change), extremes)

    def sin(self) -> Number:
        """Return the sine."""
        return self.operand.result.turn("sin", np.sin, np.cos)

    def cos(self) -> Number:
        """Return the cosine."""
        return self.spanning.turn("cos", np.cos, np.sin)

    def turn(
        self,
        operation: str,
        function: Callable[[FloatArray], FloatArray],
        slope: Callable[[FloatArray], FloatArray],
    ) -> Number:
        """Return the sine or the cosine of a settled number, which a device reduces by turns."""
        on = self.on
        reduced = np.where(np.abs(self.value) > math.pi / 4, on.ulps.get("angle", 0.0), 0.0)
        error = _plus(self.error, reduced * (2 * on.computing.unit_roundoff))
        steepest = np.minimum(np.abs(slope(self.value)) + error + self.spread, 1.0)
        bits = None if self.extremes is None else self.extremes & (NAN | ZERO)
        if self.extremes is not None:
            bits = bits | ((self.extremes & ANY_INF) != 0) * NAN
        error, spread = _times(steepest, error), _times(steepest, self.spread)
        return self.result_of(operation, function(self.value), error, spread, bits)

    def asin(self) -> Number:
        """Return the inverse sine; NaN is possible for a number that may be beyond 1."""
        a = self.operand.result
        value, size = np.arcsin(a.value), np.abs(a.value)

        def change(off: Error) -> Error:
            slope = 1 / np.sqrt(np.maximum(1 - (size + off) ** 2, 0.0))
            # no part is as steep as the ends
            return np.fmin(slope * off, math.pi * np.sqrt(np.divide(off, 2)))

        extremes = None
        if a.extremes is not None or not (size + a.total).max(initial=0.0) <= 1:
            kinds = np.uint8(0) if a.extremes is None else a.extremes
            beyond = ~(size + a.total <= 1) | ((kinds & EXTREME) != 0)
            extremes = np.asarray(beyond * NAN | (kinds & ZERO), np.uint8)
        return self.result_of("asin", value, *a.errors_by(change), extremes)

    def atan(self) -> Number:
        """Return the inverse tangent."""
        return self._sigmoid("atan", np.arctan, lambda size: 1 / (1 + size * size))

    def tanh(self) -> Number:
        """Return the hyperbolic tangent."""
        return self._sigmoid("tanh", np.tanh, lambda size: 1 - np.tanh(size) * np.tanh(size))

    def erf(self) -> Number:
        """Return the error function."""
        slope = 2 / math.sqrt(math.pi)
        return self._sigmoid("erf", erf, lambda size: slope * np.exp(-(size * size)))

    def _sigmoid(
        self,
        operation: str,
        function: Callable[[FloatArray], FloatArray],
        slope: Callable[[FloatArray], FloatArray],
    ) -> Number:
        """Return a function that grows between two ends, with a slope that decreases away from 0.

        Args:
            operation: Its name.
            function: Returns its values.
            slope: Returns its slope at a non-negative number.
        """
        a = self.operand.result
        steepest = slope(np.maximum(np.abs(a.value) - a.total, 0.0))
        extremes = None if a.extremes is None else a.extremes & (NAN | ZERO)
        error, spread = _times(steepest, a.error), _times(steepest, a.spread)
        return self.result_of(operation, function(a.value), error, spread, extremes)

    def sum(self, reduce: Reduce, terms: int) -> Number:
        """Return sums of at most ``terms`` elements each, in any order, in the computing type."""
        sums = Total.of(self, reduce, self.on.computing.overflow)
        if self.on.may_lose(terms):
            grid = grid_of(sums.size, self.on.computing)
            losses = reduce(np.add, rounding_error(self.value, grid))
            sums = replace(sums, losses=losses)
        return sums.number(self.on, terms)

    def _is_one(self) -> bool:
        return self.value.ndim == 0 and float(self.value) == 1.0

    def result_of(
        self,
        operation: str,
        value: FloatArray,
        error: Error,
        spread: Error,
        extremes: Bits | None,
        *,
        factors: Factors | None = None,
    ) -> Number:
        """Return the result of an operation in the computing type, before its own rounding."""
        if extremes is not None:
            error, spread = _sane(error, value), _sane(spread, value)
            extremes = extremes if np.any(extremes) else None
        on, ulps, grid = self.on, self.on.ulps_of(operation), self.on.computing
        if not ulps:
            # integers are exact as far as the type of golden values holds them
            share = 2.0 ** -(np.finfo(value.dtype).nmant + 1)
            lost = np.where(np.abs(value) > 1 / share, np.abs(value) * share, 0.0)
            error = _plus(error, lost)
        return Number(on, value, error, spread, extremes, ulps, grid, factors)

    def covering(self, other: Number) -> Number | None:
        """Return the number with an error that covers another one, if they are nearly equal.

        A flushed term of a sum changes it by less than :data:`SLIVER` of its error.
        """
        same = np.array_equal(_kinds(self) & EXTREME, _kinds(other) & EXTREME)
        off = np.where(np.isfinite(self.value), np.abs(self.value - other.value), 0.0)
        error, spread = off + other.error, np.add(other.spread, 0.0)
        share = 1 + SLIVER
        near = np.less_equal(error, np.multiply(self.error, share))
        near = near & np.less_equal(spread, np.multiply(self.spread, share))
        if not same or not near.all():
            return None
        error, spread = np.maximum(self.error, error), np.maximum(self.spread, spread)
        return replace(self, error=error, spread=spread)

    def apply(self, change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Number:
        """Apply a function, such as a reshape, to all arrays of the number."""

        def changed(part: Any) -> Any:
            return change(np.broadcast_to(part, self.value.shape)) if np.ndim(part) else part

        number = self.in_any_order
        return replace(
            number,
            value=change(self.value),
            error=changed(number.error),
            spread=changed(number.spread),
            extremes=None if number.extremes is None else changed(number.extremes),
            ulps=changed(number.ulps),
            factors=None,
        )


SLIVER = 2.0**-16
"""Insignificant share of an error or a tolerance."""


def grid_of(size: FloatArray, computing: FloatFormat) -> FloatArray:
    """Return the ulp of a type at sums of these sizes; 1 at 0."""
    _, exponent = np.frexp(size)
    grid = np.ldexp(np.ones_like(size), exponent - 1 - computing.fraction_bits)
    return np.where((size > 0) & np.isfinite(size), grid, 1.0)


def rounding_error(term: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the error of rounding a term to the grid of the sum.

    Sequential additions round each term like this, at the latest when the sum has reached its size.
    If many terms are equal, or far smaller than the sum, these roundings have one direction and add
    up.
    """
    errors = np.rint(term / grid) * grid - term
    return np.where(np.isfinite(term), errors, 0.0)


@dataclass(frozen=True)
class Total:
    """Sums that are accumulated block by block; arrays have one element per sum.

    Attributes:
        value: Of the values.
        error: Of the errors.
        spread: Of their spreads.
        size: Of the magnitudes.
        up: Of the largest possible positive terms.
        down: Of the largest possible magnitudes of negative terms.
        losses: Of :func:`rounding_error`.
        extremes: Bits of the possible Inf and NaN of terms.
    """

    value: FloatArray
    error: FloatArray
    spread: FloatArray
    size: FloatArray
    up: FloatArray
    down: FloatArray
    losses: FloatArray
    extremes: Bits

    @classmethod
    def zero(cls, count: int, real: Real = np.float64) -> Total:
        """Return empty sums."""
        sums: Any = np.zeros((7, count), real)
        value, error, spread, size, up, down, losses = sums
        return cls(value, error, spread, size, up, down, losses, np.zeros(count, np.uint8))

    @classmethod
    def of(cls, terms: Number, reduce: Reduce, limit: float = 0.0) -> Total:
        """Return the sums of terms, one for each element.

        Args:
            terms: The terms.
            reduce: Adds them up.
            limit: The least magnitude that may overflow; below it ``up`` and ``down`` are left out.
        """
        a = terms.spanning
        value, size = reduce(np.add, a.value), reduce(np.add, np.abs(a.value))
        up = down = nothing = np.zeros_like(value)
        if a.extremes is not None or not size.max(initial=0.0) < limit:
            finite = a.value if a.extremes is None else np.where(np.isfinite(a.value), a.value, 0.0)
            signed = (np.maximum(part, 0.0) + a.total for part in (finite, -finite))
            up, down = (reduce(np.add, part) for part in signed)
        error, spread = (
            nothing if _is_none(part) else reduce(np.add, np.broadcast_to(part, a.value.shape))
            for part in (a.error, a.spread)
        )
        extremes = np.zeros(value.shape, np.uint8)
        if a.extremes is not None:
            extremes = reduce(np.bitwise_or, np.broadcast_to(a.extremes, a.value.shape))
        return cls(value, error, spread, size, up, down, nothing, extremes)

    def add(self, places: npt.NDArray[np.int64], other: Total) -> None:
        """Add some sums, each to the one at its index."""
        for part, its in zip(self._parts, other._parts, strict=True):
            np.add.at(part, places, its)
        np.bitwise_or.at(self.extremes, places, other.extremes)

    @property
    def _parts(self) -> tuple[FloatArray, ...]:
        return self.value, self.error, self.spread, self.size, self.up, self.down, self.losses

    def number(self, on: Arithmetic, terms: int) -> Number:
        """Return the sums, of at most ``terms`` terms each, with the errors of their additions."""
        limit, size = on.computing.overflow, self.size
        extremes: Bits | None = None
        if self.extremes.any() or not size.max(initial=0.0) < limit:
            overflows = (self.up >= limit) * POS_INF | (self.down >= limit) * NEG_INF
            extremes = sums_of(self.extremes | overflows)
        if terms <= 1 and extremes is None:
            return Number(on, self.value, self.error, self.spread)
        error = size * (max(on.additions(terms) - 1, 0.0) * on.computing.unit_roundoff)
        if on.may_lose(terms):
            most = size * ((terms - 2) * on.computing.unit_roundoff)
            error = np.minimum(error + np.abs(self.losses), most)
        error = self.error + error
        if on.flushes and terms > 1:
            error = error + np.minimum(size, terms * on.computing.smallest_normal)
        sums = Number(on, self.value).result_of("add", self.value, error, self.spread, extremes)
        return sums if terms > 1 else replace(sums, ulps=0.0, grid=None)


def add_numbers(*numbers: Number) -> Number:
    """Return the sum of a few numbers, in any order."""
    on = numbers[0].on
    terms = [number.spanning for number in numbers]
    value, error, spread = terms[0].value, terms[0].error, terms[0].spread
    for term in terms[1:]:
        value = value + term.value
        error, spread = _plus(error, term.error), _plus(spread, term.spread)
    size: Error = 0.0
    extremes = None
    if len(terms) > 2:
        for term in terms:
            size = size + np.abs(term.value)
        error = _plus(error, size * ((len(terms) - 2) * on.computing.unit_roundoff))
    overflows = len(terms) > 2 and not np.max(size, initial=0.0) < on.computing.overflow
    if overflows or any(term.extremes is not None for term in terms):
        kinds = [_kinds(term) for term in terms]
        bits = functools.reduce(np.bitwise_or, kinds)
        if overflows:
            bits = bits | ~(size < on.computing.overflow) * ANY_INF
        extremes = sums_of(bits)
        if np.isposinf(value).any():
            # a sum of 0 is exact
            is_finite = [value != 0, *((bits & FINITE) != 0 for bits in kinds)]
            extremes = with_hidden(extremes, value, functools.reduce(np.logical_and, is_finite))
    factors = Factors.sum_of(value, [term.own_factors for term in terms])
    return numbers[0].result_of("add", value, error, spread, extremes, factors=factors)


def select(condition: Mask, first: Number, second: Number) -> Number:
    """Return the first number where a condition holds, elsewhere the second, without rounding."""
    if first.grid is not None and second.grid is not None and first.grid is not second.grid:
        first, second = first.result, second.result

    def chosen(one: Error, other: Error) -> Error:
        same = isinstance(one, float) and isinstance(other, float) and one == other
        return one if same else np.where(condition, one, other)

    extremes = None
    if first.extremes is not None or second.extremes is not None:
        bits = (np.uint8(0) if n.extremes is None else n.extremes for n in (first, second))
        extremes = np.where(condition, *bits)
    return Number(
        first.on,
        np.where(condition, first.value, second.value),
        chosen(first.error, second.error),
        chosen(first.spread, second.spread),
        extremes,
        chosen(first.ulps, second.ulps),
        first.grid or second.grid,
        _either_factors(first, second, condition),
    )


def either(first: Number, second: Number) -> Number:
    """Return a value that a device may compute in two ways; the first one is exact.

    An arithmetic without allowances, such as float64, uses the first one.
    """
    if not first.on.allowed:
        return first
    if second.grid is not None and first.grid != second.grid:
        first, second = first.operand.result, second.operand.result
    return replace(
        first,
        error=np.maximum(first.error, second.error),
        spread=np.maximum(first.spread, second.spread),
        ulps=np.maximum(first.ulps, second.ulps),
        extremes=join(first.extremes, second.extremes),
        factors=_either_factors(first, second),
    )


def holds(value: float, grid: FloatFormat) -> bool:
    """Whether a type has a number."""
    return math.isnan(value) or round_outward(value, value, grid) == (value, value)


def larger(first: Number, second: Number) -> Number:
    """Return the larger of two numbers; near a tie a device may take either."""
    one, other = first.operand.result, second.operand.result
    gap, off = one.value - other.value, one.total + other.total
    near = replace(either(one, other), value=np.maximum(one.value, other.value))
    return select(gap > off, one, select(gap < -off, other, near))


def _quotient_factors(dividend: Number, divisor: Number) -> Factors | None:
    """Return the factors of a quotient; a sum is divided by as a whole."""
    is_product = divisor.factors is not None and divisor.factors.is_product
    if dividend._is_one():  # noqa: SLF001 - it is one of these
        return divisor.own_factors.inverse() if is_product else None
    whole = divisor.own_factors if is_product else Factors.single(divisor.value)
    return dividend.own_factors.times(whole.inverse())


def _either_factors(first: Number, second: Number, condition: Any = None) -> Factors | None:
    """Return the factors of either of two numbers; None if neither has any."""
    if first.factors is None and second.factors is None:
        return None
    return first.own_factors.or_else(second.own_factors, condition)


def reading(first: Number, second: Number) -> Number:
    """Return the term that the device follows if a document calls two terms equal."""
    return (first, second)[first.on.reading]


def _kinds(number: Number) -> Bits:
    """Return the possible outcomes of each element of a settled number."""
    value, total = number.value, number.total
    finite = np.isfinite(value)
    bits = (finite & (value + total > 0)) * POSITIVE
    bits = bits | (finite & (value - total < 0)) * NEGATIVE
    bits = bits | (finite & ~(np.abs(value) > total)) * NOTHING
    if number.extremes is None:
        return bits | extremes_of(value)
    bits = bits | ((number.extremes & ZERO) != 0) * NOTHING
    return np.asarray(bits | number.extremes, np.uint8)


def _below_zero(number: Number) -> Bits:
    """Return bits where a settled number may be negative or NaN.

    Rounding does not make a positive number negative, unless its error far exceeds its size.
    """
    kinds = _kinds(number)
    negative = (number.total > 2 * np.abs(number.value)) * (kinds & NEGATIVE)
    return np.asarray((kinds & (NEG_INF | NAN)) | negative, np.uint8)


def _is_none(error: Error) -> bool:
    return isinstance(error, float) and error == 0


def _plus(one: Error, other: Error) -> Error:
    # as _is_none, without its calls: there are a hundred sums of errors in an evaluation
    if one.__class__ is float and one == 0.0:
        return other
    return one if other.__class__ is float and other == 0.0 else one + other


def _times(one: Error, other: Error) -> Error:
    return 0.0 if _is_none(one) or _is_none(other) else one * other


def _sane(error: Error, value: FloatArray) -> Error:
    """Return an error; 0 where the value is not finite, Inf where the error is NaN."""
    if _is_none(error):
        return error
    sane = np.where(np.isnan(error), np.inf, error)
    return np.where(np.isfinite(value), sane, 0.0)


FLOAT64 = Arithmetic(
    FloatFormat(52, -1022, 1023),
    FloatFormat(52, -1022, 1023),
    ulps={
        **dict.fromkeys(("exp", "log", "tanh", "erf"), 1.0),
        # vectorised functions of NumPy
        **dict.fromkeys(("sin", "cos", "asin", "atan"), 4.0),
    },
)
"""The arithmetic in which golden values are computed."""

LONG_DOUBLE = replace(
    FLOAT64,
    computing=FloatFormat(63, -16382, 1023),
    storage=FloatFormat(63, -16382, 1023),
    # the x87's functions differ between processors: an exponential was off by 1.4 ulps
    ulps={
        **dict.fromkeys(("exp", "log", "tanh", "sin", "cos", "asin", "atan"), 2.0),
        "erf": 8.0,
    },
    real=np.longdouble,
)
"""The arithmetic for calls with double tensors; in its range no number here is 0 or Inf."""
