# SPDX-License-Identifier: Apache-2.0
"""Sums over windows against loops over each of them."""

from __future__ import annotations

import numpy as np
import pytest

from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import grid_of, rounding_error
from aclnn_cts.golden.outcomes import extremes_of
from aclnn_cts.spec.data_types import DATA_TYPES

ROWS = np.array([0, 1, 4, 5, 9, 9]), np.array([3, 3, 9, 6, 9, 9])
"""Windows that overlap, lie apart, end where the plane does, and have no element."""

COLUMNS = np.array([0, 0, 6]), np.array([7, 1, 7])


def test_sums_of_windows() -> None:
    """Sums, magnitudes, counts and kinds of all windows, also of those without elements."""
    x = np.random.default_rng(1).normal(size=(2, 3, 9, 7)).astype(np.float32)
    x[0, 0, 1, 2], x[1, 2, 5, 6], x[0, 1, 8, 0] = np.inf, np.nan, -np.inf
    found = windows.window_sums(x, ROWS, COLUMNS)
    for row, (top, bottom) in enumerate(zip(*ROWS, strict=True)):
        for column, (left, right) in enumerate(zip(*COLUMNS, strict=True)):
            own = x[..., top:bottom, left:right].reshape(2, 3, -1).astype(np.float64)
            finite = np.where(np.isfinite(own), own, 0)
            expected = {
                "total": finite.sum(axis=-1),
                "size": np.abs(finite).sum(axis=-1),
                "extremes": np.bitwise_or.reduce(extremes_of(own), axis=-1),
                "losses": rounding_error(
                    finite,
                    grid_of(np.abs(finite).sum(axis=-1, keepdims=True), DATA_TYPES["float32"].grid),
                ).sum(axis=-1),
                "count": np.full((2, 3), own.shape[-1]),
            }
            for name, value in expected.items():
                assert np.allclose(found[name][..., row, column], value, 1e-12, 1e-15), name


def test_few_terms_lose_nothing() -> None:
    """The digits that terms lose are worked out only where they can exceed the other roundings."""
    rows = np.array([0, 3]), np.array([4, 9])
    x = np.full((1, 9, 3), 0.1)
    assert not windows.window_sums(x, rows, (np.array([0]), np.array([2])))["losses"].any()
    assert windows.window_sums(x, rows, (np.array([0]), np.array([3])))["losses"].any()


@pytest.mark.parametrize(("start", "stop"), [(0, 54), (18, 36), (0, 2), (20, 22), (25, 30), (6, 9)])
def test_parts_of_planes(start: int, stop: int) -> None:
    """Whole planes, and bands of one, give the elements that the whole call gives."""
    x = np.random.default_rng(2).normal(size=(3, 9, 7))
    rows = np.array([0, 1, 4, 5, 6, 8]), np.array([3, 3, 9, 6, 9, 9])
    whole = windows.window_sums(x, rows, COLUMNS)["total"].reshape(-1)
    own, names, offset = windows.part({"self": x}, {}, rows, 3, start, stop)
    inside = windows.over(rows, names["which"])
    found = windows.window_sums(own["self"], inside, COLUMNS)["total"].reshape(-1)
    assert np.allclose(found[offset : offset + stop - start], whole[start:stop], 1e-13, 1e-15)
