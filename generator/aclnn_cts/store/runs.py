# SPDX-License-Identifier: Apache-2.0
"""Selection of a store's runs, and differences between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from packaging.version import Version
from sqlalchemy import Column, ColumnElement, Connection, Select, select

from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError, unknown_name
from aclnn_cts.report.results import ResultsDocument
from aclnn_cts.run.process import UNKNOWN_DEVICE
from aclnn_cts.spec.waivers import cann_version
from aclnn_cts.store.schema import (
    NOWHERE,
    content,
    operator,
    place,
    run,
    run_place,
    sheet,
    withdrawal,
)
from aclnn_cts.store.sheets import unpack_json


@dataclass(frozen=True)
class RunFacts:
    """A run in the store; unknown fields are empty.

    Attributes:
        started: When it began, in ISO 8601.
        nonce: The nonce of its events.
        label: Its label.
        kind: ``simulator`` or ``hardware``.
        fault: The fault of the simulated device.
        variant: The variant of the simulated device.
        build: A digest of everything that determines how cases should end.
        failing: Number of cases that break a promise and are not waived.
        waived: Number of cases that are waived.
        unproven: Number of cases that prove nothing.
        withdrawn: Why it was withdrawn; None if it was not.
    """

    id: int
    started: str
    recorded: str
    nonce: str
    label: str
    report: str
    product: str
    kind: str
    soc: str
    cann: str
    driver: str
    firmware: str
    host: str
    fault: str
    variant: str
    build: str
    tier: str
    standard: str
    edition: str
    suite: str
    specs: str
    cases: int
    failing: int
    waived: int
    unproven: int
    exit_status: int
    withdrawn: str | None

    @property
    def age(self) -> tuple[str, int]:
        """Sort key: smaller for earlier runs."""
        return self.started, self.id

    @property
    def card_kind(self) -> str:
        """The product, with a mark for simulated devices."""
        return self.product if self.kind != "simulator" else f"{self.product} (simulated)"


_OF_ROW = tuple(item.name for item in fields(RunFacts) if item.name != "withdrawn")


@dataclass(frozen=True)
class Selection:
    """A selection of runs; empty fields select all.

    Attributes:
        hosts: Hosts on which any of their cases ran.
        since: Earliest begin, in ISO 8601.
        before: Latest begin (exclusive), in ISO 8601.
        withdrawn: Whether to include withdrawn runs.
    """

    products: tuple[str, ...] = ()
    cann: str = ""
    hosts: tuple[str, ...] = ()
    tier: str = ""
    since: str = ""
    before: str = ""
    withdrawn: bool = False

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """Yield the SQL conditions."""
        if self.products:
            yield run.c.product.in_(self.products)
        if self.cann:
            yield run.c.cann == self.cann
        if self.hosts:
            there = place.c.host.in_(self.hosts)
            yield run.c.id.in_(select(run_place.c.run).join(place).where(there))
        if self.tier:
            yield run.c.tier == self.tier
        if self.since:
            yield run.c.started >= self.since
        if self.before:
            yield run.c.started < self.before
        if not self.withdrawn:
            yield withdrawal.c.run.is_(None)


def _found(connection: Connection, *conditions: ColumnElement[bool]) -> list[RunFacts]:
    """Return the runs that meet all conditions, the earliest first."""
    columns = (*(run.c[name] for name in _OF_ROW), withdrawal.c.reason.label("withdrawn"))
    query = (
        select(*columns)
        .outerjoin(withdrawal, withdrawal.c.run == run.c.id)
        .where(*conditions)
        .order_by(run.c.started, run.c.id)
    )
    return [RunFacts(**row) for row in connection.execute(query).mappings()]


def selected(connection: Connection, selection: Selection) -> dict[int, RunFacts]:
    """Return the runs of a selection by number, the earliest first.

    Raises:
        WrongInputError: No run matches.
    """
    found = {facts.id: facts for facts in _found(connection, *selection.conditions())}
    if not found:
        _refuse(connection, selection)
    return found


def _refuse(connection: Connection, selection: Selection) -> None:
    """Raise WrongInputError for an unknown name, with the existing names."""
    for kind, names, column in (
        ("product", selection.products, run.c.product),
        ("host", selection.hosts, place.c.host),
        ("CANN version", filter(None, [selection.cann]), run.c.cann),
        ("tier", filter(None, [selection.tier]), run.c.tier),
    ):
        known = connection.scalars(select(column).distinct()).all()
        for name in names:
            if name not in known:
                raise unknown_name(f"{kind} in the store", name, known)
    raise WrongInputError(
        "the store has no such run; `aclnn-cts store list` lists its runs, "
        "`aclnn-cts store add RESULTS` adds one"
    )


_MOST = 2**31 - 1
"""The largest integer of databases."""


def run_of(connection: Connection, number: int) -> RunFacts:
    """Return one run.

    Raises:
        WrongInputError: There is no run with that number.
    """
    found = _found(connection, run.c.id == number) if number <= _MOST else []
    if not found:
        raise WrongInputError(f"the store holds no run {number}; `aclnn-cts store list` lists them")
    return found[0]


_COMPARED = {
    "cann": "CANN",
    "driver": "driver",
    "firmware": "firmware",
    "soc": "SoC",
    "host": "host",
    "fault": "fault",
    "variant": "variant",
    "edition": "edition",
    "standard": "standard",
    "tier": "tier",
    "suite": "suite",
    "specs": "specs",
}
_DIGITS = 12


def differences(base: RunFacts, new: RunFacts) -> tuple[str, ...]:
    """Return the differences between two runs as short texts."""
    found = []
    for name, title in _COMPARED.items():
        before, after = (str(getattr(side, name)) for side in (base, new))
        if name == "specs":
            before, after = before[:_DIGITS], after[:_DIGITS]
        if before != after:
            found.append(f"{title} {before or 'none'} → {after or 'none'}")
    if not found and base.build != new.build:
        found.append("the libraries of CANN, although their version is the same")
    return tuple(found)


def by_version(runs: Sequence[RunFacts]) -> Mapping[str, list[RunFacts]]:
    """Return runs by version of CANN, in order; unknown versions come last."""
    found: dict[str, list[RunFacts]] = {}
    for each in runs:
        found.setdefault(each.cann, []).append(each)

    def key(name: str) -> tuple[bool, Version, str]:
        version = cann_version(name)
        return version is None, version or Version("0"), name

    return {name: found[name] for name in sorted(found, key=key)}


def operators_of(connection: Connection, names: Sequence[str] = ()) -> dict[int, str]:
    """Return operators by number in the store, in the order of their names; all if empty.

    Raises:
        WrongInputError: The store does not know one of them.
    """
    rows = connection.execute(select(operator).order_by(operator.c.name))
    known = {row.id: row.name for row in rows}
    for name in names:
        if name not in known.values():
            raise unknown_name("operator in the store", name, known.values())
    return {number: name for number, name in known.items() if not names or name in names}


def located(connection: Connection) -> dict[int, tuple[str, int]]:
    """Return host and card of each place in the store, by number."""
    known = {row.id: (row.host, row.card) for row in connection.execute(select(place))}
    return {NOWHERE: ("", UNKNOWN_DEVICE), **known}


def cards_of(connection: Connection, number: int) -> list[tuple[str, int]]:
    """Return host and card of each place of a run's cases."""
    query = (
        select(place.c.host, place.c.card)
        .join(run_place)
        .where(run_place.c.run == number)
        .order_by(place.c.host, place.c.card)
    )
    return [(row.host, row.card) for row in connection.execute(query)]


def content_of(connection: Connection, number: int) -> Any:
    """Return the data of a compressed JSON document of the store."""
    query = select(content.c.data).where(content.c.id == number)
    return unpack_json(connection.scalars(query).one())


_AT_A_TIME = 200


def fetched(connection: Connection, query: Select[Any]) -> Iterator[Any]:
    """Yield rows in small portions, so that memory does not grow with the runs."""
    yield from connection.execute(query, execution_options={"yield_per": _AT_A_TIME})


def sheets_of(
    connection: Connection,
    runs: Mapping[int, RunFacts],
    operators: Iterable[int],
    columns: Sequence[str],
    order: Sequence[Column[Any]] = (run.c.started, run.c.id),
) -> Iterator[Any]:
    """Yield columns of the sheets of operators in some runs, those of earlier runs first."""
    query = (
        select(sheet.c.run, *(sheet.c[name] for name in columns))
        .join(run, run.c.id == sheet.c.run)
        .where(sheet.c.operator.in_(list(operators)))
        .order_by(*order)
    )
    return (row for row in fetched(connection, query) if row.run in runs)


LAST_GREEN = "last-green"


def baseline_of(connection: Connection, new: ResultsDocument, wanted: str) -> RunFacts:
    """Return the baseline of a new run.

    Args:
        new: The new run; it may be in the store, and is never its own baseline.
        wanted: ``last-green`` for the last run before it that ended with exit status 0, the number
            of a run, a label, or a version of CANN. Of several runs, the last one before the new
            one with the same product, kind of device, tier, standard and edition is used.

    Raises:
        WrongInputError: There is no run with that number.
        NotTrustworthyError: There is no such run, or it was withdrawn.
    """
    if wanted.isdigit():
        named = run_of(connection, int(wanted))
        if named.withdrawn is not None:
            raise NotTrustworthyError(f"run {named.id} was withdrawn: {named.withdrawn}")
        return named
    device = new.device
    runs = _found(
        connection,
        run.c.product == device.product,
        run.c.kind == device.kind,
        run.c.tier == new.tier,
        run.c.standard == new.standard,
        run.c.edition == new.edition,
        run.c.nonce != new.nonce,
        run.c.started < new.started,
        withdrawal.c.run.is_(None),
    )
    if wanted == LAST_GREEN:
        found = [each for each in runs if each.exit_status == ExitCode.PASSED]
    else:
        found = [each for each in runs if each.label == wanted] or [
            each for each in runs if each.cann == wanted
        ]
    if not found:
        what = "run that ended with exit status 0" if wanted == LAST_GREEN else f"{wanted!r}"
        raise NotTrustworthyError(
            f"the store holds no {what} of {device.product}, tier {new.tier}, standard "
            f"{new.standard} and edition {new.edition} from before {new.started}; "
            "`aclnn-cts store list` lists its runs"
        )
    return found[-1]
