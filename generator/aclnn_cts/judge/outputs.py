# SPDX-License-Identifier: Apache-2.0
"""One output of one case: compared, with what it breaks and the first elements that do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from aclnn_cts.golden.expected import Expected
from aclnn_cts.golden.resolution import Resolution, resolve
from aclnn_cts.judge.call_checks import Finding
from aclnn_cts.judge.clauses import broken_by, broken_values
from aclnn_cts.judge.comparison import Comparison, compare
from aclnn_cts.judge.contested import Contest, find_contests
from aclnn_cts.judge.element_errors import errors_of
from aclnn_cts.judge.error_map import Picture, draw
from aclnn_cts.judge.execution_variants import FIRST, Launch, clauses_of_runs, phrase_of
from aclnn_cts.judge.rounding import Rounding
from aclnn_cts.judge.samples import Sample, take_samples
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, yardstick_of
from aclnn_cts.plan.cases import Case, TensorCase
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
        findings: Value clauses that the standard that decides finds broken.
        contests: Where the documents contradict themselves, first run.
        samples: The first failing elements.
        resolution: What its judgement could find.
        rounding: What its elements say about rounding; None if they say nothing.
        picture: Where its errors sit; None if the standard that decides is kept.
    """

    name: str
    elements: int
    comparison: Comparison
    figures: Mapping[Standard, Figures]
    findings: tuple[Finding, ...]
    contests: tuple[Contest, ...]
    samples: tuple[Sample, ...]
    resolution: Resolution
    rounding: Rounding | None = None
    picture: Picture | None = None

    @property
    def requested(self) -> bool:
        """Whether anything is promised of it; of an output that was not asked for nothing is."""
        return self.elements == 0 or self.comparison.unpromised < self.elements


def judge_output(  # noqa: PLR0913, PLR0917 - the output, and what it is held against
    specs: SpecSet,
    case: Case,
    tensor: TensorCase,
    runs: Mapping[Launch, npt.NDArray[Any]],
    expected: Expected,
    inputs: Mapping[str, npt.NDArray[Any]],
    standard: Standard,
) -> JudgedOutput:
    """Judge one output.

    Args:
        specs: All specs.
        case: The case.
        tensor: The output.
        runs: What came back from the first launch, and from those that differ from it and may.
        expected: What may come back.
        inputs: View-shaped input arrays, for the samples.
        standard: The standard that decides.
    """
    clauses = specs.operator(case.operator).clauses
    yardstick = yardstick_of(tensor.dtype, specs.precision)
    compared = {
        run: compare(tensor.name, actual, expected, yardstick) for run, actual in runs.items()
    }
    failing = [run for run, found in compared.items() if not found.figures[standard].passed]
    samples: tuple[Sample, ...] = ()
    picture = None
    findings: list[Finding] = []
    if failing:
        found = compared[failing[0]]
        broken, how = _of_failing(case, failing)
        indices = found.failures[standard].first
        samples = take_samples(tensor, indices, runs[failing[0]], expected, inputs)
        errors = errors_of(runs[failing[0]], expected, yardstick, standard)
        values = broken_by(errors.wrong, runs[failing[0]], expected, clauses)
        values = values or _with_values(found.reached, clauses)
        findings.append(_finding(found, broken_values(values, clauses), standard, broken, how))
        picture = draw(tensor.name, tensor.shape, errors)
    return JudgedOutput(
        name=tensor.name,
        elements=tensor.numel,
        comparison=compared[FIRST],
        figures={name: _worse(list(compared.values()), name) for name in STANDARDS},
        findings=tuple(findings),
        contests=find_contests(runs[FIRST], expected, clauses),
        samples=samples,
        resolution=resolve(expected, yardstick.floating),
        picture=picture,
    )


def _worse(comparisons: Sequence[Comparison], standard: Standard) -> Figures:
    figures = [comparison.figures[standard] for comparison in comparisons]
    return next((each for each in figures if not each.passed), figures[0])


def _with_values(reached: int, clauses: Sequence[ValueClause]) -> Mapping[int, int]:
    """Return what is broken where no element fails by itself: what promises values."""
    values = sum(1 << k for k, clause in enumerate(clauses) if clause.expect == "value")
    return {reached & values or reached: 1}


def _of_failing(case: Case, launches: Sequence[Launch]) -> tuple[tuple[str, ...], str]:
    """Return the clause that it breaks if exactly these are wrong, and which those are."""
    if launches[0] == FIRST:
        return (), ""
    if launches[0] == Launch(1):
        return (), " in the second run"
    how = (phrase_of(case, run, prepares=prepares) for run, prepares in launches)
    special = not any(launch.is_ordinary for launch in launches)
    broken = clauses_of_runs(case, [launch.run for launch in launches]) if special else ()
    return broken, " and".join(how)


def _finding(
    comparison: Comparison,
    values: tuple[str, ...],
    standard: Standard,
    first: tuple[str, ...],
    how: str,
) -> Finding:
    """Return what is wrong with one output; the clauses of ``first`` come before the value's."""
    figures, failures = comparison.figures[standard], comparison.failures[standard]
    if failures.count:
        text = f"{failures.count} of {figures.elements} elements of {figures.output} are wrong{how}"
    else:
        text = (
            f"the mean relative error of {figures.output} is {figures.mean_relative_error:.3g}{how}"
        )
    return Finding((*first, *values), text, "value")
