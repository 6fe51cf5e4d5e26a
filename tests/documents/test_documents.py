# SPDX-License-Identifier: Apache-2.0
"""The command documents, as a user sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.documents.findings_document import FindingsDocument, groups_of
from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import ContradictionEntry, DocumentGap, write_document

LOGIT = ("--operator", "aclnnLogit")


def run(*arguments: str) -> Result:
    """Run the command."""
    result = CliRunner().invoke(cli.app, ("documents", "--jobs", "1", *arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_json() -> None:
    """One document that its model reads back."""
    result = run(*LOGIT, "--format", "json")
    document = FindingsDocument.model_validate_json(result.stdout)
    assert (result.exit_code, document.format) == (ExitCode.PASSED, "aclnn-cts/documents/1")
    assert (document.product, document.tier, document.families) == ("atlas-a2", "smoke", ["loss"])
    assert sum(each.kind == "contradiction" for each in document.findings) == 6


def test_markdown() -> None:
    """The table of families, then the findings with commands that explain their clauses."""
    output = run(*LOGIT).stdout
    assert "| loss | 6 |" in output
    assert "`aclnn-cts explain aclnnLogit/eps-above-one`" in output


def test_two_formulas_of_a_page_are_two_groups() -> None:
    """Findings in the same words are together, but each pair of terms is a contradiction."""
    findings = run("--operator", "aclnnSmoothL1LossBackward", "--format", "json").stdout
    document = FindingsDocument.model_validate_json(findings)
    groups = groups_of(document, "loss", "contradiction")
    terms = [[each.text for each in group.statements] for group in groups]
    assert ["beta", "1"] in terms
    assert ["1 / numel(self)", "1 / numel(gradInput)"] in terms


def test_html_pages(tmp_path: Path) -> None:
    """An index and a page per family, whose links have targets, without scripts."""
    both = (*LOGIT, "--operator", "aclnnSeluBackward")
    assert run(*both, "--format", "html", "-o", str(tmp_path)).exit_code == ExitCode.PASSED
    pages = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert set(pages) == {"index.html", "activation.html", "loss.html"}
    assert {'href="activation.html"', 'href="loss.html"'} <= set(
        re.findall(r'href="[^"]*"', pages["index.html"])
    )
    for page in pages.values():
        assert "<script" not in page
        targets = set(re.findall(r' id="([^"]*)"', page))
        assert set(re.findall(r'href="#([^"]*)"', page)) <= targets
    assert 'id="aclnnLogit/formula+outside"' in pages["loss.html"]


def test_what_a_device_does(tmp_path: Path, results_document: Any) -> None:
    """A run says which clause its device follows, and which status it gives."""
    contest = ContradictionEntry(
        operator="aclnnLogit",
        clauses=("formula", "outside"),
        elements=9,
        follow=(0, 9),
        reading="outside",
        others={},
    )
    given = ("ACLNN_ERR_PARAM_INVALID",)
    gap = DocumentGap("aclnnLogit", "shape-differs", "a text", (), given)
    write_document(results_document(contradictions=(contest,), document_gaps=(gap,)), tmp_path)
    result = run(str(tmp_path), *LOGIT, "--format", "json")
    devices = {each["id"]: each["device"] for each in json.loads(result.stdout)["findings"]}
    assert devices["aclnnLogit/formula+outside"] == "outside"
    assert devices["aclnnLogit/shape-differs"] == "ACLNN_ERR_PARAM_INVALID"
    assert devices["aclnnLogit/formula+zero"] == ""


def test_a_run_about_another_product(tmp_path: Path, results_document: Any) -> None:
    """A command that fits the run is named."""
    write_document(results_document(product="atlas-a3"), tmp_path)
    result = run(str(tmp_path), *LOGIT)
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert f"`aclnn-cts documents {tmp_path} --product atlas-a3" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--family", "los"), "did you mean 'loss'"),
        (("--operator", "aclnnLogitt"), "did you mean 'aclnnLogit'"),
        ((*LOGIT, "--family", "norm"), "none of the operators is of the family norm"),
        (("--format", "xml"), "unknown format 'xml'"),
    ],
)
def test_wrong_input(arguments: tuple[str, ...], message: str) -> None:
    """A typing error ends with status 2 and the nearest name."""
    result = run(*arguments)
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert message in result.output
