# SPDX-License-Identifier: Apache-2.0
"""Faults and variants are tried on real devices: what is found is named, nothing is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.qualify import trials
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.qualification import Qualification
from aclnn_cts.qualify.trials import try_devices
from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.run.campaign import Silent
from aclnn_cts.run.fault_injection import Change, build_faulty
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
    return try_devices(suite, known, "smoke", Silent(), 2)


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
        try_devices(suite, [known["logit-comment"]], "smoke", Silent(), 1)


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
    quick = try_devices(suite, tuple(entries(suite).values()), "smoke", Silent(), 2, first=True)
    assert [trial.entry.id for trial in quick.survivors] == ["logit-comment"]
    for fast, whole in zip(quick.faults, found.faults, strict=True):
        assert len(fast.notices) == int(whole.is_killed)
        assert {n.case for n in fast.notices} <= {n.case for n in whole.notices_by()}
    told = quick.as_json()
    assert told["first"]
    assert told["alarming"] == found.as_json()["alarming"]
