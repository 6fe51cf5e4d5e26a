# SPDX-License-Identifier: Apache-2.0
"""The dashboard's pages: what is on them, where they lead, and that nothing escapes from a name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.report.comparing_runs import case
from tests.store.conftest import Make, add, invoke

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.results.document import ClauseState, ClauseVerdict
from aclnn_cts.store.dashboard import link_of, write_dashboard
from aclnn_cts.store.folder import Store
from aclnn_cts.store.runs import Selection, all_runs


def clause(state: ClauseState, text: str = "what it says") -> ClauseVerdict:
    return ClauseVerdict("aclnnLogitGrad", "eps", state, 1, 0, None, text, "its place", "stated")


def embedded(page: Path) -> dict[str, str]:
    found = re.search(r'id="letters">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    letters: dict[str, str] = json.loads(found[1])
    return letters


def cells_of(wall: str) -> list[tuple[str, ...]]:
    """Return the cells of the wall: link, first run of the state, last letter, first night."""
    pattern = r'class="cell \w+" href="([^"]+)" title="since run (\w+)"><b>(.)</b> ([\d-]+)'
    found: list[tuple[str, ...]] = re.findall(pattern, wall)
    return found


def written(store: Store, folder: Path) -> Path:
    assert write_dashboard(store, Selection(), folder) == folder / "index.html"
    return folder


def test_operators_of_contract_depth_are_marked(store: Store, judged: Make, tmp_path: Path) -> None:
    """On the wall and their own pages, by what the last of their runs says."""
    cases = (case("LogitGrad.a"), case("PreluBackward.a", operator="aclnnPreluBackward"))
    both = ("aclnnLogitGrad", "aclnnPreluBackward")
    add(store, judged(*cases, day=1, contract_only=both))
    add(store, judged(*cases, day=2, contract_only=both[:1]))
    pages = written(store, tmp_path / "pages")
    marked = {page.name: page.read_text().count("contract only<") for page in pages.glob("*.html")}
    assert marked == {"index.html": 1, "aclnnLogitGrad.html": 1, "aclnnPreluBackward.html": 0}
    row = next(line for line in (pages / "index.html").read_text().splitlines() if "<small" in line)
    assert "aclnnLogitGrad" in row


def test_the_pages(store: Store, judged: Make, tmp_path: Path) -> None:
    """A wall, a page per operator and clause; each run is a letter, those without are gaps."""
    results = tmp_path / "results"
    results.mkdir()
    (results / "report.html").write_text("the report")
    states: tuple[ClauseState, ...] = ("pass", "fail", "fail")
    for night, state in enumerate(states):
        verdict = "fail" if state == "fail" else "pass"
        document = judged(case("LogitGrad.a", verdict), day=night, clauses=(clause(state),))
        add(store, document, report=(results / "report.html").as_uri())
    add(store, judged(case("PreluBackward.a", operator="aclnnPreluBackward"), day=9))
    pages = written(store, tmp_path / "pages")
    assert embedded(pages / "aclnnLogitGrad.html") == {"atlas-a2": ".FF "}
    assert embedded(pages / "aclnnLogitGrad.eps.html") == {"atlas-a2": ".FF "}
    assert embedded(pages / "aclnnPreluBackward.html") == {"atlas-a2": "   ."}
    script = (pages / "runs.js").read_text(encoding="utf-8")
    runs = json.loads(script.removeprefix("const RUNS = ").rstrip(";\n"))["atlas-a2"]
    assert [run[0] for run in runs] == [run.short for run in all_runs(store)]
    assert [run[-1] for run in runs] == ["../results/report.html"] * 3 + [""]
    assert (pages / runs[0][-1]).resolve() == results / "report.html"
    wall = (pages / "index.html").read_text(encoding="utf-8")
    assert cells_of(wall) == [
        ("../results/report.html", runs[1][0], "F", "2026-01-02"),
        (f"aclnnPreluBackward.html#{runs[3][0]}", runs[3][0], ".", "2026-01-10"),
    ]
    for page in pages.glob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#]+)', page.read_text(encoding="utf-8")):
            assert (pages / link).is_file(), link


def test_a_card_that_fails(store: Store, judged: Make, tmp_path: Path) -> None:
    """What passed on another card since makes neither operator nor clause green, as in history."""
    nights: tuple[tuple[int, ClauseState], ...] = ((0, "pass"), (1, "pass"), (1, "fail"))
    for day, (card, state) in enumerate((*nights, nights[0])):
        broken = ("eps",) if state == "fail" else ()
        facts = {"host": "h", "card": card, "broken": broken, "exercised": ("eps",)}
        document = judged(
            case("LogitGrad.a", state, **facts),
            day=day,
            card=None,
            host="h",
            clauses=(clause(state),),
        )
        add(store, document)
    pages = written(store, tmp_path / "pages")
    wall = (pages / "index.html").read_text(encoding="utf-8")
    assert re.search(r'class="failing">\s*<th[^>]*><a href="aclnnLogitGrad.html"', wall)
    assert cells_of(wall)[0][1:] == (all_runs(store)[2].short, ".", "2026-01-03")
    operator = (pages / "aclnnLogitGrad.html").read_text(encoding="utf-8")
    assert re.search(r'class="failing">\s*<th[^>]*><a href="aclnnLogitGrad.eps.html"', operator)
    for page in (operator, (pages / "aclnnLogitGrad.eps.html").read_text(encoding="utf-8")):
        cards = re.search(r'class="places">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)
        assert cards
        rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in cards[1].split("</tr>")[:-1]]
        assert rows == [
            ["h", "1", "2", "1", f"run {all_runs(store)[2].short}, 2026-01-03"],
            ["h", "0", "2", "0", ""],
        ]


def test_nothing_escapes(store: Store, judged: Make, tmp_path: Path) -> None:
    """What runs say is text on the pages, whatever it holds."""
    hostile = "</script><script>alert(1)</script>"
    document = judged(
        case("LogitGrad.a"), host=hostile, cann=hostile, clauses=(clause("pass", hostile),)
    )
    add(store, document, label=hostile, report="javascript:alert(1)")
    pages = written(store, tmp_path / "pages")
    for page in pages.iterdir():
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        assert "javascript:" not in text


def test_names_that_are_no_file_names(store: Store, judged: Make, tmp_path: Path) -> None:
    """An operator's name leads to no other folder."""
    add(store, judged(case("x.a", operator="../../aclnnX")))
    with pytest.raises(NotTrustworthyError):
        write_dashboard(store, Selection(), tmp_path / "pages")


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://ci.example/7/report.html", "https://ci.example/7/report.html"),
        ("javascript:alert(1)", ""),
        ("file:///nowhere/report.html", ""),
        ("", ""),
    ],
)
def test_links(address: str, link: str, tmp_path: Path) -> None:
    """Only addresses of the web and files that are there become links."""
    assert link_of(address, tmp_path) == link


def test_the_command(folder: str, store: Store, judged: Make, tmp_path: Path) -> None:
    """It writes the pages and says where they begin; without runs it says so."""
    arguments = ["dashboard", "-o", str(tmp_path / "pages"), "--store", folder]
    assert invoke(*arguments).exit_code == ExitCode.WRONG_INPUT
    add(store, judged(case("LogitGrad.a")))
    done = invoke(*arguments)
    assert done.exit_code == ExitCode.PASSED, done.output
    assert done.stdout.strip() == str(tmp_path / "pages" / "index.html")
