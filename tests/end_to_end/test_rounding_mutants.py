# SPDX-License-Identifier: Apache-2.0
"""A simulated device that truncates instead of rounding to nearest is found in every operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import Report
from aclnn_cts.plan.cases import Case
from aclnn_cts.results.cases import CaseEntry

pytestmark = pytest.mark.end_to_end

OPERATORS = (
    "aclnnDropoutBackward",
    "aclnnGroupNormSwishGrad",
    "aclnnLogitGrad",
    "aclnnMaxPool2dWithMaskBackward",
    "aclnnPreluBackward",
)
TRUNCATE = (
    ("(bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16", "bits >> 16"),
    ("(rebiased + 0xFFFU + (rebiased >> 13 & 1U)) >> 13", "rebiased >> 13"),
)
"""Of Round<Bfloat16> and Round<Float16>: the bits that do not fit are dropped."""


@pytest.fixture(scope="module")
def truncating(bed: Any, planned: Callable[..., tuple[Case, ...]]) -> Report:
    """The report on a device whose conversions truncate.

    Of most operators every eighth case of the smoke tier suffices.
    """
    change = bed.changed("truncating", [("src/nnopbase/float_types.h", *e) for e in TRUNCATE])
    whole = planned("atlas-a2", "smoke", "aclnnDropoutBackward")
    some = planned("atlas-a2", "smoke", *OPERATORS[1:])[::8]
    report: Report = bed.judged("atlas-a2", whole + some, change)
    return report


def broken(report: Report, operator: str) -> list[CaseEntry]:
    return [
        v for v in report.document.cases if v.operator == operator and v.verdict is Verdict.FAIL
    ]


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_operator_alone_is_red(truncating: Report, operator: str) -> None:
    """The smoke tier of one operator suffices, and only narrow outputs are blamed."""
    cases = {case.id: case for case in truncating.run.cases}
    found = broken(truncating, operator)
    assert truncating.exit_code == ExitCode.BROKEN_PROMISE
    assert found
    for verdict in found:
        kinds = {tensor.dtype for tensor in cases[verdict.id].outputs}
        assert kinds & {"float16", "bfloat16"}, verdict.id
        assert verdict.broken, verdict.id


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_what_no_element_shows(truncating: Report, dtype: str) -> None:
    """The budget of dropout has room for the error; only all elements together tell."""
    told = [
        verdict
        for verdict in broken(truncating, "aclnnDropoutBackward")
        if f"{dtype} elements of the run" in verdict.message
    ]
    assert told
    for verdict in told:
        assert "toward zero" in verdict.message
        assert "kept" in verdict.broken
        assert verdict.standards["strict"].failing == 0
