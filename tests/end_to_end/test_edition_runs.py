# SPDX-License-Identifier: Apache-2.0
"""An earlier edition, from plan to verdict, on the simulated device of its release."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import only

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.judging import Report, make_report
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.layouts import is_contiguous
from aclnn_cts.plan.planner import plan
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.folder import RunFolder, open_run
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

GROUP_NORM = "aclnnGroupNormSwishGrad"
PRELU = "aclnnPreluBackward"


@pytest.fixture(scope="module")
def folder(bed: Any) -> Path:
    """Cases of the earlier edition on one product, run by the command line."""
    path: Path = bed.root / "results" / "earlier"
    options = (
        *("--edition", "earlier", "--product", "atlas-training"),
        *only(["PreluBackward.cover.*"]),
    )
    ended = bed.command("run", *options, "--results", str(path))
    assert ended.returncode == ExitCode.PASSED, ended.stdout + ended.stderr
    assert "standard strict, edition earlier" in ended.stdout
    return path


def test_the_edition_is_recorded(folder: Path) -> None:
    """All three files of a run say which edition its cases are of."""
    assert json.loads((folder / "run.json").read_text())["edition"] == "earlier"
    results = json.loads((folder / "results.json").read_text())
    assert results["edition"] == "earlier"
    assert results["totals"]["planned"] == results["totals"]["pass"]
    assert '<property name="edition" value="earlier"' in (folder / "junit.xml").read_text()


def test_the_judge_uses_the_edition_of_the_run(bed: Any, folder: Path) -> None:
    """Judging again needs no option, and tells the promises of the run's own edition."""
    ended = bed.command("judge", str(folder))
    assert ended.returncode == ExitCode.PASSED
    assert ", edition earlier" in ended.stdout
    clauses = {(clause.operator, clause.clause) for clause in make_report(folder).document.clauses}
    assert (PRELU, "grad-weight-shape") in clauses
    assert (PRELU, "self-empty") not in clauses


def test_an_edition_that_no_spec_has(folder: Path) -> None:
    """A record that names one is damaged, not a reason to judge by other promises."""
    kept = open_run(folder, find_suite())
    replace(kept, edition="later").save()
    try:
        with pytest.raises(NotTrustworthyError, match=r"is damaged \(unknown edition 'later'"):
            make_report(folder)
    finally:
        kept.save()


def current_device(bed: Any, cases: tuple[Case, ...]) -> Report:
    """Run cases of the earlier edition on today's device, and judge them."""
    specs = load_specs(bed.suite, "earlier")
    results = bed.root / "results" / f"current-{cases[0].operator}"
    asked = RunConfig(devices=(0, 0))
    request = Request("atlas-a2", "smoke", DEFAULT_STANDARD, cases, results, asked)

    run: RunFolder = run_campaign(bed.suite, replace(specs, edition="current"), request, Silent())
    replace(run, edition="earlier").save()
    return make_report(results)


def test_a_device_of_today_breaks_an_earlier_promise(bed: Any) -> None:
    """Non-contiguous outputs, which the current page excludes, are refused: no other case fails."""
    specs = load_specs(bed.suite, "earlier")
    planned = plan(specs, "atlas-a2", "smoke", [GROUP_NORM])
    chosen = tuple(case for case in planned if case.scene in ("cover", "layout", "null-pointer"))
    report = current_device(bed, chosen)
    cases = {case.id: case for case in report.run.cases}
    layouts = {
        name: {
            f"{tensor.layout}"
            for tensor in case.outputs
            if not is_contiguous(tensor.shape, tensor.strides)
        }
        for name, case in cases.items()
        if case.expects_success
    }
    failed = {v.id for v in report.document.cases if v.verdict.breaks_promise}
    assert failed
    assert failed == {name for name, found in layouts.items() if found}
    story = report.case(min(failed)).story
    assert "--edition earlier" in story
    assert report.exit_code == ExitCode.BROKEN_PROMISE


def test_a_device_of_today_wants_another_shape_of_grad_weight(bed: Any) -> None:
    """The earlier page asks for one dimension where weight has several elements."""
    specs = load_specs(bed.suite, "earlier")
    differing = [
        case
        for case in plan(specs, "atlas-a2", "standard", [PRELU], PlanCache.of(bed.suite))
        if case.expects_success and case.tensor("gradWeight").shape != case.tensor("weight").shape
    ]
    report = current_device(bed, tuple(differing[:8]))
    assert [verdict.verdict.breaks_promise for verdict in report.document.cases] == [True] * 8
