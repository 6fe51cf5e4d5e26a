# SPDX-License-Identifier: Apache-2.0
"""The cases of a judged run: one entry each, kept in cases.sqlite and read one after the other.

A run may have hundreds of thousands of cases, so nothing here holds them all. Recurring texts are
stored once, in side tables, and errors once for all standards. Rare properties (broken clauses,
stories, samples, pictures) are JSON in one column, null for other cases. SQLite has no NaN; among
the errors null means NaN.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import itertools
import json
import math
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeAlias, runtime_checkable

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    NonNegativeInt,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
)

from aclnn_cts.errors import CtsError, NotTrustworthyError
from aclnn_cts.files import explain, replaced, sha256_of
from aclnn_cts.judge.comparison import Picture, Sample
from aclnn_cts.judge.regions import Region
from aclnn_cts.judge.standards import Figures, Standard
from aclnn_cts.judge.verdicts import Common, Verdict
from aclnn_cts.spec.clause_models import Basis
from aclnn_cts.validation_messages import read_json


def _figures_of_file(data: Any) -> Any:
    """Return figures of a results file under their Python names."""
    if not isinstance(data, dict) or "pass" not in data:
        return data
    return {("passed" if name == "pass" else name): value for name, value in data.items()}


FiguresEntry: TypeAlias = Annotated[
    Figures, BeforeValidator(_figures_of_file), PlainSerializer(Figures.as_json)
]
"""Result of one standard for a case; ``passed`` is ``pass`` in the file."""


class Entry(BaseModel):
    """A part of results.json."""

    # Numbers that JSON has no literal for are the strings "NaN", "Infinity" and "-Infinity".
    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True
    )


class ResolvingEntry(Entry):
    """The resolution of a case; ``ulps`` is null if nothing is judged by value."""

    ulps: float | None
    by_value: int
    by_class: int
    plain_zeros: int


class CaseEntry(Entry):
    """One case.

    Attributes:
        id: The case's id.
        operator: The operator's name.
        verdict: The verdict by the standard that decides.
        scene: The purpose of the case.
        dtype: Data type of the operator's first tensor.
        broken: Ids of the broken clauses, most specific first.
        exercised: Ids of the clauses that the case tests.
        kinds: Kinds of what is broken, such as ``value`` or ``memory``, in alphabetical order.
        standards: Figures of each standard; empty if nothing was compared.
        resolving: Resolution of the judgement; null if nothing was compared.
        host: Name of the host of the record that counts; may be empty.
        card: Number of the card there; -1 if unknown.
        seconds: Time of the case on the host.
        device_microseconds: Device times of the timed launches, or else of the ordinary launches.
        message: One sentence; empty for a pass.
        said: The runtime's message for the first status that is not success.
        remarks: Notes on what breaks no promise.
        samples: The first failing elements.
        regions: Where in the values of its inputs all failing elements lie, and no others.
        tries: Number of reruns.
        confirmed: Whether it broke a promise again, alone in a new process.
        after: Ids of preceding cases without which it breaks no promise, if any.
        only_in: The data type, rank or format to which the operator's wrong values are limited, if
            any; its clauses are in ``broken``, too.
        unenforced: Ids of the requirements that the device does not enforce.
        refused_twin: Of a refusal that proves nothing, because its valid twin is refused, too: the
            twin's id.
        count: How often a recorded program made the call.
        basis: Of a wrong call: the documents' statement about it; null of a valid call.
        story: The failure message of a case that did not pass; empty for a pass, and for a case
            with a refused twin, whose message says it all.
        waiver: Id of the waiver of the failure of the case, or of its refused twin; null if none.
        facts: Features that other cases may share, see :mod:`aclnn_cts.judge.features`; none unless
            a case of its operator breaks a promise.
        pictures: Pictures of the errors of failing outputs.
    """

    id: str
    operator: str
    verdict: Verdict
    scene: str
    dtype: str
    broken: tuple[str, ...] = ()
    exercised: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    standards: dict[Standard, FiguresEntry]
    resolving: ResolvingEntry | None
    host: str
    card: int
    seconds: float
    device_microseconds: tuple[float, ...]
    message: str = ""
    said: str = ""
    remarks: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()
    regions: tuple[Region, ...] = ()
    story: str = ""
    waiver: str | None
    facts: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()
    tries: int = 0
    confirmed: bool = False
    after: tuple[str, ...] = ()
    only_in: tuple[Common, ...] = ()
    unenforced: tuple[str, ...] = ()
    refused_twin: str = ""
    count: int = 1
    basis: Basis | None

    @property
    def is_unenforced(self) -> bool:
        """Whether the device accepts a call that breaks a requirement."""
        return self.verdict is Verdict.UNENFORCED

    @property
    def fails(self) -> bool:
        """Whether it breaks a promise without a waiver."""
        return self.verdict.breaks_promise and self.waiver is None

    @property
    def is_unproven(self) -> bool:
        """Whether it proves nothing, for a reason that no waiver covers."""
        return self.verdict.proves_nothing and self.waiver is None

    @property
    def named_clause(self) -> str:
        """The broken clause that it names first; empty if it names none."""
        return self.broken[0] if self.broken else ""

    @property
    def outcome(self) -> str:
        """The verdict as it is counted; ``waived`` is one of its own."""
        return "waived" if self.waiver is not None else self.verdict.value


@runtime_checkable
class Cases(Protocol):
    """The cases of a run, in its order; each iteration starts from the first."""

    def __iter__(self) -> Iterator[CaseEntry]: ...

    def __len__(self) -> int: ...


_ERRORS = tuple(item.name for item in fields(Figures))[7:]
_COLUMNS = {
    "place": "INTEGER PRIMARY KEY",
    "id": "TEXT NOT NULL",
    **dict.fromkeys(("operator", "verdict", "scene", "dtype"), "INTEGER NOT NULL"),
    **dict.fromkeys(("basis", "waiver"), "INTEGER"),
    **dict.fromkeys(("exercised", "host", "card"), "INTEGER NOT NULL"),
    "facts": "BLOB NOT NULL",
    "seconds": "REAL NOT NULL",
    "device_microseconds": "BLOB",
    "ulps": "REAL",
    **dict.fromkeys(("by_value", "by_class", "plain_zeros"), "INTEGER"),
    **dict.fromkeys(("standards", "elements", "compared"), "INTEGER"),
    **dict.fromkeys(_ERRORS, "REAL"),
    "others": "TEXT",
}
"""``exercised`` and ``standards`` are numbers of words that are JSON."""

_SCHEMA = (
    "CREATE TABLE words (number INTEGER PRIMARY KEY, word TEXT NOT NULL)",
    "CREATE TABLE facts (operator INTEGER NOT NULL, number INTEGER NOT NULL, fact TEXT NOT NULL, "
    "PRIMARY KEY (operator, number)) WITHOUT ROWID",
    f"CREATE TABLE cases ({', '.join(f'{name} {kind}' for name, kind in _COLUMNS.items())})",
)
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM cases"  # noqa: S608 - our own names

_USUAL: dict[str, Any] = {
    name: item.default for name, item in CaseEntry.model_fields.items() if not item.is_required()
}
"""Default values; other values are in the column ``others``."""

_Judged: TypeAlias = dict[Standard, tuple[bool, NonNegativeInt, int, str, float]]
_JUDGED: TypeAdapter[_Judged] = TypeAdapter(_Judged, config=ConfigDict(defer_build=True))
"""By standard: passed, failing, first_failing, output, matched_ratio."""

_NAMES = TypeAdapter(tuple[str, ...])
_BASIS: TypeAdapter[Basis] = TypeAdapter(Basis)

_TEMPORARY = Path("a temporary file")

_MANY = 1000
"""Rows per read or write."""


class CaseFile:
    """The cases of a run in an SQLite file, or in a temporary one that goes with this object.

    Attributes:
        digest: SHA-256 of the file; empty for a temporary one.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, digest: str = "", again: str = ""
    ) -> None:
        """Create it from a connection, with the file and the advice for messages."""
        self._connection = connection
        self._path = path
        self._again = again
        self.digest = digest
        self._indexed = False

    @classmethod
    def collect(cls, entries: Iterable[CaseEntry]) -> CaseFile:
        """Return a temporary file of some cases, in their order.

        Raises:
            NotTrustworthyError: There is no room for temporary files.
        """
        connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        writer = _Writer()
        rows = map(writer.row, entries, itertools.count(1))
        insert = (
            f"INSERT INTO cases ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608
        )
        with _guard_writing(_TEMPORARY):
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = OFF")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("BEGIN")
            while part := list(itertools.islice(rows, _MANY)):
                connection.executemany(insert, part)
            connection.executemany("INSERT INTO words VALUES (?, ?)", enumerate(writer.words))
            connection.executemany("INSERT INTO facts VALUES (?, ?, ?)", writer.all_facts())
            connection.execute("COMMIT")
        return cls(connection, _TEMPORARY)

    @classmethod
    def of(cls, cases: Cases) -> CaseFile:
        """Return a file of some cases, or the cases if they are one; raises as :meth:`collect`."""
        return cases if isinstance(cases, cls) else cls.collect(cases)

    @classmethod
    def open(cls, path: Path, digest: str, again: str) -> CaseFile:
        """Return the cases of an existing file.

        Args:
            digest: Its SHA-256, as results.json has it.
            again: The advice if it is damaged.

        Raises:
            NotTrustworthyError: It is missing, cannot be read, or is not the file of the results.
        """
        try:
            actual = sha256_of(path)
        except FileNotFoundError:
            raise NotTrustworthyError(f"{path}: is missing; {again}") from None
        except IsADirectoryError:
            raise NotTrustworthyError(f"{path}: is damaged (it is a folder); {again}") from None
        except OSError as error:
            raise NotTrustworthyError(
                f"{path}: cannot be read: {error.strerror}; give a folder that you may read"
            ) from None
        if actual != digest:
            raise NotTrustworthyError(
                f"{path}: is not the file that results.json beside it was written with; copy both "
                f"from one folder, or {again}"
            )
        # immutable, so that SQLite creates no files and rolls back no journal
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        opened = cls(connection, path, digest, again)
        opened._require_sound()
        return opened

    def __len__(self) -> int:
        return int(next(self._rows("SELECT count(*) FROM cases"))[0])

    def __iter__(self) -> Iterator[CaseEntry]:
        """Yield each case, in the run's order."""
        return self._entries(f"{_SELECT} ORDER BY place")

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same, byte for byte."""
        return self is other or (
            isinstance(other, CaseFile) and self.digest != "" and self.digest == other.digest
        )

    def __hash__(self) -> int:
        """Return the digest's."""
        return hash(self.digest)

    def where(
        self, operator: str | None = None, verdicts: Iterable[Verdict] = ()
    ) -> Iterator[CaseEntry]:
        """Yield only the cases of one operator or some verdicts, in the run's order."""
        conditions, values = ["true"], list[int | str]()
        if operator is not None:
            conditions.append("operator = ? AND place BETWEEN ? AND ?")
            values += self._spans.get(operator, (-1, 0, 0))
        if words := [verdict.value for verdict in verdicts]:
            marks = ", ".join("?" * len(words))
            numbers = f"SELECT number FROM words WHERE word IN ({marks})"  # noqa: S608 - marks alone
            conditions.append(f"verdict IN ({numbers})")
            values += words
        query = f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY place"
        return self._entries(query, tuple(values))

    @functools.cached_property
    def _spans(self) -> dict[str, tuple[int, int, int]]:
        """The number, the first and the last place of each operator."""
        query = (
            "SELECT word, operator, min(place), max(place) "
            "FROM cases JOIN words ON number = operator GROUP BY operator"
        )
        return {word: (number, first, last) for word, number, first, last in self._rows(query)}

    def find(self, name: str) -> tuple[int, CaseEntry] | None:
        """Return the place and the entry of a case by its id, if there is one."""
        if not self._indexed:
            with self._guard():
                self._connection.execute(
                    "CREATE TEMP TABLE ids (id TEXT PRIMARY KEY, place INTEGER) WITHOUT ROWID"
                )
                self._connection.execute(
                    "INSERT INTO ids SELECT id, place FROM main.cases ORDER BY id"
                )
            self._indexed = True
        where = "WHERE place = (SELECT place FROM ids WHERE ids.id = ?)"
        for row in self._rows(f"{_SELECT} {where}", (name,)):
            return row[0], self._reader.entry(row)
        return None

    def write(self, path: Path) -> str:
        """Write a file atomically, and return its digest.

        Raises:
            WrongInputError: The folder cannot be written to.
            NotTrustworthyError: The disk is full.
        """
        with replaced(path) as beside:
            with _guard_writing(path), contextlib.closing(sqlite3.connect(beside)) as target:
                target.execute("PRAGMA journal_mode = OFF")
                self._connection.backup(target)
            return sha256_of(beside)

    @functools.cached_property
    def _reader(self) -> _Reader:
        words = dict(self._rows("SELECT number, word FROM words"))
        facts: dict[int, dict[int, str]] = {}
        for operator, number, fact in self._rows("SELECT operator, number, fact FROM facts"):
            facts.setdefault(operator, {})[number] = fact
        return _Reader(words, facts)

    def _entries(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[CaseEntry]:
        with self._guard():
            make = self._reader.entry
            for row in self._rows(query, values):
                yield make(row)

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with self._guard():
            cursor = self._connection.execute(query, values)
            while rows := cursor.fetchmany(_MANY):
                yield from rows

    def _require_sound(self) -> None:
        """Raise NotTrustworthyError unless the tables are ours, with values of the right types."""
        with self._guard():
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute("PRAGMA cell_size_check = ON")
            schema = [sql for (sql,) in self._rows("SELECT sql FROM sqlite_master ORDER BY rowid")]
            if schema != list(_SCHEMA):
                raise ValueError("its tables are not those of this version of aclnn-cts")
            wrong = " OR ".join(
                f"typeof({name}) NOT IN ('{kind.split()[0].lower()}'"
                + (")" if " " in kind else ", 'null')")
                for name, kind in _COLUMNS.items()
            )
            for table, condition in (
                ("cases", wrong),
                ("words", "typeof(word) <> 'text'"),
                ("facts", "typeof(fact) <> 'text'"),
            ):
                query = f"SELECT count(*) FROM {table} WHERE {condition}"  # noqa: S608 - ours
                if next(self._rows(query))[0]:
                    raise ValueError(f"the table {table} holds values of a wrong type")
            again = "SELECT id, count(*) FROM cases GROUP BY id HAVING count(*) > 1 LIMIT 1"
            for name, count in self._rows(again):
                raise ValueError(f"the case {name} appears {count} times")

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """Map errors from a damaged file to a message."""
        try:
            yield
        except CtsError:
            raise
        except sqlite3.OperationalError as error:
            if "full" in str(error):
                raise explain(OSError(errno.ENOSPC, str(error)), _TEMPORARY) from None
            raise self._damage(str(error)) from None
        except (sqlite3.Error, ValueError, LookupError, struct.error) as error:
            reason = "a text is not there" if isinstance(error, LookupError) else str(error)
            if isinstance(error, ValidationError):
                reason = "a case has an impossible value"
            raise self._damage(reason) from None

    def _damage(self, how: str) -> NotTrustworthyError:
        return NotTrustworthyError(f"{self._path}: is damaged ({how}); {self._again}")


@contextlib.contextmanager
def _guard_writing(path: Path) -> Iterator[None]:
    """Map SQLite's disk errors to our messages."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = errno.ENOSPC if "full" in str(error) else errno.EIO
        raise explain(OSError(code, str(error)), path) from None


class _Writer:
    """Converts cases to rows; numbers recurring texts."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self._facts: dict[int, dict[str, int]] = {}

    def all_facts(self) -> Iterator[tuple[int, int, str]]:
        """Yield the facts of each operator, with their numbers."""
        for operator, numbers in self._facts.items():
            for fact, number in numbers.items():
                yield operator, number, fact

    def row(self, entry: CaseEntry, place: int) -> tuple[Any, ...]:
        number = self._number
        operator = number(entry.operator)
        numbers = self._facts.setdefault(operator, {})
        facts = "".join([chr(numbers.setdefault(fact, len(numbers))) for fact in entry.facts])
        others = {name for name, usual in _USUAL.items() if getattr(entry, name) != usual}
        figures: tuple[Any, ...] = (None,) * (3 + len(_ERRORS))
        if entry.standards:
            alike = self._figures(entry.standards)
            figures = alike or figures
            others |= set() if alike else {"standards"}
        power, times = entry.resolving, entry.device_microseconds
        return (
            place,
            entry.id,
            operator,
            number(entry.verdict.value),
            number(entry.scene),
            number(entry.dtype),
            None if entry.basis is None else number(entry.basis),
            None if entry.waiver is None else number(entry.waiver),
            number(_json(entry.exercised)),
            number(entry.host),
            entry.card,
            facts.encode("utf-8", "surrogatepass"),
            entry.seconds,
            struct.pack(f"<{len(times)}d", *times) if times else None,
            *(
                (power.ulps, power.by_value, power.by_class, power.plain_zeros)
                if power
                else (None,) * 4
            ),
            *figures,
            entry.model_dump_json(include=others, by_alias=True) if others else None,
        )

    def _number(self, word: str) -> int:
        return self.words.setdefault(word, len(self.words))

    def _figures(self, standards: dict[Standard, Figures]) -> tuple[Any, ...] | None:
        """Return the columns of the figures; None if the standards' errors differ."""
        measured = [_measured(figures) for figures in standards.values()]
        if any(repr(errors) != repr(measured[0]) for errors in measured[1:]):
            return None
        outcomes = {
            name: (f.passed, f.failing, f.first_failing, f.output, f.matched_ratio)
            for name, f in standards.items()
        }
        if not all(math.isfinite(f.matched_ratio) for f in standards.values()):
            return None
        return (self._number(_json(outcomes)), *measured[0])


def _measured(figures: Figures) -> tuple[float, ...]:
    return (figures.elements, figures.compared, *(getattr(figures, name) for name in _ERRORS))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class _Reader:
    """Converts rows to cases; raises ValueError or LookupError for foreign content."""

    def __init__(self, words: dict[int, str], facts: dict[int, dict[int, str]]) -> None:
        self._words = words
        self._facts = facts
        self._verdict = functools.cache(lambda number: Verdict(words[number]))
        self._basis = functools.cache(lambda number: _BASIS.validate_python(words[number]))
        self._names = functools.cache(lambda number: _NAMES.validate_json(words[number]))
        self._judged = functools.cache(lambda number: _JUDGED.validate_json(words[number]))

    def entry(self, row: tuple[Any, ...]) -> CaseEntry:
        values = dict(zip(_COLUMNS, row, strict=True))
        operator, verdict = values["operator"], self._verdict(values["verdict"])
        basis, waiver, times = values["basis"], values["waiver"], values["device_microseconds"]
        facts = self._facts.get(operator, {})
        content = _USUAL | {
            "id": values["id"],
            "operator": self._words[operator],
            "verdict": verdict,
            "scene": self._words[values["scene"]],
            "dtype": self._words[values["dtype"]],
            "basis": None if basis is None else self._basis(basis),
            "waiver": None if waiver is None else self._words[waiver],
            "exercised": self._names(values["exercised"]),
            "host": self._words[values["host"]],
            "card": values["card"],
            "facts": tuple(
                [facts[ord(letter)] for letter in values["facts"].decode("utf-8", "surrogatepass")]
            ),
            "seconds": values["seconds"],
            "device_microseconds": struct.unpack(f"<{len(times) // 8}d", times) if times else (),
            "resolving": self._resolving(values),
            "standards": self._standards(values),
        }
        if values["others"] is None:
            return CaseEntry.model_construct(**content)
        others = read_json(values["others"])
        if not isinstance(others, dict) or not others.keys() <= {*_USUAL, "standards"}:
            raise ValueError(f"{content['id']} has values that no case has")
        return CaseEntry.model_validate(content | others)

    @staticmethod
    def _resolving(values: dict[str, Any]) -> ResolvingEntry | None:
        if values["by_value"] is None:
            return None
        return ResolvingEntry(**{name: values[name] for name in ResolvingEntry.model_fields})

    def _standards(self, values: dict[str, Any]) -> dict[Standard, Figures]:
        if values["standards"] is None:
            return {}
        errors = [math.nan if values[name] is None else values[name] for name in _ERRORS]
        shared: dict[tuple[Any, ...], Figures] = {}
        figures: dict[Standard, Figures] = {}
        for name, outcome in self._judged(values["standards"]).items():
            if outcome not in shared:
                passed, failing, first, output, ratio = outcome
                counts = (values["elements"], values["compared"], failing, first)
                shared[outcome] = Figures(passed, *counts, output, ratio, *errors)
            figures[name] = shared[outcome]
        return figures
