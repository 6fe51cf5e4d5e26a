# SPDX-License-Identifier: Apache-2.0
"""The summary in a terminal or the log of a CI, and what else a report says at the end of a run."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from tests.report.reports import OPERATOR, case, report, summary_text
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.cli.options import show_and_exit
from aclnn_cts.judge.standards import Contest, Figures
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.formatting import of_budget
from aclnn_cts.report.junit import clean, write_junit
from aclnn_cts.report.summary import LEAST_WIDTH, render_summary
from aclnn_cts.results.clause_verdicts import document_gaps, judge_clauses
from aclnn_cts.results.document import (
    ContradictionEntry,
    DocumentGap,
    WaiverOutcome,
    totals,
    write_document,
)


@pytest.mark.parametrize("edition", ["current", "earlier"])
def test_the_edition_is_shown(bench: Any, edition: str) -> None:
    """The results file always names the edition, the others only one that is not current."""
    told = report(bench, case("a", Verdict.PASS), edition=edition)
    folder = bench.folder
    assert json.loads(write_document(told.document, folder).read_text())["edition"] == edition
    other = edition != "current"
    assert ('"edition"' in write_junit(told.shown, folder / "junit.xml").read_text()) is other
    assert ("edition earlier" in summary_text(told.shown)) is other


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
    found = {c.clause: c for c in judge_clauses(bench.specs, OPERATOR, verdicts)}
    assert (found["formula"].verdict, found["formula"].cases) == ("fail", 2)
    assert found["two-phase"].verdict == "pass"
    assert found["x-dtype"].verdict == found["x-rank"].verdict == "unproven"
    assert found["eps-nan"].verdict == "untested"
    above = found["eps-above-one"]
    assert (above.verdict, above.contested, above.reading) == ("contested-only", 3, "eps-outside")


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
    text = summary_text(report(bench, *verdicts).shown, width=140)
    names = (OPERATOR, "x-non-contiguous", "eps-above-one")
    for word in (*names, "the device follows", "in the slack"):
        assert word in text


def test_what_documents_leave_open(bench: Any) -> None:
    """Contradictions, silences and gaps stand in results.json and in the summary."""
    contest = Contest("eps-outside", "eps-one", 4, 4, 0)
    passed = case(
        "c", Verdict.PASS, contests=(contest,), exercised=("shape-differs",), status=161002
    )
    gap = DocumentGap(OPERATOR, "shape-differs", "a text", ("A", "B"), ("A",))
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
    silences = [each["id"] for each in held["not_promised"]]
    assert sorted(silences) == ["infinity-sign", "public-formats", "zero-sign"]
    assert held["document_gaps"][0]["given"] == ["A"]
    text = summary_text(told.shown)
    assert f"not promised: {OPERATOR}: {', '.join(silences)}" in text
    assert "shape-differs (the device gives A)" in text


MANY = ("aclnnSilu", "aclnnGelu", "aclnnTanh", "aclnnSwish", "aclnnPrelu", "aclnnL1Loss")


def _of_many(bench: Any, count: int = 1, **facts: Any) -> Any:
    """Return a report of six operators, the last of which fails in some cases."""
    passed = (CaseVerdict(f"{name}.a", name, Verdict.PASS) for name in MANY)
    failed = (
        CaseVerdict(f"{MANY[-1]}.{n}", MANY[-1], Verdict.FAIL, broken=(f"clause-{n}",))
        for n in range(count)
    )
    return report(bench, *passed, *failed, **facts)


def test_many_operators_are_counted_by_family(bench: Any) -> None:
    """Of operators only those are shown that did not simply pass; a command shows the rest."""
    gaps = tuple(DocumentGap(name, "some-clause", "", ("A", "B"), ("A",)) for name in MANY)
    contradiction = ContradictionEntry(
        operator=MANY[0], clauses=("a", "b"), elements=7, follow=(7, 0), reading="a", others={}
    )
    told = _of_many(bench, document_gaps=gaps, contradictions=(contradiction,))
    text = summary_text(told.shown, "the-folder")
    rows = [line.split() for line in text.splitlines()]
    assert ["activation", "(5)", "5", "5", "0", "-"] in rows
    assert ["loss", "(1)", "2", "1", "1", "-"] in rows
    assert ["all", "7", "6", "1", "-"] in rows
    assert ["aclnnL1Loss", "2", "1", "1", "-"] in rows
    assert "aclnnSilu" not in text
    assert "contradictions: 1 of 1 operator\n" in text
    assert "status left open: 6 refusals of 6 operators\n" in text
    assert "`aclnn-cts report the-folder --text`" in text
    whole = summary_text(told.shown, "the-folder", verbose=True)
    assert ["aclnnSilu", "1", "1", "0", "-"] in [line.split() for line in whole.splitlines()]
    assert "the device follows" in whole
    assert "status left open: aclnnSilu: some-clause (the device gives A)" in whole
    assert "--text" not in whole


def test_the_rest_is_shown_later(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`report --text` shows all from the results alone, and writes no page."""
    write_document(report(bench, case("a", Verdict.PASS)).document, bench.folder)
    monkeypatch.chdir(bench.folder)
    done = CliRunner().invoke(app, ["report", str(bench.folder), "--text"])
    assert (done.exit_code, f"not promised: {OPERATOR}: " in done.output) == (0, True)
    assert not (bench.folder / "report.html").exists()


def test_a_short_summary_is_one_screen(bench: Any) -> None:
    """However many promises are broken; all of them are in the verbose one."""
    told = _of_many(bench, count=50)
    text = summary_text(told.shown)
    assert "… and 38 more promises" in text
    assert len(text.splitlines()) <= 40
    verbose = summary_text(told.shown, verbose=True)
    assert all(f"clause-{n}:" in verbose for n in range(50))


def test_the_markdown_of_many_operators(bench: Any) -> None:
    """Families, and the operators that did not simply pass."""
    text = render_summary(_of_many(bench).shown)
    assert "| activation (5) | 5 | 5 | 0 |" in text
    assert "| aclnnL1Loss | 2 | 1 | 1 |" in text
    assert "| aclnnSilu" not in text


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
    gaps = document_gaps(specs.operator(OPERATOR), [refused, refused])
    gap = next(each for each in gaps if each.clause == "shape-differs")
    assert gap.accepted == tuple(names)
    assert gap.given == ("ACLNN_ERR_PARAM_INVALID",)


POOL = "aclnnMaxPool2dWithMaskBackward"
ID = "MaxPool2dWithMaskBackward.base.float32." + "x" * 120


def figures(share: float) -> Figures:
    return Figures(share <= 1, 3, 3, 1, 0, "out", 0.5, 1.0, 1.0, 1.0, 1.0, share, 0.0, 1.0)


def told(bench: Any, *verdicts: CaseVerdict, **facts: Any) -> str:
    """Return the summary of some verdicts as it stands in a log."""
    return summary_text(report(bench, *verdicts, **facts).shown)


def pool(name: str, verdict: Verdict, **facts: Any) -> CaseVerdict:
    return CaseVerdict(name, POOL, verdict, **facts)


def test_all_columns_at_once_fit(bench: Any) -> None:
    """With every verdict, waivers and the longest name of an operator; nothing is cut off."""
    verdicts = [pool(f"{kind.value}{n}", kind) for kind in Verdict for n in range(11)]
    verdicts.append(pool("waived", Verdict.FAIL, standards={"strict": figures(4e73)}))
    waiver = WaiverOutcome(
        *("known", "waives", ("waived",), "", "the reason", "https://example.org/1", "owner"),
        datetime.date(2027, 3, 31).isoformat(),
    )
    document = report(bench, *verdicts, waivers=(waiver,)).document
    *others, last = document.cases
    cases = (*others, last.model_copy(update={"waiver": "known"}))
    text = told(
        bench,
        *verdicts,
        waivers=(waiver,),
        cases=cases,
        totals=totals(case.outcome for case in cases),
    )
    assert LEAST_WIDTH <= 100
    assert max(map(len, text.splitlines())) <= LEAST_WIDTH
    row = next(line for line in text.splitlines() if line.strip().startswith("all "))
    assert row.split() == ["all", "100", *["11"] * len(Verdict), "1", "4e73", "times"]
    rows = text.split("─")[-1].split(" all ")[0].splitlines()
    assert "".join(row.split()[0] for row in rows if row.strip()) == POOL
    assert "…" not in text


def test_an_id_stays_whole(bench: Any) -> None:
    """However long it is: it is there to be copied."""
    text = told(bench, pool(ID, Verdict.FAIL, broken=("formula",), remarks=("a remark " * 30,)))
    lines = text.splitlines()
    assert all(len(line) <= LEAST_WIDTH or line.strip().rstrip(":") == ID for line in lines)
    assert sum(ID in line for line in lines) == 2


def test_a_failure_without_a_clause_is_told(bench: Any) -> None:
    """Nothing that makes the exit status 1 is left out of the broken promises."""
    text = told(bench, pool("a", Verdict.CRASH), pool("b", Verdict.CRASH))
    assert f"{POOL} without a clause: 2 cases, first a" in " ".join(text.split())


def test_both_readings_are_counted(bench: Any) -> None:
    """A device that follows now one clause and now the other is told with numbers, as elsewhere."""
    contest = Contest("formula", "eps-outside", 7, 4, 2)
    text = told(bench, pool("a", Verdict.PASS, contests=(contest,)))
    assert "formula on 4, eps-outside on 2, neither on 1" in " ".join(text.split())


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ((("eps-one", 7),), " 7 eps-one (a third clause) "),
        ((("eps-one", 5),), " 7 eps-one (a third clause) on 5, neither on 2 "),
        ((), " 7 neither on 7 "),
    ],
)
def test_a_third_clause_that_is_followed_is_named(
    bench: Any, others: tuple[tuple[str, int], ...], said: str
) -> None:
    """What follows neither of two clauses is not an error where it follows a third one."""
    contest = Contest("formula", "eps-outside", 7, 0, 0, others)
    text = told(bench, pool("a", Verdict.PASS, contests=(contest,)))
    assert said in f" {' '.join(text.split())} "


def test_a_verdict_that_no_case_has_takes_no_column(bench: Any) -> None:
    """It is named below the table instead: one must see that nothing crashed."""
    text = told(bench, pool("a", Verdict.PASS), pool("b", Verdict.TIMEOUT))
    head, rest = text.split("all ")
    assert "timeout" in head
    assert "crash" not in head
    assert "no case is crash, flaky, missing, unenforced, contested-only or untrusted" in rest


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.334, "33%"),
        (9.0, "900%"),
        (12.4, "12 times"),
        (5.2e6, "5e6 times"),
        (4.28e73, "4e73 times"),
        (float("inf"), "wrong class"),
    ],
)
def test_errors_beyond_the_budget_are_told_in_words(bench: Any, share: float, shown: str) -> None:
    """A share of the tolerance, so many times the tolerance, or what has no size at all."""
    assert of_budget(share) == shown
    text = told(bench, pool("a", Verdict.FAIL, standards={"strict": figures(share)}))
    assert text.count(shown) == (3 if share == float("inf") else 2)
    assert ("wrong class: NaN, Inf, 0 or a number" in text) is (share == float("inf"))


def test_the_first_case_of_each_broken_promise_is_told(
    bench: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nine failures of one promise do not hide the others; they fill what is left."""
    cases = [case(f"a{n}", Verdict.FAIL, broken=("formula",)) for n in range(9)]
    cases += [case(name, Verdict.FAIL, broken=(name,)) for name in ("x-dtype", "determinism")]
    with pytest.raises(typer.Exit):
        show_and_exit(report(bench, *cases))
    lines = capsys.readouterr().out.splitlines()
    told = [line.split()[2] for line in lines if line.startswith("story of ")]
    names = [name.split(chr(27))[0] for name in told]
    assert names == ["a0", "x-dtype", "determinism", "a1", "a2"]
    assert any(line.startswith("… and 6 more; `pytest") for line in lines)


@pytest.mark.parametrize(
    ("verdicts", "last"),
    [
        ([Verdict.PASS], "All tested promises were kept: exit status 0"),
        ([Verdict.PASS, Verdict.FAIL], "1 case breaks 2 promises: exit status 1"),
        ([Verdict.PASS, Verdict.MISSING], "1 of 2 cases proves nothing: exit status 3"),
    ],
)
def test_the_last_line_is_the_outcome(
    bench: Any, capsys: pytest.CaptureFixture[str], verdicts: list[Verdict], last: str
) -> None:
    """Behind stories, tables and file names: what became of it, and which status says so."""
    broken = {Verdict.FAIL: ("formula", "x-dtype")}
    cases = [
        case(str(n), verdict, broken=broken.get(verdict, ())) for n, verdict in enumerate(verdicts)
    ]
    with pytest.raises(typer.Exit) as ended:
        show_and_exit(report(bench, *cases))
    line = capsys.readouterr().out.splitlines()[-1]
    assert line == last
    assert line.endswith(f"exit status {ended.value.exit_code}")
