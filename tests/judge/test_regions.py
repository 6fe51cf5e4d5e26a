# SPDX-License-Identifier: Apache-2.0
"""Regions of input values in which all wrong elements lie, and no right ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.judge.comparison import ElementErrors
from aclnn_cts.judge.regions import Region, RegionSearch, join

VALUES = st.sampled_from([-math.inf, -2.0, -1.0, 0.0, 1e-40, 0.5, 1.0, 3.0, math.inf, math.nan])


def found(
    values: Sequence[float], wrong: Sequence[bool], cuts: Sequence[int] = ()
) -> tuple[Region, ...]:
    """Return the regions of one input, whose elements come in blocks."""
    bad, array = np.array(wrong), np.array(values, np.float32)
    search = RegionSearch({"x": array}, {"x": 2.0**-126}, int(np.flatnonzero(bad)[0]))
    for start, stop in zip((0, *cuts), (*cuts, len(array)), strict=True):
        part = bad[start:stop]
        every = np.ones(len(part), np.bool_)
        search.add(ElementErrors(start, None, part, ~every, every, np.zeros(len(part))))  # type: ignore[arg-type]
    return search.regions


@pytest.mark.parametrize(
    ("wrong", "right", "told"),
    [
        ([1e-13, 1e-20], [1e-3, 0.5], "x is at most 1e-13 (right from 0.001)"),
        ([90, math.inf], [88, -5], "x is at least 90 (right up to 88)"),
        ([1e-40, -2e-39], [0, 1, -1], "x is subnormal"),
        ([-1e-5, 2e-6], [-1, 1, 1e-4], "x is between -1e-05 and 2e-06"),
        ([-90, 91], [-88, 88], "|x| is at least 90 (right up to 88)"),
        ([0, 0], [1, -1], "x is 0"),
        ([math.nan], [math.inf, 1], "x is NaN"),
        ([-math.inf], [math.inf, 1], "x is -inf"),
        ([1, 3], [2], None),
        ([math.nan, 1], [2], None),
        ([math.nan], [math.nan, 2], None),
    ],
)
def test_regions(wrong: list[float], right: list[float], told: str | None) -> None:
    """Each kind has its own words; where wrong and right elements are mixed there is none."""
    flags = [*[True] * len(wrong), *[False] * len(right)]
    texts = [str(each) for each in found([*wrong, *right], flags)]
    assert told in texts if told else not texts


ELEMENTS = st.lists(st.tuples(VALUES, st.booleans()), max_size=6)


@given(ELEMENTS, ELEMENTS, st.integers(1, 6))
def test_blocks_and_cases_are_joined(
    one: list[tuple[float, bool]], other: list[tuple[float, bool]], cut: int
) -> None:
    """Whether elements come at once, in blocks, or in two cases, their regions are the same."""
    parts = [[*own, (1.0, True)] for own in (one, other)]
    values, flags = zip(*parts[0], *parts[1], strict=True)
    whole = found(values, flags)
    assert found(values, flags, [min(cut, len(parts[0]))]) == whole
    cases = [found([v for v, _ in part], [bad for _, bad in part]) for part in parts]
    assert set(join(cases)) == set(whole)


@given(ELEMENTS)
def test_no_right_element_lies_in_a_region(elements: list[tuple[float, bool]]) -> None:
    """The values' region is there exactly if the interval of the wrong ones has no right one."""
    values, flags = zip(*elements, (1.0, True), strict=True)
    wrong = [value for value, bad in zip(values, flags, strict=True) if bad]
    right = [value for value, bad in zip(values, flags, strict=True) if not bad]
    is_apart = not any(map(math.isnan, wrong)) and not any(
        min(wrong) <= value <= max(wrong) for value in right
    )
    assert any(each.measure == "value" for each in found(values, flags)) == is_apart


def test_few_wrong_elements_lie_apart_by_chance() -> None:
    """One of eleven says nothing, five of thirty do; nor do elements that are all wrong."""
    assert Region("x", "value", 0, 0, None, 1, wrong=1, right=10).chance > 0.1
    assert Region("x", "value", 0, 0, -1, 1, wrong=1, right=10**6).chance == 1
    assert Region("x", "value", 0, 0, wrong=9, right=0).chance == 1
    assert Region("x", "value", 0, 0, -1, 1, wrong=5, right=25).chance < 1e-3
