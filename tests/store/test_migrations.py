# SPDX-License-Identifier: Apache-2.0
"""The tables of a store come from its migrations, and are those that the code expects."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, insert, select, text

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.store import database, schema
from aclnn_cts.store.database import Store, opened
from aclnn_cts.store.history import Subject, history
from aclnn_cts.store.recording import recorded_document
from aclnn_cts.store.runs import Selection, cards_of


def test_the_head_is_the_last_migration() -> None:
    """A store is asked whether it is of this version without a look at the migrations."""
    folder = Path(database.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [schema.HEAD]


def test_migrations_make_the_tables(store: Store) -> None:
    """On each kind of database, the migrations end in the tables that the code describes."""
    with store.reading() as connection:
        assert not compare_metadata(MigrationContext.configure(connection), schema.metadata)


@pytest.mark.parametrize(("revision", "told"), [("9999", "9999"), ("", "damaged")])
def test_a_later_store_is_refused(url: str, revision: str, told: str) -> None:
    """A store of a later version of the suite is refused and left alone; so is a damaged one."""
    with opened(url, create=True) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
    with pytest.raises(NotTrustworthyError, match=told), opened(url, create=True):
        pass


def _copy(dump: str, url: str, revision: str) -> None:
    """Fill an empty database on PostgreSQL with the rows of a dump of some revision."""
    old = create_engine(dump)
    new = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    config = Config()
    folder = Path(database.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    with old.connect() as source, new.begin() as target:
        config.attributes["connection"] = target
        command.upgrade(config, revision)
        tables = MetaData()
        tables.reflect(target)
        for table in tables.sorted_tables:
            if table.name != "alembic_version" and (rows := source.execute(select(table)).all()):
                target.execute(insert(table), [row._asdict() for row in rows])
    old.dispose()
    new.dispose()


RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))


@pytest.mark.parametrize("dump", RELEASED, ids=lambda path: path.stem)
def test_a_filled_store_of_each_revision_comes_forward(
    dump: Path, url: str, tmp_path: Path
) -> None:
    """A store that an earlier version filled answers as it did.

    Each dump is of two nights of two cases, of which one failed in the second night.
    """
    path = tmp_path / "released.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    if url.startswith("postgresql"):
        _copy(f"sqlite:///{path}", url, dump.stem)
    else:
        path.rename(url)
    with opened(url) as store, store.reading() as reading:
        assert not compare_metadata(MigrationContext.configure(reading), schema.metadata)
        (found,) = history(reading, Subject(("LogitGrad.a",)), Selection(hosts=("a",)))
        documents = [recorded_document(reading, number) for number in (1, 2)]
        assert [cards_of(reading, number) for number in (1, 2)] == [[("a", 0)], [("a", 0)]]
    assert [point.letter for point in found.points] == [".", "F"]
    assert found.changes == ("CANN 8.0 → 8.1",)
    assert [(place.host, place.card) for place in found.places] == [("a", 0)]
    assert {(case.host, case.card) for case in documents[0].cases} == {("a", 0)}
    assert [document.totals["planned"] for document in documents] == [2, 2]
    assert compare_results(documents[0], documents[1]).worse == {"failing": 1}


def test_each_revision_has_a_dump() -> None:
    """Each revision but the last one was released, or could have been; this one has a dump, too."""
    folder = Path(database.__file__).parent / "migrations"
    revisions = {script.revision for script in ScriptDirectory(str(folder)).walk_revisions()}
    assert {path.stem for path in RELEASED} == revisions
