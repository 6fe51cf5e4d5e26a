# SPDX-License-Identifier: Apache-2.0
"""The histogram of errors can be read: each bar says what it stands for and what it counts."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.judge.comparison import EDGES, ErrorBin, Picture
from aclnn_cts.report.page.failures import histogram_svg

ENDS = (*EDGES, math.inf)


def drawn(bins: dict[float, tuple[int, int]], another_class: int = 0) -> ET.Element:
    """Return the histogram of so many elements, and so many wrong ones, by bin."""
    histogram = tuple(ErrorBin(end, *bins[end]) for end in sorted(bins))
    picture = Picture("out", (9,), 1, 9, 9, another_class, ("9",), histogram)
    return ET.fromstring(histogram_svg(picture))  # noqa: S314 - our own text


def texts(group: ET.Element) -> list[str]:
    return [each.text or "" for each in group.findall("text")]


def test_bars_are_labelled() -> None:
    """Half an ulp, one ulp, what was left out between, and what is beyond the largest bin."""
    found = drawn({0.5: (512, 0), 1.0: (3, 1), math.inf: (12_345, 12_345)}, another_class=2)
    groups = found.findall("g")
    assert [texts(group)[-1] for group in groups] == ["0", "½", "1", "…2^24", ">2^24", "class"]
    assert [texts(group)[:-1] for group in groups] == [[], ["512"], ["3"], [], ["12k"], ["2"]]
    told = [group.findtext("title") for group in groups]
    assert told[1] == "up to ½ ulp: 512 elements, 0 wrong"
    assert told[3] == "above 1 and up to 2^24 ulp: none"
    assert told[4] == "above 2^24 ulp: 12,345 elements, 12,345 wrong"
    assert told[5] == "2 of a class that is not allowed"


@given(
    st.dictionaries(st.sampled_from(ENDS), st.integers(1, 10**9), min_size=1).map(
        lambda bins: {end: (count, count // 2) for end, count in bins.items()}
    ),
    st.integers(0, 10**6),
)
def test_no_label_is_left_out_or_overlaps(
    bins: dict[float, tuple[int, int]], another_class: int
) -> None:
    """Whatever the bins, each has its label, its count, and room for both within the picture."""
    found = drawn(bins, another_class)
    width = float(found.get("width", ""))
    ends: dict[str, float] = {}
    for group in found.findall("g"):
        label = group.findall("text")[-1]
        assert label.text
        for each in group.findall("text"):
            half, middle = 1.9 * len(each.text or ""), float(each.get("x", ""))
            assert ends.get(each.get("y", ""), 0.0) <= middle - half
            assert middle + half <= width
            ends[each.get("y", "")] = middle + half
    counted = sum(len(group.findall("text")) == 2 for group in found.findall("g"))
    assert counted == len(bins) + (another_class > 0)


@pytest.mark.parametrize("count", [1, 999, 9_949, 9_999, 99_999, 999_499, 9_949_999, 10**9])
def test_counts_stay_short(count: int) -> None:
    """A billion elements take no more room than the label below."""
    (group,) = (each for each in drawn({0.0: (count, 0)}).findall("g"))
    assert len(texts(group)[0]) <= 5
