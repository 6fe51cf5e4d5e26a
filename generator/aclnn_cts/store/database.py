# SPDX-License-Identifier: Apache-2.0
"""Opening a results store: SQLite for one host, PostgreSQL for a lab."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    NoResultFound,
    OperationalError,
    SQLAlchemyError,
)

from aclnn_cts.errors import CtsError, NotTrustworthyError, WrongInputError
from aclnn_cts.store.address import is_path
from aclnn_cts.store.schema import HEAD

_SECONDS = 60
"""Time limit for waiting for another writer, in seconds."""

_LOCK = 0x61636C6E
"""Number of the advisory lock that writers of a PostgreSQL store hold."""

_MISSING = "there is no results store"


def default_url() -> str:
    """Return the address of the user's own store, a file in the data folder."""
    base = os.environ.get("XDG_DATA_HOME")
    try:
        folder = Path(base) if base else Path.home() / ".local" / "share"
    except RuntimeError:
        raise WrongInputError(
            "there is no home folder for the results store; name one with --store"
        ) from None
    return f"sqlite:///{folder / 'aclnn-cts' / 'store.sqlite'}"


@dataclass(frozen=True)
class Store:
    """An open store with up-to-date tables.

    Attributes:
        name: Its address, without a password.
    """

    name: str
    _engine: sa.Engine

    @contextlib.contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Open a connection with a consistent snapshot of the store."""
        with explained(self.name), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Open the store's only write transaction; other writers wait."""
        with _writing(self._engine, self.name) as connection:
            yield connection

    def compact(self) -> None:
        """Return the space of removed rows to the disk; PostgreSQL does this itself."""
        if self._engine.dialect.name == "sqlite":
            # without SQLAlchemy, which would begin a transaction, in which SQLite refuses VACUUM
            with explained(self.name), contextlib.closing(self._engine.raw_connection()) as raw:
                raw.cursor().execute("VACUUM")


@contextlib.contextmanager
def _writing(engine: sa.Engine, name: str) -> Iterator[sa.Connection]:
    options: dict[str, Any] = {"aclnn_cts_writes": True}
    if engine.dialect.name == "postgresql":
        # a snapshot from before the lock would not show later writes
        options["isolation_level"] = "READ COMMITTED"
    with (
        explained(name),
        engine.connect().execution_options(**options) as connection,
        connection.begin(),
    ):
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"SET LOCAL lock_timeout = '{_SECONDS}s'"))
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        yield connection


@contextlib.contextmanager
def opened(url: str | None, *, create: bool = False) -> Iterator[Store]:
    """Open a store, and migrate its tables to this version of the suite.

    Args:
        url: ``sqlite:///FILE``, the path of a file, or ``postgresql://…``; None for the user's own.
        create: Whether to create a missing store.

    Raises:
        WrongInputError: The address is wrong, there is no store, or it cannot be reached.
        NotTrustworthyError: It is damaged, or from a later version of the suite.
    """
    address = _address(url or default_url())
    name = _shown(address)
    engine = _engine(address, name, create=create)
    try:
        _bring_forward(engine, name, create=create)
        yield Store(name, engine)
    finally:
        engine.dispose()


def _address(url: str) -> URL:
    """Return a store's address; raises WrongInputError, which repeats no text that may be secret.

    A mistyped address is not taken for the path of a file.
    """
    if is_path(url):
        return URL.create("sqlite", database=str(Path(url).expanduser()))
    try:
        address = sa.make_url(url)
    except (ArgumentError, ValueError):  # a ValueError for a port that is not a number
        raise WrongInputError(f"--store: not a database URL; {_FORMS}") from None
    backend = address.get_backend_name()
    if backend == "sqlite" and (address.host or address.query or address.database == ":memory:"):
        raise WrongInputError(f"--store: a store on SQLite is a file; {_FORMS}")
    # an @ or / that is not escaped leaves a part of a password in the place of host or database
    misplaced = backend != "sqlite" and "@" in f"{address.host}{address.database}"
    if backend not in ("sqlite", "postgresql") or not address.database or misplaced:
        raise WrongInputError(f"--store: this database URL is not supported; {_FORMS}")
    return address.set(drivername="sqlite" if backend == "sqlite" else "postgresql+psycopg")


_FORMS = (
    "give the path of a file, or postgresql://USER@HOST/DATABASE, in which a password has %40 for "
    "@, %3A for : and %2F for /"
)

_SHOWN = ("host", "port", "service", "sslmode")
"""The parameters of an address that are shown; others may be secret."""


def _shown(address: URL) -> str:
    """Return an address without secrets."""
    query = {name: value for name, value in address.query.items() if name in _SHOWN}
    return address.set(query=query).render_as_string(hide_password=True)


def _engine(address: URL, name: str, *, create: bool) -> sa.Engine:
    if address.get_backend_name() == "sqlite":
        path = Path(address.database or "")
        if path.exists() and not path.is_file():
            held = "is a folder" if path.is_dir() else "is not a file"
            raise WrongInputError(f"{name}: {held}; name the file of a store with --store")
        if create:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise WrongInputError(
                    f"{path.parent}: cannot be created: {error.strerror}; name a store that you "
                    "may write to with --store"
                ) from None
        elif not path.is_file():
            raise _no_store(name)
        engine = sa.create_engine(address, connect_args={"timeout": _SECONDS})
        sa.event.listen(engine, "connect", _own_transactions)
        sa.event.listen(engine, "begin", _begin)
        return engine
    try:
        return sa.create_engine(address, isolation_level="REPEATABLE READ")
    except ModuleNotFoundError:
        raise WrongInputError(
            "a store on PostgreSQL needs psycopg: python3 -m pip install 'aclnn-cts[postgresql]'"
        ) from None


def _own_transactions(connection: sqlite3.Connection, record: Any) -> None:
    """Begin transactions ourselves; the driver begins too late to lock out other writers."""
    del record
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("aclnn_cts_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _no_store(name: str) -> WrongInputError:
    return WrongInputError(
        f"{name}: {_MISSING}; `aclnn-cts store add RESULTS` makes one, --store names another"
    )


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found


def _bring_forward(engine: sa.Engine, name: str, *, create: bool) -> None:
    """Create the tables, or migrate those of an earlier version."""
    with explained(name), engine.connect() as connection, connection.begin():
        revision = _revision(connection)
        foreign = sa.inspect(connection).get_table_names() if revision is None else []
    if revision == HEAD:
        return
    if revision == "":
        raise NotTrustworthyError(f"{name}: {_DAMAGED}")
    if foreign and engine.dialect.name == "sqlite":
        raise WrongInputError(
            f"{name}: is not a results store (it has the table {foreign[0]}); name another file "
            "with --store"
        )
    if revision is None and not create:
        raise _no_store(name)
    # Alembic takes a third of a second to import, and is seldom needed
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util.exc import CommandError  # noqa: PLC0415

    with _writing(engine, name) as connection:
        config = Config()
        folder = Path(__file__).parent / "migrations"
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise NotTrustworthyError(
                f"{name}: was made by a later version of aclnn-cts (revision {revision}); "
                "install that version"
            ) from None


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Map database errors to messages."""
    try:
        yield
    except CtsError:
        raise
    except DBAPIError as error:
        raise _sentence(name, error) from None
    except sqlite3.Error as error:  # of a command that bypasses SQLAlchemy
        raise NotTrustworthyError(f"{name}: {_DAMAGED} ({error})") from None
    except (NoResultFound, zlib.error) as error:
        raise NotTrustworthyError(f"{name}: {_DAMAGED} ({error})") from None
    except SQLAlchemyError as error:
        raise NotTrustworthyError(f"{name}: {error}") from None


def _sentence(name: str, error: DBAPIError) -> CtsError:
    reason = " ".join(str(error.orig).split())
    for pattern, make, told in _REFUSALS:
        if re.search(pattern, reason):
            return make(f"{name}: {told} ({reason})")
    if isinstance(error, OperationalError):
        return WrongInputError(f"{name}: cannot be used ({reason}); see that its server runs")
    return NotTrustworthyError(f"{name}: {reason}")


_DAMAGED = "is damaged, or not a results store; restore a backup, or name another one with --store"

# older Pythons report SQLite's reason only as text
_REFUSALS: tuple[tuple[str, type[CtsError], str], ...] = (
    (
        "is locked|lock timeout",
        NotTrustworthyError,
        f"another command has written to it for {_SECONDS} seconds; try again",
    ),
    (
        "disk is full|No space left",
        NotTrustworthyError,
        "the disk is full; free some space and try again",
    ),
    (
        "not a database|malformed|no such (table|column)|already exists",
        NotTrustworthyError,
        _DAMAGED,
    ),
    (
        "unable to open|readonly|permission denied",
        WrongInputError,
        "cannot be opened or written; name a store that you may write to with --store",
    ),
)
