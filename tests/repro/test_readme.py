# SPDX-License-Identifier: Apache-2.0
"""What the README of a reproducer says about a case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from aclnn_cts.emit.reproducer import readme_text
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.repro.observed import ObservedCase
from aclnn_cts.repro.readme import tell
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.loading import SpecSet


def observed(specs: SpecSet, case: Case, *broken: str) -> ObservedCase:
    """Return a case that failed as it was planned, on the simulated device."""
    device = Device("simulator", "atlas-a2", "Ascend910B3", "8.0")
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL, broken)
    return ObservedCase(case, case, verdict, device, "strict", "smoke", specs.edition)


def test_a_failure_that_takes_other_cases_is_told(
    specs: SpecSet, planned: Callable[[str, str], tuple[Case, ...]]
) -> None:
    """The README says that the program may pass, and which calls came before."""
    case = planned("atlas-a2", "smoke")[0]
    known = observed(specs, case)
    behind = tell(specs, replace(known, after=("LogitGrad.a", "LogitGrad.b")), "")
    assert "makes the call alone, and may pass" in behind.outcome
    assert any("LogitGrad.a, LogitGrad.b" in line for line in behind.left_out)
    alone = tell(specs, known, "")
    assert "may pass" not in alone.outcome
    assert not any("before it" in line for line in alone.left_out)


def test_a_type_in_which_alone_values_are_wrong_says_where(
    specs: SpecSet, planned: Callable[[str, str], tuple[Case, ...]]
) -> None:
    """The README is about what was computed wrong; a type that was accepted is no bug report."""
    case = next(c for c in planned("atlas-a2", "smoke") if c.operator == "aclnnLogitGrad")
    known = observed(specs, case, "formula")
    common = Common("bfloat16", ("x-dtype", "dy-dtype"))
    blamed = ("formula", "x-dtype", "dy-dtype")
    told = tell(specs, replace(known, blamed=blamed, only_in=(common,)), "")
    assert told.title.startswith("aclnnLogitGrad does not keep: dx is")
    assert [each.id for each in told.broken] == ["formula"]
    assert "wrong only in bfloat16 (x-dtype, dy-dtype)." in readme_text(told)


def test_the_command_names_a_standard_only_if_it_must(
    specs: SpecSet, planned: Callable[[str, str], tuple[Case, ...]]
) -> None:
    """As in every other command that reports print: the usual one goes without saying."""
    case = planned("atlas-a2", "smoke")[0]
    known = observed(specs, case)
    assert "--standard" not in "".join(tell(specs, known, "").origin)
    other = tell(specs, replace(known, standard="ecosystem"), "")
    assert "--standard ecosystem" in "".join(other.origin)


def test_the_command_takes_the_simulated_device_if_that_showed_it(
    specs: SpecSet, planned: Callable[[str, str], tuple[Case, ...]]
) -> None:
    """Who reads it elsewhere has a toolkit in a folder of his own, which is not named."""
    case = planned("atlas-a2", "smoke")[0]
    known = observed(specs, case)
    assert "--simulator" in tell(specs, known, "").origin[1]
    card = replace(known, device=replace(known.device, kind="hardware"), cann=Path("/opt/cann"))
    told = tell(specs, card, "").origin[1]
    assert "--simulator" not in told
    assert "--cann" not in told
