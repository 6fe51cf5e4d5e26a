# SPDX-License-Identifier: Apache-2.0
"""A logistic function that is slightly off is found in float32: the error budgets are tight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.qualify.catalog import load_catalog

pytestmark = pytest.mark.end_to_end

OPERATOR = "aclnnGroupNormSwishGrad"


@pytest.mark.parametrize(
    ("fault", "share"),
    [("group-norm-sigmoid-off-by-1e-5", 0.5), ("group-norm-sigmoid-off-by-1e-6", 0.0)],
)
def test_float32_cases_that_fail(
    bed: Any, planned: Callable[..., tuple[Case, ...]], fault: str, share: float
) -> None:
    """An error of 1e-5 shows in at least half of the smoke tier's cases, one of 1e-6 in some."""
    cases = tuple(
        case
        for case in planned("atlas-a2", "smoke", OPERATOR)
        if case.expects_success and case.tensor("x").dtype == "float32" and case.tensor("x").numel
    )
    report = bed.judged("atlas-a2", cases, load_catalog(bed.suite).change(fault))
    failed = [verdict for verdict in report.document.cases if verdict.verdict is Verdict.FAIL]
    assert len(cases) > 10
    assert len(failed) > share * len(cases), f"{len(failed)} of {len(cases)}"
