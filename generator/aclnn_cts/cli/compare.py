# SPDX-License-Identifier: Apache-2.0
"""The command that says what became of the cases of one run in another."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import StoreAddress, WaiverFile, load, reported, say
from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.files import write_text
from aclnn_cts.report.comparison_text import FORMS, Form, headline
from aclnn_cts.report.results import ResultsDocument, read_results
from aclnn_cts.report.run_comparison import GATES, Gate, Options, compare_results
from aclnn_cts.report.waivers import accepted_in, with_waivers

_USUAL = Options()


@reported
def compare(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="[BASE] NEW",
            help="The earlier and the later results: folders or results.json.",
            show_default=False,
        ),
    ],
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Take BASE from the store: last-green, a number, label or CANN version.",
        ),
    ] = "",
    accuracy_factor: Annotated[
        float, typer.Option(min=1.0, help="Minimum ratio for an error to count as grown.")
    ] = _USUAL.accuracy_factor,
    time_factor: Annotated[
        float, typer.Option(min=1.0, help="Minimum ratio for a time to count as grown.")
    ] = _USUAL.time_factor,
    significance: Annotated[
        float,
        typer.Option(min=1e-9, max=0.5, help="Maximum probability of a false alarm about times."),
    ] = _USUAL.significance,
    gate: Annotated[
        list[str] | None,
        typer.Option(
            "--gate",
            help=f"Gates that end with status 1: {', '.join(GATES)}; may be repeated "
            "[all, time on a card only].",
        ),
    ] = None,
    waivers: WaiverFile = None,
    enforce: Annotated[
        bool,
        typer.Option(
            "--enforce",
            help="Count a case that is unenforced, and was not in BASE, as newly failing.",
        ),
    ] = False,
    form: Annotated[str, typer.Option("--format", help="text, markdown or json.")] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    store: StoreAddress = None,
) -> None:
    """Compare two runs; exit status 1 if a gate counts a regression."""
    options = Options(
        accuracy_factor=accuracy_factor,
        time_factor=time_factor,
        significance=significance,
        gate=_gates(gate),
        enforce=enforce,
    )
    write = FORMS[_form(form)]
    if len(results) != (1 if against else 2):
        raise WrongInputError("give BASE and NEW, or NEW and --against")
    documents = [read_results(path) for path in results]
    after = documents[-1]
    before = _recorded(after, against, store) if against else documents[0]
    if waivers is not None:
        before, after = _with_waivers(before, after, waivers)
    comparison = compare_results(before, after, options)
    if output is None:
        sys.stdout.write(write(comparison))
    else:
        write_text(output, write(comparison))
        typer.echo(f"{headline(comparison)}\n{output}")
    raise typer.Exit(int(comparison.exit_status))


def _recorded(new: ResultsDocument, against: str, store: str | None) -> ResultsDocument:
    """Return the run of the store that a new one is compared with."""
    from aclnn_cts.store import database, recording  # noqa: PLC0415 - SQLAlchemy takes long
    from aclnn_cts.store.runs import baseline_of  # noqa: PLC0415 - as above

    with database.opened(store) as opening, opening.reading() as connection:
        base = baseline_of(connection, new, against)
        label = f" ({base.label})" if base.label else ""
        say(f"BASE is run {base.id}{label} of {base.started[:10]}, CANN {base.cann or 'unknown'}")
        return recording.recorded_document(connection, base.id)


def _with_waivers(
    before: ResultsDocument, after: ResultsDocument, waivers: Path
) -> tuple[ResultsDocument, ResultsDocument]:
    """Return both results as they are with these waivers.

    A waiver may name a clause that the edition of only one of them has: of the other run it speaks
    of no case.
    """
    editions = dict.fromkeys((before.edition, after.edition))
    folders = [each.path for each in (*before.suite.folders, *after.suite.folders)]
    there = [folder for folder in folders if folder.is_dir()]
    accepted = accepted_in(waivers, *(load(each, folders=there)[1] for each in editions))
    return with_waivers(before, accepted), with_waivers(after, accepted)


def _gates(names: Sequence[str] | None) -> tuple[Gate, ...] | None:
    for name in names or ():
        if name not in GATES:
            raise unknown_name("gate", name, GATES)
    return tuple(gate for gate in GATES if gate in names) if names else None


def _form(name: str) -> Form:
    for form in FORMS:
        if form == name:
            return form
    raise unknown_name("format", name, FORMS)
