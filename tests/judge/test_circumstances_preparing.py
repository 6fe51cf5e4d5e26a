# SPDX-License-Identifier: Apache-2.0
"""Launches that only prepare a circumstance are ordinary ones, and compared as such."""

from __future__ import annotations

from typing import Any

import pytest
from tests.judge.further_runs import judged, planned, repeat

PREPARING = {
    3: "in the call before the one with a kept workspace",
    7: "in the first launch of a repeatable executor",
}


@pytest.mark.parametrize("run", PREPARING)
def test_a_launch_that_prepares_is_not_under_the_circumstance(bench: Any, run: int) -> None:
    """It breaks what any call breaks, and is called what it is."""
    case = planned(bench, deterministic=True)
    others = [repeat(each) for each in range(2, 8) if each != run]
    for phase in bench.phases(case):
        event = {**phase, "run": run, "launch": 0, "status": 561000}
        failed = judged(bench, case, *others, event)
        assert failed.broken == ("two-phase",)
        assert PREPARING[run] in failed.message
    place = {"tensor": "out", "kind": "guard-rear", "first": 0, "count": 1, "unit": "byte"}
    memory = {"event": "memory", "run": run, "launch": 0, **place}
    written = judged(bench, case, *others, repeat(run), memory)
    assert written.broken == ("outside-untouched",)
    assert PREPARING[run] in written.message


def preparing(different: int, missing: int = 0) -> dict[str, Any]:
    """The comparison of the call that comes before the one with a kept workspace."""
    return {**repeat(3, different), "launch": 0, "missing": missing}


def test_call_that_prepares_is_compared(bench: Any) -> None:
    """It is an ordinary one: if it differs, no circumstance is to blame."""
    case = planned(bench, deterministic=True)
    events = [*map(repeat, range(2, 8)), preparing(3)]
    verdict = judged(bench, case, *events)
    assert verdict.broken == ("determinism",)
    assert f"3 elements of out differ {PREPARING[3]}, first at index 0" in verdict.message
    both = judged(bench, case, *events, repeat(4, 3))
    assert both.broken == ("determinism", "call-independence")
    lost = judged(bench, case, *map(repeat, range(2, 8)), preparing(3, missing=3))
    assert lost.broken == ("outputs-written", "determinism")
    assert f"no element of out was written {PREPARING[3]}" in lost.message


def test_call_that_prepares_is_judged_by_value_where_results_may_differ(bench: Any) -> None:
    """Where determinism is not promised, a wrong value is what shows."""
    case = planned(bench, deterministic=False)
    verdict = judged(bench, case, *map(repeat, range(2, 8)), preparing(3), wrong=(3,), launch=0)
    assert verdict.broken == ("formula",)
    assert f"3 of 3 elements of out are wrong {PREPARING[3]}" in verdict.message
