# SPDX-License-Identifier: Apache-2.0
"""Versions of CANN: their order, and ranges of them."""

from __future__ import annotations

import itertools

import pytest

from aclnn_cts.spec.waivers import cann_range, cann_version, in_range

IN_ORDER = (
    "7.0.0",
    "8.0.RC1.alpha001",
    "8.0.RC1.alpha002",
    "8.0.RC1.beta1",
    "8.0.RC1",
    "8.0.RC2",
    "8.0.RC3.alpha001",
    "8.0.RC3",
    "8.0.0.alpha001",
    "8.0.0.alpha003",
    "8.0.0.beta1",
    "8.0.0",
    "8.0.1",
    "8.2.RC1",
    "8.2",
    "8.10.RC1",
    "9.0.0-beta.1",
    "9.0.0",
)


@pytest.mark.parametrize(("earlier", "later"), list(itertools.pairwise(IN_ORDER)))
def test_releases_are_ordered_as_they_came_out(earlier: str, later: str) -> None:
    """Candidates come before the release, and early builds right before what they are builds of."""
    first, second = cann_version(earlier), cann_version(later)
    assert first is not None
    assert second is not None
    assert first < second


@pytest.mark.parametrize("text", ["", "aclnn-cts simulator", "8", "V100R001", "8.0.RC", "8.0.x"])
def test_what_is_no_version_is_unknown(text: str) -> None:
    """A text that means something else must not come into any range."""
    assert cann_version(text) is None
    assert not in_range(text, ">=0.0")


@pytest.mark.parametrize(
    ("allowed", "version", "inside"),
    [
        (">=8.0,<8.2", "8.0.0", True),
        (">=8.0,<8.2", "8.1.RC1", True),
        (">=8.0,<8.2", "8.0.RC3", False),
        (">=8.0,<8.2", "8.2.RC1", False),
        (">=8.0.RC1, <8.2", "8.0.RC3.alpha001", True),
        ("==8.0.*", "8.0.RC3", True),
        ("==8.0.*", "8.1.RC1", False),
        ("!=8.0.RC3", "8.0.RC3", False),
        ("==8.0.rc3", "8.0.RC3", True),
    ],
)
def test_ranges(allowed: str, version: str, inside: bool) -> None:  # noqa: FBT001
    """A range holds what its bounds say; candidates of an excluded release are excluded."""
    assert in_range(version, allowed) is inside


@pytest.mark.parametrize(
    "text", ["", "8.0", "=8.0", "~=8.0", ">=eight", ">=8.0,", ">=8.0.*", ">8.0 <9.0", "==*"]
)
def test_what_is_no_range_is_refused_with_what_is_allowed(text: str) -> None:
    """A typo must not become a range that holds everything, or nothing."""
    with pytest.raises(ValueError, match=r"is not a range of CANN versions; allowed: <, <="):
        cann_range(text)
