# SPDX-License-Identifier: Apache-2.0
"""Clauses and silences about the same elements are found, whatever their conditions read."""

from __future__ import annotations

import pytest

from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.overlaps import overlap_complaints


@pytest.mark.parametrize(
    ("when", "overlaps"),
    [
        ("any_of(self == inf)", False),
        ("dim(self, dim) == 1 and any_of(self == inf)", False),
        ("dim(self, dim) == 3 and isfinite(self)", True),
    ],
)
def test_a_condition_may_read_the_extent_of_an_axis(
    specs: SpecSet, when: str, *, overlaps: bool
) -> None:
    """The axis is an attribute."""
    spec = specs.operator("aclnnSoftmax")
    silence = spec.not_promised[0].model_copy(update={"when": parse(when)})
    changed = spec.model_copy(update={"not_promised": (silence,)})
    found = [told for _, told in overlap_complaints(changed)]
    assert [("overlaps the clause 'formula'" in told) for told in found] == [True] * overlaps
