# SPDX-License-Identifier: Apache-2.0
"""The commands coverage and explain, as a user sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.comparing_runs import case
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.coverage import clause_coverage
from aclnn_cts.coverage.reached_cases import CoverageQuestion, ReachedCases, reached_cases
from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import ClauseVerdict, write_document

SMOKE = ("--tier", "smoke", "--jobs", "1")
LOGIT = ("--operator", "aclnnLogitGrad")


@pytest.fixture(scope="module", autouse=True)
def evaluated() -> Iterator[dict[CoverageQuestion, ReachedCases]]:
    """What was asked, with the answers: many of these tests are about how one of them is told."""
    answers: dict[CoverageQuestion, ReachedCases] = {}

    def once(question: CoverageQuestion, *arguments: Any) -> ReachedCases:
        if question not in answers:
            answers[question] = reached_cases(question, *arguments)
        return answers[question]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clause_coverage, "reached_cases", once)
        yield answers


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str) -> Result:
        result = CliRunner().invoke(cli.app, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return result

    return invoke


def test_coverage_as_json(run: Any) -> None:
    """One entry for each clause; the exit status tells whether any is uncovered."""
    result = run("coverage", *LOGIT, "--product", "atlas-a2", *SMOKE, "--json")
    entries = json.loads(result.stdout)["clauses"]
    whole = all(entry["state"] in ("covered", "not promised") for entry in entries)
    assert result.exit_code == (ExitCode.PASSED if whole else ExitCode.BROKEN_PROMISE)
    formula = next(entry for entry in entries if entry["clause"] == "formula")
    assert formula["operator"] == "aclnnLogitGrad"
    assert formula["positive"] > 0
    assert formula["negative"] > 0
    assert formula["reason"] is None


@pytest.mark.parametrize("operator", ["aclnnLogitGrad", "aclnnSoftshrink"])
def test_coverage_by_the_first_cases(run: Any, operator: str) -> None:
    """Each clause has the state and reasons that all cases give it, for fewer evaluated cases."""
    asked = ("coverage", "--operator", operator, *SMOKE, "--json")
    whole, first = run(*asked), run(*asked, "--first")
    assert first.exit_code == whole.exit_code
    entries, quick = (json.loads(result.stdout)["clauses"] for result in (whole, first))
    for known, found in zip(entries, quick, strict=True):
        for key in ("operator", "clause", "state", "reason", "gaps", "stale"):
            assert found[key] == known[key]
        for direction in ("positive", "negative"):
            assert bool(found[direction]) is bool(known[direction])
            assert found[direction] <= known[direction]
    fewer = any(
        found["positive"] < known["positive"] for known, found in zip(entries, quick, strict=True)
    )
    assert fewer is (operator == "aclnnSoftshrink")


def test_coverage_for_people(run: Any) -> None:
    """A table, the silences of the document, and how many clauses are covered."""
    output = run("coverage", *LOGIT, "--product", "atlas-a2", *SMOKE).stdout
    assert "eps-negative-outside" in output
    assert "zero-sign: the sign of a result that is 0" in output
    assert "clauses covered" in output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("coverage", "--operator", "aclnnLogitGrat"), "did you mean 'aclnnLogitGrad'"),
        (("coverage", "--product", "atlas_a2"), "did you mean 'atlas-a2'"),
        (("coverage", "--tier", "none"), "unknown tier 'none'"),
        (("coverage", "--since", "nothing"), "--since: git says: "),
        (("explain", "LogitGrad/eps-onee"), "did you mean 'aclnnLogitGrad/eps-one'"),
        (("explain", "aclnnLogitGrad"), "`aclnn-cts explain aclnnLogitGrad/CLAUSE`"),
        (("explain", "aclnnLogitGrad.eps-one"), "did you mean 'aclnnLogitGrad/eps-one'"),
        (("explain", "eps-onne"), "did you mean 'eps-one'"),
        (("explain", "shape-differs"), "/shape-differs`"),
        (("explain", "eps-one", "--results", "nowhere"), "give the folder that `aclnn-cts run"),
    ],
)
def test_wrong_names(run: Any, arguments: tuple[str, ...], sentence: str) -> None:
    """One sentence, with what would be right."""
    result = run(*arguments)
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert sentence in result.output


@pytest.mark.parametrize("name", ["eps-one", "LogitGrad/eps-one", "aclnnLogitGrad/eps-one"])
def test_explain_a_value_clause(run: Any, name: str) -> None:
    """Text, place, condition, contradictions, cases."""
    output = run("explain", name, *SMOKE).stdout
    assert "with eps equal to 1 the result is Inf" in output
    assert "when:         eps == 1" in output
    assert "contradicts:  eps-outside" in output
    assert "--case LogitGrad." in output


def test_explain_shows_the_formula(run: Any) -> None:
    """A clause about values is read beside the expressions that give them."""
    output = run("explain", "aclnnLogitGrad/formula", *SMOKE).stdout
    assert "formula:      complement = 1 - x\n" in output


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("dtype-unsupported", "broken by:    dtype outside support: x, dy, out"),
        ("x-non-contiguous", "a permission"),
        ("product-support", "row of the table of products"),
        ("two-phase", "clause that all operators share"),
        ("zero-sign", "a silence of the document"),
    ],
)
def test_explain_other_clauses(run: Any, name: str, sentence: str) -> None:
    """Each kind of clause has its story."""
    result = run("explain", name, *LOGIT, *SMOKE)
    assert result.exit_code == ExitCode.PASSED
    assert sentence in result.stdout


def test_values_are_evaluated_for_value_clauses(
    run: Any, evaluated: dict[CoverageQuestion, ReachedCases]
) -> None:
    """What another clause has for cases shows in the plan."""
    for name in ("eps-one", "product-support"):
        run("explain", name, *LOGIT, *SMOKE)
    assert {question.values for question in evaluated} == {True, False}
    for question, answer in evaluated.items():
        reached = (case.reach for cases in answer.values() for case in cases)
        assert any(reach.applied for reach in reached) is question.values


def test_explain_a_rule_and_a_shared_id(run: Any) -> None:
    """A rule tells its condition; an id of several operators is told for each."""
    rule = run("explain", "DropoutBackward/scale-range", *SMOKE).stdout
    assert "require:      scale == 0 or scale >= 1" in rule
    silences = run("explain", "zero-sign").stdout
    assert silences.count("/zero-sign") > 1


def test_coverage_of_nothing(run: Any) -> None:
    """Where no document promises anything, nothing is covered."""
    result = run("coverage", *LOGIT, "--edition", "earlier", "--product", "ascend-950", *SMOKE)
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert "no clause is promised" in result.stdout


def test_explain_names_the_edition(run: Any) -> None:
    """The commands that run its examples are of the edition that was asked for."""
    output = run("explain", "eps-outside", "--edition", "earlier", *SMOKE).stdout
    assert "aclnn-cts run --product atlas-a2 --tier smoke --edition earlier --case Logit" in output
    assert "--edition" not in run("explain", "eps-outside", *SMOKE).stdout


@pytest.mark.parametrize(
    ("device", "edition", "command"),
    [
        ("atlas-a3", "current", "--product atlas-a3 --edition current"),
        ("atlas-a2", "earlier", "--product atlas-a2 --edition earlier"),
    ],
)
def test_a_run_about_something_else(
    run: Any, tmp_path: Path, results_document: Any, device: str, edition: str, command: str
) -> None:
    """Verdicts of another product or edition are not told; a command that fits is named."""
    document = results_document(product=device, edition=edition)
    write_document(document, tmp_path)
    result = run("explain", "eps-one", *SMOKE, "--results", str(tmp_path))
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert f"`aclnn-cts explain eps-one {command} --results {tmp_path}`" in result.output


def test_explain_with_a_run(run: Any, tmp_path: Path, results_document: Any) -> None:
    """The verdict of a run, and the reading of its device where clauses clash."""
    entry = ClauseVerdict(
        operator="aclnnLogitGrad",
        clause="eps-one",
        verdict="contested-only",
        cases=3,
        contested=9,
        reading="eps-outside",
        text="a text",
        place="a place",
        basis="stated",
    )
    cases = tuple(case(name, "contested-only", exercised=("eps-one",)) for name in "abc")
    document = results_document(clauses=(entry,), cases=cases)
    whole = write_document(document, tmp_path).read_text()
    output = run("explain", "eps-one", *SMOKE, "--results", str(tmp_path)).stdout
    assert "contested-only, 3 cases" in output
    assert "on 9 elements the device follows eps-outside" in output
    for text in ("{", whole.replace('"place": "a place"', '"place": null')):
        (tmp_path / "results.json").write_text(text)
        damaged = run("explain", "eps-one", *SMOKE, "--results", str(tmp_path))
        assert damaged.exit_code == ExitCode.NOT_TRUSTWORTHY
        assert f"`aclnn-cts judge {tmp_path}` again" in damaged.output


def test_explain_a_case_lists_what_its_data_reach(run: Any) -> None:
    """Of the value clauses only those that apply to some element."""
    listed = run("list", *LOGIT).stdout.splitlines()
    base = next(name for name in listed if ".base.float32" in name)
    output = run("explain", base).stdout
    assert "  formula: " in output
    assert "  eps-one: " not in output
