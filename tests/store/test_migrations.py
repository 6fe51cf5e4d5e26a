# SPDX-License-Identifier: Apache-2.0
"""The tables of a store come from its migrations, and are those that the code expects."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.store import database, schema
from aclnn_cts.store.database import Store, opened


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
