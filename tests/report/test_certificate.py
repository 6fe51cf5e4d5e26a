# SPDX-License-Identifier: Apache-2.0
"""The certificate: its verdict, what it says was not tested, and what the device breaks."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.report.reports import OPERATOR, case, report
from typer.testing import CliRunner

from aclnn_cts import __version__
from aclnn_cts.cli import app
from aclnn_cts.files import sha256_of
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.certificate import render_certificate
from aclnn_cts.results.document import (
    ResultsDocument,
    ScopeEntry,
    WaiverOutcome,
    read_results,
    totals,
    write_document,
)
from aclnn_cts.results.qualification_file import FORMAT, QualificationFile
from aclnn_cts.run.folder import Device

ISSUED = datetime(2026, 11, 30, tzinfo=timezone.utc)
HARDWARE = Device("hardware", "atlas-a2", "Ascend910B3", "8.3.RC1")
WHOLE = ScopeEntry(families={OPERATOR: "activation"}, products=("atlas-a2",))
QUALIFICATION = QualificationFile.model_validate(
    {
        "format": FORMAT,
        "suite": {"version": __version__, "specs_sha256": "0" * 64},
        "tier": "smoke",
        "first": True,
        "faults": 9,
        "killed": 8,
        "survivors": ["fault-x"],
        "variants": 4,
        "alarms": 1,
        "alarming": ["variant-y"],
        "scores": {OPERATOR: {"faults": 9, "smoke": 8}},
    }
)


def _document(bench: Any, *verdicts: Verdict, **changes: Any) -> ResultsDocument:
    """Return results of hardware, with the verdicts' totals."""
    made = report(bench, *(case(f"c{n}", each) for n, each in enumerate(verdicts))).document
    counts = totals(each.outcome for each in made.cases)
    suite = made.suite.model_copy(
        update={"version": __version__, "judged_specs_sha256": made.suite.specs_sha256}
    )
    usual = {"device": HARDWARE, "totals": counts, "scope": WHOLE, "suite": suite}
    return made.model_copy(update=usual | changes)


def _page(
    bench: Any, *documents: ResultsDocument, qualification: QualificationFile | None = None
) -> str:
    files = [bench.folder / str(n) / "results.json" for n, _ in enumerate(documents)]
    for file, document in zip(files, documents, strict=True):
        file.parent.mkdir(exist_ok=True)
        write_document(document, file.parent)
    # as they are, because hand-made clauses and cases contradict each other
    return render_certificate(documents, files, qualification, ISSUED)


def _part(page: str, name: str) -> str:
    """Return the text of a section."""
    found = re.search(rf'<(section|ul)[^>]* id="{name}"[^>]*>(.*?)</\1>', page, re.DOTALL)
    return html.unescape(re.sub(r"<wbr>|<[^>]+>", "", found[2])) if found else ""


def _word(page: str) -> str:
    found = re.search(r"<strong>(.*?)</strong>", page)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("verdict", "word", "kept"),
    [
        (Verdict.PASS, "✓ Kept as far as tested", 1),
        (Verdict.FAIL, "✕ Failed", 0),
        (Verdict.MISSING, "! No verdict", 0),
    ],
)
def test_the_verdict_line(bench: Any, verdict: Verdict, word: str, kept: int) -> None:
    """A pass of one tier with untested clauses is not called passed; the operators are counted."""
    page = _page(bench, _document(bench, verdict))
    assert _word(page) == word
    assert f"{kept} of 1 tested operator" in _part(page, "verdict")
    assert (f"not kept by {OPERATOR}" in _part(page, "verdict")) is (verdict is Verdict.FAIL)
    assert "passed" not in _part(page, "verdict").lower()


def test_passed_takes_everything(bench: Any) -> None:
    """The word is only for results that leave nothing out."""
    complete = {"tier": "full", "clauses": (), "not_promised": (), "document_gaps": ()}
    assert _word(_page(bench, _document(bench, Verdict.PASS, **complete))) == "✓ Passed"


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({"device": Device("simulator", "atlas-a2", "s", "c")}, "Simulated device"),
        ({"device": Device("simulator", "atlas-a2", "s", "c", fault="f")}, "given the fault f"),
        ({"scope": WHOLE.model_copy(update={"shard": "3/16"})}, "Shard 3/16"),
        ({"scope": WHOLE.model_copy(update={"selected": True})}, "Selection"),
        ({"scope": WHOLE.model_copy(update={"missing": ("aclnnA",)})}, "1 of 2 of the product"),
        ({"calls": "/home/me/mine.yaml"}, "Call list: the cases are those of mine.yaml"),
        ({"problems": ("a record is damaged",)}, "Untrusted results: a record is damaged"),
    ],
)
def test_limits_come_first(bench: Any, changes: dict[str, Any], limit: str) -> None:
    """Whatever limits the runs is part of the verdict, and never passed."""
    page = _page(bench, _document(bench, Verdict.PASS, **changes))
    assert limit in _part(page, "limits")
    assert _word(page) in ("! No qualification of a release", "! No verdict")


def test_another_suite(bench: Any) -> None:
    """Results judged with other specs, or before digests were recorded, are named."""
    made = _document(bench, Verdict.PASS)
    suite = made.suite.model_copy(update={"judged_specs_sha256": "1" * 64})
    limits = _part(_page(bench, made.model_copy(update={"suite": suite})), "limits")
    assert "Judged with another suite" in limits
    suite = made.suite.model_copy(update={"judged_code_sha256": ""})
    limits = _part(_page(bench, made.model_copy(update={"suite": suite})), "limits")
    assert "do not record" in limits


def test_what_was_not_tested(bench: Any) -> None:
    """Products, operators, tier, values, clauses, silences and quarantine have a line each."""
    scope = ScopeEntry(
        families={OPERATOR: "activation"},
        missing=("aclnnA", "aclnnB"),
        products=("atlas-a2", "ascend-950"),
        quarantined={OPERATOR: 3},
    )
    changes = {"scope": scope, "contract_only": (OPERATOR,)}
    part = _part(_page(bench, _document(bench, Verdict.PASS, **changes)), "untested")
    for text in (
        "Products not run\nascend-950",
        "Operators planned but missing\naclnnA, aclnnB",
        "tier smoke",
        "of 1 operator, tested by contract: aclnnLogitGrad",
        "Silences of the documents",
        "values of 3 cases with wrong golden data: aclnnLogitGrad",
    ):
        assert text.replace("\n", "") in part.replace("\n", "")


def test_an_operator_that_the_product_refuses(bench: Any) -> None:
    """Only its refusal was tested, and its other clauses do not count as untested."""
    made = _document(bench, Verdict.PASS)
    clauses = tuple(
        replace(each, verdict="pass" if each.clause == "product-unsupported" else "untested")
        for each in made.clauses
    )
    page = _page(bench, made.model_copy(update={"clauses": clauses}))
    assert "1 operator, of which only the refusal was tested: aclnnLogitGrad" in page
    assert "Clauses without" not in _part(page, "untested")
    assert "refusal11–" in re.sub(r"\s", "", _part(page, "operators"))


def test_deviations_and_waivers(bench: Any) -> None:
    """Each promise that cases break first, with clause text, place, cases and waiver."""
    waiver = WaiverOutcome(
        "known", "waives", ("b",), "", "fixed in 8.4", "https://x/1", "me", "2027-01-31"
    )
    made = report(
        bench,
        case("a", Verdict.FAIL, broken=("formula",)),
        case("b", Verdict.FAIL, broken=("x-non-contiguous",)),
    ).document
    entries = [
        e.model_copy(update={"waiver": "known" if e.id == "b" else None}) for e in made.cases
    ]
    made = made.model_copy(
        update={
            "cases": tuple(entries),
            "waivers": (waiver,),
            "totals": totals(each.outcome for each in entries),
        }
    )
    part = _part(_page(bench, made), "deviations")
    clause = made.by_clause[OPERATOR, "formula"]
    assert clause.text in part
    assert f"[{clause.place}]" in part
    assert "known: fixed in 8.4 (https://x/1); me, until 2027-01-31" in part
    assert part.index("none") < part.index("known: ")


def test_power(bench: Any) -> None:
    """The qualification's figures; if none is given, or it is of other specs, the page says so."""
    made = _document(bench, Verdict.PASS)
    assert "Not given" in _part(_page(bench, made), "power")
    page = _page(bench, made, qualification=QUALIFICATION)
    assert "8 of 9 known faults were noticed; not noticed: fault-x" in _part(page, "power")
    assert "1 of 4 correct variants raised a false alarm: variant-y" in _part(page, "power")
    assert "another suite than that of the runs" in _part(page, "limits")


def test_several_products(bench: Any) -> None:
    """Each run has its facts and digests; a product that ran is not missing."""
    scope = WHOLE.model_copy(update={"products": ("atlas-a2", "ascend-950")})
    second = Device("hardware", "ascend-950", "Ascend950", "8.3.RC1")
    documents = [
        _document(bench, Verdict.PASS, scope=scope),
        _document(bench, Verdict.PASS, scope=scope, device=second),
    ]
    page = _page(bench, *documents)
    assert "Products not run" not in page
    for number in range(2):
        assert sha256_of(bench.folder / str(number) / "results.json") in _part(page, "digests")


def test_the_command(bench: Any, tmp_path: Path) -> None:
    """It needs results alone and ends with 0; wrong files end with the statuses of all commands."""
    write_document(_document(bench, Verdict.PASS), bench.folder)
    page = tmp_path / "page.html"
    run = CliRunner().invoke
    done = run(app, ["certificate", str(bench.folder), "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert "<script" not in page.read_text()
    assert read_results(bench.folder).suite.specs_sha256 in page.read_text()
    missing = ["--qualification", str(tmp_path / "none.json")]
    assert run(app, ["certificate", str(bench.folder), *missing]).exit_code == 2
    (tmp_path / "bad.json").write_text('{"format": "x"}')
    bad = ["--qualification", str(tmp_path / "bad.json")]
    assert run(app, ["certificate", str(bench.folder), *bad]).exit_code == 3
