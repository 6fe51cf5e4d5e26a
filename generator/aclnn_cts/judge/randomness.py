# SPDX-License-Identifier: Apache-2.0
"""Random bits: what no single bit shows, and many show together.

*What is promised.* Each bit of an output is 1 with a probability p, whatever the others are. The
formula module says between which bounds p lies: a device may round what it is computed from. Bits
count from the least significant one of the first byte. Of a last byte that is not full nothing is
judged, as no page says which of its bits come first.

*Counts.* If bits are as promised, each of these counts is binomial:

- how many of all bits are 1, and of those at each of the eight places of a byte;
- how many are 1 in each run of 128, 2048, 32768 ... bits, and in what is left at the end;
- how many pairs of bits at a distance of 1 to 8, 16, 32, 64 ... are equal, of pairs that share no
  bit: these are so with the probability p^2 + (1 - p)^2;
- how many bits of two calls are equal, place by place, that differ in a seed alone.

A binomial count that is k of n, with k / n beyond p, is so far off or further on that side with a
probability of at most exp(-n D), where D = k/n ln((k/n)/p) + (1 - k/n) ln((1 - k/n)/(1 - p)): the
bound of Chernoff, which holds for each n and p. So no count of a right device is taken for normal,
and a p of 0 or 1 allows no exception. Where p has bounds, the nearer one counts.

*Repeats.* No two stretches of the output that begin at multiples of 128 bits are equal. They are as
long as it takes for that: L bits are all equal with a probability of at most max(p, 1 - p)^L, also
where two stretches overlap.

*The error.* A right device fails an output, or a pair of calls, by chance with a probability of at
most :data:`ERROR`: half of it is shared out evenly among the counts, both sides each, and the other
half among the pairs of stretches. A run with 10^4 such outputs and pairs has a false alarm with a
probability of at most 10^-9. In return a device is noticed only where there are bits enough: a
share that is off by 0.01 in 2^20 bits, or 128 bits that are all 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.formula import Draw

ERROR = 1e-13
"""The probability with which chance alone makes an output fail, or a pair of calls."""

KEPT = 1 << 12
"""Bits of an output that are kept, to be held against those of other calls."""

_RUN = 128
_LONGER = 16
_NEAR = 8

Bits = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Drawn:
    """The first bits of an output, for other calls to be held against.

    Attributes:
        bits: These, eight to a byte, in hexadecimal digits.
        least: The least probability that a bit is 1.
        most: The greatest one.
        calls: All that a call is but one attribute, and the value of that, by the number of the
            clause that names the attribute.
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
        text: What is counted; ``{}`` stands for the number of a count times the step.
    """

    text: str
    counts: Numbers
    of: Numbers
    least: float
    most: float
    step: int = 1


def find_pattern(actual: npt.NDArray[Any], draw: Draw) -> str | None:
    """Return in one sentence what no random bits would show; None if there is nothing.

    Args:
        actual: What came back.
        draw: What was to be drawn.
    """
    bits = bits_of(actual, draw)
    if not len(bits):
        return None
    return _worst(list(_counts(bits, draw)), ERROR / 2) or _repeat(bits, draw, ERROR / 2)


def bits_of(actual: npt.NDArray[Any], draw: Draw) -> Bits:
    """Return the bits that are judged."""
    content = np.ascontiguousarray(actual).reshape(-1).view(np.uint8)[: draw.bits // 8]
    return np.unpackbits(content, bitorder="little")


def find_likeness(one: Drawn, other: Drawn, name: str) -> str | None:
    """Return in one sentence how the bits of two calls go together; None if they do not.

    Args:
        name: What the other call is called.
    """
    bits, others = (
        np.unpackbits(np.frombuffer(bytes.fromhex(each.bits), np.uint8)) for each in (one, other)
    )
    equal, of = np.array([np.count_nonzero(bits == others)]), np.array([len(bits)])
    text = f"bits are those of {name}"
    return _worst([_Counts(text, equal * 1.0, of * 1.0, *_alike(one.least, one.most))], ERROR)


def _counts(bits: Bits, draw: Draw) -> Iterator[_Counts]:
    number, p = len(bits), (draw.least, draw.most)
    whole = np.array([bits.sum(dtype=np.float64)])
    yield _Counts("bits are 1", whole, np.array([number * 1.0]), *p)
    places = bits.reshape(-1, 8).sum(axis=0, dtype=np.float64)
    yield _Counts("bits at place {} of their byte are 1", places, places * 0 + number / 8, *p)
    run = _RUN
    while run < number:
        starts = np.arange(0, number, run)
        ones = np.add.reduceat(bits, starts, dtype=np.float64)
        of = np.minimum(starts + run, number) - starts * 1.0
        yield _Counts("bits from bit {} on are 1", ones, of, *p, run)
        run *= _LONGER
    far = (1 << power for power in range(4, number.bit_length()))
    for distance in (*range(1, _NEAR + 1), *far):
        if 2 * distance <= number:
            pairs = bits[: number - number % (2 * distance)].reshape(-1, 2, distance)
            equal = np.array([np.count_nonzero(pairs[:, 0] == pairs[:, 1]) * 1.0])
            of = np.array([pairs.size / 2])
            yield _Counts(f"pairs of bits {distance} apart are equal", equal, of, *_alike(*p))


def _alike(least: float, most: float) -> tuple[float, float]:
    """Return the bounds of the probability that two bits are equal."""
    ends = [p * p + (1 - p) * (1 - p) for p in (least, most)]
    return (0.5 if least <= 0.5 <= most else min(ends)), max(ends)


def _worst(found: Sequence[_Counts], error: float) -> str | None:
    """Return what the count that is furthest off is, if chance does not explain it."""
    nats = [_nats(each) for each in found]
    at = max(range(len(found)), key=lambda number: nats[number].max())
    worst, place = found[at], int(nats[at].argmax())
    tests = sum(len(each.counts) for each in found)
    limit = math.log(2 * tests / error)
    if nats[at][place] <= limit:
        return None
    share = f"{worst.least:.6g}"
    if worst.most > worst.least:
        share += f" to {worst.most:.6g}"
    together = f"{tests} such counts together fail" if tests > 1 else "it fails"
    return (
        f"{worst.counts[place]:.0f} of {worst.of[place]:.0f} "
        f"{worst.text.format(place * worst.step)}, where the probability is {share}: a right "
        f"device is so far off with {_chance(nats[at][place])}, and fails below {_power(limit)}, "
        f"so that {together} by chance with {error:.0e} at most"
    )


def _nats(counts: _Counts) -> Numbers:
    """Return the exponents of the bound of Chernoff."""
    share = counts.counts / counts.of
    nearest = np.clip(share, counts.least, counts.most)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = (
            np.where(own > 0, own * np.log(own / p), 0.0)
            for own, p in ((share, nearest), (1 - share, 1 - nearest))
        )
        return np.asarray(counts.of * sum(parts))


def _chance(nats: float) -> str:
    return f"a chance of {_power(nats)} at most" if math.isfinite(nats) else "no chance at all"


def _power(nats: float) -> str:
    return f"10^{-nats / math.log(10):.1f}"


def _repeat(bits: Bits, draw: Draw, error: float) -> str | None:
    """Return which stretches of the bits are equal, if there are such."""
    rows, likely = len(bits) // _RUN, max(draw.most, 1 - draw.least)
    if rows < 2 or likely >= 1:
        return None
    pairs = rows * (rows - 1) / 2
    runs = math.ceil(math.log(error / pairs) / math.log(likely) / _RUN)
    packed = np.packbits(bits[: rows * _RUN].reshape(rows, _RUN), axis=-1)
    if runs >= rows:
        return None
    stretches = np.lib.stride_tricks.sliding_window_view(packed, runs, axis=0)
    keys = np.ascontiguousarray(stretches).reshape(len(stretches), -1)
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[back.reshape(-1)] != np.arange(len(keys)))
    if not len(again):
        return None
    one, other = int(first[back.reshape(-1)[again[0]]]), int(again[0])
    chance = _chance(-math.log(pairs) - runs * _RUN * math.log(likely))
    return (
        f"the {runs * _RUN} bits from bit {other * _RUN} on are those from bit {one * _RUN} on: a "
        f"right device has two such stretches with {chance}, and fails below {error:.0e}"
    )


def find_likenesses(cases: Mapping[str, Drawn]) -> Iterator[tuple[str, int, str]]:
    """Yield, of calls that differ in one attribute, which go together: case, clause, sentence."""
    groups: dict[tuple[int, str], dict[str, str]] = {}
    for case, drawn in cases.items():
        for clause, (rest, value) in drawn.calls.items():
            groups.setdefault((clause, rest), {}).setdefault(value, case)
    for (clause, _), by_value in groups.items():
        for (value, one), (_, other) in combinations(by_value.items(), 2):
            told = find_likeness(cases[other], cases[one], f"{one}, which has {value}")
            if told is not None:
                yield other, clause, f"{cases[other].output}: {told}"
