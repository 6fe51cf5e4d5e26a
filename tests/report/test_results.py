# SPDX-License-Identifier: Apache-2.0
"""The report's files and the exit status."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.judge.contested import Contest
from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import judge_clauses
from aclnn_cts.report.gaps import AnsweredGap, answered_gaps, silences
from aclnn_cts.report.junit import clean, write_junit
from aclnn_cts.report.model import Report, exit_code
from aclnn_cts.report.results import document_of, read_results, require_about, write_document
from aclnn_cts.report.table import _share, summary
from aclnn_cts.run.folder import RunFolder

OPERATOR = "aclnnLogitGrad"
BAD = float("inf")
FIGURES = Figures(
    passed=False,
    elements=3,
    compared=3,
    failing=1,
    first_failing=0,
    output="out",
    matched_ratio=0.5,
    max_abs_error=BAD,
    mean_relative_error=float("nan"),
    max_relative_error=-BAD,
    worst_ulp=BAD,
    worst_share=BAD,
    mean_ulp=0.0,
    mean_abs_ulp=BAD,
)


def case(name: str, verdict: Verdict, **facts: Any) -> CaseVerdict:
    return CaseVerdict(name, OPERATOR, verdict, **facts)


def report(bench: Any, *verdicts: CaseVerdict) -> Report:
    clauses = judge_clauses(bench.specs, verdicts, [OPERATOR])
    stories = {v.case: f"story of {v.case}\x1b[31m\x00" for v in verdicts}
    like = bench.case("like", [0.5], [1.0])
    run = replace(bench.run(), cases=tuple(replace(like, id=each.case) for each in verdicts))
    return Report(run, "strict", verdicts, stories, clauses, ())


ALL = tuple(case(verdict.value, verdict) for verdict in Verdict)


@pytest.mark.parametrize("edition", ["current", "earlier"])
def test_the_edition_is_shown(bench: Any, edition: str) -> None:
    """The results file always names the edition, the others only one that is not current."""
    told = report(bench, case("a", Verdict.PASS))
    told = replace(told, run=replace(told.run, edition=edition))
    folder = bench.folder
    assert json.loads(write_document(document_of(told), folder).read_text())["edition"] == edition
    other = edition != "current"
    assert ('"edition"' in write_junit(document_of(told), folder).read_text()) is other
    console = Console(width=120)
    with console.capture() as captured:
        console.print(summary(told))
    assert ("edition earlier" in captured.get()) is other


def test_what_is_written_can_be_read(bench: Any) -> None:
    """The reader returns all that was written, whether it is given the file or its folder."""
    odd = case("odd", Verdict.FAIL, standards={"strict": FIGURES}, device_microseconds=(1.5, 2.0))
    made = report(bench, *ALL, odd)
    path = write_document(document_of(made), bench.folder)
    told = read_results(bench.folder)
    assert told.model_dump_json() == document_of(made).model_dump_json()
    assert read_results(path).clauses == told.clauses == made.clauses
    assert told.cases[-1].device_microseconds == (1.5, 2.0)
    require_about(told, bench.folder, "eps-one", "atlas-a2", "current")
    with pytest.raises(WrongInputError, match="is about atlas-a2 in the edition current"):
        require_about(told, bench.folder, "eps-one", "atlas-a3", "current")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"format": "aclnn-cts/results/9"}, "format"),
        ({"edition": None}, "edition"),
        ({"device": {}}, "device.kind"),
        ({"clauses": [{"operator": "aclnnLogitGrad"}]}, "clauses.0.clause"),
        ({"clauses": {}}, "clauses"),
    ],
)
def test_malformed_results_are_refused(bench: Any, changes: dict[str, Any], place: str) -> None:
    """A sentence tells what is wrong, and how to make the file again."""
    path = write_document(document_of(report(bench, *ALL)), bench.folder)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(NotTrustworthyError, match=f"is damaged .{place}: .*judge .* again"):
        read_results(bench.folder)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["pass"], 0),
        (["pass", "contested-only"], 0),
        (["pass", "fail"], 1),
        (["crash"], 1),
        (["timeout"], 1),
        (["pass", "flaky"], 1),
        (["pass", "missing"], 3),
        (["pass", "untrusted"], 3),
        (["missing", "fail", "untrusted"], 1),
        ([], 3),
    ],
)
def test_exit_codes(verdicts: list[str], code: int) -> None:
    """A broken promise is 1, a result that proves nothing 3, and 1 wins."""
    assert exit_code([Verdict(name) for name in verdicts]) == code


def test_a_damaged_record_is_not_trustworthy() -> None:
    """Problems of the record count although all cases pass."""
    assert exit_code([Verdict.PASS], ["altered"]) is ExitCode.NOT_TRUSTWORTHY


def test_results_file(bench: Any) -> None:
    """The file has the published format, and is valid JSON whatever the figures are."""
    odd = case("odd", Verdict.FAIL, standards={"strict": FIGURES}, broken=("formula",))
    path = write_document(document_of(report(bench, *ALL, odd)), bench.folder)

    def refuse(name: str) -> None:
        raise AssertionError(name)

    data = json.loads(path.read_text(), parse_constant=refuse)
    assert data["format"] == "aclnn-cts/results/2"
    assert set(data["suite"]) == {"version", "specs_sha256"}
    assert set(data["device"]) == {"kind", "product", "soc", "cann", "fault"}
    assert data["totals"]["planned"] == len(data["cases"]) == len(Verdict) + 1
    assert data["totals"]["fail"] == 2
    assert set(data["totals"]) == {"planned", "waived", *(v.value for v in Verdict)}
    last = data["cases"][-1]
    assert {"id", "operator", "verdict", "broken", "standards", "seconds", "message"} <= set(last)
    assert last["broken"] == ["formula"]
    assert last["standards"]["strict"]["pass"] is False
    assert last["standards"]["strict"]["max_abs_error"] == "Infinity"
    assert last["standards"]["strict"]["mean_relative_error"] == "NaN"
    assert set(data["clauses"][0]) == {
        "operator",
        "clause",
        "verdict",
        "cases",
        "contested",
        "reading",
        "text",
        "place",
    }
    assert [item.name for item in bench.folder.iterdir()] == ["results.json"]


@pytest.mark.parametrize(
    ("state", "advice"),
    [("running", "aclnn-cts run --resume --results"), ("complete", "aclnn-cts judge")],
)
def test_a_run_without_results_gets_the_right_advice(bench: Any, state: str, advice: str) -> None:
    """What was interrupted is to be finished; what was only not judged, judged."""
    bench.program(bench.kept(bench.case("a", [0.5], [1.0])))
    run = bench.run()
    facts = {name: getattr(run, name) for name in run.__dataclass_fields__}
    RunFolder(**{**facts, "state": state}).save()
    with pytest.raises(CtsError, match=advice):
        read_results(bench.folder)


def test_a_folder_that_cannot_be_written(bench: Any, tmp_path: Path) -> None:
    """The message names the file; nothing is left behind."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with pytest.raises(WrongInputError, match=r"results\.json"):
        write_document(document_of(report(bench, *ALL)), in_the_way)


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
    path = write_junit(document_of(report(bench, *ALL)), bench.folder)
    root = ET.fromstring(path.read_bytes())  # noqa: S314 - our own file
    (suite,) = root
    assert suite.get("name") == f"atlas-a2.{OPERATOR}"
    assert suite.find("properties/property[@name='product']") is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("8", "2", "4")
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
    console.print(summary(report(bench, *verdicts)))
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


@pytest.mark.parametrize(
    ("share", "shown"), [(0.334, "33%"), (9.0, "900%"), (4.28e73, "x4e73"), (float("inf"), "wrong")]
)
def test_shares_of_the_budget_stay_short(share: float, shown: str) -> None:
    """A device that is far off must not push the counts out of the table."""
    assert _share(share) == shown


def test_what_documents_leave_open(bench: Any) -> None:
    """Contradictions, silences and gaps stand in results.json and in the summary."""
    contest = Contest("eps-outside", "eps-one", 4, 4, 0)
    passed = case(
        "c", Verdict.PASS, contests=(contest,), exercised=("shape-differs",), status=161002
    )
    gap = AnsweredGap(OPERATOR, "shape-differs", "a text", ("A", "B"), ("A",))
    told = replace(report(bench, passed), gaps=(gap,), silences=silences(bench.specs, [OPERATOR]))
    held = json.loads(write_document(document_of(told), bench.folder).read_text())
    assert held["contradictions"] == [
        {
            "operator": OPERATOR,
            "clauses": ["eps-outside", "eps-one"],
            "elements": 4,
            "follow": [4, 0],
            "reading": "eps-outside",
        }
    ]
    assert held["not_promised"][0]["id"] == "zero-sign"
    assert held["document_gaps"][0]["given"] == ["A"]
    console = Console(width=120)
    with console.capture() as captured:
        console.print(summary(told))
    assert f"not promised: {OPERATOR}: zero-sign, infinity-sign" in captured.get()
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
