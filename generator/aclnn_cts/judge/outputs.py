# SPDX-License-Identifier: Apache-2.0
"""One output of one case: compared, with what it breaks and the first elements that do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from aclnn_cts.golden.expected import Expected
from aclnn_cts.judge.clauses import broken_values
from aclnn_cts.judge.comparison import Comparison, compare
from aclnn_cts.judge.contested import Contest, find_contests
from aclnn_cts.judge.contract import Finding
from aclnn_cts.judge.evidence import Sample, take_samples
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, yardstick_of
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.spec.common_clauses import UNINITIALISED_MEMORY
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ValueClause


@dataclass(frozen=True)
class JudgedOutput:
    """What was found about one output.

    Attributes:
        name: The output's name.
        elements: How many it has.
        comparison: Of the first run.
        figures: By standard: those of the run that keeps it less well.
        findings: Value clauses that the gate finds broken.
        contests: Where the documents contradict themselves, first run.
        samples: The first failing elements.
    """

    name: str
    elements: int
    comparison: Comparison
    figures: Mapping[Standard, Figures]
    findings: tuple[Finding, ...]
    contests: tuple[Contest, ...]
    samples: tuple[Sample, ...]

    @property
    def requested(self) -> bool:
        """Whether anything is promised of it; of an output that was not asked for nothing is."""
        return self.elements == 0 or self.comparison.unpromised < self.elements


def judge_output(  # noqa: PLR0913, PLR0917 - the output, and what it is held against
    specs: SpecSet,
    case: Case,
    tensor: TensorCase,
    runs: Sequence[npt.NDArray[Any]],
    expected: Expected,
    inputs: Mapping[str, npt.NDArray[Any]],
    standard: Standard,
) -> JudgedOutput:
    """Judge one output.

    Args:
        specs: All specs.
        case: The case.
        tensor: The output.
        runs: What came back from the first run; and from the second one, if it differs and may.
        expected: What may come back.
        inputs: View-shaped input arrays, for the samples.
        standard: The standard that decides.
    """
    clauses = specs.operator(case.operator).clauses
    yardstick = yardstick_of(tensor.dtype, specs.precision)
    comparisons = [compare(tensor.name, actual, expected, yardstick) for actual in runs]
    failing = [
        number for number, found in enumerate(comparisons) if not found.figures[standard].passed
    ]
    samples: tuple[Sample, ...] = ()
    findings: list[Finding] = []
    if failing:
        found = comparisons[failing[0]]
        findings += _findings(found, clauses, standard, failing[0])
        indices = found.failures[standard].first
        samples = take_samples(tensor, indices, runs[failing[0]], expected, inputs)
    if failing and len(runs) > 1:
        text = f"{tensor.name} varies with what the memory held before, or from run to run"
        findings.append(Finding((UNINITIALISED_MEMORY,), text, "repeat"))
    return JudgedOutput(
        name=tensor.name,
        elements=tensor.numel,
        comparison=comparisons[0],
        figures={name: _worse(comparisons, name) for name in STANDARDS},
        findings=tuple(findings),
        contests=find_contests(runs[0], expected, clauses),
        samples=samples,
    )


def _worse(comparisons: Sequence[Comparison], standard: Standard) -> Figures:
    figures = [comparison.figures[standard] for comparison in comparisons]
    return next((each for each in figures if not each.passed), figures[0])


def _findings(
    comparison: Comparison, clauses: Sequence[ValueClause], standard: Standard, run: int
) -> Iterator[Finding]:
    figures, failures = comparison.figures[standard], comparison.failures[standard]
    reached = failures.reached if failures.count else {comparison.reached: 1}
    second = " in the second run" if run else ""
    if failures.count:
        text = (
            f"{failures.count} of {figures.elements} elements of {figures.output} are wrong{second}"
        )
    else:
        text = (
            f"the mean relative error of {figures.output} is "
            f"{figures.mean_relative_error:.3g}{second}"
        )
    yield Finding(broken_values(reached, clauses), text, "value")
