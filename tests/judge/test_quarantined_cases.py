# SPDX-License-Identifier: Apache-2.0
"""A case whose golden data are quarantined: run, judged but for its values, never passed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.spec.quarantine import Quarantine, QuarantineEntry

X, DY = [0.25, 0.5, 0.75], [1.0, 2.0, 3.0]
NAME = "LogitGrad.special.float32.3.0123456789"
ENTRY = QuarantineEntry.model_validate(
    {
        "operator": "aclnnLogitGrad",
        "case": "LogitGrad.special.*",
        "reason": "the formula rounds twice",
        "found": "2026-11-21",
        "measured": "out[0]: golden 1.0, exact 2.0",
    }
)


def judged(bench: Any, told: Any) -> CaseVerdict:
    specs = replace(bench.specs, quarantine=Quarantine(quarantined=[ENTRY]))
    verdict: CaseVerdict = bench.judge(told, specs)
    return verdict


def test_right_values_do_not_pass(bench: Any) -> None:
    """What agrees with a wrong golden value proves nothing; the message says why and since when."""
    case = bench.case(NAME, X, DY)
    verdict = judged(bench, bench.kept(case))
    assert verdict.verdict is Verdict.UNTRUSTED
    assert verdict.message == (
        "its golden data are quarantined since 2026-11-21: the formula rounds twice"
    )
    assert verdict.standards["strict"].passed


def test_wrong_values_are_not_the_device_s_fault(bench: Any) -> None:
    """What disagrees with a wrong golden value is a remark, breaks no clause and has no samples."""
    case = bench.case(NAME, X, DY)
    verdict = judged(bench, bench.kept(case, np.zeros(3, np.float32)))
    assert verdict.verdict is Verdict.UNTRUSTED
    assert (verdict.broken, verdict.kinds, verdict.samples) == ((), frozenset(), ())
    [remark] = verdict.remarks
    assert remark == "by golden data that are quarantined: 3 of 3 elements of out are wrong"


def test_another_case_is_judged_as_ever(bench: Any) -> None:
    """The entry speaks of the cases that its pattern fits, and of no others."""
    case = bench.case("LogitGrad.base.float32.3.0123456789", X, DY)
    assert judged(bench, bench.kept(case)).verdict is Verdict.PASS
    wrong = bench.kept(case, np.zeros(3, np.float32))
    assert judged(bench, wrong).verdict is Verdict.FAIL


def test_readings_of_contested_elements_are_not_told(bench: Any) -> None:
    """Which reading a device follows is told by the golden value."""
    case = bench.case(NAME, [0.0, 0.25, 0.5], DY, eps=0.1)
    other = bench.case("LogitGrad.base.float32.3.0123456789", [0.0, 0.25, 0.5], DY, eps=0.1)
    right = bench.right(case)
    assert judged(bench, bench.kept(other, right)).contests
    assert not judged(bench, bench.kept(case, right)).contests


@pytest.mark.parametrize("event", ["status", "repeat", "memory"])
def test_what_needs_no_golden_value_still_fails(bench: Any, event: str) -> None:
    """A wrong status, runs that differ, and writes outside are faults whatever the formula says."""
    case = bench.case(NAME, X, DY)
    told = bench.kept(case)
    if event == "status":
        told = bench.refused(case)
    if event == "repeat":
        told = bench.kept(case, different=1, first=0)
        told[1][-1:-1] = [{**each, "case": case.id} for each in bench.repeats(1)]
    if event == "memory":
        finding = {"event": "memory", "run": 0, "tensor": "out", "kind": "guard-rear"}
        finding |= {"unit": "byte", "first": 5, "count": 2, "case": case.id}
        told = (told[0], [*told[1][:-1], finding, told[1][-1]], told[2])
    assert judged(bench, told).verdict is Verdict.FAIL


def test_a_refusal_has_no_golden_data(bench: Any) -> None:
    """A call that was rightly refused passes, whatever patterns fit its id."""
    case = replace(bench.refusal("r"), id=NAME)
    bench.inputs[NAME] = {}
    assert judged(bench, bench.refused(case)).verdict is Verdict.PASS
