# SPDX-License-Identifier: Apache-2.0
"""The random bits are Philox 4x64-10's, and our arithmetic on them keeps its promises."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.data_kinds import (
    normal,
    permutation,
    pick,
    random_bits,
    uniform,
    unit_interval,
)

SEEDS = st.text(max_size=20)

_MASK = 2**64 - 1


def philox(counter: tuple[int, ...], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Ten rounds of Philox 4x64 as the paper states them (Salmon et al., 2011)."""
    a, b, c, d = counter
    for _ in range(10):
        one, two = 0xD2E7470EE14C6C93 * a, 0xCA5A826395121157 * c
        a, b, c, d = (two >> 64) ^ b ^ key[0], two & _MASK, (one >> 64) ^ d ^ key[1], one & _MASK
        key = (key[0] + 0x9E3779B97F4A7C15) & _MASK, (key[1] + 0xBB67AE8584CAA73B) & _MASK
    return a, b, c, d


@pytest.mark.parametrize(
    ("word", "result"),
    [
        (0, (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)),
        (_MASK, (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0)),
    ],
)
def test_the_reference_gives_the_published_vectors(word: int, result: tuple[int, ...]) -> None:
    """Random123's known answers (its file kat_vectors, philox4x64, 10 rounds)."""
    assert philox((word,) * 4, (word, word)) == result


@given(SEEDS, st.integers(0, 50))
def test_bits_are_philox_of_the_seed(seed: str, numel: int) -> None:
    """Key: the first 16 bytes of the seed's SHA-256 digest; the counter begins at 1."""
    digest = hashlib.sha256(seed.encode()).digest()
    key = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
    wanted = [word for block in range(1, 14) for word in philox((block, 0, 0, 0), key)]
    bits = random_bits(seed, numel)
    assert bits.dtype == np.uint64
    assert bits.tolist() == wanted[:numel]


@given(SEEDS, st.integers(0, 50), st.integers(0, 50))
def test_bits_from_any_place(seed: str, start: int, numel: int) -> None:
    """A part of the stream is what stands there in the whole."""
    whole = random_bits(seed, start + numel)
    assert random_bits(seed, numel, start).tolist() == whole[start:].tolist()


def test_seeds_do_not_collide() -> None:
    """Other seeds give other bits, also where one is a part of the other."""
    words = {tuple(random_bits(f"seed{number}", 2)) for number in range(500)}
    assert len(words) == 500


@given(SEEDS, st.integers(1, 300))
def test_permutation(seed: str, numel: int) -> None:
    """Every index once, the same order for the same seed."""
    order = list(itertools.chain(*permutation(seed, numel)))
    assert sorted(order) == list(range(numel))
    assert order == list(itertools.chain(*permutation(seed, numel)))


@given(SEEDS, st.integers(1, 2**31))
def test_picks_are_in_range(seed: str, count: int) -> None:
    """Indices from 0 to below count, at both ends of the words, too."""
    edges = np.array([0, 2**64 - 1, 2**63], np.uint64)
    for bits in (random_bits(seed, 20), edges):
        picked = pick(bits, count)
        assert picked.dtype == np.int64
        assert ((picked >= 0) & (picked < count)).all()


def test_pick_is_even() -> None:
    """Each of ten indices comes near a tenth of the time."""
    counts = np.bincount(pick(random_bits("even", 100_000), 10), minlength=10)
    assert (abs(counts - 10_000) < 500).all()


def test_the_ends_of_the_intervals() -> None:
    """The least word is 0, the greatest stays below 1: nothing reaches the upper end."""
    ends = np.array([0, 2**64 - 1], np.uint64)
    assert unit_interval(ends).tolist() == [0.0, 1 - 2.0**-53]
    assert uniform(ends, -2.0, 3.0)[0] == -2.0
    assert uniform(ends, -2.0, 3.0)[1] < 3.0


def test_the_bell_curve() -> None:
    """Mean 0, deviation 1, symmetric ends, and not flat."""
    values = normal(random_bits("bell", 200_000))
    assert abs(values.mean()) < 0.01
    assert abs(values.std() - 1) < 0.01
    assert 0.66 < (abs(values) < 1).mean() < 0.69
    ends = normal(np.array([0, 2**64 - 1], np.uint64))
    assert ends[0] == -ends[1] == -2 * 1.7320508075688772
