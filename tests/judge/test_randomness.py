# SPDX-License-Identifier: Apache-2.0
"""Statistics of random bits: right ones pass, whatever the seed, and patterns are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from aclnn_cts.golden.formula import RandomBits
from aclnn_cts.judge import randomness
from aclnn_cts.judge.randomness import KeptBits, find_equal_bits, find_pattern
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict, with_bias
from aclnn_cts.spec.loading import SpecSet

Bits = npt.NDArray[np.uint8]
SIZE = 1 << 15


def bits_of(seed: int, p: float, size: int = SIZE) -> Bits:
    return (np.random.default_rng(seed).random(size) < p).astype(np.uint8)


def told(bits: Bits, p: float = 0.5, most: float | None = None) -> str | None:
    packed = np.packbits(bits, bitorder="little")
    return find_pattern(packed, RandomBits(p, p if most is None else most, len(bits)))


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.1, 0.5, 0.75, 0.999, 1.0])
@pytest.mark.parametrize("size", [1, 8, 64, 129, 1021, 4096, SIZE])
def test_right_bits_pass(p: float, size: int) -> None:
    """Hundreds of outputs would show a limit that is wrong by orders of magnitude."""
    for seed in range(40):
        assert told(bits_of(seed, p, size), p) is None


@pytest.mark.parametrize("p", [1e-3, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("of", [8, 128, 4096])
def test_the_bound_is_above_the_exact_probability(p: float, of: int) -> None:
    """A count is as far off or further on its side with exp(-nats) at most."""
    counts = np.unique(np.linspace(0, of, 50).astype(int))
    own = randomness._Counts("", counts * 1.0, counts * 0.0 + of, p, p)
    upper, lower = stats.binom.sf(counts - 1, of, p), stats.binom.cdf(counts, of, p)
    exact = np.where(counts > of * p, upper, lower)
    assert (np.exp(-randomness._nats(own)) >= exact * (1 - 1e-9)).all()


def test_the_limits_of_all_counts_come_to_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an error of 1 in 10 right bits fail less often than that, and some do."""
    monkeypatch.setattr(randomness, "ERROR", 0.9)
    failing = sum(told(bits_of(seed, 0.5, 1024)) is not None for seed in range(200))
    assert 0 < failing < 0.9 * 200


def tails_left(bits: Bits) -> None:
    bits[-128:] = 0


def stuck(bits: Bits) -> None:
    bits[3::8] = 1


def repeated(bits: Bits) -> None:
    bits[128 * 77 : 128 * 78] = bits[128 * 30 : 128 * 31]


def doubled(bits: Bits) -> None:
    bits[1::2] = bits[::2]


def turned(bits: Bits) -> None:
    bits[SIZE // 2 :] = 1 - bits[: SIZE // 2]


def alternating(bits: Bits) -> None:
    bits[:] = np.arange(SIZE) % 2


def linked(bits: Bits) -> None:
    bits[4::4] = bits[3:-1:4]


def in_dozens(bits: Bits) -> None:
    dozens = bits[: SIZE // 24 * 24].reshape(-1, 2, 12)
    dozens[:, 1] = dozens[:, 0]


def with_an_odd_period(bits: Bits) -> None:
    bits[:] = np.resize(bits[:8191], SIZE)


def mirrored(bits: Bits) -> None:
    bits[SIZE // 2 :] = bits[: SIZE // 2][::-1]


def stuck_in_a_lane(bits: Bits) -> None:
    bits[77::256] = 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (tails_left, "0 of 128 bits from bit 32640 on are 1, where the probability is 0.5"),
        (stuck, "4096 of 4096 bits at position 3 of each 8 are 1"),
        (repeated, "the 128 bits from bit 9856 on are those from bit 3840 on"),
        (doubled, "pairs of bits 1 apart are equal"),
        (turned, "0 of 16384 pairs of bits 16384 apart are equal"),
        (alternating, "0 of 4096 bits at position 0 of each 8 are 1"),
        (linked, "pairs of bits 1 apart are equal"),
        (in_dozens, "pairs of bits 12 apart are equal"),
        (with_an_odd_period, "24577 of 24577 pairs of bits 8191 apart are equal"),
        (mirrored, "16384 of 16384 pairs of bits whose positions add up to 32767 are equal"),
        (stuck_in_a_lane, "128 of 128 bits at position 77 of each 256 are 1"),
    ],
)
def test_patterns_are_found(change: Callable[[Bits], None], words: str) -> None:
    """Each is told with its count, its chance and the limit."""
    bits = bits_of(5, 0.5)
    change(bits)
    found = told(bits)
    assert found is not None
    assert words in found
    assert "a correct device" in found
    assert "fails below" in found


def test_bits_that_follow_from_three_others_are_found() -> None:
    """Of any two of them nothing shows."""
    bits = bits_of(4, 0.5, 1 << 18)
    bits[7::8] = bits[::8] ^ bits[1::8] ^ bits[5::8]
    assert "0 of 32768 bytes are 0x" in str(told(bits))


@pytest.mark.parametrize(("p", "share"), [(0.5, 0.54), (0.1, 0.13), (0.9, 0.87), (0.01, 0.03)])
def test_a_biased_share_is_found(p: float, share: float) -> None:
    """Of some thousand bits a few in a hundred show, and less does where a rounding may do it."""
    bits = bits_of(6, share)
    assert "bits are 1" in str(told(bits, p))
    assert told(bits, min(p, share), max(p, share)) is None


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_a_certain_bit_has_no_exception(p: float) -> None:
    """With a probability of 0 or 1 a single other bit is found, and nothing repeats."""
    bits = np.full(SIZE, p, np.uint8)
    assert told(bits, p) is None
    bits[12345] = 1 - p
    assert "probability 0" in str(told(bits, p))


def test_padding_is_not_judged() -> None:
    """Neither the rest of the last byte nor those behind it."""
    content = np.array([255, 255, 0xF0, 17], np.uint8)
    assert find_pattern(content, RandomBits(1.0, 1.0, 20)) is None
    assert find_pattern(content, RandomBits(1.0, 1.0, 24)) is not None
    assert find_pattern(content, RandomBits(1.0, 1.0, 3)) is None


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_pairs_are_counted(p: float) -> None:
    """The convolutions count what a loop counts."""
    bits = bits_of(3, p, 24)
    apart, mirrored = randomness._pairs(bits, 0.5, 0.5)
    for distance, (equal, of) in enumerate(zip(apart.counts, apart.of, strict=True), start=1):
        pairs = [bits[i] == bits[i + distance] for i in range(24 - distance)]
        assert (equal, of) == (sum(pairs), len(pairs))
    for total, (equal, of) in enumerate(zip(mirrored.counts, mirrored.of, strict=True), start=1):
        pairs = [bits[i] == bits[total - i] for i in range(24) if i < total - i < 24]
        assert (equal, of) == (sum(pairs), len(pairs))


def kept(bits: Bits, seed: str, rest: str = "") -> KeptBits:
    return KeptBits("out", np.packbits(bits).tobytes().hex(), 0.5, 0.5, {1: (rest, f"seed {seed}")})


def test_equal_bits_of_two_seeds_are_found() -> None:
    """The later call is told, with the other one's name; other calls are not held against it."""
    bits, others = bits_of(7, 0.5, 256), bits_of(8, 0.5, 256)
    cases = {
        "one": kept(bits, "1"),
        "two": kept(others, "2"),
        "three": kept(bits, "3"),
        "same": kept(bits, "3"),
        "other": kept(bits, "4", "another shape"),
    }
    ((case, clause, text),) = find_equal_bits(cases)
    assert (case, clause) == ("three", 1)
    assert (
        "256 of 256 bits are those of one, which has seed 1, where the probability is 0.5" in text
    )


def test_a_case_with_the_bits_of_another_fails(specs: SpecSet) -> None:
    """By the clause that names the attribute."""
    bits = bits_of(9, 0.5, 256)
    verdicts: list[Any] = [
        CaseVerdict(name, "aclnnDropoutGenMaskV2", Verdict.PASS, kept_bits=(kept(bits, name),))
        for name in ("1", "2")
    ]
    (first, second), _ = with_bias(verdicts, specs, "strict")
    assert first.verdict is Verdict.PASS
    assert second.verdict is Verdict.FAIL
    assert second.broken == ("by-seed",)
    assert second.biased
