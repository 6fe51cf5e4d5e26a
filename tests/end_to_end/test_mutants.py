# SPDX-License-Identifier: Apache-2.0
"""Errors put into the simulated operators are found, and the right promise is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import Report
from aclnn_cts.plan.cases import Case
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.run.events import read_events

pytestmark = pytest.mark.end_to_end

Planned = Callable[..., tuple[Case, ...]]

ERRORS = {
    # A swapped comparison.
    "logit_grad": ("x > 1.0F - eps", "x < 1.0F - eps"),
    # One element too far.
    "dropout_backward": (
        "gradOutput);\n}\n\n}  // namespace",
        "gradOutput);\n  const int64_t end = ElementCount(out.shape);\n"
        "  if (out.storageShape == Shape{end + 19})\n"
        "    StorageWindow(out)[end * (out.dataType == ACL_FLOAT ? 4 : 2)] ^= 1;\n}\n\n"
        "}  // namespace",
    ),
    # An ignored stride.
    "group_norm_swish_grad": (
        "normalised_(ReadAll(plan.x)),",
        "normalised_([&] { aclTensor dense = plan.x; dense.strides = "
        "ContiguousStrides(dense.shape); return ReadAll(dense); }()),",
    ),
}
PRELU = "operators/prelu_backward.cpp"
POOLING = "aclnnMaxPool2dWithMaskBackward"
HARMED = ("aclnnLogitGrad", "aclnnDropoutBackward", "aclnnGroupNormSwishGrad", "aclnnPreluBackward")


@dataclass(frozen=True)
class Mutants:
    """The report on all errors together, each in an operator of its own.

    Attributes:
        report: What the judge found.
        victim: The only case in which the pooling operator crashes.
        folder: The results folder.
    """

    report: Report
    victim: Case
    folder: Path

    def failed(self, operator: str) -> list[CaseEntry]:
        """Return the verdicts of an operator that are not clean."""
        clean = (Verdict.PASS, Verdict.CONTESTED_ONLY)
        own = [v for v in self.report.document.cases if v.operator == operator]
        return [verdict for verdict in own if verdict.verdict not in clean]


def lonely(cases: tuple[Case, ...]) -> Case:
    """Return a passing pooling case whose shape no other one has."""
    own = [c for c in cases if c.operator == POOLING and c.expects_success]
    shapes = [case.tensor("gradInput").shape for case in own]
    return next(c for c, shape in zip(own, shapes, strict=True) if shapes.count(shape) == 1)


@pytest.fixture(scope="module")
def mutants(bed: Any, planned: Planned) -> Mutants:
    """All errors in one device: one build and one run, of a sample of these operators' cases."""
    edits = [(f"operators/{name}.cpp", *texts) for name, texts in ERRORS.items()]
    # A dropped term, and NaN where a value is expected.
    edits.append((PRELU, "PairwiseSum(gradient.data(), rows.inner)",
         "PairwiseSum(gradient.data(), rows.inner - (rows.inner > 1))"))  # fmt: skip
    edits.append((PRELU, "x > 0.0F ? gradient : gradient * w",
         "x > 1.5F ? 0.0F / (x - x) : x > 0.0F ? gradient : gradient * w"))  # fmt: skip
    own = planned("atlas-a2", "smoke", *HARMED, POOLING)
    victim = lonely(own)
    embedded = [
        case
        for case in own
        if case.operator == "aclnnDropoutBackward" and case.tensor("out").layout == "embedded"
    ]
    chosen = {case.id for case in (*own[::6], *embedded[:9], victim)}
    cases = tuple(case for case in own if case.id in chosen)
    shape = ", ".join(map(str, victim.tensor("gradInput").shape))
    edits.append(("operators/max_pool2d_with_mask_backward.cpp",
         "MaxPoolBackward(gradOutput, indices, pool, gradInput,\n",
         f"if (gradInput.shape == Shape{{{shape}}}) __builtin_trap();\n"
         "MaxPoolBackward(gradOutput, indices, pool, gradInput,\n"))  # fmt: skip
    report = bed.judged("atlas-a2", cases, bed.changed("mutants", edits))
    return Mutants(report, victim, report.run.path)


def test_broken_promises_end_with_1(mutants: Mutants) -> None:
    """Failures are the verdict on the operators, not a run that cannot be trusted."""
    assert mutants.report.exit_code == ExitCode.BROKEN_PROMISE
    assert mutants.report.document.problems == ()


def test_a_swapped_comparison(mutants: Mutants) -> None:
    """An x inside and outside of [eps, 1 - eps]: the clauses that speak of it are named."""
    failed = mutants.failed("aclnnLogitGrad")
    named = {clause for verdict in failed for clause in verdict.broken}
    assert {"formula", "eps-outside"} <= named
    assert {verdict.verdict for verdict in failed} == {Verdict.FAIL}
    # With a negative eps the comparison is not reached: those cases pass.
    assert not any(".eps_-1." in verdict.id for verdict in failed)


def test_one_element_too_far(mutants: Mutants) -> None:
    """Values are right; what stands behind the output was written."""
    failed = mutants.failed("aclnnDropoutBackward")
    assert failed
    assert {clause for verdict in failed for clause in verdict.broken} == {"outside-untouched"}
    cases = {case.id: case for case in mutants.report.run.cases}
    assert {cases[v.id].tensor("out").layout for v in failed} == {"embedded"}


def test_an_ignored_stride(mutants: Mutants) -> None:
    """Only calls with a strided x fail, and it is x's layout that is named."""
    failed = mutants.failed("aclnnGroupNormSwishGrad")
    assert failed
    cases = {case.id: case for case in mutants.report.run.cases}
    for verdict in failed:
        layout = cases[verdict.id].tensor("x").layout
        assert layout not in ("contiguous", "embedded"), verdict.id
    assert "x-non-contiguous" in {clause for v in failed for clause in v.broken}


def test_a_dropped_term_and_nan_for_a_value(mutants: Mutants) -> None:
    """The sum's clause for the one output, the formula's for the other."""
    failed = mutants.failed("aclnnPreluBackward")
    named = {clause for verdict in failed for clause in verdict.broken}
    assert {"grad-weight-sum", "grad-input-positive"} <= named
    samples = [sample for verdict in failed for sample in verdict.samples]
    assert any(sample.output == "gradInput" and sample.got != sample.got for sample in samples)


def test_a_crash_costs_one_case(mutants: Mutants) -> None:
    """The program is started again behind the case in which it died."""
    failed = mutants.failed(POOLING)
    assert [verdict.id for verdict in failed] == [mutants.victim.id]
    assert failed[0].verdict is Verdict.CRASH
    begun = [p for p in mutants.report.run.programs if p.purpose == "batch"]
    (batch,) = {p.batch for p in begun if mutants.victim.id in read_events(p.events).cases}
    first, rest = [p for p in begun if p.batch == batch]
    assert first.exit_code is not None
    assert first.exit_code < 0
    assert rest.exit_code == 0


def test_the_command_says_so(mutants: Mutants, bed: Any) -> None:
    """`judge` on the folder ends with 1 and names clauses and cases."""
    done = bed.command("judge", str(mutants.folder))
    assert done.returncode == ExitCode.BROKEN_PROMISE
    assert "Traceback" not in done.stdout + done.stderr
    assert "broken: " in done.stdout
    assert "aclnn-cts run --product atlas-a2" in done.stdout
