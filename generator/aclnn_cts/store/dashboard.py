# SPDX-License-Identifier: Apache-2.0
"""The dashboard: static pages of all runs of a store, without a server.

One script file holds the facts of the runs. A page holds a letter per run, from which a script
draws a strip, so a thousand runs take a kilobyte per page.
"""

from __future__ import annotations

import functools
import importlib.resources
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import jinja2
from markupsafe import Markup
from sqlalchemy import Connection

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import write_text
from aclnn_cts.report.page import html_templates
from aclnn_cts.report.page.tables import html_json
from aclnn_cts.store.history import PlaceHistory, Subject, history, worst_letter
from aclnn_cts.store.recording import contract_only
from aclnn_cts.store.runs import (
    RunFacts,
    Selection,
    by_version,
    content_of,
    operators_of,
    selected,
    sheets_of,
)
from aclnn_cts.store.sheets import BROKEN, letters_of

ABSENT = " "
"""The letter of a run without the operator or clause."""

_STATES = {
    **dict.fromkeys("FCT~", "bad"),
    **dict.fromkeys("w?!", "warn"),
    **dict.fromkeys("uc-", "note"),
    ".": "good",
}
_RECENT = 20
_NAME = re.compile(r"[\w-]+")


@dataclass
class _Strips:
    """Letters by run.

    Attributes:
        operator: Letters of the operator, by run number.
        clauses: Letters of each of its clauses.
        facts: Text and place of each clause in the last run.
    """

    operator: dict[int, str] = field(default_factory=dict)
    clauses: dict[str, dict[int, str]] = field(default_factory=dict)
    facts: dict[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Version:
    """The runs of one version of CANN."""

    cann: str
    runs: int
    failing: int
    first: RunFacts | None
    last: RunFacts | None


@dataclass(frozen=True)
class Strip:
    """The letters of an operator or clause on one product.

    Attributes:
        product: The product, with a mark for simulated devices.
        letters: A letter for each run of the product, :data:`ABSENT` for none.
        since: The run since which it has always failed on some card; None if the last run did not
            fail.
        places: The histories by card; empty for a clause that never failed.
    """

    product: str
    letters: str
    latest: str
    since: RunFacts | None
    versions: tuple[Version, ...]
    places: tuple[PlaceHistory, ...] = ()

    @property
    def state(self) -> str:
        """Colour of the last letter, unless another card is failing."""
        return "bad" if self.since else _STATES[self.latest]

    @property
    def recent(self) -> str:
        """The last letters."""
        return self.letters.replace(ABSENT, "")[-_RECENT:]


def write_dashboard(connection: Connection, selection: Selection, folder: Path) -> Path:
    """Write the pages into a folder and return the path of the first.

    Raises:
        WrongInputError: There are no such runs, or the folder cannot be written to.
        NotTrustworthyError: The disk is full, or a name in the store is no valid file name.
    """
    runs = selected(connection, selection)
    products: dict[str, list[RunFacts]] = {}
    for run in runs.values():
        products.setdefault(run.card_kind, []).append(run)
    products = dict(sorted(products.items()))
    templates = html_templates("aclnn_cts.store")
    templates.globals.update({"page_of": page_of, "STATES": _STATES})
    names = operators_of(connection)
    wall = {}
    of_run = functools.cache(functools.partial(contract_only, connection))
    marked = []
    for number, operator in names.items():
        strips = _strips_of(connection, number, runs)
        if not strips.operator:
            continue
        last = max(strips.operator, key=lambda number: runs[number].age)
        if operator in of_run(last):
            marked.append(operator)
        subject = Subject(operators=(operator,))
        own = _on_cards(connection, subject, selection, _cut(strips.operator, products))
        wall[operator] = own
        clauses = {}
        for name, letters in strips.clauses.items():
            clauses[name] = tuple(_cut(letters, products))
            if set(BROKEN).intersection(letters.values()):
                subject = Subject(operators=(operator,), clause=name)
                clauses[name] = _on_cards(connection, subject, selection, clauses[name])
        _write(
            templates,
            folder / page_of(operator),
            "operator.html.j2",
            operator=operator,
            contract_only=marked,
            strips=own,
            clauses=clauses,
            texts=strips.facts,
            data=_data(own),
        )
        for name, found in clauses.items():
            text, place = strips.facts[name]
            _write(
                templates,
                folder / page_of(operator, name),
                "clause.html.j2",
                operator=operator,
                contract_only=marked,
                clause=name,
                text=text,
                place=place,
                strips=found,
                data=_data(found),
            )
    links = {number: link_of(run.report, folder) for number, run in runs.items()}
    facts = {name: [_fact(run, links[run.id]) for run in own] for name, own in products.items()}
    write_text(folder / "runs.js", f"const RUNS = {html_json(facts)};\n")
    own_files = importlib.resources.files("aclnn_cts.store") / "templates"
    for name in ("dashboard.css", "dashboard.js"):
        write_text(folder / name, (own_files / name).read_text(encoding="utf-8"))
    first = folder / "index.html"
    recent = list(runs.values())[: -_RECENT - 1 : -1]
    _write(
        templates,
        first,
        "wall.html.j2",
        products=list(products),
        wall=wall,
        contract_only=marked,
        recent=recent,
        links=links,
        count=len(runs),
        data=html_json(None),
    )
    return first


def _write(templates: jinja2.Environment, path: Path, template: str, **facts: Any) -> None:
    write_text(path, templates.get_template(template).render(**facts))


def page_of(operator: str, clause: str = "") -> str:
    """Return the name of the page of an operator or clause.

    Raises:
        NotTrustworthyError: A name has invalid characters.
    """
    for name in filter(None, (operator, clause)):
        if not _NAME.fullmatch(name):
            raise NotTrustworthyError(f"invalid name {name!r} in the store")
    return f"{operator}.{clause}.html" if clause else f"{operator}.html"


def link_of(address: str, folder: Path) -> str:
    """Return the link to a report: relative for a local file, empty for none."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return address
    path = Path(unquote(parts.path))
    if parts.scheme != "file" or not path.is_file():
        return ""
    return quote(os.path.relpath(path, folder.resolve()))


def _fact(run: RunFacts, link: str) -> list[object]:
    """Return the data of a run for the script."""
    return [run.id, run.started[:16].replace("T", " "), run.cann, run.host, run.label, link]


def _data(strips: Sequence[Strip]) -> Markup:
    return html_json({strip.product: strip.letters for strip in strips})


def _strips_of(connection: Connection, operator: int, runs: Mapping[int, RunFacts]) -> _Strips:
    """Return the letters of an operator and its clauses."""
    found = _Strips()
    lists: dict[int, list[str]] = {}
    columns = ("letters", "clauses", "names", "facts")
    for row in sheets_of(connection, runs, [operator], columns):
        if row.names not in lists:
            lists[row.names] = content_of(connection, row.names)["clauses"]
        found.operator[row.run] = worst_letter(letters_of(row.letters))
        # a list of names may end with clauses without a verdict in the run
        letters = letters_of(row.clauses).tobytes().decode()
        for name, letter in zip(lists[row.names], letters, strict=False):
            found.clauses.setdefault(name, {})[row.run] = letter
        if row.facts not in lists:
            lists[row.facts] = []
            texts = content_of(connection, row.facts)["clauses"]
            found.facts |= {
                name: (text, place)
                for name, (text, place, _) in zip(lists[row.names], texts, strict=False)
            }
    return found


def _cut(letters: Mapping[int, str], products: Mapping[str, Sequence[RunFacts]]) -> Iterator[Strip]:
    """Yield the letters by product."""
    for product, runs in products.items():
        own = [run for run in runs if run.id in letters]
        if not own:
            continue
        since = None
        for run in reversed(own):
            if letters[run.id] not in BROKEN:
                break
            since = run
        yield Strip(
            product,
            "".join(letters.get(run.id, ABSENT) for run in runs),
            letters[own[-1].id],
            since,
            tuple(_version(cann, part, letters) for cann, part in by_version(own).items()),
        )


def _on_cards(
    connection: Connection, subject: Subject, selection: Selection, strips: Iterable[Strip]
) -> tuple[Strip, ...]:
    """Add the histories by card to strips, if cases name the clause."""
    try:
        found = {each.product: each for each in history(connection, subject, selection)}
    except WrongInputError:
        found = {}
    return tuple(
        replace(strip, since=own.since or strip.since, places=own.places)
        if (own := found.get(strip.product))
        else strip
        for strip in strips
    )


def _version(cann: str, runs: Sequence[RunFacts], letters: Mapping[int, str]) -> Version:
    failing = [run for run in runs if letters[run.id] in BROKEN]
    first, last = (failing[0], failing[-1]) if failing else (None, None)
    return Version(cann, len(runs), len(failing), first, last)
