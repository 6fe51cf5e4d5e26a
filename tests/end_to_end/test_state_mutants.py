# SPDX-License-Identifier: Apache-2.0
"""Operators that keep state, each in its own way: the variant that shows it is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.spec.loading import load_specs

pytestmark = pytest.mark.end_to_end

ERRORS = {
    # Reads an input in phase one: a repeatable executor works on the data of then.
    "logit_grad": (
        "out = *out, eps = static_cast<float>(eps)](void *) {\n"
        "                  const auto gradient = [eps](float xValue, float dyValue) {\n"
        "                    return LogitGradient(xValue, dyValue, eps);\n"
        "                  };\n"
        "                  Map(out, gradient, x, dy);",
        "out = *out, eps = static_cast<float>(eps), early = ReadAll(*dy)](void *) {\n"
        "                  int64_t i = 0;\n"
        "                  const auto gradient = [&](float xValue, float) {\n"
        "                    return LogitGradient(xValue, early[i++], eps);\n"
        "                  };\n"
        "                  Map(out, gradient, x, dy);",
    ),
    # Works on the first stream that it is ever given, and on no other.
    "prelu_backward": (
        '  return LaunchOperator("aclnnPreluBackward"',
        "  static const aclrtStream first = stream;\n"
        "  if (stream != first) return aclDestroyAclOpExecutor(executor);\n"
        '  return LaunchOperator("aclnnPreluBackward"',
    ),
    # Adds to what an earlier call left in the workspace, if that looks like a sum.
    "group_norm_swish_grad": (
        "rowDgamma_[row] = PairwiseSum(products.data(), plan_.pixels);",
        "const float old = rowDgamma_[row] > 0.0F && rowDgamma_[row] < 1e6F ? rowDgamma_[row] : 0;"
        "\n    rowDgamma_[row] = old + PairwiseSum(products.data(), plan_.pixels);",
    ),
    # Counts its calls.
    "dropout_backward": (
        "{ DropoutBackward(gradOutput, mask, scale, out); }",
        "{ static int calls = 0; DropoutBackward(gradOutput, mask, "
        "++calls > 2 ? 2.0F * scale : scale, out); }",
    ),
}

Failed = dict[str, list[CaseEntry]]


@pytest.fixture(scope="module")
def failed(bed: Any, planned: Callable[..., tuple[Case, ...]]) -> Failed:
    """The failing cases by operator: all errors in one device, and the scene `state` alone."""
    edits = ((f"operators/{name}.cpp", *texts) for name, texts in ERRORS.items())
    operators = (f"aclnn{name.title().replace('_', '')}" for name in ERRORS)
    pooling = "aclnnMaxPool2dWithMaskBackward"
    planned_cases = planned("atlas-a2", "smoke", *operators, pooling)
    cases = tuple(case for case in planned_cases if case.scene == "state")
    found: Failed = {}
    for verdict in bed.judged("atlas-a2", cases, bed.changed("state", edits)).document.cases:
        assert verdict.verdict in (Verdict.PASS, Verdict.FAIL), verdict.message
        if verdict.verdict is Verdict.FAIL:
            found.setdefault(verdict.operator, []).append(verdict)
    return found


def test_data_of_phase_one(failed: Failed) -> None:
    """What phase one reads shows when inputs change between the phases, and in a second launch."""
    assert len(failed["aclnnLogitGrad"]) == 3
    for verdict in failed["aclnnLogitGrad"]:
        assert "phase-one-data" in verdict.broken
        assert "what the inputs held while phase one ran" in verdict.message


def test_one_stream_only(failed: Failed) -> None:
    """Only the second stream stays without results."""
    assert len(failed["aclnnPreluBackward"]) == 3
    for verdict in failed["aclnnPreluBackward"]:
        assert verdict.broken[:2] == ("call-independence", "outputs-written")
        assert "determinism" in verdict.broken
        assert "on a second stream" in verdict.message
        assert "workspace" not in verdict.message


def test_former_contents_of_the_workspace(failed: Failed) -> None:
    """With determinism the bits differ; without it, the values are wrong."""
    verdicts = failed["aclnnGroupNormSwishGrad"]
    assert len(verdicts) == 6
    for verdict in verdicts:
        assert "with a used workspace" in verdict.message
        assert verdict.broken[0] == "call-independence"
        assert len(verdict.broken) > 1
        if ".deterministic." in verdict.id:
            assert "determinism" in verdict.broken


def test_state_between_calls(failed: Failed) -> None:
    """What goes wrong from the third call on goes wrong in every execution variant."""
    first, *_ = failed["aclnnDropoutBackward"]
    assert {"kept", "determinism", "call-independence"} <= set(first.broken)
    for phrase in (
        "second stream",
        "workspace",
        "after aclnnGroupNorm ran",
        "repeatable executor",
    ):
        assert phrase in first.message


def test_others_are_not_accused(failed: Failed) -> None:
    """Pooling has no error here."""
    assert "aclnnMaxPool2dWithMaskBackward" not in failed


@pytest.mark.parametrize(
    "fault", ["result-kept.aclnnDropoutGenMaskV2.out", "result-counted.aclnnDropoutGenMask.out"]
)
def test_state_in_bytes(bed: Any, fault: str) -> None:
    """A fault class that stores results takes those of every data type: no call dies of it."""
    operator = fault.split(".")[1]
    planned = plan(load_specs(bed.suite), "atlas-a2", "smoke", [operator])
    cases = [case for case in planned if case.expects_success and case.elements < 2**12]
    change = load_catalog(bed.suite).change(fault)
    found = {each.verdict for each in bed.judged("atlas-a2", tuple(cases), change).document.cases}
    assert Verdict.FAIL in found
    assert found <= {Verdict.PASS, Verdict.FAIL, Verdict.UNTRUSTED}
