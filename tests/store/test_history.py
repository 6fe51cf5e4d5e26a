# SPDX-License-Identifier: Apache-2.0
"""Since when something fails, and on which card."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.report.comparing_runs import case
from tests.store.conftest import Make, Nights, add, invoke

from aclnn_cts.errors import ExitCode, WrongInputError
from aclnn_cts.results.document import ClauseState, ClauseVerdict
from aclnn_cts.store.folder import Store
from aclnn_cts.store.history import History, Subject, history
from aclnn_cts.store.runs import Selection


def ask(store: Store, *cases: str, selection: Selection | None = None, **subject: Any) -> History:
    (found,) = history(store, Subject(cases, **subject), selection or Selection())
    return found


def strip(found: History) -> str:
    return "".join(point.letter for point in found.points)


def test_a_case_over_the_nights(store: Store, nights: Nights) -> None:
    """First and last failing run, since when it fails, and what changed just before that."""
    versions = ["8.0", "8.0", "8.1", "8.1", "8.1", "8.1"]
    runs = nights({"LogitGrad.a": "F..FFF", "LogitGrad.b": "......"}, cann=versions)
    found = ask(store, "LogitGrad.a")
    assert strip(found) == "F..FFF"
    (a,) = found.cases
    assert (a.runs, a.broken, a.first.id, a.last.id) == (6, 4, runs[0], runs[5])
    assert a.since is not None
    assert (a.since.id, found.since and found.since.id) == (runs[3], runs[3])
    assert found.before is not None
    assert found.before.id == runs[2]
    # The version changed a night before the failure began: it is not what lies between.
    assert found.changes == ()


def test_the_change_between(store: Store, nights: Nights) -> None:
    """What differs between the last run that passed and the first that failed is named."""
    nights({"LogitGrad.a": "..FF."}, cann=["8.0", "8.0", "8.1", "8.1", "8.2"])
    found = ask(store, "LogitGrad.a")
    assert found.changes == ("CANN 8.0 → 8.1",)
    assert found.since is None
    assert found.cases[0].since is None


def test_patterns_speak_for_their_worst_case(store: Store, nights: Nights) -> None:
    """Of many cases the letter that counts most is shown, and only those that failed are listed."""
    nights({"LogitGrad.a": ".F.?", "LogitGrad.b": ".C..", "LogitGrad.c": "...."})
    found = ask(store, "LogitGrad.*")
    assert strip(found) == ".C.?"
    assert [point.broken for point in found.points] == [0, 2, 0, 0]
    assert {each.case for each in found.cases} == {"LogitGrad.a", "LogitGrad.b"}
    assert strip(ask(store, "*.c")) == "...."


def test_runs_without_the_case_do_not_count(store: Store, nights: Nights) -> None:
    """A case that came later, or was left out, has only the runs that hold it."""
    runs = nights({"LogitGrad.a": " .F F", "LogitGrad.b": "....."})
    found = ask(store, "LogitGrad.a")
    assert [point.run.id for point in found.points] == [runs[1], runs[2], runs[4]]
    assert found.since is not None
    assert found.since.id == runs[2]


def test_on_which_card_of_a_run_on_several(store: Store, judged: Make) -> None:
    """A run on several hosts counts for each card that ran one of the cases, and for no other."""
    for night in range(3):
        cases = (
            case("LogitGrad.a", "fail" if night == 1 else "pass", host="h", card=night % 2),
            case("LogitGrad.b", host="i", card=0),
            case("LogitGrad.c", "missing", host="", card=-1),
        )
        add(store, judged(*cases, day=night, card=None, host="h, i"))
    places = [(each.host, each.card, each.broken, each.runs) for each in ask(store, "*").places]
    assert places == [("h", 1, 1, 1), ("h", 0, 0, 2), ("i", 0, 0, 3)]
    one = ask(store, "LogitGrad.a", selection=Selection(hosts=("i",)))
    assert [point.letter for point in one.points] == [".", "F", "."]
    with pytest.raises(WrongInputError, match="host in the store"):
        ask(store, "*", selection=Selection(hosts=("h, i",)))


def test_on_which_card(store: Store, nights: Nights) -> None:
    """Each card has its own count of runs, the one that fails most first."""
    nights({"LogitGrad.a": ".F.F.F"}, card=[0, 1, 0, 1, 0, 1], host=["h"] * 6)
    found = ask(store, "LogitGrad.a")
    assert [(each.card, each.broken, each.runs) for each in found.places] == [(1, 3, 3), (0, 0, 3)]


def test_since_when_on_the_card_that_fails(store: Store, nights: Nights) -> None:
    """Runs on sound cards between the failing ones do not end a failure, nor begin it anew."""
    cards = [0, 1, 0, 1, 0, 1, 0]
    runs = nights({"LogitGrad.a": "...F.F."}, card=cards, cann=["8.0"] * 3 + ["8.1"] * 4)
    found = ask(store, "LogitGrad.a")
    assert (found.since and found.since.id, found.before and found.before.id) == (runs[3], runs[1])
    assert found.changes == ("CANN 8.0 → 8.1",)
    (a,) = found.cases
    assert a.since is not None
    assert a.since.id == runs[3]
    bad, sound = found.places
    assert (bad.card, bad.fails, bad.began and bad.began.id) == (1, True, runs[3])
    assert (bad.before and bad.before.id) == runs[1]
    assert (sound.fails, sound.began, sound.before) == (False, None, None)


def test_a_card_that_was_mended(store: Store, nights: Nights) -> None:
    """It fails no more once it passed there, and where it failed last is still told."""
    runs = nights({"LogitGrad.a": ".F.F.."}, card=[0, 1, 0, 1, 0, 1])
    found = ask(store, "LogitGrad.a")
    assert found.since is None
    assert (found.began and found.began.id, found.before and found.before.id) == (runs[1], runs[0])
    assert found.cases[0].since is None


def test_a_clause(store: Store, judged: Make) -> None:
    """Of a clause its own verdicts are shown, and the cases that broke that clause."""
    states: tuple[ClauseState, ...] = ("pass", "fail", "untested")
    for night, state in enumerate(states):
        verdict = "fail" if state == "fail" else "pass"
        clause = ClauseVerdict(
            "aclnnLogitGrad", "eps", state, 1, 0, None, "text", "place", "stated"
        )
        cases = (
            case("LogitGrad.a", verdict, exercised=("eps",), broken=("eps",) * (state == "fail")),
            case("LogitGrad.b", "fail", exercised=("eps", "formula"), broken=("formula",)),
        )
        add(store, judged(*cases, day=night, clauses=(clause,)))
    found = ask(store, clause="eps")
    assert strip(found) == ".F-"
    assert [each.case for each in found.cases] == ["LogitGrad.a"]
    assert [point.broken for point in found.points] == [0, 1, 0]


def test_names_that_are_none(store: Store, nights: Nights) -> None:
    """An unknown operator, case, clause or product is refused, not answered with nothing."""
    nights({"LogitGrad.a": "."})
    for subject, selection in (
        (Subject(("LogitGrad.x",)), Selection()),
        (Subject(operators=("aclnnLogit",)), Selection()),
        (Subject(clause="none"), Selection()),
        (Subject(("LogitGrad.a",)), Selection(products=("atlas-a3",))),
        (Subject(("LogitGrad.a",)), Selection(since="2030-01-01")),
    ):
        with pytest.raises(WrongInputError):
            history(store, subject, selection)


def test_the_command(folder: str, store: Store, nights: Nights) -> None:
    """What people read says the same as the JSON document."""
    runs = nights({"LogitGrad.a": "..FF"}, card=[0, 1, 2, 2])
    del store
    arguments = ["history", "--case", "LogitGrad.a", "--store", folder]
    shown = invoke(*arguments)
    assert shown.exit_code == ExitCode.PASSED, shown.output
    assert "..FF" in shown.output
    assert "card 2: fails in 2 of 2 runs" in shown.output
    (told,) = json.loads(invoke(*arguments, "--json").output)
    assert [point["letter"] for point in told["points"]] == list("..FF")
    assert (told["since"], told["before"]) == (runs[2], runs[1])
    for options in (
        (),
        ("--flaky", "--trends"),
        ("--changed", "--operator", "aclnnLogitGrad"),
        ("--trends", "--case", "*"),
    ):
        refused = invoke("history", *options, "--store", folder)
        assert refused.exit_code == ExitCode.WRONG_INPUT


def test_contracts_are_marked(folder: str, store: Store, nights: Nights) -> None:
    """By what each run says; a history, by the last run of each operator."""
    contract = ["aclnnLogitGrad"]
    runs = nights({"LogitGrad.a": "..", "LogitGrad.b": ". "}, contract_only=[(), tuple(contract)])
    del store
    for question, names in (
        ("history --case LogitGrad.b", []),
        ("history --case LogitGrad.a", contract),
        (f"store show {runs[0]}", []),
        (f"store show {runs[1]}", contract),
    ):
        words = [*question.split(), "--store", folder]
        marked = "no values of 1 operator were tested" in invoke(*words).output
        assert marked == bool(names), question
        told = json.loads(invoke(*words, "--json").output)
        assert (told[0] if isinstance(told, list) else told)["contract_only"] == names
    words = ["store", "show", "--store", folder]
    rows = invoke(*words).output.splitlines()
    assert ["*" in row for row in rows if row[:8] in {run[:8] for run in runs}] == [False, True]
    told = json.loads(invoke(*words, "--json").output)
    assert [run["contract_only"] for run in told] == [[], contract]
