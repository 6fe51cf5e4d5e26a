# SPDX-License-Identifier: Apache-2.0
"""Stores of earlier releases come over, each once."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from tests.store.conftest import invoke
from typer.testing import Result

from aclnn_cts.errors import ExitCode
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.store.folder import open_store
from aclnn_cts.store.history import Subject, history
from aclnn_cts.store.recording import recorded_document
from aclnn_cts.store.runs import Selection, all_runs
from aclnn_cts.store.statistics import flakiness, trends

RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))
"""Dumps of stores of each revision, of two nights of two cases, of which one failed the second."""


def restored(dump: Path, folder: Path, *changes: str) -> Path:
    path = folder / "old.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        for change in changes:
            connection.execute(change)
        connection.commit()
    return path


def imported(old: Path, folder: str) -> Result:
    return invoke("store", "add", str(old), "--store", folder)


@pytest.mark.parametrize("dump", RELEASED, ids=lambda path: path.stem)
def test_a_store_of_each_revision(dump: Path, folder: str, tmp_path: Path) -> None:
    """It answers as it did, and importing it again adds nothing."""
    old = restored(dump, tmp_path)
    before = old.read_bytes()
    for count in ("2 runs", "0 runs"):
        done = imported(old, folder)
        assert done.exit_code == ExitCode.PASSED, done.output
        assert count in done.stdout
    assert old.read_bytes() == before
    with open_store(folder) as store:
        (found,) = history(store, Subject(("LogitGrad.a",)), Selection(hosts=("a",)))
        runs = all_runs(store)
        documents = [recorded_document(store, run) for run in runs]
        assert len(flakiness(store, Selection()).builds) == 2
        assert {trend.figure for trend in trends(store, Selection())} >= {"worst_ulp", "mean_ulp"}
    assert [point.letter for point in found.points] == [".", "F"]
    assert found.changes == ("CANN 8.0 → 8.1",)
    assert [(place.host, place.card) for place in found.places] == [("a", 0)]
    assert [run.cards for run in runs] == [(("a", 0),)] * 2
    assert {(case.host, case.card) for case in documents[0].cases} == {("a", 0)}
    assert [document.totals["planned"] for document in documents] == [2, 2]
    assert compare_results(documents[0], documents[1]).worse == {"failing": 1}


def test_labels_and_withdrawn_runs(folder: str, tmp_path: Path) -> None:
    """They stay what they are."""
    old = restored(
        RELEASED[-1],
        tmp_path,
        "UPDATE run SET label = 'release', report = 'https://ci.example/1' WHERE id = 1",
        "INSERT INTO withdrawal VALUES (2, '2026-11-24T00:00:00+00:00', 'the card was hot')",
    )
    assert imported(old, folder).exit_code == ExitCode.PASSED
    with open_store(folder) as store:
        runs = all_runs(store)
    assert [(run.label, run.report) for run in runs] == [
        ("release", "https://ci.example/1"),
        ("", ""),
    ]
    assert [run.withdrawn for run in runs] == [None, "the card was hot"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", ExitCode.NOT_TRUSTWORTHY),
        ("DELETE FROM alembic_version", ExitCode.NOT_TRUSTWORTHY),
        ("DROP TABLE alembic_version", ExitCode.WRONG_INPUT),
        ("UPDATE content SET data = x'001122'", ExitCode.NOT_TRUSTWORTHY),
        ("DELETE FROM content", ExitCode.NOT_TRUSTWORTHY),
        ("DROP TABLE sheet", ExitCode.NOT_TRUSTWORTHY),
    ],
)
def test_what_is_refused(folder: str, tmp_path: Path, change: str, status: ExitCode) -> None:
    """Another revision, another database, damage: the file is named, and no run is recorded."""
    old = restored(RELEASED[-1], tmp_path, change)
    done = imported(old, folder)
    assert done.exit_code == status, done.output
    assert str(old) in done.output
    with open_store(folder) as store:
        assert not all_runs(store)


def test_what_is_no_database(folder: str, tmp_path: Path) -> None:
    """A missing file is wrong input, a damaged database is not trustworthy."""
    old = tmp_path / "old.sqlite"
    assert imported(old, folder).exit_code == ExitCode.WRONG_INPUT
    old.write_bytes(b"SQLite format 3\0" + b"and no database behind it " * 40)
    assert imported(old, folder).exit_code == ExitCode.NOT_TRUSTWORTHY


def test_a_store_is_added_alone(folder: str, tmp_path: Path) -> None:
    """It has the labels of its own runs."""
    old = str(restored(RELEASED[-1], tmp_path))
    for others in ((old, old), (old, "--label", "release")):
        arguments = ["store", "add", *others, "--store", folder]
        assert invoke(*arguments).exit_code == ExitCode.WRONG_INPUT
