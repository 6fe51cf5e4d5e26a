# SPDX-License-Identifier: Apache-2.0
"""The tables of a store come from its migrations, and are those that the code expects."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.comparison import compare_results
from aclnn_cts.store import database, schema
from aclnn_cts.store.database import Store, opened
from aclnn_cts.store.history import Subject, history
from aclnn_cts.store.recording import recorded_document
from aclnn_cts.store.runs import Selection


def test_the_head_is_the_last_migration() -> None:
    """A store is asked whether it is of this version without a look at the migrations."""
    folder = Path(database.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [schema.HEAD]


def test_migrations_make_the_tables(store: Store) -> None:
    """On each kind of database, the migrations end in the tables that the code describes."""
    with store.reading() as connection:
        assert not compare_metadata(MigrationContext.configure(connection), schema.metadata)


def test_a_later_store_is_refused(url: str) -> None:
    """A store that a later version of the suite made is refused, and left alone."""
    with opened(url, create=True) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NotTrustworthyError, match="9999"), opened(url, create=True):
        pass


RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))


@pytest.mark.parametrize("dump", RELEASED, ids=lambda path: path.stem)
def test_a_filled_store_of_each_revision_comes_forward(dump: Path, tmp_path: Path) -> None:
    """A store that an earlier version filled answers as it did.

    Each dump is of two nights of two cases, of which one failed in the second night.
    """
    path = tmp_path / "store.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    with opened(str(path)) as store, store.reading() as reading:
        assert not compare_metadata(MigrationContext.configure(reading), schema.metadata)
        (found,) = history(reading, Subject(("LogitGrad.a",)), Selection())
        documents = [recorded_document(reading, number) for number in (1, 2)]
    assert [point.letter for point in found.points] == [".", "F"]
    assert found.changes == ("CANN 8.0 → 8.1",)
    assert [(place.host, place.card) for place in found.places] == [("a", 0)]
    assert [document.totals["planned"] for document in documents] == [2, 2]
    assert compare_results(documents[0], documents[1]).worse == {"failing": 1}


def test_each_revision_has_a_dump() -> None:
    """Each revision but the last one was released, or could have been; this one has a dump, too."""
    folder = Path(database.__file__).parent / "migrations"
    revisions = {script.revision for script in ScriptDirectory(str(folder)).walk_revisions()}
    assert {path.stem for path in RELEASED} == revisions
