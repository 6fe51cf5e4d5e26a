# SPDX-License-Identifier: Apache-2.0
"""Commands on judged runs: a page, a comparison, drafts of waivers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import PlainConsole
from aclnn_cts.errors import WrongInputError, one_of
from aclnn_cts.files import write_text
from aclnn_cts.report.certificate import write_certificate
from aclnn_cts.report.comparison_text import FORMS, headline
from aclnn_cts.report.junit import write_junit_by_operator
from aclnn_cts.report.page import write_page
from aclnn_cts.report.run_comparison import GATES, Gate, Options, compare_results
from aclnn_cts.report.summary import summary
from aclnn_cts.report.view import label_runs
from aclnn_cts.report.waivers import apply_waivers, draft_waivers, load_acceptance
from aclnn_cts.results.document import ResultsDocument, read_results
from aclnn_cts.results.qualification_file import read_qualification
from aclnn_cts.run.folder_lock import PAGE_FILE, RESULTS_FILE


def report(
    results: options.ResultsFolders,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", help="Earlier results to compare with: folder or results.json."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        PAGE_FILE
    ),
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit", metavar="FOLDER", help="Also write JUnit files here, one per operator."
        ),
    ] = None,
    junit_cases: Annotated[
        bool,
        typer.Option(
            "--junit-cases", help="With --junit: a test case also for each case that passed."
        ),
    ] = False,
    enforce: Annotated[
        bool,
        typer.Option(
            "--enforce",
            help="Show a requirement that is not enforced as a failure; the status stays 0.",
        ),
    ] = False,
    text: Annotated[
        bool,
        typer.Option("--text", help="Print all operators and open points instead of a page."),
    ] = False,
) -> None:
    """Write one HTML page of one or several runs."""
    base = None if baseline is None else read_results(baseline)
    documents = [read_results(path) for path in results]
    if enforce:
        documents = [document.model_copy(update={"enforce": True}) for document in documents]
    # A results file is named after its folder.
    names = [(path if path.is_dir() else path.parent).resolve().name for path in results]
    runs = label_runs(documents, names)
    if text:
        for run in runs:
            PlainConsole().print(summary(run, verbose=True), crop=False)
        return
    typer.echo(write_page(runs, output, base))
    if junit is not None:
        for run in runs:
            for path in write_junit_by_operator(run, junit, each_case=junit_cases):
                typer.echo(path)


def certificate(
    results: options.ResultsFolders,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        "certificate.html"
    ),
    qualification: Annotated[
        Path | None,
        typer.Option(
            "--qualification", metavar="FILE", help="Power of the suite: the file of `qualify`."
        ),
    ] = None,
) -> None:
    """Write a printable page on what runs qualified, and what not; the status is always 0."""
    power = None if qualification is None else read_qualification(qualification)
    documents = [read_results(path) for path in results]
    files = [path if path.suffix == ".json" else path / RESULTS_FILE for path in results]
    issued = datetime.now(timezone.utc)
    typer.echo(write_certificate(documents, files, power, output, issued))


_USUAL = Options()


@dataclass(frozen=True)
class CompareOptions:
    """The options of a comparison."""

    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="[BASE] NEW",
            help="The earlier and the later results: folders or results.json.",
            show_default=False,
        ),
    ]
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Take BASE from the store: last-green, an id, label or CANN version.",
        ),
    ] = ""
    accuracy_factor: Annotated[
        float, typer.Option(min=1.0, help="Minimum ratio for an error to count as grown.")
    ] = _USUAL.accuracy_factor
    time_factor: Annotated[
        float, typer.Option(min=1.0, help="Minimum ratio for a time to count as grown.")
    ] = _USUAL.time_factor
    significance: Annotated[
        float,
        typer.Option(min=1e-9, max=0.5, help="Maximum probability of a false alarm about times."),
    ] = _USUAL.significance
    gate: Annotated[
        list[str] | None,
        typer.Option(
            "--gate",
            help=f"Gates that end with status 1: {', '.join(GATES)}; may be repeated "
            "[all, time on a card only].",
        ),
    ] = None
    waivers: options.WaiverFile = None
    folders: options.SpecFolders = None
    enforce: Annotated[
        bool,
        typer.Option(
            "--enforce",
            help="Count a case that is unenforced, and was not in BASE, as newly failing.",
        ),
    ] = False
    form: Annotated[str, typer.Option("--format", help="text, markdown or json.")] = "text"
    output: options.OutputFile = None
    store: options.StoreAddress = None


@options.take_options(CompareOptions)
def compare(arguments: CompareOptions) -> None:
    """Compare two runs; exit status 1 if a gate counts a regression."""
    limits = Options(
        accuracy_factor=arguments.accuracy_factor,
        time_factor=arguments.time_factor,
        significance=arguments.significance,
        gate=_gates(arguments.gate),
        enforce=arguments.enforce,
    )
    write = FORMS[one_of("format", arguments.form, FORMS)]
    if len(arguments.results) != (1 if arguments.against else 2):
        raise WrongInputError("give BASE and NEW, or NEW and --against")
    documents = [read_results(path) for path in arguments.results]
    after = documents[-1]
    before = documents[0]
    if arguments.against:
        before = _load_baseline(after, arguments.against, arguments.store)
    if arguments.waivers is not None:
        before, after = _apply_waivers(before, after, arguments.waivers, arguments.folders)
    comparison = compare_results(before, after, limits)
    if arguments.output is None:
        sys.stdout.write(write(comparison))
    else:
        write_text(arguments.output, write(comparison))
        typer.echo(f"{headline(comparison)}\n{arguments.output}")
    raise typer.Exit(int(comparison.exit_status))


def _load_baseline(new: ResultsDocument, against: str, store: str | None) -> ResultsDocument:
    """Return the run of the store that a new one is compared with."""
    from aclnn_cts.store import folder, recording  # noqa: PLC0415 - DuckDB takes long to import
    from aclnn_cts.store.runs import all_runs, baseline_of  # noqa: PLC0415 - as above

    with folder.open_store(store) as opening:
        base = baseline_of(all_runs(opening), new, against)
        label = f" ({base.label})" if base.label else ""
        options.say(
            f"BASE is run {base.short}{label} of {base.started[:10]}, CANN {base.cann or 'unknown'}"
        )
        return recording.recorded_document(opening, base)


def _apply_waivers(
    before: ResultsDocument, after: ResultsDocument, waivers: Path, folders: list[Path] | None
) -> tuple[ResultsDocument, ResultsDocument]:
    """Return both results as they are with these waivers.

    A waiver may name a clause that the edition of only one of them has: of the other run it speaks
    of no case.
    """
    editions = dict.fromkeys((before.edition, after.edition))
    accepted = load_acceptance(
        waivers, *(options.load(edition, folders)[1] for edition in editions)
    )
    return apply_waivers(before, accepted), apply_waivers(after, accepted)


def _gates(names: Sequence[str] | None) -> tuple[Gate, ...] | None:
    gates = {one_of("gate", name, GATES) for name in names or ()}
    return tuple(gate for gate in GATES if gate in gates) if names else None


def waivers(
    results: Annotated[
        Path | None, typer.Argument(help="A results folder, or its results.json.")
    ] = None,
    run: Annotated[
        str | None,
        typer.Option("--run", parser=options.run_id, help="Id of a run in the store, instead."),
    ] = None,
    output: options.OutputFile = None,
    store: options.StoreAddress = None,
) -> None:
    """Draft waivers for the failures of a run; fill in reason, link, owner and end."""
    if (results is None) == (run is None):
        raise WrongInputError("give either a results folder or --run with the id of a run")
    if results is not None:
        text = draft_waivers(read_results(results))
    else:
        from aclnn_cts.store import folder, recording, runs  # noqa: PLC0415 - long to import

        with folder.open_store(store) as opening:
            facts = runs.run_of(runs.all_runs(opening), run or "")
            text = draft_waivers(recording.recorded_document(opening, facts))
    if output is None:
        typer.echo(text, nl=False)
    elif output.is_file():
        raise WrongInputError(f"{output}: already exists; name another file, and copy from that")
    else:
        write_text(output, text)
        options.say(
            f"{output}: fill in reason, link, owner and expires; without them it is refused"
        )
