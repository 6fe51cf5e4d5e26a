# SPDX-License-Identifier: Apache-2.0
"""The command that asks whether the suite notices what is wrong with a device."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import CORES, DEFAULT_TIER, Jobs, Operators, TierName, load, reported
from aclnn_cts.console import ConsoleProgress, PlainConsole, print_json
from aclnn_cts.errors import ExitCode, WrongInputError, unknown_name
from aclnn_cts.files import explain, write_text
from aclnn_cts.plan.cases import require_tier
from aclnn_cts.qualify.catalog import Catalog, Fault, load_catalog
from aclnn_cts.qualify.table import show
from aclnn_cts.qualify.trying import try_faults


@reported
def qualify(
    tier: TierName = DEFAULT_TIER,
    operator: Operators = None,
    fault: Annotated[
        list[str] | None, typer.Option("--fault", help="Only this fault; may be repeated.")
    ] = None,
    jobs: Jobs = CORES,
    as_json: Annotated[bool, typer.Option("--json", help="Print the matrix as JSON.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", help="The file [results/qualification-TIER.json].")
    ] = None,
) -> None:
    """Try every known fault on the simulated device: which clause notices it, in which case."""
    require_tier(tier)
    suite, _ = load()
    catalog = load_catalog(suite)
    chosen = _chosen(catalog, operator, fault)
    path = output or Path("results") / f"qualification-{tier}.json"
    _require_place(path)
    with ConsoleProgress() as progress:
        found = try_faults(suite, catalog, chosen, tier, progress, jobs)
    write_text(path, json.dumps(found.as_json(), indent=1) + "\n")
    if as_json:
        print_json(found.as_json())
    else:
        console = PlainConsole()
        show(found, console)
        console.print(str(path), markup=False, soft_wrap=True)
    raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY if found.survivors else ExitCode.PASSED))


def _chosen(
    catalog: Catalog, operators: Sequence[str] | None, names: Sequence[str] | None
) -> list[Fault]:
    """Return the faults asked for, in the catalog's order."""
    homes = {fault.home for fault in catalog.faults.values()}
    for home in operators or ():
        if home not in homes:
            raise unknown_name("operator or part", home, homes)
    for name in names or ():
        catalog.change(name)
    chosen = [
        fault
        for fault in catalog.faults.values()
        if (not operators or fault.home in operators) and (not names or fault.id in names)
    ]
    if not chosen:
        raise WrongInputError("no fault is of these operators and has one of these ids")
    return chosen


def _require_place(path: Path) -> None:
    """Make the folder of the file that is written in the end; nobody wants to wait for a refusal.

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
