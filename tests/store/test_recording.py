# SPDX-License-Identifier: Apache-2.0
"""What is recorded of a run, and that it stays as it is."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select
from tests.report.comparing_runs import case
from tests.store.conftest import add
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.results import ClauseVerdict, ResultsDocument, write_document
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.store import schema
from aclnn_cts.store.database import Store, default_url, opened
from aclnn_cts.store.recording import OtherJudgement, recorded_document

Make = Callable[..., ResultsDocument]

_KEPT = [
    "id",
    "operator",
    "verdict",
    "scene",
    "dtype",
    "broken",
    "exercised",
    "kinds",
    "message",
    "waiver",
    "unenforced",
    "basis",
    "tries",
    "confirmed",
    "after",
    "device_microseconds",
    "host",
    "card",
]


def _invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, arguments)


def _rows(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in schema.metadata.sorted_tables
        }


def test_a_run_comes_back(store: Store, judged: Make) -> None:
    """All that a comparison goes by comes back: each verdict, errors without a size, times."""
    clause = ClauseVerdict(
        "aclnnLogitGrad", "formula", "fail", 9, 3, "other", "what it says", "its place", "stated"
    )
    cases = [
        *(case(verdict.value, verdict.value) for verdict in Verdict),
        case("beyond", "fail", errors=(math.inf, math.inf)),
        case("nothing-compared", standards={}),
        case("elsewhere", host="b", card=5),
        case("nowhere", "missing", host="", card=-1),
        case("timed", device_microseconds=(1.5, 2.25)),
        case("waived", "crash", waiver="w", kinds=("crash",)),
        case("refused", basis="requirement", exercised=("formula", "x-dtype")),
        case("other", "fail", operator="aclnnPreluBackward", after=("x",), confirmed=True, tries=2),
    ]
    document = judged(
        *cases,
        card=None,
        clauses=(clause,),
        problems=("a program died",),
        contract_only=("aclnnPreluBackward",),
    )
    with store.writing() as connection:
        number = add(connection, document)
    with store.reading() as connection:
        found = recorded_document(connection, number)
    for before, after in zip(document.cases, found.cases, strict=True):
        assert [getattr(before, name) for name in _KEPT] == [getattr(after, name) for name in _KEPT]
        assert before.standards.keys() == after.standards.keys()
        for name, kept in after.standards.items():
            assert vars(kept) == vars(before.standards[name]) | {"output": kept.output}
    assert found.clauses == document.clauses
    assert found.totals == document.totals
    assert found.contract_only == document.contract_only
    assert found.exit_code == document.exit_code
    assert (found.device, found.environment) == (document.device, document.environment)
    assert not compare_results(document, found).cases


def test_adding_is_idempotent(store: Store, judged: Make) -> None:
    """A recorded run adds no row, and is found by its content."""
    document = judged(case("a"), case("b", "fail"))
    with store.writing() as connection:
        number = add(connection, document)
    before = _rows(store)
    for label in ("name", "another name", ""):
        with store.writing() as connection:
            assert add(connection, document, label=label) == number
    assert _rows(store) == before
    with store.reading() as connection:
        assert connection.scalar(select(schema.run.c.label)) == "name"


def test_a_label_is_added_but_never_changed(url: str, judged: Make, tmp_path: Path) -> None:
    """A command that could not give its label says so."""
    write_document(judged(case("a")), tmp_path)
    command = ("store", "add", str(tmp_path), "--store", url, "--label")
    for label, status in (("", 0), ("release", 0), ("release", 0), ("other", 2)):
        ended = _invoke(*command, label)
        assert ended.exit_code == status, ended.output
    assert "'release'" in ended.output


def test_equal_nights_share_their_content(store: Store, judged: Make) -> None:
    """A night that ends as the one before it adds its rows, and no content but its header."""
    for night in range(3):
        with store.writing() as connection:
            add(connection, judged(case("a"), case("b", "fail"), day=night))
    rows = _rows(store)
    assert (rows["run"], rows["sheet"]) == (3, 3)
    assert rows["content"] == 5 + 3


def test_another_judgement_is_refused(store: Store, judged: Make) -> None:
    """What is recorded never changes: the same run with other verdicts is not taken."""
    with store.writing() as connection:
        number = add(connection, judged(case("a"), nonce="n"))
    with store.writing() as connection, pytest.raises(OtherJudgement) as refusal:
        add(connection, judged(case("a", "fail"), nonce="n"))
    assert refusal.value.number == number


def test_a_withdrawn_run(url: str, store: Store, judged: Make) -> None:
    """It is marked with a reason, once, and makes room for another judgement of the same run."""
    with store.writing() as connection:
        number = add(connection, judged(case("a"), nonce="n"))
    withdraw = ["store", "withdraw", str(number), "--store", url, "--reason"]
    assert _invoke(*withdraw, " ").exit_code == ExitCode.WRONG_INPUT
    assert _invoke(*withdraw, "the card was hot").exit_code == ExitCode.PASSED
    assert _invoke(*withdraw, "again").exit_code == ExitCode.WRONG_INPUT
    assert _invoke("store", "withdraw", "77", *withdraw[3:], "x").exit_code == ExitCode.WRONG_INPUT
    with store.writing() as connection:
        assert add(connection, judged(case("a", "fail"), nonce="n")) == number + 1
    listed = json.loads(_invoke("store", "list", "--store", url, "--json").output)
    assert [run["withdrawn"] for run in listed] == ["the card was hot", None]


def test_all_or_nothing(store: Store, judged: Make) -> None:
    """A command that dies while it records leaves nothing behind."""
    before = _rows(store)

    def dying() -> None:
        with store.writing() as connection:
            add(connection, judged(case("a")))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dying()
    assert _rows(store) == before


def test_several_writers(url: str, judged: Make, tmp_path: Path) -> None:
    """Commands that add to a new store at the same time all succeed; equal runs are added once."""
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
        write_document(judged(case("a"), case(folder.name, "fail")), folder)
    command = [sys.executable, "-c", "from aclnn_cts.entry import main; main()"]
    writers = [
        subprocess.Popen(
            [*command, "store", "add", str(folder), "--store", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in (*folders, folders[0])
    ]
    for writer in writers:
        _, errors = writer.communicate()
        assert writer.returncode == 0, errors
    with opened(url) as store:
        assert _rows(store)["run"] == 2


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, WrongInputError), (b"not a database, but long enough " * 40, NotTrustworthyError)],
)
def test_what_is_no_store(tmp_path: Path, content: bytes | None, error: type[CtsError]) -> None:
    """A file that is missing or something else is a sentence, and stays as it is."""
    path = tmp_path / "store.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=str(path)), opened(str(path)):
        pass
    assert (path.read_bytes() if content else path.exists()) == (content or False)


@pytest.mark.parametrize(
    "url",
    [
        *("mysql://x/y", "postgresql://h", "://", "nothing://", "mysql://ada:secret@h/db"),
        *("postgresql:/ada:secret@h/db", "postgresql:ada", "postgres://ada:secret@h/db"),
        *("postgresql://ada:sec@ret:secret@h:port/db", "postgresql://ada:secret@h:port/db"),
        *("postgresql://ada:x@secret@h/db", "postgresql://ada/secret@h/db", "sqlite://"),
        *(":memory:", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true", "file:x"),
        *("sqlite://secret/x", "sqlite:///x?password=secret", "postgresql://[::1/secret"),
    ],
)
def test_addresses_that_are_none(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused before anything is imported or made, and no part of them is repeated."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WrongInputError, match="--store") as refusal, opened(url, create=True):
        pass
    assert "secret" not in str(refusal.value)
    assert "ret:" not in str(refusal.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:secret@127.0.0.1:1/results",
        "postgresql://ada@127.0.0.1:1/results?password=secret",
        "postgresql://ada@127.0.0.1:1/results?passfile=secret&sslpassword=secret",
        "postgresql://ada:sec%40ret%3Asecret@127.0.0.1:1/results",
        "postgresql://ada:secret@127.0.0.1:99999999/results",
    ],
)
def test_no_password_is_shown(url: str) -> None:
    """A server that is not there is named without the password, wherever the address has it."""
    pytest.importorskip("psycopg")
    with pytest.raises(WrongInputError) as refusal, opened(url):
        pass
    assert "127.0.0.1" in str(refusal.value)
    assert "secret" not in str(refusal.value)
    assert "sec%40" not in str(refusal.value)


def test_no_password_is_in_the_name_of_a_store(database: str) -> None:
    """The name is what commands print after they succeeded."""
    with opened(f"{database}&password=secret", create=True) as store:
        assert "host=" in store.name
        assert "secret" not in store.name


def test_a_path_with_a_colon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that begins with ./ is one whatever it holds."""
    monkeypatch.chdir(tmp_path)
    with opened("./night:1.sqlite", create=True):
        pass
    assert (tmp_path / "night:1.sqlite").is_file()


def test_the_users_own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without an address it is a file in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_url() == f"sqlite:///{tmp_path}/aclnn-cts/store.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_url() == f"sqlite:///{tmp_path}/.local/share/aclnn-cts/store.sqlite"
