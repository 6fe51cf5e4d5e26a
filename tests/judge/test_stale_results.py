# SPDX-License-Identifier: Apache-2.0
"""Results of contract operators that do not follow the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.judge.stale_results import KeptResults, find_stale_results, keep_results
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.clause_models import RESULTS_FOLLOW_DATA
from aclnn_cts.spec.loading import SpecSet

Arrays = Mapping[str, npt.NDArray[Any]]
RNG = np.random.default_rng(7)
RESULTS = RNG.standard_normal(36, np.float32)


@pytest.fixture(scope="module")
def cases(planned: Callable[..., tuple[Case, ...]]) -> list[Case]:
    """Calls of one operator that differ in nothing but the data, in order."""
    own = planned("atlas-a2", "smoke", "aclnnHeaviside")
    found = [case for case in own if RESULTS_FOLLOW_DATA in case.clauses]
    return [c for c in found if c.tensors[0].dtype == "float32"]


def kept(specs: SpecSet, case: Case, results: npt.NDArray[Any], **other: Any) -> KeptResults | None:
    """Return what is kept of a call with data of its own, except those given."""
    spec = specs.operator(case.operator)
    inputs = {t.name: RNG.standard_normal(t.shape, np.float32) for t in case.inputs}
    return keep_results(spec, case, {**inputs, **other}, {"out": results})


def stale(*told: KeptResults | None) -> list[tuple[str, str]]:
    return list(find_stale_results({str(n): each for n, each in enumerate(told) if each}))


def test_equal_results_of_other_data(specs: SpecSet, cases: list[Case]) -> None:
    """The scenes base, state and soak have equal calls; the later one is told."""
    assert {case.scene for case in cases} == {"base", "state", "soak"}
    one, two, *_ = (kept(specs, case, RESULTS) for case in cases)
    assert stale(one, two) == [("1", "0")]
    assert stale(one, kept(specs, cases[1], -RESULTS)) == []


def test_what_may_be_equal(specs: SpecSet, cases: list[Case]) -> None:
    """Equal data in one input, another attribute or type, and results that hold too little."""
    name = cases[0].inputs[0].name
    same = {name: RNG.standard_normal(cases[0].inputs[0].shape, np.float32)}
    assert stale(*(kept(specs, case, RESULTS, **same) for case in cases)) == []
    out = cases[0].tensors[-1]
    others = tuple(replace(t, dtype="float16") if t is out else t for t in cases[0].tensors)
    changed = replace(cases[0], tensors=others)
    assert stale(kept(specs, cases[1], RESULTS), kept(specs, changed, RESULTS)) == []
    for little in (np.zeros(36, np.float32), RESULTS[:8].astype(np.int8), RESULTS[:1]):
        assert kept(specs, cases[0], little) is None
