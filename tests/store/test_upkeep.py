# SPDX-License-Identifier: Apache-2.0
"""Old runs go when a person says so, and all that is recorded can be taken out."""

from __future__ import annotations

import contextlib
import gzip
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select, update
from tests.report.comparing_runs import case
from tests.store.conftest import add
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.errors import ExitCode, WrongInputError
from aclnn_cts.report.results import ResultsDocument
from aclnn_cts.store import schema
from aclnn_cts.store.database import Store, opened
from aclnn_cts.store.recording import recorded_document
from aclnn_cts.store.runs import Selection, selected
from aclnn_cts.store.sheets import pack_json

Make = Callable[..., ResultsDocument]


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, arguments)


def test_prune(url: str, store: Store, judged: Make) -> None:
    """Runs from before a day go with what they alone need; labelled ones and later ones stay."""
    for night in range(4):
        cases = (case("LogitGrad.a"), case(f"LogitGrad.{night}", "fail"))
        with store.writing() as connection:
            add(connection, judged(*cases, day=night), label="release" if night == 1 else "")
    arguments = ["store", "prune", "--before", "2026-01-04", "--store", url]
    assert invoke(*arguments, "--dry-run").exit_code == ExitCode.PASSED
    with store.reading() as connection:
        assert list(selected(connection, Selection())) == [1, 2, 3, 4]
    done = invoke(*arguments)
    assert done.exit_code == ExitCode.PASSED, done.output
    with store.reading() as connection:
        assert list(selected(connection, Selection())) == [2, 4]
        for number in (2, 4):
            assert len(recorded_document(connection, number).cases) == 2
        held = connection.scalar(select(func.count()).select_from(schema.content))
    with store.writing() as connection:
        again = add(connection, judged(case("LogitGrad.a"), day=5))
    assert again == 5
    # A header each, and of either sheet its names, facts, details, figures and times.
    assert held == 2 + 2 * 2 + 3
    assert invoke(*arguments[:3], "yesterday", "--store", url).exit_code == ExitCode.WRONG_INPUT


def test_export(url: str, store: Store, judged: Make, tmp_path: Path) -> None:
    """Each run comes with its clauses and cases, one JSON object a line."""
    for night in range(2):
        with store.writing() as connection:
            add(connection, judged(case("LogitGrad.a"), case("LogitGrad.b", "fail"), day=night))
    for name, opening in (("all.jsonl.gz", gzip.open), ("all.jsonl", open)):
        path = tmp_path / name
        assert invoke("store", "export", "-o", str(path), "--store", url).exit_code == 0
        with opening(path, "rt", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        assert [next(iter(line)) for line in lines] == ["run", "case", "case"] * 2
        assert [line["case"]["verdict"] for line in lines if "case" in line] == ["pass", "fail"] * 2
    one = tmp_path / "one.jsonl"
    assert invoke("store", "export", "2", "-o", str(one), "--store", url).exit_code == 0
    assert json.loads(one.read_text().splitlines()[0])["run"]["id"] == 2
    missing = invoke("store", "export", "7", "-o", str(one), "--store", url)
    assert missing.exit_code == ExitCode.WRONG_INPUT


def test_names_are_shown_as_they_are(url: str, store: Store, judged: Make) -> None:
    """Neither markup nor SQL in a label or a reason does anything."""
    label = "[/]'☃:smile:"
    with store.writing() as connection:
        add(connection, judged(case("LogitGrad.a")), label=label)
    assert label in invoke("store", "list", "--store", url).stdout
    assert invoke("store", "withdraw", "1", "--reason", "'[/]'", "--store", url).exit_code == 0
    assert "'[/]'" in invoke("store", "list", "--store", url).stdout


# A cursor of the server is open when the damage is found; it goes with its connection.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_damaged_part(url: str, store: Store, judged: Make) -> None:
    """What is altered or gone in the database is noticed: nothing is said of the run."""
    with store.writing() as connection:
        add(connection, judged(case("LogitGrad.a", "fail")))
        connection.execute(update(schema.content).values(data=b"\x00\x11\x22"))
    for question in (("show", "1"), ("export", "-o", "/dev/null")):
        assert invoke("store", *question, "--store", url).exit_code == ExitCode.NOT_TRUSTWORTHY
    asked = invoke("history", "--case", "*", "--store", url)
    assert asked.exit_code == ExitCode.NOT_TRUSTWORTHY
    with store.writing() as connection:
        header = select(schema.run.c.header)
        connection.execute(
            update(schema.content)
            .where(schema.content.c.id.in_(header))
            .values(data=pack_json({"started": "2026-01-01T00:00:00+00:00"}))
        )
        connection.execute(delete(schema.content).where(schema.content.c.id.not_in(header)))
    assert invoke("store", "show", "1", "--store", url).exit_code == ExitCode.NOT_TRUSTWORTHY


@pytest.mark.parametrize(
    "words", ["store show x1", "store export 1 x1 -o /dev/null", "waivers suggest --run x1"]
)
def test_what_is_no_number_of_a_run(words: str) -> None:
    """The value is named, and the command that lists the numbers."""
    result = invoke(*words.split())
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "'x1'" in result.output
    assert "`aclnn-cts store list`" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", str(10**20)),
        ("export", str(2**31), "-o", "/dev/null"),
        ("withdraw", "1", "--reason", "a\x1b[31m"),
        ("add", ".", "--label", "two\nlines"),
    ],
)
def test_wrong_input(url: str, store: Store, arguments: tuple[str, ...]) -> None:
    """Numbers that no database holds, and texts that would disturb a terminal, are refused."""
    del store
    assert invoke("store", *arguments, "--store", url).exit_code == ExitCode.WRONG_INPUT


def test_a_database_of_something_else(tmp_path: Path) -> None:
    """Its file is refused, not filled with our tables."""
    path = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = path.read_bytes()
    with pytest.raises(WrongInputError, match="notes"), opened(str(path), create=True):
        pass
    assert path.read_bytes() == before
