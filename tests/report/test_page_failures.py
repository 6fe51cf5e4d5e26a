# SPDX-License-Identifier: Apache-2.0
"""Failing cases on the page: told without a script, by groups, with small pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.report.pages import PICTURE, Documents, Entries, data_of
from tests.report.reports import page_of

from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.verdicts import Common
from aclnn_cts.report.page.failures import call_of, failing_groups, failing_operators, grid_svg
from aclnn_cts.report.page.tables import page_data
from aclnn_cts.report.view import label_runs
from aclnn_cts.results.document import ClauseVerdict

MEGABYTE = 1_000_000
SAMPLE = Sample("out", (1, 2), (("x", 0.5), ("dy", float("nan"))), "1.5", 3.0, 12.0, 1e-7)


def test_a_failing_case_is_told_without_a_script(
    entry: Entries, results_document: Documents
) -> None:
    """Clause, place, wrong elements, pictures, call and command stand in the markup itself."""
    clause = ClauseVerdict(
        "aclnnLogitGrad", "formula", "fail", 1, 0, None, "the text", "page 3", "stated"
    )
    case = entry("c", "fail", samples=(SAMPLE,), pictures=(PICTURE,), remarks=("in the slack",))
    case = case.model_copy(update={"after": ("the-other",), "tries": 2})
    page = page_of([results_document(cases=(case,), clauses=(clause,))])
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
        "aclnn-cts run --product atlas-a2 --tier smoke --simulator --case the-other --case c",
        'id="clause=aclnnLogitGrad/formula"',
    ):
        assert text in markup, text


def test_a_type_in_which_alone_values_are_wrong_says_where(
    entry: Entries, results_document: Documents
) -> None:
    """It is not the promise to read first: the page, too, leads with what was computed wrong."""
    common = Common("bfloat16", ("x-dtype", "dy-dtype"))
    case = entry("c", "fail", broken=("formula", "x-dtype", "dy-dtype"), only_in=(common,))
    page = page_of([results_document(cases=(case,))])
    assert "wrong only in <b>bfloat16 (x-dtype, dy-dtype)</b>" in page
    assert '<dt><a href="#clause=aclnnLogitGrad/formula">' in page
    assert '<dt><a href="#clause=aclnnLogitGrad/x-dtype">' not in page


@pytest.mark.parametrize(("failing", "folded"), [(12, 0), (13, 3), (40, 30)])
def test_a_long_group_is_folded(
    entry: Entries, results_document: Documents, failing: int, folded: int
) -> None:
    """The first ten cases stand open, and the next group is not pages away; none is left out."""
    cases = tuple(entry(f"f{n}", "fail") for n in range(failing))
    page = page_of([results_document(cases=cases)])
    before, fold, behind = page.partition('<details class="rest">')
    assert (before.count('<details class="case"'), behind.count('<details class="case"')) == (
        failing - folded,
        folded,
    )
    assert bool(fold) is bool(folded)
    assert (f"<summary>more failing cases: {folded}</summary>" in behind) is bool(folded)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("aaa", "breaks a"),
        ("abbc", "breaks b (2), a (1) and c (1)"),
        ("abbcd", "breaks b (2), a (1) and 2 more"),
    ],
)
def test_a_group_counts_the_clauses_that_its_cases_name_first(
    entry: Entries, results_document: Documents, broken: str, told: str
) -> None:
    """Cases with a fact in common may break different promises: one name would hide the others."""
    cases = [
        entry(f"f{n}", "fail", broken=(name,), facts=("stepped",)) for n, name in enumerate(broken)
    ]
    cases += [entry(f"p{n}", facts=("whole",)) for n in range(40)]
    page = page_of([results_document(cases=tuple(cases))])
    (line,) = (line for line in page.splitlines() if " failing cases; " in line)
    assert re.sub("<[^>]*>", "", line).endswith(f" · {told}")


def test_a_large_company_is_told_by_its_size(entry: Entries, results_document: Documents) -> None:
    """Its members are too many to name; the command is one that brings them along."""
    case = entry("c", "fail", after=tuple("vwxyz"))
    page = page_of([results_document(cases=(case,))])
    assert "unless these ran before it" not in page
    assert "all cases of the operator: it fails only after 5 of them, and passes alone" in page
    command = "aclnn-cts run --product atlas-a2 --tier smoke --simulator --operator aclnnLogitGrad"
    assert f">{command}<" in page


def test_the_script_has_the_command_too(entry: Entries, results_document: Documents) -> None:
    """What there is no room to tell has a command of its own there, if it takes others."""
    run = label_runs([results_document(cases=(entry("c", "fail", after=("b",)), entry("p")))])
    data = json.loads(page_data(run, ()))
    behind = [row[data["columns"].index("behind")] for row in data["cases"]]
    assert behind == [run[0].command(next(iter(run[0].document.cases))), ""]
    told = json.loads(page_data(run, ("c",)))
    assert [row[told["columns"].index("behind")] for row in told["cases"]] == ["", ""]


@pytest.mark.parametrize("tries", [1, 2])
def test_confirmed_only_if_it_was_concluded(
    entry: Entries, results_document: Documents, tries: int
) -> None:
    """The number of tries says nothing: one may have left no record, or come before another."""
    said = "Run again alone in a fresh process, it broke a promise again."
    for confirmed in (True, False):
        case = entry("c", "fail", tries=tries, confirmed=confirmed)
        page = page_of([results_document(cases=(case,))])
        assert (said in page) is confirmed


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_five_thousand_cases_fit(
    entry: Entries, results_document: Documents, figures: Callable[..., Any], verdict: str
) -> None:
    """Under 5 MB whether all pass or all fail; what is left out is said, and never silently."""
    names = tuple(f"a-clause-with-a-name-{number}" for number in range(25))
    clauses = tuple(
        ClauseVerdict(
            "aclnnLogitGrad", name, "pass", 9, 0, None, "a sentence " * 8, "a place " * 5, "stated"
        )
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
    page = page_of([results_document(cases=cases, clauses=clauses)])
    assert len(page.encode()) < 5 * MEGABYTE
    assert len(data_of(page)["cases"]) == 5000
    told = page.count('<details class="case"')
    if verdict == "pass":
        assert told == 0
        return
    assert 100 < told < 5000
    assert f"{told} of the failing cases are told in full" in page
    assert f"and {5000 - told:,} more" in page


def test_each_group_is_told_if_room_is_short(entry: Entries, results_document: Documents) -> None:
    """The first case of each group comes before the second of any."""
    cases = tuple(
        entry(f"{operator}{n}", "fail", operator=operator)
        for operator in ("aclnnA", "aclnnB", "aclnnC")
        for n in range(5)
    )
    groups = failing_groups(label_runs([results_document(cases=cases)]), lambda _: 10, room=45)
    assert [len(group.details) for group in groups] == [2, 1, 1]
    assert [len(group.further) for group in groups] == [3, 4, 4]


def test_the_call_of_a_story() -> None:
    """The lines between the call and the command; nothing if the story was cut before."""
    assert call_of("FAIL\ncall:   a on b\n  x: c\nagain:  d") == "a on b\n  x: c"
    assert call_of("FAIL\n…\nagain:  d") == ""


def test_pictures_are_small() -> None:
    """A checkerboard of 1,024 cells takes less than 6 kB."""
    assert len(grid_svg(PICTURE)) < 6_000


def test_failing_operators_are_named_first(entry: Entries, results_document: Documents) -> None:
    """New ones before known ones, then the most cases, with a link to the first group of each."""
    cases = [entry(f"a{n}", "fail", operator="aclnnA") for n in range(3)]
    cases += [entry("b", "fail", operator="aclnnB"), entry("c", operator="aclnnC")]
    groups = failing_groups(label_runs([results_document(cases=tuple(cases))]), lambda _: 0)
    shown = [(o.name, o.cases, o.is_new) for o in failing_operators(groups, {"aclnnB"})]
    assert shown == [("aclnnB", 1, True), ("aclnnA", 3, False)]
    page = page_of(
        [results_document(cases=tuple(cases))],
        results_document(cases=(*cases[:3], entry("b", operator="aclnnB"))),
    )
    top = page.split('class="evidence"')[0]
    links = re.findall(r'<li><a href="#(failing=[^"]+)">(\w+)</a>(.*?)<span class="of"', top)
    assert [name for _, name, _ in links] == ["aclnnB", "aclnnA"]
    assert [("new" in mark) for *_, mark in links] == [True, False]
    assert all(f'id="{anchor}"' in page for anchor, *_ in links)
    assert "NEW is worse than BASE" in top
