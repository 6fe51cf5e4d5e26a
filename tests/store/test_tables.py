# SPDX-License-Identifier: Apache-2.0
"""The tables of a store are those of its revision, and other revisions are refused."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, create_engine, insert, inspect, select, update

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.store import schema
from aclnn_cts.store.database import opened
from aclnn_cts.store.history import Subject, history
from aclnn_cts.store.recording import recorded_document
from aclnn_cts.store.runs import Selection, cards_of

FILLED = Path(__file__).parent / "filled.sql"
"""A dump of a store of two nights of two cases, of which one failed in the second night."""


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "filled.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(FILLED.read_text(encoding="utf-8"))
    return path


def _tables(connection: Connection) -> dict[str, Any]:
    """Return what decides whether other rows can be read: columns, keys and indices."""
    found = inspect(connection)
    return {
        name: (
            {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(name)},
            found.get_pk_constraint(name)["constrained_columns"],
            sorted(str(each) for each in found.get_foreign_keys(name)),
            sorted(str(each) for each in found.get_indexes(name)),
            sorted(str(each) for each in found.get_unique_constraints(name)),
        )
        for name in found.get_table_names()
        if name != schema.version.name
    }


def test_a_change_of_the_tables_takes_another_revision(filled: Path, tmp_path: Path) -> None:
    """A store of the revision that the code names has the tables that the code describes."""
    with (
        opened(str(filled)) as old,
        opened(str(tmp_path / "new.sqlite"), create=True) as new,
        old.reading() as before,
        new.reading() as after,
    ):
        assert _tables(before) == _tables(after)


@pytest.mark.parametrize("revision", ["0001", "9999"])
def test_a_store_of_another_version_is_refused(url: str, revision: str) -> None:
    """A store that another version of the suite made is refused, and left alone."""
    with opened(url, create=True) as store, store.writing() as connection:
        connection.execute(update(schema.version), {"version_num": revision})
    with pytest.raises(NotTrustworthyError, match=revision), opened(url, create=True):
        pass


def _copy(dump: Path, url: str) -> None:
    """Fill a database with the rows of a dump."""
    old = create_engine(f"sqlite:///{dump}")
    with opened(url, create=True) as store, old.connect() as source, store.writing() as target:
        tables = MetaData()
        tables.reflect(target)
        for table in tables.sorted_tables:
            if table.name != schema.version.name and (rows := source.execute(select(table)).all()):
                target.execute(insert(table), [row._asdict() for row in rows])
    old.dispose()


def test_a_filled_store_answers(filled: Path, url: str) -> None:
    """A store that was filled earlier answers as it did."""
    if url.startswith("postgresql"):
        _copy(filled, url)
    else:
        filled.rename(url)
    with opened(url) as store, store.reading() as reading:
        (found,) = history(reading, Subject(("LogitGrad.a",)), Selection(hosts=("a",)))
        documents = [recorded_document(reading, number) for number in (1, 2)]
        assert [cards_of(reading, number) for number in (1, 2)] == [[("a", 0)], [("a", 0)]]
    assert [point.letter for point in found.points] == [".", "F"]
    assert found.changes == ("CANN 8.0 → 8.1",)
    assert [(place.host, place.card) for place in found.places] == [("a", 0)]
    assert {(case.host, case.card) for case in documents[0].cases} == {("a", 0)}
    assert [document.totals["planned"] for document in documents] == [2, 2]
    assert compare_results(documents[0], documents[1]).worse == {"failing": 1}
