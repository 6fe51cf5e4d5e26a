# SPDX-License-Identifier: Apache-2.0
"""Conversion of judged runs into rows of the store, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, delete, insert, select, union, update
from sqlalchemy.exc import NoResultFound

from aclnn_cts.report.cases import CaseFile
from aclnn_cts.report.results import FORMAT, ClauseVerdict, ResultsDocument, totals
from aclnn_cts.report.run_comparison import OF_CANN
from aclnn_cts.store import schema
from aclnn_cts.store.runs import RunFacts, located
from aclnn_cts.store.sheets import (
    CLAUSE_LETTERS,
    Packed,
    Sheet,
    pack,
    pack_json,
    places_of,
    unpack_json,
)

_NOT_OF_HEADER = {"format", "totals", "not_promised", "document_gaps", "cases", "clauses"}
"""Keys of the results file that are recorded differently, or follow from the specs."""

_AT_ONCE = 500
"""Maximum number of parameters per statement."""


@dataclass(frozen=True)
class Recorded:
    """A run in the store.

    Attributes:
        label: Its current label.
        is_new: Whether it was not there before.
    """

    number: int
    label: str
    is_new: bool


class OtherJudgement(Exception):  # noqa: N818 - it is no error of this room
    """The run is in the store with another judgement; ``number`` says under which number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def record(
    connection: Connection, document: ResultsDocument, *, recorded: str, label: str, report: str
) -> Recorded:
    """Record a judged run, or name a recorded one that has no label yet.

    Args:
        connection: A connection that holds the store's only write lock.
        document: The results of the run; its cases are read once.
        recorded: The time, UTC, in ISO 8601.
        label: A name for the run, such as that of a release.

    Raises:
        OtherJudgement: The run is recorded with another judgement, and not withdrawn.
    """
    sheets: dict[str, Sheet] = {}
    for case in document.cases:
        sheets.setdefault(case.operator, Sheet()).add(case)
    clauses: dict[str, list[ClauseVerdict]] = {}
    for clause in document.clauses:
        clauses.setdefault(clause.operator, []).append(clause)
    contents = {name: sheet.contents(clauses.get(name, ())) for name, sheet in sheets.items()}
    states = {
        name: "".join(CLAUSE_LETTERS[each.verdict] for each in clauses.get(name, ())).encode()
        for name in sheets
    }
    header = document.model_dump(mode="json", exclude=_NOT_OF_HEADER, by_alias=True)
    digest = _digest(header, sheets, contents, states)
    run = schema.run
    found = connection.execute(select(run.c.id, run.c.label).where(run.c.sha256 == digest)).first()
    if found is not None:
        if label and not found.label:
            connection.execute(update(run).where(run.c.id == found.id).values(label=label))
        return Recorded(found.id, found.label or label, is_new=False)
    _refuse_other(connection, document.nonce)
    counts = {name: _counts(bytes(sheet.letters)) for name, sheet in sheets.items()}
    whole = {key: sum(each[key] for each in counts.values()) for key in _counts(b"")}
    facts = _columns(document) | whole | {"exit_status": int(document.exit_code)}
    number = connection.execute(
        insert(schema.run).returning(schema.run.c.id),
        {
            "sha256": digest,
            "recorded": recorded,
            "label": label,
            "report": report,
            "header": _content_id(connection, pack_json(header)),
            **facts,
        },
    ).scalar_one()
    places = _places(connection, {place for sheet in sheets.values() for place in sheet.places})
    if visited := set(places.values()) - {schema.NOWHERE}:
        rows = [{"run": number, "place": each} for each in sorted(visited)]
        connection.execute(insert(schema.run_place), rows)
    for name, sheet in sorted(sheets.items()):
        ids = {"run": number, "operator": _id_of(connection, schema.operator, {"name": name})}
        ran = [places[place] for place in sheet.places]
        ran = ran[:1] if len(set(ran)) == 1 else ran
        row = {
            **ids,
            **counts[name],
            "letters": pack(bytes(sheet.letters)),
            "clauses": pack(states[name]),
            "places": pack(np.array(ran, dtype="<i4").tobytes()),
            **{part: _content_id(connection, data) for part, data in contents[name].items()},
        }
        connection.execute(insert(schema.sheet), row)
        rows = [{**ids, **each} for each in sheet.summaries()]
        if rows:
            connection.execute(insert(schema.summary), rows)
    return Recorded(number, label, is_new=True)


def withdraw(connection: Connection, number: int, at: str, reason: str) -> None:
    """Withdraw a run."""
    connection.execute(insert(schema.withdrawal), {"run": number, "at": at, "reason": reason})


def prune(connection: Connection, numbers: Sequence[int]) -> None:
    """Remove runs, and content that becomes unused."""
    for table, column in (
        (schema.sheet, schema.sheet.c.run),
        (schema.summary, schema.summary.c.run),
        (schema.run_place, schema.run_place.c.run),
        (schema.withdrawal, schema.withdrawal.c.run),
        (schema.run, schema.run.c.id),
    ):
        for part in (
            numbers[start : start + _AT_ONCE] for start in range(0, len(numbers), _AT_ONCE)
        ):
            connection.execute(delete(table).where(column.in_(part)))
    sheet = schema.sheet.c
    columns = (sheet.names, sheet.facts, sheet.details, sheet.figures, sheet.times)
    needed = union(select(schema.run.c.header), *map(select, columns))
    connection.execute(delete(schema.content).where(schema.content.c.id.not_in(needed)))


def _refuse_other(connection: Connection, nonce: str) -> None:
    """Raise OtherJudgement if a run of this nonce is recorded and not withdrawn."""
    run, withdrawal = schema.run, schema.withdrawal
    other = connection.scalar(
        select(run.c.id)
        .outerjoin(withdrawal, withdrawal.c.run == run.c.id)
        .where(run.c.nonce == nonce, run.c.nonce != "", withdrawal.c.run.is_(None))
    )
    if other is not None:
        raise OtherJudgement(other)


def _digest(
    header: Mapping[str, Any],
    sheets: Mapping[str, Sheet],
    contents: Mapping[str, Mapping[str, bytes]],
    states: Mapping[str, bytes],
) -> bytes:
    """Return the digest of a run, without its place and time of recording."""
    # contract operators follow from the specs, whose digest is included
    known = {name: fact for name, fact in header.items() if name != "contract_only"}
    digest = hashlib.sha256(pack_json(known))
    for name, sheet in sorted(sheets.items()):
        for part in (name.encode(), bytes(sheet.letters), states[name], *contents[name].values()):
            digest.update(hashlib.sha256(part).digest())
    return digest.digest()


def _counts(letters: bytes) -> dict[str, int]:
    return {
        "cases": len(letters),
        "failing": sum(letters.count(letter) for letter in b"FCT~"),
        "waived": letters.count(b"w"),
        "unproven": letters.count(b"?") + letters.count(b"!"),
    }


def _columns(document: ResultsDocument) -> dict[str, Any]:
    """Return the facts of a run that its row holds."""
    device, about = document.device, document.environment
    return {
        **{name: getattr(document, name) for name in ("nonce", "started")},
        **{name: getattr(document, name) for name in ("tier", "standard", "edition")},
        **{name: getattr(device, name) for name in ("product", "kind", "soc", "fault", "variant")},
        **{name: getattr(about, name) for name in ("driver", "firmware", "host")},
        # the device's version of CANN takes precedence over the toolkit's files
        "cann": device.cann or about.toolkit_version,
        "toolkit_version": about.toolkit_version,
        "build": _build(document),
        "suite": document.suite.version,
        "specs": document.suite.specs_sha256,
    }


def _build(document: ResultsDocument) -> str:
    """Return the build of a run; runs of a build should agree.

    Driver and firmware are left out, because they may cause differences between cards.
    """
    libraries = sorted(
        (each.name, each.sha256)
        for each in document.environment.libraries
        if each.name.startswith(OF_CANN)
    )
    facts = (
        asdict(document.device),
        document.environment.toolkit_version,
        document.edition,
        document.standard,
        document.suite.version,
        document.suite.specs_sha256,
        document.sanitize,
        libraries,
    )
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _content_id(connection: Connection, data: bytes) -> int:
    key = {"sha256": hashlib.sha256(data).digest()}
    return _id_of(connection, schema.content, key, data=data)


def _id_of(connection: Connection, table: Table, key: Mapping[str, Any], **others: Any) -> int:
    """Return the id of the row with a key; add it, with other values, if it is new."""
    same = (table.c[name] == value for name, value in key.items())
    found = connection.scalar(select(table.c.id).where(*same))
    if found is not None:
        return int(found)
    added = insert(table).values(**key, **others).returning(table.c.id)
    return int(connection.scalars(added).one())


def _places(
    connection: Connection, places: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], int]:
    return {
        (host, card): _id_of(connection, schema.place, {"host": host, "card": card})
        if host
        else schema.NOWHERE
        for host, card in sorted(places)
    }


def recorded_document(connection: Connection, number: int) -> ResultsDocument:
    """Return a recorded run in the form of its results file, for comparing runs.

    Samples, stories, pictures, times on the host, and the figures of other standards than the
    strict one are missing; device times have seven digits.

    Raises:
        NoResultFound: There is no such run.
    """
    header = _header_of(connection, number)
    sheets = list(packed_sheets(connection, number))
    cases = CaseFile.collect(case for sheet in sheets for case in sheet.cases())
    return ResultsDocument.model_validate(
        {
            "format": FORMAT,
            "totals": totals(case.outcome for case in cases),
            "not_promised": (),
            "document_gaps": (),
            **header,
            "cases": cases,
            "clauses": [verdict for sheet in sheets for verdict in sheet.verdicts()],
        }
    )


def contract_only(connection: Connection, number: int) -> tuple[str, ...]:
    """Return the contract operators of a run.

    Raises:
        NoResultFound: There is no such run.
    """
    # absent in runs that earlier releases recorded
    return tuple(_header_of(connection, number).get("contract_only", ()))


def _header_of(connection: Connection, number: int) -> Any:
    """Return the recorded keys of a run's results file besides cases and clauses."""
    run, content = schema.run, schema.content
    query = select(content.c.data).join(run, run.c.header == content.c.id)
    return unpack_json(connection.scalars(query.where(run.c.id == number)).one())


def packed_sheets(connection: Connection, number: int) -> Iterator[Packed]:
    sheet, names = schema.sheet, schema.operator
    columns = ("names", "facts", "details", "figures", "times")
    parts = {column: schema.content.alias(column) for column in columns}
    query = select(
        names.c.name.label("operator"),
        sheet.c.letters,
        sheet.c.clauses,
        sheet.c.places,
        *(part.c.data.label(column) for column, part in parts.items()),
    ).join(names, names.c.id == sheet.c.operator)
    for column, part in parts.items():
        query = query.outerjoin(part, part.c.id == sheet.c[column])
    rows = connection.execute(query.where(sheet.c.run == number).order_by(names.c.name))
    known = located(connection)
    for row in rows.mappings():
        if None in row.values():
            raise NoResultFound(f"run {number} lacks a part of {row['operator']}")
        places = [known[each] for each in places_of(row["places"]).tolist()]
        yield Packed(**{**row, "places": places})


_EXPORTED = {
    *("id", "operator", "verdict", "scene", "dtype", "host", "card", "broken", "exercised"),
    *("kinds", "standards", "device_microseconds", "message", "waiver", "unenforced", "basis"),
    *("tries", "confirmed", "after"),
}


def exported(connection: Connection, facts: RunFacts) -> Iterator[dict[str, Any]]:
    """Yield a run as JSON objects: its facts, then its clauses and cases by operator."""
    yield {"run": asdict(facts)}
    for sheet in packed_sheets(connection, facts.id):
        for verdict in sheet.verdicts():
            yield {"clause": {"run": facts.id, **asdict(verdict)}}
        for case in sheet.cases():
            shown = case.model_dump(mode="json", include=_EXPORTED, by_alias=True)
            yield {"case": {"run": facts.id, **shown}}
