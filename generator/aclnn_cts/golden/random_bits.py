# SPDX-License-Identifier: Apache-2.0
"""Deterministic random numbers: a counter-based generator and our own arithmetic on its bits.

Philox 4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) gives the bits;
NumPy promises that a bit generator's raw stream never changes. What NumPy makes of the bits (its
distributions) it may change, so nothing here uses it.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import FloatArray

Bits = npt.NDArray[np.uint64]


def random_bits(seed: str, numel: int) -> Bits:
    """Return ``numel`` words of 64 random bits that depend on ``seed`` alone."""
    digest = hashlib.sha256(seed.encode()).digest()
    key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
    return np.random.Philox(key=key).random_raw(numel).astype(np.uint64, copy=False)


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


def permutation(seed: str, numel: int) -> npt.NDArray[np.int64]:
    """Return a permutation of ``range(numel)`` that depends on ``seed`` alone."""
    return np.argsort(random_bits(seed, numel), kind="stable").astype(np.int64)
