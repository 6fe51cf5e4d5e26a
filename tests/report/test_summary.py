# SPDX-License-Identifier: Apache-2.0
"""What else a report says: verdicts of clauses, junit.xml, the table, what documents leave open."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tests.report.reports import ALL, OPERATOR, case, report

from aclnn_cts.judge.clauses import Contest
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.clauses import answered_gaps, judge_clauses
from aclnn_cts.report.junit import clean, write_junit
from aclnn_cts.report.results import AnsweredGap, write_document
from aclnn_cts.report.summary import summary


@pytest.mark.parametrize("edition", ["current", "earlier"])
def test_the_edition_is_shown(bench: Any, edition: str) -> None:
    """The results file always names the edition, the others only one that is not current."""
    told = report(bench, case("a", Verdict.PASS), edition=edition)
    folder = bench.folder
    assert json.loads(write_document(told.document, folder).read_text())["edition"] == edition
    other = edition != "current"
    assert ('"edition"' in write_junit(told.document, folder).read_text()) is other
    console = Console(width=120)
    with console.capture() as captured:
        console.print(summary(told.document))
    assert ("edition earlier" in captured.get()) is other


def test_clause_verdicts(bench: Any) -> None:
    """A clause fails by one case, passes by a passing one, and is untested without any."""
    contest = Contest("eps-outside", "eps-above-one", 3, 3, 0)
    verdicts = [
        case("a", Verdict.PASS, exercised=("formula", "two-phase")),
        case("b", Verdict.FAIL, exercised=("formula", "x-dtype"), broken=("formula",)),
        case("c", Verdict.MISSING, exercised=("x-rank",)),
        case(
            "d",
            Verdict.CONTESTED_ONLY,
            exercised=("eps-outside", "eps-above-one"),
            contests=(contest,),
        ),
    ]
    found = {c.clause: c for c in judge_clauses(bench.specs, verdicts, [OPERATOR])}
    assert (found["formula"].verdict, found["formula"].cases) == ("fail", 2)
    assert found["two-phase"].verdict == "pass"
    assert found["x-dtype"].verdict == found["x-rank"].verdict == "unproven"
    assert found["eps-nan"].verdict == "untested"
    above = found["eps-above-one"]
    assert (above.verdict, above.contested, above.reading) == ("contested-only", 3, "eps-outside")


def test_junit(bench: Any) -> None:
    """Failures and errors are counted, and control characters do not break the document."""
    path = write_junit(report(bench, *ALL).document, bench.folder)
    root = ET.fromstring(path.read_bytes())  # noqa: S314 - our own file
    (suite,) = root
    assert suite.get("name") == f"atlas-a2.{OPERATOR}"
    assert suite.find("properties/property[@name='product']") is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("9", "2", "4")
    found = {item.get("name"): [child.tag for child in item] for item in suite}
    assert found["pass"] == []
    assert found["fail"] == ["failure"]
    assert found["crash"] == found["missing"] == found["untrusted"] == ["error"]
    assert found["contested-only"] == ["system-out"]


@given(st.text(alphabet=st.characters(), max_size=50))
def test_any_text_survives_xml(text: str) -> None:
    """Whatever a device says, the document can be read back."""
    element = ET.Element("e", message=clean(text))
    element.text = clean(text)
    again = ET.fromstring(ET.tostring(element, encoding="utf-8"))  # noqa: S314 - our own text
    assert (again.text or "") == clean(text).replace("\r\n", "\n").replace("\r", "\n")


def test_summary_table(bench: Any) -> None:
    """Every operator has its row; broken promises and contradictions are listed."""
    contest = Contest("eps-outside", "eps-above-one", 3, 3, 0)
    verdicts = (
        case("b", Verdict.FAIL, broken=("x-non-contiguous",), remarks=("in the slack",)),
        case("d", Verdict.CONTESTED_ONLY, contests=(contest,)),
    )
    console = Console(width=140, record=True, quiet=False, file=(bench.folder / "t").open("w"))
    console.print(summary(report(bench, *verdicts).document))
    text = console.export_text()
    console.file.close()
    for word in (
        OPERATOR,
        "x-non-contiguous",
        "eps-above-one",
        "the device follows",
        "in the slack",
    ):
        assert word in text


def test_what_documents_leave_open(bench: Any) -> None:
    """Contradictions, silences and gaps stand in results.json and in the summary."""
    contest = Contest("eps-outside", "eps-one", 4, 4, 0)
    passed = case(
        "c", Verdict.PASS, contests=(contest,), exercised=("shape-differs",), status=161002
    )
    gap = AnsweredGap(OPERATOR, "shape-differs", "a text", ("A", "B"), ("A",))
    told = report(bench, passed, document_gaps=(gap,))
    held = json.loads(write_document(told.document, bench.folder).read_text())
    assert held["contradictions"] == [
        {
            "operator": OPERATOR,
            "clauses": ["eps-outside", "eps-one"],
            "elements": 4,
            "follow": [4, 0],
            "reading": "eps-outside",
            "others": {},
        }
    ]
    assert held["not_promised"][0]["id"] == "zero-sign"
    assert held["document_gaps"][0]["given"] == ["A"]
    console = Console(width=120)
    with console.capture() as captured:
        console.print(summary(told.document))
    assert f"not promised: {OPERATOR}: zero-sign, public-formats, infinity-sign" in captured.get()
    assert "shape-differs (the device gives A)" in captured.get()


def test_the_status_that_a_device_gives_where_several_are_right(bench: Any) -> None:
    """A clause with several statuses is a gap; what came back is told once."""
    spec = bench.specs.operator(OPERATOR)
    names = ["ACLNN_ERR_PARAM_NULLPTR", "ACLNN_ERR_PARAM_INVALID"]
    errors = [
        each.model_copy(update={"status": names}) if each.id == "shape-differs" else each
        for each in spec.errors
    ]
    operators = {OPERATOR: spec.model_copy(update={"errors": errors})}
    specs = replace(bench.specs, operators=operators)
    refused = case("c", Verdict.PASS, exercised=("shape-differs",), status=161002)
    gaps = answered_gaps(specs, [OPERATOR], [refused, refused])
    gap = next(each for each in gaps if each.clause == "shape-differs")
    assert gap.accepted == tuple(names)
    assert gap.given == ("ACLNN_ERR_PARAM_INVALID",)
