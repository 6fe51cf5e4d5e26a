# SPDX-License-Identifier: Apache-2.0
"""Several right results of an element: a device may give any of them, and no other."""

from __future__ import annotations

import numpy as np
import pytest

from aclnn_cts.golden import expectations
from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.loading import SpecSet

X = np.array([[[5, 5, 1, 2], [3, 5, 2, 2], [0, -1, 7, 7], [-2, 0, 8, 1]]], np.float32)
RIGHT = [[{0, 1, 5}, {3, 6, 7}], [{8, 13}, {14}]]
CALL = {"kernelSize": (2, 2), "stride": (2, 2), "padding": (0, 0), "dilation": (1, 1)}


@pytest.mark.parametrize("large", [False, True])
def test_equal_maxima(specs: SpecSet, monkeypatch: pytest.MonkeyPatch, *, large: bool) -> None:
    """Each place of a maximum is accepted, in calls that are worked out in blocks, too."""
    if large:
        monkeypatch.setattr(expectations, "LARGE", 1)
    given = {**CALL, "ceilMode": False}
    types = {"indices": "int32"}
    found = expect_call(specs, "aclnnMaxPool2dWithIndices", {"self": X}, given, "atlas-a2", types)[
        "indices"
    ].whole()
    yardstick = yardstick_of("int32", specs.precision)
    for place in np.ndindex(2, 2):
        for value in range(16):
            actual = np.array([[[min(RIGHT[h][w]) for w in range(2)] for h in range(2)]], np.int32)
            actual[(0, *place)] = value
            passed = compare("indices", actual, found, yardstick).figures["strict"].passed
            assert passed == (value in RIGHT[place[0]][place[1]]), (place, value)


def test_equal_maxima_of_a_large_window(specs: SpecSet) -> None:
    """The work grows with the kernel's area, not with its square, however many maxima are equal."""
    x = np.ones((1, 5, 868), np.float32)
    x[0, 2, :400] = 0
    given = {"kernelSize": (5, 867), "stride": (1, 1), "padding": (0, 0), "dilation": (1, 1)}
    call = {"self": x}, {**given, "ceilMode": False}, "atlas-a2", {"indices": "int32"}
    found = expect_call(specs, "aclnnMaxPool2dWithIndices", *call)["indices"].whole()
    yardstick = yardstick_of("int32", specs.precision)
    for place, right in ((1, True), (867, False), (2 * 868 + 399, False), (2 * 868 + 400, True)):
        actual = np.array([[[place, 1]]], np.int32)
        assert compare("indices", actual, found, yardstick).figures["strict"].passed == right
