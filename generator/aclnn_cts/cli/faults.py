# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts faults``: the faults and variants that the simulated device can be given."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import print_json
from aclnn_cts.errors import WrongInputError
from aclnn_cts.qualify.catalog import Entry, load_catalog
from aclnn_cts.suite import Suite


def faults(
    word: Annotated[
        str, typer.Argument(metavar="[WORD]", help="An id, or a part of an id, class or text.")
    ] = "",
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    as_json: options.AsJson = False,
) -> None:
    """List the faults and variants of the simulated device; one id shows its edits, too.

    A fault is for `run --fault ID`, a variant (another correct device) for `run --variant ID`.
    """
    suite, specs = options.load(folders=folders)
    catalog = load_catalog(suite)
    of_homes = catalog.of(specs, operator or ())
    chosen = [entry for entry in of_homes if entry.id == word] or [
        entry
        for entry in of_homes
        if word.lower() in f"{entry.id} {entry.fault_class} {entry.what}".lower()
    ]
    if not chosen:
        catalog.require_read(word)
        near = [*catalog.near(word, "fault"), *catalog.near(word, "variant")]
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise WrongInputError(f"no fault or variant with {word!r}{hint}")
    if as_json:
        print_json([_as_json(entry) for entry in chosen])
        return
    for entry in chosen:
        typer.echo(f"{entry.id} ({entry.kind}, {entry.home}): {entry.what}")
    if len(chosen) == 1:
        typer.echo("\n".join(_details(suite, chosen[0])))


def _details(suite: Suite, entry: Entry) -> Iterator[str]:
    """Yield the expected clauses of a fault or the justification of a variant, and its diff."""
    if entry.kind == "fault":
        yield f"noticed by: {', '.join(entry.notices) or 'any clause'}"
    else:
        yield f"right by: {': '.join(filter(None, (', '.join(entry.allows), entry.why)))}"
    yield f"played on: {entry.product}, {', '.join(entry.tried_on)}"
    for path, text in entry.change.sources.items():
        before = (suite.simulator / path).read_text(encoding="utf-8").splitlines()
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
