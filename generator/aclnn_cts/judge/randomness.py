# SPDX-License-Identifier: Apache-2.0
"""Statistical tests of random bits.

*What is promised.* Each bit of an output is 1 with a probability p, independently of the others.
The formula module states bounds for p, because a device may round the numbers that it computes p
from. Bits count from the least significant one of the first byte. The judge ignores a last byte
that is not full, because no page says which of its bits come first.

*Counts.* If the bits are as promised, each of these counts is binomial:

- how many of all bits are 1, and of those at each place of 8, 16, 32 ... bits;
- how many are 1 in each run of 128, 2048, 32768 ... bits, and in what is left at the end;
- how many bytes have each of the 256 values;
- how many pairs of bits are equal, at each distance and at each sum of their numbers, among the
  first 2^20 bits: two bits are equal with the probability p^2 + (1 - p)^2;
- how many bits at the same place are equal in two calls that differ in one seed only.

A binomial count of n deviates from n p as far as k does, or further on that side, with a
probability of at most exp(-n D), where D = k/n ln((k/n)/p) + (1 - k/n) ln((1 - k/n)/(1 - p)). This
is Chernoff's bound, which holds for all n and p; no count is approximated by a normal
distribution, and a p of 0 or 1 allows no exception. Where p has bounds, the nearer one counts.
Pairs at one distance share bits, but they are two sets of pairs that share none: by the inequality
of Cauchy and Schwarz their bound is exp(-n D / 2).

*Repeats.* No two stretches of the output that begin at multiples of 128 bits are equal. Stretches
of L bits are equal with a probability of at most max(p, 1 - p)^L, even if they overlap; L is large
enough to make that improbable.

*The error.* The probability that a correct device fails an output, or a pair of calls, is at most
:data:`ERROR`: one half is divided evenly among the two sides of all counts, the other half
among the pairs of stretches. A run with 10^4 such outputs and pairs has a false alarm with a
probability of at most 10^-9. The price is that faults show only in enough bits: a share that is
off by 0.01 in 2^20 bits, or 128 bits that are all 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.formula import RandomBits

ERROR = 1e-13
"""The greatest probability that a correct device fails an output, or a pair of calls, by chance."""

_KEPT = 1 << 12
"""Number of bits of an output that are kept for comparison with other calls."""

_PAIRED = 1 << 20
"""Number of bits whose pairs are counted."""

_RUN = 128
_LONGER = 16

Bits = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class KeptBits:
    """Some bits from all over an output, for comparison with other calls.

    Attributes:
        bits: The bits, eight to a byte, in hexadecimal digits.
        least: The least probability that a bit is 1.
        most: The greatest one.
        calls: By the number of each clause that names an attribute: the call without that
            attribute, and the attribute's value.
    """

    output: str
    bits: str
    least: float
    most: float
    calls: Mapping[int, tuple[str, str]]


@dataclass(frozen=True)
class _Counts:
    """Binomial counts of one kind.

    Attributes:
        text: What is counted; ``{}`` is formatted with ``first``, plus one ``step`` per count.
        sets: Number of sets of independent events in a count.
        joint: Whether they are of several bits each.
    """

    text: str
    counts: Numbers
    of: Numbers
    least: Numbers | float
    most: Numbers | float
    first: int = 0
    step: int = 1
    sets: int = 1
    joint: bool = False

    @property
    def share(self) -> Numbers:
        """The counted share."""
        return self.counts / self.of

    @property
    def nearest(self) -> Numbers:
        """The promised probability that is nearest to the share."""
        return np.clip(self.share, self.least, self.most)


def find_pattern(actual: npt.NDArray[Any], promised: RandomBits) -> str | None:
    """Return a message on what is not random in an output; None if everything is.

    Args:
        actual: What came back.
        promised: The distribution of its bits.
    """
    bits = bits_of(actual, promised)
    if not len(bits):
        return None
    return _unlikely(list(_counts(bits, promised)), ERROR / 2) or _repeat(bits, promised)


def bits_of(actual: npt.NDArray[Any], promised: RandomBits) -> Bits:
    """Return the bits that are judged."""
    content = np.ascontiguousarray(actual).reshape(-1).view(np.uint8)[: promised.count // 8]
    return np.unpackbits(content, bitorder="little")


def bits_text(actual: npt.NDArray[Any], promised: RandomBits) -> str:
    """Return the bits of an output that are kept, in hexadecimal digits."""
    bits = bits_of(actual, promised)
    return np.packbits(bits[:: max(1, len(bits) // _KEPT)][:_KEPT]).tobytes().hex()


def _equal_bits(one: KeptBits, other: KeptBits, name: str) -> str | None:
    """Return a message if chance does not explain how many bits of two calls are equal.

    Args:
        name: The name of the other call.
    """
    bits, others = (
        np.unpackbits(np.frombuffer(bytes.fromhex(each.bits), np.uint8)) for each in (one, other)
    )
    equal, of = np.array([np.count_nonzero(bits == others)]), np.array([len(bits)])
    text = f"bits are those of {name}"
    return _unlikely(
        [_Counts(text, equal * 1.0, of * 1.0, *_equality_bounds(one.least, one.most))], ERROR
    )


def _counts(bits: Bits, promised: RandomBits) -> Iterator[_Counts]:
    number, p = len(bits), (promised.least, promised.most)
    whole = np.array([bits.sum(dtype=np.float64)])
    yield _Counts("bits are 1", whole, np.array([number * 1.0]), *p)
    size = 8
    while size == 8 or size <= number // 64:
        ones = bits[: number - number % size].reshape(-1, size).sum(axis=0, dtype=np.float64)
        text = f"bits at position {{}} of each {size} are 1"
        yield _Counts(text, ones, np.full(size, number // size * 1.0), *p)
        size *= 2
    run = _RUN
    while run < number:
        starts = np.arange(0, number, run)
        ones = np.add.reduceat(bits, starts, dtype=np.float64)
        of = np.minimum(starts + run, number) - starts * 1.0
        yield _Counts("bits from bit {} on are 1", ones, of, *p, step=run)
        run *= _LONGER
    yield from _pairs(bits[:_PAIRED], *_equality_bounds(*p))
    byte_counts = np.bincount(np.packbits(bits, bitorder="little"), minlength=256).astype(
        np.float64
    )
    least, most = np.array([_value_bounds(value.bit_count(), *p) for value in range(256)]).T
    of = np.full(256, number / 8)
    yield _Counts("bytes are {:#04x}", byte_counts, of, least, most, joint=True)


def _pairs(bits: Bits, least: float, most: float) -> Iterator[_Counts]:
    """Yield the numbers of equal pairs of bits, by convolutions of 1 and -1 for the bits."""
    number = len(bits)
    spectrum = np.fft.rfft(bits * 2.0 - 1.0, 2 * number)
    apart = np.rint(np.fft.irfft(spectrum * spectrum.conj(), 2 * number))[1:number]
    of = np.arange(number - 1.0, 0.0, -1.0)
    text = "pairs of bits {} apart are equal"
    yield _Counts(text, (of + apart) / 2, of, least, most, first=1, sets=2, joint=True)
    # Each pair is there twice, and where the sum is even a bit with itself.
    total = np.arange(1, 2 * number - 2)
    mirrored = np.rint(np.fft.irfft(spectrum * spectrum, 2 * number))[total] - (total % 2 == 0)
    of = np.minimum(total + 1, 2 * number - 1 - total) // 2 * 1.0
    text = "pairs of bits whose positions add up to {} are equal"
    yield _Counts(text, (of + mirrored / 2) / 2, of, least, most, first=1, joint=True)


def _value_bounds(ones: int, least: float, most: float) -> tuple[float, float]:
    """Return the bounds of the probability of a byte with this number of ones."""
    likeliest = min(max(ones / 8, least), most)
    likely = [p**ones * (1 - p) ** (8 - ones) for p in (least, most, likeliest)]
    return min(likely), max(likely)


def _equality_bounds(least: float, most: float) -> tuple[float, float]:
    """Return the bounds of the probability that two bits are equal."""
    ends = [p * p + (1 - p) * (1 - p) for p in (least, most)]
    return (0.5 if least <= 0.5 <= most else min(ends)), max(ends)


def _unlikely(found: Sequence[_Counts], error: float) -> str | None:
    """Return a message on the least probable count, if chance does not explain it.

    Counts of single bits come first: where these are off, so are those of several bits.
    """
    tests = sum(len(each.counts) for each in found)
    limit = math.log(2 * tests / error)
    suspect = (each for each in found if (_most_nats(each) > limit).any())
    unlikely = [(each, nats) for each in suspect if (nats := _nats(each)).max() > limit]
    if not unlikely:
        return None
    worst, nats = max(unlikely, key=lambda pair: (not pair[0].joint, pair[1].max()))
    place = int(nats.argmax())
    text = worst.text.format(worst.first + place * worst.step)
    ends = (np.broadcast_to(each, nats.shape)[place] for each in (worst.least, worst.most))
    share = " to ".join(dict.fromkeys(f"{end:.6g}" for end in ends))
    together = f"{tests} such counts together fail" if tests > 1 else "it fails"
    return (
        f"{worst.counts[place]:.0f} of {worst.of[place]:.0f} {text}, where the probability is "
        f"{share}: a correct device is so far off with {_chance(nats[place])}, and fails below "
        f"{_power(limit)}, so {together} by chance with a probability of at most {error:.0e}"
    )


def _most_nats(counts: _Counts) -> Numbers:
    """Return an upper bound of :func:`_nats`: D is at most (k/n - p)^2 / (p (1 - p))."""
    nearest = counts.nearest
    off = (counts.share - nearest) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(off > 0, counts.of * off / (nearest * (1 - nearest)), 0.0) / counts.sets


def _nats(counts: _Counts) -> Numbers:
    """Return the negative exponents of Chernoff's bound."""
    share, nearest = counts.share, counts.nearest
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = (
            np.where(frequency > 0, frequency * np.log(frequency / p), 0.0)
            for frequency, p in ((share, nearest), (1 - share, 1 - nearest))
        )
        return np.asarray(counts.of * sum(parts)) / counts.sets


def _chance(nats: float) -> str:
    return f"a probability of at most {_power(nats)}" if math.isfinite(nats) else "probability 0"


def _power(nats: float) -> str:
    return f"10^{-nats / math.log(10):.1f}"


def _repeat(bits: Bits, promised: RandomBits) -> str | None:
    """Return a message on two equal stretches of the bits, if there are any."""
    rows, likely = len(bits) // _RUN, max(promised.most, 1 - promised.least)
    if rows < 2 or likely >= 1:
        return None
    pairs = rows * (rows - 1) / 2
    error = ERROR / 2
    runs = math.ceil(math.log(error / pairs) / math.log(likely) / _RUN)
    if runs >= rows:
        return None
    words = np.packbits(bits[: rows * _RUN]).view(np.uint64).reshape(rows, 2).T
    same = _number(_number(words[0]) * rows + _number(words[1]))
    length = 1
    while length < runs:
        # Two stretches, which may overlap, make a longer one: all of it is equal if both are.
        step = min(length, runs - length)
        same = _number(same[:-step] * rows + same[step:])
        length += step
    first = np.unique(same, return_index=True)[1]
    again = np.flatnonzero(first[same] != np.arange(len(same)))
    if not len(again):
        return None
    one, other = int(first[same[again[0]]]), int(again[0])
    chance = _chance(-math.log(pairs) - runs * _RUN * math.log(likely))
    return (
        f"the {runs * _RUN} bits from bit {other * _RUN} on are those from bit {one * _RUN} on: a "
        f"correct device has two such stretches with {chance}, and fails below {error:.0e}"
    )


def _number(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Number the values from 0; equal values share a number."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def find_equal_bits(cases: Mapping[str, KeptBits]) -> Iterator[tuple[str, int, str]]:
    """Yield case, clause and message for each call with the bits of another call.

    The calls differ in one attribute only, by which the clause promises other bits.
    """
    groups: dict[tuple[int, str], dict[str, str]] = {}
    for case, kept_bits in cases.items():
        for clause, (other_values, value) in kept_bits.calls.items():
            groups.setdefault((clause, other_values), {}).setdefault(value, case)
    for (clause, _), by_value in groups.items():
        for (value, one), (_, other) in combinations(by_value.items(), 2):
            difference = _equal_bits(cases[other], cases[one], f"{one}, which has {value}")
            if difference is not None:
                yield other, clause, f"{cases[other].output}: {difference}"
