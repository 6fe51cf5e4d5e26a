# SPDX-License-Identifier: Apache-2.0
"""The extent of a pooled output is the number of its windows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.spec.evaluation import Scope, evaluate_number
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

DERIVED = load_specs(find_suite()).operator("aclnnMaxPool2dWithMaskBackward").derived


def pool_extent(*arguments: int) -> int:
    """Return the windows on an axis: extent, kernel, stride, padding, dilation, ceil mode."""
    values = dict(zip(("H", "kH", "sH", "pH", "dH", "ceilMode"), arguments, strict=True))
    for name in ("windowsH", "Ho"):
        values[name] = evaluate_number(DERIVED[name], Scope(values))
    return values["Ho"]


def _windows(length: int, kernel: int, stride: int, padding: int, *, ceil_mode: bool) -> int:
    """Count windows one by one: where they start, and whether they may."""
    count = 0
    while True:
        start = count * stride - padding
        fits = start + kernel <= length + padding
        overhangs = ceil_mode and start < length and start + kernel - stride < length + padding
        if not fits and not overhangs:
            return count
        count += 1


@given(
    st.integers(1, 40),
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(0, 4),
    st.booleans(),
)
def test_pool_extent_counts_windows(
    length: int,
    kernel: int,
    stride: int,
    padding: int,
    ceil_mode: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    """The formula gives the number of windows found by laying them out one after the other."""
    padding = min(padding, kernel // 2)
    if length + 2 * padding < kernel:
        return
    expected = _windows(length, kernel, stride, padding, ceil_mode=ceil_mode)
    assert pool_extent(length, kernel, stride, padding, 1, ceil_mode) == expected


@pytest.mark.parametrize(
    ("arguments", "extent"),
    [
        ((6, 2, 2, 0, 1, False), 3),
        ((7, 2, 2, 0, 1, False), 3),
        ((7, 2, 2, 0, 1, True), 4),
        ((5, 2, 2, 1, 1, True), 3),
        ((4, 2, 3, 1, 1, True), 2),
        ((1, 1, 1, 0, 1, False), 1),
        ((2, 3, 1, 0, 1, False), 0),
        ((7, 3, 1, 0, 2, False), 3),
    ],
)
def test_pool_extents_worked_by_hand(arguments: tuple[int, ...], extent: int) -> None:
    """Floor, ceiling, a last window in the right padding that does not count, dilation."""
    assert pool_extent(*arguments) == extent
