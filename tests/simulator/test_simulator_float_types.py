# SPDX-License-Identifier: Apache-2.0
"""The simulator's conversions between float types, bit for bit against NumPy's and ml_dtypes'."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

SOURCES = Path(__file__).parents[2] / "simulator" / "src"
TYPES = {"16": np.dtype(np.float16), "b": np.dtype(ml_dtypes.bfloat16)}


def converted(program: Path, name: str, values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    command = [str(program), name]
    done = subprocess.run(command, input=values.tobytes(), capture_output=True, check=True)
    return np.frombuffer(done.stdout, dtype=dtype)


def assert_same(actual: NDArray[Any], expected: NDArray[Any]) -> None:
    """The same bits, or both NaN."""
    nan = np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(actual), nan)
    assert actual[~nan].tobytes() == expected[~nan].tobytes()


@pytest.mark.parametrize("name", TYPES)
def test_widening_is_exact(name: str, compiled: Callable[..., Path]) -> None:
    """Every value of a 16-bit type becomes the same value in float32."""
    program = compiled("float_types.cpp", f"-I{SOURCES}")
    values = np.arange(2**16, dtype=np.uint16).view(TYPES[name])
    assert_same(converted(program, f"widen{name}", values, np.float32), values.astype(np.float32))


@pytest.mark.parametrize("name", TYPES)
def test_rounding_is_to_nearest_even(name: str, compiled: Callable[..., Path]) -> None:
    """Around each 16-bit value and midpoint, and for random bits, rounding is to nearest even."""
    program = compiled("float_types.cpp", f"-I{SOURCES}")
    values = np.arange(2**16, dtype=np.uint16).view(TYPES[name]).astype(np.float32)
    finite = np.sort(values[np.isfinite(values)])
    midpoints = (finite[:-1] / 2 + finite[1:] / 2).astype(np.float32)
    centres = np.concatenate([values, midpoints, np.array([65519.99, 65520.0, 3.4e38], np.float32)])
    random = np.random.default_rng(1).integers(0, 2**32, 10**6, dtype=np.uint32).view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        above, below = (np.nextafter(centres, np.float32(end)) for end in (np.inf, -np.inf))
        inputs = np.concatenate([centres, above, below, random])
        expected = inputs.astype(TYPES[name])
    assert_same(converted(program, f"round{name}", inputs, TYPES[name]), expected)
