# SPDX-License-Identifier: Apache-2.0
"""The command that plays all faults and variants."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.cli.host import prune_cache
from aclnn_cts.console import ConsoleProgress, PlainConsole, print_json
from aclnn_cts.errors import ExitCode, WrongInputError, one_of
from aclnn_cts.files import explain, write_text
from aclnn_cts.plan.cases import TIERS
from aclnn_cts.qualify.catalog import Catalog, Entry, load_catalog
from aclnn_cts.qualify.qualification import show
from aclnn_cts.qualify.trials import Effort, try_devices
from aclnn_cts.spec.revisions import Revision


def qualify(
    tier: options.TierName = options.DEFAULT_TIER,
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    fault: Annotated[
        list[str] | None, typer.Option("--fault", help="Only this fault; may be repeated.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option("--variant", help="Only this variant; may be repeated.")
    ] = None,
    first: Annotated[
        bool, typer.Option("--first", help="Judge each fault only until a case notices it.")
    ] = False,
    since: options.Since = None,
    no_reuse: Annotated[
        bool, typer.Option("--no-reuse", help="Try devices again of which nothing has changed.")
    ] = False,
    jobs: options.Jobs = options.CORES,
    as_json: Annotated[bool, typer.Option("--json", help="Print the matrix as JSON.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", help="The file [results/qualification-TIER.json].")
    ] = None,
) -> None:
    """Play known faults, which cases must notice, and correct variants, which must pass."""
    one_of("tier", tier, TIERS)
    suite, specs = options.load(folders=folders)
    if not (operator or fault or variant):
        specs.require_valid()
    catalog = load_catalog(suite)
    entries = _select(catalog, catalog.of(specs, operator or ()), fault or (), variant or ())
    if since is not None:
        revision = Revision.since(since, specs, suite)
        entries = [entry for entry in entries if entry.is_concerned(revision)]
        if not entries:
            raise WrongInputError("--since leaves no fault or variant; ask for more operators")
    path = output or Path("results") / f"qualification-{tier}.json"
    _require_place(path)
    with ConsoleProgress() as progress:
        effort = Effort(tier, first, reuse=not no_reuse)
        qualification = try_devices(suite, entries, effort, progress, jobs)
    prune_cache(suite.cache)
    write_text(path, json.dumps(qualification.as_json(), indent=1) + "\n")
    if as_json:
        print_json(qualification.as_json())
    else:
        console = PlainConsole()
        show(qualification, console)
        console.print(str(path), markup=False, soft_wrap=True)
    raise typer.Exit(int(ExitCode.PASSED if qualification.is_trusted else ExitCode.NOT_TRUSTWORTHY))


def _select(
    catalog: Catalog, entries: Sequence[Entry], faults: Sequence[str], variants: Sequence[str]
) -> list[Entry]:
    """Return the entries asked for: if only faults are named, no variants, and the other way."""
    ids = {catalog.change(name).id for name in faults}
    ids |= {catalog.change(name, "variant").id for name in variants}
    selected_entries = [entry for entry in entries if not ids or entry.id in ids]
    if not selected_entries:
        raise WrongInputError("no fault or variant of these operators has one of these ids")
    return selected_entries


def _require_place(path: Path) -> None:
    """Make the output's folder now, so that a bad path fails before the work.

    Raises:
        WrongInputError: The file cannot be written there.
    """
    if path.is_dir():
        raise WrongInputError(f"{path}: is a folder; --output takes a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise explain(error, path.parent) from None
