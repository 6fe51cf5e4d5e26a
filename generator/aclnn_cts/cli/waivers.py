# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts waivers``: drafts waivers for what fails."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import StoreAddress, reported, say
from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import write_text
from aclnn_cts.report.results import read_results
from aclnn_cts.report.waivers import draft_waivers


@reported
def suggest(
    results: Annotated[
        Path | None, typer.Argument(help="A results folder, or its results.json.")
    ] = None,
    number: Annotated[
        int | None, typer.Option("--run", help="Number of a run in the store, instead.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    store: StoreAddress = None,
) -> None:
    """Draft waivers for the failures of a run; fill in reason, link, owner and end."""
    if (results is None) == (number is None):
        raise WrongInputError("no results; give a results folder, or --run with a number")
    if results is not None:
        text = draft_waivers(read_results(results))
    else:
        from aclnn_cts.store import database, recording, runs  # noqa: PLC0415 - long to import

        with database.opened(store) as opening, opening.reading() as connection:
            facts = runs.run_of(connection, number or 0)
            text = draft_waivers(recording.recorded_document(connection, facts.id))
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)
        say(f"{output}: fill in reason, link, owner and expires; without them it is refused")
