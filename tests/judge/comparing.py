# SPDX-License-Identifier: Apache-2.0
"""Expectations made by hand, and values of a type held against them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected
from aclnn_cts.judge.comparison import Comparison, compare
from aclnn_cts.judge.standards import STANDARDS, yardstick_of
from aclnn_cts.spec.model_files import read_model
from aclnn_cts.spec.models import PrecisionStandards
from aclnn_cts.suite import find_suite

PRECISION, _ = read_model(find_suite().specs / "precision.yaml", PrecisionStandards)
ULP16 = 2.0**-10
INF, NAN = float("inf"), float("nan")


def expectation(
    value: Iterable[float],
    allowed: Iterable[int] | None = None,
    tolerance: float = 0.0,
) -> Expected:
    """Return an expectation; all bits of ``reached`` are those of clause 0."""
    values = np.array(list(value), np.float64)
    expected = Expected.blank(values.shape)
    expected.value[...] = values
    expected.allowed[...] = 1 if allowed is None else np.array(list(allowed), np.uint8)
    expected.own[...] = 0.0
    expected.tolerance[...] = tolerance
    expected.reached[...] = 1
    expected.contested[...] = False
    expected.formula[...] = 1
    return expected


def held(actual: Iterable[float], expected: Expected, dtype: str = "float16") -> Comparison:
    """Compare values of a type with an expectation."""
    kind: npt.DTypeLike = np.dtype(dtype)
    array: npt.NDArray[Any] = np.array(list(actual)).astype(kind)
    return compare("out", array, expected, yardstick_of(dtype, PRECISION))


def kept(comparison: Comparison) -> dict[str, bool]:
    return {name: comparison.figures[name].passed for name in STANDARDS}
