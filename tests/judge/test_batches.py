# SPDX-License-Identifier: Apache-2.0
"""Samples whose results depend on the batch around them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.judge.batches import find_other_samples, keep_samples
from aclnn_cts.plan.cases import BATCH, Case
from aclnn_cts.spec.clause_models import BATCH_CONSISTENCY
from aclnn_cts.spec.loading import SpecSet

OPERATORS = ("aclnnCrossEntropySumExpAndIndexLogit", "aclnnNorm", "aclnnSoftmax")


@pytest.fixture(scope="module", params=OPERATORS)
def batches(request: pytest.FixtureRequest, planned: Callable[..., tuple[Case, ...]]) -> list[Case]:
    """The batches of an operator in its first data type, the smallest first."""
    own = [c for c in planned("ascend-950", "smoke", request.param) if c.scene == BATCH]
    return [case for case in own if case.inputs[0].dtype == "float32"]


def sums(
    case: Case, inputs: dict[str, npt.NDArray[np.float32]]
) -> dict[str, npt.NDArray[np.float32]]:
    """Return an output for each sample that depends on it alone."""
    values = inputs[case.inputs[0].name]
    return {"out": np.array([row.sum() for row in values], np.float32)}


def test_samples_return_in_each_batch(specs: SpecSet, batches: list[Case]) -> None:
    """At most three samples differ, and those of a smaller batch occur in each larger one."""
    spec = specs.operator(batches[0].operator)
    assert [case.inputs[0].shape[0] for case in batches] == [1, 7, 131]
    assert {case.batch_level for case in batches} == {spec.batch_level_on("ascend-950")}
    assert all(BATCH_CONSISTENCY in case.clauses for case in batches)
    kept = []
    for case in batches:
        inputs = make_inputs(specs, case)
        samples, differing = keep_samples(spec, case, inputs, sums(case, inputs))
        assert differing is None
        kept.append(samples)
    assert [len(samples) for samples in kept] == [1, 3, 3]
    assert kept[0].keys() <= kept[1].keys() == kept[2].keys()
    assert list(find_other_samples({str(n): each for n, each in enumerate(kept)})) == []


def test_other_bits_at_another_place(specs: SpecSet, batches: list[Case]) -> None:
    """One bit of one sample is enough."""
    spec, case = specs.operator(batches[0].operator), batches[2]
    inputs = make_inputs(specs, case)
    results = sums(case, inputs)
    results["out"][5] = np.nextafter(results["out"][5], np.float32(np.inf))
    _, differing = keep_samples(spec, case, inputs, results)
    assert differing is not None
    assert 5 in differing


def test_other_bits_in_a_batch_of_another_size(specs: SpecSet, batches: list[Case]) -> None:
    """The later case is told, with the place of the sample there."""
    spec = specs.operator(batches[0].operator)
    kept = {}
    for case in batches:
        inputs = make_inputs(specs, case)
        scale = np.float32(2 if case is batches[1] else 1)
        results = {"out": sums(case, inputs)["out"] * scale}
        kept[case.id], _ = keep_samples(spec, case, inputs, results)
    found = list(find_other_samples(kept))
    assert found[0] == (batches[1].id, batches[0].id, 0)
