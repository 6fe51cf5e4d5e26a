# SPDX-License-Identifier: Apache-2.0
"""The command line: parses, calls, prints; everything else is elsewhere."""

from __future__ import annotations

import typer

from aclnn_cts import __version__
from aclnn_cts.cli import (
    comparing,
    covering,
    diffing,
    doctoring,
    explaining,
    inspecting,
    judging,
    making,
    packing,
    qualifying,
    reporting,
    reproducing,
    running,
)
from aclnn_cts.cli.options import reported

app = typer.Typer(
    help="Conformance tests for CANN's aclnn operators, from specs of their documents' promises.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.command()
@reported
def version() -> None:
    """Print the suite's version."""
    typer.echo(__version__)


app.command("list")(inspecting.list_cases)
app.command()(explaining.explain)
app.command()(covering.coverage)
app.command()(diffing.diff)
app.command()(making.generate)
app.command()(running.run)
app.command()(judging.judge)
app.command()(packing.pack)
app.command()(comparing.compare)
app.command()(reporting.report)
app.command()(qualifying.qualify)
app.command()(doctoring.doctor)
app.command()(reproducing.repro)
