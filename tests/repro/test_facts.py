# SPDX-License-Identifier: Apache-2.0
"""From a case back to its facts, and to simpler cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.requirements import is_valid
from aclnn_cts.repro.facts import Candidate, build, candidate_of
from aclnn_cts.repro.minimize import simpler
from aclnn_cts.spec.loading import SpecSet

Planned = Callable[[str, str], tuple[Case, ...]]


def of_each_scene(cases: tuple[Case, ...]) -> list[Case]:
    """Return one case of each operator, scene and data type."""
    found = {(case.operator, case.scene, case.tensors[0].dtype): case for case in cases}
    return list(found.values())


@pytest.mark.parametrize("product", ["atlas-a2", "atlas-training"])
def test_facts_make_the_very_case(specs: SpecSet, planned: Planned, product: str) -> None:
    """What is read back from a case builds a case of the same call, refused ones included."""
    for case in of_each_scene(planned(product, "smoke")):
        spec = specs.operator(case.operator)
        candidate = candidate_of(spec, case)
        assert candidate is not None, case.id
        rebuilt = build(spec, case, candidate)
        assert rebuilt is not None
        # A case about state is told apart by whether its determinism was chosen.
        assert rebuilt.digest == case.digest or case.again
        assert [t.strides for t in rebuilt.tensors] == [t.strides for t in case.tensors]
        assert rebuilt.clauses == case.clauses


def weight(case: Case, candidate: Candidate) -> int:
    """A measure that each step must lessen, or leave with simpler data or attributes."""
    elements = sum(sum(tensor.shape) + len(tensor.shape) for tensor in case.tensors)
    strided = sum(tensor.layout != "contiguous" for tensor in case.tensors)
    return elements + 1000 * (strided + len(candidate.again))


def test_steps_lead_to_valid_smaller_cases(specs: SpecSet, planned: Planned) -> None:
    """Each scene that must work has simpler valid calls, and no step makes shapes larger."""
    shrinkable = 0
    for case in of_each_scene(planned("atlas-a2", "smoke")):
        spec = specs.operator(case.operator)
        start = candidate_of(spec, case)
        assert start is not None
        if not case.expects_success or case.tensors[0].numel < 2:
            continue
        batches = list(simpler(spec, start))
        for batch in batches[:2]:  # circumstances and layouts leave shapes as they are
            for each in batch:
                made = build(spec, case, each)
                assert made is None or weight(made, each) <= weight(case, start)
        valid = [
            each
            for batch in batches
            for each in batch
            if is_valid(spec, case.product, dict(each.facts))
        ]
        shrinkable += bool(valid)
        assert valid, case.id
    assert shrinkable > 20


def test_an_ordinary_case_is_reached(specs: SpecSet, planned: Planned) -> None:
    """The layouts' step makes all tensors contiguous at once, first of all."""
    case = next(
        case
        for case in planned("atlas-a2", "smoke")
        if case.expects_success and case.operator == "aclnnLogitGrad"
        if sum(tensor.layout != "contiguous" for tensor in case.tensors) > 1
    )
    spec = specs.operator(case.operator)
    start = candidate_of(spec, case)
    assert start is not None
    _, layouts, *_ = simpler(spec, start)
    made = build(spec, case, layouts[0])
    assert made is not None
    assert {tensor.layout for tensor in made.tensors} == {"contiguous"}
