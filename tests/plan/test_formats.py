# SPDX-License-Identifier: Apache-2.0
"""Formats name dimensions: a tensor has one that names as many as it has, if its row lists one."""

from __future__ import annotations

from collections.abc import Callable

from aclnn_cts.plan.cases import Case

Planned = Callable[..., tuple[Case, ...]]


def test_formats_go_by_the_number_of_dimensions(planned: Planned) -> None:
    """NCL has three dimensions, NCHW four; neither is tried with another number of them."""
    calls = planned("atlas-a2", "smoke", "aclnnAdaptiveAvgPool2d")
    named = {
        (len(tensor.shape), tensor.format)
        for case in calls
        if case.expects_success
        for tensor in case.tensors
    }
    assert named == {(3, "NCL"), (4, "NCHW")}


def test_a_wrong_shape_has_the_format_of_the_right_one(planned: Planned) -> None:
    """A call is refused for one thing, not for the format that follows from it, too."""
    for case in planned("atlas-a2", "smoke", "aclnnAdaptiveAvgPool2d"):
        if case.scene in ("out-rank-differs", "out-shape-differs", "rank-above-four"):
            assert len({tensor.format for tensor in case.tensors}) == 1


def test_the_other_listed_format_differs(planned: Planned) -> None:
    """Of two listed formats, the one that the first tensor has not is tried first."""
    calls = planned("atlas-a2", "smoke", "aclnnAdaptiveAvgPool2d")
    first = next(case for case in calls if case.scene == "format-differs")
    assert [tensor.format for tensor in first.tensors] == ["NCHW", "NCL"]


def test_dimensions_of_0_reach_the_shapes(planned: Planned) -> None:
    """An extent of 0 that is to be refused is one of the tensor's."""
    calls = planned("atlas-a2", "smoke", "aclnnAdaptiveAvgPool2d")
    empty = [case.tensor("self").shape for case in calls if case.scene == "extent-zero"]
    assert sorted(empty) == [(2, 0, 6, 8), (2, 3, 0, 8), (2, 3, 6, 0)]
