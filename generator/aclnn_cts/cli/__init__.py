# SPDX-License-Identifier: Apache-2.0
"""The command line: parses, calls, prints; everything else is elsewhere."""

from __future__ import annotations

import typer

from aclnn_cts import __version__
from aclnn_cts.cli import (
    compare,
    coverage,
    diff,
    doctor,
    explain,
    generate,
    judge,
    list_cases,
    pack,
    qualify,
    report,
    repro,
    run,
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


app.command("list")(list_cases.list_cases)
app.command()(explain.explain)
app.command()(coverage.coverage)
app.command()(diff.diff)
app.command()(generate.generate)
app.command()(run.run)
app.command()(judge.judge)
app.command()(pack.pack)
app.command()(compare.compare)
app.command()(report.report)
app.command()(qualify.qualify)
app.command()(doctor.doctor)
app.command()(repro.repro)
