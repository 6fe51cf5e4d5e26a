# SPDX-License-Identifier: Apache-2.0
"""A refusal shows that one fact is refused only if the call without that fact is accepted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict, with_twins
from aclnn_cts.plan.cases import Case

Planned = Callable[..., tuple[Case, ...]]


@pytest.mark.parametrize(
    ("status", "before", "after"),
    [
        (161002, Verdict.PASS, Verdict.UNTRUSTED),
        (0, Verdict.PASS, Verdict.PASS),
        (None, Verdict.PASS, Verdict.PASS),
        (161002, Verdict.FAIL, Verdict.FAIL),
        (161002, Verdict.UNENFORCED, Verdict.UNENFORCED),
    ],
)
def test_a_refusal_beside_a_refused_twin_proves_nothing(
    planned: Planned, status: int | None, before: Verdict, after: Verdict
) -> None:
    """It passes if the twin was accepted, or left no record; other verdicts stay."""
    cases = {case.id: case for case in planned("atlas-a2", "smoke", "aclnnLogitGrad")}
    refused = next(case for case in cases.values() if not case.expects_success)
    assert refused.twin is not None
    own = CaseVerdict(refused.id, refused.operator, before, status=161001)
    twin = CaseVerdict(refused.twin, refused.operator, Verdict.FAIL, status=status)
    judged, same = with_twins((own, twin), cases)
    assert (judged.verdict, same) == (after, twin)
    assert (refused.twin in judged.message) == (after is Verdict.UNTRUSTED)
