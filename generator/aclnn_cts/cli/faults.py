# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts faults``: the faults and variants that the simulated device can be given."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import print_json
from aclnn_cts.errors import WrongInputError, counted
from aclnn_cts.qualify.catalog import Entry, load_catalog
from aclnn_cts.run.build import simulator_files
from aclnn_cts.suite import Suite


def faults(
    word: Annotated[
        str, typer.Argument(metavar="[WORD]", help="An id, or a part of an id, class or text.")
    ] = "",
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    whole: Annotated[bool, typer.Option("--all", help="List all, not only their numbers.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Count the faults and variants of the simulated device; list some; show the edits of one.

    A fault is for `run --fault ID`, a variant (another correct device) for `run --variant ID`.
    """
    suite, specs = options.load(folders=folders)
    catalog = load_catalog(suite)
    entries = _matches(catalog.of(specs, operator or ()), word)
    if not entries:
        catalog.require_valid(word)
        near = [*catalog.near(word, "fault"), *catalog.near(word, "variant")]
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise WrongInputError(f"no fault or variant with {word!r}{hint}")
    if as_json:
        print_json([_as_json(entry) for entry in entries])
        return
    if not (word or operator or whole):
        typer.echo("\n".join(_summary(entries)))
        return
    for entry in entries:
        typer.echo(f"{entry.id} ({entry.kind}, {entry.home}): {entry.what}")
    if len(entries) == 1:
        typer.echo("\n".join(_details(suite, entries[0])))


def _matches(entries: Sequence[Entry], word: str) -> list[Entry]:
    """Return the entry of an id, or else those with a word in their id, class or text."""
    return [entry for entry in entries if entry.id == word] or [
        entry
        for entry in entries
        if word.lower() in f"{entry.id} {entry.fault_class} {entry.what}".lower()
    ]


def _summary(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the numbers of faults by class, and of faults and variants that are written by hand."""
    of_class = Counter((entry.fault_class, entry.kind) for entry in entries if entry.fault_class)
    homes: dict[str, set[str]] = defaultdict(set)
    by_hand: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        homes[entry.fault_class].add(entry.home)
        if not entry.fault_class:
            by_hand[entry.home][entry.kind] += 1
    yield "classes, for `aclnn-cts faults CLASS`:"
    for name, kind in sorted(of_class):
        operators = counted(len(homes[name]), "operator")
        yield f"  {name}: {counted(of_class[name, kind], kind)} of {operators}"
    yield "by hand, for `aclnn-cts faults --operator NAME`:"
    for home, kinds in sorted(by_hand.items()):
        yield f"  {home}: {', '.join(counted(kinds[kind], kind) for kind in sorted(kinds))}"
    kinds = Counter(entry.kind for entry in entries)
    totals = " and ".join(counted(kinds[kind], kind) for kind in sorted(kinds))
    yield f"{totals} in all; `aclnn-cts faults --all` lists them"


def _details(suite: Suite, entry: Entry) -> Iterator[str]:
    """Yield the expected clauses of a fault or the justification of a variant, and its diff."""
    if entry.kind == "fault":
        yield f"noticed by: {', '.join(entry.notices) or 'any clause'}"
    else:
        yield f"right by: {': '.join(filter(None, (', '.join(entry.allows), entry.why)))}"
    yield f"played on: {entry.product}, {', '.join(entry.tried_on)}"
    files = simulator_files(suite)
    for path, text in entry.change.sources.items():
        before = files[path].read_text(encoding="utf-8").splitlines()
        name = f"simulator/{path}"
        yield from difflib.unified_diff(before, text.splitlines(), name, name, lineterm="", n=1)


def _as_json(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "kind": entry.kind,
        "class": entry.fault_class,
        "home": entry.home,
        "product": entry.product,
        "operators": entry.tried_on,
        "what": entry.what,
        "notices": entry.notices,
        "allows": entry.allows,
        "why": entry.why,
    }
