# SPDX-License-Identifier: Apache-2.0
"""The whole way, from plan to verdict, on the simulated device."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import make_report
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.planned_cases import PlannedCases

pytestmark = pytest.mark.end_to_end

Planned = Callable[..., tuple[Case, ...]]
OPERATORS = (
    "aclnnDropoutBackward",
    "aclnnGroupNormSwishGrad",
    "aclnnInplaceLeakyRelu",
    "aclnnMaxPool2dWithMaskBackward",
    "aclnnPreluBackward",
    "aclnnSoftmaxBackward",
)
CLEAN = {Verdict.PASS, Verdict.CONTESTED_ONLY}


def test_the_smoke_tier_passes(bed: Any, planned: Planned) -> None:
    """Every third case of operators of each kind of formula: none fails, none is missing.

    `tox -e qualify` runs all operators on all products, `tox -e verdict` more of one.
    """
    product = "atlas-a3"
    cases = planned(product, "smoke", *OPERATORS)[::3]
    report = bed.judged(product, cases)
    assert {v.id: v.message for v in report.document.cases if v.verdict not in CLEAN} == {}
    assert report.document.problems == ()
    assert report.exit_code == ExitCode.PASSED
    assert {v.id for v in report.document.cases} == {case.id for case in cases}


@pytest.fixture(scope="module")
def good(bed: Any, planned: Planned) -> RunFolder:
    """A small clean run."""
    cases = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    run: RunFolder = bed.run("atlas-a2", tuple(cases[:12]))
    assert make_report(run.path).exit_code == ExitCode.PASSED
    return run


def test_an_altered_input_is_noticed(good: RunFolder, tmp_path: Path) -> None:
    """Input data that are not those of the run judge nothing."""
    cases = good.cases.of("aclnnLogitGrad").values()
    data = [planned.data for planned in cases if planned.case.expects_success]
    for path in (each.path for each in data if each is not None and each.path is not None):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(good.store / path, tmp_path / path)
    try:
        replace(good, store=tmp_path).save()
        assert make_report(good.path).exit_code == ExitCode.PASSED
        content = (tmp_path / path).read_bytes()
        (tmp_path / path).write_bytes(content[:-1] + bytes([content[-1] ^ 0x40]))
        with pytest.raises(NotTrustworthyError, match="changed since the run"):
            make_report(good.path)
    finally:
        good.save()


def test_missing_inputs_are_made_again(good: RunFolder, tmp_path: Path) -> None:
    """They follow from the plan, so pruning the cache does not make a run worthless."""
    try:
        replace(good, store=tmp_path / "data").save()
        assert make_report(good.path).exit_code == ExitCode.PASSED
    finally:
        good.save()


@pytest.mark.parametrize("part", ["outputs", "events"])
@pytest.mark.parametrize("damage", ["cut", "low bit", "high bit", "empty", "longer", "gone"])
def test_altered_records_are_noticed(good: RunFolder, part: str, damage: str) -> None:
    """What the programs left is judged as they left it; a bit within any tolerance counts."""
    path = good.programs[0].outputs if part == "outputs" else good.programs[0].events
    kept = path.read_bytes()
    middle = len(kept) // 2
    altered = {
        "cut": kept[:middle],
        "low bit": kept[:middle] + bytes([kept[middle] ^ 1]) + kept[middle + 1 :],
        "high bit": kept[:middle] + bytes([kept[middle] ^ 0x40]) + kept[middle + 1 :],
        "empty": b"",
        "longer": kept + kept,
        "gone": b"",
    }[damage]
    try:
        path.write_bytes(altered)
        if damage == "gone":
            path.unlink()
        said = "is missing; run it again" if damage == "gone" else "has changed since the run"
        with pytest.raises(NotTrustworthyError, match=f"{path.name}: {said}"):
            make_report(good.path)
    finally:
        path.write_bytes(kept)
    assert make_report(good.path).exit_code == ExitCode.PASSED


def test_a_case_that_was_dropped_from_the_plan(good: RunFolder) -> None:
    """Taking a failing case out of the record, seals and all, does not help: its events tell."""
    try:
        _, *others = good.cases.of("aclnnLogitGrad").values()
        replace(good, cases=PlannedCases.pack(others)).save()
        assert make_report(good.path).exit_code == ExitCode.NOT_TRUSTWORTHY
    finally:
        good.save()
