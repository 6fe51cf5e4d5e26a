# SPDX-License-Identifier: Apache-2.0
"""The input data of a case: every kind depends only on seed, shape and data type.

Philox 4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) gives the bits;
NumPy promises that a bit generator's raw stream never changes. NumPy's distributions may change, so
they are not used.

The stream has random access, so data are made block by block in constant memory. Two kinds of data
need more: data that a formula module derives from whole inputs, and one repetition of data that
repeat along an axis of stride 0.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import blaming
from aclnn_cts.golden.formula_modules import formula_module
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.plan.cases import (
    BELL,
    BETWEEN,
    CONSTANT_FILLS,
    INTEGER_FILLS,
    NAN,
    Case,
    Fill,
    TensorCase,
)
from aclnn_cts.plan.portable_functions import exp2
from aclnn_cts.spec.data_types import DATA_TYPES, DataType, FloatFormat, IntegerFormat
from aclnn_cts.spec.models import OperatorSpec

Bits = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int64]

BLOCK = 1 << 14
"""Elements per block; an even number."""

SORTED = 1 << 21
"""Approximate number of elements per sort; each part reads all random bits again."""

_WORDS_PER_STEP = 4
"""Words per step of the generator's counter."""


def random_bits(seed: str, numel: int, start: int = 0) -> Bits:
    """Return ``numel`` words of 64 random bits, from a place in the stream of ``seed``."""
    digest = hashlib.sha256(seed.encode()).digest()
    key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
    generator = np.random.Philox(key=key)
    generator.advance(start // _WORDS_PER_STEP)
    skipped = start % _WORDS_PER_STEP
    return generator.random_raw(skipped + numel).astype(np.uint64, copy=False)[skipped:]


def unit_interval(bits: Bits) -> FloatArray:
    """Map words to [0, 1): multiples of 2^-53, exact in float64."""
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def uniform(bits: Bits, low: float, high: float) -> FloatArray:
    """Map words to [low, high)."""
    return low + (high - low) * unit_interval(bits)


def normal(bits: Bits) -> FloatArray:
    """Map words to a bell curve of mean 0 and deviation 1 (Irwin-Hall, four 16-bit parts).

    A sum needs no logarithm or cosine, whose last bits differ between mathematics libraries.
    """
    total = np.zeros(bits.shape)
    for shift in (0, 16, 32, 48):
        total += ((bits >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.float64)
    # Four uniform parts of [0, 65535] have mean 2 * 65535 and variance 4 / 12 * 65535^2 (nearly).
    return np.asarray((total - 2 * 65535.0) * (1.7320508075688772 / 65535.0))


def pick(bits: Bits, count: int) -> npt.NDArray[np.int64]:
    """Map words to indices below ``count`` (a bias of at most count / 2^32)."""
    high = bits >> np.uint64(32)
    return ((high * np.uint64(count)) >> np.uint64(32)).astype(np.int64)


def permutation(seed: str, numel: int) -> Iterator[Indices]:
    """Yield, in parts, the permutation of ``range(numel)`` that sorts random words.

    The words of each part lie in their own interval.
    """
    parts = max(-(-numel // SORTED), 1)
    bounds = [part * 2**64 // parts for part in range(parts + 1)]
    for low, end in itertools.pairwise(bounds):
        words, places = [], []
        for start in range(0, numel, BLOCK):
            bits = random_bits(seed, min(BLOCK, numel - start), start)
            inside = np.flatnonzero((bits >= np.uint64(low)) & (bits <= np.uint64(end - 1)))
            words.append(bits[inside])
            places.append(inside + start)
        if words:
            yield np.concatenate(places)[np.argsort(np.concatenate(words), kind="stable")]


Shape = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """Consecutive elements of a tensor, in row-major order.

    Attributes:
        fill: The tensor's fill.
        stop: The end of the block (exclusive).
    """

    fill: Fill
    shape: Shape
    start: int
    stop: int

    @property
    def bits(self) -> Bits:
        """A random word for each element."""
        return random_bits(self.fill.seed, self.stop - self.start, self.start)

    @property
    def places(self) -> Indices:
        """The flat index of each element."""
        return np.arange(self.start, self.stop)


Values = Callable[[Block, FloatFormat], FloatArray]


@dataclass(frozen=True)
class Uniform:
    """Uniform numbers of [low, high); a kit's host makes them itself, by ``make_data.cpp``.

    Attributes:
        slope: How much further the last number is spread than the first.
        signed: Whether every other one has the other sign.
    """

    low: float
    high: float
    slope: float = 0.0
    signed: bool = False

    def __call__(self, block: Block, _: FloatFormat) -> FloatArray:
        bits = block.bits
        values = uniform(bits, self.low, self.high)
        if self.slope:
            values *= 1 + self.slope * (block.places / math.prod(block.shape))
        return np.where(bits & np.uint64(1), -values, values) if self.signed else values


def _normal(block: Block, _: FloatFormat) -> FloatArray:
    """Mean in [-5, 5], deviation in [0.1, 2]: the public precision standard, section 1.2."""
    mean, deviation = unit_interval(random_bits(block.fill.seed + ":moments", 2))
    return np.asarray((10 * mean - 5) + (0.1 + 1.9 * deviation) * normal(block.bits))


def _around_thresholds(fill: Fill, floating: FloatFormat) -> list[float]:
    """Each threshold, its neighbours in the tensor's type, and values further off, step by step."""
    candidates: list[float] = []
    for threshold in fill.thresholds:
        if not math.isfinite(threshold):
            continue
        exponent = math.frexp(threshold)[1] - 1 if threshold else floating.min_exponent
        step = math.ldexp(1.0, max(exponent, floating.min_exponent) - floating.fraction_bits)
        nearest = round(threshold / step) * step
        candidates += [nearest, nearest - step, nearest + step]
        candidates += [nearest - 3 * step, nearest + 3 * step]
        exponents = [-6, -12, -20]
        if not threshold:
            # most numbers of the type lie between those and the subnormals, which may count as 0
            least = floating.min_exponent
            exponents += [least, least // 2, least // 3]
        candidates += [nearest + sign * 2.0**exponent for exponent in exponents for sign in (-1, 1)]
    return candidates


def _around_turning_points(fill: Fill, floating: FloatFormat) -> list[float]:
    """As around thresholds, and some way off, because kernels choose where to change their way."""
    shares = [1 + sign * 2.0**-power for power in (4, 7) for sign in (-1, 1)]
    further = [point * share for point in fill.thresholds for share in shares]
    return _around_thresholds(fill, floating) + further


def _special_values(floating: FloatFormat) -> list[float]:
    tiny, normal = floating.smallest_subnormal, floating.smallest_normal
    values = [math.nan, math.inf, -math.inf, 0.0, -0.0, tiny, -tiny, normal, tiny - normal]
    return [*values, floating.max_finite, floating.least_finite, 1.0, -1.0]


def _special(wanted: Callable[[float], bool] = lambda _: True) -> Candidates:
    return lambda _, floating: [value for value in _special_values(floating) if wanted(value)]


Candidates = Callable[[Fill, FloatFormat], list[float]]


@dataclass(frozen=True)
class Scattering:
    """Values placed among ordinary ones of [-2, 2).

    Each appears if there is room; at least half of the elements stay ordinary, so that these values
    are never the only ones.

    Attributes:
        candidates: Returns the values.
        share: Of the elements that hold them.
        part: They are within the first of this many parts of the elements, so that sums over other
            elements stay ordinary.
    """

    candidates: Candidates
    share: float = 0.3
    part: int = 1

    def places(
        self, fill: Fill, numel: int, floating: FloatFormat
    ) -> Iterator[tuple[Indices, FloatArray]]:
        """Yield elements with their values."""
        candidates, numel = np.asarray(self.candidates(fill, floating)), numel // self.part
        if not candidates.size or numel < 2:
            return
        remaining = min(numel // 2, max(math.ceil(numel * self.share), candidates.size))
        rank = int(pick(random_bits(fill.seed + ":first", 1), candidates.size)[0])
        for places in permutation(fill.seed + ":places", numel):
            chosen = places[:remaining]
            yield chosen, candidates[(np.arange(chosen.size) + rank) % candidates.size]
            rank, remaining = rank + chosen.size, remaining - chosen.size
            if not remaining:
                return


SCATTERED: dict[str, Scattering] = {
    "around-thresholds": Scattering(_around_thresholds, share=0.5),
    "turning-points": Scattering(_around_turning_points, share=0.5),
    "special": Scattering(_special()),
    "special-corner": Scattering(_special(), part=8),
    # without Inf and the largest values, so that sums are meaningful
    "special-corner-summable": Scattering(_special(lambda value: not abs(value) > 1), part=8),
    # for products without Inf and NaN
    "special-finite": Scattering(_special(math.isfinite)),
    # values without contradictions in a search for the largest
    "special-no-nan": Scattering(_special(lambda value: value > -math.inf)),
    # values that a narrower computing type also holds
    "special-mild": Scattering(_special(lambda value: abs(value) <= 1)),
}
"""Kinds of floating data with values that must appear."""


Magnitudes = Callable[[Bits, FloatFormat], FloatArray]


def _both_signs(magnitudes: Magnitudes, *, half_ordinary: bool = False) -> Values:
    """Both signs; every other value may be an ordinary one instead."""

    def rule(block: Block, floating: FloatFormat) -> FloatArray:
        bits = block.bits
        sign = np.where(bits & np.uint64(1), -1.0, 1.0)
        values = np.asarray(sign * magnitudes(bits, floating))
        if half_ordinary:
            values[::2] = uniform(bits[::2], -2.0, 2.0)
        return values

    return rule


_EXACT = np.array([0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0])
"""Powers of two and small sums of them, with exact products and short sums."""


def _octaves(bits: Bits, floating: FloatFormat) -> FloatArray:
    """Values around the inverse of any integer, around any integer, and some that round to 0."""
    least = max(-66, floating.min_exponent - floating.fraction_bits - 2)
    return exp2(uniform(bits, least, min(66, floating.max_exponent)))


def _whole_range(bits: Bits, floating: FloatFormat) -> FloatArray:
    """Values from the smallest normal, or 1 of integers, to the largest one."""
    least = 0 if isinstance(floating, IntegerFormat) else floating.min_exponent
    return exp2(uniform(bits, least, floating.max_exponent + 1))


def _specials(block: Block, floating: FloatFormat) -> FloatArray:
    """Special values only, so that those of several tensors meet in all combinations."""
    values = np.array(_special_values(floating))
    return values[pick(block.bits, len(values))]


_NUMBERS = 1 << 16
"""Numbers of 16 bits."""


def _every(block: Block, floating: FloatFormat) -> FloatArray:
    """Each number of 16 bits once; of wider floating types one number for all 16 leading bits.

    Neighbours are far apart, so that it shows if elements are exchanged.
    """
    if math.prod(block.shape) < _NUMBERS:  # of few numbers, most might have the same result
        return uniform(block.bits, -5.0, 5.0)
    first, step = random_bits(f"{block.fill.seed}/order", 2)
    places = block.places.astype(np.uint64)
    leading = (places * (step | np.uint64(1)) + first) % np.uint64(_NUMBERS)
    if floating.fraction_bits > np.finfo(np.float32).nmant:
        numbers = (leading << np.uint64(48) | block.bits >> np.uint64(16)).view(np.float64)
    elif floating.fraction_bits == np.finfo(np.float16).nmant:
        numbers = leading.astype(np.uint16).view(np.float16)
    else:
        is_bfloat16 = floating.fraction_bits < np.finfo(np.float16).nmant
        following = np.uint64(0) if is_bfloat16 else block.bits & np.uint64(_NUMBERS - 1)
        numbers = (leading << np.uint64(16) | following).astype(np.uint32).view(np.float32)
    with np.errstate(invalid="ignore"):  # of signalling NaN
        return np.asarray(numbers.astype(np.float64))


def _pairs(block: Block, floating: FloatFormat) -> FloatArray:
    """Numbers by place, or one of their neighbours, so that those of two tensors are often equal.

    Where nothing is a threshold, the numbers are powers of two and, of every fourth, the type's
    largest one, as far as float64 has its neighbours.
    """
    places = block.places
    if block.fill.thresholds:
        thresholds = np.array(block.fill.thresholds)
        bases = thresholds[places % thresholds.size]
    else:
        most = min(floating.max_exponent - 1, 52)
        exponents = np.where(places % 4 == 3, most, np.minimum(places * 5 % 16 - 8, most))
        bases = exp2(exponents) * np.where(places % 3 == 1, -1.0, 1.0)
    is_whole = isinstance(floating, IntegerFormat)
    steps = 1.0 if is_whole else np.maximum(ulp_at(bases, floating), floating.smallest_normal)
    # ulps of powers of two are those above; nothing is beyond Inf
    with np.errstate(invalid="ignore"):  # of an Inf
        moved = bases + steps * (pick(block.bits, 3) - 1)
    largest = np.copysign(floating.max_finite, pick(block.bits, 3) - 1.5)
    return np.where(np.isinf(bases), np.where(pick(block.bits, 3) == 1, bases, largest), moved)


def _special_pairs(block: Block, floating: FloatFormat) -> FloatArray:
    """Special values, of which half depend on the place alone, or a quarter among pairs."""
    values = np.array(_special_values(floating))
    bits, count = block.bits, len(values)
    drawn = values[pick(bits, count)]
    if not block.fill.thresholds:
        return np.where(bits & np.uint64(1), values[block.places % count], drawn)
    return np.where(bits & np.uint64(3), _pairs(block, floating), drawn)


def _subnormal(bits: Bits, floating: FloatFormat) -> FloatArray:
    """Subnormal and smallest normal values."""
    most = 2 ** min(floating.fraction_bits + 1, 63)  # 64 of uint64
    steps = (1 + pick(bits, most)).astype(np.float64)
    return steps * floating.smallest_subnormal


def _near_least(block: Block, floating: FloatFormat) -> FloatArray:
    """Values from the smallest normal, or 1 of integers, to 128 times it."""
    least = 1.0 if isinstance(floating, IntegerFormat) else floating.smallest_normal
    return np.asarray(least * exp2(uniform(block.bits, 0.0, 7.0)))


def _large(bits: Bits, floating: FloatFormat) -> FloatArray:
    """Magnitudes up to the largest finite value, so that some overflow."""
    scale = np.ldexp(floating.max_finite, -pick(bits, 7))
    return scale * (0.5 + 0.5 * unit_interval(bits))


def _least(block: Block, floating: FloatFormat) -> FloatArray:
    """Large negative values only, the least of which is that of the type."""
    scale = np.ldexp(floating.least_finite, -pick(block.bits, 4))
    return np.asarray(scale * (0.5 + 0.5 * unit_interval(block.bits)))


def _bias(sign: float) -> Values:
    """Nine values in ten have the sign."""

    def rule(block: Block, _: FloatFormat) -> FloatArray:
        bits = block.bits
        magnitude = uniform(bits, 0.05, 4.0)
        return np.where((bits & np.uint64(0x3FF)) < 922, sign, -sign) * magnitude

    return rule


_LARGEST_OFFSET = 64.0
"""Beyond it, a float32 difference of two such values has no digits left."""


def _offset(block: Block, floating: FloatFormat) -> FloatArray:
    """Values within 1 of a large one, where the type has steps of 1/8 or less."""
    large = min(_LARGEST_OFFSET, 2.0 ** (floating.fraction_bits - 3))
    return large + uniform(block.bits, -1.0, 1.0)


def _distinct(block: Block, _: FloatFormat) -> FloatArray:
    """Integers that differ within any window of 16 x 16 of the two innermost axes."""
    seed, shape = block.fill.seed, block.shape
    if len(shape) < 2:
        order = np.concatenate(list(permutation(seed, math.prod(shape))))
        return order[block.start : block.stop].astype(np.float64)
    rows, column = np.divmod(block.places, shape[-1])
    plane, row = np.divmod(rows, shape[-2])
    (order,) = permutation(seed, 256)
    tile = (order - 128).astype(np.float64).reshape(16, 16)
    # every other plane is negated; a negated tile stays free of repeats
    return np.asarray(tile[row % 16, column % 16] * np.where(plane % 2, -1.0, 1.0))


def _last_largest(block: Block, floating: FloatFormat) -> FloatArray:
    """Ordinary values, but in every fourth row the last is far above the others.

    The exponential of its distance from the others overflows.
    """
    far = 800.0 if floating.max_exponent > 127 else 100.0
    length = block.shape[-1] if block.shape else 1
    row, column = np.divmod(block.places, length)
    is_far = (row % 4 == 0) & (column == length - 1)
    return np.asarray(uniform(block.bits, -5.0, 5.0) + far * is_far)


def _rows(block: Block) -> tuple[Indices, Indices, int]:
    """Return the row of each element and its place there, and the number of elements of a row.

    A row is all elements along the axes that are the fill's thresholds.
    """
    along = {int(axis) for axis in block.fill.thresholds} & {*range(len(block.shape))}
    places, rows = np.zeros((2, block.stop - block.start), np.int64)
    for axis, index in enumerate(np.unravel_index(block.places, block.shape or (1,))):
        if axis in along:
            places = places * block.shape[axis] + index
        elif block.shape:
            rows = rows * block.shape[axis] + index
    return rows, places, math.prod(block.shape[axis] for axis in along)


def _lone(*others: float) -> Values:
    """0 everywhere, but for one element of every other row: the first, the last or another one.

    Args:
        others: Numbers that it may be, beside small and very small ones.
    """

    def values(block: Block, floating: FloatFormat) -> FloatArray:
        row, place, length = _rows(block)
        lone = np.choose(row // 2 % 3, [0, length - 1, row * 7 % length])
        least = 1.0 if isinstance(floating, IntegerFormat) else floating.smallest_normal
        numbers = np.array([1.0, -3.0, 5.0, least, *others])
        number = numbers[pick(block.bits, len(numbers))]
        return np.where((row % 2 == 0) & (place == lone), number, 0.0)

    return values


def _holes(block: Block, _: FloatFormat) -> FloatArray:
    """The reverse, in the other rows."""
    row, place, length = _rows(block)
    hole = np.choose(row // 2 % 3, [length - 1, 0, row * 7 % length])
    odd = 1.0 + 2.0 * (block.bits % np.uint64(3))
    return np.where((row % 2 == 1) & (place == hole), 0.0, odd)


def _levels(block: Block, floating: FloatFormat) -> FloatArray:
    """Values between 2 and 110 around a level of each row and of each place there.

    The largest of many of any others are alike. The last one of every fourth row is below or above
    all others. Of bool, most rows are 1.
    """
    row, place, length = _rows(block)
    if isinstance(floating, IntegerFormat) and floating.most == 1:
        ones = 0.0 * place + 1.0
        return np.choose(row % 5, [ones, 0.0 * place, ones, place % 2.0, ones])
    levels = row * 37 % 11 * 5 + place * 29 % 13 * 4
    is_last = (row % 4 == 0) & (place == length - 1)
    end = 120.0 if random_bits(block.fill.seed, 1)[0] & np.uint64(1 << 40) else 1.0
    return np.where(is_last, end, uniform(block.bits, 2.0, 12.0) + levels)


def _near_one(block: Block, floating: FloatFormat) -> FloatArray:
    """1 or -1, but for about 16 elements of each row, among them the last one.

    Those are alike in each octave from 1/2 to 2, so that no product of some of them leaves a range.
    Integers have one or two of them. Bool is as `holes`.
    """
    row, place, length = _rows(block)
    if not isinstance(floating, IntegerFormat):
        is_other = (place % -(-max(length, 1) // 16) == 0) | (place == length - 1)
        sizes = exp2(uniform(block.bits, -1.0, 1.0))
    elif floating.most == 1:
        return _holes(block, floating)
    else:
        # a layout may repeat them
        is_narrow = floating.most < 256
        is_other = (place == length - 1) | (place == row * 7 % max(length, 1)) & (not is_narrow)
        sizes = 2.0 + pick(block.bits, 1 if is_narrow and floating.least else 2)
    return np.where(is_other, sizes, 1.0) * np.where(block.bits & np.uint64(1), -1.0, 1.0)


def _spreads(block: Block, _: FloatFormat) -> FloatArray:
    """Values around a level of each row, as far apart as its spread says."""
    row = _rows(block)[0]
    spread = 1.0 + row * 37 % 11
    return uniform(block.bits, -1.0, 1.0) * spread + row * 5 % 7


def _places(choose: Callable[[Block, FloatArray], FloatArray]) -> Values:
    """Places of which each is below an extent; these, the fill's thresholds, take turns."""

    def values(block: Block, _: FloatFormat) -> FloatArray:
        extents = np.array(block.fill.thresholds or (1.0,))
        if extents.size > 1 and block.shape[-1:] != extents.shape:
            extents = extents.min(keepdims=True)  # one place for all, along an axis of stride 0
        return choose(block, extents[block.places % extents.size])

    return values


def _any_place(block: Block, extents: FloatArray) -> FloatArray:
    return np.floor(unit_interval(block.bits) * extents)


def _either_way(block: Block, extents: FloatArray) -> FloatArray:
    counts_down = (block.bits & np.uint64(1)).astype(np.float64)
    return np.asarray(_any_place(block, extents) - extents * counts_down)


def _around(block: Block, extents: FloatArray) -> FloatArray:
    return np.floor((4 * unit_interval(block.bits) - 2) * extents)


def _ends(block: Block, extents: FloatArray) -> FloatArray:
    return (extents - 1) * (block.bits & np.uint64(1)).astype(np.float64)


def _places_once(block: Block, _: FloatFormat) -> FloatArray:
    """Different places: the number of each row or element counts in steps through all of them."""
    extents = [max(int(extent), 1) for extent in block.fill.thresholds or (1.0,)]
    total = math.prod(extents)
    number, along = np.divmod(block.places, len(extents))
    order = random_bits(f"{block.fill.seed}/order", 2) >> np.uint64(40)
    start, step = map(int, order)
    step = next(n for n in itertools.count(step) if math.gcd(n, total) == 1)
    places = np.array(np.unravel_index((number * step + start) % total, extents))
    return places[along, np.arange(along.size)].astype(np.float64)


def _between(block: Block, floating: FloatFormat | None) -> FloatArray:
    """Values in [low, high), or low if both are equal; integers include high."""
    low, high = block.fill.thresholds
    if low == high:
        return np.full(block.stop - block.start, high)
    if floating is None:
        return np.floor(uniform(block.bits, low, high + 1))
    # the difference of the bounds may overflow
    share = unit_interval(block.bits)
    return np.asarray(low * (1 - share) + high * share)


def _bell(block: Block, _: FloatFormat) -> FloatArray:
    """Values of a bell curve; its mean and deviation are the fill's thresholds."""
    mean, deviation = block.fill.thresholds
    return np.asarray(mean + deviation * normal(block.bits))


def _constant(value: float) -> Values:
    return lambda block, _: np.full(block.stop - block.start, value)


def _samples(block: Block, _: FloatFormat) -> FloatArray:
    """Uniform in [-5, 5); a sample does not depend on the extent of the outermost axis."""
    size = math.prod(block.shape[1:])
    rows, places = np.divmod(block.places, size)
    offsets = (rows * rows + rows // 3) % _SAMPLES
    bits = random_bits(block.fill.seed, _SAMPLES * size)
    return uniform(bits[offsets * size + places], -5.0, 5.0)


_SAMPLES = 3
"""Number of samples that differ."""

SMALL, LARGE = "small", "large"
"""Replacements for data whose case could not fail."""

SHARING = ("normal",)
"""Kinds with random moments that all elements of a tensor share."""


FLOAT_FILLS: dict[str, Values] = {
    "uniform": Uniform(-5.0, 5.0),
    "normal": _normal,
    "samples": _samples,
    "unit-interval": Uniform(0.0009765625, 0.9990234375),
    "wide": Uniform(-3.0, 4.0),
    "positive": Uniform(0.125, 2.0),
    **dict.fromkeys(SCATTERED, Uniform(-2.0, 2.0)),
    SMALL: Uniform(0.125, 1.0, signed=True),
    "exact": _both_signs(lambda bits, _: _EXACT[pick(bits, len(_EXACT))]),
    # As many values in each octave; exponentials level off at both ends.
    "magnitudes": _both_signs(lambda bits, _: exp2(uniform(bits, -6.0, 7.0))),
    "octaves": _both_signs(_octaves),
    "whole-range": _both_signs(_whole_range),
    "specials": _specials,
    "every": _every,
    "subnormal": _both_signs(_subnormal, half_ordinary=True),
    LARGE: _both_signs(_large, half_ordinary=True),
    "near-least": _near_least,
    "mostly-negative": _bias(-1.0),
    "mostly-positive": _bias(1.0),
    "offset": _offset,
    "negative": Uniform(-5.0, -0.125),
    # some are below the range of narrower types, where a search for the largest must not begin
    "least": _least,
    "all-positive": Uniform(0.125, 5.0),
    "from-one": Uniform(1.0, 5.0),
    # most quotients by ordinary numbers are whole numbers other than 0
    "tens": Uniform(-40.0, 40.0),
    # the exponential of each is beyond double
    "far-above": Uniform(712.0, 722.0),
    # each is below the least number of float16
    "far-below": Uniform(-70010.0, -70000.0),
    "last-largest": _last_largest,
    # integers beyond 32 bits, of which thousands do not add up to 64
    "billions": Uniform(-(2.0**40), 2.0**40),
    "distinct": _distinct,
    "ties": lambda block, _: pick(block.bits, 3).astype(np.float64) - 1.0,
    "pairs": _pairs,
    "special-pairs": _special_pairs,
    "labels": lambda block, _: (block.bits >> np.uint64(63)).astype(np.float64),
    "lone": _lone(),
    "lone-special": _lone(math.nan, math.inf, -math.inf),
    "holes": _holes,
    "levels": _levels,
    "near-one": _near_one,
    "spreads": _spreads,
    "places": _places(_any_place),
    "places-either-way": _places(_either_way),
    "places-ends": _places(_ends),
    "places-around": _places(_around),
    "places-once": _places_once,
    "ones": _constant(1.0),
    "zeros": _constant(0.0),
    "negative-zeros": _constant(-0.0),
}
"""Floating data by kind; values are computed in float64 and then rounded to the tensor's type."""

_CALL_FILLS: dict[str, Values] = {BETWEEN: _between, BELL: _bell, NAN: _constant(math.nan)}
"""Floating data of the kinds that only call lists ask for."""

DERIVED = "derived"
"""The kind of data that the formula module derives from the other inputs."""


def check_fill(kind: str, own: Collection[str] = ()) -> None:
    """Raise WrongInputError if there is no such kind of data."""
    kinds = [*FLOAT_FILLS, *INTEGER_FILLS, *_CALL_FILLS, DERIVED, *own]
    if kind not in kinds:
        raise unknown_name("kind of data", kind, kinds)


def fills_of(spec: OperatorSpec) -> Mapping[str, Values]:
    """Return the kinds of data that an operator's formula module makes."""
    fills: Mapping[str, Values] = getattr(formula_module(spec.formula_source), "FILLS", {})
    return fills


def make_data(
    fill: Fill,
    shape: Shape,
    dtype: str,
    out: npt.NDArray[Any] | None = None,
    own: Mapping[str, Values] | None = None,
) -> npt.NDArray[Any]:
    """Return the data of an input: view shape, in the tensor's type.

    Args:
        out: A contiguous array of that shape and type for the data; None for a new one.
        own: Kinds of data that the operator's formula module makes.

    Raises:
        WrongInputError: The kind does not exist, or does not fit the type.
    """
    data_type = DATA_TYPES[dtype]
    elements = elements_of(fill, data_type, own or {})
    data = np.empty(shape, data_type.numpy) if out is None else out
    flat = data.reshape(-1)
    for start in range(0, flat.size, BLOCK):
        block = Block(fill, shape, start, min(start + BLOCK, flat.size))
        flat[start : block.stop] = elements(block)
    if fill.kind in SCATTERED and data_type.numpy.kind != "c":
        for places, values in SCATTERED[fill.kind].places(fill, flat.size, data_type.grid):
            flat[places] = _round(values, data_type)
    return data


def elements_of(
    fill: Fill, data_type: DataType, own: Mapping[str, Values]
) -> Callable[[Block], npt.NDArray[Any]]:
    """Return the function that makes a block's elements, without scattered values.

    Raises:
        WrongInputError: As :func:`make_data`.
    """
    floating = data_type.floating
    if fill.kind in INTEGER_FILLS:
        if floating is not None:
            raise WrongInputError(f"{fill.kind} data need an integer type, not {data_type.name}")
        return lambda block: _bits(block).astype(data_type.numpy)
    check_fill(fill.kind, own)
    if fill.kind == DERIVED:
        raise WrongInputError("data derived from other inputs cannot be made alone")
    is_complex = data_type.numpy.kind == "c"
    if floating is None and (is_complex or fill.kind in (BETWEEN, *CONSTANT_FILLS)):
        return lambda block: _integers(block).astype(data_type.numpy)
    values = {**FLOAT_FILLS, **_CALL_FILLS, **own}[fill.kind]
    return lambda block: _round(values(block, data_type.grid), data_type)


def _round(values: FloatArray, data_type: DataType) -> npt.NDArray[Any]:
    with np.errstate(over="ignore", invalid="ignore"):
        if data_type.name == "bfloat16":
            # round through float32, as ml_dtypes does, so that no version can change it
            return values.astype(np.float32).astype(data_type.numpy)
        if isinstance(grid := data_type.grid, IntegerFormat):
            return _whole(values, grid, data_type)
        return values.astype(data_type.numpy)


def _whole(values: FloatArray, grid: IntegerFormat, data_type: DataType) -> npt.NDArray[Any]:
    """Return the nearest integers; 0 for NaN, and without sign for unsigned types.

    For bool it is whether they are odd, because nearly all are not 0.
    """
    whole = np.nan_to_num(np.rint(values), posinf=np.inf, neginf=-np.inf)
    whole = np.abs(whole) if grid.least == 0 else whole
    whole = whole % 2 if grid.most == 1 else whole
    # the largest integers of 64 bits are not float64 numbers
    most = math.nextafter(grid.max_finite, 0.0) if data_type.is_wide else grid.max_finite
    clipped = np.clip(whole, grid.least_finite, most).astype(data_type.numpy)
    clipped[whole >= grid.max_finite] = grid.most
    return np.asarray(clipped)


def _bits(block: Block) -> npt.NDArray[np.uint8]:
    flat = (block.bits >> np.uint64(40)).astype(np.uint8)
    if block.fill.kind == "bits-padding":
        flat[max(math.prod(block.shape) - 16 - block.start, 0) :] |= np.uint8(0xF0)
    return flat


def _integers(block: Block) -> npt.NDArray[np.int64]:
    """Return equal bits, integers between bounds, or 0 and 1 for an unsupported type."""
    if block.fill.kind == BETWEEN:
        return _between(block, None).astype(np.int64)
    if block.fill.kind in CONSTANT_FILLS:
        return np.full(block.stop - block.start, -1 if block.fill.kind == "ones" else 0)
    return (block.bits & np.uint64(1)).astype(np.int64)


def fill_inputs(
    spec: OperatorSpec, case: Case, out: Mapping[str, npt.NDArray[Any]] | None = None
) -> dict[str, npt.NDArray[Any]]:
    """Return the data of all inputs of a case: view shape, the tensors' own types.

    Tensors that another operator produces have no data, nor do invalid null tensors.

    Args:
        case: The case with settled seeds, see :mod:`aclnn_cts.golden.inputs`.
        out: Contiguous arrays for the data, by tensor; None for new ones.
    """
    module = formula_module(spec.formula_source)
    with blaming(module, spec.operator):
        inputs = _make(module, fills_of(spec), case, out or {})
        return inputs | absent_inputs(spec, case)


def absent_inputs(spec: OperatorSpec, case: Case) -> dict[str, npt.NDArray[Any]]:
    """Return the replacements of optional inputs that are null."""
    values = {tensor.name: tensor.absent for tensor in spec.inputs}
    return {
        tensor.name: np.broadcast_to(
            np.asarray(values[tensor.parameter], tensor.data_type.numpy), tensor.shape
        )
        for tensor in case.inputs
        if tensor.source == "null" and values[tensor.parameter] is not None
    }


def _make(
    module: ModuleType,
    own: Mapping[str, Values],
    case: Case,
    places: Mapping[str, npt.NDArray[Any]],
) -> dict[str, npt.NDArray[Any]]:
    tensors = [(t, t.fill) for t in case.inputs if t.source == "data" and t.fill is not None]
    inputs = {
        tensor.name: _independent(tensor, fill, places.get(tensor.name), own)
        for tensor, fill in tensors
        if fill.kind != DERIVED
    }
    for tensor, fill in tensors:
        if fill.kind == DERIVED:
            derived = module.derive(tensor.name, inputs, case.values).reshape(tensor.shape)
            typed = derived.astype(DATA_TYPES[tensor.dtype].numpy, copy=False)
            inputs[tensor.name] = _place(typed, places.get(tensor.name))
    return inputs


def drawn_shape(tensor: TensorCase) -> Shape:
    """Return the shape of an input's own elements: 1 along axes of stride 0."""
    return tuple(
        1 if stride == 0 and extent > 1 else extent
        for extent, stride in zip(tensor.shape, tensor.strides, strict=True)
    )


def _independent(
    tensor: TensorCase, fill: Fill, out: npt.NDArray[Any] | None, own: Mapping[str, Values]
) -> npt.NDArray[Any]:
    """Make the data of one tensor, which repeat along axes of stride 0."""
    base = drawn_shape(tensor)
    if base == tensor.shape:
        return make_data(fill, base, tensor.dtype, out, own)
    data = make_data(fill, base, tensor.dtype, own=own)
    return _place(np.broadcast_to(data, tensor.shape), out)


def _place(data: npt.NDArray[Any], out: npt.NDArray[Any] | None) -> npt.NDArray[Any]:
    if out is None:
        return data.copy()
    out[...] = data
    return out
