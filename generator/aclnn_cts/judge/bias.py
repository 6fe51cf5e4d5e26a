# SPDX-License-Identifier: Apache-2.0
"""Rounding bias, which only many elements together show.

A device that always truncates stays within one ulp, and so may keep every element's budget, but
over many elements it shows. The errors of rounding to nearest are spread evenly from -1/2 to 1/2
ulp; truncation has a mean error of 1/2 ulp toward zero, rounding up or down of 1/2 ulp to one side.

*Which elements count.* Those whose exact result is promised, normal, and neither a number of the
output's type (nothing is rounded there) nor halfway between two (rounding halves away from zero is
as accurate as rounding them to even, so it cannot be detected). Of these, the *sharp* ones: the
element's own operations may add at most :data:`LARGEST_OWN` ulp, because the sign of that error is
unknown. So every output narrower than the computing type is tested, a float32 output only where the
last rounding is the element's only one: after several float32 roundings, truncation looks like an
error that is allowed. Intermediate results that are stored in the tensors' own type count only in
second order, by their error relative to the result: rounding to nearest has no bias as long as that
is small, but log(1 + e) with 1 + e in bfloat16 is 0 for any small e. Elements with alternatives do
not count either.

*A factor that all elements share* (the reciprocal of a scale) may be off by one relative error in
the whole call. That error is fitted to the case, and taken out: what remains of the direction that
is looked for, once its part along the magnitudes is removed, is orthogonal to it.

*Which cases count.* Rounding errors are as good as random only if the exact values' fractions are
well mixed. A factor of 1 + 2^-23 leaves fractions that grow with the magnitude: correct rounding
has a bias on them. So a case counts only if rounding its exact values to nearest shows none; where
a factor is fitted, it must also have elements enough to show one as large as LARGEST_BIAS.

*The statistics.* The mean error b along a direction (toward zero, or up), in ulps of the output,
pooled over all cases with the same operator, output and data type, has the standard error
s / sqrt(I), where I is the squared length of what remains of the direction (the number of elements,
if no factor is shared), and s the deviation of the errors, taken as 1 / sqrt(12) (that of rounding
to nearest) at least. It is a finding if |b| > LARGEST_BIAS + DEVIATIONS * s / sqrt(I). Elements of
equal magnitude count once in a case, and equal cases once in a run, because equal errors are no
further evidence. A bias belongs to no single element. It is reported in the cases that add most to
it: they fail, by the value clauses that their rounded elements are promised by.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expectation, Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat

LARGEST_OWN = 1 / 8
"""Maximum error of an element's own intermediate roundings in ulps: half of LARGEST_BIAS, so that
they alone are no finding even if all have the same sign."""

LARGEST_BIAS = 1 / 4
"""Largest mean error in ulps that is no finding: half of truncation's."""

DEVIATIONS = 6.2
"""Standard errors beyond it that are a finding; a normal variable exceeds them once in 10^9
times."""

LEAST_ELEMENTS = 64
"""Minimum number of elements for a normally distributed mean."""

MIXED = 3.0
"""Standard errors by which the mean of correct rounding may differ from 0 in a case that counts."""

SAMPLED = 1 << 14
"""Number of elements of an output that are sampled, evenly spread."""

BLAMED = 3
"""Number of cases in which a bias is reported."""

_LEAST_VARIANCE = 1 / 12
LEAST_LENGTH = _LEAST_VARIANCE * (MIXED / LARGEST_BIAS) ** 2
"""Squared length above which MIXED standard errors of a case are less than LARGEST_BIAS."""

_VALUE = np.uint8(Outcome.VALUE)

Direction: TypeAlias = Literal["toward-zero", "up"]
DIRECTIONS: tuple[Direction, ...] = ("toward-zero", "up")


@dataclass(frozen=True)
class Rounding:
    """Rounding statistics of one output of one or several cases.

    Attributes:
        lengths: I, by direction.
        sums: Sum of the errors along the rest of the direction, in ulps.
        squares: Sum of squared errors without the shared factor's part, in ulps squared.
        reached: Union of the value clauses that apply to the elements (bits of Expected.reached).
        digest: Digest of the elements and their errors.
    """

    output: str
    dtype: str
    elements: int
    lengths: tuple[float, ...]
    sums: tuple[float, ...]
    squares: float
    reached: int = 0
    digest: str = ""

    def bias(self, direction: Direction) -> float:
        """Return the mean error along a direction in ulps."""
        at = DIRECTIONS.index(direction)
        return self.sums[at] / self.lengths[at] if self.lengths[at] else 0.0

    def error(self, direction: Direction) -> float:
        """Return the standard error of the mean in ulps; Inf if nothing was measured."""
        length = self.lengths[DIRECTIONS.index(direction)]
        if self.elements < LEAST_ELEMENTS or length <= 0:
            return math.inf
        variance_sum = self.squares - self.bias(direction) ** 2 * length
        return math.sqrt(max(variance_sum / self.elements, _LEAST_VARIANCE) / length)

    def is_biased(self, direction: Direction) -> bool:
        """Whether chance and budget do not explain the mean error."""
        return abs(self.bias(direction)) > LARGEST_BIAS + DEVIATIONS * self.error(direction)


def measure_rounding(
    output: str, dtype: str, actual: npt.NDArray[Any], expected: Expectation
) -> Rounding | None:
    """Return the rounding statistics of one output; None if no element counts.

    Args:
        actual: The device's result, view-shaped, in the output's type.
        expected: What may come back.
    """
    floating = DATA_TYPES[dtype].floating
    if floating is None:
        return None
    sample = np.arange(0, actual.size, max(1, -(-actual.size // SAMPLED)))
    flat = expected.at(sample)
    if not (flat.allowed == _VALUE).any():
        return None
    values, settled = widen(actual.reshape(-1)[sample]), ~flat.has_alternatives()
    with np.errstate(all="ignore"):
        chosen = np.flatnonzero(settled & _counts(flat, values, floating))
        if not len(chosen):
            return None
        golden = flat.value[chosen]
        _, first = np.unique(np.abs(golden), return_index=True)
        chosen, golden = chosen[first], golden[first]
        ulp = ulp_at(golden, floating)
        error = (values[chosen] - golden) / ulp
    shared = golden / ulp if _is_fitted(expected.shared, floating) else None
    directions = (-np.sign(golden), np.ones(len(golden)))
    remaining = [_without(direction, shared) for direction in directions]
    if not all(_is_mixed(remainder, golden / ulp) for remainder in remaining):
        return None
    if (
        shared is not None
        and min(_dot(remainder, remainder) for remainder in remaining) < LEAST_LENGTH
    ):
        return None
    own_errors = _without(error, shared)
    return Rounding(
        output=output,
        dtype=dtype,
        elements=len(chosen),
        lengths=tuple(_dot(remainder, remainder) for remainder in remaining),
        sums=tuple(_dot(remainder, error) for remainder in remaining),
        squares=_dot(own_errors, own_errors),
        reached=int(np.bitwise_or.reduce(flat.reached[chosen])),
        digest=hashlib.sha256(golden.tobytes() + error.tobytes()).hexdigest()[:16],
    )


def _counts(expected: Expected, actual: FloatArray, floating: FloatFormat) -> npt.NDArray[np.bool_]:
    """Return a mask of the elements that count."""
    value = expected.value
    size, ulp = np.abs(value), ulp_at(np.ascontiguousarray(value), floating)
    fraction = np.abs(value / ulp - np.rint(value / ulp))
    counts = (expected.allowed == _VALUE) & ~expected.undecided & np.isfinite(actual)
    counts &= (size >= floating.smallest_normal) & (size <= floating.max_finite / 2)
    stored = expected.tolerance - expected.own - ulp / 2
    counts &= (fraction > 0) & (fraction < 0.5)
    counts &= expected.own + stored * stored / size <= LARGEST_OWN * ulp
    return np.asarray(counts)


def _is_mixed(rest: FloatArray, exact: FloatArray) -> bool:
    """Whether rounding exact values, in ulps, to nearest has no bias along a direction."""
    errors = np.rint(exact) - exact
    return abs(_dot(rest, errors)) <= MIXED * math.sqrt(_LEAST_VARIANCE * _dot(rest, rest))


def _dot(one: FloatArray, other: FloatArray) -> float:
    """Return the scalar product.

    BLAS is not used, because its last bits depend on its number of threads, which wait busily for
    each other while other processes use the cores.
    """
    return float(np.einsum("i,i->", one, other))


def _is_fitted(shared: float, floating: FloatFormat) -> bool:
    """Whether a shared factor's error may be too large to count as the element's own."""
    return bool(shared * 2.0 ** (floating.fraction_bits + 1) > LARGEST_OWN)


def _without(vector: FloatArray, shared: FloatArray | None) -> FloatArray:
    """Return a vector minus its projection on another."""
    if shared is None:
        return vector
    return np.asarray(vector - shared * (_dot(shared, vector) / _dot(shared, shared)))


def pool(parts: Iterable[Rounding]) -> Rounding:
    """Return the pooled statistics of several cases (at least one); equal ones count once."""
    distinct = list({part.digest: part for part in parts}.values())
    return Rounding(
        output=distinct[0].output,
        dtype=distinct[0].dtype,
        elements=sum(part.elements for part in distinct),
        lengths=tuple(map(sum, zip(*(part.lengths for part in distinct), strict=True))),
        sums=tuple(map(sum, zip(*(part.sums for part in distinct), strict=True))),
        squares=sum(part.squares for part in distinct),
        reached=functools.reduce(int.__or__, (part.reached for part in distinct)),
    )


@dataclass(frozen=True)
class PooledRounding:
    """Rounding of one output in one data type over a run.

    Attributes:
        toward_zero: Mean error toward zero, in ulps.
        up: Mean error upward, in ulps.
        biased: Whether either is a finding.
    """

    operator: str
    output: str
    dtype: str
    elements: int
    toward_zero: float
    up: float
    biased: bool

    @classmethod
    def of(cls, operator: str, whole: Rounding) -> PooledRounding:
        """Return the figures of an operator's pooled cases."""
        return cls(
            operator=operator,
            output=whole.output,
            dtype=whole.dtype,
            elements=whole.elements,
            toward_zero=whole.bias("toward-zero"),
            up=whole.bias("up"),
            biased=any(map(whole.is_biased, DIRECTIONS)),
        )


@dataclass(frozen=True)
class Bias:
    """A bias that a run shows.

    Attributes:
        text: The finding in one sentence.
        reached: The cases that add most to it, and the value clauses that apply to their elements
            (bits of Expected.reached).
    """

    text: str
    elements: int
    reached: Mapping[str, int]


def find_bias(cases: Mapping[str, Rounding], whole: Rounding) -> Bias | None:
    """Return the stronger bias of pooled cases, by id; None if they are unbiased."""
    biased = [direction for direction in DIRECTIONS if whole.is_biased(direction)]
    if not biased:
        return None
    direction = max(biased, key=lambda direction: abs(whole.bias(direction)))
    bias, error = whole.bias(direction), whole.error(direction)
    sides = {"toward-zero": ("toward zero", "away from zero"), "up": ("upward", "downward")}
    side = sides[direction][0 if bias > 0 else 1]
    text = (
        f"{whole.output} is rounded with a bias: over {whole.elements} {whole.dtype} elements of "
        f"the run the mean error is {abs(bias):.3f} ulp {side}, {abs(bias) / error:.0f} standard "
        "errors from 0, although each element is within its budget"
    )
    at, sign = DIRECTIONS.index(direction), 1 if bias > 0 else -1
    most = sorted(cases, key=lambda case: (-sign * cases[case].sums[at], case))[:BLAMED]
    return Bias(text, whole.elements, {case: cases[case].reached for case in most})
