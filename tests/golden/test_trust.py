# SPDX-License-Identifier: Apache-2.0
"""Whether a case could have failed."""

from __future__ import annotations

import pytest

from aclnn_cts.golden.resolution import Resolution, distrust


@pytest.mark.parametrize(
    ("shape", "found", "reason"),
    [
        ((0, 3), Resolution(), None),
        ((4,), Resolution(by_value=4, decisive=4), None),
        ((4,), Resolution(by_class=4, decisive=4), None),
        ((200,), Resolution(by_value=200, decisive=1), None),
        ((4,), Resolution(by_value=4), "an error as large as the value"),
        ((4,), Resolution(), "none of 4 elements"),
        ((4,), Resolution(by_value=2, plain_zeros=2, decisive=2), None),
        ((5,), Resolution(by_value=2, plain_zeros=3, decisive=2), "3 of 5 elements are 0"),
        ((9,), Resolution(by_value=2, plain_zeros=1, decisive=2), None),
        ((24,), Resolution(by_value=7, plain_zeros=17, decisive=7), "17 of 24 elements are 0"),
        ((32,), Resolution(by_value=8, plain_zeros=24, decisive=8), None),
        ((400,), Resolution(by_value=99, plain_zeros=301, decisive=99), "301 of 400"),
        ((4,), Resolution(by_value=4, decisive=4, hides_swaps=True), "if swapped"),
        ((1, 1), Resolution(by_value=1, decisive=1), None),
    ],
)
def test_three_rules(shape: tuple[int, ...], found: Resolution, reason: str | None) -> None:
    """Decisive somewhere, not too many plain zeros, and neighbours told apart along some axis."""
    told = distrust({"out": shape}, {"out": found})
    assert (told is None) == (reason is None)
    assert reason is None or reason in (told or "")


def test_outputs_stand_together_and_swaps_for_each() -> None:
    """One decisive output suffices for the first rules; the third is each output's own."""
    shapes = {"first": (4,), "second": (4,)}
    strong = Resolution(by_value=4, decisive=4)
    assert distrust(shapes, {"first": strong, "second": Resolution(plain_zeros=4)}) is None
    told = distrust(
        shapes, {"first": strong, "second": Resolution(4, 0, 0, 4, 1.0, hides_swaps=True)}
    )
    assert told is not None
    assert "second" in told


def test_elements_among_zeros() -> None:
    """Of a diagonal eight elements are enough, however large the matrix around it is."""
    found = {"out": Resolution(by_value=8, plain_zeros=392, decisive=8)}
    assert distrust({"out": (20, 20)}, found) is not None
    assert distrust({"out": (20, 20)}, found, arranged=True) is None
    found = {"out": Resolution(by_value=7, plain_zeros=393, decisive=7)}
    assert distrust({"out": (20, 20)}, found, arranged=True) is not None


def test_results_that_shapes_fix() -> None:
    """Where a scene asks for them, equal elements and zeros are right; an error must show still."""
    zeros = {"out": Resolution(by_value=4, plain_zeros=4, ulps=1.0, hides_swaps=True)}
    assert distrust({"out": (4,)}, zeros) is not None
    assert distrust({"out": (4,)}, zeros, fixed=True) is None
    assert distrust({"out": (4,)}, {"out": Resolution(by_value=4)}, fixed=True) is not None
