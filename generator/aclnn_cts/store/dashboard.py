# SPDX-License-Identifier: Apache-2.0
"""The dashboard: static pages of all runs of a store, without a server.

One script file holds the facts of the runs. A page holds a letter per run, from which a script
draws a strip, so a thousand runs take a kilobyte per page.
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import jinja2
from markupsafe import Markup

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import write_text
from aclnn_cts.report.page import html_templates
from aclnn_cts.report.page.tables import html_json
from aclnn_cts.store.columns import BROKEN, BROKEN_LETTERS, BY_WEIGHT, LETTERS
from aclnn_cts.store.folder import Store
from aclnn_cts.store.history import WEIGHT, PlaceHistory, failing_since, place_histories
from aclnn_cts.store.runs import RunFacts, Selection, by_version, select_runs

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
class _Letters:
    """Letters by run.

    Attributes:
        operator: Letters of the operator, by the number of the run in the selection.
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
        state: The colour of the last letter, unless another card is failing.
        began: The first run of its present state: since then it has always failed on some card, or
            its letters have had this colour.
        places: The histories by card; empty for a clause that never failed.
    """

    product: str
    letters: str
    latest: str
    state: str
    began: RunFacts
    versions: tuple[Version, ...]
    places: tuple[PlaceHistory, ...] = ()

    @property
    def ever_broken(self) -> bool:
        return not BROKEN_LETTERS.isdisjoint(self.letters)

    @property
    def recent(self) -> str:
        return self.letters.replace(ABSENT, "")[-_RECENT:]


@dataclass(frozen=True)
class WallRow:
    """An operator on the wall."""

    operator: str
    is_contract: bool
    strips: tuple[Strip, ...]

    @property
    def is_failing(self) -> bool:
        return any(strip.state == "bad" for strip in self.strips)


def write_dashboard(store: Store, selection: Selection, folder: Path) -> Path:
    """Write the pages into a folder and return the path of the first.

    Raises:
        WrongInputError: There are no such runs, or the folder cannot be written to.
        NotTrustworthyError: The disk is full, or a name in the store is no valid file name.
    """
    runs = list(select_runs(store, selection).values())
    products: dict[str, list[int]] = {}
    for n, run in enumerate(runs):
        products.setdefault(run.card_kind, []).append(n)
    products = dict(sorted(products.items()))
    links = {run.id: link_of(run.report, folder) for run in runs}
    templates = html_templates("aclnn_cts.store")
    templates.globals.update({"page_of": page_of, "STATES": _STATES, "links": links})
    _fill_seen(store)
    strips_of = functools.partial(_strips, runs, products, place_histories(store, runs))
    families = _families(store)
    wall: dict[str, list[WallRow]] = {}
    for operator, letters in sorted(_letters_of(store).items()):
        is_contract = operator in runs[max(letters.operator)].contract_only
        row = WallRow(operator, is_contract, strips_of(operator, letters.operator))
        wall.setdefault(families.get(operator, "other"), []).append(row)
        clauses = {c: strips_of(f"{operator} {c}", by_run) for c, by_run in letters.clauses.items()}
        _write_operator(templates, folder, row, clauses, letters.facts)
    for rows in wall.values():
        rows.sort(key=lambda row: not row.is_failing)
    wall = dict(sorted(wall.items(), key=lambda item: (not item[1][0].is_failing, item[0])))
    fact_rows = {
        name: [_fact(runs[n], links[runs[n].id]) for n in numbers]
        for name, numbers in products.items()
    }
    write_text(folder / "runs.js", f"const RUNS = {html_json(fact_rows)};\n")
    sources = importlib.resources.files("aclnn_cts.store") / "templates"
    for name in ("dashboard.css", "dashboard.js"):
        write_text(folder / name, (sources / name).read_text(encoding="utf-8"))
    first = folder / "index.html"
    recent = runs[: -_RECENT - 1 : -1]
    facts = {"products": list(products), "recent": recent, "count": len(runs)}
    _write(templates, first, "wall.html.j2", **facts, wall=wall, data="null")
    return first


def _write_operator(
    templates: jinja2.Environment,
    folder: Path,
    row: WallRow,
    clauses: Mapping[str, tuple[Strip, ...]],
    texts: Mapping[str, tuple[str, str]],
) -> None:
    """Write the page of an operator, and of each of its clauses that was ever broken."""
    broken = {
        name: strips for name, strips in clauses.items() if any(s.ever_broken for s in strips)
    }
    facts = {"operator": row.operator, "is_contract": row.is_contract}
    _write(
        templates,
        folder / page_of(row.operator),
        "operator.html.j2",
        **facts,
        strips=row.strips,
        clauses=clauses,
        broken=broken,
        texts=texts,
        data=_data(row.strips),
    )
    for name, strips in broken.items():
        text, place = texts[name]
        _write(
            templates,
            folder / page_of(row.operator, name),
            "clause.html.j2",
            **facts,
            clause=name,
            text=text,
            place=place,
            strips=strips,
            data=_data(strips),
        )


def _families(store: Store) -> dict[str, str]:
    """Return the family of each operator, as far as runs recorded it."""
    rows = store.rows(
        "SELECT arg_max(header, n) FROM entries JOIN chosen USING (run) WHERE entry = 'run' "
        "GROUP BY card_kind"
    )
    return {
        operator: family
        for (header,) in rows
        for operator, family in json.loads(header).get("scope", {}).get("families", {}).items()
    }


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
    return [run.short, run.started[:16].replace("T", " "), run.cann, run.host, run.label, link]


def _data(strips: Sequence[Strip]) -> Markup:
    return html_json({strip.product: strip.letters for strip in strips})


def _fill_seen(store: Store) -> None:
    """Fill the table ``seen`` for each operator, and for each clause that was ever broken.

    The subject of a clause is its operator and its id.
    """
    store.rows(
        "CREATE OR REPLACE TEMP TABLE sets AS SELECT card_kind, operator, exercised, broken, n, "  # noqa: S608 - ours
        "coalesce(host, '') AS host, card, "
        f"count_if(outcome IN {BROKEN}) AS failed, max({WEIGHT}) AS weight "
        "FROM entries JOIN chosen USING (run) WHERE entry = 'case' GROUP BY ALL"
    )
    store.rows(
        "CREATE OR REPLACE TEMP TABLE seen AS WITH tested AS (SELECT DISTINCT operator, exercised, "
        "unnest(string_split(exercised, ' ')) AS clause FROM "
        "(SELECT DISTINCT operator, exercised FROM sets)), "
        "hurt AS (SELECT DISTINCT operator, unnest(string_split(broken, ' ')) AS clause FROM "
        "(SELECT DISTINCT operator, broken FROM sets)) "
        "SELECT operator AS subject, card_kind, n, host, card, sum(failed) AS broken "
        "FROM sets GROUP BY ALL UNION ALL "
        "SELECT concat(operator, ' ', clause), card_kind, n, host, card, "
        "count_if(coalesce(list_contains(string_split(broken, ' '), clause), false)) "
        "FROM sets JOIN tested USING (operator, exercised) SEMI JOIN hurt USING (operator, clause) "
        "GROUP BY ALL"
    )


def _letters_of(store: Store) -> dict[str, _Letters]:
    """Return the letters of each operator and its clauses."""
    by_operator: dict[str, _Letters] = {}
    for operator, numbers, weights in store.rows(
        "SELECT operator, list(n ORDER BY n), list(weight ORDER BY n) FROM "
        "(SELECT operator, n, max(weight) AS weight FROM sets GROUP BY ALL) GROUP BY operator"
    ):
        letters = (LETTERS[BY_WEIGHT[weight - 1]] for weight in weights)
        by_operator[operator] = _Letters(dict(zip(numbers, letters, strict=True)))
    for operator, name, numbers, outcomes, text, place in store.rows(
        "SELECT operator, name, list(n ORDER BY n), list(outcome ORDER BY n), "
        "coalesce(arg_max(text, n), ''), coalesce(arg_max(place, n), '') "
        "FROM entries JOIN chosen USING (run) WHERE entry = 'clause' "
        "GROUP BY operator, name ORDER BY operator, min(position), name"
    ):
        if of_operator := by_operator.get(operator):
            letters = (LETTERS[outcome] for outcome in outcomes)
            of_operator.clauses[name] = dict(zip(numbers, letters, strict=True))
            of_operator.facts[name] = text, place
    return by_operator


def _strips(
    runs: Sequence[RunFacts],
    products: Mapping[str, Sequence[int]],
    places: Mapping[tuple[str, str], tuple[PlaceHistory, ...]],
    subject: str,
    letters: Mapping[int, str],
) -> tuple[Strip, ...]:
    """Return the letters of an operator or clause by product."""
    strips = []
    for product, numbers in products.items():
        present = [n for n in numbers if n in letters]
        if not present:
            continue
        cards = places.get((subject, product), ())
        state = _state(letters[present[-1]])
        same = itertools.takewhile(lambda n: _state(letters[n]) == state, reversed(present))  # noqa: B023
        *_, began = (runs[n] for n in same)
        if failing := failing_since(cards):
            state, began = "bad", failing
        letter_by_run = {runs[n].id: letters[n] for n in present}
        versions = by_version([runs[n] for n in present])
        strip = Strip(
            product,
            "".join(letters.get(n, ABSENT) for n in numbers),
            letters[present[-1]],
            state,
            began,
            tuple(_version(cann, part, letter_by_run) for cann, part in versions.items()),
            cards,
        )
        strips.append(strip)
    return tuple(strips)


def _state(letter: str) -> str:
    """Return the colour of a letter; a waived failure is one."""
    return "bad" if letter in BROKEN_LETTERS else _STATES[letter]


def _version(cann: str, runs: Sequence[RunFacts], letters: Mapping[str, str]) -> Version:
    failing = [run for run in runs if letters[run.id] in BROKEN_LETTERS]
    first, last = (failing[0], failing[-1]) if failing else (None, None)
    return Version(cann, len(runs), len(failing), first, last)
