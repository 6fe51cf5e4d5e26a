# SPDX-License-Identifier: Apache-2.0
"""The release note that `aclnn-cts coverage --against` prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy.typing as npt
import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.coverage.edition_comparison import compare, note_lines, notes_as_json
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

LOGIT = "aclnnLogitGrad"
GROUP_NORM = "aclnnGroupNormSwishGrad"
EDITIONS = ("--against", "earlier", "--tier", "smoke")

NOTE = """\
From edition earlier to current; cases of tier smoke

aclnnLogitGrad
  Products
    ascend-950: unlisted → supported
  Promises
    came out-rank: out has 0 to 8 dimensions [parameters, out, dimensions] (393 cases)
  Refusals and their status
    changed null-pointer (3 → 12 cases)
      basis: refusal → status
      status: nothing → ACLNN_ERR_PARAM_NULLPTR
    changed dtype-unsupported (32 → 38 cases)
      basis: refusal → status
      status: nothing → ACLNN_ERR_PARAM_INVALID
    changed rank-above-eight (15 → 20 cases)
      text: x and dy have at most 8 dimensions → x, dy and out have at most 8 dimensions
      place: parameters, x and dy, dimensions → parameters, dimensions
      rank_outside: x, dy → x, dy, out
    unchanged, at another place: dtype-differs, shape-differs
  Determinism
    came determinism: repeated calls give the same bits (ascend-950, atlas-a3, atlas-a2)
        [constraints, determinism] (382 cases)
  Not promised
    went repeatability: whether repeated calls give the same bits
  Cases
    atlas-a2: 20 came, 0 went, 638 stayed
  About the copy of earlier
    The error table; the current rows apply, without their statuses.
    The formula; it is taken as in the current edition.
    The link that said what the phrase about non-contiguous tensors means; it is taken as in the
        current edition.
"""


def run(*arguments: str) -> tuple[int, str]:
    """Run the command line and return its status and all it said."""
    result = CliRunner().invoke(app, ["coverage", *arguments])
    return result.exit_code, result.output


def test_the_note() -> None:
    """The whole note of one operator on one product."""
    assert run(*EDITIONS, "--operator", LOGIT, "--product", "atlas-a2") == (0, NOTE)
    page = (find_suite().root / "docs" / "promises.md").read_text(encoding="utf-8")
    example = page.partition("```text\nFrom edition")[2].partition("```")[0].splitlines()
    assert len(example) > 10
    assert {line for line in example[1:] if line.strip() != "…"} <= set(NOTE.splitlines())


def test_nothing_differs() -> None:
    """An edition compared with itself, by whatever name, is not a failure."""
    code, said = run("--against", "current", "--edition", "2026-08")
    assert code == 0
    assert said == "nothing differs between the editions current and current\n"


def test_json_has_the_ids() -> None:
    """The data hold the ids of the cases that came and went, each in one edition only."""
    code, said = run(*EDITIONS, "--operator", GROUP_NORM, "--product", "atlas-a2", "--json")
    assert code == 0
    data = json.loads(said)
    assert (data["format"], data["before"], data["after"]) == (
        "aclnn-cts/diff/1", "earlier", "current",
    )  # fmt: skip
    [note] = data["operators"]
    moved = note["cases"]["atlas-a2"]
    now = {case.id for case in plan(load_specs(find_suite()), "atlas-a2", "smoke", [GROUP_NORM])}
    then_specs = load_specs(find_suite(), "earlier")
    then = {case.id for case in plan(then_specs, "atlas-a2", "smoke", [GROUP_NORM])}
    assert set(moved["came"]) == now - then
    assert set(moved["went"]) == then - now
    assert moved["stayed"] == len(now & then)
    changed = {item["id"]: item for item in note["changes"]}
    went = changed["dx-out-non-contiguous"]
    assert went["kind"] == "went"
    assert went["cases_before"] > went["cases_after"] == 0
    assert note["differing_outcomes"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*EDITIONS, "--first"), "exclude each other"),
        (("--against", "earlier", "--edition", "later"), "unknown edition 'later'; "),
        ((*EDITIONS, "--operator", "aclnnLogitgrad"), "did you mean 'aclnnLogitGrad'"),
        ((*EDITIONS, "--product", "atlas-a22"), "did you mean 'atlas-a2'"),
        ((*EDITIONS, "--tier", "smok"), "did you mean 'smoke'"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], message: str) -> None:
    """A slip ends in a sentence and status 2."""
    code, said = run(*arguments)
    assert code == 2
    assert message in said


def changed(specs: SpecSet, **update: Any) -> SpecSet:
    """Return specs in which one operator says something else."""
    spec = specs.operator(LOGIT).model_copy(update=update)
    return replace(specs, operators={**specs.operators, LOGIT: spec}, edition="other")


def test_other_results_are_counted(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where value clauses differ, the data tell of how many cases other results are allowed.

    Two products with one arithmetic have the same calls, each evaluated once.
    """
    evaluated: list[str] = []

    def spied(specs: SpecSet, case: Case) -> dict[str, npt.NDArray[Any]]:
        evaluated.append(case.digest)
        return make_inputs(specs, case)

    monkeypatch.setattr("aclnn_cts.golden.reach.make_inputs", spied)
    kept = [each for each in specs.operator(LOGIT).clauses if each.id != "eps-nan"]
    products = ("atlas-a2", "atlas-a3")
    other = changed(specs, clauses=kept)
    note = compare(other, specs, LOGIT, products, "smoke")
    nan = [c.digest for c in planned("atlas-a2", "smoke", LOGIT) if "eps_nan" in c.id]
    assert 0 < note.outcomes <= len(nan)
    assert len(set(evaluated)) == len(evaluated)
    assert any("other results are allowed in" in line for line in note_lines(note))
    [value] = note.changes
    assert (value.change.id, value.before, value.after) == ("eps-nan", None, None)
    # Data that nobody needs are not made.
    monkeypatch.setattr("aclnn_cts.golden.reach.make_inputs", None)
    earlier = load_specs(find_suite(), "earlier")
    compare(earlier, specs, LOGIT, ("atlas-a2",), "smoke")


def test_other_budgets_are_told(specs: SpecSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edition that differs in its precision alone does not pass for the same one."""
    monkeypatch.setattr("aclnn_cts.coverage.edition_comparison.differing_outcomes", lambda *_: 0)
    [budget] = specs.operator(LOGIT).precision
    fewer = budget.model_copy(update={"allowances": budget.allowances[:1]})
    other = changed(specs, precision=[fewer])
    note = compare(specs, other, LOGIT, ("atlas-a2",), "smoke")
    told = " ".join(" ".join(note_lines(note)).split())
    assert "Precision changed out" in told
    assert f"allowances: {', '.join(budget.allowances)} → {budget.allowances[0]}" in told


def test_other_results_alone_are_told(specs: SpecSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no promise differs in its words, other allowed results still are a difference."""
    monkeypatch.setattr("aclnn_cts.coverage.edition_comparison.differing_outcomes", lambda *_: 1)
    other = changed(specs, golden="glu_backward")
    note = compare(specs, other, LOGIT, ("atlas-a2",), "smoke")
    assert (note.changes, note.differs) == ((), True)
    assert "    other results are allowed in 1 call that stayed" in list(note_lines(note))
    assert notes_as_json([note])[0]["differing_outcomes"] == 1


def test_check_takes_no_edition() -> None:
    """Generated files belong to all editions, so `generate --check` cannot look at one."""
    result = CliRunner().invoke(app, ["generate", "--check", "--edition", "earlier"])
    assert result.exit_code == 2
    assert "leave out --edition" in result.output
