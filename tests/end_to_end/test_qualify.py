# SPDX-License-Identifier: Apache-2.0
"""Faults and variants are tried on real devices: what is found is named, nothing is hidden."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.qualify import trials
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.kept_trials import TrialCache
from aclnn_cts.qualify.qualification import Qualification
from aclnn_cts.qualify.trials import Effort, try_devices
from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.run.campaign import Silent
from aclnn_cts.run.fault_injection import Change, build_faulty, sources_for
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import Suite

pytestmark = pytest.mark.end_to_end

OPERATOR = "aclnnLogitGrad"
SOURCE = "operators/logit_grad.cpp"
EDITS = {
    # Noticed by values.
    "logit-one-minus-x": ("(x * (1.0F - x))", "(x * (2.0F - x))"),
    # Noticed by a status.
    "logit-no-dtype-check": (
        "  RequireDataType({x, dy, out}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});\n",
        "",
    ),
    # Ends the program in each case.
    "logit-crash": ("  RequireNotNull({x, dy, out});\n", "  std::abort();\n"),
    # Nothing that a case could notice.
    "logit-comment": ("// dx of one element.", "// dx, of one element."),
}
VARIANTS = {
    "logit-cancelling": ("x * (1.0F - x)", "x - x * x"),
    "logit-remark": ("// dx of one element.", "// The dx of one element."),
    "logit-unbuildable": ("// dx of one element.", "no C++"),
}


def entries(suite: Suite) -> dict[str, Entry]:
    text = (suite.simulator / SOURCE).read_text()
    made = {}
    for name, (old, new) in (EDITS | VARIANTS).items():
        assert text.count(old) == 1
        changed = "#include <cstdlib>\n" + text.replace(old, new)
        change = Change(name, {SOURCE: changed}, "fault" if name in EDITS else "variant")
        clause = "dtype-unsupported" if "dtype" in name else "formula"
        made[name] = Entry(
            change, OPERATOR, (OPERATOR,), "atlas-a2", "Another device.", notices=(clause,)
        )
    return made


@pytest.fixture(scope="module")
def suite(bed: Any) -> Suite:
    """The suite in another folder, whose golden anchors and notes nobody needs."""
    root = bed.root / "suites" / "qualify"
    root.mkdir(parents=True)
    for part in ("harness", "simulator", "generated_tests", "specs"):
        (root / part).symlink_to(bed.suite.root / part)
    return Suite(root)


@pytest.fixture(scope="module")
def found(suite: Suite) -> Qualification:
    known = tuple(entries(suite).values())
    return try_devices(suite, known, Effort("smoke", reuse=False), Silent(), 2)


def test_faults_are_noticed_by_the_right_clause(found: Qualification) -> None:
    """A wrong value breaks the formula, a missing check its error, and nothing else is blamed."""
    rows = {row["fault"]: row for row in found.as_json()["matrix"]}
    assert rows["logit-one-minus-x"]["clauses"]["formula"] > 10
    assert rows["logit-one-minus-x"]["unnamed"] == []
    assert rows["logit-no-dtype-check"]["clauses"]["dtype-unsupported"] > 1
    assert "formula" not in rows["logit-no-dtype-check"]["clauses"]
    assert rows["logit-one-minus-x"]["cheapest"]["elements"] < 200


def test_a_device_that_dies_is_noticed_in_every_case(found: Qualification) -> None:
    """A crash is red by each standard, and the program is started again for the cases left."""
    row = next(row for row in found.as_json()["matrix"] if row["fault"] == "logit-crash")
    assert row["killed"]
    assert row["standards"]["strict"] == row["standards"]["ecosystem"] > 20


def test_a_survivor_is_named(found: Qualification) -> None:
    """A fault that changes nothing survives, and the rest counts without it."""
    assert [trial.entry.id for trial in found.survivors] == ["logit-comment"]
    told = found.as_json()
    assert (told["faults"], told["killed"]) == (4, 3)
    assert json.loads(json.dumps(told)) == told


def test_the_unharmed_device_passes_on_every_product(found: Qualification) -> None:
    """All products that the operator's document mentions were run without a fault first."""
    assert len(found.unharmed) == 6
    assert all(cases > 0 for cases in found.unharmed.values())


def test_no_fault_is_tried_on_a_device_that_fails_without_one(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each fault would seem to be noticed."""
    known = entries(suite)
    harmed = build_faulty(
        suite, build_parts(suite, find_compiler()), known["logit-one-minus-x"].change
    )
    programs = build_programs(suite, find_compiler(), build_simulator(suite, find_compiler()))
    monkeypatch.setattr(trials, "build_simulator", lambda *_: harmed)
    monkeypatch.setattr(trials, "build_programs", lambda *_: programs)
    with pytest.raises(NotTrustworthyError, match=r"LogitGrad\..* does not pass on the unmodified"):
        try_devices(suite, [known["logit-comment"]], Effort("smoke"), Silent(), 1)


def test_alarms_are_named(found: Qualification) -> None:
    """A device on which cases fail raises one alarm, and so does one that does not build."""
    told = found.as_json()
    assert (told["variants"], told["alarms"]) == (3, 2)
    assert told["alarming"] == ["logit-cancelling", "logit-unbuildable"]
    rows = {row["variant"]: row for row in told["right_devices"]}
    assert any("formula" in case["clauses"] for case in rows["logit-cancelling"]["not_passed"])
    assert rows["logit-unbuildable"]["left_open"]
    assert not found.is_trusted


def test_a_fault_is_judged_until_a_case_notices_it(suite: Suite, found: Qualification) -> None:
    """With ``first``, each fault has one of its notices, survivors survive, alarms are whole."""
    quick = try_devices(
        suite, tuple(entries(suite).values()), Effort("smoke", first=True), Silent(), 2
    )
    assert [trial.entry.id for trial in quick.survivors] == ["logit-comment"]
    for fast, whole in zip(quick.faults, found.faults, strict=True):
        assert len(fast.notices) == int(whole.is_killed)
        assert {n.case for n in fast.notices} <= {n.case for n in whole.notices_by()}
    told = quick.as_json()
    assert told["first"]
    assert told["alarming"] == found.as_json()["alarming"]


def forbid_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a device was tried")

    monkeypatch.setattr(trials.Bench, "try_device", refuse)


def test_devices_are_not_tried_again_without_a_change(
    suite: Suite, found: Qualification, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that was noticed, and a variant that passed, have the trial that they had."""
    forbid_trials(monkeypatch)
    known = entries(suite)
    names = ("logit-one-minus-x", "logit-no-dtype-check", "logit-remark")
    again = try_devices(suite, [known[name] for name in names], Effort("smoke"), Silent(), 1)
    before = {trial.entry.id: trial for trial in found.trials}
    assert again.trials == tuple(before[name] for name in names)
    assert again.unharmed == found.unharmed


@pytest.mark.parametrize("name", ["logit-comment", "logit-cancelling", "logit-unbuildable"])
def test_survivors_and_alarms_are_tried_again(
    suite: Suite, found: Qualification, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """So is each device with another effort."""
    del found  # it is tried before
    forbid_trials(monkeypatch)
    for effort, device in ((Effort("smoke"), name), (Effort("standard"), "logit-remark")):
        with pytest.raises(AssertionError, match="a device was tried"):
            try_devices(suite, [entries(suite)[device]], effort, Silent(), 1)


def test_a_device_whose_sources_differ_is_another_one(
    suite: Suite, found: Qualification, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The id alone says nothing about it."""
    del found
    forbid_trials(monkeypatch)
    entry = entries(suite)["logit-remark"]
    changed = {path: f"{text}\n" for path, text in entry.change.sources.items()}
    other = replace(entry, change=replace(entry.change, sources=changed))
    with pytest.raises(AssertionError, match="a device was tried"):
        try_devices(suite, [other], Effort("smoke"), Silent(), 1)


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("specs/aclnnLogitGrad.yaml", True),
        ("specs/precision.yaml", True),
        ("specs/aclnnMishBackward.yaml", False),
        ("generated_tests/aclnnLogitGrad.cpp", True),
        ("generated_tests/aclnnMishBackward.cpp", False),
        ("harness/src/main.cpp", True),
    ],
)
def test_trials_are_kept_for_a_state_of_what_they_depend_on(
    suite: Suite, tmp_path: Path, file: str, *, counts: bool
) -> None:
    """A change of another operator leaves them valid."""
    parts, specs = build_parts(suite, find_compiler()), load_specs(suite)
    keys = []
    for number in range(2):
        root = tmp_path / str(number)
        for name in ("specs", "generated_tests", "harness"):
            shutil.copytree(suite.root / name, root / name)
        (root / "simulator").symlink_to(suite.simulator)
        with (root / file).open("a", encoding="utf-8") as changed:
            changed.write("\n" * number)
        keys.append(TrialCache.of(Suite(root), parts, specs, OPERATOR, "g++").key)
    assert (keys[0] != keys[1]) is counts


def test_a_kernel_depends_on_what_it_includes(suite: Suite) -> None:
    """The sources of other operators do not count."""
    parts = build_parts(suite, find_compiler())
    names = {path.name for path in sources_for(parts, {"aclnnGroupNorm"})}
    assert {"group_norm.h", "aclnn_group_norm.h"} <= names
    assert not names & {"logit_grad.cpp", "aclnn_logit_grad.h"}
