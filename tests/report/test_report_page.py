# SPDX-License-Identifier: Apache-2.0
"""What report.html holds, apart from what a browser makes of it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.golden.resolving import Resolution
from aclnn_cts.judge.evidence import Sample
from aclnn_cts.judge.pictures import ErrorBin, Picture
from aclnn_cts.report.clauses import ClauseVerdict
from aclnn_cts.report.document import (
    CaseEntry,
    ContradictionEntry,
    ResolvingEntry,
    ResultsDocument,
)
from aclnn_cts.report.facts import MUST_BE_REFUSED
from aclnn_cts.report.gaps import AnsweredGap, Silence
from aclnn_cts.report.page import render_page
from aclnn_cts.report.page.drawing import grid_svg, histogram_svg
from aclnn_cts.report.page.failures import call_of, failing_groups
from aclnn_cts.report.page.figures import accuracies, slowest
from aclnn_cts.report.page.heat import heat_map
from aclnn_cts.report.page.openings import openings_of
from aclnn_cts.report.page.overview import overview_of
from aclnn_cts.report.page.runs import labelled
from aclnn_cts.report.results import write_document
from aclnn_cts.report.waiving import WaiverOutcome
from aclnn_cts.run.folder import Device

Entries = Callable[..., CaseEntry]
Documents = Callable[..., ResultsDocument]
MEGABYTE = 1_000_000
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028]]>"
PICTURE = Picture(
    "out",
    (32, 32),
    32,
    32,
    512,
    1,
    tuple("09" * 16 if row % 2 else "90" * 16 for row in range(32)),
    (ErrorBin(0.5, 512, 0), ErrorBin(float("inf"), 511, 511)),
)
SAMPLE = Sample("out", (1, 2), (("x", 0.5), ("dy", float("nan"))), "1.5", 3.0, 12.0, 1e-7)


def data_of(page: str) -> dict[str, Any]:
    """Return the data that the page's script reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def test_the_shares_of_the_heat_map(entry: Entries, results_document: Documents) -> None:
    """Only a cell of which all cases pass shows 100 %; refusals have a column of their own."""
    cases = [entry(f"p{n}") for n in range(1999)]
    cases += [entry("f", "fail"), entry("r", dtype="int8", facts=(MUST_BE_REFUSED,))]
    heat = heat_map(labelled([results_document(cases=tuple(cases))]))
    assert heat.columns == ("float32", "refusals", "all")
    (row,) = heat.operators["aclnnLogitGrad"]
    shown = [(cell.share, cell.state, cell.symbol) for cell in row.cells if cell]
    assert shown == [("99.9 %", "bad", "✕"), ("100 %", "good", "✓"), ("99.9 %", "bad", "✕")]


def test_waived_is_no_pass(entry: Entries, results_document: Documents) -> None:
    """Neither the heat map nor the headline takes a waived failure for a pass."""
    outcome = WaiverOutcome("known", "waives", ("f",), "", "why", "link", "who", "2027-01-01")
    cases = (entry("p"), entry("f", "fail", waiver="known"))
    runs = labelled([results_document(cases=cases, waivers=(outcome,))])
    (cell, _) = heat_map(runs).operators["aclnnLogitGrad"][0].cells
    assert cell is not None
    assert (cell.share, cell.state) == ("50 %", "note")
    top = overview_of(runs)
    assert top.state == "good"
    assert {count.verdict: count.cases for count in top.counts}["waived"] == 1
    assert any("waived; no pass" in statement.text for statement in top.evidence)
    assert "known" in render_page([run.document for run in runs])


@pytest.mark.parametrize(
    ("verdicts", "problems", "state", "headline"),
    [
        (["pass", "contested-only"], (), "good", "Every promise that was tested was kept"),
        (["pass", "fail", "fail"], (), "bad", "2 cases break 1 promise"),
        (["pass", "flaky", "missing"], (), "bad", "1 case break 1 promise"),
        (["pass", "missing"], (), "warn", "1 case of 2 prove nothing"),
        (["pass"], ("altered",), "warn", "The record has 1 problem"),
        ([], (), "warn", "Nothing was tested"),
    ],
)
def test_the_headline(
    entry: Entries,
    results_document: Documents,
    verdicts: list[str],
    problems: tuple[str, ...],
    state: str,
    headline: str,
) -> None:
    """It says what the exit status says; what proves nothing is never green."""
    cases = tuple(entry(str(n), verdict) for n, verdict in enumerate(verdicts))
    top = overview_of(labelled([results_document(cases=cases, problems=problems)]))
    assert (top.state, top.headline) == (state, headline)


def test_a_waiver_that_is_not_needed_does_not_unprove_a_run(
    entry: Entries, results_document: Documents
) -> None:
    """All promises are kept; the status is 3 for the waiver's sake, and the words say so."""
    gone = WaiverOutcome("known", "improved", (), "remove it", "r", "l", "o", "2027-01-01")
    top = overview_of(labelled([results_document(cases=(entry("x"),), waivers=(gone,))]))
    assert top.headline == "All promises are kept, but 1 waiver is not needed any more"
    assert top.exit_status.startswith("exit status 3: every case that counts kept its promises")
    missing = results_document(cases=(entry("x", "missing"),), waivers=(gone,))
    assert "proves nothing" in overview_of(labelled([missing])).exit_status


def test_evidence_names_what_is_missing(entry: Entries, results_document: Documents) -> None:
    """Missing, untrusted and problems stand at the top; so does what the judgement could find."""
    power = ResolvingEntry(ulps=0.5, by_value=40, by_class=2, plain_zeros=0)
    cases = (entry("a", "missing"), entry("b", "untrusted"), entry("c", resolving=power))
    document = results_document(cases=cases, problems=("the record ends too early",))
    told = [(each.state, each.text) for each in overview_of(labelled([document])).evidence]
    for start in (
        "1 of 3 planned cases left no record",
        "1 case could not have failed",
        "the record",
    ):
        assert [state for state, text in told if text.startswith(start)] == ["warn"], start
    assert any("off by 0.5 ulp" in text for _, text in told)
    assert Resolution(ulps=0.5).as_json()["ulps"] == 0.5


def test_runs_are_told_apart(results_document: Documents) -> None:
    """Two runs of one product get labels that differ, and only as long as they must be."""
    one = results_document()
    two = results_document(device=Device("simulator", "atlas-a2", "Ascend910B3", "8.0", "broken"))
    other = results_document(product="ascend-950")
    assert [run.label for run in labelled([one])] == ["atlas-a2"]
    assert [run.label for run in labelled([one, other])] == ["atlas-a2", "ascend-950"]
    assert [run.label for run in labelled([one, two])] == ["atlas-a2", "atlas-a2:broken"]
    assert len({run.label for run in labelled([one, one, one])}) == 3
    later = one.model_copy(update={"started": "2026-11-22T04:00:00+00:00"})
    assert labelled([one, later])[1].label == "atlas-a2:2026-11-22T04-00-00+00-00"
    assert [run.label for run in labelled([one, later], ["a b", "new"])] == ["a-b", "new"]
    assert [run.label for run in labelled([one, other], ["a", "b"])] == ["atlas-a2", "ascend-950"]


def test_a_page_of_several_runs_keeps_their_cases_apart(
    entry: Entries, results_document: Documents
) -> None:
    """The same case of two products has two links."""
    page = render_page(
        [
            results_document(cases=(entry("c", "fail"),)),
            results_document(product="ascend-950", cases=(entry("c", "fail"),)),
        ]
    )
    assert 'id="case=atlas-a2/c"' in page
    assert 'id="case=ascend-950/c"' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_whatever_a_device_says_stays_text(entry: Entries, results_document: Documents) -> None:
    """Messages, ids, texts and labels cannot become markup, in the page or in its data."""
    case = entry(
        HOSTILE,
        "fail",
        operator=HOSTILE,
        message=HOSTILE,
        broken=(HOSTILE,),
        remarks=(HOSTILE,),
        story=f"call: {HOSTILE}",
        facts=(HOSTILE,),
        pictures=(Picture(HOSTILE, (1,), 1, 1, 1, 1, ("9",), ()),),
        samples=(Sample(HOSTILE, (0,), ((HOSTILE, 1.0),), HOSTILE, 1.0, 1.0, 1.0),),
    )
    clause = ClauseVerdict(HOSTILE, HOSTILE, "fail", 1, 0, None, HOSTILE, HOSTILE)
    device = Device(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    page = render_page(
        [results_document(cases=(case,), clauses=(clause,), device=device, problems=(HOSTILE,))]
    )
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert HOSTILE in [row[1] for row in data_of(page)["cases"]]


class _Loads(HTMLParser):
    """Collects what a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "data", "action")]
        self.loads += [
            f"{tag} {value}" for name, value in attrs if name == "style" or tag == "link"
        ]
        handlers = [name for name, _ in attrs if name.startswith("on")]
        assert not handlers, handlers


def test_the_page_loads_nothing(entry: Entries, results_document: Documents) -> None:
    """No element loads anything, and the policy allows the page's own style and script alone."""
    page = render_page([results_document(cases=(entry("c", "fail", pictures=(PICTURE,)),))])
    loads = _Loads()
    loads.feed(page)
    assert loads.loads == []
    assert not re.search(r"url\(|@import|https?://", page)
    policy = html.unescape(re.findall(r'Content-Security-Policy" content="([^"]+)"', page)[0])
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_a_failing_case_is_told_without_a_script(
    entry: Entries, results_document: Documents
) -> None:
    """Clause, place, wrong elements, pictures, call and command stand in the markup itself."""
    clause = ClauseVerdict("aclnnLogitGrad", "formula", "fail", 1, 0, None, "the text", "page 3")
    case = entry("c", "fail", samples=(SAMPLE,), pictures=(PICTURE,), remarks=("in the slack",))
    case = case.model_copy(update={"after": ("the-other",), "tries": 2})
    page = render_page([results_document(cases=(case,), clauses=(clause,))])
    markup = page.split('<script type="application/json"')[0]
    for text in (
        "the text",
        "page 3",
        "out[1, 2]",
        "x 0.5, dy NaN",
        "+12 ulp",
        "512 of 1,024 elements wrong",
        "in the slack",
        "unless these ran before it: <code>the-other</code>",
        "run again 2 times",
        "aclnn-cts run --product atlas-a2 --tier smoke --case c",
        'id="clause=aclnnLogitGrad/formula"',
    ):
        assert text in markup, text


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_five_thousand_cases_fit(
    entry: Entries, results_document: Documents, figures: Callable[..., Any], verdict: str
) -> None:
    """Under 5 MB whether all pass or all fail; what is left out is said, and never silently."""
    names = tuple(f"a-clause-with-a-name-{number}" for number in range(25))
    clauses = tuple(
        ClauseVerdict("aclnnLogitGrad", name, "pass", 9, 0, None, "a sentence " * 8, "a place " * 5)
        for name in names
    )
    failing: dict[str, Any] = {
        "broken": names[:4],
        "message": "1234 of 5678 elements of out are wrong " * 2,
        "story": "call: " + "a line of the story that is rather long and says much\n" * 25,
        "samples": (SAMPLE,) * 4,
        "pictures": (PICTURE,) * 2,
        "facts": tuple(f"fact number {number}" for number in range(20)),
    }
    cases = tuple(
        entry(
            f"LogitGrad.cover.float32.2x3x{n}.eps_0.25.x_stepped-outer.out_transposed.{n:010x}",
            verdict,
            exercised=names,
            standards={"strict": figures()},
            **(failing if verdict == "fail" else {}),
        )
        for n in range(5000)
    )
    page = render_page([results_document(cases=cases, clauses=clauses)])
    assert len(page.encode()) < 5 * MEGABYTE
    assert len(data_of(page)["cases"]) == 5000
    told = page.count('<details class="case"')
    if verdict == "pass":
        assert told == 0
        return
    assert 100 < told < 5000
    assert f"{told} failing cases are told in full" in page
    assert f"and {5000 - told:,} more" in page


def test_each_group_is_told_if_room_is_short(entry: Entries, results_document: Documents) -> None:
    """The first case of each group comes before the second of any."""
    cases = tuple(
        entry(f"{operator}{n}", "fail", operator=operator)
        for operator in ("aclnnA", "aclnnB", "aclnnC")
        for n in range(5)
    )
    groups = failing_groups(labelled([results_document(cases=cases)]), lambda _: 10, room=45)
    assert [len(group.details) for group in groups] == [2, 1, 1]
    assert [len(group.further) for group in groups] == [3, 4, 4]


def test_figures_beyond_measure_are_told(
    entry: Entries, results_document: Documents, figures: Callable[..., Any]
) -> None:
    """An infinite error is no number in the data, and the worst of its table."""
    infinite = float("inf")
    bad = figures(passed=False, worst_ulp=infinite, worst_share=infinite, mean_ulp=infinite)
    cases = (
        entry("a", standards={"strict": figures()}),
        entry("b", "fail", standards={"strict": bad}),
    )
    document = results_document(cases=cases)
    (row,) = accuracies(labelled([document]))
    assert (row.worst_case, row.worst_ulp, row.mean_ulp) == ("b", infinite, 0.01)
    page = render_page([document])
    data = data_of(page)
    share = data["columns"].index("share")
    assert [case[share] for case in data["cases"]] == [1.0, -1.0]
    assert "wrong class" in page


def test_the_slowest_come_first(entry: Entries, results_document: Documents) -> None:
    """Time on the device counts; where none was told, that on the host."""
    cases = (
        entry("a", device_microseconds=(5.0, 7.0, 900.0)),
        entry("b", device_microseconds=(), seconds=9.0),
        entry("c", device_microseconds=(8.0,)),
    )
    found = slowest(labelled([results_document(cases=cases)]))
    assert [(case.key, case.device_microseconds) for case in found] == [
        ("c", 8.0),
        ("a", 7.0),
        ("b", None),
    ]


def test_what_documents_leave_open_is_told_once(results_document: Documents) -> None:
    """Runs that agree share a line; where a device follows neither clause, that is told."""
    facts: dict[str, Any] = {"operator": "aclnnA", "clauses": ("a", "b"), "elements": 9}
    steady = ContradictionEntry(**facts, follow=(9, 0), reading="a")
    torn = ContradictionEntry(**facts, follow=(4, 2), reading=None)
    silence = Silence("aclnnA", "zero-sign", "the sign of 0")
    gaps = [AnsweredGap("aclnnA", "c", "text", ("X", "Y"), given) for given in (("X",), ())]
    documents = [
        results_document(
            product=product, contradictions=(told,), not_promised=(silence,), document_gaps=(gap,)
        )
        for product, told, gap in (
            ("p", steady, gaps[0]),
            ("q", steady, gaps[1]),
            ("r", torn, gaps[0]),
        )
    ]
    openings = openings_of(labelled(documents))
    (contradiction,) = openings.contradictions
    assert contradiction.elements == 27
    assert [(told.text, told.runs) for told in contradiction.readings] == [
        ("a", ("p", "q")),
        ("a on 4, b on 2, neither on 3", ("r",)),
    ]
    assert openings.silences == (silence,)
    assert [told.runs for told in openings.statuses[0].given] == [("p", "r")]
    assert render_page(documents).count("zero-sign") == 1


def test_the_call_of_a_story() -> None:
    """The lines between the call and the command; nothing if the story was cut before."""
    assert call_of("FAIL\ncall:   a on b\n  x: c\nagain:  d") == "a on b\n  x: c"
    assert call_of("FAIL\n…\nagain:  d") == ""


def test_pictures_are_small_and_name_their_bars() -> None:
    """A checkerboard of 1,024 cells takes less than 6 kB; each bar says what it counts."""
    assert len(grid_svg(PICTURE)) < 6_000
    drawn = histogram_svg(PICTURE)
    assert "up to ½ ulp: 512 elements, 0 wrong" in drawn
    assert "beyond measure: 511 elements, 511 wrong" in drawn
    assert "1 of a class that is not allowed" in drawn


def test_the_command(entry: Entries, results_document: Documents, tmp_path: Any) -> None:
    """Folders and files are taken alike; a baseline of another product is refused in a sentence."""
    for name, product in (("a", "atlas-a2"), ("b", "ascend-950"), ("c", "atlas-a3")):
        (tmp_path / name).mkdir()
        write_document(results_document(product=product, cases=(entry("x"),)), tmp_path / name)
    page = tmp_path / "pages" / "page.html"
    folders = [str(tmp_path / "a"), str(tmp_path / "b" / "results.json")]
    done = CliRunner().invoke(app, ["report", *folders, "-o", str(page)])
    assert (done.exit_code, done.stdout) == (0, f"{page}\n")
    assert [run["label"] for run in data_of(page.read_text())["runs"]] == ["atlas-a2", "ascend-950"]
    base = ["--baseline", str(tmp_path / "c")]
    refused = CliRunner().invoke(app, ["report", *folders, *base, "-o", str(tmp_path / "no.html")])
    assert refused.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert "the baseline is about atlas-a3" in refused.output
    assert not (tmp_path / "no.html").exists()


def test_a_baseline_is_compared(entry: Entries, results_document: Documents) -> None:
    """What got worse since is on the page, with a link to the case."""
    base = results_document(cases=(entry("x"), entry("y")))
    new = results_document(cases=(entry("x", "fail"), entry("y")))
    page = render_page([new], base)
    assert "NEW is worse than BASE: 1 case newly fails" in page
    assert '<a href="#case=x"><code>x</code></a>' in page.split('id="failures"')[0]
    with pytest.raises(NotTrustworthyError, match="no run of the page is"):
        render_page([results_document(product="atlas-a3", cases=(entry("x"),))], base)
