# SPDX-License-Identifier: Apache-2.0
"""Runs of simulated devices that stand for two releases, compared; and waivers for one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import Bed

from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.judging import judge_folder
from aclnn_cts.plan.cases import Case
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.results.document import read_results
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import load_specs

pytestmark = pytest.mark.end_to_end

SOURCE = "operators/logit_grad.cpp"
FORMULA = "return dy / (x * (1.0F - x));"
CALL = "return LogitGradient(xValue, dyValue, eps);"
TIMINGS = 10


@dataclass(frozen=True)
class Releases:
    """Results folders, each of a device of its own.

    Attributes:
        usual: The simulated device as it is.
        again: The same once more.
        exact: Rounds once, so the usual one is the less exact.
        faulty: Takes an estimate for a reciprocal.
        slow: Works longer at each element.
    """

    usual: Path
    again: Path
    exact: Path
    faulty: Path
    slow: Path


@pytest.fixture(scope="module")
def releases(bed: Bed, planned: Callable[..., tuple[Case, ...]], tmp_path_factory: Any) -> Releases:
    """Each device runs the same calls of one operator, those with float32 values."""
    root: Path = tmp_path_factory.mktemp("releases")
    every = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    cases = tuple(c for c in every if c.tensors[0].dtype == "float32" and c.expects_success)[:20]

    def run(name: str, change: Change | None = None) -> Path:
        asked = RunConfig(timings=TIMINGS)
        request = Request("atlas-a2", "smoke", DEFAULT_STANDARD, cases, root / name, asked, change)
        run_campaign(bed.suite, load_specs(bed.suite), request, Silent())
        judge_folder(root / name)
        return root / name

    exactly = "return static_cast<float>(dy / (static_cast<double>(x) * (1.0 - x)));"
    longer = f"for (volatile int i = 0; i < 3000; i = i + 1) continue;\n{CALL}"
    return Releases(
        usual=run("usual"),
        again=run("again"),
        exact=run("exact", bed.changed("exact", [(SOURCE, FORMULA, exactly)])),
        faulty=run("faulty", load_catalog(bed.suite).change("logit-reciprocal-estimate")),
        slow=run("slow", bed.changed("slow", [(SOURCE, CALL, longer)])),
    )


def compared(bed: Bed, base: Path, new: Path, *options: str) -> tuple[int, Any]:
    """Return the exit status of the command, and its JSON document."""
    done = bed.command("compare", str(base), str(new), "--format", "json", *options)
    assert not done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_fault_in_a_new_release_is_newly_failing(bed: Bed, releases: Releases) -> None:
    """Status 1, the cases, and the clause that they break; the other way round they pass anew."""
    status, found = compared(bed, releases.usual, releases.faulty)
    assert status == 1
    assert found["worse"]["failing"] > 0
    assert all("formula" in change["new_broken"] for change in found["cases"])
    (clause,) = [each for each in found["clauses"] if each["clause"] == "formula"]
    assert (clause["base"], clause["new"]) == ("pass", "fail")
    assert len(clause["newly_failing"]) == found["worse"]["failing"]
    assert ["fault", "", "logit-reciprocal-estimate"] in [
        list(each.values()) for each in found["differences"]
    ]
    status, back = compared(bed, releases.faulty, releases.usual, "--gate", "failing")
    assert {change["kind"] for change in back["cases"]} == {"newly-passing"}
    assert status == 0


def test_a_less_exact_release_has_drifted(bed: Bed, releases: Releases) -> None:
    """No verdict changes, and yet the gate tells: one more rounding in each result."""
    status, found = compared(bed, releases.exact, releases.usual, "--gate", "accuracy")
    assert status == 1
    assert found["cases"] == []
    groups = {(d["dtype"], d["figure"]) for d in found["accuracy"] if d["case"] is None}
    assert ("float32", "worst") in groups
    status, back = compared(bed, releases.usual, releases.exact)
    assert {drift["direction"] for drift in back["accuracy"]} == {"better"}
    assert status == 0


def test_a_slower_release_has_drifted(bed: Bed, releases: Releases) -> None:
    """A loop in each element is found in the operator and in single cases, with the gate for it.

    The factor leaves room for what else goes on at the host of the simulated device.
    """
    options = ("--gate", "time", "--time-factor", "3")
    status, found = compared(bed, releases.usual, releases.slow, *options)
    assert status == 1
    assert found["tested"]["cases"] == 20
    slower = [drift for drift in found["times"] if drift["direction"] == "worse"]
    assert any(drift["case"] is None for drift in slower)
    assert sum(drift["case"] is not None for drift in slower) >= 10
    assert {drift["samples"][0] for drift in slower if drift["case"]} == {TIMINGS}
    assert compared(bed, releases.usual, releases.slow, "--time-factor", "3")[0] == 0


def test_an_equal_release_has_not(bed: Bed, releases: Releases) -> None:
    """The same device again: every result bit for bit, so no error, and no time beyond chance."""
    options = ("--time-factor", "3", *(word for g in ALL for word in ("--gate", g)))
    status, found = compared(bed, releases.usual, releases.again, *options)
    assert (status, found["worse"]) == (0, {})
    assert found["cases"] == found["accuracy"] == []
    assert found["tested"]["cases"] == 20


ALL = ("failing", "unproven", "otherwise", "gone", "accuracy", "time")

WAIVER = """\
waivers:
  - id: estimate
    operator: aclnnLogitGrad
    cases: ["LogitGrad.*.float32.*"]
    failure: [value]
    max_ulp: {worst}
    reason: the reciprocal is an estimate
    link: https://example.org/tracker/1
    owner: Ada
    expires: {expires}
"""


def waived(bed: Bed, folder: Path, tmp_path: Path, worst: str, expires: str) -> Any:
    """Judge with a waiver; return the command's end."""
    path = tmp_path / "waivers.yaml"
    path.write_text(WAIVER.format(worst=worst, expires=expires))
    return bed.command("judge", str(folder), "--waivers", str(path), "--jobs", "1")


def test_a_known_failure_is_waived(bed: Bed, releases: Releases, tmp_path: Path) -> None:
    """Status 0 with all failures waived and shown as such; 1 for a larger error or too late."""
    done = waived(bed, releases.faulty, tmp_path, ".inf", "2999-12-31")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "estimate waives" in done.stdout
    document = read_results(releases.faulty)
    assert document.totals["waived"] > 0
    assert document.totals["fail"] == 0
    junit = (releases.faulty / "junit.xml").read_text()
    assert junit.count("<skipped") == document.totals["waived"]
    assert waived(bed, releases.faulty, tmp_path, "1", "2999-12-31").returncode == 1
    late = waived(bed, releases.faulty, tmp_path, ".inf", "2020-01-01")
    assert late.returncode == 1
    assert "expired on 2020-01-01, and waives nothing" in late.stdout


def test_an_improved_case_asks_for_its_waiver_to_go(
    bed: Bed, releases: Releases, tmp_path: Path
) -> None:
    """Status 3: it would hide the failure when it comes back."""
    done = waived(bed, releases.usual, tmp_path, ".inf", "2999-12-31")
    assert done.returncode == 3
    assert "estimate improved: unexpected improvement" in done.stdout


def test_compare_holds_waivers_against_both(bed: Bed, releases: Releases, tmp_path: Path) -> None:
    """A failure that is accepted today is no worse, whatever the runs were judged with."""
    path = tmp_path / "waivers.yaml"
    path.write_text(WAIVER.format(worst=".inf", expires="2999-12-31"))
    bed.command("judge", str(releases.faulty), "--jobs", "1")
    assert compared(bed, releases.usual, releases.faulty, "--gate", "failing")[0] == 1
    options = ("--gate", "failing", "--waivers", str(path))
    status, found = compared(bed, releases.usual, releases.faulty, *options)
    assert status == 0
    assert {change["waiver"] for change in found["cases"]} == {"estimate"}
    assert found["new"]["waived"] == len(found["cases"])
