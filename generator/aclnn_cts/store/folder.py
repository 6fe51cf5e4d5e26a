# SPDX-License-Identifier: Apache-2.0
"""A results store: a folder of Parquet files, which DuckDB and other programs read as they are.

``runs`` holds the runs that count, a file for each; every fifty of them are bundled into one file,
because opening thousands of files takes longer than reading them. ``withdrawn`` holds the others.
A file appears under its name at once and complete. Adding one needs no lock; commands that replace
files exclude each other.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import beside, explain
from aclnn_cts.store.address import folder_of
from aclnn_cts.store.columns import COLUMNS, FORMAT

BUNDLE = 50
"""Number of runs that are bundled into a file."""

_NAME = re.compile(r"(bundle-)?[0-9a-f]{16}\.parquet")
_SECONDS = 60
"""Time limit for waiting for another command that replaces files, in seconds."""

_LIMITS: Mapping[str, Any] = {
    "memory_limit": "600MB",
    "preserve_insertion_order": False,
    "autoinstall_known_extensions": False,
}
_FAILURES = (duckdb.Error, RuntimeError)
"""What DuckDB raises; its reader of Parquet lets some errors pass as they are."""

_CORE = {"entry", "run", "started", "product", "outcome", "name"}
"""Columns without which a file is not one of a store."""


@dataclass
class Store:
    """An open store, as it was when it was opened or refreshed.

    Attributes:
        counting: The file of each run that counts.
        withdrawn: The file of each withdrawn run.
    """

    folder: Path
    connection: duckdb.DuckDBPyConnection
    counting: dict[str, Path] = field(default_factory=dict)
    withdrawn: dict[str, Path] = field(default_factory=dict)
    _repeated: list[Path] = field(default_factory=list)

    @cached_property
    def runs_folder(self) -> Path:
        return self.folder / "runs"

    @cached_property
    def withdrawn_folder(self) -> Path:
        return self.folder / "withdrawn"

    def refresh(self) -> None:
        """Look at the folder again.

        Raises:
            NotTrustworthyError: A file is damaged, or is not one of a store.
        """
        self.withdrawn, _ = self._runs_in(self.withdrawn_folder)
        self.counting, self._repeated = self._runs_in(self.runs_folder)
        self._view("entries", set(self.counting.values()))
        self._view("gone", set(self.withdrawn.values()))

    def _view(self, name: str, files: Collection[Path]) -> None:
        """Make a view of all rows of some files, which has all columns."""
        with self.explain_errors():
            if not files:
                kinds = (f"NULL::{kind} AS {column}" for column, kind in COLUMNS.items())
                relation = self.connection.sql(f"SELECT {', '.join(kinds)} WHERE false")
            else:
                relation = self._read(sorted(files))
                missing = (name for name in COLUMNS if name not in relation.columns)
                relation = relation.project(
                    ", ".join(
                        ("*", *(f"NULL::{COLUMNS[column]} AS {column}" for column in missing))
                    )
                )
            relation.create_view(name, replace=True)

    def _read(self, files: Sequence[Path]) -> duckdb.DuckDBPyRelation:
        # DuckDB would take brackets and stars in the path of the store for patterns
        names = [glob.escape(str(file)) for file in files]
        return self.connection.from_parquet(names, union_by_name=True, filename=True)

    def _runs_in(self, folder: Path) -> tuple[dict[str, Path], list[Path]]:
        """Return the file of each run in a folder, and files that only repeat others."""
        files = self._list(folder)
        if not files:
            return {}, []
        with self.explain_errors():
            relation = self._read(files)
            if not set(relation.columns) >= _CORE | {"format"}:
                raise self._damage(files)
            rows = relation.filter("entry = 'run'").project("run, filename, format").fetchall()
        ids_by_file: dict[Path, set[str]] = {file: set() for file in files}
        for run, file, version in rows:
            if version is None or version > FORMAT:
                raise NotTrustworthyError(
                    f"{file}: was made by a later version of aclnn-cts; install that version"
                )
            ids_by_file[Path(file)].add(run)
        if strange := [file for file, runs in ids_by_file.items() if not runs]:
            raise NotTrustworthyError(f"{strange[0]}: {_DAMAGED}")
        files_by_run = _without_copies(ids_by_file)
        return files_by_run, sorted(set(files) - set(files_by_run.values()))

    @staticmethod
    def _list(folder: Path) -> list[Path]:
        try:
            files = sorted(file for file in folder.iterdir() if file.suffix == ".parquet")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise WrongInputError(
                f"{folder}: cannot be read: {error.strerror}; name another store with --store"
            ) from None
        for file in files:
            if not _NAME.fullmatch(file.name) or not file.is_file():
                raise NotTrustworthyError(f"{file}: {_DAMAGED}")
        return files

    @contextlib.contextmanager
    def explain_errors(self) -> Iterator[None]:
        """Map errors of DuckDB to messages that name the file."""
        try:
            yield
        except _FAILURES as error:
            files = [*self._list(self.runs_folder), *self._list(self.withdrawn_folder)]
            raise self._damage(files, error) from None

    def _damage(self, files: Sequence[Path], error: Exception | None = None) -> NotTrustworthyError:
        """Return the message for the first of the files that cannot be read."""
        kinds = ", ".join(f"{name}::{COLUMNS[name]}" for name in sorted(_CORE))
        for file in files:
            try:
                relation = self.connection.from_parquet(glob.escape(str(file)))
                relation.select(kinds).limit(0).fetchall()
                relation.aggregate("bit_xor(hash(COLUMNS(*)))").fetchall()
            except _FAILURES as reason:  # noqa: PERF203 - it is the last one
                return NotTrustworthyError(f"{file}: {_DAMAGED} ({_line(reason)})")
        return NotTrustworthyError(
            f"{self.folder}: cannot be read ({_line(error)}); another command may have replaced a "
            "file, so try again, and see that the disk of temporary files has space"
        )

    def rows(self, query: str, parameters: object = None) -> list[Any]:
        """Return the rows of a query; raises as :meth:`explain_errors`."""
        with self.explain_errors():
            return self.connection.execute(query, parameters).fetchall()

    def write(self, target: Path, query: str, parameters: object = None) -> None:
        """Write the rows of a query to a file; raises as :func:`aclnn_cts.files.beside`."""
        with beside(target) as temporary:
            self.prepare(temporary, query, parameters)
            publish(temporary, target)

    def prepare(self, temporary: Path, query: str, parameters: object = None) -> None:
        """Write the rows of a query to a temporary file."""
        try:
            relation = self.connection.sql(query, params=parameters)
            relation.write_parquet(str(temporary), compression="zstd")
        except duckdb.IOException as error:
            raise NotTrustworthyError(
                f"{temporary.parent}: cannot be written ({_line(error)}); see that the disk has "
                "space"
            ) from None
        with temporary.open("rb") as file:
            os.fsync(file.fileno())

    def change(self, run: str, column: str, value: str) -> None:
        """Change a fact of a run that counts; only while :meth:`replacing`."""
        file = self.counting[run]
        # the cache knows a file by its name and the second of its last change
        self.connection.execute("SET parquet_metadata_cache = false")
        self._view("bundled", [file])
        self.write(
            file,
            "SELECT * EXCLUDE (filename) REPLACE "  # noqa: S608 - our own name
            f"(CASE WHEN entry = 'run' AND run = ? THEN ? ELSE {column} END AS {column}) "
            "FROM bundled ORDER BY entry, operator, name, started",
            [run, value],
        )

    def withdraw(self, run: str, at: str, reason: str) -> None:
        """Move a run that counts to those that do not; only while :meth:`replacing`."""
        self.write(
            self.withdrawn_folder / f"{run}.parquet",
            "SELECT * EXCLUDE (filename) REPLACE (? AS withdrawn, ? AS withdrawn_at) FROM entries "
            "WHERE run = ? ORDER BY entry, operator, name",
            [reason, at, run],
        )
        self.drop({run})

    def drop(self, runs: Set[str]) -> None:
        """Remove runs from their files; only while :meth:`replacing`."""
        for file in {self.counting[run] for run in runs if run in self.counting}:
            runs_of_file = {run for run, counted in self.counting.items() if counted == file}
            if remaining := runs_of_file.difference(runs):
                self._bundle([file], remaining)
            else:
                file.unlink()
        for run in self.withdrawn.keys() & runs:
            self.withdrawn[run].unlink()

    def bundle(self) -> None:
        """Bundle each fifty runs into a file, unless another command is replacing files."""
        if len(list(self._single())) < BUNDLE and not self._repeated:
            return
        with contextlib.suppress(_BusyError), self.replacing(seconds=0):
            twice = self.counting.keys() & self.withdrawn.keys()
            self.withdrawn = {}
            self.drop(twice)
            for file in self._repeated:
                file.unlink()
            single = list(self._single())
            for start in range(0, len(single) - BUNDLE + 1, BUNDLE):
                part = single[start : start + BUNDLE]
                self._bundle([self.counting[run] for run in part], part)

    def _single(self) -> Iterator[str]:
        """Yield the runs with a file of their own, the earliest first."""
        rows = self.rows("SELECT run FROM entries WHERE entry = 'run' ORDER BY started, run")
        return (run for (run,) in rows if self.counting[run].stem == run)

    def _bundle(self, files: Sequence[Path], runs: Collection[str]) -> None:
        """Replace some files by one with some of their runs."""
        digest = hashlib.sha256("".join(sorted(runs)).encode()).hexdigest()[:16]
        self._view("bundled", files)
        self.write(
            self.runs_folder / f"bundle-{digest}.parquet",
            "SELECT * EXCLUDE (filename) FROM bundled WHERE run IN (SELECT unnest(?)) "
            "ORDER BY entry, operator, name, started",
            [list(runs)],
        )
        for file in files:
            file.unlink()

    @contextlib.contextmanager
    def replacing(self, seconds: float = _SECONDS) -> Iterator[None]:
        """Exclude other commands that replace files, and look at the folder again.

        Raises:
            NotTrustworthyError: Another command replaces files, or was interrupted.
        """
        lock = self.folder / ".lock"
        deadline = time.monotonic() + seconds
        while True:
            try:
                os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                break
            except FileExistsError:
                if time.monotonic() >= deadline:
                    raise _BusyError(
                        f"{lock}: another command replaces files of the store, or was interrupted; "
                        "try again, and remove this file if none is running"
                    ) from None
                time.sleep(0.1)
            except OSError as error:
                raise explain(error, lock) from None
        try:
            self.refresh()
            yield
            self.refresh()
        except OSError as error:
            raise explain(error, self.folder) from None
        finally:
            lock.unlink(missing_ok=True)


class _BusyError(NotTrustworthyError):
    """Another command holds the lock."""


def _without_copies(ids_by_file: Mapping[Path, set[str]]) -> dict[str, Path]:
    """Return the file of each run, without files whose runs are all in others.

    An interrupted command, or one that is replacing files, leaves them.

    Raises:
        NotTrustworthyError: Files share some runs only, which others would count twice.
    """
    files_by_run: dict[str, Path] = {}
    for file, runs in sorted(ids_by_file.items(), key=lambda item: (-len(item[1]), item[0])):
        copies = runs & files_by_run.keys()
        if copies and copies != runs:
            other = files_by_run[min(copies)]
            raise NotTrustworthyError(
                f"{file}: has runs that are in {other.name}, too; remove one of the files"
            )
        files_by_run |= dict.fromkeys(runs - copies, file)
    return files_by_run


_DAMAGED = (
    "is damaged, or not a file of a results store; restore a backup, or move it to another folder"
)


def _line(error: Exception | None) -> str:
    return " ".join(str(error).split())


def publish(temporary: Path, target: Path) -> None:
    """Give a written file its name, so that it survives a crash."""
    temporary.replace(target)
    handle = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def open_store(store: str | None, *, create: bool = False) -> Iterator[Store]:
    """Open a store.

    Args:
        store: The path of its folder; None for the user's own.
        create: Whether to create a missing store.

    Raises:
        WrongInputError: There is no store there.
        NotTrustworthyError: A file is damaged, or from a later version of the suite.
    """
    folder = folder_of(store)
    if folder.is_file():
        raise WrongInputError(
            f"{folder}: is a file; a store is a folder, which `aclnn-cts store add {folder} "
            "--store FOLDER` makes of a store of an earlier release"
        )
    if create:
        try:
            (folder / "runs").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise explain(error, folder) from None
    elif not (folder / "runs").is_dir():
        raise WrongInputError(
            f"{folder}: there is no results store; `aclnn-cts store add RESULTS` makes one, "
            "--store names another"
        )
    with (
        tempfile.TemporaryDirectory(prefix="cts-store-") as temporary,
        duckdb.connect(config={**_LIMITS, "temp_directory": temporary}) as connection,
    ):
        # no option of the connection, which has not loaded its reader of Parquet before
        connection.execute("SET parquet_metadata_cache = true")
        opening = Store(folder, connection)
        opening.refresh()
        yield opening
